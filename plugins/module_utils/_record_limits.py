# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much payload a link can carry: the share of the wire that is payload, and the line rate in frames per second or in packets of a size.

Wire bytes of one packet = IP packet + 18 (Ethernet header and frame check sequence) + 20 (preamble and gap between frames) + 4 per VLAN tag.
"""

from __future__ import annotations

import math
from typing import List, Optional, Tuple

ETHERNET_HEADER = 18
ETHERNET_GAP = 20
VLAN_TAG = 4
IP_HEADER = {4: 20, 6: 40}
UDP_HEADER = 8
TCP_HEADER = 20
TCP_TIMESTAMPS = 12
# What a packet inside a tunnel costs outside of it (outer IPv4): IP 20 + UDP 8 + WireGuard 32.
WIREGUARD_V4 = 60
# Seven small, four middle and one large packet, as Ethernet frames.
IMIX = ((64, 7), (594, 4), (1518, 1))


def wire_overhead(vlan_tags: int = 0, tunnel: int = 0) -> int:
    """Bytes on the wire around one IP packet."""
    return ETHERNET_HEADER + ETHERNET_GAP + VLAN_TAG * vlan_tags + tunnel


def tcp_fraction(mtu: int = 1500, ip_version: int = 4, timestamps: bool = True, vlan_tags: int = 0, tunnel: int = 0) -> float:
    """Payload divided by wire bytes of a full-sized TCP segment; C(mtu) is the one of the (inner) path."""
    payload = mtu - IP_HEADER[ip_version] - TCP_HEADER - (TCP_TIMESTAMPS if timestamps else 0)
    return payload / (mtu + wire_overhead(vlan_tags, tunnel))


def fragments(length: int, mtu: int = 1500, ip_version: int = 4) -> int:
    """IP packets of one UDP datagram of C(length) payload bytes."""
    datagram = length + UDP_HEADER
    room = mtu - IP_HEADER[ip_version]
    # every fragment but the last carries a multiple of eight bytes
    return 1 if datagram <= room else math.ceil(datagram / (room - room % 8))


def udp_wire_bytes(length: int, mtu: int = 1500, ip_version: int = 4, vlan_tags: int = 0, tunnel: int = 0) -> int:
    """Bytes on the wire of one UDP datagram of C(length) payload bytes, its fragments counted."""
    per_packet = IP_HEADER[ip_version] + wire_overhead(vlan_tags, tunnel)
    return length + UDP_HEADER + fragments(length, mtu, ip_version) * per_packet


def udp_fraction(length: int, mtu: int = 1500, ip_version: int = 4, vlan_tags: int = 0, tunnel: int = 0) -> float:
    """Payload divided by wire bytes of one UDP datagram of C(length) payload bytes."""
    return length / udp_wire_bytes(length, mtu, ip_version, vlan_tags, tunnel)


def sized_datagrams(kind: str, size: int, ip_version: int = 4) -> List[Tuple[int, float]]:
    """Payload and share of the datagrams of a packet size: C(payload), C(ip) packet, Ethernet C(frame), or C(imix)."""
    headers = {"payload": 0, "ip": IP_HEADER[ip_version] + UDP_HEADER, "frame": IP_HEADER[ip_version] + UDP_HEADER + ETHERNET_HEADER}
    if kind != "imix":
        return [(size - headers[kind], 1.0)]
    total = sum(weight for _size, weight in IMIX)
    return [(frame - headers["frame"], weight / total) for frame, weight in IMIX]


def sized_limits(link_bps: float, kind: str, size: int, mtu: int = 1500, ip_version: int = 4, vlan_tags: int = 0) -> Tuple[float, float]:
    """What a link carries of packets of a size: payload in bit/s, and packets per second."""
    flows = sized_datagrams(kind, size, ip_version)
    datagrams = link_bps / (8 * sum(share * udp_wire_bytes(payload, mtu, ip_version, vlan_tags) for payload, share in flows))
    payload_bits = 8 * sum(share * payload for payload, share in flows)
    return datagrams * payload_bits, datagrams * sum(share * fragments(payload, mtu, ip_version) for payload, share in flows)


def frames_per_second(frame: int, link_bps: float) -> int:
    """Line rate in frames of C(frame) bytes, Ethernet header and frame check sequence counted (RFC 2544 sizes)."""
    return round(link_bps / (8 * (frame + ETHERNET_GAP)))


def most_generous_fraction(protocol: str, mss: Optional[float] = None, length: Optional[float] = None) -> float:
    """The largest payload share that any header layout allows: above it a number is wrong, whatever the path looked like.

    The MSS that iperf3 prints is that of the control connection and may or may not hold the timestamps; the kinder case is taken.
    """
    if protocol == "udp":
        size = int(length) if length and length > 0 else 1472
        return size / (size + UDP_HEADER + IP_HEADER[4] + wire_overhead())
    size = int(mss) if mss and mss > 0 else 1460
    return size / (size + TCP_HEADER + IP_HEADER[4] + wire_overhead())
