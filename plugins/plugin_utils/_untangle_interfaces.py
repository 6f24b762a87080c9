# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Untangle's list of interfaces: numbers, WANs, VLANs and their parents, and what of a lab cannot be said there.

Everything refers to an interface by its number. It comes from the name (``eth2`` is 3, a VLAN has one from 100 to 239 that its name gives),
so that it stays when other interfaces come and go.
"""

from __future__ import annotations

import re
import zlib
from typing import Any, Iterable, Mapping

Section = dict[str, Any]
FIRST_VLAN, VLANS = 100, 140
PHYSICAL = 99
RESOLVERS = 2
_ETHERNET = re.compile(r"eth([0-9]{1,2})")


def interface_list(model: Mapping[str, Any], problems: list[str]) -> list[Section]:
    """Every interface by its number: those of the lab, and trunks that carry nothing themselves."""
    ports = [port for port in model["ports"] if port["used"]]
    parents = _numbers((port["native"] for port in ports), 1, PHYSICAL)
    tagged = _numbers((item["name"] for item in model["interfaces"] if item["tagged"]), FIRST_VLAN, VLANS)
    wans = wan_names(model, problems)
    found = [_trunk(port, parents[port["native"]]) for port in ports if not port["untagged"]]
    for item in model["interfaces"]:
        parent = parents[item["port_native"]]
        wanted = f"{item['port_native']}.{item['vlan']}" if item["tagged"] else item["port_native"]
        if item["native"] != wanted:
            problems.append(f"interfaces[{item['name']}].native: Untangle names it after its port and VLAN, {wanted}, not {item['native']}")
        own: Section = {"id": tagged[item["name"]], "parent": parent, "tag": item["vlan"]} if item["tagged"] else {"id": parent, "parent": None, "tag": None}
        found.append({**own, "title": item["description"], "device": item["port_native"], "system": wanted, "wan": item["name"] in wans, "own": item})
    _add_services(model, found, problems)
    found.sort(key=lambda item: int(item["id"]))
    for index, item in enumerate(entry for entry in found if entry["wan"]):
        item["imq"] = f"imq{index}"
    return found


def _numbers(names: Iterable[str], first: int, count: int) -> dict[str, int]:
    """A number of its own for each name."""
    found: dict[str, int] = {}
    for name in names:
        ethernet = _ETHERNET.fullmatch(name) if first == 1 else None
        number = int(ethernet[1]) % count if ethernet else zlib.crc32(name.encode()) % count
        while first + number in found.values():
            number = (number + 1) % count
        found[name] = first + number
    return found


def _trunk(port: Mapping[str, Any], number: int) -> Section:
    """A port with nothing but VLANs on it: an interface that is disabled, and brought up all the same."""
    title = port["description"] or port["name"]
    return {"id": number, "parent": None, "tag": None, "title": title, "device": port["native"], "system": port["native"], "wan": False, "own": None}


def wan_names(model: Mapping[str, Any], problems: list[str]) -> list[str]:
    """The interfaces that are WANs. There must be one; only they have gateways, queues and resolvers, and none of them a DHCP server."""
    interfaces = model["interfaces"]
    served = {pool["interface"] for pool in model["dhcp"]["pools"]}
    names = [item["name"] for item in interfaces if item["dhcp"] or item["gateway"] or item["name"] in model["nat"]["outside"]]
    if not names:
        chosen = [item["name"] for item in interfaces if item["name"] not in served]
        names = ["wan"] if "wan" in chosen else chosen[:1]
    if not names:
        problems.append("interfaces: Untangle needs one WAN at least, and every interface here serves DHCP, which a WAN cannot")
    for name in names:
        if name in served:
            problems.append(f"dhcp.pools: Untangle serves no DHCP on a WAN, and {name} has a gateway or is the outside of NAT")
    without = [item["name"] for item in interfaces if item["name"] in names and not item["dhcp"] and not item["gateway"]]
    if len(without) > 1:
        problems.append(f"interfaces: Untangle takes one WAN without a gateway at most, and here are {', '.join(without)}")
    return names


def _add_services(model: Mapping[str, Any], found: list[Section], problems: list[str]) -> None:
    """Resolvers, pools and queues, each with its interface."""
    dns = model["system"]["dns"]
    first = next((item["own"]["name"] for item in found if item["wan"]), None)
    if len(dns) > RESOLVERS:
        problems.append(f"system.dns: Untangle has {RESOLVERS} resolvers at most, those of its WAN")
    queues = {queue["name"]: queue for queue in model["shaper"]["queues"]}
    for item in found:
        own = item["own"]
        pools = [pool for pool in model["dhcp"]["pools"] if own and pool["interface"] == own["name"]]
        if len(pools) > 1:
            problems.append(f"dhcp.pools[{pools[1]['name']}]: Untangle has one range on an interface")
        item["pool"] = pools[0] if pools else None
        item["dns"] = [*dns, None, None][:RESOLVERS] if own and own["name"] == first else [None] * RESOLVERS
        item["queue"] = queues.pop(own["name"], None) if item["wan"] else None
    for name in queues:
        problems.append(f"shaper.queues[{name}]: Untangle shapes its WANs only")


def device_list(model: Mapping[str, Any], problems: list[str]) -> list[Section]:
    """The cards, with an MTU where it is not 1500."""
    found = []
    for port in model["ports"]:
        if port["trunk"] and port["mtu"] != 1500:
            problems.append(f"ports[{port['name']}]: Untangle has an MTU for a card only, and all VLANs on a card would have it")
        if port["used"]:
            found.append({"name": port["native"], "mtu": port["mtu"] if port["mtu"] != 1500 else None})
    return found
