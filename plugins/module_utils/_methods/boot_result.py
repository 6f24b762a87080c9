# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From probes to milestones: when a router could do what, counted from the moment its power came on. Pure."""

from __future__ import annotations

import bisect
import math
from typing import Any

WINDOW = 1.0
SHARE = 0.95
LATE = 1.0
"""Seconds after which an answer proves nothing: a probe may wait in a queue until the router is up, and be answered then."""
TITLES = {
    "address": "its address answers", "ssh": "SSH server", "dhcp": "DHCP offer", "forwarded": "forwards between connected networks",
    "forwarded_ospf": "forwards by a route learned from OSPF",
}
METRICS = {"forwarded": "boot_time", "address": "address_time", "ssh": "ssh_time", "dhcp": "dhcp_time", "forwarded_ospf": "ospf_time"}

Series = dict  # {"sent": [seconds], "answered": [[number, seconds]]}


def in_time(series: Series, late: float = LATE) -> set[int]:
    """Numbers of the probes that were answered while the answer still meant something."""
    return {number for number, when in series["answered"] if when - series["sent"][number] <= late}


def outage_begins(series: Series, after: float, window: float = WINDOW, late: float = LATE) -> float | None:
    """The begin of the first window after `after` in which nothing was answered: the router is away from there on."""
    answered = in_time(series, late)
    begin = None
    for number, sent in enumerate(series["sent"]):
        if sent < after:
            continue
        if number in answered:
            begin = None
        elif begin is None:
            begin = sent
        elif sent - begin >= window:
            return begin
    return None


def stable_from(series: Series, after: float, window: float = WINDOW, share: float = SHARE) -> float | None:
    """When the first answered probe was sent after which a whole window has this share of answers. One answer in a flapping start does not count."""
    answered = in_time(series)
    sent = series["sent"]
    for number in range(bisect.bisect_left(sent, after), len(sent)):
        if number not in answered:
            continue
        end = bisect.bisect_left(sent, sent[number] + window)
        if end >= len(sent):  # the window was not probed to its end
            return None
        if sum(1 for item in range(number, end) if item in answered) >= share * (end - number):
            return sent[number]
    return None


def first_answer(series: Series, after: float) -> float | None:
    """When the first answer came to a probe that was sent then or later."""
    return min((when for number, when in series["answered"] if series["sent"][number] >= after), default=None)


def moments(series: dict[str, Series], power: float, window: float = WINDOW) -> dict[str, float | None]:
    """Milestone → moment. Each counts from its own outage: a rebooting router still works for a while, and stops bit by bit."""
    found: dict[str, float | None] = {}
    for name, one in series.items():
        slow = name in ("ssh", "dhcp")  # a server may take its time, and has answered all the same
        away = outage_begins(one, power, window, math.inf if slow else LATE)
        if away is None:
            found[name] = None
        else:
            found[name] = first_answer(one, away) if slow else stable_from(one, away, window)
    return found


def gap_before(series: Series, moment: float) -> float:
    """The longest time without asking, in the second before a moment: how exactly the moment is known."""
    times = [sent for sent in series["sent"] if moment - 1.0 <= sent <= moment]
    return max((later - earlier for earlier, later in zip(times, times[1:])), default=0.0)


def judged(result: dict[str, Any], power: float, interval: float, bootloader: float | None) -> dict[str, Any]:
    """Validity, reasons, flags and metrics of one boot; `power` on the prober's clock."""
    series = result["series"]
    found = moments(series, power)
    reasons, flags = [], []
    forwarded = found.get("forwarded")
    if not series["forwarded"]["sent"] or series["forwarded"]["sent"][0] > power:
        reasons.append({"code": "PROBED_LATE", "detail": "the first probe was sent after the power came on"})
    elif outage_begins(series["forwarded"], power) is None:
        reasons.append({"code": "NO_OUTAGE", "detail": "the router never stopped forwarding: it was not switched off, or there is another path"})
    elif forwarded is None:
        reasons.append({"code": "NO_FORWARDING", "detail": "no stable forwarding within %.0f s after the power came on" % (result["monotonic"] - power)})
    else:
        gap = gap_before(series["forwarded"], forwarded)
        if gap > 5 * interval:
            flags.append({"code": "PROBE_GAP", "detail": "%.0f ms without a probe just before the first forwarded one" % (gap * 1000)})
        flags += [{"code": "MILESTONE_MISSING", "detail": "%s: not seen" % TITLES[name]} for name, moment in sorted(found.items()) if moment is None]
    times = {name: None if moment is None or reasons else round(moment - power, 4) for name, moment in found.items()}
    metrics = {METRICS[name]: {"value": times.get(name), "unit": "s", "direction": ""} for name in METRICS if name in times}
    whole = times.get("forwarded")
    if bootloader is not None and whole is not None:
        metrics["boot_time_without_bootloader"] = {"value": round(whole - bootloader, 4), "unit": "s", "direction": ""}
    partial = {METRICS[name]: round(moment - power, 4) for name, moment in found.items() if moment is not None} if reasons else None
    return {"valid": not reasons, "reasons": reasons, "flags": flags, "metrics": metrics, "partial": partial}
