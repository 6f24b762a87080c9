# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a run of flent counts, and why not."""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import DataFile, finite
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_numbers import WAYS, WHOLE, Shape, direction_rate, ping_numbers, streams_of
from ansible_collections.routerlab.bench.plugins.module_utils._record_limits import most_generous_fraction

Coded = List[Dict[str, str]]


def _streams(file: DataFile, shape: Shape) -> Coded:
    """Every stream that the test has must be there."""
    found = []
    for way, wanted in (("download", shape.down), ("upload", shape.up)):
        count = len(streams_of(file, way))
        if wanted is not None and count != wanted:
            found.append("%d of %d %ss" % (count, wanted, way))
    return [{"code": "MISSING_STREAMS", "detail": ", ".join(found)}] if found else []


def _rates(file: DataFile, link_bps: Optional[float]) -> Tuple[Coded, Coded]:
    """Something must have arrived in each direction, and no more than the link can carry."""
    reasons: Coded = []
    flags: Coded = []
    for way in WAYS:
        streams = streams_of(file, way)
        rate = direction_rate(file, way)
        if not streams:
            continue
        dead = [series.name for series in streams if not series.mean]
        if rate is None:
            reasons.append({"code": "MEAN_UNKNOWN", "detail": "%s: not every stream says its mean" % way})
        elif rate <= 0:
            reasons.append({"code": "ZERO_BYTES", "detail": "nothing arrived in %s" % way})
        elif link_bps and rate > 1.02 * link_bps * most_generous_fraction("tcp"):
            reasons.append({"code": "ABOVE_LINE_RATE", "detail": "%s %.1f Mbit/s" % (way, rate / 1e6)})
        elif dead:
            flags.append({"code": "DEAD_STREAMS", "detail": ", ".join(dead)})
    return reasons, flags


def _length(file: DataFile) -> Coded:
    """The streams must have run for the time that was asked for."""
    wanted = file.number("LENGTH")
    short = []
    for way in WAYS:
        for series in streams_of(file, way):
            seconds = finite(series.meta.get("ELAPSED_TIME"))
            if wanted and seconds is not None and seconds < WHOLE * wanted:
                short.append("%s %.1f of %g s" % (series.name, seconds, wanted))
    return [{"code": "SHORT_RUN", "detail": ", ".join(short[:4])}] if short else []


def judged(file: DataFile, shape: Shape, link_bps: Optional[float] = None) -> Tuple[Coded, Coded]:
    """Reasons and flags. A ping that is missing leaves the rates what they are: it is flagged, and no rule about pings can pass."""
    if file.problems:
        return list(file.problems), []
    reasons = _streams(file, shape)
    rates, flags = _rates(file, link_bps)
    if not reasons:
        reasons = rates + _length(file)
    failed = file.number("FAILED_RUNNERS") or 0
    probes = [name for name, series in file.series.items() if name.startswith("Ping") and not series.computed]
    silent = [name for name in probes if file.series[name].empty]
    with_load = any(streams_of(file, way) for way in WAYS)
    if not reasons and failed > len(silent):
        reasons.append({"code": "FAILED_RUNNERS", "detail": "flent says that %d of its tools failed" % failed})
    if ping_numbers(file)["ping_median"] is None:
        detail = "no answer to ICMP" if "Ping (ms) ICMP" in file.series else "no ICMP in this test"
        if with_load or reasons:
            flags.append({"code": "PING_MISSING", "detail": detail})
        elif not any(not file.series[name].empty for name in probes):
            reasons.append({"code": "NO_REPLIES", "detail": detail})
    missing = [name for name in silent if name != "Ping (ms) ICMP"]
    return reasons, flags + ([{"code": "PROBES_MISSING", "detail": ", ".join(missing)}] if missing else [])
