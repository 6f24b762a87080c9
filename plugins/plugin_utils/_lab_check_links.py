# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can only be seen by looking at the whole lab: networks, links, all addresses."""

from __future__ import annotations

import ipaddress
import itertools
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import interface, network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import Section, own_address, safe, unknown
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import Problem

Routers = Mapping[str, Section]


def check_networks(lab: Section) -> list[Problem]:
    """Prefixes, tags and MTUs of the segments; none may overlap another."""
    problems = []
    known = []
    for item in lab["networks"]:
        path = f"lab.networks[{item['name']}]"
        subnet = safe(network, item.get("subnet"))
        if item.get("subnet") and subnet is None:
            problems.append(Problem(f"{path}.subnet", item["subnet"], "is not well formed", "an IPv4 prefix without host bits, A.B.C.0/L", "FORMAT"))
        for key, low, high in (("vlan", 1, 4094), ("mtu", 576, 9216)):
            if item.get(key) is not None and not low <= item[key] <= high:
                problems.append(Problem(f"{path}.{key}", item[key], "is out of range", f"{low} to {high}", "OUT_OF_RANGE"))
        if subnet:
            known.append((item["name"], subnet))
    for (name, subnet), (other, taken) in itertools.combinations(known, 2):
        if subnet.overlaps(taken):
            problems.append(Problem(f"lab.networks[{other}].subnet", str(taken), f"overlaps network {name} ({subnet})", "a prefix of its own", "OVERLAP"))
    return problems


def check_endpoints(lab: Section) -> list[Problem]:
    """Traffic hosts sit in networks that exist, with addresses of them."""
    problems = []
    networks = {item["name"]: item for item in lab["networks"]}
    for item in lab.get("endpoints") or []:
        path = f"lab.endpoints[{item['name']}]"
        name = item.get("network") or item["name"]
        if name not in networks:
            problems.append(unknown(f"{path}.network", name, "network", networks))
        subnet = safe(network, networks.get(name, {}).get("subnet"))
        for key in ("address", "l2_address"):
            text = item.get(key)
            own = safe(interface, text)
            if text and own is None:
                problems.append(Problem(f"{path}.{key}", text, "is not well formed", "A.B.C.D/L", "FORMAT"))
            elif key == "address" and own and subnet and own.network != subnet:
                problems.append(Problem(f"{path}.{key}", text, f"is not in network {name}", f"an address of {subnet}", "OUTSIDE_NETWORK"))
    return problems


def check_duplicates(lab: Section, routers: Routers, paths: Mapping[str, str]) -> list[Problem]:
    """No address on two devices that can be up together. Routers of one slot cannot."""
    owners: dict[Any, list[tuple[str, str, str]]] = {}
    for name, router in routers.items():
        for kind in ("interfaces", "loopbacks"):
            for item in router[kind]:
                own = own_address(item)
                if own:
                    owners.setdefault(own.ip, []).append((router["slot"], f"{paths[name]}.{kind}[{item['name']}].address", str(own)))
    for item in lab.get("endpoints") or []:
        own = safe(interface, item.get("address"))
        if own:
            owners.setdefault(own.ip, []).append((f"endpoint {item['name']}", f"lab.endpoints[{item['name']}].address", str(own)))
    problems = []
    for places in owners.values():
        for index, (slot, path, text) in enumerate(places):
            twin = next((p for s, p, _t in places[:index] if s != slot or p.rsplit(".", 2)[0] == path.rsplit(".", 2)[0]), None)
            if twin:
                problems.append(Problem(path, text, f"the same address as {twin}", "an address of its own", "DUPLICATE_ADDRESS"))
    return problems + _duplicate_router_ids(routers, paths)


def _duplicate_router_ids(routers: Routers, paths: Mapping[str, str]) -> list[Problem]:
    seen: dict[str, tuple[str, str]] = {}
    problems = []
    for name, router in routers.items():
        identity = router["ospf"]["router_id"] if router["ospf"]["enabled"] else None
        if not identity:
            continue
        if identity in seen and seen[identity][0] != router["slot"]:
            path = f"{paths[name]}.ospf.router_id"
            problems.append(Problem(path, identity, f"router {seen[identity][1]} has the same router id", "a router id of its own", "DUPLICATE_ROUTER_ID"))
        seen.setdefault(identity, (router["slot"], name))
    return problems


def check_links(lab: Section, routers: Routers, paths: Mapping[str, str]) -> list[Problem]:
    """Along an OSPF link MTU, area, timers and network type agree, else no adjacency forms."""
    mtus = {item["name"]: item.get("mtu") or 1500 for item in lab["networks"]}
    links: dict[str, list[dict[str, Any]]] = {}
    for name, router in routers.items():
        if not router["ospf"]["enabled"]:
            continue
        interfaces = {item["name"]: item for item in router["interfaces"]}
        for member in router["ospf"]["interfaces"]:
            item = interfaces.get(member["name"])
            if item is None or member["passive"]:
                continue
            net = item["network"] or item["name"]
            links.setdefault(net, []).append(
                {
                    "router": name,
                    "path": paths[name],
                    "interface": item["name"],
                    "mtu": item["mtu"] or mtus.get(net, 1500),
                    "area": member["area"] or router["ospf"]["area"],
                    **{key: member[key] for key in ("hello", "dead", "network_type")},
                }
            )
    return [problem for ends in links.values() for problem in _check_link(ends)]


def _check_link(ends: list[dict[str, Any]]) -> list[Problem]:
    first = ends[0]
    problems = []
    for end in ends[1:]:
        for key, code in (("mtu", "OSPF_MTU_MISMATCH"), ("area", "OSPF_AREA"), ("hello", "OSPF_TIMERS"), ("dead", "OSPF_TIMERS"), ("network_type", "OSPF_NETWORK_TYPE")):
            if _same(end[key]) != _same(first[key]):
                place = "interfaces" if key == "mtu" else "ospf.interfaces"
                message = f"differs from {first[key]} on {first['router']}.{first['interface']} at the other end of the link"
                problems.append(Problem(f"{end['path']}.{place}[{end['interface']}].{key}", end[key], message, "the same value at both ends", code))
    return problems


def _same(value: Any) -> Any:
    if isinstance(value, str) and (value.isdigit() or value.count(".") == 3):
        return ipaddress.IPv4Address(int(value)) if value.isdigit() else safe(ipaddress.IPv4Address, value)
    return value


def check_slots(routers: Routers, paths: Mapping[str, str]) -> list[Problem]:
    """Routers that stand in for one another hand out the same addresses."""
    problems = []
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for name, router in routers.items():
        for pool in router["dhcp"]["pools"] if router["dhcp"]["enabled"] else []:
            mine = f"{pool['start']}-{pool['stop']}"
            other, theirs = first.setdefault((router["slot"], pool["name"]), (name, mine))
            if mine != theirs:
                path = f"{paths[name]}.dhcp.pools[{pool['name']}]"
                problems.append(Problem(path, mine, f"router {other} of the same slot has {theirs}", "the same pool on all of them, or else they are not configured alike", "UNEQUAL_POOLS"))
    return problems
