# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The summary that flent prints (C(-f summary)), made of the data file in flent's own way, so that the two can be compared to the last digit."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import DataFile, Series
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_numbers import percentile


def _known(series: Series) -> List[float]:
    """The readings, or where there are none the values of the grid."""
    return series.values or [value for value in series.grid if value is not None]


def mean(series: Series) -> Optional[float]:
    """The tool's own mean where there is one, else that of the readings, else that of the grid. A 0 counts as none, as with flent."""
    if series.mean:
        return series.mean
    values = series.values
    average = math.fsum(values) / len(values) if values else None
    if average:
        return average
    grid = [value for value in series.grid if value is not None]
    return math.fsum(grid) / len(grid) if grid else None


def median(series: Series, numpy: bool = True) -> Optional[float]:
    """Over the whole file, idle time included. flent without numpy takes the upper of the two in the middle."""
    values = _known(series)
    if not values:
        return None
    return percentile(values, 0.5) if numpy else sorted(values)[len(values) // 2]


def p99(series: Series, numpy: bool = True) -> Optional[float]:
    """The same for the 99th percentile."""
    values = _known(series)
    if not values:
        return None
    return percentile(values, 0.99) if numpy else sorted(values)[-(len(values) // 100 + 1)]


def _points(series: Series, points: int) -> int:
    """What flent calls the number of data points: that of the grid, but of a stream that died before it told its mean that of its readings."""
    if series.mean:
        return points
    return len(series.values) or sum(value is not None for value in series.grid)


def summary(file: DataFile, numpy: bool = True) -> List[Dict[str, Any]]:
    """One row per series in flent's order: average, median and 99th percentile (None for computed series), unit, number of points of the grid."""
    rows = []
    for name in sorted(file.series):
        series = file.series[name]
        if not series.grid:
            continue
        rows.append({
            "series": name,
            "avg": mean(series),
            "median": None if series.computed else median(series, numpy),
            "p99": None if series.computed else p99(series, numpy),
            "units": series.meta.get("UNITS"),
            "n": _points(series, file.points),
        })
    return rows


def text_rows(text: str) -> List[Dict[str, Any]]:
    """The rows of a printed summary, its columns found by their names: versions before 2019 have no 99th percentile, and others may have more."""
    lines = text.splitlines()
    head = next((number for number, line in enumerate(lines) if " avg " in line and "# data pts" in line), None)
    if head is None:
        return []
    names = lines[head].replace("99th %", "p99").replace("# data pts", "n").split()
    rows = []
    for line in lines[head + 1:]:
        name, colon, rest = line.rpartition(" : ")
        words = rest.split()
        if not colon or not words or words[0] == "No":
            continue
        row: Dict[str, Any] = {"series": name.strip(), "avg": None, "median": None, "p99": None, "n": None}
        numbers = [word for word in words if word == "N/A" or word.replace(".", "", 1).replace("-", "", 1).isdigit()]
        row.update({key: None if word == "N/A" else float(word) for key, word in zip(names, numbers)})
        row["units"] = next((word for word in words if word not in numbers), None)
        rows.append(row)
    return rows
