# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What VyOS and EdgeOS check at commit, as far as this project's configurations can get it wrong.

Works on paths (`_vyos_config`), knows nothing of templates or of the lab: references lead somewhere, rules are whole,
DHCP subnets belong to an interface, numbers lie in their ranges.
"""

from __future__ import annotations

import ipaddress
from typing import Any, Iterator, Sequence

Path = tuple[str, ...]
Tree = dict[str, Any]

KINDS = ("ethernet", "switch", "wireguard", "openvpn", "input", "loopback")


def tree_of(paths: Sequence[Path]) -> Tree:
    """Paths as nested dictionaries; a value is a key without content."""
    root: Tree = {}
    for path in paths:
        node = root
        for word in path:
            node = node.setdefault(word, {})
    return root


def at(tree: Tree, *names: str) -> Tree:
    for name in names:
        tree = tree.get(name, {})
    return tree


def interfaces(tree: Tree) -> dict[str, Tree]:
    """Every interface that the configuration makes, with what it says of it."""
    found = {}
    for kind in KINDS:
        for name, content in at(tree, "interfaces", kind).items():
            found[name] = content
            for vlan, vif in at(content, "vif").items():
                found[f"{name}.{vlan}"] = vif
    return found


def problems(paths: Sequence[Path], platform: str, dialect: str) -> list[str]:
    """Everything that a commit would refuse."""
    tree = tree_of(paths)
    known = interfaces(tree)
    found = [*_single_values(paths), *_interfaces(tree, known), *_dhcp(tree, known, platform, dialect), *_nat(tree, known, platform)]
    found += [*_firewall(tree, known), *_zones(tree, known), *_ospf(tree, known), *_queues(tree, known), *_tunnels(tree, known)]
    return found


def _single_values(paths: Sequence[Path]) -> Iterator[str]:
    """A leaf that holds one value must not be set twice: the second would silently win."""
    single = {"default-router", "subnet-id", "lease", "start", "stop", "action", "default-action", "router-id", "description", "mtu", "port", "bandwidth"}
    seen: dict[Path, str] = {}
    for path in paths:
        if len(path) > 1 and path[-2] in single and seen.setdefault(path[:-1], path[-1]) != path[-1]:
            yield f"{' '.join(path[:-1])}: {seen[path[:-1]]} and {path[-1]}"


def _interfaces(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    taken: dict[str, str] = {}
    for name, content in known.items():
        addresses = list(at(content, "address"))
        if "dhcp" in addresses and len(addresses) > 1:
            yield f"{name}: a static address beside DHCP"
        for address in addresses:
            if taken.setdefault(address, name) != name:
                yield f"{name}: {address} is also on {taken[address]}"
        mtu = int(next(iter(at(content, "mtu")), 1500))
        parent = at(known.get(name.split(".")[0], {}), "mtu")
        if "." in name and mtu > int(next(iter(parent), 1500)):
            yield f"{name}: MTU {mtu} is more than its parent's"
        duplex, speed = (next(iter(at(content, key)), "auto") for key in ("duplex", "speed"))
        if (duplex == "auto") != (speed == "auto"):
            yield f"{name}: speed and duplex must both be auto, or both be fixed"
        for target in at(content, "redirect"):
            if target not in known:
                yield f"{name}: redirect to {target}, which is not there"
    for name in at(tree, "interfaces", "switch"):
        for member in at(tree, "interfaces", "switch", name, "switch-port", "interface"):
            if at(known.get(member, {}), "address"):
                yield f"{member}: an address on a member of {name}"


def _dhcp(tree: Tree, known: dict[str, Tree], platform: str, dialect: str) -> Iterator[str]:
    local = [ipaddress.ip_interface(text).network for content in known.values() for text in at(content, "address") if text != "dhcp"]
    ids: set[str] = set()
    for name, network in at(tree, "service", "dhcp-server", "shared-network-name").items():
        for prefix, subnet in at(network, "subnet").items():
            here = f"dhcp {name} {prefix}"
            net = ipaddress.ip_network(prefix)
            if net not in local:
                yield f"{here}: no interface has an address in it"
            ranges = [(start, next(iter(at(content, "stop")), "")) for start, content in at(subnet, "start").items()]
            ranges += [(next(iter(at(item, "start")), ""), next(iter(at(item, "stop")), "")) for item in at(subnet, "range").values()]
            for ends in ranges or [("", "")]:
                if not all(end and ipaddress.ip_address(end) in net for end in ends):
                    yield f"{here}: range {ends}"
            for router in at(subnet, "default-router") or at(subnet, "option", "default-router"):
                if ipaddress.ip_address(router) not in net:
                    yield f"{here}: gateway {router}"
            if platform == "vyos" and dialect.split("-")[0] in ("1.5", "rolling"):
                number = next(iter(at(subnet, "subnet-id")), "")
                if not number or number in ids:
                    yield f"{here}: subnet-id {number or 'is missing'}"
                ids.add(number)


def _nat(tree: Tree, known: dict[str, Tree], platform: str) -> Iterator[str]:
    rules = at(tree, "service", "nat", "rule") if platform == "edgeos" else at(tree, "nat", "source", "rule")
    low, high = (5000, 9999) if platform == "edgeos" else (1, 9999)
    for number, rule in rules.items():
        if not low <= int(number) <= high:
            yield f"nat rule {number}: not from {low} to {high}"
        names = list(at(rule, "outbound-interface", "name") or at(rule, "outbound-interface"))
        if len(names) != 1 or names[0] not in known:
            yield f"nat rule {number}: outbound interface {names}"
        translated = "masquerade" in at(rule, "type") or "masquerade" in at(rule, "translation", "address")
        if not translated and "exclude" not in rule:
            yield f"nat rule {number}: neither translates nor excludes"


def _rule_sets(tree: Tree) -> Tree:
    return {**at(tree, "firewall", "name"), **at(tree, "firewall", "ipv4", "name")}


def _rule(here: str, rule: Tree) -> Iterator[str]:
    if len(at(rule, "action")) != 1:
        yield f"{here}: no action"
    protocol = next(iter(at(rule, "protocol")), "")
    if any(at(rule, side, "port") for side in ("source", "destination")) and protocol not in ("tcp", "udp"):
        yield f"{here}: a port without tcp or udp"
    if "icmp" in rule and protocol != "icmp":
        yield f"{here}: an ICMP type without protocol icmp"
    empty = [name for name in ("icmp", "source", "destination", "state", "inbound-interface", "outbound-interface") if rule.get(name) == {}]
    if empty:
        yield f"{here}: {empty} without content"


def _firewall(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    sets = _rule_sets(tree)
    for name, content in sets.items():
        for number, rule in at(content, "rule").items():
            yield from _rule(f"{name} rule {number}", rule)
    for name, content in known.items():
        for direction, bound in at(content, "firewall").items():
            if not set(at(bound, "name")) <= set(sets):
                yield f"{name} {direction}: no rule set {list(at(bound, 'name'))}"
    yield from _base_chains(tree, known)
    for name, table in at(tree, "firewall", "flowtable").items():
        if not at(table, "interface") or not set(at(table, "interface")) <= set(known):
            yield f"flowtable {name}: interfaces {list(at(table, 'interface'))}"
        if "hardware" in at(table, "offload"):
            yield from (f"{port}: no hw-tc-offload" for port in at(table, "interface") if "hw-tc-offload" not in at(known.get(port, {}), "offload"))


def _base_chains(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    sets = _rule_sets(tree)
    for chain in ("forward", "input"):
        for number, rule in at(tree, "firewall", "ipv4", chain, "filter", "rule").items():
            here = f"{chain} rule {number}"
            yield from _rule(here, rule)
            if "jump" in at(rule, "action") and not (at(rule, "jump-target") and set(at(rule, "jump-target")) <= set(sets)):
                yield f"{here}: jump to {list(at(rule, 'jump-target'))}"
            if "offload" in at(rule, "action") and not set(at(rule, "offload-target")) & set(at(tree, "firewall", "flowtable")):
                yield f"{here}: offload to {list(at(rule, 'offload-target'))}"
            for side in ("inbound-interface", "outbound-interface"):
                if not set(at(rule, side, "name")) <= set(known):
                    yield f"{here}: {side} {list(at(rule, side, 'name'))}"


def _zones(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    zones = at(tree, "zone-policy", "zone") or at(tree, "firewall", "zone")
    members: dict[str, str] = {}
    for name, zone in zones.items():
        own = [*at(zone, "interface"), *at(zone, "member", "interface")]
        if ("local-zone" in zone) == bool(own):
            yield f"zone {name}: either local, or with interfaces"
        for port in own:
            if port not in known or members.setdefault(port, name) != name:
                yield f"zone {name}: interface {port}"
        for other, entry in at(zone, "from").items():
            if other not in zones or other == name or not set(at(entry, "firewall", "name")) <= set(_rule_sets(tree)):
                yield f"zone {name}: from {other}"
    if sum("local-zone" in zone for zone in zones.values()) > 1:
        yield "more than one local zone"
    for port in members:
        if any(at(known[port], "firewall", direction) for direction in ("in", "out")):
            yield f"{port}: in a zone, and a rule set of its own"


def _ospf(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    ospf = at(tree, "protocols", "ospf")
    networks = [prefix for area in at(ospf, "area").values() for prefix in at(area, "network")]
    if len(set(networks)) != len(networks):
        yield f"ospf: one network in two areas: {networks}"
    by_interface = [name for name, content in at(ospf, "interface").items() if "area" in content]
    if networks and by_interface:
        yield "ospf: networks and interfaces in areas"
    named = [*at(ospf, "interface"), *at(ospf, "passive-interface")]
    yield from (f"ospf: interface {name}" for name in named if name not in known and name not in ("lo", "default"))
    if ospf and not networks and not by_interface:
        yield "ospf: runs nowhere"


def _queues(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    policies = [name for kind in at(tree, "qos", "policy").values() for name in kind]
    policies += at(tree, "traffic-policy", "shaper")
    if len(set(policies)) != len(policies):
        yield f"policies of one name: {policies}"
    used = [(name, policy) for name, content in at(tree, "qos", "interface").items() for policy in at(content, "egress")]
    used += [(name, policy) for name, content in known.items() for policy in at(content, "traffic-policy", "out")]
    yield from (f"{name}: policy {policy}" for name, policy in used if policy not in policies or name not in known)
    yield from (f"policy {policy} is not used" for policy in policies if policy not in [name for _port, name in used])
    for name, queue in at(tree, "traffic-control", "smart-queue").items():
        if not at(queue, "wan-interface") or not set(at(queue, "wan-interface")) <= set(known) or not {"upload", "download"} & set(queue):
            yield f"smart queue {name}"


def _tunnels(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    for name, link in at(tree, "interfaces", "openvpn").items():
        for kind, store in (("ca-certificate", "ca"), ("certificate", "certificate")):
            yield from (f"{name}: {kind} {item}" for item in at(link, "tls", kind) if "certificate" not in at(tree, "pki", store, item))
        if not at(link, "local-address") or not at(link, "remote-address"):
            yield f"{name}: addresses of a site-to-site link"
        yield from (f"{name}: no key of {item}" for item in at(link, "tls", "certificate") if not at(tree, "pki", "certificate", item, "private", "key"))
    for name, link in at(tree, "interfaces", "wireguard").items():
        if "private-key" not in link or not all("public-key" in peer and "allowed-ips" in peer for peer in at(link, "peer").values()):
            yield f"{name}: keys"
    ipsec = at(tree, "vpn", "ipsec")
    for name, peer in at(ipsec, "site-to-site", "peer").items():
        if not at(peer, "local-address") and not at(peer, "dhcp-interface"):
            yield f"peer {name}: neither local-address nor dhcp-interface"
        for leaf, group in (("ike-group", "ike-group"), ("default-esp-group", "esp-group")):
            if not at(peer, leaf) or not set(at(peer, leaf)) <= set(at(ipsec, group)):
                yield f"peer {name}: {leaf}"
        ids = [set(at(psk, "id")) for psk in at(ipsec, "authentication", "psk").values() if "secret" in psk]
        mine = {*at(peer, "authentication", "local-id"), *at(peer, "authentication", "remote-id")}
        if not at(peer, "authentication", "pre-shared-secret") and mine not in ids:
            yield f"peer {name}: no secret"
        if not at(peer, "tunnel") or not all(at(pair, side, "prefix") for pair in at(peer, "tunnel").values() for side in ("local", "remote")):
            yield f"peer {name}: no pair of subnets"
    yield from (f"ipsec: interface {name}" for name in at(ipsec, "interface") or at(ipsec, "ipsec-interfaces", "interface") if name not in known)
