# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The sections of ``router_model``: OSPF, DHCP, NAT, firewall, shaper, tunnels."""

from __future__ import annotations

import itertools
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import address, address_facts, area_id, network, prefix_facts

Section = dict[str, Any]
Interfaces = list[dict[str, Any]]


def _by_name(items: Interfaces) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in items}


def host_name(router: Mapping[str, Any]) -> str:
    """The host name: given, or the router's name in the letters that a host name may have."""
    return str(router["system"]["hostname"] or router["name"].split(".")[0].replace("_", "-"))


def ospf_model(router: Mapping[str, Any], interfaces: Interfaces, loopbacks: Interfaces) -> Section:
    """OSPF with its areas, both as networks and as interfaces."""
    ospf = router["ospf"]
    known = {**_by_name(interfaces), **_by_name(loopbacks)}
    members = []
    for item in ospf["interfaces"] if ospf["enabled"] else []:
        own = known[item["name"]]
        area = area_id(item["area"] or ospf["area"])
        members.append(
            {
                **{key: item[key] for key in ("name", "passive", "network_type", "cost", "hello", "dead")},
                "loopback": item["name"] not in _by_name(interfaces),
                "native": own.get("native"),
                "area": str(area),
                "area_int": int(area),
                **{key: own[key] for key in ("prefix", "network_address", "prefix_len", "netmask", "wildcard", "address", "cidr")},
            }
        )
    areas = [
        {"id": area, "int": int(area_id(area)), "members": [item for item in members if item["area"] == area]}
        for area in sorted({item["area"] for item in members}, key=area_id)
    ]
    redistribute = {item["name"]: item for item in ospf["redistribute"]}
    static = [item["address"] for item in [*loopbacks, *interfaces] if item["address"]]
    return {
        "enabled": ospf["enabled"],
        "router_id": ospf["router_id"] or (static[0] if static else None),
        "area": str(area_id(ospf["area"])),
        "form": ospf["form"],
        "interfaces": members,
        "areas": areas,
        "redistribute": {name: redistribute.get(name) for name in ("connected", "static")},
        "default_originate": ospf["default_originate"],
    }


def dhcp_model(router: Mapping[str, Any], interfaces: Interfaces, default_backend: str) -> Section:
    """The DHCP server with one pool for each network that it serves."""
    dhcp = router["dhcp"]
    known = _by_name(interfaces)
    backend = dhcp["backend"] if dhcp["backend"] != "default" else default_backend
    pools = [_pool(item, known[item["interface"] or item["name"]]) for item in dhcp["pools"]] if dhcp["enabled"] else []
    return {"enabled": dhcp["enabled"], "backend": backend, "authoritative": dhcp["authoritative"], "pools": pools}


