# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The meaning of one router's section: references, addresses, what contradicts what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import Interface, Network, address, interface, network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices

Section = Mapping[str, Any]


@dataclass(frozen=True)
class Context:
    """One router under one profile, with what its checks look at."""

    section: Section
    path: str
    networks: Mapping[str, Section]
    tagged_name: str = "{port}.{vlan}"
    name_limit: int | None = None

    @property
    def interfaces(self) -> dict[str, Section]:
        return {item["name"]: item for item in self.section["interfaces"]}

    def at(self, path: str) -> str:
        return f"{self.path}.{path}"


def safe(parse: Callable[[str], Any], text: Any) -> Any:
    """The parsed value, or None where another check already complains."""
    try:
        return parse(text) if isinstance(text, str) else None
    except ValueError:
        return None


def own_address(item: Section) -> Interface | None:
    """The static address of an interface, or None."""
    return None if item.get("address") == "dhcp" else safe(interface, item.get("address"))


def unknown(path: str, value: Any, what: str, known: Any) -> Problem:
    """A reference to something that is not there."""
    return Problem(path, value, f"there is no {what} of this name", choices(known, value), "UNDEFINED")


def check_interfaces(ctx: Context) -> list[Problem]:
    """Networks, ports, VLAN tags, addresses, gateways and names of interfaces."""
    problems = []
    ports = {port["name"] for port in ctx.section["ports"]}
    taken: dict[tuple[str, Any], str] = {}
    for item in ctx.section["interfaces"]:
        path = ctx.at(f"interfaces[{item['name']}]")
        network_name = item["network"] or item["name"]
        port = item["port"] or item["name"]
        net = ctx.networks.get(network_name)
        if net is None:
            problems.append(unknown(f"{path}.network", network_name, "network", ctx.networks))
            continue
        if port not in ports:
            problems.append(unknown(f"{path}.port", port, "port", ports))
        if item["tagged"] and net.get("vlan") is None:
            problems.append(Problem(f"{path}.tagged", True, f"network {network_name} has no vlan", "a vlan on the network, or tagged: false", "NO_VLAN"))
        slot = (port, net.get("vlan") if item["tagged"] else None)
        if slot in taken:
            what = f"VLAN {slot[1]}" if item["tagged"] else "the untagged side"
            problems.append(Problem(f"{path}.port", port, f"{what} of this port is taken by interface {taken[slot]}", "another port or tag", "PORT_TAKEN"))
        taken[slot] = item["name"]
        problems += _check_address(item, path, net) + _check_name(ctx, item, path, port, net)
    return problems


def _check_address(item: Section, path: str, net: Section) -> list[Problem]:
    own = own_address(item)
    subnet = safe(network, net.get("subnet"))
    problems = []
    if own and subnet and own.network != subnet:
        problems.append(Problem(f"{path}.address", item["address"], f"is not in network {net['name']}", f"an address of {subnet}", "OUTSIDE_NETWORK"))
    elif own and own.network.prefixlen < 31 and own.ip in (own.network.network_address, own.network.broadcast_address):
        problems.append(Problem(f"{path}.address", item["address"], "is the network's or the broadcast address", f"a host address of {own.network}", "NOT_A_HOST"))
    gateway = safe(address, item["gateway"])
    if gateway and item["address"] == "dhcp":
        problems.append(Problem(f"{path}.gateway", item["gateway"], "a DHCP client learns its gateway", "no gateway", "CONTRADICTION"))
    elif gateway and own and (gateway not in own.network or gateway == own.ip):
        problems.append(Problem(f"{path}.gateway", item["gateway"], "is not another host of the interface's subnet", f"an address of {own.network} other than {own.ip}", "GATEWAY_OUTSIDE"))
    return problems


