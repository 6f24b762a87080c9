# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which number of a report is the result of one direction, and where it was taken from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_reasons as codes
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_shape import Expected, Flow, Window, number, window
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version


@dataclass
class Numbers:
    """The result of one direction; None is unknown."""

    direction: str
    source: str
    bits_per_second: Optional[float] = None
    seconds: Optional[float] = None
    received_bytes: Optional[float] = None
    sent_bytes: Optional[float] = None
    retransmits: Optional[float] = None
    packets: Optional[float] = None
    lost: Optional[float] = None
    loss_ratio: Optional[float] = None
    jitter_s: Optional[float] = None
    flags: List[Dict[str, str]] = field(default_factory=list)

    def flag(self, code: str, detail: str) -> None:
        self.flags.append(codes.reason(code, "%s: %s" % (self.direction, detail)))


def _rate(total: Dict[str, Any]) -> Optional[float]:
    """Bits per second as printed; computed only if the key is not there at all."""
    if "bits_per_second" in total:
        return number(total.get("bits_per_second"))
    amount, seconds = number(total.get("bytes")), number(total.get("seconds"))
    return amount * 8 / seconds if amount is not None and seconds else None


def _from_sums(flow: Flow) -> Numbers:
    return Numbers(
        flow.direction,
        flow.source,
        bits_per_second=_rate(flow.received),
        seconds=number(flow.received.get("seconds")),
        received_bytes=number(flow.received.get("bytes")),
        sent_bytes=number(flow.sent.get("bytes")),
        retransmits=number(flow.sent.get("retransmits")),
        packets=number(flow.received.get("packets")),
        lost=number(flow.received.get("lost_packets")),
        jitter_s=_seconds(flow.received.get("jitter_ms")),
    )


def _seconds(milliseconds: Any) -> Optional[float]:
    value = number(milliseconds)
    return None if value is None else value / 1000.0


def _from_windows(flow: Flow, received: Window, sent: Optional[Window]) -> Numbers:
    result = Numbers(
        flow.direction,
        "intervals",
        bits_per_second=received.bits_per_second,
        seconds=received.seconds,
        received_bytes=received.bytes,
        sent_bytes=sent.bytes if sent else None,
        retransmits=sent.retransmits if sent else None,
        packets=received.packets,
        lost=received.lost,
        jitter_s=_seconds(received.jitter_ms),
    )
    whole_run = number(flow.sent.get("retransmits"))
    if result.retransmits is None and whole_run is not None:
        result.flag(codes.RETRANSMITS_UNKNOWN, "only the whole run's count is known (%d), warm-up included" % whole_run)
    return result


def _derived(flow: Flow) -> Numbers:
    """UDP up to 3.10.1: the only sum counts what was sent; what arrived is that less the share that was lost."""
    total = flow.combined
    packets, lost, amount = (number(total.get(name)) for name in ("packets", "lost_packets", "bytes"))
    sent_rate = _rate(total)
    result = Numbers(
        flow.direction,
        flow.source if flow.source == "end.streams" else "end.sum",
        seconds=number(total.get("seconds")),
        sent_bytes=amount,
        packets=packets,
        lost=lost,
        jitter_s=_seconds(total.get("jitter_ms")),
    )
    if packets and lost is not None and sent_rate is not None:
        share = 1.0 - min(max(lost / packets, 0.0), 1.0)
        result.bits_per_second = sent_rate * share
        result.received_bytes = None if amount is None else amount * share
        result.flag(codes.DERIVED_FROM_LOSS, "sent %.0f bit/s, %d of %d datagrams lost" % (sent_rate, lost, packets))
    return result


def loss_needs_intervals(client: Optional[Version], server: Optional[Version]) -> bool:
    """A client from 3.14 on prints a loss of 0 when its server is older and does not send the omitted counts."""
    return bool(client and client.sends_omitted_counts and server and not server.sends_omitted_counts)


def _finish_udp(result: Numbers, duration: Optional[float]) -> Numbers:
    if result.packets and result.lost is not None:
        result.loss_ratio = result.lost / result.packets
        if not 0.0 <= result.loss_ratio <= 1.0:
            result.flag(codes.LOSS_CLAMPED, "%d of %d datagrams lost" % (result.lost, result.packets))
            result.loss_ratio = min(max(result.loss_ratio, 0.0), 1.0)
    if result.jitter_s is not None and not 0.0 <= result.jitter_s <= (duration or result.seconds or 3600.0):
        result.flag(codes.JITTER_IMPLAUSIBLE, "%g s" % result.jitter_s)
        result.jitter_s = None
    return result


def numbers_of(flow: Flow, expected: Expected, client: Optional[Version], server: Optional[Version]) -> Optional[Numbers]:
    """The numbers of one direction, or None if the report does not hold what they need."""
    udp = expected.protocol == "udp"
    received = window(flow.receiver_intervals, expected.warmup, expected.duration)
    sent = window(flow.sender_intervals, expected.warmup, expected.duration)
    if expected.warmup:
        result = _from_windows(flow, received, sent) if received else None
    elif not udp:
        result = _from_sums(flow) if flow.received else None
    elif flow.received:
        result = _from_sums(flow)
        if loss_needs_intervals(client, server):
            result.lost, result.packets = (received.lost, received.packets) if received else (None, None)
            if not received:
                result.flag(codes.LOSS_UNKNOWN, "iperf %s prints no loss when the server is %s" % (client, server))
    elif received and flow.combined:
        result = _from_windows(flow, received, sent)
    else:
        result = _derived(flow) if flow.combined else None
    return _finish_udp(result, expected.duration) if udp and result else result
