# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The statements of a 6WIND VSR that the room ``sixwind`` may write, and the text of a file made of them.

A statement is a path from the root and a value, all on one line. One line of the table is one statement: words, shapes in ``<>``, and parts in brackets
that may be left out. A line that begins with ``feature:`` has no public source; it may be written for a router with ``unconfirmed: true`` only.
"""

from __future__ import annotations

import functools
import re
from typing import Iterable, NamedTuple

TABLE = """
system hostname <name>
system timezone <zone>
system fast-path port <port>
system fast-path virtual-port infrastructure <port>
vrf main ssh-server
vrf main dns server <ip>
vrf main snmp static-info location <text>
vrf main snmp static-info contact <text>
vrf main snmp community <name> authorization read-only[ source <prefix>]
vrf main interface <hardware> <ifname> port <port>
vrf main interface <kind> <ifname> mtu <number>
vrf main interface <kind> <ifname> description <text>
vrf main interface <kind> <ifname> ipv4 address <cidr>
wan_dhcp: vrf main interface <kind> <ifname> ipv4 dhcp
vrf main interface vlan <ifname> vlan-id <number>
vrf main interface vlan <ifname> link-interface <ifname>
vrf main routing static ipv4-route <prefix> next-hop <ip>
ospf: vrf main routing ospf router-id <ip>
ospf: vrf main routing ospf network <prefix> area <ip>
ospf_redistribute: vrf main routing ospf redistribute <source>
vrf main dhcp server default-lease-time <number>
vrf main dhcp server max-lease-time <number>
vrf main dhcp server dhcp-options domain-name <name>
vrf main dhcp server dhcp-options domain-name-server <ip>
vrf main dhcp server subnet <prefix> interface <ifname>
vrf main dhcp server subnet <prefix> range <ip> <ip>
vrf main dhcp server subnet <prefix> default-gateway <ip>
dhcp_hosts: vrf main dhcp server subnet <prefix> host <name> mac-address <mac> ip-address <ip>
vrf main nat source-rule <number>[ source address <prefix>] outbound-interface <ifname> translate-to output-address
ipsec: vrf main ike pre-shared-key <name> secret <text>
ipsec: vrf main ike ike-policy-template <name> ike-proposal 1 <algorithm> <word>
ipsec: vrf main ike ike-policy-template <name> rekey-time <seconds>
ipsec: vrf main ike ipsec-policy-template <name> esp-proposal 1 <algorithm> <word>
ipsec: vrf main ike ipsec-policy-template <name> rekey-time <seconds>
ipsec: vrf main ike ipsec-policy-template <name> start-action start
ipsec: vrf main ike vpn <name> ike-policy template <name>
ipsec: vrf main ike vpn <name> ipsec-policy template <name>
ipsec: vrf main ike vpn <name> version <number>
ipsec: vrf main ike vpn <name> <end>-address <ip>
ipsec: vrf main ike vpn <name> <end>-id <name>
ipsec: vrf main ike vpn <name> security-policy <name> <end>-ts subnet <prefix>
"""
_IP = r"(?:\d{1,3}\.){3}\d{1,3}"
SHAPES = {
    "name": r"[A-Za-z0-9_.@:-]{1,253}",
    "word": r"[a-z0-9-]+",
    "zone": r"[A-Za-z0-9_+/-]+",
    "text": r'(?:"[^"\\?]*"|[A-Za-z0-9_.,:@/+=-]+)',
    "ifname": r"[A-Za-z0-9_.-]{1,15}",
    "port": r"[a-z]+(?:-[a-z0-9]+)+",
    "number": r"\d{1,9}",
    "seconds": r"\d{1,6}s",
    "ip": _IP,
    "prefix": rf"{_IP}/\d{{1,2}}",
    "cidr": rf"{_IP}/\d{{1,2}}",
    "mac": r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}",
    "hardware": r"(?:physical|infrastructure)",
    "kind": r"(?:physical|infrastructure|vlan|loopback)",
    "source": r"(?:connected|static)",
    "algorithm": r"(?:enc-alg|auth-alg|aead-alg|prf-alg|dh-group)",
    "end": r"(?:local|remote)",
}


class Statement(NamedTuple):
    """A row of the table; ``feature`` is None where a public source has it."""

    feature: str | None
    pattern: re.Pattern[str]


@functools.lru_cache(maxsize=1)
def statements() -> list[Statement]:
    """The table as patterns of whole lines."""
    found = []
    for row in TABLE.strip().splitlines():
        feature, colon, shape = row.partition(": ")
        shape = shape if colon else row
        pattern = shape.replace("[", "(?:").replace("]", ")?")
        pattern = re.sub(r"<(\w+)>", lambda match: SHAPES[match[1]], pattern)
        found.append(Statement(feature if colon else None, re.compile(pattern)))
    return found


def check_lines(lines: Iterable[str], unconfirmed: bool) -> list[str]:
    """What is wrong with each line: it is no statement, or one that may not be written for this router."""
    problems = []
    for line in lines:
        rows = [row for row in statements() if row.pattern.fullmatch(line[2:])] if line.startswith("/ ") else []
        if not rows:
            problems.append(f"{line!r} is no statement of the VSR")
        elif not unconfirmed and all(row.feature for row in rows):
            problems.append(f"{line!r} has no public source ({rows[0].feature}), and this router has not unconfirmed: true")
    return problems
