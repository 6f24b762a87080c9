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
        problems.append(Problem(ctx.at("firewall.mode"), firewall["mode"], "firewall.packet_filter is false", "mode: none, or packet_filter: true", "CONTRADICTION"))
    if firewall["mode"] == "stateful":
        problems += _check_bindings(ctx, firewall)
    if firewall["mode"] == "zones":
        problems += _check_zones(ctx, firewall)
    return problems


def _check_rules(ctx: Context, firewall: Section) -> list[Problem]:
    problems = []
    for rule_set in firewall["rule_sets"]:
        for rule in rule_set["rules"]:
            path = ctx.at(f"firewall.rule_sets[{rule_set['name']}].rules[{rule['name']}]")
            if rule["icmp_type"] and rule["protocol"] != "icmp":
                problems.append(Problem(f"{path}.icmp_type", rule["icmp_type"], f"needs protocol icmp, not {rule['protocol']}", "protocol: icmp", "CONTRADICTION"))
            ports = rule["source_ports"] or rule["destination_ports"]
            if ports and rule["protocol"] not in ("tcp", "udp"):
                problems.append(Problem(f"{path}.protocol", rule["protocol"], "ports need a protocol that has them", "tcp or udp", "CONTRADICTION"))
    return problems


def _check_set(ctx: Context, path: str, name: Any, sets: set[str]) -> list[Problem]:
    return [unknown(path, name, "rule set", sets)] if name and name not in sets else []


def _check_bindings(ctx: Context, firewall: Section) -> list[Problem]:
    sets = {item["name"] for item in firewall["rule_sets"]}
    problems = []
    if not firewall["bindings"]:
        problems.append(Problem(ctx.at("firewall.bindings"), [], "mode stateful binds no rule set to any interface", "at least one binding", "MISSING"))
    for item in firewall["bindings"]:
        path = ctx.at(f"firewall.bindings[{item['name']}]")
        if item["name"] not in ctx.interfaces:
            problems.append(unknown(f"{path}.name", item["name"], "interface", ctx.interfaces))
        for direction in ("in", "out", "local"):
            problems += _check_set(ctx, f"{path}.{direction}", item[direction], sets)
    return problems


def _check_zones(ctx: Context, firewall: Section) -> list[Problem]:
    sets = {item["name"] for item in firewall["rule_sets"]}
    zones = {item["name"]: item for item in firewall["zones"]}
    problems = []
    member_of: dict[str, str] = {}
    for zone in firewall["zones"]:
        path = ctx.at(f"firewall.zones[{zone['name']}]")
        for name in zone["interfaces"]:
            if name not in ctx.interfaces:
                problems.append(unknown(f"{path}.interfaces", name, "interface", ctx.interfaces))
            if name in member_of:
                problems.append(Problem(f"{path}.interfaces", name, f"is in zone {member_of[name]} already", "one zone for each interface", "TWO_ZONES"))
            member_of[name] = zone["name"]
        if zone["local"] and zone["interfaces"]:
            problems.append(Problem(f"{path}.local", True, "the router's own zone has no interfaces", "local: true, or interfaces", "CONTRADICTION"))
        for entry in zone["from"]:
            here = f"{path}.from[{entry['name']}]"
            if entry["name"] not in zones or entry["name"] == zone["name"]:
                problems.append(unknown(f"{here}.name", entry["name"], "other zone", set(zones) - {zone["name"]}))
            problems += _check_set(ctx, f"{here}.rule_set", entry["rule_set"], sets)
    return problems + _check_membership(ctx, zones, member_of)


def _check_membership(ctx: Context, zones: dict[str, Section], member_of: dict[str, str]) -> list[Problem]:
    problems = []
    for item in ctx.section["interfaces"]:
        path = ctx.at(f"interfaces[{item['name']}].zone")
        listed = member_of.get(item["name"])
        if item["zone"] and item["zone"] not in zones:
            problems.append(unknown(path, item["zone"], "zone", zones))
        elif item["zone"] and listed and item["zone"] != listed:
            problems.append(Problem(path, item["zone"], f"firewall.zones puts this interface into {listed}", "the same zone in both places", "TWO_ZONES"))
        elif not item["zone"] and not listed:
            problems.append(Problem(path, NOTHING, "mode zones, and this interface is in no zone", ", ".join(sorted(zones)), "NO_ZONE"))
    locals_ = [name for name, zone in zones.items() if zone["local"]]
    if len(locals_) > 1:
        problems.append(Problem(ctx.at("firewall.zones"), locals_, "more than one zone is the router itself", "one zone with local: true", "CONTRADICTION"))
    return problems
