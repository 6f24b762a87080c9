# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can only be seen by looking at the whole lab: links, all addresses, slots."""

from __future__ import annotations

import bisect
from typing import Any, Iterator, Mapping, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import address, area_id, interface
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import Section, own_address, router_id, safe
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_values import HOST, HOST_NAME
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_sections import host_name

Routers = Mapping[str, Section]
TIMERS = (("hello", "OSPF_TIMERS"), ("dead", "OSPF_TIMERS"))
ENDS_AGREE = (("mtu", "OSPF_MTU_MISMATCH"), ("area", "OSPF_AREA"), *TIMERS, ("network_type", "OSPF_NETWORK_TYPE"))


class Owner(NamedTuple):
    """Who has an address. Routers of one slot are never up together; ``device`` is one of them."""

    slot: str
    device: str
    path: str
    text: str


def owners_of(lab: Section, routers: Routers, paths: Mapping[str, str]) -> dict[Any, list[Owner]]:
    """Every static address of the lab."""
    owners: dict[Any, list[Owner]] = {}
    for name, router in routers.items():
        kinds = {"interfaces": router["interfaces"], "loopbacks": router["loopbacks"], "tunnels.wireguard": router["tunnels"]["wireguard"]}
        for kind, items in kinds.items():
            for item in items:
                own = own_address(item)
                if own:
                    path = f"{paths[name]}.{kind}[{item['name']}].address"
                    owners.setdefault(own.ip, []).append(Owner(router["slot"], name, path, str(own)))
    for item in lab.get("endpoints") or []:
        own = safe(interface, item.get("address"))
        if own:
            slot = f"endpoint {item['name']}"
            owners.setdefault(own.ip, []).append(Owner(slot, slot, f"lab.endpoints[{item['name']}].address", str(own)))
    return owners


def check_duplicates(owners: Mapping[Any, list[Owner]]) -> list[Problem]:
    """No address on two devices that can be up together."""
    problems = []
    for places in owners.values():
        for index, place in enumerate(places):
            twin = next((other for other in places[:index] if other.slot != place.slot or other.device == place.device), None)
            if twin:
                message = f"the same address as {twin.path}"
                problems.append(Problem(place.path, place.text, message, "an address of its own", "DUPLICATE_ADDRESS"))
    return problems


def check_router_names(routers: Routers, paths: Mapping[str, str]) -> list[Problem]:
    """Router ids and host names: each on one router that is up."""
    problems = []
    ids: dict[str, tuple[str, str]] = {}
    hosts: dict[str, tuple[str, str]] = {}
    for name, router in routers.items():
        identity = router_id(router) if router["ospf"]["enabled"] else None
        if identity:
            slot, other = ids.setdefault(identity, (router["slot"], name))
            if slot != router["slot"]:
                message = f"router {other} has the same router id"
                problems.append(Problem(f"{paths[name]}.ospf.router_id", identity, message, "a router id of its own", "DUPLICATE_ROUTER_ID"))
        hostname = host_name(router)
        given = bool(router["system"]["hostname"])
        path = f"{paths[name]}.{'system.hostname' if given else 'name'}"
        slot, other = hosts.setdefault(hostname.lower(), (router["slot"], name))
        if slot != router["slot"]:
            problems.append(Problem(path, hostname, f"router {other} has the same host name", "a host name of its own", "DUPLICATE_NAME"))
        if not given and not HOST.fullmatch(hostname):
            message = f"gives the host name {hostname!r}, which is not well formed"
            problems.append(Problem(path, name, message, f"system.hostname with {HOST_NAME[1]}", "FORMAT"))
    return problems


def check_links(lab: Section, routers: Routers, paths: Mapping[str, str]) -> list[Problem]:
    """Along an OSPF link MTU, area, timers and network type agree, else no adjacency forms."""
    mtus = {item["name"]: item.get("mtu") or 1500 for item in lab["networks"]}
    links: dict[str, list[dict[str, Any]]] = {}
    for name, router in routers.items():
        for net, end in _ospf_ends(router, mtus) if router["ospf"]["enabled"] else ():
            links.setdefault(net, []).append({**end, "router": name, "path": paths[name]})
    return [problem for ends in links.values() for problem in _check_link(ends)]


