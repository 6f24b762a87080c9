# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at a finished run from outside: plan against records, real numbers, and every file that was promised.

    python3 .ci/check_run.py results-folder      (which holds exactly one run)
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

FILES = ("plan.json", "records.jsonl", "summary.json", "summary.csv", "report.md", "report.html")


def cell_problems(cell: dict, records: list[dict]) -> list[str]:
    own = [record for record in records if record["cell"] == cell["id"]]
    valid = [record for record in own if record["valid"]]
    if not own:
        return ["cell %s was planned and not measured" % cell["id"]]
    if not valid:
        return ["cell %s has no valid trial: %s" % (cell["id"], [record["reasons"] for record in own])]
    if not any(metric["value"] for record in valid for metric in record["metrics"].values()):
        return ["cell %s has no number above zero" % cell["id"]]
    return ["cell %s: its gate failed: %s" % (cell["id"], record["gate"]["failed"]) for record in valid if record["gate"]["passed"] is False]


def run_problems(run: Path) -> list[str]:
    problems = ["%s is missing or empty" % name for name in FILES if not (run / name).is_file() or not (run / name).stat().st_size]
    if (run / "report.error.txt").exists():
        problems.append((run / "report.error.txt").read_text(encoding="utf-8"))
    if problems:
        return problems
    plan = json.loads((run / "plan.json").read_text(encoding="utf-8"))
    records = [json.loads(line) for line in (run / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    missing = {trial["id"] for trial in plan["trials"]} - {record["id"] for record in records}
    problems += ["trial %s has no record" % trial for trial in sorted(missing)]
    for cell in plan["cells"]:
        problems += cell_problems(cell, records)
    problems += ["raw file %s is missing" % name for record in records for name in record["raw"] if not (run / name).is_file()]
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<")):
        charts = list((run / "charts").glob("*." + kind))
        if not charts or not all(chart.read_bytes().startswith(start) for chart in charts):
            problems.append("no charts/*.%s, or not of that kind" % kind)
    if not problems:
        print("ci: %s: %d cells, %d trials, every file there" % (run.name, len(plan["cells"]), len(records)))
    return problems


def main(results: str) -> int:
    runs = sorted(path.parent for path in Path(results).glob("*/plan.json"))
    problems = run_problems(runs[0]) if len(runs) == 1 else ["%d runs in %s, expected one" % (len(runs), results)]
    for problem in problems:
        print("ci: " + problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
