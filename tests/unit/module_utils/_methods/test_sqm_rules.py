# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a shaped run is good, and which targets there are."""
from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_rules import (
    BAD,
    FAILED,
    GOOD,
    TESTS,
    Settings,
    Tally,
    down_factor,
    first_target,
    judge,
    kbit,
    plateau,
    rounded,
    spread,
    stepped,
)

# from a comment in the program of write-up 003
EIGHT = [27.11, 27.17, 27.12, 27.11, 27.12, 27.11, 27.11, 27.11]


def down(rates: list[Any], target: float | None = None, **more: Any) -> dict[str, Any]:
    return {"target": target, "valid": True, "down": rates, "ping_ms": 3.04, **more}


def test_the_deviation_is_that_of_a_sample() -> None:
    sd, cov = spread(EIGHT)
    assert round(sd, 4) == 0.0207  # that of a population would be 0.0194
    assert cov is not None and round(cov * 100, 2) == 0.08


def test_slow_streams_are_good_by_their_deviation_only() -> None:
    verdict = judge(down([0.12] * 7 + [0.13]), "tcp_8down")
    assert verdict.outcome == GOOD
    assert verdict.cov is not None and round(verdict.cov, 3) == 0.029
    assert verdict.sd is not None and round(verdict.sd, 4) == 0.0035


CASES = [
    ("even", down(EIGHT, 230), GOOD, ()),
    ("uneven", down([27.0] * 7 + [28.0], 230), BAD, ("STREAMS_UNEVEN",)),
    ("just even: sd 0.0199", down([10.0, 10.0, 10.0, 10.0563], 10, up=[10.0] * 4), GOOD, ()),
    ("even, but 69 % of the target", down([12.075] * 8, 140), BAD, ("BELOW_TARGET down",)),
    ("even at 70 % of the target", down([12.25] * 8, 140), GOOD, ()),
    ("dead: a deviation of 0 is not enough", down([0.0] * 8, 10), BAD, ("DEAD_RUN down", "STREAMS_UNEVEN", "BELOW_TARGET down")),
    ("seven streams", down([1.0] * 7, 8), FAILED, ("STREAMS_MISSING down",)),
    ("no streams", down([], 8), FAILED, ("STREAMS_MISSING down",)),
    ("not a number", down([1.0] * 7 + [math.nan], 8), FAILED, ("STREAMS_MISSING down",)),
    ("text", down([1.0] * 7 + ["1"], 8), FAILED, ("STREAMS_MISSING down",)),
    ("the tool failed", down(EIGHT, 230, valid=False), FAILED, ("RUN_INVALID",)),
]


@pytest.mark.parametrize(("run", "outcome", "why"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_judge(run: dict[str, Any], outcome: str, why: tuple[str, ...]) -> None:
    verdict = judge(run, "rrul" if "up" in run else "tcp_8down")
    assert verdict.outcome == outcome
    if outcome != GOOD:
        assert verdict.why[0] == why[0] and set(verdict.why) <= set(why)


def test_both_directions_of_rrul_are_pooled_and_each_must_reach_its_share() -> None:
    good = {"target": 40.0, "down": [9.5] * 4, "up": [9.5] * 4}
    assert judge(good, "rrul").outcome == GOOD
    assert judge({**good, "up": [6.9] * 4}, "rrul").why == ("STREAMS_UNEVEN", "BELOW_TARGET up")
    assert "DEAD_RUN up" in judge({**good, "up": [0.0] * 4}, "rrul").why
    assert judge({"target": 40.0, "down": [9.5] * 4}, "rrul").outcome == FAILED


@pytest.mark.parametrize(("ping", "outcome"), [(9.99, GOOD), (10.0, BAD), (9.996, BAD), (None, FAILED), (math.nan, FAILED), ("3", FAILED)])
def test_the_ping_must_be_known_and_below_the_limit(ping: Any, outcome: str) -> None:
    assert judge(down(EIGHT, 230, ping_ms=ping), "tcp_8down", 10.0).outcome == outcome
    assert judge(down(EIGHT, 230, ping_ms=ping), "tcp_8down").outcome == GOOD


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=9)), st.data())
def test_garbage_is_judged_not_raised(value: Any, data: st.DataObject) -> None:
    test = data.draw(st.sampled_from(sorted(TESTS)))
    verdict = judge({"target": 10.0, "down": value, "up": [1.25] * 8, "ping_ms": value}, test, 10.0)
    assert verdict.outcome in (GOOD, BAD, FAILED)


@pytest.mark.parametrize(
    ("outcomes", "bad_runs", "verdict"),
    [
        ("GG", 2, "accepted"), ("GBG", 2, "accepted"), ("BB", 2, "rejected"), ("BGB", 2, "rejected"), ("GBB", 2, "rejected"), ("BGG", 2, "accepted"),
        ("B", 1, "rejected"), ("GB", 1, "rejected"), ("GG", 1, "accepted"), ("G", 2, None), ("GB", 2, None), ("", 2, None),
        ("FF", 2, None), ("FFF", 2, "rejected"), ("FFGFFG", 2, "accepted"), ("GFFF", 2, "rejected"),
    ],
)
def test_two_good_before_two_bad(outcomes: str, bad_runs: int, verdict: str | None) -> None:
    names = {"G": GOOD, "B": BAD, "F": FAILED}
    assert Tally([names[letter] for letter in outcomes]).verdict(bad_runs) == verdict


def test_the_first_descent() -> None:
    target, seen = first_target(940, Settings()), []
    for _step in range(5):
        seen.append(target)
        target = stepped(target, down_factor(target))
    assert seen == [1880, 1316, 921, 645, 452]


@pytest.mark.parametrize(
    ("target", "factor", "following"),
    [
        (20, 0.7 ** 0.5, 16.7), (21, 0.7, 14.7), (100, 1.05, 105), (20, 1.05, 21), (18, 1.15, 21),
        (0.3, 1.05, 0.4), (0.5, 0.95, 0.4), (21, 0.95, 20), (19.8, 1.05, 21),
    ],
)
def test_steps_always_move(target: float, factor: float, following: float) -> None:
    assert stepped(target, factor) == pytest.approx(following)


@given(st.floats(0.3, 2000), st.sampled_from([0.7, 0.95, 1.05, 1.15]))
def test_a_step_goes_the_right_way_and_stays_a_target(raw: float, factor: float) -> None:
    target = rounded(raw)
    following = stepped(target, factor)
    assert following > target if factor > 1 else following < target
    assert rounded(following) == following


def test_targets_have_limits_and_units() -> None:
    assert first_target(1720, Settings()) == 2000
    assert first_target(0.2, Settings()) == 1
    assert kbit(18.3) == 18300 and kbit(921) == 921000


@pytest.mark.parametrize(
    ("points", "flat"),
    [
        ([(800, 770), (840, 772), (882, 774)], True),
        ([(800, 752), (840, 790), (882, 829)], False),
        ([(800, 770), (960, 772)], False),  # raised once only
        ([(800, 770), (820, 771), (840, 772)], False),  # by 5 % in all
        ([], False),
    ],
)
def test_plateau(points: list[tuple[float, float]], flat: bool) -> None:
    assert plateau(points) is flat


def test_settings_say_all_that_is_wrong() -> None:
    found = Settings(test="tcp_4down", mode="fast", lower=5, upper=2, unshaped_runs=4, max_runs=0, ping_limit_ms=0).problems()
    assert [text.split(":")[0] for text in found] == ["test", "mode", "lower, upper", "unshaped_runs", "max_runs", "ping_limit_ms"]
    assert Settings().problems() == []
