# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same answer as the stepwise search, in fewer runs.

The targets that the stepwise search can end with are known beforehand: they make a ladder. The highest rung that is sustained is bracketed by
single runs, and a run that was bad says by its throughput where to look next. Only the two rungs that matter are then confirmed by the rule of
the stepwise search: two good runs before two bad ones at the answer, two bad before two good ones at the rung above.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Callable, Generator, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_book import Book, Ended, Entry, Request
from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_rules import (
    ACCEPTED,
    BAD,
    FAILED,
    GOOD,
    REJECTED,
    Run,
    Settings,
    down_factor,
    first_target,
    stepped,
)

# Payload of a full-sized packet, as a share of what a shaper counts.
PAYLOAD_SHARE = 0.94
# Where to begin, as a share of the unshaped rate, and how many rungs to go from there: what the simulated routers are found with in the fewest runs.
FIRST_SHARE = 0.85
FIRST_STRIDE = 3
# A ping that hardly rises with the target says nothing about where it crosses a limit.
LEAST_PING_SLOPE = 0.5

Asked = Generator[Request, Run, Optional[Entry]]
Hint = Callable[[Entry], Optional[float]]


def _steps(start: float, factor: float, below: float) -> List[float]:
    found, target = [], start
    while target < below:
        found.append(target)
        target = stepped(target, factor)
    return found


def ladder(start: float, settings: Settings) -> List[float]:
    """All targets that the stepwise search from C(start) can end with, upwards."""
    coarse, target = [], start
    while target >= settings.lower:
        coarse.append(target)
        target = stepped(target, down_factor(target))
    rungs = set()
    above = settings.upper + 0.01
    for base in coarse:
        middle = _steps(base, 1.15, above)
        for number, rung in enumerate(middle):
            rungs.update(_steps(rung, 1.05, middle[number + 1] if number + 1 < len(middle) else above))
        above = base
    return sorted(rungs)


def rate_hint(entry: Entry) -> Optional[float]:
    """Where the limit may be, after a run that was bad: a shaper that cannot keep up passes about what it can."""
    least = entry.verdict.least
    return least / PAYLOAD_SHARE if least else None


