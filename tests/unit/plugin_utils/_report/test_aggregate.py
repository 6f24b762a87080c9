# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials become cells: nothing invented, nothing dropped in silence."""

from __future__ import annotations

import random
from typing import Any

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.aggregate import aggregate, metric_of, unranked_because
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import board_table

ID = "dut/routing/inter_vlan"
BASE = "dut/baseline/l2_baseline"


def plan(**more: Any) -> dict[str, Any]:
    cell = run_data.cell("dut", "routing", "inter_vlan", baseline=BASE, metrics=[run_data.THROUGHPUT, run_data.RETRANSMITS])
    return run_data.plan([run_data.cell("dut", "baseline", "l2_baseline", n=3), cell], **more)


def records(values: list[float | None], baseline: list[float] | None = None, **more: Any) -> list[dict[str, Any]]:
    made = [run_data.record(plan(), BASE, number, value) for number, value in enumerate(baseline or [], 1)]
    return made + [run_data.record(plan(), ID, number, value, **more) for number, value in enumerate(values, 1)]


def cell_of(values: list[float | None], baseline: list[float] | None = None, **more: Any) -> dict[str, Any]:
    return next(cell for cell in aggregate(plan(), records(values, baseline, **more)) if cell["id"] == ID)


def test_counts_and_statistics() -> None:
    cell = cell_of([5e9, 6e9, None, 5.5e9], [9e9, 9.1e9, 9.2e9], attempts=2)
    assert {name: cell[name] for name in ("n_planned", "n_recorded", "n_ok", "n_invalid", "n_missing", "retries")} == {
        "n_planned": 5, "n_recorded": 4, "n_ok": 3, "n_invalid": 1, "n_missing": 1, "retries": 4,
    }
    assert cell["reasons"] == {"CONTROL_LOST": 1}
    metric = cell["metrics"][0]
    assert (metric["n"], metric["median"], metric["min"], metric["max"]) == (3, 5.5e9, 5e9, 6e9)
    assert metric["interval"] == {"low": 5e9, "high": 6e9, "coverage": 0.75}
    assert metric["of_baseline"] == pytest.approx(5.5 / 9.1)
    assert cell["verdict"] == "DUT_LIMITED"
    assert [item["trial"] for item in metric["values"]] == [1, 2, 4]


def test_unknown_retransmits_are_left_out_of_their_median_and_the_n_is_theirs() -> None:
    made = []
    for number, seen in enumerate([4, None, 7, None, 5], 1):
        metrics = {"throughput": {"value": 5e9, "unit": "bit/s"}, "retransmits": {"value": seen, "unit": "1"}}
        made.append(run_data.record(plan(), ID, number, 5e9, metrics=metrics))
    summary = summarise(plan(), made)
    metric = metric_of(next(cell for cell in summary["cells"] if cell["id"] == ID), "retransmits")
    assert metric is not None
    assert (metric["median"], metric["n"], metric["n_unknown"]) == (5, 3, 2)
    row = board_table(summary, summary["boards"][0]).rows[0]
    assert row[-1].text == "5 (n=3)"


def test_a_metric_nobody_knows_is_unknown_not_zero() -> None:
    cell = cell_of([5e9] * 5)
    metric = metric_of(cell, "retransmits")
    assert metric is not None
    assert (metric["median"], metric["n"], metric["min"], metric["cov"], metric["interval"]) == (None, 0, None, None, None)


def test_outliers_are_flagged_and_count() -> None:
    metric = cell_of([5e9, 5.01e9, 4.99e9, 5.005e9, 3e9])["metrics"][0]
    assert metric["outliers"] == [5]
    assert metric["n"] == 5
    assert metric["min"] == 3e9


def test_one_failed_check_fails_the_cell() -> None:
    assert cell_of([5e9])["gate"] == {"passed": True, "failed": []}
    failed = cell_of([5e9], gate={"passed": False, "failed": ["nat_proven"]})
    assert failed["gate"] == {"passed": False, "failed": ["nat_proven"]}
    assert unranked_because(failed, failed["metrics"][0]) == "gate failed"
    assert failed["metrics"][0]["median"] == 5e9
    assert cell_of([5e9], gate={"passed": None, "failed": []})["gate"]["passed"] is None


@pytest.mark.parametrize(
    ("value", "baseline", "verdict", "why"),
    [
        (8.9e9, [9e9, 9e9, 9e9], "HARNESS_LIMITED", "HARNESS_LIMITED"),
        (9.9e9, [9e9, 9e9, 9e9], "BASELINE_STALE", "BASELINE_STALE"),
        (5e9, [], None, None),
        (5e9, [9e9], "DUT_LIMITED", None),
    ],
)
def test_who_is_not_ranked(value: float, baseline: list[float], verdict: str | None, why: str | None) -> None:
    cell = cell_of([value] * 5, baseline)
    assert cell["verdict"] == verdict
    assert unranked_because(cell, cell["metrics"][0]) == why
    if not baseline:
        assert cell["metrics"][0]["verdict_reason"] == f"baseline {BASE} has no valid value of throughput"


def test_a_cell_without_a_valid_trial_is_listed() -> None:
    cell = cell_of([None] * 5)
    assert (cell["n_ok"], cell["metrics"][0]["median"]) == (0, None)
    assert unranked_because(cell, cell["metrics"][0]) == "no valid trial"
    assert cell["metrics"][0]["verdict_reason"] == "no valid trial"


def test_both_directions_are_two_metrics_and_never_a_sum() -> None:
    metrics = {"throughput": {"value": 3e9, "unit": "bit/s", "direction": "lan2→lan"},
               "throughput_reverse": {"value": 2e9, "unit": "bit/s", "direction": "lan→lan2"}}
    cell = cell_of([3e9] * 5, metrics=metrics)
    assert [(metric["name"], metric["median"], metric["direction"]) for metric in cell["metrics"] if metric["unit"] == "bit/s"] == [
        ("throughput", 3e9, "lan2→lan"), ("throughput_reverse", 2e9, "lan→lan2"),
    ]
    assert 5e9 not in [metric["median"] for metric in cell["metrics"]]


@pytest.mark.parametrize(
    ("version", "percent", "share"), [("iperf 3.12", 96.0, 0.96), ("iperf 3.16", 96.0, 0.48), ("iperf 3.21", 200.0, 1.0), ("iperf 3.12", None, None)]
)
def test_endpoint_load_is_per_core_that_the_tool_can_use(version: str, percent: float | None, share: float | None) -> None:
    cell = cell_of([5e9], versions={"iperf3_client": version}, conditions={"cpu_client_percent": percent})
    assert cell["endpoint_cpu"] == {"client": share, "server": None}


def test_the_order_of_records_does_not_matter() -> None:
    made = records([5e9, 6e9, None, 5.5e9, 5.2e9], [9e9, 9.1e9, 9.2e9])
    shuffled = list(made)
    random.Random(3).shuffle(shuffled)
    assert aggregate(plan(), shuffled) == aggregate(plan(), made)
