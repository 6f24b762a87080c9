# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From the text that iperf3 printed to a result that is either valid or says why not. Pure, and it never raises."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_reasons as codes
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_conditions import conditions_of
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_json import Reading, read
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_numbers import Numbers, numbers_of
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import classify, error_lines, merged, reason, sorted_out
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_shape import (
    FORWARD,
    Expected,
    Flow,
    flows,
    mapping,
    number,
    objects,
    version_of,
    window,
)
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_validity import gate
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version, version_class

ARROWS = {FORWARD: "client→server", "reverse": "server→client"}
_TCP_METRICS = (("retransmits", "1"), ("sent_bytes", "B"), ("received_bytes", "B"))
_UDP_METRICS = (("loss_ratio", "1"), ("jitter_s", "s"), ("packets", "1"), ("packet_rate", "1/s"), ("sent_bytes", "B"), ("received_bytes", "B"))


def _packet_rate(numbers: Numbers) -> Optional[float]:
    """Datagrams that arrived, per second."""
    if numbers.packets is None or numbers.lost is None or not numbers.seconds:
        return None
    return (numbers.packets - numbers.lost) / numbers.seconds


def _metrics(expected: Expected, numbers: List[Optional[Numbers]], valid: bool) -> Dict[str, Any]:
    """The metrics of every direction that was asked for; all values are None if the run does not count."""
    directions = [FORWARD, "reverse"] if expected.bidir else ["reverse" if expected.reverse else FORWARD]
    result: Dict[str, Any] = {}
    for position, direction in enumerate(directions):
        known = numbers[position] if valid and position < len(numbers) else None
        suffix = "_reverse" if position else ""
        arrow = ARROWS[direction]
        result["throughput" + suffix] = {"value": known.bits_per_second if known else None, "unit": "bit/s", "direction": arrow}
        for name, unit in _UDP_METRICS if expected.protocol == "udp" else _TCP_METRICS:
            value = None
            if known:
                value = _packet_rate(known) if name == "packet_rate" else getattr(known, name)
            result[name + suffix] = {"value": value, "unit": unit, "direction": arrow}
    return result


def _partial(document: Dict[str, Any], found: List[Flow], numbers: List[Optional[Numbers]]) -> Optional[Dict[str, Any]]:
    """What an invalid run did show: for a person who looks for the cause, never for a median."""
    result: Dict[str, Any] = {}
    for flow, known in zip(found, numbers):
        received = window(flow.receiver_intervals)
        seen = received or window(flow.sender_intervals)
        item: Dict[str, Any] = {}
        if seen:
            item = {"bits_per_second": seen.bits_per_second, "seconds": seen.seconds, "intervals": seen.count}
            item["counted_by"] = "receiver" if received else "sender"
        elif known and known.bits_per_second is not None:
            item = {"bits_per_second": known.bits_per_second, "seconds": known.seconds, "intervals": 0, "counted_by": known.source}
        for name, total in (("sent_bytes", flow.sent), ("received_bytes", flow.received)):
            if number(total.get("bytes")) is not None:
                item[name] = total["bytes"]
        if item:
            result[flow.direction] = item
    return result or None


def _reading_reasons(reading: Reading, rc: Optional[int], stderr: str) -> List[Dict[str, str]]:
    """Why there is no report."""
    if reading.status == "truncated":
        return [reason(codes.TRUNCATED, "the report ends in the middle")]
    if reading.status == "ok":
        return []
    spoken = error_lines(reading.noise, stderr)
    if spoken:
        return [classify(line) for line in spoken]
    said = re.sub(r"\s+", " ", "%s %s" % (reading.noise, stderr)).strip()
    status = "" if rc is None else ", exit status %d" % rc
    return [reason(codes.NO_JSON, "%s%s" % ("no output" if not said else "output: " + said[:200], status))]


def _errors_of(document: Dict[str, Any]) -> List[str]:
    """The report's own error texts; there can be several under the one key."""
    errors = getattr(document, "repeated", {}).get("error") or [document.get("error")]
    return [error if isinstance(error, str) else repr(error)[:200] for error in errors if error is not None]


def _has_sums(document: Dict[str, Any]) -> bool:
    end = mapping(document.get("end"))
    return any(name.startswith("sum") for name in end) or bool(objects(end.get("streams")))


def _doubts(end: Dict[str, Any], expected: Expected, rc: Optional[int]) -> List[Dict[str, str]]:
    """What looks odd about a run that counts."""
    found = []
    if rc:
        found.append(reason(codes.EXIT_STATUS, "exit status %d beside a complete report" % rc))
    if expected.streams and "streams" not in end:
        found.append(reason(codes.STREAMS_NOT_LISTED, "the report does not list its streams"))
    return found


def _versions(client: Optional[Version], server: Optional[Version], expected: Expected) -> Dict[str, Optional[str]]:
    protocol = expected.protocol or "tcp"
    return {
        "iperf3_client": str(client) if client else None,
        "iperf3_server": str(server) if server else None,
        "client_class": version_class(client, protocol),
        "server_class": version_class(server, protocol),
    }


def parse(text: Any, expected: Any = None, stderr: Any = "", rc: Optional[int] = None, timed_out: bool = False) -> Dict[str, Any]:
    """The result of one run: valid, reasons, flags, metrics, partial, computed, versions, conditions, traffic_s, noise.

    C(expected) has the fields of C(iperf3_shape.Expected): what was asked for. C(stderr) and the exit status C(rc) are evidence, no more.
    """
    stderr = stderr if isinstance(stderr, str) else ""
    reading = read(text)
    document = mapping(reading.document)
    start, end = mapping(document.get("start")), mapping(document.get("end"))
    wanted = Expected.of(expected).filled(mapping(start.get("test_start")), objects(end.get("streams")))
    client, server = version_of(document), version_of(document.get("server_output_json"))
    directions = flows(document, wanted)
    numbers = [numbers_of(flow, wanted, client, server) for flow in directions]

    spoken, remarks = sorted_out(_errors_of(document))
    gated = gate(document, directions, numbers, wanted) if reading.status == "ok" and (_has_sums(document) or not spoken) else []
    noise, more = sorted_out(error_lines(reading.noise, stderr))
    unread = _reading_reasons(reading, rc, stderr)
    late = [reason(codes.TIMEOUT, "stopped after the outer timeout")] if timed_out else []
    reasons = late or merged(spoken, unread, gated, noise)

    conditions, seen = conditions_of(document, wanted)
    flags = [flag for result in numbers if result for flag in result.flags]
    flags += [reason(note, "") for note in reading.notes if note != "JSON_STREAM"] + remarks + more
    flags += [] if reasons else seen + _doubts(end, wanted, rc)
    first = next((result for result in numbers if result), None)
    return {
        "valid": not reasons,
        "reasons": reasons,
        "flags": merged(flags),
        "metrics": _metrics(wanted, numbers, not reasons),
        "partial": _partial(document, directions, numbers) if reasons else None,
        "computed": first.source if first and not reasons else None,
        "versions": _versions(client, server, wanted),
        "conditions": conditions,
        "traffic_s": _traffic_seconds(document),
        "noise": reading.noise,
    }


def _traffic_seconds(document: Dict[str, Any]) -> Optional[float]:
    """How long data was sent, omitted seconds included, as this end saw it."""
    sums = [mapping(interval.get("sum")) for interval in objects(document.get("intervals"))]
    seconds = [value for value in (number(total.get("seconds")) for total in sums) if value is not None and value > 0]
    return sum(seconds) if seconds else None
