# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The meaning of one router's section: references, addresses, what contradicts what."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import Interface, Network, address, host, interface
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import DEFAULT_NAMES

Section = Mapping[str, Any]


@dataclass(frozen=True)
class Context:
    """One router under one profile, with what its checks look at."""

    section: Section
    path: str
    networks: Mapping[str, Section]
    names: Mapping[str, Any] = field(default_factory=lambda: DEFAULT_NAMES)

    @functools.cached_property
    def interfaces(self) -> dict[str, Section]:
        return {item["name"]: item for item in self.section["interfaces"]}

    @functools.cached_property
    def tunnel_names(self) -> list[str]:
        """The tunnels that have an interface of their own."""
        return [item["name"] for kind in ("wireguard", "openvpn") for item in self.section["tunnels"][kind]]

    @functools.cached_property
    def connected(self) -> list[Network]:
        """The subnets of the router's own static addresses, tunnels included."""
        tunnels = self.section["tunnels"]["wireguard"]
        found = (own_address(item) for item in [*self.section["interfaces"], *tunnels])
        return [own.network for own in found if own]

    @property
    def managed(self) -> bool:
        return bool(self.section["managed"])

    @property
    def name_limit(self) -> int | None:
        return self.names.get("max_length")

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


def check_names(ctx: Context) -> list[Problem]:
    """Names that other sections refer to stand for one thing; labels differ in more than case."""
    problems = []
    seen: dict[str, str] = {}
    tunnels = ctx.section["tunnels"]
    kinds = {"interfaces": ctx.section["interfaces"], "loopbacks": ctx.section["loopbacks"]}
    for kind, items in {**kinds, **{f"tunnels.{kind}": tunnels[kind] for kind in tunnels}}.items():
        for item in items:
            path = f"{kind}[{item['name']}]"
            other = seen.setdefault(item["name"].upper(), path)
            if other != path:
                message = f"{other} has this name too (capital letters do not count)"
                problems.append(Problem(ctx.at(f"{path}.name"), item["name"], message, "a name of its own", "DUPLICATE_NAME"))
    return problems


def check_dhcp(ctx: Context) -> list[Problem]:
    """Pools inside their subnets, and clear of the router's own address."""
    dhcp = ctx.section["dhcp"]
    if not dhcp["enabled"]:
        return []
    problems = []
    if not dhcp["pools"] and ctx.managed:
        problems.append(Problem(ctx.at("dhcp.pools"), [], "the DHCP server is enabled and has no pool", "at least one pool", "MISSING"))
    ids: dict[Any, str] = {}
    for pool in dhcp["pools"]:
        path = ctx.at(f"dhcp.pools[{pool['name']}]")
        name = pool["interface"] or pool["name"]
        served = ctx.interfaces.get(name)
        if served is None:
            problems.append(unknown(f"{path}.interface", name, "interface", ctx.interfaces))
            continue
        if served["address"] == "dhcp":
            message = "this interface is itself a DHCP client"
            problems.append(Problem(f"{path}.interface", name, message, "an interface with an address of its own", "CONTRADICTION"))
        own = own_address(served)
        if own is None:
            continue
        problems += _check_pool(pool, own, path) + _check_hosts(pool, own, path)
        net = ctx.networks.get(served["network"] or served["name"]) or {}
        identity = pool["id"] or (net.get("vlan") if served["tagged"] else None) or int(own.network.network_address)
        for key, kind in ((identity, "id"), (own.network, "subnet")):
            first = ids.setdefault(key, pool["name"])
            if first != pool["name"]:
                message = f"pool {first} has the same {kind} ({key})"
                problems.append(Problem(f"{path}.id", pool["id"], message, "one pool for each subnet, an id of its own", "DUPLICATE"))
    return problems


def _check_pool(pool: Section, own: Interface, path: str) -> list[Problem]:
    problems = []
    net = own.network
    start, stop = safe(address, pool["start"]), safe(address, pool["stop"])
    for key, value in (("start", start), ("stop", stop)):
        if value and not _is_host(value, net):
            problems.append(Problem(f"{path}.{key}", pool[key], "is outside the pool's subnet", f"a host address of {net}", "POOL_OUTSIDE"))
    gateway = safe(host, pool["gateway"])
    if gateway and not _is_host(gateway, net):
        valid = f"auto, none, or a host address of {net}"
        problems.append(Problem(f"{path}.gateway", pool["gateway"], "is outside the pool's subnet", valid, "GATEWAY_OUTSIDE"))
    if not start or not stop:
        return problems
    if start > stop:
        problems.append(Problem(f"{path}.stop", pool["stop"], f"lies before the start {start}", "an address after the start", "POOL_REVERSED"))
    for what, value in (("the router's own address", own.ip), ("its gateway", gateway)):
        if value and start <= value <= stop:
            message = f"the pool holds {what} {value}"
            problems.append(Problem(f"{path}.start", f"{start}-{stop}", message, "a range without it", "POOL_HOLDS_ROUTER"))
            break
    return problems


def _is_host(value: Any, net: Network) -> bool:
    return value in net and (net.prefixlen >= 31 or value not in (net.network_address, net.broadcast_address))


