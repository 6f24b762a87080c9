# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The median of five as write-up 003 takes it, and the other things that a rate with a latency beside it needs."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.boards import board_metrics, main_metrics
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.median_run import median_run, note
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import human, shown_unit


def metric(name: str, unit: str, values: list[float | None], better: str | None = "higher", headline: bool = False) -> dict[str, Any]:
    found = [{"trial": number, "seq": number, "value": value} for number, value in enumerate(values, 1) if value is not None]
    most = max((item["value"] for item in found), default=None)
    more = {"headline": True} if headline else {}
    return {"name": name, "unit": unit, "title": name, "better": better, "values": found, "n": len(found), "max": most, **more}


RATE = [940e6, 100e6, 942e6, 941e6, 941.5e6]
PING = [0.004, 0.001, 0.009, 0.005, 0.007]


def cell(*metrics: dict[str, Any]) -> dict[str, Any]:
    return {"id": "a", "metrics": list(metrics)}


def test_the_ping_is_that_of_the_run_in_the_middle() -> None:
    found = median_run(cell(metric("throughput", "bit/s", RATE), metric("ping_loaded", "s", PING, "lower", headline=True)))
    assert found == {"seq": 4, "trial": 4, "n": 5, "values": {"throughput": 941e6, "ping_loaded": 0.005}}
    assert sorted(PING)[2] == 0.005, "here it is the median of the pings by chance"
    other = median_run(cell(metric("throughput", "bit/s", RATE[:3]), metric("ping_loaded", "s", PING[:3], "lower", headline=True)))
    assert other is not None and other["values"]["ping_loaded"] == 0.004 and sorted(PING[:3])[1] == 0.004


def test_both_directions_are_taken_together() -> None:
    there, back = metric("throughput", "bit/s", [1.0, 5.0, 3.0]), metric("throughput_reverse", "bit/s", [9.0, 1.0, 4.0])
    found = median_run(cell(there, back, metric("p", "s", [1, 2, 3], "lower", True)))
    assert found is not None and found["values"] == {"throughput": 3.0, "throughput_reverse": 4.0, "p": 3}


def test_of_an_even_number_the_lower_one() -> None:
    found = median_run(cell(metric("throughput", "bit/s", [2.0, 1.0]), metric("p", "s", [1, 2], "lower", True)))
    assert found is not None and found["trial"] == 2


@pytest.mark.parametrize("metrics", [
    (metric("throughput", "bit/s", RATE),), (metric("rtt_p50", "s", PING), metric("rtt_p99", "s", PING, "lower", True)),
    (metric("throughput", "bit/s", []), metric("p", "s", [], "lower", True)),
])
def test_nothing_to_say(metrics: tuple[dict[str, Any], ...]) -> None:
    assert median_run(cell(*metrics)) is None


def test_the_note_below_the_table() -> None:
    one = cell(metric("throughput", "bit/s", RATE), metric("ping_loaded", "s", PING, "lower", headline=True))
    board = {"metric": "throughput", "rows": [{"cell": "a"}]}
    assert note(board, {"a": one}, {"a": "Routing"}) == [
        "The run with the median total, and what was seen in it: Routing 941 Mbit/s / 5.00 ms (trial 4 of 5)"
    ]
    assert note({**board, "metric": "ping_loaded"}, {"a": one}, {"a": "Routing"}) == []


def test_what_is_better_in_a_direction_has_a_board_unless_it_was_always_nothing() -> None:
    loss, seen = metric("loss_ratio", "1", [0.0, 0.0], "lower"), metric("jitter", "s", [0.1], "lower")
    group = [cell(metric("rtt_p50", "s", [0.1]), metric("rtt_p99", "s", [0.2], "lower", True), loss, seen, metric("probes", "1", [5.0], None))]
    assert main_metrics(group) == ["rtt_p50", "rtt_p99"]
    assert board_metrics(group) == ["rtt_p50", "rtt_p99", "jitter"]


@pytest.mark.parametrize(
    ("name", "value", "text"), [("loss_ratio", 0.0234, "2.34 %"), ("loss_up", 0.0, "0 %"), ("retransmits", 3.0, "3"), ("blossom", 0.5, "0.500")]
)
def test_ratios_are_shown_as_percentages(name: str, value: float, text: str) -> None:
    assert human(value, shown_unit({"name": name, "unit": "1"})) == text
