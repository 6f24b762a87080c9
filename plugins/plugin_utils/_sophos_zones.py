# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones of a Sophos Firewall, and which of its own services each of them reaches.

Packets to the firewall itself meet no rule: a zone reaches a service or does not, and exceptions name sources. So rules of a lab for
packets to the router become such switches, and what cannot is told.
"""

from __future__ import annotations

import re
from typing import Any, Mapping, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_inbound import ANY
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_objects import Objects

Section = dict[str, Any]
WAN = "WAN"
STOCK = {"LAN": "LAN", "DMZ": "DMZ", WAN: "WAN"}
"""Zones that a lab may use and every firewall has, with their types."""
TAKEN = ("LOCAL", "VPN", "WIFI", WAN)
"""Zones that every firewall has and that mean something else."""
API = 4444
LONGEST = 60


class Need(NamedTuple):
    """One kind of packet by which a service is reached."""

    protocol: str
    port: int | None


ALWAYS = [Need("udp", 67), Need("udp", 68)]
"""A DHCP server and client are reached without a switch."""
SERVICES = {
    "HTTPS": [Need("tcp", API)],
    "SSH": [Need("tcp", 22)],
    "DNS": [Need("udp", 53), Need("tcp", 53)],
    "Ping": [Need("icmp", None)],
    "IPsec": [Need("udp", 500), Need("udp", 4500), Need("esp", None)],
    "DynamicRouting": [Need("ospf", None)],
    "SNMP": [Need("udp", 161)],
}


def ways_out(model: Mapping[str, Any]) -> list[str]:
    """Interfaces with a gateway or with an address by DHCP; they are in the zone WAN, and no others."""
    return [item["name"] for item in model["interfaces"] if item["dhcp"] or item["gateway"]]


def zone_names(model: Mapping[str, Any], problems: list[str]) -> dict[str, str]:
    """The zone of each interface: that of the lab, or one of its own."""
    outside = ways_out(model)
    zoned = model["firewall"]["mode"] == "zones"
    found: dict[str, str] = {}
    sources: dict[str, str] = {}
    for item in model["interfaces"]:
        own = (item["zone"] if zoned else None) or item["name"]
        name = WAN if item["name"] in outside else _clean(own)
        if len(name) > LONGEST:
            problems.append(f"interfaces[{item['name']}]: its zone would have the name {name}, and Sophos allows {LONGEST} characters")
        if name != WAN and sources.setdefault(name, own) != own:
            problems.append(f"interfaces[{item['name']}]: {sources[name]} and {own} would be one zone on Sophos, {name}; give them other names")
        found[item["name"]] = name
    for zone in model["firewall"]["zones"]:
        if WAN in {found[name] for name in zone["interfaces"]} and len({found[name] for name in zone["interfaces"]}) > 1:
            problems.append(f"firewall.zones[{zone['name']}]: Sophos has interfaces with a gateway, and no others, in its zone WAN; part this zone")
    return found


def _clean(name: str) -> str:
    own = re.sub(r"[^A-Z0-9_]", "_", name.upper())
    own = own if re.match(r"[A-Z1-9]", own) else f"Z{own}"
    return f"{own}_NET" if own in TAKEN else own


def zone_list(model: Mapping[str, Any], names: Mapping[str, str], objects: Objects, problems: list[str]) -> Section:
    """Zones with their services, those of the firewall apart from new ones, and exceptions with sources."""
    zones: list[Section] = []
    exceptions: list[Section] = []
    if model["management"]["allow"]:
        services = ["HTTPS", "SSH"] if model["system"]["ssh"]["enabled"] else ["HTTPS"]
        exceptions.append(_exception("MANAGEMENT", "Any", services, model["management"]["allow"], objects))
    for name in dict.fromkeys(names.values()):
        members = [item["name"] for item in model["interfaces"] if names[item["name"]] == name]
        offered = _offered(model, name, members)
        rules = _own_rules(model, members[0], problems)
        access = {}
        for service in SERVICES:
            sources = _decide(service, rules, members[0], problems)
            sources = _narrowed(service, name, sources, model, problems) if service in offered or _asked(service, name, sources) else False
            access[service] = sources is True
            if isinstance(sources, list):
                exceptions.append(_exception(f"{service}_{name}", name, [service], sources, objects))
        zones.append({"name": name, "type": STOCK.get(name, "LAN"), "stock": name in STOCK, "access": access, "description": _stated(members)})
    if not any(zone["access"]["HTTPS"] for zone in zones) and not any("HTTPS" in item["services"] for item in exceptions):
        problems.append(f"firewall: nothing would reach the API of Sophos (TCP {API}) any more; let it in from a zone, or name management.allow")
    return {"zones": zones, "exceptions": exceptions}


def _stated(members: list[str]) -> str:
    return ("routerlab: " + " ".join(members))[:LONGEST].rstrip()


def _asked(service: str, zone: str, sources: list[str] | bool) -> bool:
    """The administration page is offered on the WAN only to sources that a rule names."""
    return service == "HTTPS" and zone == WAN and isinstance(sources, list)


def _narrowed(service: str, zone: str, sources: list[str] | bool, model: Mapping[str, Any], problems: list[str]) -> list[str] | bool:
    """What the rules say, within what the service's own list says."""
    allow: list[str] = model["system"]["ssh"]["allow"] if service == "SSH" else []
    if isinstance(sources, list) and allow:
        problems.append(f"system.ssh.allow: rules for packets to the router from zone {zone} name sources, too; say it in one place")
    return allow if allow and sources is True else sources


