# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state of a VyOS router by the `show` commands that its API carries out, in the neutral shape of router_info.

The API reaches no shell, so what only Linux tells (processors, offloads, sessions of NAT) stays unknown.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux

# Letters of FRR in front of a route.
PROTOCOLS = {"C": "kernel", "K": "kernel", "L": "local", "S": "static", "O": "ospf", "B": "bgp", "R": "rip"}
ROUTE = re.compile(r"^(?P<code>[A-Z])(?: IA| E1| E2| N1| N2)?>\*?\s+(?P<prefix>\S+/\d+) .*$")
HOP = re.compile(r"(?:via (?P<hop>[\d.]+), |is directly connected, )(?P<interface>[^,\s]+)")


def info_of(show: Callable[[str], str | None], manifest: Mapping[str, Any], versions: list[str]) -> dict[str, Any]:
    """``show`` answers a command, or None where the device does not know it."""
    name = re.search(r"^\s*(\S+)\s*$", show("host name") or "")
    return linux.info_of(
        {"ospf": show("ip ospf neighbor")},
        platform=manifest["platform"],
        version=versions[0] if versions else None,
        hostname=name[1] if name else None,
        interfaces=interfaces_of(show("interfaces")),
        routes=routes_of(show("ip route")),
        leases=leases_of(show("dhcp server leases")),
    )


def interfaces_of(text: str | None) -> list[dict[str, Any]] | None:
    """The table of `show interfaces`; only later versions have a column MTU, and an interface with several addresses has several lines."""
    rows = _table(text)
    if rows is None:
        return None
    found: list[dict[str, Any]] = []
    for row in rows:
        address = row.get("IP Address", "")
        addresses = [address] if re.fullmatch(r"[\d.]+/\d+", address) else []
        if row["Interface"]:
            mtu = row.get("MTU", "")
            number = int(mtu) if mtu.isdigit() else None
            found.append({"name": row["Interface"], "up": row.get("S/L", "") == "u/u", "mtu": number, "addresses": addresses, "offloads": None})
        elif found:
            found[-1]["addresses"] += addresses
    return found


def _table(text: str | None) -> list[dict[str, str]] | None:
    """A table whose columns are as wide as the dashes under their heads."""
    lines = (text or "").splitlines()
    at = next((index for index, line in enumerate(lines) if re.fullmatch(r"-+(?: +-+)+ *", line)), 0)
    if not at:
        return None
    begins = [match.start() for match in re.finditer(r"-+", lines[at])]
    spans = list(zip(begins, [*begins[1:], None]))
    heads = [lines[at - 1][begin:end].strip() for begin, end in spans]
    return [{head: line[begin:end].strip() for head, (begin, end) in zip(heads, spans)} for line in lines[at + 1 :] if line.strip()]


def routes_of(text: str | None) -> list[dict[str, Any]] | None:
    """`show ip route` of FRR: chosen routes; further next hops stand on lines of their own."""
    if text is None:
        return None
    found: list[dict[str, Any]] = []
    prefix = protocol = None
    for line in text.splitlines():
        route = ROUTE.match(line)
        if route:
            prefix, protocol = route["prefix"], PROTOCOLS.get(route["code"])
        elif not line.startswith(" "):
            prefix = None
        hop = HOP.search(line)
        if prefix and hop:
            found.append({"prefix": prefix, "next_hop": hop["hop"], "interface": hop["interface"], "protocol": protocol})
    return found


def leases_of(text: str | None) -> list[dict[str, Any]] | None:
    """The table of `show dhcp server leases`; heads differ a little between versions."""
    rows = _table(text)
    if rows is None:
        return None
    found = []
    for row in rows:
        own = {head.lower(): value for head, value in row.items()}
        mac = own.get("mac address") or own.get("hardware address")
        if own.get("state") == "active":
            found.append(
                {"address": own.get("ip address"), "mac": mac or None, "hostname": own.get("hostname") if own.get("hostname") not in ("", "-") else None}
            )
    return found
