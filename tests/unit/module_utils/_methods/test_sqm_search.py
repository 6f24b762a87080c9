# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The search for the highest sustained target: its course, its limits, and both ways against each other."""
from __future__ import annotations

import json
from typing import Any, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqm_router import Router, compare, find, summary

from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_rules import Settings
from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_search import Search, SearchError

MODES = ["classic", "bracket"]
Answers = Callable[[Any, int], str]


def run_of(target: float | None, letter: str, ping: float = 3.0) -> dict[str, Any]:
    """A run of tcp_8down that is Good, Bad, Failed, Dead, or with a high Ping."""
    rate = (target or 940.0) * 0.94 / 8
    if letter == "F":
        return {"valid": False}
    rates = [0.0] * 8 if letter == "D" else [rate] * 7 + [rate * (1.5 if letter == "B" else 1.0)]
    return {"valid": True, "down": rates, "ping_ms": 50.0 if letter == "P" else ping}


def course(search: Search, answers: Answers) -> dict[str, Any]:
    """Answer what is asked, by target and by how often it was asked before."""
    asked: dict[Any, int] = {}
    while search.next:
        target = search.next.target
        search.tell(run_of(target, "G" if target is None else answers(target, asked.get(target, 0))))
        asked[target] = asked.get(target, 0) + 1
    return search.result()


def below(limit: float) -> Answers:
    return lambda target, number: "G" if target <= limit else "B"


def shaped(result: dict[str, Any]) -> list[tuple[str, float, str]]:
    return [(line["stage"], line["target"], line["outcome"][0]) for line in result["trace"] if line["target"] is not None]


def test_the_stepwise_course() -> None:
    result = course(Search(Settings(mode="classic")), below(460))
    assert [line["target"] for line in result["trace"]][:5] == [None] * 5
    assert shaped(result) == [
        ("down", 1767, "b"), ("down", 1237, "b"), ("down", 866, "b"), ("down", 606, "b"), ("down", 424, "g"), ("down", 424, "g"),
        ("up", 424, "g"), ("up", 424, "g"), ("up", 488, "b"), ("up", 488, "b"),
        ("fine", 424, "g"), ("fine", 424, "g"), ("fine", 445, "g"), ("fine", 445, "g"), ("fine", 467, "b"), ("fine", 467, "b"),
    ]
    assert result["best"]["target"] == 445 and result["best"]["throughput"] == pytest.approx(445 * 0.94, abs=0.05)
    assert result["valid"] and result["with_ping"] == result["best"]


def test_a_good_run_before_a_bad_one_is_not_enough_on_the_way_down() -> None:
    answers = {(1237, 0): "G", (1237, 1): "B"}
    result = course(Search(Settings(mode="classic")), lambda target, number: answers.get((target, number), below(900)(target, number)))
    assert shaped(result)[:4] == [("down", 1767, "b"), ("down", 1237, "g"), ("down", 1237, "b"), ("down", 866, "g")]


@pytest.mark.parametrize(("letters", "best"), [("GBG", 467), ("BGG", 467), ("BGB", 445), ("GBB", 445)])
def test_two_good_before_two_bad_on_the_way_up(letters: str, best: float) -> None:
    def answers(target: float, number: int) -> str:
        return letters[number] if target == 467 else below(445)(target, number)

    assert course(Search(Settings(mode="classic")), answers)["best"]["target"] == best


def test_the_ping_search_goes_down_in_steps_of_five_percent() -> None:
    def answers(target: float, _number: int) -> str:
        return "B" if target > 460 else "P" if target > 400 else "G"

    result = course(Search(Settings(mode="classic", max_runs=60)), answers)
    assert [line for line in shaped(result) if line[0] == "ping"] == [
        ("ping", 445, "b"), ("ping", 445, "b"), ("ping", 423, "b"), ("ping", 423, "b"), ("ping", 402, "b"), ("ping", 402, "b"),
        ("ping", 382, "g"), ("ping", 382, "g"),
    ]
    assert (result["best"]["target"], result["with_ping"]["target"]) == (445, 382)
    fast = course(Search(Settings()), answers)
    assert (fast["best"]["target"], fast["with_ping"]["target"]) == (445, 382)
    assert fast["shaped_runs"] <= result["shaped_runs"] / 2


def test_a_ping_of_exactly_ten_needs_no_second_search() -> None:
    search = Search(Settings(mode="classic"))
    while search.next:
        target = search.next.target
        search.tell(run_of(target, below(460)(target or 1, 0), ping=10.0))
    result = search.result()
    assert result["with_ping"] == result["best"] and result["best"]["ping_ms"] == 10.0


@pytest.mark.parametrize("limit", [1.4, 5, 19.9, 20, 33, 145, 460, 737, 950, 1500])
def test_both_ways_end_on_the_same_rung_where_nothing_is_noisy(limit: float) -> None:
    results = [course(Search(Settings(mode=mode, max_runs=99)), below(limit)) for mode in MODES]
    assert results[0]["best"]["target"] == results[1]["best"]["target"] <= limit
    assert results[1]["shaped_runs"] <= results[0]["shaped_runs"]


