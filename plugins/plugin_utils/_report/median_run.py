# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one run that stands for a cell, as write-up 003 publishes it: that with the median total rate, with its own latency (not the median of all latencies)."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.both_ways import REVERSE, sums
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import human, shown_unit

RATES = ("bit/s", "packet/s")


def median_run(cell: dict[str, Any]) -> dict[str, Any] | None:
    """Of a cell whose method wants something read beside a rate: seq, trial and values of the run in the middle. Of an even number it is the lower one."""
    main = cell["metrics"][0]
    beside = [metric for metric in cell["metrics"] if metric.get("headline") and metric["name"] != main["name"]]
    totals = sums(cell, main["name"]) or {item["seq"]: item["value"] for item in main["values"]}
    if main["unit"] not in RATES or not beside or not totals:
        return None
    order = sorted(totals, key=lambda seq: (totals[seq], seq))
    seq = order[(len(order) - 1) // 2]
    names = [main["name"], main["name"] + REVERSE, *[metric["name"] for metric in beside]]
    values = {metric["name"]: item["value"] for metric in cell["metrics"] if metric["name"] in names for item in metric["values"] if item["seq"] == seq}
    trial = next(item["trial"] for item in main["values"] if item["seq"] == seq)
    return {"seq": seq, "trial": trial, "n": len(order), "values": values}


def note(board: dict[str, Any], by_id: dict[str, dict[str, Any]], names: dict[str, str]) -> list[str]:
    """Below the table of the main metric."""
    parts = []
    for row in board["rows"]:
        cell = by_id[row["cell"]]
        run = median_run(cell) if cell["metrics"][0]["name"] == board["metric"] else None
        if run:
            units = {metric["name"]: shown_unit(metric) for metric in cell["metrics"]}
            shown = " / ".join(human(value, units[name]) for name, value in run["values"].items())
            parts.append(f"{names[cell['id']]} {shown} (trial {run['trial']} of {run['n']})")
    return [f"The run with the median total, and what was seen in it: {'; '.join(parts)}"] if parts else []
