# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the merged description of a router to ``router_model``, which templates print.

Everything is computed here: addresses, masks, interface names, order, references.
A template finds a value or None, never something to work out.
"""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import NO_ADDRESS, address_facts, area_id, host, network, prefix_facts
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import SECRET_FIELDS
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_inbound import inbound_model
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import known_part, router_profiles, router_section
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_roles import (
    gateways_model,
    interface_keys,
    loopback_keys,
    nat_way,
    ospf_plain,
    virtual_ports,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import fill_defaults, section_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_sections import (
    dhcp_model,
    firewall_model,
    host_name,
    nat_model,
    ospf_model,
    shaper_model,
    tunnels_model,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import DEFAULT_NAMES, Platform, dhcp_backend, find_dialect, native_name

Model = dict[str, Any]
MODEL_SCHEMA = "routerlab.bench/model/1"
NIC_OFFLOADS = ("checksum", "tso", "gro", "lro")


def find_named(items: list[dict[str, Any]], name: str | None) -> dict[str, Any] | None:
    """The item of that name, or None."""
    return next((item for item in items if item.get("name") == name), None)


def merged_router(lab: Mapping[str, Any], name: str, profile: str | None = None) -> dict[str, Any]:
    """One router's section under a profile, every option present, with the router's own keys."""
    router = find_named(lab["routers"], name)
    if router is None:
        raise KeyError(name)
    chosen = find_named(router_profiles(lab, router), profile) if profile else None
    if profile and chosen is None:
        raise KeyError(profile)
    section = fill_defaults(router_section(lab, router, chosen), section_spec())
    managed = router.get("managed") is not False
    keys = {"name": name, **{key: router.get(key) for key in ("platform", "version", "device_class")}}
    keys = {**keys, "slot": router.get("slot") or name, "managed": managed, "profile": profile}
    keys["unconfirmed"] = router.get("unconfirmed") is True
    return {**(section if managed else known_part(section)), **keys}


def resolve_router(lab: Mapping[str, Any], name: str, profile: str | None, platforms: Mapping[str, Platform]) -> Model:
    """The ``router_model`` of one router of a lab that has passed the checks.

    Raises KeyError for a router or profile that the lab does not have.
    """
    router = merged_router(lab, name, profile)
    platform = platforms.get(router["platform"] or "", {})
    dialect = find_dialect(platform, router["version"]) if platform else None
    platform = {**platform, **{key: value for key, value in (dialect or {}).items() if key == "interface_names"}}
    ports = _ports(router)
    interfaces = _interfaces(lab, router, ports, platform)
    loopbacks = [{"name": item["name"], **address_facts(item["address"])} for item in router["loopbacks"]]
    model: Model = {
        "schema": MODEL_SCHEMA,
        "lab": {"name": lab["name"], "title": lab.get("title") or lab["name"]},
        "profile": profile,
        **{key: router[key] for key in ("name", "platform", "version", "device_class", "slot", "managed", "unconfirmed")},
        "dialect": dialect["name"] if dialect else None,
        "system": _system(router),
        "management": router["management"],
        "ports": _finish_ports(ports, interfaces),
        "interfaces": interfaces,
        "loopbacks": loopbacks,
        "static_routes": _static_routes(router, interfaces),
        "offload": router["offload"],
        "tuning": router["tuning"],
    }
    model["ospf"] = ospf_model(router, interfaces, loopbacks)
    model["dhcp"] = dhcp_model(router, interfaces, dhcp_backend(platform, dialect))
    model["nat"] = nat_model(router, interfaces)
    model["wan"] = _wan(interfaces, model["nat"]["outside"])
    model["tunnels"] = tunnels_model(router, interfaces, platform.get("interface_names", DEFAULT_NAMES))
    model["firewall"] = firewall_model(router, interfaces, model["tunnels"])
    model["shaper"] = shaper_model(router, interfaces, model["tunnels"])
    _add_roles(model, platform)
    model["secrets"] = sorted(_secrets(router), key=len, reverse=True)
    model["flags"] = _flags(model)
    return model


def _add_roles(model: Model, platform: Platform) -> None:
    """What platforms need that call interfaces and next hops by name, and whose filter keeps states."""
    interfaces, routes = model["interfaces"], model["static_routes"]
    wan = model["wan"]["name"] if model["wan"] else None
    model["interface_keys"] = interface_keys([item["name"] for item in interfaces], wan)
    model["loopback_keys"] = loopback_keys([item["name"] for item in model["loopbacks"]], model["interface_keys"].values())
    model["gateways"] = gateways_model(interfaces, routes)
    model["nat"]["way"] = nat_way(model["nat"], interfaces, model["ospf"]["enabled"])
    model["ospf"]["plain"] = ospf_plain(model["ospf"])
    model["ospf"]["on_loopback"] = any(item["loopback"] for item in model["ospf"]["interfaces"])
    model["dhcp"]["resolver"] = any(item["address"] in pool["dns"] for pool in model["dhcp"]["pools"] for item in interfaces if item["address"])
    ways_out = [item["name"] for item in interfaces if item["dhcp"] or item["gateway"]]
    model["firewall"]["inbound"] = inbound_model(model["firewall"], interfaces, (ways_out or [None])[0], model["ospf"]["enabled"] or bool(routes))
    model["virtual_ports"] = virtual_ports(model["ports"], platform.get("virtual_ports") or [])


def _system(router: Mapping[str, Any]) -> dict[str, Any]:
    system = dict(router["system"])
    system["hostname"] = host_name(router)
    system["fqdn"] = f"{system['hostname']}.{system['domain']}" if system["domain"] else system["hostname"]
    return system


def _ports(router: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The router's ports by name, with those that only an interface names (on a router that somebody else configures)."""
    ports: dict[str, Any] = {item["port"] or item["name"]: {"native": None, "mac": None, "description": None, "members": []} for item in router["interfaces"]}
    listed = {port["name"]: port for port in router["ports"]}
    ordered = {**listed, **{name: port for name, port in ports.items() if name not in listed}}
    return {name: {**port, "name": name, "native": port["native"] or name} for name, port in ordered.items()}


