# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a shaped run is good, which targets there are, and what the runs at one target decide."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

# Streams of each test, per direction.
TESTS: Dict[str, Dict[str, int]] = {"tcp_8down": {"down": 8}, "tcp_8up": {"up": 8}, "rrul": {"down": 4, "up": 4}}

MOST_COV = 0.01
MOST_SD_MBPS = 0.02
LEAST_SHARE_OF_TARGET = 0.7
DECIMALS = 2
FINE_BELOW = 20
FINE_STEP = 0.1
GOOD_RUNS = 2
FAILED_RUNS = 3
PLATEAU_RAISE = 1.10
PLATEAU_GAIN = 1.02

GOOD, BAD, FAILED = "good", "bad", "failed"
ACCEPTED, REJECTED = "accepted", "rejected"

Run = Mapping[str, Any]


@dataclass(frozen=True)
class Settings:
    """What is searched, and how far the search may go. Rates in Mbit/s."""

    test: str = "tcp_8down"
    mode: str = "bracket"
    ping_limit_ms: Optional[float] = 10.0
    lower: float = 1.0
    upper: float = 2000.0
    unshaped_runs: int = 5
    early: bool = True
    max_runs: int = 40
    max_failed: int = 8

    def problems(self) -> List[str]:
        """What is wrong with the settings, all at once."""
        found = []
        if self.test not in TESTS:
            found.append("test: %r is not one of %s" % (self.test, ", ".join(TESTS)))
        if self.mode not in ("bracket", "classic"):
            found.append("mode: %r is not bracket or classic" % self.mode)
        if not 0 < self.lower < self.upper:
            found.append("lower, upper: %s and %s; 0 < lower < upper is needed" % (self.lower, self.upper))
        if self.unshaped_runs < 1 or self.unshaped_runs % 2 == 0:
            found.append("unshaped_runs: %s is not an odd number; the median run of 1, 3, 5 is taken" % self.unshaped_runs)
        for name in ("max_runs", "max_failed"):
            if getattr(self, name) < 1:
                found.append("%s: %s must be 1 or more" % (name, getattr(self, name)))
        if self.ping_limit_ms is not None and self.ping_limit_ms <= 0:
            found.append("ping_limit_ms: %s must be more than 0" % self.ping_limit_ms)
        return found


@dataclass(frozen=True)
class Verdict:
    """What one run says of its target."""

    outcome: str
    why: Tuple[str, ...] = ()
    cov: Optional[float] = None
    sd: Optional[float] = None
    total: Optional[float] = None
    least: Optional[float] = None
    ping_ms: Optional[float] = None


@dataclass
class Tally:
    """The runs at one target, in their order."""

    outcomes: List[str] = field(default_factory=list)

    def verdict(self, bad_runs: int = 2) -> Optional[str]:
        """Accepted by two good runs before C(bad_runs) bad ones, rejected by these; a third failed run in a row stands for a bad one."""
        good = bad = failed = 0
        for outcome in self.outcomes:
            failed = failed + 1 if outcome == FAILED else 0
            good += outcome == GOOD
            bad += outcome == BAD
            if failed >= FAILED_RUNS:
                return REJECTED
            if good >= GOOD_RUNS:
                return ACCEPTED
            if bad >= bad_runs:
                return REJECTED
        return None

    @property
    def leaning(self) -> Optional[str]:
        """What the last run that says something says."""
        known = [outcome for outcome in self.outcomes if outcome != FAILED]
        return known[-1] if known else None


def _rates(value: Any, wanted: int) -> Optional[List[float]]:
    """The streams' mean rates with flent's two decimals; None unless there are as many as wanted and all are rates."""
    if not isinstance(value, (list, tuple)) or len(value) != wanted:
        return None
    for rate in value:
        if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not math.isfinite(rate) or rate < 0:
            return None
    return [round(float(rate), DECIMALS) for rate in value]