def _ospf_ends(router: Section, mtus: Mapping[str, int]) -> Iterator[tuple[str, dict[str, Any]]]:
    interfaces = {item["name"]: item for item in router["interfaces"]}
    for member in router["ospf"]["interfaces"]:
        item = interfaces.get(member["name"])
        if item is None or member["passive"]:
            continue
        net = item["network"] or item["name"]
        area = member["area"] or router["ospf"]["area"]
        agreed = {key: member[key] for key in ("hello", "dead", "network_type")}
        yield net, {"interface": item["name"], "mtu": item["mtu"] or mtus.get(net, 1500), "area": str(safe(area_id, area) or area), **agreed}


def _check_link(ends: list[dict[str, Any]]) -> list[Problem]:
    first = ends[0]
    problems = []
    for end in ends[1:]:
        for key, code in ENDS_AGREE:
            if end[key] != first[key]:
                place = "interfaces" if key == "mtu" else "ospf.interfaces"
                message = f"differs from {first[key]} on {first['router']}.{first['interface']} at the other end of the link"
                path = f"{end['path']}.{place}[{end['interface']}].{key}"
                problems.append(Problem(path, end[key], message, "the same value at both ends", code))
    return problems


def check_pools(lab: Section, routers: Routers, paths: Mapping[str, str], owners: Mapping[Any, list[Owner]]) -> list[Problem]:
    """A pool gives nobody's address away; a leased address comes from a pool."""
    leased = {f"endpoint {item['name']}" for item in lab.get("endpoints") or [] if item.get("lease")}
    static = sorted(ip for ip, places in owners.items() if any(place.device not in leased for place in places))
    problems = []
    given: list[tuple[Any, Any]] = []
    for name, router in routers.items():
        for pool in router["dhcp"]["pools"] if router["dhcp"]["enabled"] else []:
            start, stop = safe(address, pool["start"]), safe(address, pool["stop"])
            if not start or not stop:
                continue
            given.append((start, stop))
            given += [(fixed, fixed) for fixed in (safe(address, host["address"]) for host in pool["hosts"]) if fixed]
            for ip in static[bisect.bisect_left(static, start): bisect.bisect_right(static, stop)]:
                other = next((place for place in owners[ip] if place.slot != router["slot"] and place.device not in leased), None)
                if other:
                    message = f"the pool holds {ip}, which is {other.path}"
                    path = f"{paths[name]}.dhcp.pools[{pool['name']}].start"
                    problems.append(Problem(path, f"{start}-{stop}", message, "a range without it", "POOL_HOLDS_ADDRESS"))
    return problems + _leases(lab, given)


def _leases(lab: Section, given: list[tuple[Any, Any]]) -> list[Problem]:
    problems = []
    for item in lab.get("endpoints") or []:
        own = safe(interface, item.get("address")) if item.get("lease") else None
        if own and not any(start <= own.ip <= stop for start, stop in given):
            path = f"lab.endpoints[{item['name']}].lease"
            message = f"no pool gives {own.ip} away, and no fixed address does"
            problems.append(Problem(path, NOTHING, message, "an address of a pool, or no address with lease: true", "CONTRADICTION"))
    return problems


def check_slots(routers: Routers, paths: Mapping[str, str]) -> list[Problem]:
    """Routers that stand in for one another have the same addresses and hand out the same ones."""
    problems = []
    first: dict[tuple[str, str, str], tuple[str, Any]] = {}
    for name, router in routers.items():
        for item in router["interfaces"]:
            mine = str(item["address"])
            other, theirs = first.setdefault((router["slot"], "interfaces", item["name"]), (name, mine))
            if mine != theirs:
                path = f"{paths[name]}.interfaces[{item['name']}].address"
                problems.append(Problem(path, mine, f"router {other} of the same slot has {theirs}", "the same address, or another slot", "UNEQUAL_SLOT"))
        for pool in router["dhcp"]["pools"] if router["dhcp"]["enabled"] else []:
            mine = f"{pool['start']}-{pool['stop']}"
            other, theirs = first.setdefault((router["slot"], "pools", pool["name"]), (name, mine))
            if mine != theirs:
                path = f"{paths[name]}.dhcp.pools[{pool['name']}]"
                valid = "the same pool on all of them, or else they are not configured alike"
                problems.append(Problem(path, mine, f"router {other} of the same slot has {theirs}", valid, "UNEQUAL_POOLS"))
    return problems
