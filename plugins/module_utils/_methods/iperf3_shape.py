# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One shape for all versions: per direction the sender's sum, the receiver's sum, and both ends' intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version

FORWARD = "forward"  # client to server
REVERSE = "reverse"  # server to client
# Part of an interval by which its start may lie off the full second.
_SLACK = 0.3


def number(value: Any) -> Optional[float]:
    """A finite number, or None; a boolean and a numeral in quotes are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:
        return None


def mapping(value: Any) -> Dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> List[Dict[str, Any]]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


@dataclass
class Expected:
    """What was asked for; what is None is taken from the result's own C(test_start)."""

    protocol: Optional[str] = None
    duration: Optional[float] = None
    streams: Optional[int] = None
    reverse: Optional[bool] = None
    bidir: Optional[bool] = None
    length: Optional[int] = None
    congestion: Optional[str] = None
    link_bps: Optional[float] = None
    # seconds at the start that this parser has to drop (the tool ran with --omit 0); 0 if the tool dropped them itself
    warmup: float = 0.0

    @classmethod
    def of(cls, value: Any) -> Expected:
        """From a mapping with any of the fields."""
        if isinstance(value, cls):
            return value
        return cls(**{key: item for key, item in mapping(value).items() if key in cls.__dataclass_fields__})

    def filled(self, test_start: Dict[str, Any], streams: List[Dict[str, Any]]) -> Expected:
        """A copy with the gaps closed by what the tool says about its own run."""
        protocol = self.protocol or (test_start.get("protocol") if isinstance(test_start.get("protocol"), str) else None) or "tcp"
        flags = {mapping(item.get(part)).get("sender") for item in streams for part in ("sender", "udp") if item.get(part)}
        duration = self.duration
        if duration is None and number(test_start.get("duration")):
            duration = (number(test_start.get("duration")) or 0) - self.warmup
        count = self.streams if self.streams is not None else number(test_start.get("num_streams"))
        return Expected(
            protocol=protocol.lower(),
            duration=duration,
            streams=int(count) if count else None,
            reverse=self.reverse if self.reverse is not None else bool(test_start.get("reverse")),
            bidir=self.bidir if self.bidir is not None else bool(test_start.get("bidir")) or {True, False} <= flags,
            length=self.length or int(number(test_start.get("blksize")) or 0) or None,
            congestion=self.congestion,
            link_bps=self.link_bps,
            warmup=self.warmup,
        )


@dataclass
class Window:
    """What one end counted between two moments, from its intervals."""

    bytes: float = 0.0
    seconds: float = 0.0
    retransmits: Optional[float] = None
    packets: Optional[float] = None
    lost: Optional[float] = None
    jitter_ms: Optional[float] = None
    count: int = 0

    @property
    def bits_per_second(self) -> Optional[float]:
        return self.bytes * 8 / self.seconds if self.seconds > 0 else None


@dataclass
class Flow:
    """One direction. C(sent) and C(received) are the tool's own sums in the end of the report, empty if it has none."""

    direction: str
    sent: Dict[str, Any] = field(default_factory=dict)
    received: Dict[str, Any] = field(default_factory=dict)
    combined: Dict[str, Any] = field(default_factory=dict)
    source: str = "end.sum_received"
    sender_intervals: List[Dict[str, Any]] = field(default_factory=list)
    receiver_intervals: List[Dict[str, Any]] = field(default_factory=list)


def _stream_sum(parts: List[Dict[str, Any]]) -> Dict[str, Any]:
    """The sum over streams; a field that one stream lacks is left out, because a part of a sum is not a sum."""
    total: Dict[str, Any] = {}
    for name in ("bytes", "bits_per_second", "retransmits", "packets", "lost_packets"):
        values = [number(part.get(name)) for part in parts]
        if values and all(value is not None for value in values):
            total[name] = sum(value for value in values if value is not None)
    for name in ("start", "end", "seconds"):
        values = [number(part.get(name)) for part in parts if number(part.get(name)) is not None]
        if values:
            total[name] = max(value for value in values if value is not None)
    jitters = [jitter for jitter in (number(part.get("jitter_ms")) for part in parts) if jitter is not None]
    if jitters:
        total["jitter_ms"] = sum(jitters) / len(jitters)
    return total


