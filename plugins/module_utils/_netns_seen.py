# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts out of what `ip`, `ethtool` and /proc said inside the namespaces of a lab. Pure."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._netns_facts import (
    OFF,
    Fact,
    Wanted,
    address_text,
    frr_fact,
    link_fact,
    offload_state,
    route_fact,
    sysctl_text,
)
from ansible_collections.routerlab.bench.plugins.module_utils._netns_spec import BRIDGE, SILENT_ROUTES, Lab

FRR_ALWAYS = ("watchfrr", "zebra", "staticd")  # and mgmtd from FRR 9 on
# Kernel numbers of `protocol boot` (ip route add) and `protocol static`; routing daemons use others.
HAND_MADE = ("3", "4", "boot", "static")
KINDS = {"1": "unicast", "6": "blackhole", "7": "unreachable", "8": "prohibit"}  # as `ip -N` prints them


def peer_of(prefix: str, name: str, link: dict[str, Any], raw: dict[str, Any]) -> tuple[str, str] | None:
    """Node and interface at the other end of a veth, if that end is in this lab."""
    if link.get("linkinfo", {}).get("info_kind") != "veth" or "link_netnsid" not in link:
        return None
    for entry in raw[name]["nsids"]:
        if entry.get("nsid") == link["link_netnsid"] and str(entry.get("name", "")).startswith(prefix + "-"):
            node = entry["name"][len(prefix) + 1:]
            for other in raw.get(node, {}).get("links", []):
                if other["ifindex"] == link.get("link_index") and other.get("link_index") == link["ifindex"]:
                    return node, other["ifname"]
    return None


def _link_facts(prefix: str, raw: dict[str, Any]) -> set[Fact]:
    facts: set[Fact] = set()
    for name, inside in raw.items():
        for link in inside["links"]:
            peer = peer_of(prefix, name, link, raw)
            if peer:
                facts.add(link_fact(name, link["ifname"], *peer))
            if link["ifname"] == BRIDGE and link.get("linkinfo", {}).get("info_kind") == "bridge":
                facts.add(("bridge", name, BRIDGE))
                if "UP" in link["flags"]:
                    facts.add(("up", name, BRIDGE))
    return facts


def _port_facts(wanted: Wanted, raw: dict[str, Any]) -> set[Fact]:
    facts: set[Fact] = set()
    for port in wanted.ports:
        inside = raw.get(port.node, {})
        for link in inside.get("links", []):
            if link["ifname"] != port.ifname:
                continue
            facts.add(("offload", port.node, port.ifname, offload_state(inside["features"].get(port.ifname, {}))))
            if "master" in link:
                facts.add(("master", port.node, port.ifname, link["master"]))
            if link.get("linkinfo", {}).get("info_slave_data", {}).get("state") == "forwarding":
                facts.add(("forwarding", port.node, port.ifname))
            if not port.owned:
                continue
            facts.add(("mtu", port.node, port.ifname, str(link["mtu"])))
            if "UP" in link["flags"]:
                facts.add(("up", port.node, port.ifname))
            for address in link.get("addr_info", []):
                if address.get("scope") == "global":
                    facts.add(("address", port.node, port.ifname, address_text("%s/%d" % (address["local"], address["prefixlen"]))))
    return facts


def _routes(name: str, inside: dict[str, Any]) -> set[Fact]:
    facts: set[Fact] = set()
    for version, routes in inside["routes"].items():
        for route in routes:
            if str(route.get("protocol", "boot")) not in HAND_MADE:
                continue
            kind = KINDS.get(str(route.get("type", "1")), str(route.get("type")))
            dev = None if kind in SILENT_ROUTES else route.get("dev")
            metric = route.get("metric")
            if version == "6" and metric == 1024:  # what the kernel fills in
                metric = None
            to = "default" if route["dst"] in ("default", "::/0") else route["dst"]
            facts.add(route_fact(name, kind, to, route.get("gateway"), dev, metric, int(version)))
    return facts


def seen_facts(lab: Lab, wanted: Wanted, raw: dict[str, Any]) -> set[Fact]:
    """Everything the lab owns, as found. `raw`: node or bridge → findings of `look_inside`."""
    facts = _link_facts(lab["prefix"], raw) | _port_facts(wanted, raw)
    for node in lab["nodes"]:
        name = node["name"]
        if name not in raw:
            continue
        if node["role"] != "router" or node["routes"]:
            facts |= _routes(name, raw[name])
        facts |= {("sysctl", name, key, sysctl_text(value)) for key, value in raw[name]["sysctls"].items() if value is not None}
        frr = raw[name].get("frr")
        if frr and set(FRR_ALWAYS) <= set(frr["running"]):
            facts.add(frr_fact(name, [item for item in frr["running"] if item not in (*FRR_ALWAYS, "mgmtd")], frr["config"]))
    return facts


def report(wanted: Wanted, raw: dict[str, Any], prefix: str) -> dict[str, Any]:
    """What a person or a record wants to know about every interface, read back from the kernel."""
    nodes: dict[str, Any] = {}
    for port in wanted.ports:
        if wanted.spaces[port.node]["kind"] != "node":
            continue
        inside = raw.get(port.node, {})
        for link in inside.get("links", []):
            if link["ifname"] == port.ifname:
                features = inside["features"].get(port.ifname, {})
                nodes.setdefault(port.node, {})[port.ifname] = {
                    "peer": "%s:%s" % (port.peer_node, port.peer_ifname), "mtu": link["mtu"], "mac": link.get("address"),
                    "offload": offload_state(features), "features": {key: value for key, value in features.items() if key in OFF},
                }
    return {name: {"netns": "%s-%s" % (prefix, name), "interfaces": nodes.get(name, {})} for name, space in wanted.spaces.items()
            if space["kind"] == "node"}
