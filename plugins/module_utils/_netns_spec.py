# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meaning of a lab description for `netns_lab`: all mistakes at once, each with its path, the value and what would be valid. Pure."""

from __future__ import annotations

import ipaddress
import re
from typing import Any, Iterable

NAME_MAX = 15  # what the kernel allows for an interface, and what a namespace's name should keep to as well
FRR_DAEMONS = ("babeld", "bfdd", "bgpd", "eigrpd", "fabricd", "isisd", "ldpd", "nhrpd", "ospf6d", "ospfd", "pathd", "pbrd", "pim6d", "pimd", "ripd",
               "ripngd", "vrrpd")
SILENT_ROUTES = ("blackhole", "unreachable", "prohibit")
BRIDGE = "br0"

Lab = dict  # {prefix, nodes: [...], segments: [...]} as the module's argument_spec describes it


def is_bridge(segment: dict[str, Any]) -> bool:
    """Two members are a veth pair; more, or `bridge: true`, a bridge in its own namespace."""
    return bool(segment.get("bridge")) or len(segment["members"]) > 2


def _quote(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _interface(value: str) -> Any:
    """An address with its prefix length, or None."""
    try:
        return ipaddress.ip_interface(value) if "/" in value else None
    except ValueError:
        return None


def check(lab: Lab) -> list[str]:
    """Every mistake in the description, empty if there is none."""
    errors = _check_names(lab)
    errors += _check_members(lab)
    errors += _check_addresses(lab)
    for index, node in enumerate(lab["nodes"]):
        where = "nodes[%d]" % index
        errors += _check_routes(lab, node, where)
        errors += _check_sysctls(node, where)
        errors += _check_frr(node, where)
    return errors


def check_prefix(prefix: str) -> list[str]:
    if re.match(r"^[a-z][a-z0-9]*\Z", prefix):
        return []
    return ["prefix: '%s' must be a lower-case letter followed by lower-case letters and digits, for example 'lab'" % prefix]


def _check_names(lab: Lab) -> list[str]:
    prefix = lab["prefix"]
    errors = check_prefix(prefix)
    seen: dict[str, str] = {}
    spaces = [("nodes[%d].name" % i, node["name"]) for i, node in enumerate(lab["nodes"])]
    spaces += [("segments[%d].name" % i, item["name"]) for i, item in enumerate(lab["segments"]) if is_bridge(item)]
    plain = [("segments[%d].name" % i, item["name"]) for i, item in enumerate(lab["segments"]) if not is_bridge(item)]
    for where, name in spaces + plain:
        if not re.match(r"^[a-z][a-z0-9-]*\Z", name):
            errors.append("%s: '%s' must be a lower-case letter followed by lower-case letters, digits and '-'" % (where, name))
    for where, name in spaces:
        full = "%s-%s" % (prefix, name)
        if len(full) > NAME_MAX:
            errors.append("%s: the namespace's name '%s' has %d characters, at most %d are valid: shorten the name or the prefix"
                          % (where, full, len(full), NAME_MAX))
        if name in seen:
            errors.append("%s: '%s' is already the name of %s; nodes and bridged segments each need a name of their own"
                          % (where, name, seen[name].rsplit(".", 1)[0]))
        seen.setdefault(name, where)
    names: dict[str, int] = {}
    for index, segment in enumerate(lab["segments"]):
        if segment["name"] in names:
            errors.append("segments[%d].name: '%s' is already the name of segments[%d]" % (index, segment["name"], names[segment["name"]]))
        names.setdefault(segment["name"], index)
    return errors


def _check_members(lab: Lab) -> list[str]:
    errors = []
    nodes = {node["name"] for node in lab["nodes"]}
    used: dict[tuple[str, str], str] = {}
    for index, segment in enumerate(lab["segments"]):
        if len(segment["members"]) < 2:
            errors.append("segments[%d].members: %d member(s), at least 2 are needed" % (index, len(segment["members"])))
        if not 68 <= segment["mtu"] <= 65535:
            errors.append("segments[%d].mtu: %d is outside 68 … 65535" % (index, segment["mtu"]))
        here: set[str] = set()
        for position, member in enumerate(segment["members"]):
            where = "segments[%d].members[%d]" % (index, position)
            node, ifname = member["node"], member["ifname"]
            if node not in nodes:
                errors.append("%s.node: there is no node '%s'; nodes are: %s" % (where, node, _quote(nodes)))
            if not re.match(r"^[A-Za-z0-9_.-]{1,%d}\Z" % NAME_MAX, ifname) or ifname in ("lo", ".", ".."):
                errors.append("%s.ifname: '%s' is not a usable interface name: 1 to %d letters, digits or any of '_.-', and not 'lo'"
                              % (where, ifname, NAME_MAX))
            if (node, ifname) in used:
                errors.append("%s.ifname: interface '%s' of node '%s' is already used by %s" % (where, ifname, node, used[node, ifname]))
            used.setdefault((node, ifname), where)
            if node in here:
                errors.append("%s.node: node '%s' is already a member of this segment; a node joins a segment once" % (where, node))
            here.add(node)
    return errors


def _check_addresses(lab: Lab) -> list[str]:
    errors = []
    seen: dict[Any, str] = {}
    networks: dict[str, list[tuple[Any, str]]] = {}
    for index, segment in enumerate(lab["segments"]):
        first: dict[int, tuple[Any, str]] = {}
        for position, member in enumerate(segment["members"]):
            for number, value in enumerate(member["addresses"]):
                where = "segments[%d].members[%d].addresses[%d]" % (index, position, number)
                address = _interface(value)
                if address is None:
                    errors.append("%s: '%s' is not an address with a prefix length, for example 10.222.222.12/24" % (where, value))
                    continue
                if address.ip in seen:
                    errors.append("%s: %s is already the address of %s" % (where, address.ip, seen[address.ip]))
                    continue
                seen[address.ip] = where
                network, origin = first.setdefault(address.version, (address.network, where))
                if network != address.network:
                    errors.append("%s: %s is in network %s, but %s puts segment '%s' in %s"
                                  % (where, value, address.network, origin, segment["name"], network))
                    continue
                errors += _overlap(networks.setdefault(member["node"], []), address.network, where, member["node"])
    return errors


def _overlap(known: list[tuple[Any, str]], network: Any, where: str, node: str) -> list[str]:
    """Two interfaces of one node in overlapping networks make its routing a matter of luck."""
    errors = ["%s: network %s overlaps %s of %s on the same node '%s'" % (where, network, other, origin, node)
              for other, origin in known if other.version == network.version and other.overlaps(network)]
    known.append((network, where))
    return errors


def connected(lab: Lab, node: str) -> list[Any]:
    """Networks a node has an address in."""
    found = []
    for segment in lab["segments"]:
        for member in segment["members"]:
            if member["node"] == node:
                found += [item.network for item in map(_interface, member["addresses"]) if item is not None]
    return found


def _check_routes(lab: Lab, node: dict[str, Any], where: str) -> list[str]:
    errors = []
    networks = connected(lab, node["name"])
    ports = {member["ifname"] for segment in lab["segments"] for member in segment["members"] if member["node"] == node["name"]}
    seen: dict[tuple[str, Any, Any], str] = {}
    for index, route in enumerate(node["routes"]):
        here = "%s.routes[%d]" % (where, index)
        errors += _check_destination(route, here)
        key = (route["to"], route.get("metric"), ":" in (route.get("via") or route["to"]))
        if key in seen:
            errors.append("%s.to: '%s' is already the destination of %s; a second route needs another metric" % (here, route["to"], seen[key]))
        seen.setdefault(key, here)
        silent = route["type"] in SILENT_ROUTES
        if silent and (route.get("via") or route.get("dev")):
            errors.append("%s.type: a %s route has no 'via' and no 'dev'" % (here, route["type"]))
        elif not silent and not route.get("via") and not route.get("dev"):
            errors.append("%s: a route needs 'via' (a gateway) or 'dev' (an interface), or type %s" % (here, " / ".join(SILENT_ROUTES)))
        if route.get("dev") and route["dev"] not in ports:
            errors.append("%s.dev: node '%s' has no interface '%s'; its interfaces are: %s" % (here, node["name"], route["dev"], _quote(ports)))
        if route.get("via"):
            errors += _check_gateway(route["via"], networks, node["name"], here)
    return errors


def _check_destination(route: dict[str, Any], here: str) -> list[str]:
    if route["to"] == "default":
        return []
    try:
        network = ipaddress.ip_network(route["to"])
    except ValueError as error:
        return ["%s.to: '%s' is not a network (%s); valid: 'default' or for example 10.222.222.0/24" % (here, route["to"], error)]
    via = route.get("via") or ""
    if via and (":" in via) != (network.version == 6):
        return ["%s.via: gateway %s does not speak the IP version of %s" % (here, via, route["to"])]
    return []


def _check_gateway(via: str, networks: list[Any], node: str, here: str) -> list[str]:
    try:
        gateway = ipaddress.ip_address(via)
    except ValueError:
        return ["%s.via: '%s' is not an IP address" % (here, via)]
    if any(gateway.version == network.version and gateway in network for network in networks):
        return []
    return ["%s.via: gateway %s is in none of the networks of node '%s': %s" % (here, via, node, _quote(str(item) for item in networks))]


def _check_sysctls(node: dict[str, Any], where: str) -> list[str]:
    return ["%s.sysctls: '%s' is not below 'net.': only those belong to a network namespace, any other would change the host" % (where, key)
            for key in sorted(node["sysctls"]) if not re.match(r"^net[./][A-Za-z0-9_./-]+\Z", key) or ".." in key]


def _check_frr(node: dict[str, Any], where: str) -> list[str]:
    frr = node.get("frr")
    if not frr:
        return []
    return ["%s.frr.daemons[%d]: there is no FRR daemon '%s'; valid: %s (zebra and staticd always run)" % (where, index, name, _quote(FRR_DAEMONS))
            for index, name in enumerate(frr["daemons"]) if name not in FRR_DAEMONS]
