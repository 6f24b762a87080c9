# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What "packet size" means: payload, IP packet or Ethernet frame; and what each comes to as UDP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._record_limits import (
    IMIX,
    IP_HEADER,
    UDP_HEADER,
    fragments,
    sized_datagrams,
    udp_wire_bytes,
)

# Write-up 002, as IP lengths; RFC 2544 section 9.1, as frames with their check sequence.
IP_SIZES = (128, 256, 512, 1024, 1500)
FRAME_SIZES = (64, 128, 256, 512, 1024, 1280, 1518)
KINDS = {
    "ip": "length of the IP packet",
    "frame": "length of the Ethernet frame with its check sequence, without a tag",
    "payload": "payload of a datagram; what iperf3 calls length",
    "imix": "mix of 64, 594 and 1518 byte frames, 7 : 4 : 1",
}
# What iperf3 needs in a datagram for its own numbers.
LEAST_PAYLOAD = 16
MOST_PAYLOAD = 65507
HONOURED = (0.9, 1.1)


@dataclass(frozen=True)
class Flow:
    """Datagrams of one payload, and how many of them there are among all."""

    payload: int
    share: float


@dataclass(frozen=True)
class Size:
    """A size that is asked for. C(value) is 0 for a mix."""

    kind: str
    value: int = 0
    mtu: int = 1500
    ip_version: int = 4

    @property
    def headers(self) -> int:
        """IP and UDP header."""
        return IP_HEADER[self.ip_version] + UDP_HEADER

    @property
    def flows(self) -> List[Flow]:
        """The datagrams that make it."""
        return [Flow(payload, share) for payload, share in sized_datagrams(self.kind, self.value, self.ip_version)]

    @property
    def payload(self) -> float:
        """Mean payload of a datagram."""
        return sum(flow.payload * flow.share for flow in self.flows)

    @property
    def packets_per_datagram(self) -> float:
        """IP packets that a datagram makes on a path of this MTU."""
        return sum(fragments(flow.payload, self.mtu, self.ip_version) * flow.share for flow in self.flows)

    @property
    def wire_bits(self) -> float:
        """Bits that a datagram takes on an untagged Ethernet wire, its fragments counted."""
        return 8 * sum(udp_wire_bytes(flow.payload, self.mtu, self.ip_version) * flow.share for flow in self.flows)

    @property
    def nominal_bytes(self) -> float:
        """What one datagram counts as in the formula of the write-up: the size itself; for a mix the mean frame."""
        return float(self.value) if self.kind != "imix" else sum(size * weight for size, weight in IMIX) / sum(weight for _size, weight in IMIX)

    def title(self) -> str:
        """The size with its meaning, for the head of a table."""
        return "IMIX (%s)" % KINDS["imix"] if self.kind == "imix" else "%d B (%s)" % (self.value, KINDS[self.kind])

    def short(self) -> str:
        """The same in few words, for the name of a number."""
        return "IMIX" if self.kind == "imix" else "%d B %s" % (self.value, {"ip": "IP packets", "frame": "frames", "payload": "payload"}[self.kind])

    def problems(self) -> List[str]:
        """What is wrong with the size."""
        if self.kind not in KINDS:
            return ["size_kind: %r is not one of %s" % (self.kind, ", ".join(KINDS))]
        least = LEAST_PAYLOAD - sized_datagrams(self.kind, 0, self.ip_version)[0][0] if self.kind != "imix" else 0
        if self.kind == "imix" and self.value:
            return ["size: %d makes no sense with size_kind=imix; leave it out" % self.value]
        if self.kind != "imix" and not least <= self.value <= MOST_PAYLOAD + least - LEAST_PAYLOAD:
            return ["size: %d is not possible with size_kind=%s; %d to %d" % (self.value, self.kind, least, MOST_PAYLOAD + least - LEAST_PAYLOAD)]
        return []


def rates(size: Size, datagrams: float) -> List[Tuple[Flow, float]]:
    """The payload rate of each flow in bit/s for a total of so many datagrams per second."""
    return [(flow, datagrams * flow.share * flow.payload * 8) for flow in size.flows]


def pps_nominal(size: Size, throughput_bps: Optional[float]) -> Optional[float]:
    """The formula of write-up 002: rate divided by size, with the rate counted in the same layer as the size.

    For C(payload), what iperf3 prints divided by the size, as in the write-up.
    """
    if throughput_bps is None:
        return None
    return throughput_bps * (size.nominal_bytes / size.payload) / (8 * size.nominal_bytes)


def honoured(nominal: Optional[float], measured: Optional[float]) -> Optional[bool]:
    """Whether the packets were of the size asked for: nominal and counted rate are within 10 % of each other."""
    if not nominal or not measured:
        return None
    return HONOURED[0] <= nominal / measured <= HONOURED[1]


def describe(size: Size) -> Dict[str, Any]:
    """The size as conditions of a record."""
    return {
        "size_kind": size.kind,
        "size": size.value or None,
        "size_meaning": KINDS[size.kind],
        "payload_bytes": round(size.payload, 3),
        "ip_bytes": round(size.payload + size.headers, 3),
        "packets_per_datagram": round(size.packets_per_datagram, 4),
    }
