# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Both directions at once: one of them starves by chance, their sum does not, and the sum decides how steady the harness is."""

from __future__ import annotations

import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.aggregate import aggregate
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.both_ways import sums
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables_run import baseline_table
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.words import noise_sentence

BASELINE = [(1.0e9, 7.0e9), (6.5e9, 1.4e9), (3.9e9, 4.2e9), (7.1e9, 0.8e9), (2.0e9, 6.0e9), (4.0e9, 4.0e9)]
METRICS = [run_data.THROUGHPUT, run_data.REVERSE]


def run_of(pairs: list[tuple[float, float]], baseline: list[tuple[float, float]] | None = None) -> tuple[dict, list[dict]]:
    bare = BASELINE if baseline is None else baseline
    more = {"metrics": METRICS, "params": {"bidir": True}}
    cells = [
        run_data.cell("dut", "baseline", "l2_both", n=len(bare), **more),
        run_data.cell("dut", "nat", "both", n=len(pairs), baseline="dut/baseline/l2_both", **more),
    ]
    plan = run_data.plan(cells)
    records = []
    for cell, values in zip(cells, (bare, pairs)):
        for number, (there, back) in enumerate(values, 1):
            metrics = {
                "throughput": {"value": there, "unit": "bit/s", "direction": "lan2→lan"},
                "throughput_reverse": {"value": back, "unit": "bit/s", "direction": "lan→lan2"},
            }
            records.append(run_data.record(plan, cell["id"], number, there, metrics=metrics))
    return plan, records


def test_a_direction_that_starves_by_chance_makes_no_noise() -> None:
    summary = summarise(*run_of([(x / 2, y / 2) for x, y in BASELINE]))
    (bare,) = summary["baselines"]
    assert (bare["max"] - bare["min"]) / bare["median"] > 1.35
    assert bare["both_ways"] is True and round(bare["spread"], 4) == 0.0250
    assert abs(bare["drift"]) < 0.03
    assert noise_sentence(summary) is None
    metrics = next(cell for cell in summary["cells"] if cell["role"] == "measure")["metrics"]
    assert {metric["noise"] for metric in metrics} == {0.05}
    assert {metric["verdict"] for metric in metrics} == {"DUT_LIMITED"}
    assert metrics[0]["verdict_reason"].endswith("(both directions together: 50% of the baseline)")


def test_the_sum_is_judged_and_nowhere_published() -> None:
    # as fast together as without the router, though each direction happens to differ a lot
    summary = summarise(*run_of([(y, x) for x, y in BASELINE[:5]]))
    metrics = next(cell for cell in summary["cells"] if cell["role"] == "measure")["metrics"]
    assert {metric["verdict"] for metric in metrics} == {"HARNESS_LIMITED"}
    assert metrics[0]["of_baseline"] == metrics[0]["median"] / metrics[0]["baseline_median"]
    assert not any(abs(number - 8.0e9) < 1e8 for number in _numbers({key: value for key, value in summary.items() if key != "source"}))


def _numbers(value: object) -> list[float]:
    if isinstance(value, dict):
        return [number for item in value.values() for number in _numbers(item)]
    if isinstance(value, list):
        return [number for item in value for number in _numbers(item)]
    return [float(value)] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def test_a_sum_that_varies_is_noisy() -> None:
    varying = [(there * share, back * share) for share, (there, back) in zip((1, 0.7, 1.2, 0.9, 1.1, 0.8), BASELINE)]
    summary = summarise(*run_of(BASELINE[:5], varying))
    assert summary["baselines"][0]["spread"] > 0.4
    assert "NOISY" in (noise_sentence(summary) or "")


def test_a_trial_with_one_direction_unknown_adds_nothing() -> None:
    plan, records = run_of(BASELINE[:5])
    last = next(record for record in reversed(records) if record["cell"] == "dut/nat/both")
    last["metrics"]["throughput_reverse"]["value"] = None
    cell = aggregate(plan, records)[1]
    assert sorted(sums(cell, "throughput")) == sorted(record["seq"] for record in records if record["cell"] == "dut/nat/both" and record is not last)
    assert sums(cell, "throughput") == sums(cell, "throughput_reverse")


def test_one_direction_is_judged_by_itself() -> None:
    plan = run_data.bakeoff_plan()
    cell = next(item for item in aggregate(plan, run_data.bakeoff_records(plan)) if not any(metric["name"].endswith("_reverse") for metric in item["metrics"]))
    assert sums(cell, "throughput") == {}


def test_the_table_says_what_its_spread_is() -> None:
    table = baseline_table(summarise(*run_of(BASELINE[:5])))
    assert table.rows[0][0].text == "dut/baseline/l2_both (lan2→lan ⇄)"
    assert any("spread and drift are those of their sum" in note for note in table.notes)
