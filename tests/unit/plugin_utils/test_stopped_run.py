# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that was not brought to its end says where its records are and how to go on; a complete one says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._bench_report import Collector
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import create_run

CELL = "dut/nat/inter_vlan"
PLAN = run_data.plan([run_data.cell("dut", "nat", "inter_vlan", n=3)])


@pytest.mark.parametrize("measured", [0, 2, 3])
def test_last_words(tmp_path: Path, measured: int) -> None:
    said: list[str] = []
    run_dir = str(create_run(tmp_path, PLAN))
    collector = Collector(lambda text, kind: said.append(text))
    collector.collect({"bench_run_dir": run_dir})
    for number in range(1, measured + 1):
        collector.collect({"bench_record": {"run_dir": run_dir, "record": run_data.record(PLAN, CELL, number, 5e9)}}, show=False)
    collector.stopped()
    collector.stopped()
    if measured == 3:
        assert said == []
    else:
        assert len(said) == 1
        assert f"{measured} of 3 trials are in {run_dir}" in said[0]
        assert f"bench_resume={run_dir}" in said[0]
