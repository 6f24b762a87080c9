# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs side by side: like with like, refused when not measured alike, drawn apart when forced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils import _run_folder as folder
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.build import build_comparison
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.comparison import compare_runs, sides
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError

SPREAD = (0.99, 0.995, 1.0, 1.005, 1.01)


def run_of(levels: dict[str, float], name: str = "one", cell: dict[str, Any] | None = None, dut: str = "dut", **more: Any) -> Any:
    """A run with one scenario and these medians per profile."""
    cells = [run_data.cell(dut, profile, "inter_vlan", **(cell or {})) for profile in levels]
    plan = run_data.plan(cells, run=name)
    made = [
        run_data.record(plan, f"{dut}/{profile}/inter_vlan", number, level * SPREAD[number - 1], **more)
        for profile, level in levels.items() for number in range(1, 6)
    ]
    return plan, made


def write(base: Path, run: Any) -> Path:
    run_dir = folder.create_run(base, run[0])
    for record in run[1]:
        folder.append_record(run_dir, record)
    return run_dir


def test_the_same_profile_of_the_same_router_is_compared() -> None:
    found = compare_runs(sides([run_of({"routing": 5e9, "nat": 4e9}), run_of({"routing": 6e9, "nat": 4.01e9}, "two", {"version": "13"})]))
    changes = {row["a"]: (row["b"], round(row["ratio"], 3), row["better"]) for row in found["changes"]}
    assert changes == {
        "A:dut/routing/inter_vlan": ("B:dut/routing/inter_vlan", 1.2, "B:dut/routing/inter_vlan"),
        "A:dut/nat/inter_vlan": ("B:dut/nat/inter_vlan", 1.002, None),
    }
    assert found["incomparable"] == {}
    assert found["differs"]["dut version"] == {"A": "debian 12", "B": "debian 13"}
    assert all(row["rank"] is None for board in found["boards"] for row in board["rows"])


def test_without_a_shared_router_the_profile_decides() -> None:
    found = compare_runs(sides([run_of({"routing": 5e9, "nat": 4e9}), run_of({"routing": 6e9}, "two", dut="other")]))
    assert [(row["a"], row["b"]) for row in found["changes"]] == [("A:dut/routing/inter_vlan", "B:other/routing/inter_vlan")]


def test_three_runs_are_compared_pair_by_pair() -> None:
    found = compare_runs(sides([run_of({"routing": level}, name) for name, level in (("x", 5e9), ("y", 6e9), ("z", 7e9))]))
    assert [(row["a"][0], row["b"][0]) for row in found["changes"]] == [("A", "B"), ("A", "C"), ("B", "C")]


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"cell": {"params": {"protocol": "tcp", "streams": 2, "duration": 10, "omit": 1}}}, "inter_vlan: params.duration is 3 | 10"),
        ({"conditions": {"client.kernel": "6.1"}}, 'inter_vlan: conditions.client.kernel is "6.18.0" | "6.1"'),
        ({"conditions": {"client.kernel": "6.18.0", "dut.eth0.offload.tso": "on"}}, 'inter_vlan: conditions.dut.offload.tso is null | "on"'),
        ({"versions": {"iperf3": "iperf 3.17"}}, 'inter_vlan: conditions.versions.iperf3 is "iperf3 >= 3.11 < 3.16" | "iperf3 >= 3.16 < 3.21"'),
    ],
)
def test_runs_that_were_not_measured_alike_are_refused_with_the_field_named(tmp_path: Path, other: dict[str, Any], field: str) -> None:
    base = {"conditions": {"client.kernel": "6.18.0"}, "versions": {"iperf3": "iperf 3.12"}}
    runs = [write(tmp_path, run_of({"routing": 5e9}, "one", **base)), write(tmp_path, run_of({"routing": 5e9}, "two", **{**base, **other}))]
    output = tmp_path / "out"
    with pytest.raises(RunFolderError) as caught:
        build_comparison(runs, output)
    assert field in str(caught.value)
    assert str(caught.value).count("\n") == 1
    assert not output.exists()
    built = build_comparison(runs, output, force=True)
    assert built.summary["changes"] == []
    assert [board["facet"] for board in built.summary["boards"]] == [1, 2]
    page = (output / "report.html").read_text()
    assert "drawn apart" in page and page.count("<svg") == 2
    assert sorted(path.stem for path in (output / "charts").glob("*.png")) == ["inter_vlan-throughput-1", "inter_vlan-throughput-2"]


def test_files_of_a_comparison(tmp_path: Path) -> None:
    runs = [write(tmp_path, run_of({"routing": level}, name)) for name, level in (("one", 5e9), ("two", 6e9))]
    built = build_comparison(runs, tmp_path / "out")
    assert {"comparison.json", "summary.csv", "report.md", "report.html", "charts/inter_vlan-throughput.png"} <= set(built.files)
    assert json.loads((tmp_path / "out/comparison.json").read_text())["changes"][0]["ratio"] == pytest.approx(1.2)
    assert "+20.0 %" in built.text and "dut [B] · routing is better" in built.text
    assert build_comparison(runs, tmp_path / "out").changed is False


def test_check_mode_writes_nothing(tmp_path: Path) -> None:
    runs = [write(tmp_path, run_of({"routing": level}, name)) for name, level in (("one", 5e9), ("two", 6e9))]
    assert "+20.0 %" in build_comparison(runs, tmp_path / "out", write=False).text
    assert not (tmp_path / "out").exists()


def test_a_run_without_records_is_named(tmp_path: Path) -> None:
    empty = folder.create_run(tmp_path, {**run_of({"routing": 5e9})[0], "run": "empty"})
    with pytest.raises(RunFolderError, match="no records in .*empty: there is nothing to compare"):
        build_comparison([write(tmp_path, run_of({"routing": 5e9})), empty], tmp_path / "out")


def test_a_partial_run_is_told(tmp_path: Path) -> None:
    plan, made = run_of({"routing": 5e9}, "two")
    runs = [write(tmp_path, run_of({"routing": 5e9})), write(tmp_path, (plan, made[:3]))]
    build_comparison(runs, tmp_path / "out")
    assert "PARTIAL" in (tmp_path / "out/report.md").read_text()
