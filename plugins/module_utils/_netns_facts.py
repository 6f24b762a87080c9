# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lab as a set of facts: what the description asks for, what is there, and what to do about the difference. Pure.

A fact is a tuple of strings; its first word says what it is about. Only what the lab owns becomes a fact: the configuration of a router under test
(addresses, routes, state and MTU of an interface that the description gives no address) is nobody's business here.
"""

from __future__ import annotations

import hashlib
import ipaddress
from dataclasses import dataclass, field
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._netns_spec import BRIDGE, Lab, is_bridge

Fact = tuple

OFF = ("rx-checksumming", "tx-checksumming", "scatter-gather", "tcp-segmentation-offload", "generic-segmentation-offload", "generic-receive-offload")
# With offload wanted, generic receive offload stays what the kernel chose: its default on veth differs between versions.
ON = ("tx-checksumming", "scatter-gather", "tcp-segmentation-offload", "generic-segmentation-offload")
ROLE_SYSCTLS = {"endpoint": {"net.ipv4.ip_forward": "0"}, "upstream": {}, "router": {}}


@dataclass(frozen=True)
class Port:
    """One end of a wire."""
    node: str
    ifname: str
    peer_node: str
    peer_ifname: str
    mtu: int
    offload: bool
    addresses: tuple[str, ...]
    master: str | None
    owned: bool  # state, MTU and addresses belong to the lab, not to a room


@dataclass
class Wanted:
    spaces: dict[str, dict[str, Any]] = field(default_factory=dict)
    ports: list[Port] = field(default_factory=list)
    facts: set[Fact] = field(default_factory=set)


def address_text(value: str) -> str:
    return str(ipaddress.ip_interface(value))


def sysctl_text(value: Any) -> str:
    return " ".join(str(value).split())


def route_fact(node: str, kind: str, to: str, via: str | None, dev: str | None, metric: int | None, version: int) -> Fact:
    """One spelling for a route of the description and for one that `ip -j route` shows."""
    words = [] if kind == "unicast" else [kind]
    if to in ("default", "0.0.0.0/0", "::/0"):
        words.append("default" if version == 4 else "::/0")
    else:
        words.append(str(ipaddress.ip_network(to)))
    words += ["via", str(ipaddress.ip_address(via))] if via else ["dev", dev] if dev else []
    words += ["metric", str(metric)] if metric else []
    return ("route", node, " ".join(words))


def frr_fact(node: str, daemons: list[str], config: str) -> Fact:
    text = "\n".join(sorted(daemons)) + "\n--\n" + config.rstrip() + "\n"
    return ("frr", node, hashlib.sha256(text.encode()).hexdigest()[:16])


def wanted_ports(lab: Lab) -> list[Port]:
    roles = {node["name"]: node["role"] for node in lab["nodes"]}

    def port(member: dict[str, Any], peer: tuple[str, str], segment: dict[str, Any]) -> Port:
        addresses = tuple(address_text(item) for item in member["addresses"])
        owned = roles[member["node"]] != "router" or bool(addresses)
        return Port(member["node"], member["ifname"], peer[0], peer[1], segment["mtu"], segment["offload"], addresses, None, owned)

    ports = []
    for segment in lab["segments"]:
        members = segment["members"]
        if not is_bridge(segment):
            one, two = members
            ports += [port(one, (two["node"], two["ifname"]), segment), port(two, (one["node"], one["ifname"]), segment)]
            continue
        for member in members:
            ports.append(port(member, (segment["name"], member["node"]), segment))
            ports.append(Port(segment["name"], member["node"], member["node"], member["ifname"], segment["mtu"], segment["offload"], (), BRIDGE, True))
    return ports


def wanted(lab: Lab, fingerprints: dict[str, str]) -> Wanted:
    """The description as namespaces, wires and facts. `fingerprints`: name of a node or bridge → what it must be made from."""
    result = Wanted(ports=wanted_ports(lab))
    for node in lab["nodes"]:
        result.spaces[node["name"]] = {"kind": "node", "tools": list(node["tools"])}
    for segment in lab["segments"]:
        if is_bridge(segment):
            result.spaces[segment["name"]] = {"kind": "bridge", "tools": [], "mtu": segment["mtu"]}
            result.facts |= {("bridge", segment["name"], BRIDGE), ("up", segment["name"], BRIDGE)}
    for name, space in result.spaces.items():
        space["fingerprint"] = fingerprints[name]
        result.facts |= {("node", name, fingerprints[name]), ("netns", name), ("pidfile", name)}
    bare = {(port.node, port.ifname) for port in result.ports if not port.owned}
    for port in result.ports:
        result.facts |= _port_facts(port)
        if port.master and (port.peer_node, port.peer_ifname) not in bare:
            # The kernel takes up to a second to notice that both ends are up, and a bridge port carries nothing before that.
            result.facts.add(("forwarding", port.node, port.ifname))
    for node in lab["nodes"]:
        result.facts |= _node_facts(node)
    return result


def link_fact(node: str, ifname: str, peer_node: str, peer_ifname: str) -> Fact:
    """The same fact from both ends."""
    ends = sorted([(node, ifname), (peer_node, peer_ifname)])
    return ("link", "%s:%s" % ends[0], "%s:%s" % ends[1])


def _port_facts(port: Port) -> set[Fact]:
    facts: set[Fact] = {link_fact(port.node, port.ifname, port.peer_node, port.peer_ifname),
                        ("offload", port.node, port.ifname, "on" if port.offload else "off")}
    if port.owned:
        facts |= {("mtu", port.node, port.ifname, str(port.mtu)), ("up", port.node, port.ifname)}
        facts |= {("address", port.node, port.ifname, address) for address in port.addresses}
    if port.master:
        facts.add(("master", port.node, port.ifname, port.master))
    return facts


def node_sysctls(node: dict[str, Any]) -> dict[str, str]:
    values = dict(ROLE_SYSCTLS[node["role"]])
    values.update({key: sysctl_text(value) for key, value in node["sysctls"].items()})
    return values


def _node_facts(node: dict[str, Any]) -> set[Fact]:
    name = node["name"]
    facts: set[Fact] = {("sysctl", name, key, value) for key, value in node_sysctls(node).items()}
    for route in node["routes"]:
        version = ipaddress.ip_network(route["to"]).version if route["to"] != "default" else \
            ipaddress.ip_address(route["via"]).version if route.get("via") else 4
        facts.add(route_fact(name, route["type"], route["to"], route.get("via"), route.get("dev"), route.get("metric"), version))
    if node.get("frr"):
        facts.add(frr_fact(name, node["frr"]["daemons"], node["frr"]["config"]))
    return facts


def offload_state(features: dict[str, bool]) -> str:
    """'off' when nothing can build or keep a packet larger than the MTU, 'on' when a sender may, otherwise 'mixed'."""
    if not any(features.get(name, False) for name in OFF):
        return "off"
    return "on" if all(features.get(name, False) for name in ON) else "mixed"


def text(facts: set[Fact]) -> str:
    """Facts as sorted lines, for a diff."""
    return "".join(" ".join(fact) + "\n" for fact in sorted(facts))