def _interfaces(lab: Mapping[str, Any], router: Mapping[str, Any], ports: dict[str, dict[str, Any]], platform: Platform) -> list[dict[str, Any]]:
    networks = {item["name"]: item for item in lab["networks"]}
    names = platform.get("interface_names", DEFAULT_NAMES)
    found = []
    for index, item in enumerate(router["interfaces"]):
        net = networks[item["network"] or item["name"]]
        port = ports[item["port"] or item["name"]]
        vlan = net.get("vlan") if item["tagged"] else None
        label = item["name"].upper()
        dhcp = item["address"] == "dhcp"
        found.append(
            {
                "name": item["name"],
                "label": label,
                "index": index,
                "description": item["description"] or label,
                "zone": item["zone"] or _zone_of(router, item["name"]),
                "network": net["name"],
                "port": port["name"],
                "port_native": port["native"],
                "tagged": item["tagged"],
                "vlan": vlan,
                "native": native_name(names, item, port["native"], vlan),
                "dhcp": dhcp,
                **(NO_ADDRESS if dhcp or not item["address"] else address_facts(item["address"])),
                "gateway": item["gateway"],
                "mtu": item["mtu"] or net.get("mtu") or 1500,
            }
        )
    return found


def _zone_of(router: Mapping[str, Any], interface: str) -> str | None:
    return next((zone["name"] for zone in router["firewall"]["zones"] if interface in zone["interfaces"]), None)


