# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""For platforms that call interfaces by role (wan, lan, opt1), next hops by name, and NAT rules automatic."""

from __future__ import annotations

import fnmatch
import re
import zlib
from typing import Any, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import address, network

Section = dict[str, Any]
_NUMBERED = re.compile(r"(lan|opt)([1-9][0-9]?)")


def interface_keys(names: Iterable[str], outside: str | None) -> dict[str, str]:
    """``wan``, ``lan`` or ``optN`` of each interface.

    It comes from the interface's name, so that it stays when other interfaces come and go: lan2 is opt1, lan3 is opt2, opt7 is opt7. Any other name
    has a number of its own from 100 on. There is always a wan: the outside interface, or the first one.
    """
    names = list(names)
    keys: dict[str, str] = {}
    for name in names:
        own = _own_key(name)
        if own and own not in keys.values():
            keys[name] = own
    if names and "wan" not in keys.values():
        keys[outside if outside in names else next((name for name in names if name not in keys), names[0])] = "wan"
    for name in names:
        number = 100 + zlib.crc32(name.encode()) % 900
        while name not in keys:
            if f"opt{number}" not in keys.values():
                keys[name] = f"opt{number}"
            number = 100 + (number - 99) % 900
    return {name: keys[name] for name in names}


def loopback_keys(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """``optN`` of each loopback, on platforms that have interfaces for them: numbers of their own from 1000 on, beside all others."""
    used = set(taken)
    keys: dict[str, str] = {}
    for name in names:
        number = 1000 + zlib.crc32(name.encode()) % 1000
        while f"opt{number}" in used:
            number = 1000 + (number - 999) % 1000
        keys[name] = f"opt{number}"
        used.add(keys[name])
    return keys


def _own_key(name: str) -> str | None:
    lower = name.lower()
    numbered = _NUMBERED.fullmatch(lower)
    if lower in ("wan", "lan"):
        return lower
    if numbered and lower != "lan1":
        return f"opt{int(numbered[2]) - (numbered[1] == 'lan')}"
    return None


def gateways_model(interfaces: list[Section], routes: list[Section]) -> list[Section]:
    """Each next hop once, with a name, the interface that it lies behind (None where that is not known), and whether it is the
    default one, or a second one beside that (``spare``)."""
    found: dict[str, Section] = {}
    defaults = [route["gateway"] for route in routes if route["gateway"] and route["prefix"] == "0.0.0.0/0"]
    for route in routes:
        hop = route["gateway"]
        if hop and hop not in found:
            behind = next((item["name"] for item in interfaces if item["prefix"] and address(hop) in network(item["prefix"])), None)
            found[hop] = {"name": gateway_name(hop), "address": hop, "interface": behind, "default": hop in defaults[:1], "spare": hop in defaults[1:]}
    return list(found.values())


def gateway_name(hop: str) -> str:
    """``GW_192_0_2_1``"""
    return "GW_" + hop.replace(".", "_")


def nat_way(nat: Mapping[str, Any], interfaces: list[Section], learns: bool) -> str:
    """How NAT rules come about where a platform has automatic ones: ``off``, ``automatic``, ``both`` or ``listed``.

    Automatic rules translate the router's own networks on every interface with a gateway. A rule without a source leaves the sources to
    the platform, if each such interface has one and no network is learned by a routing protocol; else it speaks of all sources and is listed.
    """
    if not nat["enabled"]:
        return "off"
    ways_out = {item["name"] for item in interfaces if item["dhcp"] or item["gateway"]}
    left = {rule["interface"] for rule in nat["rules"] if not rule["source"]}
    if learns or not left or left != ways_out:
        return "listed"
    return "both" if any(rule["source"] for rule in nat["rules"]) else "automatic"


def virtual_ports(ports: list[Section], patterns: Iterable[str]) -> bool:
    """Whether a used port is a hypervisor's card."""
    patterns = list(patterns)
    return any(port["used"] and any(fnmatch.fnmatchcase(port["native"], pattern) for pattern in patterns) for port in ports)


def ospf_plain(ospf: Mapping[str, Any]) -> bool:
    """Whether OSPF is put on networks and nothing is said of any member but its area."""
    return ospf["form"] == "networks" and not any(
        item["passive"] or item["cost"] is not None or item["network_type"] != "broadcast" or (item["hello"], item["dead"]) != (10, 40)
        for item in ospf["interfaces"]
    )
