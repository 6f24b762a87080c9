#!/usr/bin/env python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the harness costs beside the traffic, from the records of a run.

    tests/benchmarks/harness_cost.py results/RUN

Prints, for trials that follow one another in a segment, the median of (time from the start
of one to the start of the next, less the traffic time), and the same inside the module.
Exits 1 when the first is above 1.0 s.
"""

from __future__ import annotations

import json
import statistics
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

LIMIT = 1.0


def seconds(stamp: str) -> float:
    return datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp()


def costs(plan: dict[str, Any], records: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """Per trial, in seconds: from start to start less traffic, and inside the module less traffic."""
    segment = {trial["id"]: trial["segment"] for trial in plan["trials"]}
    ordered = sorted((record for record in records if record["valid"]), key=lambda record: record["seq"])
    between = [
        seconds(after["started"]) - seconds(before["started"]) - before["traffic_s"]
        for before, after in zip(ordered, ordered[1:])
        if after["seq"] == before["seq"] + 1 and segment[after["id"]] == segment[before["id"]]
    ]
    return between, [record["wall_s"] - record["traffic_s"] for record in ordered]


def main() -> int:
    run = Path(sys.argv[1])
    plan = json.loads((run / "plan.json").read_text(encoding="utf-8"))
    records = [json.loads(line) for line in (run / "records.jsonl").read_text(encoding="utf-8").splitlines() if line.strip()]
    between, inside = costs(plan, records)
    if not between:
        print(f"{run}: no two valid trials follow one another", file=sys.stderr)
        return 2
    median = statistics.median(between)
    print(f"harness cost per trial over {len(between)} trials: median {median:.2f} s, largest {max(between):.2f} s (limit of the median {LIMIT:.1f} s)")
    print(f"inside the module: median {statistics.median(inside):.2f} s")
    return 0 if median <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
