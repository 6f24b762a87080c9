# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate: a run that does not pass it has no numbers."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_reasons as codes
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_numbers import Numbers
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import reason
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_shape import Expected, Flow, mapping, number, objects
from ansible_collections.routerlab.bench.plugins.module_utils._record_limits import most_generous_fraction

SHORTEST_SHARE = 0.95
TOLERANCE = 1.02


def _not_finite(flow: Flow) -> List[str]:
    """Fields that a number depends on and that hold none, or a negative one."""
    names = []
    for title, total in (("received", flow.received), ("sent", flow.sent), ("sum", flow.combined)):
        for name in ("bytes", "seconds", "bits_per_second"):
            if name in total:
                value = number(total[name])
                if value is None or value < 0:
                    names.append("%s.%s" % (title, name))
    return names


def _amount(flow: Flow, numbers: Optional[Numbers], udp: bool) -> List[Dict[str, str]]:
    """Whether both ends counted something, and nothing impossible."""
    received, sent = number(flow.received.get("bytes")), number(flow.sent.get("bytes"))
    where = flow.direction
    if not udp and received == 0 and sent:
        return [reason(codes.RECEIVER_STATS_MISSING, "%s: the receiver reported 0 bytes, the sender %d" % (where, sent))]
    if received == 0 or (numbers and numbers.received_bytes == 0):
        return [reason(codes.ZERO_BYTES, "%s: no payload arrived" % where)]
    if received is not None and sent and received > TOLERANCE * sent:
        return [reason(codes.RECEIVED_ABOVE_SENT, "%s: %d bytes received, %d sent" % (where, received, sent))]
    if numbers is None or numbers.bits_per_second is None:
        return [reason(codes.RECEIVER_STATS_MISSING, "%s: the report has no count of what arrived" % where)]
    return []


def _length(numbers: Numbers, expected: Expected) -> List[Dict[str, str]]:
    wanted, seconds = expected.duration, numbers.seconds
    if not wanted:
        return []
    if seconds is None or seconds < SHORTEST_SHARE * wanted:
        seen = "unknown" if seconds is None else "%.1f" % seconds
        return [reason(codes.SHORT_RUN, "%s of %g s" % (seen, wanted))]
    return []


def _line_rate(numbers: Numbers, expected: Expected, start: Dict[str, Any]) -> List[Dict[str, str]]:
    if not expected.link_bps or numbers.bits_per_second is None:
        return []
    mss = number(start.get("tcp_mss_default"))
    limit = expected.link_bps * most_generous_fraction(expected.protocol or "tcp", mss, expected.length)
    if numbers.bits_per_second > TOLERANCE * limit:
        detail = "%s: %.0f bit/s through a link that carries at most %.0f" % (numbers.direction, numbers.bits_per_second, limit)
        return [reason(codes.ABOVE_LINE_RATE, detail)]
    return []


def _streams(end: Dict[str, Any], expected: Expected) -> List[Dict[str, str]]:
    if not expected.streams or "streams" not in end:
        return []
    wanted = expected.streams * (2 if expected.bidir else 1)
    seen = len(objects(end.get("streams")))
    return [] if seen == wanted else [reason(codes.STREAMS_MISSING, "%d of %d" % (seen, wanted))]


def gate(document: Dict[str, Any], flows: List[Flow], numbers: List[Optional[Numbers]], expected: Expected) -> List[Dict[str, str]]:
    """All that speaks against the numbers of a report; an empty list means that they count."""
    end, start = mapping(document.get("end")), mapping(document.get("start"))
    found = _streams(end, expected)
    for flow, result in zip(flows, numbers):
        wrong = _not_finite(flow)
        if wrong:
            found.append(reason(codes.NOT_FINITE, "%s: %s" % (flow.direction, ", ".join(wrong))))
        found.extend(_amount(flow, result, expected.protocol == "udp"))
        if result is not None:
            found.extend(_length(result, expected))
            found.extend(_line_rate(result, expected, start))
    return codes.merged(found)
