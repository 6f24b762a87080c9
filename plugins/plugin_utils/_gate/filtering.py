# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the router must do with the first packet of a connection: its packet filter and its NAT, as the model has them. Pure."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Any, Mapping

Model = Mapping[str, Any]
ACCEPT, DROP, REJECT, UNKNOWN = "accept", "drop", "reject", "unknown"
FIRST_PORT, LAST_PORT = 24061, 32000


@dataclass(frozen=True)
class Packet:
    """The first packet of a new connection. ``leaves`` is None when it is for the router itself."""

    enters: str
    leaves: str | None
    source: str
    destination: str
    protocol: str = "tcp"
    port: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What becomes of a packet, and because of which words in the lab."""

    action: str
    because: str


def verdict(model: Model, packet: Packet) -> Verdict:
    """What the packet filter does with a packet."""
    firewall = model["firewall"]
    if firewall["mode"] == "stateful":
        return _by_bindings(firewall, packet)
    if firewall["mode"] == "zones":
        return _by_zones(firewall, packet)
    return Verdict(ACCEPT, "there is no firewall")


def _by_bindings(firewall: Mapping[str, Any], packet: Packet) -> Verdict:
    """Rule sets on interfaces: all that the packet meets must accept it."""
    bound = {item["interface"]: item for item in firewall["bindings"]}
    first = bound.get(packet.enters, {})
    names = [first.get("local")] if packet.leaves is None else [first.get("in"), bound.get(packet.leaves, {}).get("out")]
    result = Verdict(ACCEPT, f"no rule set is bound to {packet.enters}")
    for name in filter(None, names):
        result = _by_rules(firewall, name, packet)
        if result.action != ACCEPT:
            break
    return result


def _by_zones(firewall: Mapping[str, Any], packet: Packet) -> Verdict:
    zones = firewall["zones"]
    source = next((zone for zone in zones if packet.enters in zone["interfaces"]), None)
    if packet.leaves is None:
        target = next((zone for zone in zones if zone["local"]), None)
        if target is None:
            return Verdict(ACCEPT, "no zone is the router itself")
    else:
        target = next((zone for zone in zones if packet.leaves in zone["interfaces"]), None)
    if source is None and target is None:
        return Verdict(ACCEPT, f"neither {packet.enters} nor {packet.leaves} is in a zone")
    if source is None or target is None:
        return Verdict(UNKNOWN, f"only one of {packet.enters} and {packet.leaves or 'the router itself'} is in a zone, and platforms differ there")
    if source["name"] == target["name"]:
        return Verdict(source["intra"], f"intra of zone {source['name']}")
    pair = next(item for item in firewall["zone_pairs"] if (item["from"], item["to"]) == (source["name"], target["name"]))
    if pair["rule_set"] is None:
        return Verdict(pair["default"], f"default of zone {target['name']}")
    return _by_rules(firewall, pair["rule_set"], packet)


def _by_rules(firewall: Mapping[str, Any], name: str, packet: Packet) -> Verdict:
    rules = next(item for item in firewall["rule_sets"] if item["name"] == name)
    for rule in rules["rules"]:
        if _fits(rule, packet):
            return Verdict(rule["action"], f"rule {rule['number']} of {name}")
    return Verdict(rules["default"], f"default of {name}")


def _fits(rule: Mapping[str, Any], packet: Packet) -> bool:
    """Whether a rule means a packet that begins a connection."""
    if rule["states"] and "new" not in rule["states"]:
        return False
    if rule["protocol"] not in ("any", packet.protocol):
        return False
    if rule["protocol"] == "icmp" and rule["icmp_type"] not in (None, "echo_request"):
        return False
    for prefix, own in ((rule["source"], packet.source), (rule["destination"], packet.destination)):
        if prefix and not _inside(own, prefix):
            return False
    # The probes' source ports are whatever the kernel gives: a rule that asks for one is not met.
    return not rule["source_ports"] and (not rule["destination_ports"] or (packet.port is not None and _named(rule["destination_ports"], packet.port)))


def _inside(own: str, prefix: str) -> bool:
    return ipaddress.ip_address(own) in ipaddress.ip_network(prefix, strict=False)


def _range(text: str) -> range:
    low, dummy, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def _named(ports: list[str], port: int) -> bool:
    return any(port in _range(text) for text in ports)


def _rules(model: Model) -> list[Mapping[str, Any]]:
    return [rule for rules in model["firewall"]["rule_sets"] for rule in rules["rules"]]


def plain_ports(model: Model, count: int = 4) -> list[int]:
    """Ports that no rule names, so that all of them meet the same fate."""
    named = [ports for rule in _rules(model) for ports in (rule["destination_ports"], rule["source_ports"]) if ports]
    free = [port for port in range(FIRST_PORT, LAST_PORT) if not any(_named(ports, port) for ports in named)]
    return free[:count] or list(range(FIRST_PORT, FIRST_PORT + count))


def named_ports(model: Model) -> list[int]:
    """One TCP port for each accepting rule that names any."""
    found = {
        _range(rule["destination_ports"][0]).start
        for rule in _rules(model)
        if rule["action"] == ACCEPT and rule["protocol"] == "tcp" and rule["destination_ports"]
    }
    return sorted(found)


def translated(model: Model, leaves: str, source: str) -> bool:
    """Whether the router hides a source behind the address of the interface that the packet leaves by."""
    return any(
        rule["interface"] == leaves and (rule["source"] is None or _inside(source, rule["source"]))
        for rule in model["nat"]["rules"]
    )
