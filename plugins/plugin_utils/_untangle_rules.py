# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Untangle's two lists of rules, both for the first packet of a connection: ``accessRules`` for packets to the router, ``filterRules`` for all else.

First match wins, and what no rule names passes. A blocked packet to the router is dropped, one that would be forwarded is answered.
"""

from __future__ import annotations

from typing import Any, Mapping

Section = dict[str, Any]
SSH, HTTPS, SNMP, DHCP = 22, 443, 161, 67
NEW_ICMP = ("echo_request", None)
"""Only requests begin a connection, and Untangle's own rule for ping names the protocol and nothing else."""


def rule_lists(model: Mapping[str, Any], numbers: Mapping[str, int], problems: list[str]) -> dict[str, list[Section]]:
    """Both lists, numbered."""
    firewall = model["firewall"]
    problems += firewall["inbound"]["problems"] if firewall["mode"] != "none" else []
    inbound = firewall["inbound"]["rules"] if firewall["mode"] != "none" else []
    for rule in inbound:
        if rule["icmp_type"] not in NEW_ICMP:
            problems.append(f"firewall ({rule['origin']}).icmp_type: Untangle tells no kinds of ICMP apart; the first packet of a connection is echo_request")
    local = [rule for rule in inbound if rule["to_self"]]
    access = [*_management(model), *_service(model, "ssh", "TCP", SSH, problems), *_service(model, "snmp", "UDP", SNMP, problems)]
    access += _leases(model, {rule["interface"] for rule in local}, numbers)
    access += [_rule(rule, numbers) for rule in local]
    through = [_rule(rule, numbers) for rule in inbound if not rule["to_self"]]
    return {name: [{**rule, "id": index} for index, rule in enumerate(rules, 1)] for name, rules in (("access", access), ("filter", through))}


def _entry(title: str, blocked: bool, **conditions: Any) -> Section:
    """A rule from ``PROTOCOL="TCP"`` and the like; what is None is no condition."""
    own = [{"type": key, "value": str(value)} for key, value in conditions.items() if value is not None]
    return {"title": f"routerlab: {title}", "blocked": blocked, "conditions": own}


def _management(model: Mapping[str, Any]) -> list[Section]:
    """What must keep access goes first."""
    allow = model["management"]["allow"]
    return [_entry("management", False, PROTOCOL="TCP", DST_PORT=f"{SSH},{HTTPS}", SRC_ADDR=",".join(allow))] if allow else []


def _service(model: Mapping[str, Any], name: str, protocol: str, port: int, problems: list[str]) -> list[Section]:
    """A service with a list of prefixes, or one that nobody may use: the SSH server always runs, the SNMP agent does not."""
    settings = model["system"][name]
    if not settings["enabled"] and name == "ssh":
        return [_entry(f"no {name}", True, PROTOCOL=protocol, DST_PORT=port)]
    if not settings["enabled"] or not settings["allow"]:
        return []
    if model["firewall"]["mode"] != "none":
        problems.append(f"system.{name}.allow: Untangle has one list of rules for itself; beside a firewall, say it in a rule set for packets to the router")
    wanted = {"PROTOCOL": protocol, "DST_PORT": port}
    return [_entry(name, False, **wanted, SRC_ADDR=",".join(settings["allow"])), _entry(f"no other {name}", True, **wanted)]


def _leases(model: Mapping[str, Any], filtered: set[str], numbers: Mapping[str, int]) -> list[Section]:
    """DHCP is let in wherever it is served."""
    served = [pool["interface"] for pool in model["dhcp"]["pools"] if pool["interface"] in filtered]
    return [_entry(f"DHCP on {name}", False, PROTOCOL="UDP", DST_PORT=DHCP, SRC_INTF=numbers[name]) for name in served]


def _rule(rule: Mapping[str, Any], numbers: Mapping[str, int]) -> Section:
    title = rule["origin"] + (f": {rule['description']}" if rule["description"] else "")
    toward = rule["destination_network"]
    return _entry(
        title,
        rule["action"] != "accept",
        SRC_INTF=numbers[rule["interface"]],
        DST_INTF=numbers[toward] if toward else None,
        PROTOCOL=None if rule["protocol"] == "any" else rule["protocol"].upper(),
        SRC_ADDR=rule["source"],
        DST_ADDR=rule["destination"],
        SRC_PORT=rule["source_port"],
        DST_PORT=rule["destination_port"],
    )
