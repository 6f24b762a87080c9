# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""OSPF, NAT and static routes of a lab in Untangle's words: lists whose entries refer to one another by numbers."""

from __future__ import annotations

from typing import Any, Mapping

Section = dict[str, Any]
CONNECTED_METRIC = 20
ORIGINATE = {"never": (0, 0), "if_present": (1, 10), "always": (2, 1)}
"""The kind of origination, and the metric that the routing daemon takes where none is given."""


def ospf_lists(model: Mapping[str, Any], problems: list[str]) -> Section:
    """Areas, networks and interfaces. A network names its area by the area's number, not by the area."""
    ospf = model["ospf"]
    areas = [{"id": index, "area": area["id"]} for index, area in enumerate(ospf["areas"], 1)]
    known = {area["area"]: area["id"] for area in areas}
    networks: list[Section] = []
    interfaces: list[Section] = []
    for item in ospf["interfaces"]:
        networks.append({**item, "id": len(networks) + 1, "area_id": known[item["area"]]})
        if item["cost"] is not None or (item["hello"], item["dead"]) != (10, 40):
            interfaces.append({**item, "id": len(interfaces) + 1})
    if ospf["redistribute"]["static"]:
        problems.append("ospf.redistribute[static]: static routes of Untangle are the kernel's to its routing daemon, which would announce none of them")
    connected = ospf["redistribute"]["connected"]
    kind, metric = ORIGINATE[ospf["default_originate"]]
    return {
        "areas": areas,
        "networks": networks,
        "interfaces": interfaces,
        "connected": {**connected, "metric": CONNECTED_METRIC if connected["metric"] is None else connected["metric"]} if connected else None,
        "originate": {"kind": kind, "metric": metric},
    }


def nat_list(model: Mapping[str, Any], numbers: Mapping[str, int]) -> list[Section]:
    """Masquerade rules. The switch of a WAN would also block what comes in there, which is no part of NAT."""
    found = []
    for index, rule in enumerate(model["nat"]["rules"], 1):
        conditions = [{"type": "DST_INTF", "value": str(numbers[rule["interface"]])}]
        conditions += [{"type": "SRC_ADDR", "value": rule["source"]}] if rule["source"] else []
        found.append({"id": index, "title": f"routerlab: {rule['name']}", "conditions": conditions})
    return found


def route_list(model: Mapping[str, Any], problems: list[str]) -> list[Section]:
    """Static routes; a default route is the gateway of a WAN, and of nothing else."""
    found: list[Section] = []
    for route in model["static_routes"]:
        path = f"static_routes[{route['name']}]"
        if route["implied"]:
            continue
        if route["blackhole"]:
            problems.append(f"{path}.blackhole: a route of Untangle has a next hop")
        if route["distance"] != 1:
            problems.append(f"{path}.distance: a route of Untangle has none; only 1, not {route['distance']}")
        if not route["prefix_len"]:
            problems.append(f"{path}.prefix: the default route is the gateway of a WAN (interfaces[].gateway)")
        found.append({**route, "id": len(found) + 1})
    return found
