# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The book of a search: every run in order, what was judged of it, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Generator, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_rules import (
    ACCEPTED,
    FAILED,
    GOOD,
    Run,
    Settings,
    Tally,
    Verdict,
    judge,
    plateau,
    stepped,
)

# Unshaped runs that say enough when they agree, and how far they may be apart.
ENOUGH = 3
AGREEMENT = 1.05
# Below this share of its target a good run was limited by something else.
SUSPECT_SHARE = 0.85
# Where to look then; rounded to whole Mbit/s, the second is 10 % lower in any case.
LOOK_BELOW = (1 / 1.06, 1 / 1.13)


class Ended(Exception):
    """The search cannot go on: a limit was reached."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__("%s: %s" % (code, detail))
        self.code, self.detail = code, detail


@dataclass(frozen=True)
class Request:
    """The next run: at which target (None: without the shaper), and in which stage of the search."""

    target: Optional[float]
    stage: str


@dataclass
class Entry:
    """One run as the book has it."""

    stage: str
    run: Run
    verdict: Verdict
    outcome: str


@dataclass
class Found:
    """What a search ends with."""

    unshaped: Optional[Entry] = None
    best: Optional[Entry] = None
    with_ping: Optional[Entry] = None
    ping_answered: bool = False
    flags: List[Dict[str, str]] = field(default_factory=list)

    def flag(self, code: str, detail: str = "") -> None:
        """A remark, once."""
        if code not in [item["code"] for item in self.flags]:
            self.flags.append({"code": code, "detail": detail})


def _close(entries: List[Entry]) -> bool:
    totals = [entry.verdict.total or 0.0 for entry in entries]
    return max(totals) <= AGREEMENT * min(totals)


Asking = Generator[Request, Run, Any]


class Book:
    """Judges runs as they come in and keeps them; a search asks through it, so that no search can forget a limit."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.entries: List[Entry] = []
        self.found = Found()

    @property
    def failed(self) -> int:
        """Runs that say nothing."""
        return sum(entry.verdict.outcome == FAILED for entry in self.entries)

    def ask(self, target: Optional[float], stage: str, ping: bool = False) -> Generator[Request, Run, Entry]:
        """One run. Raises Ended when the search has had all the runs that it may have."""
        settings = self.settings
        if len(self.entries) >= settings.max_runs:
            raise Ended("MAX_RUNS", "%d runs made, none is left" % settings.max_runs)
        if self.failed >= settings.max_failed:
            raise Ended("RUNS_FAILING", "%d of %d runs failed" % (self.failed, len(self.entries)))
        run = yield Request(target, stage)
        verdict = judge(dict(run, target=target), settings.test, settings.ping_limit_ms if ping else None)
        entry = Entry(stage, dict(run, target=target), verdict, verdict.outcome)
        self.entries.append(entry)
        return entry

    def unshaped(self, early: bool = False) -> Generator[Request, Run, Entry]:
        """The run with the median total of an odd number of unshaped ones; runs that failed are made again.

        C(early): the first three of five are enough when they are at most a step of the search apart. Whatever two more runs bring, the median
        of the five lies between the lowest and the highest of these three.
        """
        good: List[Entry] = []
        while len(good) < self.settings.unshaped_runs and not (early and len(good) == ENOUGH and _close(good)):
            entry = yield from self.ask(None, "unshaped")
            if entry.verdict.total:
                good.append(entry)
            elif entry.verdict.outcome != FAILED:
                entry.verdict = Verdict(FAILED, entry.verdict.why)  # nothing passed at all: that is no speed
                entry.outcome = FAILED
        chosen = sorted(good, key=lambda entry: entry.verdict.total or 0.0)[len(good) // 2]
        self.found.unshaped = chosen
        return chosen

    def at(self, target: float, ping: bool = False) -> List[Tuple[Entry, str]]:
        """The runs at a target, each judged with or without the ping limit."""
        limit = self.settings.ping_limit_ms if ping else None
        return [(entry, judge(entry.run, self.settings.test, limit).outcome) for entry in self.entries if entry.run["target"] == target]

    def tally(self, target: float, ping: bool = False) -> Tally:
        """The outcomes at a target."""
        return Tally([outcome for _entry, outcome in self.at(target, ping)])

    def selected(self, target: float, ping: bool = False) -> Optional[Entry]:
        """The run that stands for an accepted target: its second good one."""
        good = [entry for entry, outcome in self.at(target, ping) if outcome == GOOD]
        return good[1] if len(good) > 1 else None

    def good_points(self) -> List[Tuple[float, float]]:
        """Target and mean throughput of all targets with good runs."""
        points: Dict[float, List[float]] = {}
        for entry in self.entries:
            if entry.run["target"] and entry.verdict.total and judge(entry.run, self.settings.test).outcome == GOOD:
                points.setdefault(entry.run["target"], []).append(entry.verdict.total)
        return [(target, sum(totals) / len(totals)) for target, totals in points.items()]

    def look_for_plateau(self) -> Generator[Request, Run, None]:
        """The flag L: something other than the target limits.

        An answer that passes less than its target lets expect gets two runs below it, to see whether the throughput was as high there.
        """
        best = self.found.best
        if best is None:
            return
        target = best.run["target"]
        for factor in LOOK_BELOW if (best.verdict.least or 0.0) < SUSPECT_SHARE * target else ():
            lower = stepped(target, factor)
            if lower >= self.settings.lower and not self.at(lower):
                yield from self.ask(lower, "plateau")
        points = [point for point in self.good_points() if point[0] <= best.run["target"]]
        if plateau(points):
            self.found.flag("L", "raising the target by 10 % or more moved the throughput by less than 2 %")

    def wants_ping_search(self) -> bool:
        """Whether the answer has to be looked for again, with the ping in mind."""
        limit, best = self.settings.ping_limit_ms, self.found.best
        if limit is None or best is None:
            return False
        if best.verdict.ping_ms is None:
            self.found.flag("PING_MISSING", "the ping of the selected run is unknown")
            return False
        if best.verdict.ping_ms <= limit:
            self.found.with_ping, self.found.ping_answered = best, True
            return False
        return True


__all__ = ["ACCEPTED", "Asking", "Book", "Ended", "Entry", "Found", "Request"]
