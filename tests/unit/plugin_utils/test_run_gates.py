# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run in which a router did not work ends with an error that names the router, the profile and the checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.action.bench_check import ActionModule
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import append_record, create_run
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_gates import failed_gates, gates_text

PLAN = run_data.plan([run_data.cell("dut", "routing", "inter_vlan", n=2), run_data.cell("dut", "nat", "inter_vlan", n=2)])
FAILED = {"passed": False, "failed": ["source_translated", "dhcp_lease"]}


def run_of(folder: Path, nat_gate: dict[str, Any]) -> Path:
    """A complete run whose profile nat had this gate in its second trial."""
    run_dir = create_run(folder, PLAN)
    for profile in ("routing", "nat"):
        append_record(run_dir, run_data.record(PLAN, f"dut/{profile}/inter_vlan", 1, 5e9))
    append_record(run_dir, run_data.record(PLAN, "dut/routing/inter_vlan", 2, 5e9))
    append_record(run_dir, run_data.record(PLAN, "dut/nat/inter_vlan", 2, 5e9, gate=nat_gate))
    return run_dir


def check(run_dir: Path, **more: Any) -> dict[str, Any]:
    """What the task bench_check returns for this folder."""
    args = {"results_dir": "results", "run_dir": str(run_dir), "allow_invalid": False, "allow_failed_gate": False, **more}
    return ActionModule.answer(None, args)  # the door itself needs nothing of Ansible for its answer


def test_one_failed_trial_is_enough_and_checks_are_named() -> None:
    records = [run_data.record(PLAN, "dut/nat/inter_vlan", number, 5e9, gate=gate) for number, gate in ((1, FAILED), (2, {"passed": True, "failed": []}))]
    assert failed_gates(records) == {"dut/nat": ["dhcp_lease", "source_translated"]}
    assert "dut/nat: dhcp_lease, source_translated" in gates_text("results/x", failed_gates(records))


@pytest.mark.parametrize("gate", [{"passed": True, "failed": []}, {"passed": None, "failed": []}])
def test_a_gate_that_passed_or_was_not_there_is_no_failure(tmp_path: Path, gate: dict[str, Any]) -> None:
    found = check(run_of(tmp_path, gate))
    assert not found.get("failed")
    assert found["failed_gates"] == {}


def test_a_failed_gate_fails_the_run(tmp_path: Path) -> None:
    run_dir = run_of(tmp_path, FAILED)
    found = check(run_dir)
    assert found["failed"]
    assert found["failed_gates"] == {"dut/nat": ["dhcp_lease", "source_translated"]}
    assert f"(details in {run_dir}/gate)" in found["msg"]
    assert not check(run_dir, allow_failed_gate=True).get("failed")
