# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as text for a person: the matrix of cells, the number of trials, the time."""

from __future__ import annotations

from typing import Any, Mapping


def duration(seconds: float) -> str:
    """Seconds as a person says them: C(45 s), C(2 min 10 s), C(1 h 05 min)."""
    whole = int(round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def table(rows: list[list[str]]) -> list[str]:
    """Rows as aligned lines; the first column to the left, the others to the right."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]).rstrip() for row in rows]


def plan_text(plan: Mapping[str, Any], done: int = 0) -> str:
    """The plan as lines of text; ``done`` trials are there already (a resumed run)."""
    cells = plan["cells"]
    scenarios = list(dict.fromkeys(cell["scenario"] for cell in cells))
    rows = [["router / profile", *scenarios]]
    for dut, profile in dict.fromkeys((cell["dut"], cell["profile"]) for cell in cells):
        counts = {cell["scenario"]: cell["n"] for cell in cells if (cell["dut"], cell["profile"]) == (dut, profile)}
        rows.append([f"{dut} / {profile}", *(str(counts.get(name, "·")) for name in scenarios)])
    lines = [f"Run {plan['run']}", f"Lab {plan['lab']['title']}, suite {plan['suite']['title']}, tier {plan['tier']}, seed {plan['seed']}", ""]
    lines += table(rows)
    total = len(plan["trials"])
    left = f", {total - done} of them still to be measured" if done else ""
    lines += ["", f"{len(cells)} cells, {total} trials{left}, about {duration(plan['expected_seconds'])}"]
    return "\n".join(lines)
