# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Neighbours, learned routes, and the routes that must not be there. Pure."""

from __future__ import annotations

from typing import Any, Collection, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.topology import on_network

Model = Mapping[str, Any]
DEFAULT = "0.0.0.0/0"
OSPF_CHECKS = ("ospf_neighbour_full", "route_learned", "route_announced")


def routing(items: Items, model: Model, others: Mapping[str, Model], observers: Collection[str]) -> None:
    """Everything about routes: OSPF, static, and the way back that NAT must not need."""
    if model["ospf"]["enabled"]:
        _neighbours(items, model, others, observers)
        _learned(items, model, others)
    else:
        for check in OSPF_CHECKS:
            items.skip(check, "the lab asks for no OSPF on this router")
    _static(items, model)
    _seen_by_others(items, model, others, observers)


def _active(model: Model) -> dict[str, dict[str, Any]]:
    """Interfaces on which a router forms adjacencies, by name."""
    if not model["ospf"]["enabled"]:
        return {}
    return {item["name"]: item for item in model["ospf"]["interfaces"] if not item["passive"] and not item["loopback"]}


def _adjacent(model: Model, others: Mapping[str, Model]) -> Iterator[tuple[dict[str, Any], dict[str, Any], str, dict[str, Any]]]:
    """Own interface, its OSPF section, neighbour's name, neighbour's interface."""
    active = _active(model)
    for item in model["interfaces"]:
        if item["name"] not in active:
            continue
        for name, other in others.items():
            port = on_network(other, item["network"])
            if port is not None and port["name"] in _active(other):
                yield item, active[item["name"]], name, port


def _neighbours(items: Items, model: Model, others: Mapping[str, Model], observers: Collection[str]) -> None:
    found = False
    for item, own, name, port in _adjacent(model, others):
        found = True
        instance = f"{item['name']} ({item['native']}) – {name}"
        if not model["managed"] and name not in observers:
            items.cannot("ospf_neighbour_full", instance, f"the router is not managed, and {name} is not in the inventory")
            continue
        items.plan(
            "ospf_neighbour_full",
            instance,
            native=item["native"],
            own=item["address"],
            own_mtu=item["mtu"],
            neighbour=name,
            address=port["address"],
            network=item["network"],
            **{key: own[key] for key in ("network_type", "area", "hello", "dead")},
        )
    if not found:
        items.cannot("ospf_neighbour_full", "", "no other router of the lab speaks OSPF on a network of this one")


def announced(model: Model) -> set[str]:
    """The prefixes that a router brings into OSPF."""
    ospf = model["ospf"]
    if not ospf["enabled"]:
        return set()
    found = {item["prefix"] for item in ospf["interfaces"]}
    if ospf["redistribute"]["connected"]:
        found |= {item["prefix"] for item in [*model["interfaces"], *model["loopbacks"]]}
    if ospf["redistribute"]["static"]:
        found |= {item["prefix"] for item in model["static_routes"] if item["prefix"] != DEFAULT}
    if ospf["default_originate"] == "always" or (ospf["default_originate"] == "if_present" and DEFAULT in _statics(model)):
        found.add(DEFAULT)
    return found - {None}


def _statics(model: Model) -> dict[str, dict[str, Any]]:
    return {item["prefix"]: item for item in model["static_routes"]}


def domain(model: Model, others: Mapping[str, Model]) -> list[str]:
    """The routers that one router's OSPF reaches, nearest first."""
    reached: list[str] = []
    queue: list[Model] = [model]
    while queue:
        for _item, _own, name, _port in _adjacent(queue.pop(0), others):
            if name not in reached and name != model["name"]:
                reached.append(name)
                queue.append(others[name])
    return reached


def _learned(items: Items, model: Model, others: Mapping[str, Model]) -> None:
    """What others announce must be in this router's table, unless it has a better source."""
    own = {item["prefix"] for item in [*model["interfaces"], *model["loopbacks"]]} | set(_statics(model))
    if model["ospf"]["default_originate"] != "never" or any(item["dhcp"] for item in model["interfaces"]):
        own.add(DEFAULT)
    sources: dict[str, list[str]] = {}
    for name in domain(model, others):
        for prefix in sorted(announced(others[name]) - own):
            sources.setdefault(prefix, []).append(name)
    for prefix, names in sorted(sources.items()):
        if model["managed"]:
            items.plan("route_learned", prefix, prefix=prefix, protocol="ospf", announced_by=names)
        else:
            items.cannot("route_learned", prefix, "the router is not managed: its routing table is not read")
    if not sources:
        items.skip("route_learned", "no other router of the lab announces anything that this one does not have")


def _static(items: Items, model: Model) -> None:
    for item in model["static_routes"]:
        if model["managed"]:
            items.plan("route_static", item["prefix"], prefix=item["prefix"], gateway=item["gateway"], blackhole=item["blackhole"])
        else:
            items.cannot("route_static", item["prefix"], "the router is not managed: its routing table is not read")
    if not model["static_routes"]:
        items.skip("route_static", "the lab gives this router no static route")


def _seen_by_others(items: Items, model: Model, others: Mapping[str, Model], observers: Collection[str]) -> None:
    """The other routers know what this one announces, and have no way to what it hides."""
    out = announced(model)
    reached = domain(model, others)
    lines = {item["prefix"]: item["name"] for item in model["interfaces"] if item["prefix"]}
    hidden = {prefix: name for prefix, name in lines.items() if prefix not in out and not _shared(model, others, prefix)}
    watched = reached or [name for name in others if any(on_network(others[name], item["network"]) for item in model["interfaces"])]
    for name in watched:
        connected = {item["prefix"] for item in [*others[name]["interfaces"], *others[name]["loopbacks"]]} | set(_statics(others[name]))
        for prefix in sorted(out - connected) if name in reached else ():
            if name in observers:
                items.plan("route_announced", f"{prefix} at {name}", host=name, prefix=prefix, protocol="ospf")
            else:
                items.cannot("route_announced", f"{prefix} at {name}", f"{name} is not in the inventory")
        for prefix in sorted(hidden) if model["ospf"]["enabled"] or model["nat"]["enabled"] else ():
            if name in observers:
                items.plan("no_route_back", f"{prefix} at {name}", host=name, prefix=prefix, dut=[i["address"] for i in model["interfaces"] if i["address"]])
            else:
                items.cannot("no_route_back", f"{prefix} at {name}", f"{name} is not in the inventory")
    if not hidden and model["nat"]["enabled"]:
        items.cannot("no_route_back", "", "the profile translates networks and announces them as well: the outside can answer an untranslated packet")
    elif not hidden or not (model["ospf"]["enabled"] or model["nat"]["enabled"]):
        items.skip("no_route_back", "the profile hides no network")


def _shared(model: Model, others: Mapping[str, Model], prefix: str) -> bool:
    """Whether another router sits in that network too."""
    return any(item["prefix"] == prefix for other in others.values() for item in other["interfaces"])