def _pool(item: Mapping[str, Any], served: Mapping[str, Any]) -> Section:
    net = network(served["subnet"])
    start, stop = address(item["start"]), address(item["stop"])
    gateway = {"auto": served["address"], "none": None}.get(item["gateway"], item["gateway"])
    return {
        "name": item["name"],
        "label": item["name"].upper(),
        "id": item["id"] or served["vlan"] or int(net.network_address),
        "interface": served["name"],
        "native": served["native"],
        **prefix_facts(net),
        "start": str(start),
        "stop": str(stop),
        "start_offset": int(start) - int(net.network_address),
        "count": int(stop) - int(start) + 1,
        "lease": item["lease"],
        "lease_minutes": -(-item["lease"] // 60),
        "gateway": gateway,
        "dns": item["dns"],
        "domain": item["domain"],
        "hosts": item["hosts"],
    }


def nat_model(router: Mapping[str, Any], interfaces: Interfaces) -> Section:
    """Source NAT: masquerade rules with the outside interface's native name."""
    nat = router["nat"]
    known = _by_name(interfaces)
    rules = []
    for index, item in enumerate(nat["rules"] if nat["enabled"] else []):
        outside = known[item["interface"]]
        rules.append(
            {
                "name": item["name"],
                "index": index,
                "number": (index + 1) * 10,
                "interface": outside["name"],
                "native": outside["native"],
                "source": item["source"],
                "source_facts": prefix_facts(network(item["source"])) if item["source"] else None,
            }
        )
    outside_names = {rule["interface"] for rule in rules}
    inside = [item["name"] for item in interfaces if item["name"] not in outside_names]
    return {"enabled": nat["enabled"], "rules": rules, "outside": sorted(outside_names), "inside": inside}


def firewall_model(router: Mapping[str, Any], interfaces: Interfaces, tunnels: Mapping[str, Any]) -> Section:
    """Rule sets, their bindings to interfaces, and zones with every pair of them."""
    firewall = router["firewall"]
    mode = firewall["mode"]
    known = _by_name(interfaces)
    rule_sets = [{**item, "rules": [_rule(rule) for rule in sorted(item["rules"], key=lambda rule: int(rule["name"]))]} for item in firewall["rule_sets"]]
    bindings = [
        {"interface": item["name"], "native": known[item["name"]]["native"], "in": item["in"], "out": item["out"], "local": item["local"]}
        for item in firewall["bindings"]
        if mode == "stateful"
    ]
    zones = [_zone(zone, interfaces, tunnels) for zone in firewall["zones"] if mode == "zones"]
    return {
        "mode": mode,
        "packet_filter": firewall["packet_filter"],
        "rule_sets": rule_sets if mode != "none" else [],
        "bindings": bindings,
        "zones": zones,
        "zone_pairs": _zone_pairs(zones),
        "stacked": any(item["in"] for item in bindings) and any(item["out"] for item in bindings),
    }


def _rule(rule: Mapping[str, Any]) -> Section:
    return {**{key: value for key, value in rule.items() if key != "name"}, "number": int(rule["name"])}


def _zone(zone: Mapping[str, Any], interfaces: Interfaces, tunnels: Mapping[str, Any]) -> Section:
    """A zone with its members: interfaces, and tunnels that it lists. ``natives`` are the platform's own names of both."""
    members = [item for item in interfaces if item["zone"] == zone["name"]]
    inside = [item for kind in ("wireguard", "openvpn") for item in tunnels[kind] if item["name"] in zone["interfaces"]]
    return {
        **{key: zone[key] for key in ("name", "local", "default", "intra", "from")},
        "interfaces": [item["name"] for item in members],
        "tunnels": [item["name"] for item in inside],
        "natives": [item["native"] for item in [*members, *inside]],
    }


def _zone_pairs(zones: Interfaces) -> Interfaces:
    """Every ordered pair of different zones: the rule set that applies, or the default."""
    pairs = []
    for to in zones:
        sets = {entry["name"]: entry["rule_set"] for entry in to["from"]}
        for source in zones:
            if source["name"] != to["name"]:
                pairs.append({"from": source["name"], "to": to["name"], "rule_set": sets.get(source["name"]), "default": to["default"]})
    return pairs


def shaper_model(router: Mapping[str, Any], interfaces: Interfaces, tunnels: Mapping[str, Any]) -> Section:
    """Shaped interfaces; a queue may lie on a tunnel."""
    known = _by_name(interfaces)
    names = {item["name"]: item["native"] for kind in ("wireguard", "openvpn") for item in tunnels[kind]}
    queues = []
    for index, item in enumerate(router["shaper"]["queues"] if router["shaper"]["enabled"] else []):
        native = known[item["name"]]["native"] if item["name"] in known else names[item["name"]]
        queues.append({**item, "index": index, "native": native, "tunnel": item["name"] not in known})
    return {"enabled": router["shaper"]["enabled"], "queues": queues}


def tunnels_model(router: Mapping[str, Any], interfaces: Interfaces, forms: Mapping[str, Any]) -> Section:
    """Tunnels with their addresses worked out, and the platform's own names of their interfaces."""
    known = _by_name(interfaces)
    tunnels = router["tunnels"]
    wireguard = [_wireguard(index, item) for index, item in enumerate(tunnels["wireguard"])]
    openvpn = [_openvpn(index, item) for index, item in enumerate(tunnels["openvpn"])]
    ipsec = []
    for index, item in enumerate(tunnels["ipsec"]):
        outside = known[item["interface"]]
        local_id = item["local_id"] or outside["address"]
        ipsec.append(
            {
                **item,
                "index": index,
                "native": outside["native"],
                "local": outside["address"],
                "local_id": local_id,
                "remote_id": item["remote_id"] or item["remote"],
                "local_facts": [prefix_facts(network(prefix)) for prefix in item["local_subnets"]],
                "remote_facts": [prefix_facts(network(prefix)) for prefix in item["remote_subnets"]],
            }
        )
    for kind, items in (("wireguard", wireguard), ("openvpn", openvpn)):
        for item in items:
            item["native"] = forms.get(kind, "{name}").format(name=item["name"], index=item["index"])
    pairs = itertools.count(1)
    for item in ipsec:
        both = itertools.product(item["local_facts"], item["remote_facts"])
        item["pairs"] = [{"number": next(pairs), "local": here["prefix"], "remote": there["prefix"]} for here, there in both]
    return {"wireguard": wireguard, "openvpn": openvpn, "ipsec": ipsec}


def _wireguard(index: int, item: Mapping[str, Any]) -> Section:
    """An interface with its address, and what of its peers' prefixes needs a route of its own."""
    own = address_facts(item["address"])
    nets = [network(prefix) for peer in item["peers"] for prefix in peer["allowed_ips"]]
    routes = [str(net) for net in nets if net.prefixlen > 0 and not net.subnet_of(network(own["prefix"]))]
    return {**item, **own, "index": index, "routes": routes}


def _openvpn(index: int, item: Mapping[str, Any]) -> Section:
    """A point-to-point link: the server has the first address of the subnet, the client the second."""
    net = network(item["subnet"])
    first = 0 if net.prefixlen > 30 else 1
    ends = [str(net[position]) if position < net.num_addresses else None for position in (first, first + 1)]
    own, other = ends if item["mode"] == "server" else reversed(ends)
    return {
        **item,
        "index": index,
        "subnet_facts": prefix_facts(net),
        "tunnel_local": own,
        "tunnel_remote": other,
        "route_facts": [prefix_facts(network(prefix)) for prefix in item["routes"]],
    }
