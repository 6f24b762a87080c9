# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the traffic hosts and the other routers stand, seen from the router under test. Pure."""

from __future__ import annotations

from collections import deque
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import resolve_router

Model = Mapping[str, Any]


def other_routers(lab: Mapping[str, Any], model: Model) -> dict[str, Model]:
    """The routers that are up beside the router under test, as the base description has them.

    Routers of the same slot stand in for one another, so of each slot only the first is up.
    """
    found: dict[str, Model] = {}
    slots = {model["slot"]}
    for router in lab["routers"]:
        slot = router.get("slot") or router["name"]
        if slot in slots:
            continue
        slots.add(slot)
        found[router["name"]] = resolve_router(lab, router["name"], None, {})
    return found


def on_network(model: Model, network: str) -> dict[str, Any] | None:
    """A router's interface on a network."""
    return next((item for item in model["interfaces"] if item["network"] == network), None)


def approach(model: Model, others: Mapping[str, Model], network: str) -> dict[str, Any] | None:
    """How a network reaches the router under test: by which of its interfaces, through which routers.

    The nearest one wins; None where the lab does not connect them.
    """
    queue: deque[tuple[str, list[str], list[str], int]] = deque([(network, [], [network], 65535)])
    seen = {network}
    while queue:
        here, routers, networks, mtu = queue.popleft()
        own = on_network(model, here)
        if own is not None:
            return _arrived(own, others, here, routers, networks, min(mtu, own["mtu"]))
        for name, other in others.items():
            port = on_network(other, here)
            if port is None or name in routers:
                continue
            for item in other["interfaces"]:
                if item["network"] not in seen:
                    seen.add(item["network"])
                    queue.append((item["network"], [*routers, name], [*networks, item["network"]], min(mtu, port["mtu"], item["mtu"])))
    return None


def _arrived(own: Mapping[str, Any], others: Mapping[str, Model], network: str, routers: list[str], networks: list[str], mtu: int) -> dict[str, Any]:
    next_hop = None
    if routers:
        port = on_network(others[routers[-1]], network) or {}
        next_hop = {"host": routers[-1], "address": port.get("address")}
    return {
        "interface": own["name"],
        "address": own["address"],
        "routers": routers,
        "networks": networks,
        "next_hop": next_hop,
        "mtu": mtu,
    }


def places(lab: Mapping[str, Any], model: Model, others: Mapping[str, Model]) -> dict[str, dict[str, Any]]:
    """Every traffic host with its address and its approach; hosts that the lab does not connect are left out."""
    found = {}
    for endpoint in lab.get("endpoints") or []:
        network = endpoint.get("network") or endpoint["name"]
        way = approach(model, others, network)
        if way is not None and endpoint.get("address"):
            found[endpoint["name"]] = {"host": endpoint["name"], "network": network, "own": endpoint["address"].split("/")[0], **way}
    return found
