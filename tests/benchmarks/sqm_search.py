#!/usr/bin/env python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bracketing search for the highest shaper target against the stepwise one, on simulated routers.

    tests/benchmarks/sqm_search.py [CASES [FIRST_SEED]]

Both search the same routers (1,000 by default, from seed 0 on, a few hundred of which the constants of the search were chosen with).
Printed are the runs that each needs, and how often the answers are the same within one step of 5 %.
Exits 1 when the bracketing search needs more than half of the runs, or when more than 1 answer in 100 differs.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / ".ansible/collections"), str(ROOT / "tests/unit/helpers")]

from sqm_router import Case, compare, summary


def report(title: str, cases: list[Case]) -> dict[str, Any]:
    """Print what a comparison shows."""
    seen = summary(cases)
    print(f"{title}: {len(cases)} routers, {seen['answered']} answered by both")
    for name, words in (("runs", "runs, those without the shaper counted"), ("shaped_runs", "runs with the shaper only")):
        stepwise, bracketing = seen[name]
        print(f"  {words}: stepwise {stepwise / len(cases):.1f}, bracketing {bracketing / len(cases):.1f} in the mean, "
              f"{bracketing / stepwise:.1%} of them; at most half in {seen[name + '_half']:.1%} of the cases")
    print(f"  more than 40 runs: stepwise {seen['long'][0]}, bracketing {seen['long'][1]}; most: {seen['most'][0]} and {seen['most'][1]}")
    for which, words in (("best", "highest target"), ("with_ping", "highest target with a ping below 10 ms")):
        other = seen["differ"][which]
        print(f"  {words}: the same within one step of 5 % in {len(cases) - len(other)} of {len(cases)}")
        for case in other:
            wanted = case.router.limit if which == "best" else case.router.limit * case.router.crossing
            print(f"    router {case.router.seed}: stepwise {case.targets(which)[0]}, bracketing {case.targets(which)[1]}, simulated limit {wanted:.1f}")
    print(f"  limited by something else (L): flagged alike in {seen['alike']} of {len(cases)}")
    return seen


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seeds = range(first, first + count)
    began = time.monotonic()
    print(f"limits of 5 to 950 Mbit/s, noise at the limit, 1 % hiccups, failing runs, pings above 10 ms, plateaus; seeds {first} to {seeds[-1]}")
    seen = report("as they are", list(compare(seeds)))
    same_start = report("both with five runs without the shaper", list(compare(seeds, early=False)))
    print(f"{time.monotonic() - began:.0f} s")
    shares = [part[name][1] / part[name][0] for part, name in ((seen, "runs"), (same_start, "shaped_runs"))]
    differ = max(len(cases) for part in (seen, same_start) for cases in part["differ"].values())
    return 0 if max(shares) <= 0.5 and differ <= count / 100 and seen["answered"] == count else 1


if __name__ == "__main__":
    raise SystemExit(main())
