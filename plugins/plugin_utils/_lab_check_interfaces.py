# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Interfaces and ports of one router: networks, tags, addresses, gateways, names."""

from __future__ import annotations

from typing import Any, Iterable

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import host, network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import Context, Section, own_address, safe, unknown
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import native_name


def check_interfaces(ctx: Context) -> list[Problem]:
    """Networks, ports, VLAN tags, addresses and gateways of interfaces."""
    problems = []
    ports = {port["name"] for port in ctx.section["ports"]}
    taken: dict[tuple[str, Any], str] = {}
    networks: dict[str, str] = {}
    for item in ctx.section["interfaces"]:
        path = ctx.at(f"interfaces[{item['name']}]")
        name = item["network"] or item["name"]
        port = item["port"] or item["name"]
        if ctx.managed and port not in ports:
            problems.append(unknown(f"{path}.port", port, "port", ports))
        net = ctx.networks.get(name)
        if net is None:
            problems.append(unknown(f"{path}.network", name, "network", ctx.networks))
            continue
        if name in networks:
            message = f"interface {networks[name]} of this router is in the same network"
            problems.append(Problem(f"{path}.network", name, message, "a network of its own", "NETWORK_TWICE"))
        networks.setdefault(name, item["name"])
        problems += _check_port(item, path, port, net, taken) + _check_address(item, path, net)
    return problems + _check_gateways(ctx)


def _check_port(item: Section, path: str, port: str, net: Section, taken: dict[tuple[str, Any], str]) -> list[Problem]:
    """Each tag once on a port, and one interface without a tag."""
    vlan = net.get("vlan") if item["tagged"] else None
    if item["tagged"] and vlan is None:
        message = f"network {net['name']} has no vlan"
        return [Problem(f"{path}.tagged", True, message, "a vlan on the network, or tagged: false", "NO_VLAN")]
    first = taken.setdefault((port, vlan), item["name"])
    if first == item["name"]:
        return []
    what = f"VLAN {vlan}" if item["tagged"] else "the untagged side"
    return [Problem(f"{path}.port", port, f"{what} of this port is taken by interface {first}", "another port or tag", "PORT_TAKEN")]


def _check_address(item: Section, path: str, net: Section) -> list[Problem]:
    own = own_address(item)
    if own is None:
        return []
    path, text = f"{path}.address", item["address"]
    subnet = safe(network, net.get("subnet"))
    if not net.get("subnet"):
        return [Problem(path, text, f"network {net['name']} has no subnet", "a subnet on the network, or dhcp here", "NO_SUBNET")]
    if subnet and own.network != subnet:
        return [Problem(path, text, f"is not in network {net['name']}", f"an address of {subnet}", "OUTSIDE_NETWORK")]
    if own.network.prefixlen < 31 and own.ip in (own.network.network_address, own.network.broadcast_address):
        return [Problem(path, text, "is the network's or the broadcast address", f"a host address of {own.network}", "NOT_A_HOST")]
    return []


def _check_gateways(ctx: Context) -> list[Problem]:
    problems = []
    first = None
    for item in ctx.section["interfaces"]:
        path, text = ctx.at(f"interfaces[{item['name']}].gateway"), item["gateway"]
        gateway, own = safe(host, text), own_address(item)
        if text and item["address"] == "dhcp":
            problems.append(Problem(path, text, "a DHCP client learns its gateway", "no gateway", "CONTRADICTION"))
        elif gateway and own and (gateway not in own.network or gateway == own.ip):
            valid = f"an address of {own.network} other than {own.ip}"
            problems.append(Problem(path, text, "is not another host of the interface's subnet", valid, "GATEWAY_OUTSIDE"))
        if text and first:
            message = f"interface {first} has a gateway already, and there is one default route"
            problems.append(Problem(path, text, message, "one gateway; static_routes for more", "TWO_GATEWAYS"))
        first = first or (text and item["name"])
    return problems


def check_native_names(ctx: Context) -> list[Problem]:
    """The platform's own names: not too long, each once, none that management needs."""
    if not ctx.managed:
        return []
    ports = {port["name"]: port["native"] or port["name"] for port in ctx.section["ports"]}
    members = [(f"ports[{port['name']}].members", member) for port in ctx.section["ports"] for member in port["members"]]
    problems = _twice([*((f"ports[{name}].native", native) for name, native in ports.items()), *members])
    natives = []
    places: set[tuple[str, Any]] = set()
    for item in ctx.section["interfaces"]:
        net = ctx.networks.get(item["network"] or item["name"]) or {}
        port = item["port"] or item["name"]
        native = native_name(ctx.names, item, ports.get(port, port), net.get("vlan"))
        here = (port, net.get("vlan") if item["tagged"] else None)
        if here in places and not item["native"]:
            continue  # two interfaces on one side of a port: told by check_interfaces
        places.add(here)
        natives.append((f"interfaces[{item['name']}].native", native))
        if ctx.name_limit and len(native) > ctx.name_limit:
            valid = f"at most {ctx.name_limit} characters; set native or a shorter port name"
            problems.append(Problem(natives[-1][0], native, f"is {len(native)} characters long", valid, "NAME_TOO_LONG"))
    problems += _twice(natives) + _cut(ctx, ports, [*natives, *members])
    return [Problem(ctx.at(item.path), item.value, item.message, item.valid, item.code) for item in problems]


def _twice(natives: Iterable[tuple[str, str]]) -> list[Problem]:
    problems = []
    seen: dict[str, str] = {}
    for path, native in natives:
        if native in seen:
            problems.append(Problem(path, native, f"is the name at {seen[native]} too", "a name of its own", "DUPLICATE_NATIVE"))
        seen.setdefault(native, path)
    return problems


def _cut(ctx: Context, ports: dict[str, str], natives: list[tuple[str, str]]) -> list[Problem]:
    """What the lab configures and management needs at the same time."""
    used = {item["port"] or item["name"] for item in ctx.section["interfaces"]}
    taken = {native: f"ports[{name}].native" for name, native in ports.items() if name in used}
    taken.update({native: path for path, native in reversed(natives)})
    problems = [
        Problem(taken[name], name, "is a management interface, which a deployment must not change", "another port", "MANAGEMENT_CUT")
        for name in ctx.section["management"]["interfaces"]
        if name in taken
    ]
    ssh = ctx.section["system"]["ssh"]
    for prefix in ctx.section["management"]["allow"] if ssh["allow"] else []:
        if not _covered(prefix, ssh["allow"]):
            message = f"leaves out {prefix} of management.allow"
            problems.append(Problem("system.ssh.allow", ssh["allow"], message, f"a list with {prefix}", "MANAGEMENT_CUT"))
    return problems


def _covered(prefix: str, allowed: list[str]) -> bool:
    net = safe(network, prefix)
    return net is None or any(other and net.subnet_of(other) for other in (safe(network, item) for item in allowed))
