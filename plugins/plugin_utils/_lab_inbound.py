# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The firewall as filters see it that keep states: one list of rules for each interface, for the first packet of a connection that comes in there.

Packets of a connection that was let in are not asked again, so "accept what is established" needs no rule, and what
such a filter cannot say at all is a sentence in ``problems``. First match wins.
"""

from __future__ import annotations

import itertools
import zlib
from typing import Any, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import network

Section = dict[str, Any]
KNOWN = {"established", "related"}
FIRST_ID, IDS = 3_900_000_000, 99_999_989
"""Numbers of rules lie in this range: within 32 bits, and after what the clock gives for decades."""
ANY: Section = {
    "action": "accept",
    "protocol": "any",
    "icmp_type": None,
    "source": None,
    "destination": None,
    "source_ports": [],
    "destination_ports": [],
    "states": [],
    "log": False,
    "description": None,
}


def inbound_model(firewall: Mapping[str, Any], interfaces: list[Section], outside: str | None, routed: bool) -> Section:
    """``rules`` in order, and ``problems``: what cannot be said in them.

    ``outside`` is the interface behind which everything lies that is not connected; ``routed`` says whether there is such a thing.
    """
    problems: list[str] = []
    sets = {item["name"]: item for item in firewall["rule_sets"]}
    rules: list[Section] = []
    for item in interfaces:
        if firewall["mode"] == "zones":
            found = _zone_rules(item, firewall, sets, interfaces, outside, problems)
        else:
            found = _bound_rules(item, firewall, sets, problems)
        rules += [{**rule, "interface": item["name"]} for rule in found]
    if firewall["mode"] == "zones":
        problems += _own_packets(firewall, sets)
        if routed and outside is None:
            problems.append(
                "firewall.zones: networks lie behind other routers, and no interface leads there by default, so that it is not known in which zone they are"
            )
    return {"rules": _numbered(itertools.chain.from_iterable(map(_single_ports, rules))), "problems": list(dict.fromkeys(problems))}


def _bound_rules(item: Section, firewall: Mapping[str, Any], sets: Mapping[str, Section], problems: list[str]) -> list[Section]:
    """Rules of an interface with rule sets bound to it: first those for the router itself, then those for all else."""
    binding = next((entry for entry in firewall["bindings"] if entry["interface"] == item["name"]), None)
    if binding is None:
        return [_rule(ANY, "open", False)]
    if binding["out"]:
        problems.append(f"firewall.bindings[{item['name']}].out: a connection is asked for where it comes in; bind the rule set there")
    found = []
    if binding["local"]:
        found += _set_rules(sets[binding["local"]], True, problems)
    elif binding["in"]:
        found.append(_rule(ANY, "open", True))
    return found + (_set_rules(sets[binding["in"]], False, problems) if binding["in"] else [_rule(ANY, "open", False)])


def _set_rules(rule_set: Mapping[str, Any], to_self: bool, problems: list[str]) -> list[Section]:
    """A rule set, with its default at the end."""
    name, path = rule_set["name"], f"firewall.rule_sets[{rule_set['name']}]"
    found = []
    answers = rule_set["default"] == "accept"
    for rule in rule_set["rules"]:
        states = set(rule["states"])
        here = f"{path}.rules[{rule['number']}]"
        if rule["action"] == "accept":
            answers = answers or (not _matches(rule) and (not states or "established" in states))
            if "invalid" in states:
                problems.append(f"{here}.states: a packet without a state is never accepted (invalid)")
            elif not states or "new" in states:
                found.append(_rule(rule, f"{name} {rule['number']}", to_self))
        elif states & KNOWN:
            problems.append(f"{here}.states: a connection that was accepted cannot be dropped again (established, related)")
        elif states != {"invalid"}:
            found.append(_rule(rule, f"{name} {rule['number']}", to_self))
    if not answers:
        problems.append(f"{path}: answers of accepted connections always pass; the rule set needs a rule that accepts established")
    return [*found, _rule({**ANY, "action": rule_set["default"]}, f"{name} default", to_self)]


def _matches(rule: Mapping[str, Any]) -> bool:
    """Whether a rule looks at anything but the state."""
    return rule["protocol"] != "any" or any(rule[key] for key in ("source", "destination", "source_ports", "destination_ports"))


def _rule(rule: Mapping[str, Any], origin: str, to_self: bool) -> Section:
    return {**{key: rule[key] for key in ANY if key != "states"}, "origin": origin, "to_self": to_self, "destination_network": None}


def _zone_rules(
    item: Section, firewall: Mapping[str, Any], sets: Mapping[str, Section], interfaces: list[Section], outside: str | None, problems: list[str]
) -> list[Section]:
    """Rules of an interface of a zone: to the router, to each network of each zone, and last to what lies behind the outside."""
    zones = {zone["name"]: zone for zone in firewall["zones"]}
    own = item["zone"]
    found: list[Section] = []
    router = next((zone for zone in zones.values() if zone["local"]), None)
    found += _toward(router, own, sets, True, problems) if router else [_rule(ANY, "router", True)]
    everywhere: list[Section] = []
    for zone in zones.values():
        members = [other for other in interfaces if other["zone"] == zone["name"]]
        if zone["local"]:
            continue
        if zone["tunnels"]:
            problems.append(f"firewall.zones[{zone['name']}].interfaces: a tunnel cannot be in a zone here ({', '.join(zone['tunnels'])})")
        rules = _toward(zone, own, sets, False, problems)
        for member in members:
            if member["name"] != item["name"]:
                found += _within(rules, member)
            if member["name"] == outside and member["name"] != item["name"]:
                everywhere = rules
    return found + everywhere


def _toward(zone: Mapping[str, Any], source: str, sets: Mapping[str, Section], to_self: bool, problems: list[str]) -> list[Section]:
    """What packets from zone ``source`` meet on their way to another zone, or within their own."""
    if zone["name"] == source:
        return [_rule({**ANY, "action": zone["intra"]}, f"{source} intra", to_self)]
    name = next((entry["rule_set"] for entry in zone["from"] if entry["name"] == source), None)
    if name is None:
        return [_rule({**ANY, "action": zone["default"]}, f"{zone['name']} default", to_self)]
    return _set_rules(sets[name], to_self, problems)


def _within(rules: list[Section], member: Section) -> Iterator[Section]:
    """Rules narrowed to the network of an interface."""
    for rule in rules:
        if not rule["destination"]:
            yield {**rule, "destination_network": member["name"]}
        elif not member["prefix"]:
            yield rule
        else:
            wanted, own = network(rule["destination"]), network(member["prefix"])
            if wanted.overlaps(own):
                yield {**rule, "destination": str(max(wanted, own, key=lambda net: net.prefixlen))}


def _own_packets(firewall: Mapping[str, Any], sets: Mapping[str, Section]) -> Iterator[str]:
    """The router's own packets are not asked where they go out."""
    router = next((zone["name"] for zone in firewall["zones"] if zone["local"]), None)
    for zone in firewall["zones"]:
        if router is None or zone["name"] == router:
            continue
        name = next((entry["rule_set"] for entry in zone["from"] if entry["name"] == router), None)
        own = sets[name] if name else {"default": zone["default"], "rules": []}
        if own["default"] != "accept" or any(rule["action"] != "accept" and set(rule["states"]) != {"invalid"} for rule in own["rules"]):
            yield f"firewall.zones[{zone['name']}].from[{router}]: the router's own packets always pass; a rule set that accepts everything says so"


def _single_ports(rule: Section) -> Iterator[Section]:
    """One rule for each port or range of ports."""
    for source, destination in itertools.product(rule["source_ports"] or [None], rule["destination_ports"] or [None]):
        yield {**rule, "source_port": source, "destination_port": destination}


def _numbered(rules: Iterator[Section]) -> list[Section]:
    """Each rule with a number that comes from what it is, not from where it stands."""
    numbers: set[int] = set()
    found = []
    for rule in rules:
        words = [
            rule["interface"],
            rule["origin"],
            rule["to_self"],
            rule["destination_network"],
            rule["destination"],
            rule["source_port"],
            rule["destination_port"],
        ]
        number = zlib.crc32("/".join(map(str, words)).encode()) % IDS
        while number in numbers:
            number = (number + 1) % IDS
        numbers.add(number)
        found.append({**rule, "id": FIRST_ID + number})
    return found