def _offered(model: Mapping[str, Any], zone: str, members: list[str]) -> set[str]:
    """Services that the lab has in a zone. Sophos refuses its administration page to the whole WAN, and a resolver there is nobody's wish."""
    speaking = {item["name"] for item in model["ospf"]["interfaces"]}
    found = {"Ping"} | ({"HTTPS", "DNS"} if zone != WAN else set())
    found |= {name for name, key in (("SSH", "ssh"), ("SNMP", "snmp")) if model["system"][key]["enabled"]}
    found |= {"DynamicRouting"} if speaking & set(members) else set()
    return found | ({"IPsec"} if zone == WAN and model["tunnels"]["ipsec"] else set())


def _own_rules(model: Mapping[str, Any], interface: str, problems: list[str]) -> list[Section]:
    """The rules for packets from an interface to the firewall itself."""
    rules = [rule for rule in model["firewall"]["inbound"]["rules"] if rule["interface"] == interface and rule["to_self"]]
    for rule in rules:
        for key, words in (("source_port", "ports of the sender"), ("destination", "an address of its own"), ("log", "a log")):
            if rule[key]:
                problems.append(f"firewall ({rule['origin']}): a rule for packets to the router cannot have {words} on Sophos")
        if rule["action"] == "accept" and rule["protocol"] != "any" and not _known(rule):
            problems.append(f"firewall ({rule['origin']}): Sophos opens its own services only, and none of them is reached by this")
    return rules or [{**ANY, "origin": "open", "source_port": None, "destination_port": None}]


def _known(rule: Mapping[str, Any]) -> bool:
    """Whether a rule speaks of something that the firewall offers; answers and errors of ICMP belong to connections and always pass."""
    needs = [*ALWAYS, *(need for needs in SERVICES.values() for need in needs)]
    return rule["icmp_type"] in ("echo_reply", "destination_unreachable", "time_exceeded") or any(_fits(rule, need) for need in needs)


def _fits(rule: Mapping[str, Any], need: Need) -> bool:
    if rule["protocol"] not in ("any", need.protocol) or rule["icmp_type"] not in (None, "echo_request"):
        return False
    first, _dash, last = (rule["destination_port"] or "").partition("-")
    return not first or (need.port is not None and int(first) <= need.port <= int(last or first))


def _decide(service: str, rules: list[Section], interface: str, problems: list[str]) -> list[str] | bool:
    """True for everybody, False for nobody, or the prefixes that reach a service."""
    answers: list[list[str] | bool] = []
    for need in SERVICES[service]:
        answer, stop = _answer(need, rules, problems)
        if answer not in answers:
            answers.append(answer)
        if stop:
            problems.append(stop)
    if len(answers) > 1:
        problems.append(f"firewall: the rules of {interface} let in a part of what Sophos has as one service, {service}")
    return answers[0]


def _answer(need: Need, rules: list[Section], problems: list[str]) -> tuple[list[str] | bool, str | None]:
    sources: list[str] = []
    for rule in rules:
        if not _fits(rule, need):
            continue
        if not rule["source"]:
            return (True if rule["action"] == "accept" else sources or False), None
        if rule["action"] != "accept":
            return False, f"firewall ({rule['origin']}): Sophos lets sources in to its services, and shuts none out beside them"
        sources.append(rule["source"])
    return sources or False, None


def _exception(name: str, zone: str, services: list[str], prefixes: list[str], objects: Objects) -> Section:
    return {"name": f"RL_{name}"[:LONGEST], "zone": zone, "services": services, "hosts": [host for host in map(objects.host, prefixes) if host]}