def _check_name(ctx: Context, item: Section, path: str, port: str, net: Section) -> list[Problem]:
    native_port = next((p["native"] or p["name"] for p in ctx.section["ports"] if p["name"] == port), port)
    native = item["native"] or (ctx.tagged_name.format(port=native_port, vlan=net.get("vlan"), name=item["name"], label=item["name"].upper()) if item["tagged"] else native_port)
    if ctx.name_limit and len(native) > ctx.name_limit:
        return [Problem(f"{path}.native", native, f"is {len(native)} characters long", f"at most {ctx.name_limit} characters; set native or a shorter port name", "NAME_TOO_LONG")]
    return []


def check_dhcp(ctx: Context) -> list[Problem]:
    """Pools inside their subnets, and clear of the router's own address."""
    problems = []
    ids: dict[Any, str] = {}
    for pool in ctx.section["dhcp"]["pools"]:
        path = ctx.at(f"dhcp.pools[{pool['name']}]")
        name = pool["interface"] or pool["name"]
        served = ctx.interfaces.get(name)
        if served is None:
            problems.append(unknown(f"{path}.interface", name, "interface", ctx.interfaces))
            continue
        own = own_address(served)
        if own is None:
            if served["address"] == "dhcp":
                problems.append(Problem(f"{path}.interface", name, "this interface is itself a DHCP client", "an interface with an address of its own", "CONTRADICTION"))
            continue
        problems += _check_pool(pool, own, path)
        identity = pool["id"] or own.network
        if identity in ids:
            problems.append(Problem(f"{path}.id", pool["id"], f"pool {ids[identity]} has the same id or subnet", "one pool for each subnet, an id of its own", "DUPLICATE"))
        ids[identity] = pool["name"]
    return problems


def _check_pool(pool: Section, own: Interface, path: str) -> list[Problem]:
    problems = []
    net = own.network
    start, stop = safe(address, pool["start"]), safe(address, pool["stop"])
    for key, value in (("start", start), ("stop", stop)):
        if value and (value not in net or value in (net.network_address, net.broadcast_address)):
            problems.append(Problem(f"{path}.{key}", pool[key], "is outside the pool's subnet", f"a host address of {net}", "POOL_OUTSIDE"))
    if start and stop and start > stop:
        problems.append(Problem(f"{path}.stop", pool["stop"], f"lies before the start {start}", "an address after the start", "POOL_REVERSED"))
    elif start and stop and start <= own.ip <= stop:
        problems.append(Problem(f"{path}.start", f"{start}-{stop}", f"the pool holds the router's own address {own.ip}", "a range without it", "POOL_HOLDS_ROUTER"))
    gateway = safe(address, pool["gateway"])
    if gateway and gateway not in net:
        problems.append(Problem(f"{path}.gateway", pool["gateway"], "is outside the pool's subnet", f"auto, none, or an address of {net}", "GATEWAY_OUTSIDE"))
    for host in pool["hosts"]:
        fixed = safe(address, host["address"])
        if fixed and (fixed not in net or (start and stop and start <= fixed <= stop) or fixed == own.ip):
            problems.append(Problem(f"{path}.hosts[{host['name']}].address", host["address"], "is outside the subnet, inside the pool, or the router's own", f"an address of {net} outside {start}-{stop}", "HOST_ADDRESS"))
    return problems


