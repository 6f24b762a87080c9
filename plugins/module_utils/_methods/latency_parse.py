# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what irtt and ping print. Nothing that they can print makes these fail."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Dict, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_numbers import LONGEST_SECONDS, Probes

NANOSECONDS = 1e9
# iputils with and without -D, busybox, BSD
_ANSWER = re.compile(r"(?:icmp_[rs]eq|\bseq)[= ](\d{1,9})\b[^\n]*?\btime[=<] ?(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|us)\b(.*)$")
_SUMMARY = re.compile(r"^(\d{1,9}) packets transmitted, (\d{1,9}) (?:packets )?received", re.MULTILINE)
_SCALE = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
_VERSION = re.compile(r"iputils[- ]([\w.]{1,20})|BusyBox v([\w.]{1,20})")


def failed(code: str, detail: str) -> Probes:
    """A run without anything to look at."""
    return Probes(reasons=[{"code": code, "detail": " ".join(detail.split())[:400]}])


def _dict(value: Any) -> Dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> Optional[int]:
    """A whole number that counts something."""
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1e12 and value == int(value)
    return int(value) if usable else None


def _seconds(value: Any) -> Optional[float]:
    """Nanoseconds as irtt writes them."""
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= LONGEST_SECONDS * NANOSECONDS
    return value / NANOSECONDS if usable else None


def _document(text: str) -> Any:
    """The JSON object, with whatever may stand before and after it; None if there is none."""
    start = text.find("{")
    if start < 0:
        return None
    try:
        return json.JSONDecoder().raw_decode(text[start:])[0]
    except (ValueError, RecursionError):
        return None


def parse_irtt(text: str, stderr: str = "", timed_out: bool = False) -> Probes:
    """What C(irtt client -o -) wrote."""
    document = _document(text)
    if not isinstance(document, dict):
        if timed_out:
            return failed("TIMEOUT", "irtt did not end")
        if "{" in text:
            return failed("TRUNCATED", "the report of irtt is not whole")
        code = "NO_SERVER" if re.search(r"no reply from server|refused|unreachable", stderr) else "TOOL_ERROR" if stderr.strip() else "NO_JSON"
        return failed(code, stderr or "irtt printed nothing")
    stats, trips = _dict(document.get("stats")), document.get("round_trips")
    sent = _count(stats.get("packets_sent"))
    if sent is None or not isinstance(trips, list):
        return failed("NO_STATISTICS", "stats.packets_sent or round_trips is missing")
    probes = Probes(sent=sent, lost_up=0, lost_down=0, duplicates=_count(stats.get("duplicates")) or 0)
    for trip in trips:
        _one(probes, _dict(trip))
    answered = _count(stats.get("packets_received"))
    if answered is not None and answered - probes.duplicates > len(probes.answers):
        probes.flags.append({"code": "COUNTS_DISAGREE", "detail": "irtt counts %d answers and lists %d" % (answered, len(probes.answers))})
    probes.conditions.update(_facts(document, stats))
    return probes


def _one(probes: Probes, trip: Dict[str, Any]) -> None:
    """One round trip; what cannot be read counts as not answered."""
    number, lost = _count(trip.get("seqno")), str(trip.get("lost"))
    if number is None:
        return
    value = _seconds(_dict(trip.get("delay")).get("rtt")) if lost == "false" else None
    if probes.rtts.get(number) is None:
        probes.rtts[number] = value
    probes.lost_up = (probes.lost_up or 0) + (lost == "true_up")
    probes.lost_down = (probes.lost_down or 0) + (lost == "true_down")


def _facts(document: Dict[str, Any], stats: Dict[str, Any]) -> Dict[str, Any]:
    config = _dict(document.get("config"))
    late = stats.get("timer_err_percent")
    return {
        "probe_bytes": _count(_dict(config.get("params")).get("length")),
        "probe_timer_error_percent": late if isinstance(late, (int, float)) and math.isfinite(late) else None,
    }


def parse_ping(text: str, stderr: str = "", timed_out: bool = False) -> Probes:
    """What C(ping) printed, line by line. Sequence numbers say what is missing, the last lines how many were sent."""
    summary = _SUMMARY.search(text)
    probes = Probes(sent=int(summary.group(1)) if summary else 0)
    for line in text.splitlines():
        match = _ANSWER.search(line[:500])
        if match:
            number, value = int(match.group(1)), float(match.group(2)) * _SCALE[match.group(3)]
            if "DUP!" in match.group(4) or probes.rtts.get(number) is not None:
                probes.duplicates += 1
            elif value <= LONGEST_SECONDS:
                probes.rtts[number] = value
    if summary is None:
        if timed_out:
            return failed("TIMEOUT", "ping did not end")
        return failed("TRUNCATED" if probes.rtts else "TOOL_ERROR", stderr or "ping printed no summary")
    received = int(summary.group(2))
    if received > len(probes.answers) + probes.duplicates:
        probes.flags.append({"code": "COUNTS_DISAGREE", "detail": "ping counts %d answers, %d can be read" % (received, len(probes.answers))})
        if not probes.answers:
            probes.reasons.append({"code": "UNREADABLE", "detail": "no answer of %d can be read; is it printed in another locale?" % received})
    return probes


def ping_version(text: str) -> Optional[str]:
    """The version in C(ping -V), or of the busybox that plays ping."""
    match = _VERSION.search(text)
    return next((group for group in match.groups() if group), None) if match else None
