# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Probes that came back and probes that did not, whatever sent them: the numbers that are made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

# So many answers are needed before a percentile is more than the largest value.
NEEDED = {"p95": 20, "p99": 100, "p999": 1000}
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p999": 0.999}
# Fewer than this share of the probes that were asked for, and the run does not stand for its time.
ENOUGH_SENT = 0.5
ALMOST_ALL_SENT = 0.95
# No answer takes longer than this in a lab; a report that says so is damaged.
LONGEST_SECONDS = 3600.0

Coded = List[Dict[str, str]]


@dataclass
class Probes:
    """What one run of a probing tool saw. C(rtts) holds seconds by sequence number, None for a probe that was lost."""

    rtts: Dict[int, Optional[float]] = field(default_factory=dict)
    sent: int = 0
    lost_up: Optional[int] = None
    lost_down: Optional[int] = None
    duplicates: int = 0
    reasons: Coded = field(default_factory=list)
    flags: Coded = field(default_factory=list)
    conditions: Dict[str, Any] = field(default_factory=dict)

    @property
    def answers(self) -> List[float]:
        """The round trips that are known, in order of sending."""
        return [value for dummy, value in sorted(self.rtts.items()) if value is not None]


def percentile(values: List[float], share: float) -> Optional[float]:
    """With linear interpolation between the two nearest, as numpy does it by default; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    position = (len(ordered) - 1) * share
    low = math.floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def jitter(probes: Probes) -> Optional[float]:
    """Mean difference of the round trips of two probes sent one after the other, both answered."""
    rtts = probes.rtts
    steps = [abs(value - before) for number, value in rtts.items() if value is not None and (before := rtts.get(number - 1)) is not None]
    return math.fsum(steps) / len(steps) if steps else None


def loss(probes: Probes) -> Optional[float]:
    """Share of the probes sent that were never answered."""
    return None if probes.sent <= 0 else max(0.0, 1.0 - len(probes.answers) / probes.sent)


def judged(probes: Probes, asked: int) -> Probes:
    """The same with what speaks against it, given how many probes were asked for."""
    if probes.reasons:
        return probes
    if probes.sent < ENOUGH_SENT * asked:
        probes.reasons.append({"code": "SHORT_RUN", "detail": "%d of %d probes were sent" % (probes.sent, asked)})
    elif not probes.answers:
        probes.reasons.append({"code": "NO_REPLIES", "detail": "none of %d probes was answered" % probes.sent})
    elif probes.sent < ALMOST_ALL_SENT * asked:
        probes.flags.append({"code": "PROBES_MISSED", "detail": "%d of %d probes were sent: the client could not keep up" % (probes.sent, asked)})
    if probes.duplicates:
        probes.flags.append({"code": "DUPLICATES", "detail": "%d answers came twice" % probes.duplicates})
    return probes


def metrics_of(probes: Probes) -> Dict[str, Dict[str, Any]]:
    """All numbers; those of an unusable run are None."""
    good = not probes.reasons
    values = probes.answers if good else []
    found: Dict[str, Any] = {}
    for name, share in SHARES.items():
        found["rtt_" + name] = percentile(values, share) if len(values) >= NEEDED.get(name, 1) else None
    found["rtt_min"], found["rtt_max"] = (min(values), max(values)) if values else (None, None)
    found["jitter"] = jitter(probes) if good else None
    metrics: Dict[str, Dict[str, Any]] = {name: {"value": value, "unit": "s", "direction": None} for name, value in found.items()}
    metrics["loss_ratio"] = {"value": loss(probes) if good else None, "unit": "1", "direction": None}
    metrics["probes"] = {"value": probes.sent if good else None, "unit": "1", "direction": None}
    for name, count, way in (("loss_up", probes.lost_up, "client→server"), ("loss_down", probes.lost_down, "server→client")):
        if count is not None:
            metrics[name] = {"value": count / probes.sent if good and probes.sent else None, "unit": "1", "direction": way}
    return metrics


def few(probes: Probes) -> Coded:
    """Which percentiles are missing because there were too few answers."""
    count = len(probes.answers)
    missing = [name for name, needed in NEEDED.items() if count < needed]
    if probes.reasons or not missing:
        return []
    return [{"code": "TOO_FEW_PROBES", "detail": "%d answers: no %s" % (count, ", ".join(missing))}]