def _rebuilt(end: Dict[str, Any], flow: Flow, udp: bool) -> Flow:
    """Both sums from the streams, by whether the client sends in them."""
    client_sends = flow.direction == FORWARD
    streams = objects(end.get("streams"))
    flow.source = "end.streams"
    if udp:
        parts = [mapping(stream.get("udp")) for stream in streams]
        flow.combined = _stream_sum([part for part in parts if part.get("sender") is client_sends])
        return flow
    for side in ("sender", "receiver"):
        parts = [mapping(stream.get(side)) for stream in streams]
        total = _stream_sum([part for part in parts if part.get("sender") is client_sends])
        if side == "sender":
            flow.sent = total
        else:
            flow.received = total
    return flow


def _ends(end: Dict[str, Any], flow: Flow, expected: Expected) -> Flow:
    udp = expected.protocol == "udp"
    repeated = getattr(end, "repeated", {})
    if expected.bidir and any(name in repeated for name in ("sum_sent", "sum_received", "sum")):
        return _rebuilt(end, flow, udp)
    suffix = "_bidir_reverse" if expected.bidir and flow.direction == REVERSE else ""
    flow.sent = mapping(end.get("sum_sent" + suffix))
    flow.received = mapping(end.get("sum_received" + suffix))
    flow.combined = mapping(end.get("sum" + suffix)) if udp else {}
    flow.source = "end.sum_received" + suffix
    return flow


def _interval_sum(interval: Dict[str, Any], as_sender: bool) -> Dict[str, Any]:
    """Of a run in both directions: 3.7 to 3.10.1 print both sums under one key, later versions under two."""
    both = getattr(interval, "repeated", {}).get("sum") or [interval.get("sum"), interval.get("sum_bidir_reverse")]
    for total in objects(both):
        if total.get("sender") is as_sender:
            return total
    streams = [stream for stream in objects(interval.get("streams")) if stream.get("sender") is as_sender]
    return dict(_stream_sum(streams), omitted=any(stream.get("omitted") for stream in streams)) if streams else {}


def _interval_sums(report: Dict[str, Any], bidir: bool, as_sender: bool) -> List[Dict[str, Any]]:
    """One object per interval, of the streams in which this end sends (or receives)."""
    sums = []
    for interval in objects(report.get("intervals")):
        total = _interval_sum(interval, as_sender) if bidir else mapping(interval.get("sum"))
        if total:
            sums.append(total)
    return sums


def flows(document: Dict[str, Any], expected: Expected) -> List[Flow]:
    """The directions of a run, the one that the client sends in first."""
    end, server = mapping(document.get("end")), mapping(document.get("server_output_json"))
    bidir = bool(expected.bidir)
    directions = [FORWARD, REVERSE] if bidir else [REVERSE if expected.reverse else FORWARD]
    result = []
    for direction in directions:
        flow = _ends(end, Flow(direction), expected)
        sender, receiver = (document, server) if direction == FORWARD else (server, document)
        flow.sender_intervals = _interval_sums(sender, bidir, True)
        flow.receiver_intervals = _interval_sums(receiver, bidir, False)
        result.append(flow)
    return result


def _add(current: Optional[float], value: Any) -> Optional[float]:
    """A sum in which the first unknown makes the whole unknown is kept by the caller; here unknown adds nothing."""
    known = number(value)
    return current if known is None else (current or 0) + known


def window(intervals: List[Dict[str, Any]], warmup: float = 0.0, duration: Optional[float] = None) -> Optional[Window]:
    """Adds up the intervals that begin in [warmup, warmup + duration); omitted ones never count. None if there are none."""
    result = Window()
    jitters: List[float] = []
    without_retransmits = 0
    for item in intervals:
        start, seconds, amount = (number(item.get(name)) for name in ("start", "seconds", "bytes"))
        if item.get("omitted") or start is None or seconds is None or amount is None or seconds <= 0:
            continue
        if start < warmup - _SLACK or (duration is not None and start > warmup + duration - _SLACK):
            continue
        result.bytes, result.seconds, result.count = result.bytes + amount, result.seconds + seconds, result.count + 1
        result.retransmits = _add(result.retransmits, item.get("retransmits"))
        without_retransmits += number(item.get("retransmits")) is None
        if number(item.get("packets")):
            result.packets, result.lost = _add(result.packets, item.get("packets")), _add(result.lost, item.get("lost_packets"))
            jitter = number(item.get("jitter_ms"))
            jitters.extend([jitter] if jitter is not None else [])
    if without_retransmits:
        result.retransmits = None
    if jitters:
        result.jitter_ms = sum(jitters) / len(jitters)
    return result if result.count else None


def version_of(report: Any) -> Optional[Version]:
    """The version that one end wrote into its report."""
    return Version.parse(mapping(mapping(report).get("start")).get("version") or "")