def _check_hosts(pool: Section, own: Interface, path: str) -> list[Problem]:
    """Fixed addresses: inside the subnet, outside the pool, each address and card once."""
    problems = []
    net = own.network
    start, stop = safe(address, pool["start"]), safe(address, pool["stop"])
    seen: dict[str, str] = {}
    for item in pool["hosts"]:
        here = f"{path}.hosts[{item['name']}]"
        fixed = safe(address, item["address"])
        if fixed and (not _is_host(fixed, net) or (start and stop and start <= fixed <= stop) or fixed == own.ip):
            message = "is outside the subnet, inside the pool, or the router's own"
            problems.append(Problem(f"{here}.address", item["address"], message, f"an address of {net} outside {start}-{stop}", "HOST_ADDRESS"))
        for key in ("mac", "address"):
            value = (item[key] or "").lower()
            if value and seen.setdefault(value, item["name"]) != item["name"]:
                message = f"host {seen[value]} has the same {key}"
                problems.append(Problem(f"{here}.{key}", item[key], message, "one of its own", "DUPLICATE"))
    return problems


def check_ospf(ctx: Context) -> list[Problem]:
    """OSPF runs on things that exist, once each, with a router id."""
    ospf = ctx.section["ospf"]
    if not ospf["enabled"]:
        return []
    problems = []
    known = {**ctx.interfaces, **{item["name"]: item for item in ctx.section["loopbacks"]}}
    for item in ospf["interfaces"]:
        path = ctx.at(f"ospf.interfaces[{item['name']}]")
        if item["name"] not in known:
            problems.append(unknown(f"{path}.name", item["name"], "interface or loopback", known))
        elif known[item["name"]]["address"] == "dhcp" and ospf["form"] == "networks":
            problems.append(Problem(f"{path}.name", item["name"], "its subnet is not known in advance", "ospf.form: interfaces", "CONTRADICTION"))
        if item["dead"] <= item["hello"]:
            message = f"is not longer than the hello interval {item['hello']}"
            problems.append(Problem(f"{path}.dead", item["dead"], message, "four times the hello interval", "OSPF_TIMERS"))
    if not ospf["interfaces"] and ctx.managed:
        problems.append(Problem(ctx.at("ospf.interfaces"), [], "OSPF is enabled on no interface", "at least one interface", "MISSING"))
    if ctx.managed and not router_id(ctx.section):
        problems.append(Problem(ctx.at("ospf.router_id"), NOTHING, "cannot be derived: no static address", "an IPv4 address", "MISSING"))
    return problems


def router_id(section: Section) -> str | None:
    """The router id as the model derives it: given, else the first loopback, else the first static address."""
    if section["ospf"]["router_id"]:
        return str(section["ospf"]["router_id"])
    found = (own_address(item) for item in [*section["loopbacks"], *section["interfaces"]])
    return next((str(own.ip) for own in found if own), None)


def check_nat(ctx: Context) -> list[Problem]:
    """NAT needs an outside, and a packet filter that is not switched off."""
    nat = ctx.section["nat"]
    if not nat["enabled"]:
        return []
    problems = []
    if not nat["rules"] and ctx.managed:
        message = "NAT is enabled without an outside (WAN) interface"
        problems.append(Problem(ctx.at("nat.rules"), [], message, "at least one rule with an interface", "NAT_WITHOUT_WAN"))
    for rule in nat["rules"]:
        if rule["interface"] and rule["interface"] not in ctx.interfaces:
            problems.append(unknown(ctx.at(f"nat.rules[{rule['name']}].interface"), rule["interface"], "interface", ctx.interfaces))
    if not ctx.section["firewall"]["packet_filter"]:
        message = "NAT needs the packet filter, and firewall.packet_filter is false"
        problems.append(Problem(ctx.at("nat.enabled"), True, message, "only one of the two", "CONTRADICTION"))
    return problems


def check_rest(ctx: Context) -> list[Problem]:
    """Static routes lead somewhere; SNMP has a community."""
    problems = []
    own = {item.ip for item in map(own_address, ctx.section["interfaces"]) if item}
    learned = any(item["address"] == "dhcp" for item in ctx.section["interfaces"])
    for route in ctx.section["static_routes"]:
        path = ctx.at(f"static_routes[{route['name']}].gateway")
        gateway = safe(host, route["gateway"])
        if bool(route["gateway"]) == route["blackhole"]:
            message = "a route has either a gateway or blackhole: true"
            problems.append(Problem(path, route["gateway"] or NOTHING, message, "one of the two", "CONTRADICTION"))
        elif gateway and (gateway in own or not (learned or any(gateway in net for net in ctx.connected))):
            valid = ", ".join(map(str, ctx.connected)) or "a gateway needs an interface with an address"
            problems.append(Problem(path, route["gateway"], "is no neighbour: it is in no connected subnet, or it is this router", valid, "GATEWAY_OUTSIDE"))
    snmp = ctx.section["system"]["snmp"]
    if ctx.managed and snmp["enabled"] and not snmp["community"]:
        message = "SNMP is enabled without a community"
        problems.append(Problem(ctx.at("system.snmp.community"), NOTHING, message, "a community, from a vault", "MISSING"))
    return problems