@pytest.mark.parametrize("mode", MODES)
def test_what_ends_without_an_answer(mode: str) -> None:
    nothing = course(Search(Settings(mode=mode, max_runs=99)), lambda target, number: "B")
    assert not nothing["valid"] and nothing["reasons"][0]["code"] == "NO_TARGET" and nothing["best"] is None
    dead = course(Search(Settings(mode=mode, max_runs=99)), lambda target, number: "D")
    assert dead["reasons"][0]["code"] == "NO_TARGET" and dead["best"] is None
    failing = course(Search(Settings(mode=mode)), lambda target, number: "F")
    assert failing["reasons"][0]["code"] == "RUNS_FAILING" and failing["runs"] < 20
    everything = course(Search(Settings(mode=mode, max_runs=99)), lambda target, number: "G")
    assert everything["valid"] and everything["best"]["target"] > 1900
    assert "UPPER_LIMIT" in [flag["code"] for flag in everything["flags"]]


@pytest.mark.parametrize("mode", MODES)
def test_a_dead_link_is_no_unshaped_speed(mode: str) -> None:
    search = Search(Settings(mode=mode))
    while search.next:
        search.tell({"valid": True, "down": [0.0] * 8, "ping_ms": 1.0})
    assert search.result()["reasons"][0]["code"] == "RUNS_FAILING"


def test_an_ascent_whose_start_is_not_accepted_again_does_not_loop() -> None:
    def answers(target: float, number: int) -> str:
        return "G" if number < 2 and target == 424 else "B"

    result = course(Search(Settings(mode="classic", max_runs=500)), answers)
    assert result["reasons"][0]["code"] == "UNSTABLE" and result["runs"] < 40


@pytest.mark.parametrize("mode", MODES)
@given(letters=st.lists(st.sampled_from("GBFDP"), max_size=60), rest=st.sampled_from("GBFDP"), most=st.integers(1, 60))
@settings(max_examples=150)
def test_whatever_comes_the_search_ends_and_accepts_only_what_was_good_twice(mode: str, letters: list[str], rest: str, most: int) -> None:
    search, number = Search(Settings(mode=mode, max_runs=most)), 0
    while search.next:
        assert number < most, "more runs than allowed"
        search.tell(run_of(search.next.target, letters[number] if number < len(letters) else rest))
        number += 1
    result = search.result()
    json.dumps(result, allow_nan=False)
    assert result["valid"] == (not result["reasons"])
    for name in ("best", "with_ping"):
        if result["valid"] and result[name]:
            good = [line for line in result["trace"] if line["target"] == result[name]["target"] and line["throughput"] and "STREAMS_UNEVEN" not in line["why"]]
            assert len(good) >= 2 and result[name]["throughput"] > 0
    if result["valid"] and result["with_ping"]:
        assert result["with_ping"]["ping_ms"] <= 10


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", [3, 11, 24])
def test_a_search_goes_on_where_it_was(mode: str, seed: int) -> None:
    whole, limits = find(Router(seed), mode, max_runs=200), Settings(test=Router(seed).test, mode=mode, max_runs=200)
    for cut in range(0, whole["runs"], 3):
        router, first = Router(seed), Search(limits)
        runs = []
        for _number in range(cut):
            assert first.next
            runs.append({**router.run(first.next.target), "target": first.next.target})
            first.tell(runs[-1])
        again = Search(limits, json.loads(json.dumps(runs)))
        while again.next:
            again.tell(router.run(again.next.target))
        assert again.result() == whole


def test_runs_of_another_search_are_refused() -> None:
    with pytest.raises(SearchError, match="run 1 was made at target 100.0, this search asks for None"):
        Search(Settings(), [{"target": 100.0, "valid": True}])
    search = Search(Settings())
    course(search, below(100))
    with pytest.raises(SearchError, match="is over"):
        search.tell(run_of(100, "G"))
    with pytest.raises(SearchError, match="mode"):
        Search(Settings(mode="fast"))


def test_an_unfinished_search_says_so() -> None:
    assert Search(Settings()).result()["reasons"][0]["code"] == "SEARCH_UNFINISHED"


def test_the_bracketing_search_needs_at_most_half_of_the_runs() -> None:
    """Routers that the search was not tuned on; the benchmark does it with 1,000."""
    cases = list(compare(range(70000, 70150)))
    seen = summary(cases)
    assert seen["answered"] == len(cases)
    assert seen["runs"][1] <= 0.5 * seen["runs"][0]
    assert seen["shaped_runs"][1] <= 0.5 * seen["shaped_runs"][0]
    assert seen["long"][1] == 0
    assert all(len(other) <= 2 for other in seen["differ"].values())
    assert seen["alike"] >= 0.97 * len(cases)
