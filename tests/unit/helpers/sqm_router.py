# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A SIMULATED router with a shaper, and the comparison of two searches on many of them.

A router is made from a seed: the target up to which its streams stay even (5 to 950 Mbit/s), how fast it is without the shaper, how its ping grows, whether
something else than the target limits it (plateau), how often a run shows a hiccup, how often a run fails. The n-th run at a target is the same whoever asks.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_rules import TESTS, Settings, stepped
from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_search import Search

PAYLOAD = 0.94
LINE = 941.0
HICCUPS = 0.01


class Router:
    """One simulated router under one test."""

    def __init__(self, seed: int, failing: Optional[float] = None) -> None:
        dice = random.Random(seed)
        self.seed = seed
        self.test = dice.choice(list(TESTS))
        self.limit = math.exp(dice.uniform(math.log(5), math.log(950)))
        self.kind = dice.choices(["plain", "ping", "plateau"], [5, 4, 1])[0]
        self.failing = dice.choice([0.0, 0.0, 0.02, 0.06]) if failing is None else failing
        self.line = max(LINE, self.limit)
        self.unshaped = min(self.line, self.limit * math.exp(dice.uniform(math.log(0.96), math.log(4))))
        self.collapse = dice.uniform(0.6, 1.05)
        self.base_ping = dice.uniform(0.5, 4)
        # where the ping of a router of kind "ping" crosses 10 ms, as a share of its limit
        self.crossing = dice.uniform(0.5, 0.98)
        self.sudden = dice.random() < 0.5
        # what a router of kind "plateau" passes at most although its streams stay even
        self.ceiling = PAYLOAD * self.limit * dice.uniform(0.35, 0.75)
        self._asked: Counter[Any] = Counter()

    def run(self, target: Optional[float]) -> dict[str, Any]:
        """One run of the test at a target."""
        self._asked[target] += 1
        dice = random.Random(f"{self.seed}/{target}/{self._asked[target]}")
        if dice.random() < self.failing:
            return dice.choice([{"valid": False}, {"valid": True, "down": [], "up": []}, {"valid": True, "down": [float("nan")] * 8, "up": [None] * 8}])
        directions = TESTS[self.test]
        if target is None:
            both = 1.0 if len(directions) == 1 else 0.85
            return self._streams(dice, {name: self.unshaped * both * dice.gauss(1, 0.01) for name in directions}, 0.08, 20.0)
        rate, spread = self._shaped(dice, target)
        return self._streams(dice, {name: rate * dice.gauss(1, 0.002) for name in directions}, spread, self._ping(dice, target))

    def _shaped(self, dice: random.Random, target: float) -> tuple[float, float]:
        """Rate of each direction, and how uneven the streams are: 1 % at the limit, quickly more above it."""
        spread = 0.01 * min(30.0, (target / self.limit) ** 25) * math.exp(dice.gauss(0, 0.25)) + 0.0005
        if dice.random() < HICCUPS:
            spread = max(spread, dice.uniform(0.02, 0.2))
        if target <= self.limit:
            return min(PAYLOAD * target, self.ceiling if self.kind == "plateau" else self.line), spread
        over = min(1.0, target / self.limit - 1)
        return min(PAYLOAD * self.limit * (1 - (1 - self.collapse) * over ** 0.5), self.ceiling if self.kind == "plateau" else self.line), spread

    def _ping(self, dice: random.Random, target: float) -> float:
        noise = math.exp(dice.gauss(0, 0.03))
        share = target / (self.crossing * self.limit)
        if self.kind == "ping" and self.sudden:
            return self.base_ping * noise if share < 0.9 else min(400.0, self.base_ping + (10 - self.base_ping) * math.exp(25 * (share - 1))) * noise
        if self.kind == "ping":
            return (self.base_ping + (10 - self.base_ping) * share ** 3) * noise
        return min(9.0, self.base_ping * (1 + (target / self.limit) ** 2)) * noise

    def _streams(self, dice: random.Random, rates: dict[str, float], spread: float, ping: float) -> dict[str, Any]:
        """Streams whose sample standard deviation is the spread, pooled over the directions."""
        count = sum(TESTS[self.test].values())
        raw = [dice.gauss(0, 1) for _number in range(count)]
        mean = sum(raw) / count
        scale = math.sqrt(sum((value - mean) ** 2 for value in raw) / (count - 1)) or 1.0
        shares = [max(0.0, 1 + spread * (value - mean) / scale) for value in raw]
        result: dict[str, Any] = {"valid": True, "ping_ms": ping}
        for name, streams in TESTS[self.test].items():
            own, shares = shares[:streams], shares[streams:]
            result[name] = [rates[name] / streams * share for share in own]
        return result


def find(router: Router, mode: str, **more: Any) -> dict[str, Any]:
    """The result of a search on a router."""
    search = Search(Settings(test=router.test, mode=mode, **more))
    while search.next:
        search.tell(router.run(search.next.target))
    return search.result()


@dataclass
class Case:
    """One router, searched in both ways."""

    router: Router
    classic: dict[str, Any]
    bracket: dict[str, Any]

    @property
    def answered(self) -> bool:
        return self.classic["valid"] and self.bracket["valid"]

    def targets(self, which: str) -> tuple[Optional[float], Optional[float]]:
        return tuple((result[which] or {}).get("target") for result in (self.classic, self.bracket))  # type: ignore[return-value]  # always two

    def same(self, which: str = "best") -> bool:
        """At most one step of 5 % apart, as the targets are rounded."""
        low, high = self.targets(which)
        if low is None or high is None:
            return low is high
        low, high = sorted((low, high))
        return high <= stepped(low, 1.05) or low >= stepped(high, 0.95)


def compare(seeds: Iterable[int], failing: Optional[float] = None, **more: Any) -> Iterator[Case]:
    """Both searches on many routers, without the limits that would end the slower one."""
    free = {"max_runs": 1000, "max_failed": 500}
    for seed in seeds:
        yield Case(Router(seed, failing), find(Router(seed, failing), "classic", **free), find(Router(seed, failing), "bracket", **{**free, **more}))


def summary(cases: list[Case]) -> dict[str, Any]:
    """What a comparison comes to: pairs are those of the stepwise and of the bracketing search."""
    seen: dict[str, Any] = {"answered": sum(case.answered for case in cases)}
    for name in ("runs", "shaped_runs"):
        pairs = [(case.classic[name], case.bracket[name]) for case in cases]
        seen[name] = tuple(sum(column) for column in zip(*pairs))
        seen[name + "_half"] = sum(2 * bracketing <= stepwise for stepwise, bracketing in pairs) / len(pairs)
    counts = [(case.classic["runs"], case.bracket["runs"]) for case in cases]
    seen["long"] = tuple(sum(count > 40 for count in column) for column in zip(*counts))
    seen["most"] = tuple(max(column) for column in zip(*counts))
    seen["differ"] = {which: [case for case in cases if not case.same(which)] for which in ("best", "with_ping")}
    seen["alike"] = sum(case.classic["limited"] == case.bracket["limited"] for case in cases)
    return seen
