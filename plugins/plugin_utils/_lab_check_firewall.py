# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Firewalls: rule sets, bindings and zones refer to one another and to interfaces."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import Context, Section, unknown
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem


def check_firewall(ctx: Context) -> list[Problem]:
    """Everything about the packet filter of one router."""
    firewall = ctx.section["firewall"]
    problems = _check_rules(ctx, firewall)
    if firewall["mode"] != "none" and not firewall["packet_filter"]:
        path = ctx.at("firewall.mode")
        problems.append(Problem(path, firewall["mode"], "firewall.packet_filter is false", "mode: none, or packet_filter: true", "CONTRADICTION"))
    if firewall["mode"] == "stateful":
        problems += _check_bindings(ctx, firewall)
    if firewall["mode"] == "zones":
        problems += _check_zones(ctx, firewall)
    return problems + _check_ospf(ctx, firewall)


def _check_rules(ctx: Context, firewall: Section) -> list[Problem]:
    problems = []
    for rule_set in firewall["rule_sets"]:
        for rule in rule_set["rules"]:
            path = ctx.at(f"firewall.rule_sets[{rule_set['name']}].rules[{rule['name']}]")
            if rule["icmp_type"] and rule["protocol"] != "icmp":
                message = f"needs protocol icmp, not {rule['protocol']}"
                problems.append(Problem(f"{path}.icmp_type", rule["icmp_type"], message, "protocol: icmp", "CONTRADICTION"))
            ports = rule["source_ports"] or rule["destination_ports"]
            if ports and rule["protocol"] not in ("tcp", "udp"):
                message = "ports need a protocol that has them"
                problems.append(Problem(f"{path}.protocol", rule["protocol"], message, "tcp or udp", "CONTRADICTION"))
    return problems


def _check_set(path: str, name: Any, sets: set[str]) -> list[Problem]:
    return [unknown(path, name, "rule set", sets)] if name and name not in sets else []


def _check_bindings(ctx: Context, firewall: Section) -> list[Problem]:
    sets = {item["name"] for item in firewall["rule_sets"]}
    problems = []
    if not firewall["bindings"] and ctx.managed:
        message = "mode stateful binds no rule set to any interface"
        problems.append(Problem(ctx.at("firewall.bindings"), [], message, "at least one binding", "MISSING"))
    for item in firewall["bindings"]:
        path = ctx.at(f"firewall.bindings[{item['name']}]")
        if item["name"] not in ctx.interfaces:
            problems.append(unknown(f"{path}.name", item["name"], "interface", ctx.interfaces))
        if not any(item[direction] for direction in ("in", "out", "local")):
            problems.append(Problem(path, NOTHING, "binds no rule set", "in, out or local", "MISSING"))
        for direction in ("in", "out", "local"):
            problems += _check_set(f"{path}.{direction}", item[direction], sets)
    return problems


def _check_zones(ctx: Context, firewall: Section) -> list[Problem]:
    sets = {item["name"] for item in firewall["rule_sets"]}
    zones = {item["name"]: item for item in firewall["zones"]}
    problems = []
    member_of: dict[str, str] = {}
    for zone in firewall["zones"]:
        path = ctx.at(f"firewall.zones[{zone['name']}]")
        for name in zone["interfaces"]:
            if name not in ctx.interfaces and name not in ctx.tunnel_names:
                problems.append(unknown(f"{path}.interfaces", name, "interface or tunnel", [*ctx.interfaces, *ctx.tunnel_names]))
            if name in member_of:
                message = f"is in zone {member_of[name]} already"
                problems.append(Problem(f"{path}.interfaces", name, message, "one zone for each interface", "TWO_ZONES"))
            member_of.setdefault(name, zone["name"])
        if zone["local"] and zone["interfaces"]:
            message = "the router's own zone has no interfaces"
            problems.append(Problem(f"{path}.local", True, message, "local: true, or interfaces", "CONTRADICTION"))
        for entry in zone["from"]:
            here = f"{path}.from[{entry['name']}]"
            if entry["name"] not in zones or entry["name"] == zone["name"]:
                problems.append(unknown(f"{here}.name", entry["name"], "other zone", set(zones) - {zone["name"]}))
            problems += _check_set(f"{here}.rule_set", entry["rule_set"], sets)
    return problems + _check_membership(ctx, zones, member_of)


