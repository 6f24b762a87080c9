# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A data file of one's own: readings on flent's grid, what is computed of them, and the metadata that flent needs to open and plot it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, List, Optional, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_design import Computed, Design
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import VERSION
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_series import Made

Grid = List[Optional[float]]
# As many points are never needed: a day at 0.2 s.
MOST_POINTS = 500_000


@dataclass(frozen=True)
class About:
    """Of what run a file is. C(began) is seconds since the epoch."""

    host: str
    length: float
    delay: float
    step: float
    began: float
    title: str = ""
    note: str = ""
    ip_version: int = 4
    failed: int = 0


def _stamp(moment: float) -> str:
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def aligned(raw: Sequence[Dict[str, Any]], first: float, step: float, points: int) -> Grid:
    """Values at each step by linear interpolation, as flent's C(TimeseriesAggregator) does it: none where the next reading is more than five
    steps away, and the last one not twice."""
    pairs = [(item["t"], item["val"]) for item in raw if item.get("val") is not None]
    if not pairs:
        return [None] * points
    grid: Grid = []
    index = 0
    for number in range(points):
        moment = first + step * number
        while index < len(pairs) and pairs[index][0] <= moment:
            index += 1
        grid.append(_at(pairs, index, moment, step, grid[-1] if grid else None))
    return grid


def _at(pairs: Sequence[Any], index: int, moment: float, step: float, before: Optional[float]) -> Optional[float]:
    """The value at one moment; C(index) is the first reading after it."""
    last = index >= len(pairs)
    after_t, after = pairs[-1] if last else pairs[index]
    # no earlier reading than the first one, or none after the last
    single = last or index == 0
    reach = step * 0.5 if not last and index == 0 else step * 5.0
    if abs(moment - after_t) > reach:
        return None
    if single:
        return None if last and before in (after, None) else after
    before_t, earlier = pairs[index - 1]
    return earlier + (after - earlier) / (after_t - before_t) * (moment - before_t)


def compute(how: str, values: Sequence[float]) -> Optional[float]:
    """The sum or the average of what is known."""
    if not values:
        return None
    return math.fsum(values) / len(values) if how == "AverageRunner" else math.fsum(values)


def _computed(item: Computed, results: Dict[str, Grid], metas: Dict[str, Dict[str, Any]], points: int) -> None:
    members = [name for name in item.of if name in results]
    if not members:
        return
    rows = ([results[name][number] for name in members] for number in range(points))
    results[item.name] = [compute(item.runner, [value for value in row if value is not None]) for row in rows]
    means = [metas[name]["MEAN_VALUE"] for name in members if metas[name].get("MEAN_VALUE") is not None]
    metas[item.name] = {"COMPUTED_LATE": False, "RUNNER": item.runner, "UNITS": item.units}
    mean = compute(item.runner, means)
    if mean is not None:
        metas[item.name]["MEAN_VALUE"] = mean


def document(design: Design, made: Sequence[Made], about: About) -> Dict[str, Any]:
    """The content of a data file. A series that nothing was read of stands among C(raw_values) only, as with flent."""
    times = [item["t"] for series in made for item in series.raw if item.get("val") is not None]
    first, end = (min(times), max(times)) if times else (about.began, about.began)
    points = min(MOST_POINTS, int(math.ceil((end - first) / about.step)))
    results = {series.name: aligned(series.raw, first, about.step, points) for series in made if series.raw}
    metas = {series.name: dict(series.meta) for series in made}
    raws: Dict[str, Any] = {series.name: series.raw for series in made}
    for item in design.computed:
        _computed(item, results, metas, points)
        raws.setdefault(item.name, [])
    for number, name in enumerate(metas):
        metas[name]["IDX"] = number
    return {
        "version": VERSION,
        "x_values": [round(about.step * number, 6) for number in range(points)],
        "results": results,
        "raw_values": raws,
        "metadata": dict(_metadata(design, about), T0=_stamp(first), SERIES_META=metas),
    }


def _metadata(design: Design, about: About) -> Dict[str, Any]:
    """No name, no address but the one that was asked for."""
    empty = ("BATCH_NAME", "BATCH_TIME", "BATCH_TITLE", "BATCH_UUID", "HTTP_GETTER_DNS", "HTTP_GETTER_URLLIST")
    return dict(dict.fromkeys(empty), **{
        "NAME": design.name, "TITLE": about.title, "NOTE": about.note, "HOST": about.host, "HOSTS": [about.host], "LOCAL_HOST": "client",
        "LENGTH": about.length, "TOTAL_LENGTH": about.length + 2 * about.delay, "STEP_SIZE": about.step, "IP_VERSION": about.ip_version,
        "TIME": _stamp(about.began), "DATA_FILENAME": file_name(design.name), "TEST_PARAMETERS": design.test_parameters,
        "FAILED_RUNNERS": about.failed, "FLENT_VERSION": "routerlab.bench", "HTTP_GETTER_WORKERS": 4,
    })


def file_name(test: str) -> str:
    """What such a file is called."""
    return test + ".flent.gz"
