# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The packet filter and NAT of a router as OpenWrt's fw3 and fw4 think of them: zones, their policies, rules between pairs of them.

Both let established and related packets through before any rule, and no rule of theirs asks for a connection's state.
A rule that accepts ends the way of a packet: there is no way back from one rule set to a second one.
"""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping

Section = dict[str, Any]
OPEN, SHUT = "accept", "drop"
# The zone of what no rule set speaks about.
REST = "inside"
# The zone of tunnels that no zone names.
TUNNELS = "tunnels"
MATCHES = ("icmp_type", "source", "destination", "source_ports", "destination_ports")


class FirewallError(ValueError):
    """A rule set that UCI has no words for."""


def firewall(model: Mapping[str, Any]) -> Section:
    """Everything that /etc/config/firewall says."""
    mode = model["firewall"]["mode"]
    zones = _lab_zones(model) if mode == "zones" else _interface_zones(model)
    _check_masquerade(model, zones)
    rules: list[Section] = []
    forwardings = []
    for one in zones:
        rules += _rules(one["input_set"], {"src": one["name"], "dest": None})
        rules += _rules(one["output_set"], {"src": None, "dest": one["name"]})
        for other in zones:
            if one is not other:
                found, default = _combined(one["name"], other["name"], _sets_between(model, one, other))
                pair = {"src": one["name"], "dest": other["name"]}
                rules += _tagged(found, pair)
                if default == OPEN and not found:
                    forwardings.append({**pair, "section": _section(one["name"], other["name"])})
                elif default != SHUT:
                    rules.append({**_end(default), **pair, "section": _section(one["name"], other["name"], "rest")})
    result = {
        "policy": OPEN if mode == "none" else SHUT,
        "drop_invalid": any(_drops_invalid(rule) for item in model["firewall"]["rule_sets"] for rule in item["rules"]),
        "zones": zones,
        "forwardings": forwardings,
        "rules": rules,
    }
    _check_sections(result)
    return result


def _interface_zones(model: Mapping[str, Any]) -> list[Section]:
    """A zone for each interface that rule sets or NAT speak about, and one for the rest."""
    bindings = {item["interface"]: item for item in model["firewall"]["bindings"]}
    own = [item["name"] for item in model["interfaces"] if item["name"] in bindings or item["name"] in model["nat"]["outside"]]
    rest = [item["name"] for item in model["interfaces"] if item["name"] not in own] + _tunnels(model)
    zones = []
    for name in own:
        local = _set_of(model, bindings[name]["local"] if name in bindings else None)
        zone = {**_zone(name, [name], local), **_masquerade(model, name)}
        # What would leave where it came in meets the defaults alone.
        defaults = [item["default"] for item in _sets_between(model, zone, zone)[0]]
        zones.append({**zone, "forward": next((item for item in defaults if item != OPEN), OPEN)})
    needed = bool(own) or model["firewall"]["mode"] != "none" or model["offload"]["flow"] != "none"
    return zones + ([_zone(REST, rest)] if rest and needed else [])


def _lab_zones(model: Mapping[str, Any]) -> list[Section]:
    local = next((zone["name"] for zone in model["firewall"]["zones"] if zone["local"]), None)
    zones = []
    for item in model["firewall"]["zones"]:
        if item["local"]:
            continue
        zone = {**_zone(item["name"], [*item["interfaces"], *item["tunnels"]]), "forward": item["intra"], "default": item["default"]}
        for key, pair in (("input", (item["name"], local)), ("output", (local, item["name"]))):
            found = _pair(model, *pair)
            rule_set = _set_of(model, found["rule_set"]) if found else None
            policy = rule_set["default"] if rule_set else found["default"] if found else OPEN
            zone.update({key: policy, f"{key}_set": rule_set})
        outside = [name for name in item["interfaces"] if name in model["nat"]["outside"]]
        zones.append({**zone, **(_masquerade(model, outside[0]) if outside else {})})
    listed = {name for zone in zones for name in zone["networks"]}
    loose = [name for name in _tunnels(model) if name not in listed]
    return zones + ([_zone(TUNNELS, loose)] if loose else [])


def _zone(name: str, networks: list[str], local: Section | None = None) -> Section:
    return {
        "name": name,
        "section": _section("zone", name),
        "networks": networks,
        "input": local["default"] if local else OPEN,
        "output": OPEN,
        "forward": OPEN,
        "default": OPEN,
        "input_set": local,
        "output_set": None,
        "masq": False,
        "masq_src": [],
        "masq_dest": [],
    }


def _tunnels(model: Mapping[str, Any]) -> list[str]:
    return [item["name"] for kind in ("wireguard", "openvpn") for item in model["tunnels"][kind]]


def _masquerade(model: Mapping[str, Any], interface: str) -> Section:
    """What a zone translates; IPsec's remote subnets keep their sources."""
    sources = [rule["source"] for rule in model["nat"]["rules"] if rule["interface"] == interface]
    spared = [f"!{prefix}" for item in model["tunnels"]["ipsec"] if item["interface"] == interface for prefix in item["remote_subnets"]]
    return {"masq": bool(sources), "masq_src": sources if all(sources) else [], "masq_dest": spared if sources else []}