def _check_membership(ctx: Context, zones: dict[str, Section], member_of: dict[str, str]) -> list[Problem]:
    if not zones:
        return [Problem(ctx.at("firewall.zones"), [], "mode zones, and there is no zone", "at least one zone", "MISSING")] if ctx.managed else []
    problems = []
    used = set(member_of.values()) | {item["zone"] for item in ctx.section["interfaces"]}
    for item in ctx.section["interfaces"]:
        path = ctx.at(f"interfaces[{item['name']}].zone")
        listed = member_of.get(item["name"])
        if item["zone"] and item["zone"] not in zones:
            problems.append(unknown(path, item["zone"], "zone", zones))
        elif item["zone"] and zones[item["zone"]]["local"]:
            message = "is the router's own zone, which has no interfaces"
            problems.append(Problem(path, item["zone"], message, _others(zones), "CONTRADICTION"))
        elif item["zone"] and listed and item["zone"] != listed:
            message = f"firewall.zones puts this interface into {listed}"
            problems.append(Problem(path, item["zone"], message, "the same zone in both places", "TWO_ZONES"))
        elif not item["zone"] and not listed and ctx.managed:
            problems.append(Problem(path, NOTHING, "mode zones, and this interface is in no zone", _others(zones), "NO_ZONE"))
    for name, zone in zones.items():
        if not zone["local"] and name not in used and ctx.managed:
            problems.append(Problem(ctx.at(f"firewall.zones[{name}]"), NOTHING, "has no interface", "interfaces, or local: true", "EMPTY_ZONE"))
    locals_ = [name for name, zone in zones.items() if zone["local"]]
    if len(locals_) > 1:
        message = f"more than one zone is the router itself: {', '.join(locals_)}"
        problems.append(Problem(ctx.at("firewall.zones"), NOTHING, message, "one zone with local: true", "CONTRADICTION"))
    return problems


def _others(zones: dict[str, Section]) -> str:
    return ", ".join(sorted(name for name, zone in zones.items() if not zone["local"]))


def _check_ospf(ctx: Context, firewall: Section) -> list[Problem]:
    """OSPF must reach the router itself, else no adjacency forms."""
    ospf = ctx.section["ospf"]
    if not ospf["enabled"] or firewall["mode"] == "none":
        return []
    problems = []
    sets = {item["name"]: item for item in firewall["rule_sets"]}
    for member in ospf["interfaces"]:
        if member["passive"] or member["name"] not in ctx.interfaces:
            continue
        name, default = _to_router(ctx, firewall, member["name"])
        blocked = not _lets_ospf_in(sets[name]) if name in sets else name is None and default != "accept"
        if blocked:
            what = f"rule set {name} lets" if name else "the router's own zone lets"
            message = f"{what} no OSPF in, and OSPF runs here: no adjacency would form"
            path = ctx.at(f"ospf.interfaces[{member['name']}].name")
            problems.append(Problem(path, member["name"], message, "a rule that accepts protocol ospf, or passive: true", "OSPF_BLOCKED"))
    return problems


def _to_router(ctx: Context, firewall: Section, interface: str) -> tuple[str | None, str]:
    """The rule set for packets from an interface to the router itself, or what happens without one."""
    if firewall["mode"] == "stateful":
        return next((item["local"] for item in firewall["bindings"] if item["name"] == interface), None), "accept"
    own = next((zone for zone in firewall["zones"] if zone["local"]), None)
    listed = next((zone["name"] for zone in firewall["zones"] if interface in zone["interfaces"]), None)
    zone_name = ctx.interfaces[interface]["zone"] or listed
    if own is None or zone_name is None:
        return None, "accept"
    return next((entry["rule_set"] for entry in own["from"] if entry["name"] == zone_name), None), own["default"]


def _lets_ospf_in(rule_set: Section) -> bool:
    """Whether the first rule that fits an OSPF packet of a new neighbour accepts it."""
    for rule in sorted(rule_set["rules"], key=lambda item: item["name"].zfill(4)):
        fits = rule["protocol"] in ("ospf", "any") and (not rule["states"] or "new" in rule["states"])
        if fits and rule["action"] == "accept":
            return True
        if fits and not rule["source"] and not rule["destination"]:
            return False
    return bool(rule_set["default"] == "accept")
