# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everything that must be seen before a router's numbers count, computed from the model. Pure: no device is asked."""

from __future__ import annotations

from typing import Any, Collection, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.expect_inside import inside, leases, open_points
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.expect_paths import paths
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.expect_routing import routing
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.filtering import plain_ports
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.topology import other_routers, places

SCHEMA = "routerlab.bench/gate-expectations/1"
NO_PROFILE = "base"


def expectations(
    lab: Mapping[str, Any], router: str, profile: str | None, model: Mapping[str, Any], observers: Collection[str] | None = None
) -> dict[str, Any]:
    """What the gate of one router under one profile has to prove.

    ``model`` is the router's ``router_model`` under that profile. ``observers`` are the other routers
    that the gate may look into; all of the lab's when None. The other routers are taken as their base
    description says, because only one router is under test at a time.
    """
    others = other_routers(lab, model)
    seen_from = set(others) if observers is None else set(others) & set(observers)
    where = places(lab, model, others)
    items = Items()
    if model["managed"]:
        items.plan("host_reachable", router, host=router, role="router")
    for endpoint in lab.get("endpoints") or []:
        items.plan("host_reachable", endpoint["name"], host=endpoint["name"], role="endpoint")
    for name in others:
        if name in seen_from:
            items.plan("host_reachable", name, host=name, role="neighbour")
    inside(items, model)
    routing(items, model, others, seen_from)
    leases(items, model, where)
    paths(items, model, others, where, seen_from)
    open_points(items, model)
    return {
        "schema": SCHEMA,
        "lab": lab["name"],
        "router": router,
        "profile": profile or NO_PROFILE,
        **{key: model[key] for key in ("platform", "version", "dialect", "managed")},
        "inside": model["managed"],
        "probe_ports": plain_ports(model),
        "listeners": sorted(where),
        "addresses": {name: place["own"] for name, place in where.items()},
        "items": items.found,
    }
