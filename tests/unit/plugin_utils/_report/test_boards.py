# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Side by side: who is shown to be better, who is not ranked, and what may share an axis."""

from __future__ import annotations

from typing import Any

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import pairs_table
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.words import labels

SPREAD = (0.99, 0.995, 1.0, 1.005, 1.01, 0.992, 0.998, 1.003)


def summary_of(levels: dict[str, float | None], n: int = 5, more: dict[str, dict[str, Any]] | None = None, **spec: Any) -> dict[str, Any]:
    """One scenario, one profile per level; None is a profile without a valid trial."""
    cells = [run_data.cell("dut", name, "inter_vlan", n=n, **spec) for name in levels]
    plan = run_data.plan(cells)
    made = []
    for name, level in levels.items():
        for number in range(1, n + 1):
            value = None if level is None else level * SPREAD[number - 1]
            made.append(run_data.record(plan, f"dut/{name}/inter_vlan", number, value, **(more or {}).get(name, {})))
    return summarise(plan, made)


def ranks(summary: dict[str, Any]) -> dict[str, int | None]:
    return {row["cell"].split("/")[1]: row["rank"] for row in summary["boards"][0]["rows"]}


def test_ranks_follow_what_is_shown() -> None:
    assert ranks(summary_of({"slow": 4e9, "fast": 6e9, "middle": 5e9})) == {"fast": 1, "middle": 2, "slow": 3}


def test_no_difference_shown_is_an_equal_rank() -> None:
    summary = summary_of({"a": 5e9, "b": 5.05e9, "c": 4e9})
    assert ranks(summary) == {"b": 1, "a": 1, "c": 3}
    results = [row[-1].text for row in pairs_table(summary["boards"][0], labels(summary)).rows]
    assert results == ["no difference shown", "a better than c", "b better than c"]


def test_lower_is_better_where_the_metric_says_so() -> None:
    boot = {"name": "boot", "unit": "s", "title": "Boot", "better": "lower"}
    cells = [run_data.cell("dut", name, "boot", metrics=[boot]) for name in ("quick", "slow")]
    plan = run_data.plan(cells)
    made = [
        run_data.record(plan, f"dut/{name}/boot", number, 1.0, metrics={"boot": {"value": level * SPREAD[number], "unit": "s"}})
        for name, level in (("slow", 37.0), ("quick", 12.0)) for number in range(1, 6)
    ]
    assert ranks(summarise(plan, made)) == {"quick": 1, "slow": 2}


def test_three_trials_can_never_show_a_difference_and_the_board_says_so() -> None:
    summary = summary_of({"a": 5e9, "b": 9e9}, n=3)
    board = summary["boards"][0]
    assert [row["rank"] for row in board["rows"]] == [1, 1]
    assert board["pairs"][0]["p"] == pytest.approx(0.1)
    assert "smallest p after Holm is 0.100" in board["note"]
    assert board["note"].endswith("It takes 4 trials per cell.")
    assert pairs_table(board, labels(summary)).rows[0][-1].text == "no difference shown (too few trials to show one)"


def test_five_trials_of_five_cells_are_too_few_after_holm() -> None:
    board = summary_of({name: level * 1e9 for level, name in enumerate("abcde", 3)})["boards"][0]
    assert len(board["pairs"]) == 10
    assert board["note"].endswith("It takes 6 trials per cell.")


def test_a_lower_median_never_ranks_before_a_higher_one() -> None:
    # three valid trials cannot be shown to be slower than five; the rank still may not overtake
    cells = [run_data.cell("dut", name, "inter_vlan") for name in ("top", "second", "thin")]
    plan = run_data.plan(cells)
    made = [run_data.record(plan, f"dut/{name}/inter_vlan", number, level * SPREAD[number])
            for name, level, count in (("top", 6e9, 5), ("second", 5e9, 5), ("thin", 4e9, 3)) for number in range(1, count + 1)]
    assert ranks(summarise(plan, made)) == {"top": 1, "second": 2, "thin": 2}


def test_a_failed_gate_is_listed_kept_and_never_ranked() -> None:
    gate = {"passed": False, "failed": ["nat_proven"]}
    summary = summary_of({"best": 9e9, "other": 5e9, "third": 4e9}, more={"best": {"gate": gate}})
    assert ranks(summary) == {"other": 1, "third": 2, "best": None}
    row = summary["boards"][0]["rows"][-1]
    assert (row["unranked"], row["median"]) == ("gate failed", pytest.approx(9e9))
    assert all("best" not in pair["a"] + pair["b"] for pair in summary["boards"][0]["pairs"])


def test_a_cell_without_values_is_listed_last() -> None:
    summary = summary_of({"none": None, "some": 5e9})
    assert [row["cell"].split("/")[1] for row in summary["boards"][0]["rows"]] == ["some", "none"]


def test_both_directions_get_a_board_each() -> None:
    metrics = {"throughput": {"value": 3e9, "unit": "bit/s", "direction": "lan2→lan"},
               "throughput_reverse": {"value": 2e9, "unit": "bit/s", "direction": "lan→lan2"}}
    summary = summary_of({"a": 3e9}, more={"a": {"metrics": metrics}}, direction="lan2↔lan")
    assert [(board["metric"], board["direction"]) for board in summary["boards"]] == [
        ("throughput", "lan2→lan"), ("throughput_reverse", "lan→lan2"),
    ]


def test_different_conditions_are_drawn_apart_with_the_field_named() -> None:
    kernels = {"a": "6.1", "b": "6.1", "c": "6.18"}
    more = {name: {"conditions": {"client_kernel": kernel, "cpu_client_percent": 50 + len(name)}} for name, kernel in kernels.items()}
    summary = summary_of({"a": 5e9, "b": 6e9, "c": 7e9}, more=more)
    assert [(board["id"], board["facet"], board["facets"]) for board in summary["boards"]] == [
        ("inter_vlan-throughput-1", 1, 2), ("inter_vlan-throughput-2", 2, 2),
    ]
    assert [board["differs"] for board in summary["boards"]] == [
        {"conditions.client_kernel": ["6.1"]}, {"conditions.client_kernel": ["6.18"]},
    ]
    assert [len(board["rows"]) for board in summary["boards"]] == [2, 1]


def test_offloads_of_the_router_are_a_variant_to_compare_within_a_run() -> None:
    more = {name: {"conditions": {"dut.eth0.offload.tso": state}} for name, state in (("hardware_offload", "on"), ("no_offload", "off"))}
    summary = summary_of({"hardware_offload": 9.19e9, "no_offload": 7.58e9}, more=more)
    assert len(summary["boards"]) == 1
    assert ranks(summary) == {"hardware_offload": 1, "no_offload": 2}


def test_other_parameters_are_another_question() -> None:
    cells = [run_data.cell("dut", "a", "inter_vlan"), run_data.cell("dut", "b", "inter_vlan", params={"streams": 8})]
    plan = run_data.plan(cells)
    made = [run_data.record(plan, cell["id"], number, 5e9) for cell in cells for number in range(1, 6)]
    summary = summarise(plan, made)
    assert [board["id"] for board in summary["boards"]] == ["inter_vlan-throughput", "inter_vlan-throughput-v2"]
    assert len(summary["headline"]["columns"]) == 2