def check_ospf(ctx: Context) -> list[Problem]:
    """OSPF runs on things that exist, once each, with a router id."""
    ospf = ctx.section["ospf"]
    if not ospf["enabled"]:
        return []
    problems = []
    loopbacks = {item["name"] for item in ctx.section["loopbacks"]}
    known = {**ctx.interfaces, **dict.fromkeys(loopbacks)}
    for item in ospf["interfaces"]:
        path = ctx.at(f"ospf.interfaces[{item['name']}]")
        if item["name"] not in known:
            problems.append(unknown(f"{path}.name", item["name"], "interface or loopback", known))
        elif item["name"] in ctx.interfaces and ctx.interfaces[item["name"]]["address"] == "dhcp" and ospf["form"] == "networks":
            problems.append(Problem(f"{path}.name", item["name"], "its subnet is not known in advance", "ospf.form: interfaces", "CONTRADICTION"))
        if item["dead"] <= item["hello"]:
            problems.append(Problem(f"{path}.dead", item["dead"], f"is not longer than the hello interval {item['hello']}", "four times the hello interval", "OSPF_TIMERS"))
    if not ospf["interfaces"]:
        problems.append(Problem(ctx.at("ospf.interfaces"), [], "OSPF is enabled on no interface", "at least one interface", "MISSING"))
    addressed = ospf["router_id"] or ctx.section["loopbacks"] or any(own_address(item) for item in ctx.section["interfaces"])
    if not addressed:
        problems.append(Problem(ctx.at("ospf.router_id"), NOTHING, "cannot be derived: no static address", "an IPv4 address", "MISSING"))
    return problems


def check_nat(ctx: Context) -> list[Problem]:
    """NAT needs an outside, and a packet filter that is not switched off."""
    nat = ctx.section["nat"]
    if not nat["enabled"]:
        return []
    problems = []
    if not nat["rules"]:
        problems.append(Problem(ctx.at("nat.rules"), [], "NAT is enabled without an outside (WAN) interface", "at least one rule with an interface", "NAT_WITHOUT_WAN"))
    for rule in nat["rules"]:
        if rule["interface"] and rule["interface"] not in ctx.interfaces:
            problems.append(unknown(ctx.at(f"nat.rules[{rule['name']}].interface"), rule["interface"], "interface", ctx.interfaces))
    if not ctx.section["firewall"]["packet_filter"]:
        problems.append(Problem(ctx.at("nat.enabled"), True, "NAT needs the packet filter, and firewall.packet_filter is false", "only one of the two", "CONTRADICTION"))
    return problems


def check_rest(ctx: Context) -> list[Problem]:
    """Static routes, shaped interfaces and tunnels refer to what exists."""
    problems = []
    for route in ctx.section["static_routes"]:
        path = ctx.at(f"static_routes[{route['name']}]")
        if bool(route["gateway"]) == route["blackhole"]:
            problems.append(Problem(f"{path}.gateway", route["gateway"], "a route has either a gateway or blackhole: true", "one of the two", "CONTRADICTION"))
    tunnels = ctx.section["tunnels"]
    shapeable = {*ctx.interfaces, *(item["name"] for kind in ("wireguard", "openvpn") for item in tunnels[kind])}
    for queue in ctx.section["shaper"]["queues"]:
        path = ctx.at(f"shaper.queues[{queue['name']}]")
        if queue["name"] not in shapeable:
            problems.append(unknown(f"{path}.name", queue["name"], "interface or tunnel", shapeable))
        if queue["upload_kbit"] is None and queue["download_kbit"] is None:
            problems.append(Problem(f"{path}.upload_kbit", None, "neither direction has a rate", "upload_kbit, download_kbit, or both", "MISSING"))
    for item in tunnels["ipsec"]:
        if item["interface"] and item["interface"] not in ctx.interfaces:
            problems.append(unknown(ctx.at(f"tunnels.ipsec[{item['name']}].interface"), item["interface"], "interface", ctx.interfaces))
    for item in tunnels["openvpn"]:
        if item["mode"] == "client" and not item["remote"]:
            problems.append(Problem(ctx.at(f"tunnels.openvpn[{item['name']}].remote"), NOTHING, "a client needs the server's address", "an IPv4 address", "MISSING"))
    snmp = ctx.section["system"]["snmp"]
    if snmp["enabled"] and not snmp["community"]:
        problems.append(Problem(ctx.at("system.snmp.community"), NOTHING, "SNMP is enabled without a community", "a community, from a vault", "MISSING"))
    return problems


__all__ = ["Context", "Network", "check_dhcp", "check_interfaces", "check_nat", "check_ospf", "check_rest", "own_address", "safe", "unknown"]
