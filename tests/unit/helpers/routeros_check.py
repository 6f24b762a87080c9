# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What RouterOS checks when commands come in, as far as this project's configurations can get it wrong.

Works on operations, knows nothing of templates or of the lab: references lead somewhere and to what came before, rules are whole,
pools and areas belong to something.
"""

from __future__ import annotations

import ipaddress
from typing import Iterator, Optional, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation

Values = dict[str, Optional[str]]
BUILT_IN = ("input", "forward", "output")


class Config:
    """Operations by menu."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def of(self, menu: str, verb: str = "add") -> list[Values]:
        return [item.values for item in self.operations if " ".join(item.path) == menu and item.verb == verb]

    def names(self, menu: str) -> set[Optional[str]]:
        return {item["name"] for item in self.of(menu)}


def problems(operations: Sequence[Operation], dialect: str) -> list[str]:
    """Everything that the router would refuse, or take and never use."""
    config = Config(operations)
    checks = (_interfaces, _order, _dhcp, _ospf, _firewall, _queues, _ipsec)
    return [line for check in checks for line in check(config, dialect)]


def _known(config: Config, dialect: str) -> set[Optional[str]]:
    made = config.names("interface bridge") | config.names("interface vlan") | config.names("interface wireguard")
    ports = {f"ether{number}" for number in range(1, 14)}
    return made | ports | ({"lo"} if dialect == "7.14" else set())


def _interfaces(config: Config, dialect: str) -> Iterator[str]:
    known = _known(config, dialect)
    for item in config.operations:
        for name in ("interface", "in-interface", "out-interface", "interfaces", "bridge"):
            value = item.values.get(name)
            if value is not None and value not in known:
                yield f"{item.where}: there is no interface {value}"
    if dialect == "7.14" and "lo" in config.names("interface bridge"):
        yield "interface bridge: lo is there already"
    members = [item["interface"] for item in config.of("interface bridge port")]
    for name in members:
        if name in [item["interface"] for item in config.of("ip address")]:
            yield f"{name}: an address on a port of a bridge"
    taken: set[object] = set()
    for item in config.of("ip address"):
        address = ipaddress.IPv4Interface(item["address"] or "")
        if address.ip in taken:
            yield f"{item['address']}: stands twice"
        taken.add(address.ip)
    parents = [item for item in config.operations if item.path[0] == "interface"]
    mtu = {item.find.get("default-name", item.values.get("name")): int(item.values.get("mtu") or 1500) for item in parents}
    for item in config.of("interface vlan"):
        if int(item.get("mtu") or 1500) > mtu.get(item["interface"], 1500):
            yield f"{item['name']}: its MTU is more than that of {item['interface']}"


def _order(config: Config, dialect: str) -> Iterator[str]:
    """A name is given before it is used."""
    made = {f"ether{number}" for number in range(1, 14)} | {"lo"}
    for item in config.operations:
        for name in ("interface", "bridge", "in-interface", "out-interface", "parent"):
            value = item.values.get(name)
            if value is not None and value not in made and value != "global":
                yield f"{item.where}: {value} comes later"
        if item.path[0] == "interface" and item.verb == "add" and "name" in item.values:
            made.add(item.values["name"] or "")


def _dhcp(config: Config, dialect: str) -> Iterator[str]:
    addresses = {item["interface"]: ipaddress.IPv4Interface(item["address"] or "").network for item in config.of("ip address")}
    pools = {item["name"]: (item["ranges"] or "").split("-") for item in config.of("ip pool")}
    networks = {ipaddress.IPv4Network(item["address"] or ""): item for item in config.of("ip dhcp-server network")}
    for server in config.of("ip dhcp-server"):
        net = addresses.get(server["interface"])
        ends = pools.get(server["address-pool"], [])
        if net is None or net not in networks:
            yield f"dhcp {server['name']}: no network for {server['interface']}"
        elif not ends or not all(ipaddress.IPv4Address(end) in net for end in ends):
            yield f"dhcp {server['name']}: pool {ends}"
        if server.get("disabled") != "no":
            yield f"dhcp {server['name']}: is disabled unless disabled=no"
    for net, item in networks.items():
        if ("dns-server" in item) == ("dns-none" in item):
            yield f"dhcp {net}: either dns-server or dns-none"
        if "gateway" in item and ipaddress.IPv4Address(item["gateway"] or "") not in net:
            yield f"dhcp {net}: gateway {item['gateway']}"
    for lease in config.of("ip dhcp-server lease"):
        if lease["server"] not in config.names("ip dhcp-server"):
            yield f"lease {lease['address']}: server {lease['server']}"


