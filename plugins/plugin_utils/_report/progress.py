# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one line that a person sees after each trial."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import UNKNOWN, duration, human


def weight(cell: dict[str, Any]) -> float:
    """Seconds of one trial of this cell as the plan, or else its parameters tell; only the proportion between cells matters."""
    if isinstance(cell.get("seconds"), (int, float)) and cell["seconds"] > 0:
        return float(cell["seconds"])
    params = cell.get("params") or {}
    seconds = [params[name] for name in ("duration", "time", "seconds", "length") if isinstance(params.get(name), (int, float))]
    omit = params.get("omit") if isinstance(params.get("omit"), (int, float)) else 0
    return float(seconds[0] + omit) if seconds else 1.0


def headline_values(record: dict[str, Any], cell: dict[str, Any]) -> str:
    """The main number, or both directions of a bidirectional trial side by side (never their sum), and what the method wants to be read beside it."""
    main = cell["metrics"][0]["name"]
    beside = [metric["name"] for metric in cell["metrics"][1:] if metric.get("headline")]
    names = [name for name in (main, main + "_reverse", *beside) if name in record["metrics"]] or [main]
    values = [record["metrics"].get(name) or {} for name in names]
    return " / ".join(human(value.get("value"), value.get("unit", "")) if value else UNKNOWN for value in values)


class Progress:
    """Counts trials against a plan; the time left comes from the pace of this process, before the first trial from the plan."""

    def __init__(self, plan: dict[str, Any], done: set[str], started: float) -> None:
        self.cells = {cell["id"]: cell for cell in plan["cells"]}
        self.weights = {trial["id"]: weight(self.cells[trial["cell"]]) for trial in plan["trials"]}
        self.done = {name for name in done if name in self.weights}
        self.started = started
        self.paced = 0.0

    @property
    def total(self) -> int:
        return len(self.weights)

    def add(self, record: dict[str, Any], clock: float) -> str:
        """Count this record and say so."""
        self.done.add(record["id"])
        self.paced += self.weights.get(record["id"], 0.0)
        width = len(str(self.total))
        head = f"[{len(self.done):>{width}}/{self.total}] {record['cell']} #{record['trial']}"
        retries = record["attempts"] - 1
        if record["valid"]:
            state = f"{headline_values(record, self.cells[record['cell']])}  ok"
            state += f" after {retries} {'retry' if retries == 1 else 'retries'}" if retries else ""
        else:
            state = "invalid: " + "; ".join(f"{item['code']} {item['detail']}".strip() for item in record["reasons"])
        return f"{head}  {state}   {self.left(clock)}".rstrip()

    def left(self, clock: float) -> str:
        """Time left, as text; empty when everything is done."""
        remaining = sum(value for name, value in self.weights.items() if name not in self.done)
        if not remaining or not self.paced:
            return ""
        return f"~{duration((clock - self.started) / self.paced * remaining)} left"
