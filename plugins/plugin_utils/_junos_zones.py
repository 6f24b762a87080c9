# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zone firewall of an SRX in flow mode, from the neutral one.

A policy is asked for the first packet of a connection; answers always pass. What reaches the router itself is a list of
services for each interface. What cannot be said so is refused, all of it at once.
"""

from __future__ import annotations

import itertools
from typing import Any, Iterator, Mapping

Section = dict[str, Any]
KNOWN = {"established", "related"}
MATCHES = ("source", "destination", "source_ports", "destination_ports", "icmp_type")
ACTIONS = {"accept": "permit", "drop": "deny", "reject": "reject"}
ICMP = {"echo_reply": 0, "destination_unreachable": 3, "echo_request": 8, "time_exceeded": 11}
SERVICES = {
    ("tcp", "22"): "ssh",
    ("tcp", "53"): "dns",
    ("tcp", "830"): "netconf",
    ("udp", "53"): "dns",
    ("udp", "67"): "dhcp",
    ("udp", "68"): "dhcp",
    ("udp", "123"): "ntp",
    ("udp", "161"): "snmp",
    ("udp", "500"): "ike",
    ("udp", "4500"): "ike",
    ("icmp", "echo_request"): "ping",
}
RESERVED = ("any", "all", "global")
EVERYTHING = {"services": ["all"], "protocols": ["all"]}
OPEN_ZONE = "lab"


class ZoneError(ValueError):
    """What the zones of an SRX cannot say."""


def security(model: Mapping[str, Any]) -> Section:
    """``zones`` with interfaces and what they let in, ``policies``, ``applications`` and ``addresses`` that these name, and ``default``."""
    firewall = model["firewall"]
    tunnels = [(item["interface"], f"st0.{item['index']}") for item in model["tunnels"]["ipsec"]]
    if firewall["mode"] != "zones":
        members = [{"native": item["native"], **EVERYTHING} for item in model["interfaces"]]
        members += [{"native": "lo0.0", **EVERYTHING}] if model["loopbacks"] else []
        members += [{"native": native, "services": [], "protocols": []} for _outside, native in tunnels]
        return {"zones": [{"name": OPEN_ZONE, "interfaces": members}], "policies": [], "applications": [], "addresses": [], "default": "permit-all"}
    problems: list[str] = []
    if model["loopbacks"]:
        problems.append("loopbacks: beside zones they are not carried; packets to lo0 would need policies of their own")
    sets = {item["name"]: item for item in firewall["rule_sets"]}
    router = next((zone for zone in firewall["zones"] if zone["local"]), None)
    zones = []
    for zone in firewall["zones"]:
        if zone["name"].lower() in RESERVED or zone["name"].lower().startswith("junos-"):
            problems.append(f"firewall.zones[{zone['name']}].name: Junos has its own meaning for this name")
        if not zone["local"]:
            zones.append({"name": zone["name"], "interfaces": list(_members(zone, model, router, sets, tunnels, problems))})
    problems += _own_packets(firewall, router, sets)
    policies = list(_policies(firewall, router, sets, problems))
    if problems:
        raise ZoneError("; ".join(dict.fromkeys(problems)))
    return {"zones": zones, "policies": policies, **_named(policies), "default": "deny-all"}


def _members(zone: Section, model: Mapping[str, Any], router: Any, sets: Mapping[str, Section], tunnels: list[Any], problems: list[str]) -> Iterator[Section]:
    """The interfaces of a zone; an IPsec tunnel is in the zone of the interface that carries it. DHCP is let in where it is spoken."""
    allowed = _inbound(zone, router, sets, problems)
    served = {pool["interface"] for pool in model["dhcp"]["pools"]}
    for item in model["interfaces"]:
        if item["zone"] == zone["name"]:
            services = allowed["services"]
            if (item["dhcp"] or item["name"] in served) and "all" not in services:
                services = sorted({*services, "dhcp"})
            yield {"native": item["native"], "services": services, "protocols": allowed["protocols"]}
            for outside, native in tunnels:
                if outside == item["name"]:
                    yield {"native": native, "services": [], "protocols": []}


def _inbound(zone: Section, router: Any, sets: Mapping[str, Section], problems: list[str]) -> Section:
    """What a zone may send to the router itself."""
    if router is None:
        return EVERYTHING
    rule_set, default = _between(zone["name"], router, sets)
    path = f"firewall.rule_sets[{rule_set['name']}]" if rule_set else f"firewall.zones[{router['name']}].default"
    services: set[str] = set()
    protocols: set[str] = set()
    everything = default == "accept"
    if default == "reject":
        problems.append(f"{path}: an SRX drops what an interface does not let in, and cannot reject it (reject)")
    for here, rule in _asked(rule_set, problems) if rule_set else []:
        found = list(_services(rule))
        if rule["action"] != "accept" or any(rule[key] for key in ("source", "destination", "source_ports")) or rule["log"] or not all(found):
            problems.append(f"{here}: an interface of an SRX lets whole services in, and nothing else (ssh, ping, snmp, ospf, ...)")
            continue
        everything = everything or "all" in found
        services.update(name for name in found if name and name not in ("all", "ospf"))
        protocols.update(name for name in found if name and name == "ospf")
    return EVERYTHING if everything else {"services": sorted(services), "protocols": sorted(protocols)}


def _services(rule: Mapping[str, Any]) -> Iterator[str | None]:
    """The services that a rule names; ``all`` for every packet, None for what has no name."""
    if rule["protocol"] in ("ospf", "any"):
        yield "all" if rule["protocol"] == "any" else "ospf"
    elif rule["protocol"] == "esp":
        yield "ike"
    else:
        for match in rule["destination_ports"] or [rule["icmp_type"]]:
            yield SERVICES.get((rule["protocol"], match))


def _between(source: str, zone: Section, sets: Mapping[str, Section]) -> tuple[Section | None, str]:
    """The rule set from one zone to another, and what happens to the rest."""
    name = next((entry["rule_set"] for entry in zone["from"] if entry["name"] == source), None)
    return (sets[name], sets[name]["default"]) if name else (None, zone["default"])


def _asked(rule_set: Section, problems: list[str]) -> Iterator[tuple[str, Section]]:
    """The rules that are asked for the first packet of a connection."""
    for rule in rule_set["rules"]:
        here = f"firewall.rule_sets[{rule_set['name']}].rules[{rule['number']}]"
        states = set(rule["states"])
        if rule["action"] == "accept" and "invalid" in states:
            problems.append(f"{here}.states: an SRX never accepts a packet without a session (invalid)")
        elif rule["action"] != "accept" and states & KNOWN:
            problems.append(f"{here}.states: a session that was accepted cannot be dropped again (established, related)")
        elif not states or "new" in states:
            yield here, rule


def _answers(rule_set: Section) -> bool:
    """Whether answers pass by the rule set, as they always do on an SRX."""
    known = (rule for rule in rule_set["rules"] if not rule["states"] or "established" in rule["states"])
    plain = any(rule["action"] == "accept" and rule["protocol"] == "any" and not any(rule[key] for key in MATCHES) for rule in known)
    return plain or rule_set["default"] == "accept"


def _own_packets(firewall: Mapping[str, Any], router: Any, sets: Mapping[str, Section]) -> Iterator[str]:
    """Nothing holds up what the router itself sends."""
    for zone in firewall["zones"] if router else []:
        if zone["local"]:
            continue
        rule_set, default = _between(router["name"], zone, sets)
        dropped = any(rule["action"] != "accept" and set(rule["states"]) != {"invalid"} for rule in rule_set["rules"]) if rule_set else False
        if default != "accept" or dropped:
            yield f"firewall.zones[{zone['name']}].from[{router['name']}]: the router's own packets always pass; a rule set that accepts everything says so"


def _policies(firewall: Mapping[str, Any], router: Any, sets: Mapping[str, Section], problems: list[str]) -> Iterator[Section]:
    """The policies between zones and within them, in order."""
    plain = [zone for zone in firewall["zones"] if not zone["local"]]
    for source, zone in itertools.product(plain, plain):
        head = {"from": source["name"], "to": zone["name"]}
        if source is zone:
            if zone["intra"] == "accept":
                yield {**head, **_policy("intra", "permit")}
            continue
        rule_set, default = _between(source["name"], zone, sets)
        if rule_set and not _answers(rule_set):
            problems.append(f"firewall.rule_sets[{rule_set['name']}]: answers of accepted connections always pass; it needs a rule that accepts established")
        prefix = f"{rule_set['name']}-" if rule_set else ""
        for _here, rule in _asked(rule_set, problems) if rule_set else []:
            yield {**head, **_policy(f"{prefix}{rule['number']}", ACTIONS[rule["action"]], rule)}
        if default != "drop":
            yield {**head, **_policy(f"{prefix}default", ACTIONS[default])}


def _policy(name: str, action: str, rule: Mapping[str, Any] | None = None) -> Section:
    rule = rule or {"source": None, "destination": None, "protocol": "any", "log": False, "description": None}
    ends = {key: rule[key] for key in ("source", "destination")}
    ends.update({f"{key}_name": address_name(rule[key]) if rule[key] else "any" for key in ("source", "destination")})
    return {"name": name, "action": action, **ends, "applications": list(_applications(rule)), "log": rule["log"], "description": rule["description"]}


def _applications(rule: Mapping[str, Any]) -> Iterator[Section]:
    """One application for each pair of a source and a destination port."""
    if rule["protocol"] == "any":
        return
    for source, destination in itertools.product(rule["source_ports"] or [None], rule["destination_ports"] or [None]):
        words = [rule["protocol"], rule["icmp_type"], source and f"from-{source}", destination]
        yield {
            "name": "-".join(word.replace("_", "-") for word in words if word),
            "protocol": rule["protocol"],
            "icmp_type": ICMP[rule["icmp_type"]] if rule["icmp_type"] else None,
            "source_port": source,
            "destination_port": destination,
        }


def _named(policies: list[Section]) -> Section:
    """What the policies name, each once."""
    applications = {item["name"]: item for policy in policies for item in policy["applications"]}
    prefixes = {policy[key]: None for policy in policies for key in ("source", "destination") if policy[key]}
    return {
        "applications": list(applications.values()),
        "addresses": [{"name": address_name(prefix), "prefix": prefix} for prefix in prefixes],
    }


def address_name(prefix: str) -> str:
    """``net-10.0.0.0-8``, the name of a prefix in the address book."""
    return f"net-{prefix.replace('/', '-')}"