def _ospf(config: Config, dialect: str) -> Iterator[str]:
    areas = config.names("routing ospf area") | ({"backbone"} if dialect == "6" else set())
    members = config.of("routing ospf network") + config.of("routing ospf interface-template")
    for area in areas:
        if (area != "backbone" or dialect != "6") and area not in [item["area"] for item in members]:
            yield f"area {area}: no interface is in it"
    instances = config.names("routing ospf instance") | ({"default"} if dialect == "6" else set())
    yield from (f"area {item['name']}: instance {item['instance']}" for item in config.of("routing ospf area") if item["instance"] not in instances)
    yield from (f"ospf: area {item['area']}" for item in members if item["area"] not in areas)
    if (config.of("routing ospf instance", "set") or config.of("routing ospf instance")) and not members:
        yield "ospf: runs nowhere"
    chains = [item["chain"] for item in config.of("routing filter rule")]
    for item in config.of("routing ospf instance"):
        if item.get("out-filter-chain") not in (None, *chains):
            yield f"ospf: chain {item['out-filter-chain']}"
        if "redistribute" in item and "out-filter-chain" not in item:
            yield "ospf: redistributes with the default type"
    yield from (f"filter {item['chain']}: {item['rule']} does not accept" for item in config.of("routing filter rule") if "accept" not in (item["rule"] or ""))
    for item in config.of("routing ospf interface-template"):
        if ("networks" in item) == ("interfaces" in item):
            yield "ospf: a template is for networks or for interfaces"


def _firewall(config: Config, dialect: str) -> Iterator[str]:
    rules = config.of("ip firewall filter")
    chains = {item["chain"] for item in rules}
    jumps = {item.get("jump-target") for item in rules}
    lists = config.names("interface list")
    for item in rules:
        here = f"rule {item['comment']}"
        if (item["action"] == "jump") != ("jump-target" in item) or item.get("jump-target") not in (None, *chains):
            yield f"{here}: jump to {item.get('jump-target')}"
        if any(name in item for name in ("src-port", "dst-port")) and item.get("protocol") not in ("tcp", "udp"):
            yield f"{here}: a port without tcp or udp"
        if "icmp-options" in item and item.get("protocol") != "icmp":
            yield f"{here}: icmp-options without protocol icmp"
        if item["chain"] == "input" and "out-interface-list" in item or item["chain"] == "output" and "in-interface-list" in item:
            yield f"{here}: no such direction in {item['chain']}"
        yield from (f"{here}: list {item[name]}" for name in ("in-interface-list", "out-interface-list") if name in item and item[name] not in lists)
    yield from (f"chain {name}: nobody jumps to it" for name in chains if name not in BUILT_IN and name not in jumps and name.startswith("to-"))
    tracking = config.of("ip firewall connection tracking", "set")
    if any(item.get("enabled") == "no" for item in tracking) and config.of("ip firewall nat"):
        yield "nat: needs connection tracking"


def _queues(config: Config, dialect: str) -> Iterator[str]:
    types = config.names("queue type")
    marks = {item["new-packet-mark"] for item in config.of("ip firewall mangle")}
    for item in config.of("queue tree"):
        if item["queue"] not in types:
            yield f"queue {item['name']}: type {item['queue']}"
        if item["packet-mark"] not in (marks | {"no-mark"}):
            yield f"queue {item['name']}: mark {item['packet-mark']}"
        if item["parent"] not in _known(config, dialect) | {"global"}:
            yield f"queue {item['name']}: parent {item['parent']}"
    used = {item["packet-mark"] for item in config.of("queue tree")}
    yield from (f"mark {mark}: no queue" for mark in marks - used)
    yield from (f"queue type {name}: not used" for name in types if name not in {item["queue"] for item in config.of("queue tree")})


def _ipsec(config: Config, dialect: str) -> Iterator[str]:
    peers = config.names("ip ipsec peer")
    for item in config.of("ip ipsec peer"):
        if item["profile"] not in config.names("ip ipsec profile"):
            yield f"peer {item['name']}: profile {item['profile']}"
        if item["name"] not in [identity["peer"] for identity in config.of("ip ipsec identity")]:
            yield f"peer {item['name']}: no identity"
    for item in config.of("ip ipsec policy"):
        if item["peer"] not in peers or item["proposal"] not in config.names("ip ipsec proposal"):
            yield f"policy {item['dst-address']}: peer or proposal"
    keyed = [item.find.get("name") for item in config.operations if item.path == ("interface", "wireguard") and item.verb == "set"]
    yield from (f"{name}: no key" for name in config.names("interface wireguard") if name not in keyed)