def _check_masquerade(model: Mapping[str, Any], zones: list[Section]) -> None:
    for zone in zones:
        apart = {name: _masquerade(model, name) for name in zone["networks"]} if zone["masq"] else {}
        if any(item != apart[zone["networks"][0]] for item in apart.values()):
            names = ", ".join(zone["networks"])
            raise FirewallError(f"zone {zone['name']} ({names}): OpenWrt translates sources for a whole zone; these interfaces need zones of their own")


def _pair(model: Mapping[str, Any], source: str | None, to: str | None) -> Section | None:
    return next((item for item in model["firewall"]["zone_pairs"] if (item["from"], item["to"]) == (source, to)), None)


def _set_of(model: Mapping[str, Any], name: str | None) -> Section | None:
    return next((item for item in model["firewall"]["rule_sets"] if item["name"] == name), None)


def _sets_between(model: Mapping[str, Any], one: Section, other: Section) -> tuple[list[Section], str]:
    """The rule sets that packets from one zone to another meet, in order, and what happens without any."""
    if model["firewall"]["mode"] == "zones":
        pair = _pair(model, one["name"], other["name"])
        names = [pair["rule_set"]] if pair else []
        default = pair["default"] if pair else other["default"]
    else:
        bindings = {item["interface"]: item for item in model["firewall"]["bindings"]}
        names = [bindings[zone["name"]][way] for zone, way in ((one, "in"), (other, "out")) if zone["name"] in bindings]
        default = OPEN
    return [found for found in (_set_of(model, name) for name in names) if found], default


def _combined(one: str, other: str, sets: tuple[list[Section], str]) -> tuple[list[Section], str]:
    """The rules and the default that say the same as one or two rule sets after another."""
    found, default = sets
    if not found:
        return [], default
    first = _said(found[0])
    if len(found) == 1:
        return first, found[0]["default"]
    second = _said(found[1])
    accepts = any(rule["action"] == OPEN for rule in first)
    if not accepts and found[0]["default"] != OPEN:
        return first, found[0]["default"]
    if not accepts:
        return first + second, found[1]["default"]
    if not second and found[1]["default"] == OPEN:
        return first, found[0]["default"]
    names = " and ".join(item["name"] for item in found)
    raise FirewallError(f"packets from {one} to {other} meet two rule sets ({names}), and what a rule of the first accepts never comes to the second")


def _said(rule_set: Section) -> list[Section]:
    """The rules that are left to say when answers and invalid packets are dealt with."""
    rules = []
    answers = rule_set["default"] == OPEN
    for rule in rule_set["rules"]:
        states = set(rule["states"])
        plain = not any(rule[key] for key in MATCHES) and rule["protocol"] == "any"
        if plain and rule["action"] == OPEN and states and states <= {"established", "related"}:
            answers = answers or states == {"established", "related"}
        elif _drops_invalid(rule):
            continue
        elif states <= {"new"}:
            rules.append({**rule, "set": rule_set["name"]})
        else:
            words = ", ".join(rule["states"])
            raise FirewallError(f"rule {rule['number']} of {rule_set['name']} asks for the states {words}: rules of fw3 and fw4 ask for no state")
    if not answers:
        reason = "fw3 and fw4 let established and related packets through before any rule; begin it with a rule that accepts both"
        raise FirewallError(f"{rule_set['name']} holds back answers: {reason}")
    return rules


def _drops_invalid(rule: Section) -> bool:
    return rule["states"] == ["invalid"] and rule["action"] == SHUT and not any(rule[key] for key in MATCHES) and rule["protocol"] == "any"


def _rules(rule_set: Section | None, where: Section) -> list[Section]:
    return _tagged(_said(rule_set), where) if rule_set else []


def _tagged(rules: list[Section], where: Section) -> list[Section]:
    """Rules with their zones and with a name of their own."""
    words = (where["src"] or "router", where["dest"] or "router")
    return [
        {**rule, **where, "name": rule["description"] or f"{rule['set']}-{rule['number']}", "section": _section(*words, str(rule["number"]), rule["set"])}
        for rule in rules
    ]


def _end(action: str) -> Section:
    """A rule for all that is left."""
    return {"name": "everything else", "action": action, "protocol": "any", "log": False, **dict.fromkeys(MATCHES)}


def _section(*words: str) -> str:
    return "_".join(re.sub(r"[^A-Za-z0-9]", "_", word) for word in words)


def _named(result: Section) -> Iterator[str]:
    for key in ("zones", "forwardings", "rules"):
        yield from (item["section"] for item in result[key])


def _check_sections(result: Section) -> None:
    """Two sections of one name would become one."""
    names = list(_named(result))
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FirewallError(f"names differ in signs only and would be one section in UCI: {', '.join(twice)}")
    zones = [zone["name"] for zone in result["zones"]]
    if len(set(zones)) < len(zones):
        raise FirewallError(f"two zones would have one name: {', '.join(zones)}")
