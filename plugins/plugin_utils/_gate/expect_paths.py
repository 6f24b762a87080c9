# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What packets must and must not do between the traffic hosts and the router. Pure."""

from __future__ import annotations

from typing import Any, Collection, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.expect_routing import announced, domain
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.filtering import (
    ACCEPT,
    DROP,
    REJECT,
    UNKNOWN,
    Packet,
    Verdict,
    named_ports,
    plain_ports,
    translated,
    verdict,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items

Model = Mapping[str, Any]
Place = Mapping[str, Any]
CHECKS = {ACCEPT: "firewall_accepts", DROP: "firewall_drops", REJECT: "firewall_rejects"}


def paths(items: Items, model: Model, others: Mapping[str, Model], where: Mapping[str, Place], observers: Collection[str]) -> None:
    """All directions between traffic hosts on different sides of the router, and from each side to the router itself."""
    for place in _one_for_each_side(where, model):
        _to_the_router(items, model, place)
    pairs = list(_pairs(where))
    for source, target in pairs:
        if reachable(model, others, source, target):
            _through(items, model, where, source, target)
        else:
            _from_next_door(items, model, where, source, target, observers)
    asked = {item["check"] for item in items.found}
    if not pairs:
        items.cannot("source_unchanged", "", "no two traffic hosts sit on different sides of the router")
    if "source_translated" not in asked and model["nat"]["enabled"]:
        items.cannot("source_translated", "", "no traffic host may open a connection that the router would translate")
    elif "source_translated" not in asked:
        items.skip("source_translated", "the profile translates no source")
    for check in CHECKS.values():
        if check not in asked:
            items.skip(check, "the profile has nothing of that kind to show")


def _pairs(where: Mapping[str, Place]) -> Iterator[tuple[Place, Place]]:
    for source in where.values():
        for target in where.values():
            if source["interface"] != target["interface"]:
                yield source, target


def reachable(model: Model, others: Mapping[str, Model], source: Place, target: Place) -> bool:
    """Whether the routers on the way know the target's network: through OSPF, or, without it, unless NAT hides it."""
    if not source["routers"]:
        return not translated(model, source["interface"], target["own"])
    line = next(item for item in model["interfaces"] if item["name"] == target["interface"])
    if any(hop in domain(model, others) for hop in source["routers"]):
        return bool(target["routers"]) or line["prefix"] in announced(model)
    return not translated(model, source["interface"], target["own"])


def _one_for_each_side(where: Mapping[str, Place], model: Model) -> list[Place]:
    """For each interface the nearest traffic host behind it."""
    nearest: dict[str, Place] = {}
    for place in where.values():
        now = nearest.get(place["interface"])
        if now is None or len(place["routers"]) < len(now["routers"]):
            nearest[place["interface"]] = place
    return [nearest[item["name"]] for item in model["interfaces"] if item["name"] in nearest]


def _to_the_router(items: Items, model: Model, place: Place) -> None:
    """Echo, the ports that a rule names, and one that none does."""
    if place["address"] is None:
        items.cannot("ping_dut", f"from {place['host']}", f"the address of {place['interface']} comes by DHCP and is not known beforehand")
        return

    def packet(protocol: str, port: int | None) -> Verdict:
        return verdict(model, Packet(place["interface"], None, place["own"], place["address"], protocol, port))

    common = {"source": place["host"], "target": None, "address": place["address"], "interface": place["interface"]}
    echo = packet("icmp", None)
    check = "ping_dut" if echo.action == ACCEPT else CHECKS.get(echo.action)
    if check:
        items.plan(check, f"{place['host']} → {place['address']} echo", protocol="icmp", port=None, because=echo.because, **common)
    for port in [*named_ports(model), plain_ports(model)[0]] if model["firewall"]["mode"] != "none" or _outside(model) == place["interface"] else []:
        found = packet("tcp", port)
        instance = f"{place['host']} → {place['address']} tcp/{port}"
        if found.action == UNKNOWN:
            items.cannot("firewall_drops", instance, found.because)
        elif found.action == REJECT:
            items.cannot("firewall_rejects", instance, "on the router itself a rejected and a closed port look the same from outside")
        else:
            items.plan(CHECKS[found.action], instance, protocol="tcp", port=port, because=found.because, control=None, **common)


def _outside(model: Model) -> str | None:
    return model["wan"]["name"] if model["wan"] else None


def _forward(model: Model, source: str, target: Place, enters: str, protocol: str) -> Verdict:
    return verdict(model, Packet(enters, target["interface"], source, target["own"], protocol, plain_ports(model)[0]))


def _through(items: Items, model: Model, where: Mapping[str, Place], source: Place, target: Place) -> None:
    """A pair that has routes both ways: who the far end sees, or that it sees nobody."""
    instance = f"{source['host']} → {target['host']}"
    found = _forward(model, source["own"], target, source["interface"], "tcp")
    want = {"source": source["host"], "target": target["host"], "own": source["own"], "address": target["own"], "because": found.because}
    if found.action == UNKNOWN:
        items.cannot("firewall_drops", f"{instance} tcp", found.because)
    elif found.action == ACCEPT:
        hidden = translated(model, target["interface"], source["own"])
        outside = next(item for item in model["interfaces"] if item["name"] == target["interface"])
        check = "source_translated" if hidden else "source_unchanged"
        items.plan(check, instance, expected=outside["address"] if hidden else source["own"], interface=target["interface"], native=outside["native"], **want)
    else:
        control = _control(model, where, target, source["host"])
        items.plan(CHECKS[found.action], f"{instance} tcp", protocol="tcp", port=None, control=control, **want)
    if _forward(model, source["own"], target, source["interface"], "udp").action == ACCEPT:
        hops = len(source["routers"]) + 1 + len(target["routers"])
        items.plan("ttl_decreases", instance, hops=hops, **want)
        mtu = min(source["mtu"], target["mtu"])
        items.plan("path_mtu_passes", instance, mtu=mtu, **want)
        items.plan("path_mtu_limit", instance, mtu=mtu, **want)


def _control(model: Model, where: Mapping[str, Place], target: Place, but: str) -> str | None:
    """Another traffic host that may talk to the same target: it shows that the target listens."""
    for source in where.values():
        if source["host"] in (but, target["host"]) or source["routers"] or source["interface"] == target["interface"]:
            continue
        if _forward(model, source["own"], target, source["interface"], "tcp").action == ACCEPT:
            return source["host"]
    return None


def _from_next_door(items: Items, model: Model, where: Mapping[str, Place], source: Place, target: Place, observers: Collection[str]) -> None:
    """The outside has no route to the target, so its silence proves nothing.

    The last router before the router under test gets a route for the moment of the probe: whatever is
    silent then is the packet filter.
    """
    hop = source["next_hop"] or {"host": source["host"], "address": source["own"]}
    found = _forward(model, hop["address"] or source["own"], target, source["interface"], "tcp")
    check = CHECKS.get(found.action, "firewall_drops")
    instance = f"{hop['host']} → {target['host']} tcp"
    if any(item["check"] == check and item["instance"] == instance for item in items.found):
        return
    if found.action == UNKNOWN:
        items.cannot(check, instance, found.because)
    elif hop["address"] is None or source["address"] is None:
        items.cannot(check, instance, f"the outside has no route to {target['own']}, and the address to lend one through comes by DHCP")
    elif source["routers"] and hop["host"] not in observers:
        items.cannot(check, instance, f"the outside has no route to {target['own']}, and {hop['host']} is not in the inventory to lend one for the probe")
    else:
        control = _control(model, where, target, source["host"])
        want = {"source": hop["host"], "target": target["host"], "own": hop["address"], "address": target["own"], "via": source["address"]}
        items.plan(check, instance, protocol="tcp", port=None, because=found.because, control=control, **want)