def spread(rates: Sequence[float]) -> Tuple[float, Optional[float]]:
    """Sample standard deviation (n-1) and coefficient of variation; the latter is None when the mean is 0."""
    mean = math.fsum(rates) / len(rates)
    sd = math.sqrt(math.fsum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1)) if len(rates) > 1 else 0.0
    return sd, (sd / mean if mean > 0 else None)


def _ping(run: Run) -> Optional[float]:
    value = run.get("ping_ms")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        return None
    return round(float(value), DECIMALS)


def judge(run: Run, test: str, ping_limit_ms: Optional[float] = None) -> Verdict:
    """Whether a run was good: C(run) has target (None: unshaped), valid, down and up (streams' mean rates in Mbit/s), ping_ms.

    With a ping limit the median ping must be known and below it.
    """
    ping = _ping(run)
    if not run.get("valid", True):
        return Verdict(FAILED, ("RUN_INVALID",), ping_ms=ping)
    directions = {name: _rates(run.get(name), count) for name, count in TESTS[test].items()}
    missing = tuple("STREAMS_MISSING %s" % name for name, rates in directions.items() if rates is None)
    if missing:
        return Verdict(FAILED, missing, ping_ms=ping)
    known = {name: rates for name, rates in directions.items() if rates is not None}
    sums = {name: math.fsum(rates) for name, rates in known.items()}
    sd, cov = spread([rate for rates in known.values() for rate in rates])
    seen = {"cov": cov, "sd": sd, "total": math.fsum(sums.values()), "least": min(sums.values()), "ping_ms": ping}
    why = ["DEAD_RUN %s" % name for name, total in sums.items() if total <= 0]
    if cov is None or not (cov < MOST_COV or sd < MOST_SD_MBPS):
        why.append("STREAMS_UNEVEN")
    target = run.get("target")
    if target:
        why += ["BELOW_TARGET %s" % name for name, total in sums.items() if total < LEAST_SHARE_OF_TARGET * target]
    if not why and ping_limit_ms is not None and ping is None:
        return Verdict(FAILED, ("PING_MISSING",), **seen)
    if ping_limit_ms is not None and (ping is None or not ping < ping_limit_ms):
        why.append("PING_TOO_HIGH")
    return Verdict(BAD if why else GOOD, tuple(why), **seen)


def rounded(target: float) -> float:
    """A target as it is set: whole Mbit/s from 20 on, tenths below; halves go up, as a person does it (645 x 0.7 is 451.5 and becomes 452)."""
    if target < FINE_BELOW:
        return round(math.floor(round(target / FINE_STEP, 6) + 0.5) * FINE_STEP, 1)
    return float(math.floor(round(target, 6) + 0.5))


def stepped(target: float, factor: float) -> float:
    """The next target; where rounding would not move it, it moves by one increment."""
    following = rounded(target * factor)
    if following == target:
        increment = FINE_STEP if target * factor < FINE_BELOW else 1.0
        following = rounded(target + (increment if factor > 1 else -increment))
    return following


def down_factor(target: float) -> float:
    """The step of the first descent; slow routers need a finer one."""
    return 0.7 if target > FINE_BELOW else math.sqrt(0.7)


def first_target(total: float, settings: Settings) -> float:
    """Twice the unshaped rate, within the limits."""
    return max(settings.lower, min(settings.upper, float(int(2 * total))))


def kbit(target: float) -> int:
    """A target as a shaper takes it, for both directions."""
    return int(round(target * 1000, 3))


def plateau(points: Sequence[Tuple[float, float]]) -> bool:
    """Whether raising the target twice, by 10 % or more together, moved the throughput by less than 2 %.

    C(points) are target and throughput of accepted or good runs.
    """
    ordered = sorted(dict(points).items())
    for first, (low, before) in enumerate(ordered):
        for last in range(first + 2, len(ordered)):
            high, after = ordered[last]
            if high >= PLATEAU_RAISE * low and after < PLATEAU_GAIN * before:
                return True
    return False
