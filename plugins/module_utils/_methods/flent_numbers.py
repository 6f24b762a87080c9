# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is published of a data file: rates, ping idle and under load, and whether the run counts."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import DataFile, Sample, Series, begin, finite
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_summary import median
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_numbers import NEEDED, percentile

MBIT = 1e6
MILLISECOND = 1e-3
# A stream that ran for less than this share of the time that was asked for.
WHOLE = 0.95
_STREAM = re.compile(r"^TCP (download|upload)(?:(?:::| )(.+))?$")
_COMPUTED = ("avg", "sum", "fairness", "totals")
_COUNTED = re.compile(r"^tcp_(\d{1,3})(down|up)$")
# Tests of a known number of streams: downloads, uploads.
_KNOWN = {
    "rrul": (4, 4), "rrul_be": (4, 4), "rrul_noclassification": (4, 4), "rrul_cs8": (8, 8), "tcp_download": (1, 0), "tcp_upload": (0, 1),
    "tcp_bidirectional": (1, 1), "ping": (0, 0),
}
WAYS = {"download": "server→client", "upload": "client→server"}


@dataclass(frozen=True)
class Shape:
    """What a test has to show: streams in each direction; None where that is not known."""

    down: Optional[int]
    up: Optional[int]


def shape_of(test: str, streams: int = 0) -> Shape:
    """By the test's name; C(tcp_ndown) and C(tcp_nup) are told how many."""
    match = _COUNTED.match(test)
    if match:
        return Shape(int(match.group(1)), 0) if match.group(2) == "down" else Shape(0, int(match.group(1)))
    if test in ("tcp_ndown", "tcp_nup"):
        return Shape(streams, 0) if test == "tcp_ndown" else Shape(0, streams)
    return Shape(*_KNOWN[test]) if test in _KNOWN else Shape(None, None)


def streams_of(file: DataFile, direction: str) -> List[Series]:
    """The TCP streams of a direction that carried something, in the order of their names."""
    found = []
    for name in sorted(file.series, key=lambda text: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]):
        match = _STREAM.match(name)
        series = file.series[name]
        if match and match.group(1) == direction and match.group(2) not in _COMPUTED and not series.computed and not series.empty:
            found.append(series)
    return found


def rate_of(series: Series) -> Optional[float]:
    """The mean of a stream in bit/s, by the tool's own count."""
    return None if series.mean is None else series.mean * MBIT


def direction_rate(file: DataFile, direction: str) -> Optional[float]:
    """The sum of the streams' means; None if one of them is unknown. The mean of flent's own sum leaves out streams that died, and looks like a good one."""
    rates = [rate_of(series) for series in streams_of(file, direction)]
    known = [rate for rate in rates if rate is not None]
    return math.fsum(known) if known and len(known) == len(rates) else None


def retransmits(file: DataFile) -> Optional[int]:
    """Over all streams; None if one of them does not say. flent writes a number for downloads and a text for uploads."""
    counts = [finite(series.meta.get("TCP_RETRANSMIT")) for way in WAYS for series in streams_of(file, way)]
    known = [int(count) for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


@dataclass(frozen=True)
class Window:
    """When the load began and ended, seconds since the epoch."""

    start: float
    end: float

    def split(self, samples: List[Sample]) -> Tuple[List[float], List[float]]:
        """The values before it, and those within."""
        known = [item for item in samples if item.val is not None]
        return [float(item.val or 0) for item in known if item.t < self.start], [float(item.val or 0) for item in known if self.start <= item.t <= self.end]


def window_of(file: DataFile) -> Optional[Window]:
    """flent waits, loads for C(LENGTH), waits again."""
    first, length, total = begin(file), file.number("LENGTH"), file.number("TOTAL_LENGTH")
    if first is None or length is None or total is None or not 0 < length <= total:
        return None
    delay = (total - length) / 2
    return Window(first + delay, first + delay + length)


def ping_numbers(file: DataFile) -> Dict[str, Optional[float]]:
    """ICMP in seconds: the compatible median, idle, loaded, p99 under load, and what the load adds."""
    names = ("ping_median", "ping_idle", "ping_loaded", "ping_p99", "bloat")
    series = file.series.get("Ping (ms) ICMP")
    found: Dict[str, Optional[float]] = dict.fromkeys(names)
    if series is None or series.empty:
        return found
    found["ping_median"] = median(series)
    window = window_of(file)
    if window is not None and series.raw:
        idle, loaded = window.split(series.raw)
        found["ping_idle"], found["ping_loaded"] = percentile(idle, 0.5), percentile(loaded, 0.5)
        found["ping_p99"] = percentile(loaded, 0.99) if len(loaded) >= NEEDED["p99"] else None
        if found["ping_idle"] is not None and found["ping_loaded"] is not None:
            found["bloat"] = found["ping_loaded"] - found["ping_idle"]
    return {name: None if value is None else value * MILLISECOND for name, value in found.items()}


def udp_numbers(file: DataFile) -> Dict[str, Optional[float]]:
    """The loaded medians of UDP probes, one for each class of service."""
    window, found = window_of(file), {}
    for name, series in sorted(file.series.items()):
        match = re.match(r"^Ping \(ms\) UDP ?(\w*)$", name)
        if match and window is not None and not series.computed:
            value = percentile(window.split(series.raw)[1], 0.5)
            found["ping_udp" + ("_" + match.group(1).lower() if match.group(1) else "")] = None if value is None else value * MILLISECOND
    return found


def metrics_of(file: DataFile, shape: Shape) -> Dict[str, Dict[str, Any]]:
    """Every number. One direction is C(throughput); of two the downloads are, and the uploads C(throughput_reverse)."""
    rates = {way: direction_rate(file, way) for way in WAYS if streams_of(file, way)}
    ways = [way for way in WAYS if getattr(shape, "down" if way == "download" else "up") not in (0, None) or way in rates]
    metrics: Dict[str, Dict[str, Any]] = {}
    for name, way in zip(("throughput", "throughput_reverse"), ways):
        metrics[name] = {"value": rates.get(way), "unit": "bit/s", "direction": WAYS[way]}
    if len(ways) == 2:
        both = [rates.get(way) for way in ways]
        total = math.fsum(rate or 0.0 for rate in both) if all(rate is not None for rate in both) else None
        metrics["throughput_total"] = {"value": total, "unit": "bit/s", "direction": None}
    for name, value in {**ping_numbers(file), **udp_numbers(file)}.items():
        metrics[name] = {"value": value, "unit": "s", "direction": None}
    if ways:
        count = retransmits(file)
        metrics["retransmits"] = {"value": count, "unit": "1", "direction": None}
    return metrics


def stream_means(file: DataFile) -> Dict[str, List[float]]:
    """The mean rate of each stream in Mbit/s with flent's two decimals: what a search for a shaper's target looks at."""
    found = {}
    for key, way in (("down", "download"), ("up", "upload")):
        found[key] = [round(series.mean, 2) for series in streams_of(file, way) if series.mean is not None]
    return found