class Climb:
    """The search for the highest sustained rung; C(low) is the highest rung that looks good, C(high) the lowest above it that looks bad."""

    def __init__(self, book: Book, rungs: List[float], stage: str, ping: bool = False, hint: Hint = rate_hint) -> None:
        self.book, self.rungs, self.stage, self.ping, self.hint = book, rungs, stage, ping, hint
        self.low, self.high = -1, len(rungs)
        self.guess: Optional[int] = None
        self.falls = 0
        self.stride = FIRST_STRIDE

    def _index(self, target: float) -> int:
        return bisect_right(self.rungs, target + 1e-9) - 1

    def _leaning(self, index: int) -> Optional[str]:
        """The verdict where there is one, else what the last run says."""
        tally = self.book.tally(self.rungs[index], self.ping)
        return {ACCEPTED: GOOD, REJECTED: BAD}.get(tally.verdict() or "", tally.leaning)

    def _verdict(self, index: int) -> Optional[str]:
        return self.book.tally(self.rungs[index], self.ping).verdict()

    def expect(self, target: Optional[float]) -> None:
        """Look there next, if that is inside of the bracket; after several bad runs in a row at least some rungs lower, more each time."""
        if target is None:
            return
        index = min(self.high - 1, self._index(target))
        if self.falls > 1:
            index = min(index, max(self.high - 2 ** self.falls, (self.low + self.high) // 2))
        self.guess = max(self.low + 1, index)
        self.stride = FIRST_STRIDE

    def _choose(self) -> int:
        """The next rung: where something points to; else a growing step from the end that is known; else the middle."""
        if self.guess is not None and self.low < self.guess < self.high:
            index, self.guess = self.guess, None
            return index
        self.guess = None
        middle = (self.low + self.high) // 2
        open_above, open_below = self.high == len(self.rungs), self.low < 0
        step, self.stride = self.stride, self.stride * 2
        if open_below and not open_above:
            return max(0, self.high - step, middle)
        if not open_below and (open_above or self.low + step < middle):
            return min(self.high - 1, self.low + step)
        return middle

    def _one(self, index: int) -> Asked:
        """One run that says something, or the third failure in a row."""
        while True:
            entry = yield from self.book.ask(self.rungs[index], self.stage, self.ping)
            if entry.outcome != FAILED or self._verdict(index):
                return entry

    def _narrow(self) -> Asked:
        """Until the two rungs are neighbours."""
        while self.high - self.low > 1:
            index = self._choose()
            entry = None
            if self._leaning(index) is None:
                entry = yield from self._one(index)
            if self._leaning(index) == GOOD:
                self.low, self.falls = index, 0
            else:
                self.high, self.falls = index, self.falls + 1
                self.expect(self.hint(entry) if entry else None)
        return None

    def _others(self, indices: range, leaning: str) -> Optional[int]:
        return next((index for index in indices if self._leaning(index) == leaning), None)

    def _confirm(self) -> Generator[Request, Run, bool]:
        """One more run at the rung above or at the answer, whichever is not decided yet; False when both are."""
        if self.high < len(self.rungs) and not self._verdict(self.high):
            yield from self._one(self.high)
            if self._verdict(self.high) == ACCEPTED:
                above = self._others(range(self.high + 1, len(self.rungs)), BAD)
                self.low, self.high = self.high, len(self.rungs) if above is None else above
            return True
        if self.low >= 0 and not self._verdict(self.low):
            yield from self._one(self.low)
            if self._verdict(self.low) == REJECTED:
                below = self._others(range(self.low - 1, -1, -1), GOOD)
                self.low, self.high = -1 if below is None else below, self.low
            return True
        return False

    def top(self) -> Generator[Request, Run, Optional[float]]:
        """The highest rung that is accepted while the next one is rejected; None when none is."""
        going = True
        while going:
            self.stride = FIRST_STRIDE
            yield from self._narrow()
            going = yield from self._confirm()
        return self.rungs[self.low] if self.low >= 0 else None


def _ping_points(book: Book) -> List[Tuple[float, float]]:
    """Target and ping of the good shaped runs, on logarithmic scales."""
    runs = ((entry.run["target"], entry.verdict) for entry in book.entries if entry.run["target"])
    return [(math.log(target), math.log(verdict.ping_ms)) for target, verdict in runs if verdict.ping_ms and "STREAMS_UNEVEN" not in verdict.why]


def ping_hint(book: Book, limit: float) -> Optional[float]:
    """Where the ping may cross its limit: on the straight line through the good runs, which on logarithmic scales is a power law."""
    points = _ping_points(book)
    if len({x for x, _y in points}) < 2:
        return None
    mean_x, mean_y = (math.fsum(column) / len(points) for column in zip(*points))
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in points) / math.fsum((x - mean_x) ** 2 for x, _y in points)
    if slope < LEAST_PING_SLOPE:
        return None
    return math.exp(mean_x + (math.log(limit) - mean_y) / slope)


def _with_ping(book: Book, best: float) -> Asked:
    """The highest target from the answer downwards, in steps of 5 %, with a ping below the limit."""
    rungs, target = [], best
    while target >= book.settings.lower:
        rungs.append(target)
        target = stepped(target, 0.95)
    limit = book.settings.ping_limit_ms or 0.0
    climb = Climb(book, rungs[::-1], "ping", ping=True, hint=lambda _entry: ping_hint(book, limit))
    climb.high = len(rungs) - 1  # the answer's own run had too high a ping
    climb.expect(ping_hint(book, limit))
    answer = yield from climb.top()
    return book.selected(answer, ping=True) if answer else None


def bracket(book: Book) -> Generator[Request, Run, None]:
    """The whole search; what it finds stands in the book."""
    found, settings = book.found, book.settings
    unshaped = yield from book.unshaped(settings.early)
    rungs = ladder(first_target(unshaped.verdict.total or 0.0, settings), settings)
    climb = Climb(book, rungs, "bracket")
    climb.expect(FIRST_SHARE * (unshaped.verdict.least or 0.0))
    answer = yield from climb.top()
    if answer is None:
        raise Ended("NO_TARGET", "no target down to %g Mbit/s is accepted" % settings.lower)
    found.best = book.selected(answer)
    if climb.high == len(rungs):
        found.flag("UPPER_LIMIT", "%g Mbit/s is accepted, and more is not tried" % answer)
    yield from book.look_for_plateau()
    if book.wants_ping_search():
        found.with_ping = yield from _with_ping(book, answer)
        found.ping_answered = True
