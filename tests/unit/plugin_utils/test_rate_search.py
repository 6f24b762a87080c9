# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loss-bounded searches by the real MLRsearch library, on simulated paths."""
from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("MLRsearch", reason="the library MLRsearch is not installed: pip install MLRsearch")

from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import BELOW_INTENDED, Entry, Goals, SearchFailed, entry_of, goal_name, goal_title
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_result import measurement_of, search_metrics, size_metrics
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import Journal, library_version, missing_library, search

SHORT = Goals(initial_seconds=1, final_seconds=2, sum_seconds=4, width=0.05)
MORE: dict[str, Any] = {"flags": [], "conditions": {}, "raw": [], "started": "s", "finished": "f", "wall_s": 1.0, "versions": {}}


class Path1:
    """A SIMULATED path: loses what is above its limit, a little from 90 % of it on, and a trial now and then."""

    def __init__(self, limit: float, generator: float = 1e12, noise: float = 0.0, hiccups: float = 0.0, seed: int = 1) -> None:
        self.limit, self.generator, self.noise, self.hiccups = limit, generator, noise, hiccups
        self.dice = random.Random(seed)
        self.asked: list[tuple[int, float]] = []

    def __call__(self, seconds: int, pps: float) -> Entry:
        self.asked.append((seconds, pps))
        sent = round(min(pps, self.generator) * seconds)
        able = self.limit * seconds * (1 + self.dice.gauss(0, self.noise))
        lost = max(0, round(sent - able)) or (round(sent * 0.0005) if sent > 0.9 * self.limit * seconds else 0)
        if self.dice.random() < self.hiccups:
            lost = max(lost, sent // 50)
        irregular = () if sent >= 0.98 * pps * seconds else (BELOW_INTENDED,)
        return Entry(seconds, pps, sent, lost, pps, (sent - lost) / seconds, (sent - lost) / seconds, (sent - lost) / seconds * 800, irregular)


def result_of(found: Any, goals: Goals = SHORT) -> dict[str, Any]:
    size = Size("ip", 128)
    return measurement_of(found, goals, size, search_metrics(found, size, "client→server"), {}, MORE)


@pytest.mark.parametrize("limit", [4000, 12345, 812743.8, 1.4e6])
@pytest.mark.parametrize("goals", [SHORT, Goals(), Goals(exceed=0.0)], ids=["short", "default", "rfc2544"])
def test_bounds_enclose_the_limit(limit: float, goals: Goals) -> None:
    found = search(goals, Path1(limit))
    assert not found.reasons
    ndr, small, large = found.bounds
    for bounds, truth in ((ndr, 0.9 * limit), (small, limit), (large, limit * 1.005)):
        assert bounds.lower is not None and bounds.upper is not None and bounds.pps is not None
        assert bounds.lower <= truth * 1.001 <= bounds.upper * 1.001
        assert bounds.upper - bounds.lower <= goals.width * bounds.upper * 1.001
        assert bounds.pps <= bounds.lower * 1.0001
    assert ndr.pps <= small.pps <= large.pps  # type: ignore[operator]  # none of them is None, see above
    assert len(found.entries) < 40


def test_noise_and_hiccups_are_borne() -> None:
    answers = [search(SHORT, Path1(50000, noise=0.002, hiccups=0.05, seed=seed)).bounds[1].pps for seed in range(20)]
    assert all(answer is not None and 0.8 * 50000 <= answer <= 1.05 * 50000 for answer in answers)


def test_a_generator_that_cannot_is_not_the_path() -> None:
    found = search(SHORT, Path1(80000, generator=60000))
    result = result_of(found)
    assert result["valid"]
    assert {flag["code"] for flag in result["flags"]} == {"GENERATOR_LIMITED", "IRREGULAR_TRIALS"}
    assert result["metrics"]["pdr_0_5"]["value"] <= 60000


def test_a_path_that_is_faster_than_what_is_tried() -> None:
    result = result_of(search(Goals(max_pps=1000.0), Path1(50000)))
    assert result["valid"] and [flag["code"] for flag in result["flags"]] == ["AT_MAX_RATE"]
    assert result["metrics"]["ndr"]["value"] == 1000 and result["metrics"]["ndr_upper"]["value"] is None


def test_a_path_that_carries_nothing() -> None:
    result = result_of(search(SHORT, Path1(5)))
    assert not result["valid"] and result["reasons"][0]["code"] == "NO_LOWER_BOUND"
    assert {metric["value"] for metric in result["metrics"].values()} == {None}
    assert result["partial"]["highest_without_loss"] is None


def test_it_is_bounded() -> None:
    found = search(Goals(max_runs=4), Path1(50000))
    assert [item["code"] for item in found.reasons] == ["MAX_RUNS"] and len(found.entries) == 4
    result = result_of(found)
    assert not result["valid"] and result["metrics"] == {} and result["partial"]["runs"] == 4


def test_a_failure_of_the_generator_ends_it_with_its_reason() -> None:
    def refused(seconds: int, pps: float) -> Entry:
        return entry_of({"valid": False, "reasons": [{"code": "CONNECT_FAILED", "detail": "refused"}]}, seconds, pps)

    assert result_of(search(SHORT, refused))["reasons"] == [{"code": "CONNECT_FAILED", "detail": "refused"}]


def test_the_goal_stands_beside_the_number() -> None:
    result = result_of(search(Goals(losses=(0.001,)), Path1(5000)), Goals(losses=(0.001,)))
    assert result["conditions"]["goal_pdr_0_1"] == "loss at most 0.1 %, trials of 20 s, 40 s in all, 50 % of them may exceed it, bounds 1 % apart"
    assert set(result["metrics"]) == {"pdr_0_1", "pdr_0_1_throughput", "pdr_0_1_lower", "pdr_0_1_upper"}
    assert [goal_title(loss) for loss in (0.0, 0.001, 0.005)] == ["NDR", "PDR 0.1 %", "PDR 0.5 %"]
    assert [goal_name(loss) for loss in (0.0, 0.001, 0.005, 1e-5)] == ["ndr", "pdr_0_1", "pdr_0_5", "pdr_0_001"]


def test_one_size_of_a_sweep() -> None:
    found = search(Goals(losses=(0.001,)), Path1(5000))
    metrics = size_metrics(found, Size("ip", 128), "client→server")
    assert metrics["pps_nominal"]["value"] == pytest.approx(metrics["pps_measured"]["value"], rel=0.001)
    assert metrics["throughput"]["value"] == pytest.approx(metrics["pps_measured"]["value"] * 800)


VALID: dict[str, Any] = {"valid": True, "metrics": {"datagrams_sent": {"value": 1000.0}, "datagrams_lost": {"value": 3}}}


@pytest.mark.parametrize(
    ("measurement", "sent", "lost", "irregular"),
    [
        (VALID, 1000, 3, ()),
        ({**VALID, "metrics": {"datagrams_sent": {"value": 979}, "datagrams_lost": {"value": 0}}}, 979, 0, (BELOW_INTENDED,)),
        ({**VALID, "metrics": {"datagrams_sent": {"value": 1000}, "datagrams_lost": {"value": -4}}}, 1000, 0, ()),
        ({"valid": False, "reasons": [{"code": "ZERO_BYTES", "detail": ""}]}, 1000, 1000, ()),
        ({"valid": False, "reasons": [{"code": "CONTROL_LOST", "detail": ""}]}, 1000, 1000, ("CONTROL_LOST",)),
    ],
)
def test_what_a_run_says(measurement: dict[str, Any], sent: int, lost: int, irregular: tuple[str, ...]) -> None:
    entry = entry_of(measurement, 2, 500.0)
    assert (entry.sent, entry.lost, entry.irregular) == (sent, lost, irregular)
    assert 0 <= entry.loss_ratio <= 1


def test_unsent_datagrams_count_as_lost_only_where_the_generator_fell_short() -> None:
    near = entry_of({**VALID, "metrics": {"datagrams_sent": {"value": 990}, "datagrams_lost": {"value": 0}}}, 2, 500.0)
    far = entry_of({**VALID, "metrics": {"datagrams_sent": {"value": 500}, "datagrams_lost": {"value": 0}}}, 2, 500.0)
    assert near.loss_ratio == 0 and far.loss_ratio == 0.5


@pytest.mark.parametrize(
    "measurement",
    [{}, {"valid": False, "reasons": []}, {"valid": True, "metrics": {}}, {"valid": True, "metrics": {"datagrams_sent": {"value": None}}},
     {"valid": False, "reasons": [{"code": "CONTROL_LOST", "detail": ""}, {"code": "TOOL_ERROR", "detail": ""}]},
     {"valid": True, "metrics": {"datagrams_sent": {"value": float("nan")}, "datagrams_lost": {"value": 0}}}],
)
def test_what_says_nothing_about_the_path_is_no_loss(measurement: dict[str, Any]) -> None:
    with pytest.raises(SearchFailed):
        entry_of(measurement, 2, 500.0)


@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_runs_say_it_ends(seed: int) -> None:
    dice = random.Random(seed)
    mode = dice.choice(["random", "extreme", "upside down", "dead"])

    def nonsense(seconds: int, pps: float) -> Entry:
        sent = max(1, round(pps * seconds * dice.choice([1, 1, 0.99, 0.5])))
        lost = {"random": dice.randint(0, sent), "extreme": dice.choice([0, sent, 1]), "upside down": 0 if pps > 5000 else sent, "dead": sent}[mode]
        return Entry(seconds, pps, sent, lost, irregular=() if sent >= 0.98 * pps * seconds else (BELOW_INTENDED,))

    width, exceed = dice.choice([0.01, 0.3]), dice.choice([0, 0.5])
    goals = Goals(initial_seconds=1, final_seconds=dice.choice([1, 2, 4]), sum_seconds=4, width=width, exceed=exceed, max_runs=60)
    found = search(goals, nonsense)
    result = result_of(found, goals)
    assert len(found.entries) <= 60
    assert result["valid"] == (not result["reasons"]) and (mode != "dead" or not result["valid"])


@pytest.mark.parametrize("cut", [1, 3, 7])
def test_an_interrupted_search_goes_on(tmp_path: Path, cut: int) -> None:
    whole_path = Path1(50000, noise=0.01)
    whole = search(SHORT, whole_path)
    file, question = tmp_path / "raw" / "search.jsonl", {"size": 128}
    journal = Journal(file, question)
    journal.begin()
    for entry in whole.entries[:cut]:
        journal.add(entry, [{"name": "client.json", "text": "{}"}], {"argv": ["iperf3"], "metrics": {}})
    file.write_text(file.read_text() + '{"entry": {"seconds": 1, "inten')  # killed in the middle of a line
    again = Journal(file, question)
    assert [item["entry"] for item in again.kept] == whole.entries[:cut] and again.kept[0]["raw"][0]["name"] == "client.json"
    assert again.kept[0]["about"] == {"argv": ["iperf3"], "versions": None, "conditions": None, "flags": None}
    again.begin()
    rest = iter(whole.entries[cut:])
    second = search(SHORT, lambda seconds, pps: next(rest), [item["entry"] for item in again.kept])
    assert second.entries == whole.entries and second.bounds == whole.bounds
    assert len(file.read_text().splitlines()) == cut + 1
    assert Journal(file, {"size": 256}).kept == [], "another question"


def test_runs_of_another_search_are_not_used() -> None:
    path = Path1(50000)
    found = search(SHORT, path, [Entry(1, 77.0, 77, 0)])
    assert found.entries[0].intended_pps != 77.0 and len(path.asked) == len(found.entries)


def test_no_journal_is_no_file(tmp_path: Path) -> None:
    journal = Journal(None, {})
    journal.begin()
    journal.add(Entry(1, 77.0, 77, 0), [], {})
    assert not list(tmp_path.iterdir()) and missing_library() == [] and library_version()


def test_goals_say_all_that_is_wrong() -> None:
    found = Goals(losses=(0.0, 0.0, 1.5), initial_seconds=5, final_seconds=2, width=0, exceed=1, min_pps=5, max_pps=2, max_runs=0).problems()
    assert [text.split(":")[0] for text in found] == [
        "losses", "losses", "initial_seconds, final_seconds, sum_seconds", "width", "exceed", "min_pps, max_pps", "max_runs",
    ]
    assert Goals().problems() == []


def test_the_result_is_plain() -> None:
    json.dumps(result_of(search(SHORT, Path1(50000))), allow_nan=False)
