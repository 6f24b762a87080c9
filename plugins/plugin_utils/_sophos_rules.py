# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules of a Sophos Firewall: from zone to zone, first match wins, and each says where it stands.

Until 17.5 source NAT is a word of a rule. A rule for packets that go out and are translated in part is written twice: with NAT for the sources of the
NAT rule, and without for all others.
"""

from __future__ import annotations

from typing import Any, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import network
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_objects import Objects
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_zones import WAN

Section = dict[str, Any]
ACTIONS = {"accept": "Accept", "drop": "Drop", "reject": "Reject"}
VPN = "VPN"
NAT_IN_RULES = ("17.5",)
"""Dialects whose rules say NAT themselves."""
DESCRIPTION = 255


def rule_list(model: Mapping[str, Any], names: Mapping[str, str], objects: Objects, problems: list[str]) -> list[Section]:
    """The lab's rules in front of all others, in their order, and where there is a firewall a last one that drops what is left."""
    problems += model["firewall"]["inbound"]["problems"]
    found: list[Section] = []
    for rule in model["firewall"]["inbound"]["rules"]:
        if not rule["to_self"]:
            found += _translated(_zoned(rule, names, objects), model, names, objects, problems)
    found += _tunnel_rules(model, problems)
    first: dict[tuple[Any, ...], Section] = {}
    for rule in found:
        first.setdefault(_essence(rule), rule)
    unique = list(first.values())
    if model["firewall"]["mode"] != "none":
        unique.append(_rule("RL_END", "drop", "routerlab: everything else"))
    return [{**rule, "after": before and before["name"]} for before, rule in zip([None, *unique], unique)]


def nat_list(model: Mapping[str, Any], objects: Objects) -> list[Section]:
    """NAT rules apart from the others, each after the one before it."""
    rules = model["nat"]["rules"]
    found = [{"name": f"RL_NAT_{rule['name']}", "interface": rule["native"], "source": objects.host(rule["source"])} for rule in rules]
    return [{**rule, "after": before and before["name"]} for before, rule in zip([None, *found], found)]


def _rule(name: str, action: str, description: str, **values: Any) -> Section:
    own: Section = {"name": name, "action": ACTIONS[action], "description": description, "log": False, "nat": False}
    own.update(dict.fromkeys(("source_zone", "destination_zone", "source", "destination", "service", "prefix")))
    return {**own, **values}


def _zoned(rule: Mapping[str, Any], names: Mapping[str, str], objects: Objects) -> Section:
    """A rule of the lab in zones; a network of the lab is the zone that it is in."""
    title = f"routerlab {rule['interface']}: {rule['origin']}" + (f": {rule['description']}" if rule["description"] else "")
    toward = rule["destination_network"]
    return _rule(
        f"RL_{rule['id']}",
        rule["action"],
        title,
        log=rule["log"],
        source_zone=names[rule["interface"]],
        destination_zone=names[toward] if toward else None,
        source=objects.host(rule["source"]),
        destination=objects.host(rule["destination"]),
        service=objects.service(rule),
        prefix=rule["source"],
    )


def _essence(rule: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a rule does, whatever its name: of two that do the same the first one stays."""
    return tuple(value for key, value in rule.items() if key not in ("name", "description", "prefix"))


def _translated(rule: Section, model: Mapping[str, Any], names: Mapping[str, str], objects: Objects, problems: list[str]) -> Iterator[Section]:
    """Where rules say NAT: what goes out of a NAT rule's interface first, then the rule itself."""
    if model["dialect"] not in NAT_IN_RULES or rule["action"] != "Accept" or rule["destination_zone"] not in (None, WAN):
        yield rule
        return
    for index, nat in enumerate(model["nat"]["rules"]):
        if names[nat["interface"]] != WAN:
            problems.append(f"nat.rules[{nat['name']}]: Sophos {model['dialect']} translates where it routes out by a gateway, and {nat['interface']} has none")
            break
        sources = [network(prefix) for prefix in (rule["prefix"], nat["source"]) if prefix]
        if len(sources) == 2 and not sources[0].overlaps(sources[1]):
            continue
        narrow = str(max(sources, key=lambda net: net.prefixlen)) if sources else None
        yield {**rule, "name": f"{rule['name']}_NAT{index}", "destination_zone": WAN, "source": objects.host(narrow), "prefix": narrow, "nat": True}
        if narrow == rule["prefix"] and rule["destination_zone"] == WAN:
            return
    yield rule


def _tunnel_rules(model: Mapping[str, Any], problems: list[str]) -> Iterator[Section]:
    """What comes out of an IPsec tunnel is in a zone of the firewall's own."""
    if not model["tunnels"]["ipsec"]:
        return
    if model["firewall"]["mode"] != "none":
        problems.append("tunnels.ipsec: on Sophos a tunnel is in its zone VPN, of which a firewall of the lab says nothing; only with firewall.mode: none")
    yield _rule("RL_VPN", "accept", "routerlab: from tunnels", source_zone=VPN)
