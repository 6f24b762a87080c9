# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""C(summary.csv): one row per cell and metric, exact values in SI units, an empty field for what is unknown."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

CELL_COLUMNS = (
    "cell", "dut", "platform", "version", "managed", "profile", "scenario", "method", "role", "path", "direction", "tier", "params",
    "n_planned", "n_ok", "n_invalid", "n_missing", "retries", "gate_passed", "gate_failed", "reasons", "flags",
)
METRIC_COLUMNS = (
    "metric", "unit", "better", "metric_direction", "n", "median", "min", "max", "cov", "interval_low", "interval_high", "interval_coverage",
    "baseline_median", "of_baseline", "noise", "verdict", "verdict_reason", "rank", "unranked", "outlier_trials", "values",
)


def _text(value: Any) -> Any:
    """Unknown is empty; numbers exact; text that a spreadsheet would run as a formula is kept text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return value


def _cell_fields(cell: dict[str, Any]) -> dict[str, Any]:
    fields = {name: cell.get(name) for name in CELL_COLUMNS}
    fields.update({
        "cell": cell["id"],
        "params": json.dumps(cell["params"], sort_keys=True, ensure_ascii=False),
        "gate_passed": cell["gate"]["passed"],
        "gate_failed": " ".join(cell["gate"]["failed"]),
        "reasons": " ".join(f"{code}:{count}" for code, count in cell["reasons"].items()),
        "flags": " ".join(f"{code}:{count}" for code, count in cell["flags"].items()),
    })
    return fields


def _metric_fields(metric: dict[str, Any], row: dict[str, Any] | None) -> dict[str, Any]:
    fields = {name: metric.get(name) for name in METRIC_COLUMNS}
    interval = metric["interval"] or {}
    fields.update({
        "metric": metric["name"],
        "metric_direction": metric["direction"],
        "interval_low": interval.get("low"),
        "interval_high": interval.get("high"),
        "interval_coverage": interval.get("coverage"),
        "rank": row["rank"] if row else None,
        "unranked": row["unranked"] if row else None,
        "outlier_trials": " ".join(map(str, metric["outliers"])),
        "values": " ".join(repr(item["value"]) for item in metric["values"]),
    })
    return fields


def csv_text(summary: dict[str, Any]) -> str:
    """The whole file."""
    ranks = {(row["cell"], board["metric"]): row for board in summary["boards"] for row in board["rows"]}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["run", *CELL_COLUMNS, *METRIC_COLUMNS])
    for cell in summary["cells"]:
        shared = _cell_fields(cell)
        for metric in cell["metrics"]:
            own = _metric_fields(metric, ranks.get((cell["id"], metric["name"])))
            writer.writerow([_text(summary["run"]), *(_text(shared[name]) for name in CELL_COLUMNS), *(_text(own[name]) for name in METRIC_COLUMNS)])
    return stream.getvalue()