def _finish_ports(ports: dict[str, dict[str, Any]], interfaces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ports with what lies on them. A port's MTU is the largest that its interfaces need."""
    finished = []
    for port in ports.values():
        here = [item for item in interfaces if item["port"] == port["name"]]
        untagged = next((item for item in here if not item["tagged"]), None)
        finished.append(
            {
                **port,
                "trunk": any(item["tagged"] for item in here),
                "used": bool(here),
                "mtu": max((item["mtu"] for item in here), default=1500),
                "interfaces": [item["name"] for item in here],
                "vlans": [item["vlan"] for item in here if item["tagged"]],
                "untagged": untagged["name"] if untagged else None,
            }
        )
    return finished


def _wan(interfaces: list[dict[str, Any]], outside: list[str]) -> dict[str, Any] | None:
    """The outside interface: NAT's, else the one called wan, else the one with a gateway."""
    for fits in (lambda item: item["name"] in outside, lambda item: item["name"] == "wan", lambda item: item["dhcp"] or item["gateway"]):
        found = next((item for item in interfaces if fits(item)), None)
        if found:
            return found
    return None


def _static_routes(router: Mapping[str, Any], interfaces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Static routes, with the default routes of interface gateways in front."""
    routes = [
        {
            **{"name": f"default-{item['name']}", "gateway": item["gateway"], "blackhole": False, "distance": 1},
            **{"interface": item["name"], "implied": True, **_route_facts("0.0.0.0/0")},
        }
        for item in interfaces
        if item["gateway"]
    ]
    for item in router["static_routes"]:
        behind = _behind(item["gateway"], interfaces)
        own = {key: item[key] for key in ("name", "gateway", "blackhole", "distance")}
        routes.append({**own, "interface": behind, "implied": False, **_route_facts(item["prefix"])})
    return routes


def _behind(gateway: str | None, interfaces: list[dict[str, Any]]) -> str | None:
    """The interface in whose subnet a next hop lies."""
    subnets = [(item["name"], item["prefix"]) for item in interfaces if item["prefix"]]
    return next((name for name, prefix in subnets if gateway and host(gateway) in network(prefix)), None)


def _route_facts(prefix: str) -> dict[str, Any]:
    facts = prefix_facts(network(prefix))
    return {key: facts[key] for key in ("prefix", "network_address", "prefix_len", "netmask")}


def _flags(model: Model) -> dict[str, bool]:
    """Yes or no questions that decide which artifacts a room writes."""
    conntrack = model["nat"]["enabled"] or model["firewall"]["mode"] != "none" or model["offload"]["flow"] != "none"
    return {
        "ospf": model["ospf"]["enabled"],
        "dhcp": model["dhcp"]["enabled"],
        **{f"dhcp_{name}": model["dhcp"]["enabled"] and model["dhcp"]["backend"] == name for name in ("isc", "kea", "dnsmasq")},
        "nat": model["nat"]["enabled"],
        "firewall": model["firewall"]["mode"] != "none",
        "ruleset": model["nat"]["enabled"] or model["firewall"]["mode"] != "none",
        "snmp": model["system"]["snmp"]["enabled"],
        "ssh": model["system"]["ssh"]["enabled"],
        "shaper": model["shaper"]["enabled"],
        **{name: bool(model["tunnels"][name]) for name in ("wireguard", "openvpn", "ipsec")},
        "static_routes": bool(model["static_routes"]),
        "routing": model["ospf"]["enabled"] or bool(model["static_routes"]),
        "conntrack": conntrack,
        "conntrack_max": conntrack and model["tuning"]["conntrack_max"] is not None,
        "tuning": any(value is not None for key, value in model["tuning"].items() if key != "conntrack_max")
        or any(model["offload"][key] != "default" for key in NIC_OFFLOADS),
        "wan_dhcp": any(item["dhcp"] for item in model["interfaces"]),
        "dns": bool(model["system"]["dns"]),
        "wan_dhcp_dns": bool(model["system"]["dns"]) and any(item["dhcp"] for item in model["interfaces"]),
        "ntp": bool(model["system"]["ntp"]),
        "secrets": bool(model["secrets"]),
    }


def _secrets(value: Any) -> set[str]:
    """All secret texts of a router, so that diffs and results can hide them."""
    found: set[str] = set()
    if isinstance(value, list):
        for item in value:
            found |= _secrets(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in SECRET_FIELDS:
                found |= {str(item)} if item else set()
            elif isinstance(item, (dict, list)):
                found |= _secrets(item)
    return found


__all__ = ["Model", "area_id", "find_named", "merged_router", "resolve_router"]
