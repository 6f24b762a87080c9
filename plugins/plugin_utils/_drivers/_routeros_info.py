# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What RouterOS tells of itself: its licence, how the management reaches it, its state."""

from __future__ import annotations

import ipaddress
from typing import Any, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_api import Api, Refused
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_delta import Step
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_items import YES, Menus, Row

ETHERNET = ("interface", "ethernet")
SERVICES = ("api", "api-ssl")


def licence_of(api: Api) -> str | None:
    """The level: ``free``, ``p1``, ``p10``, ``p-unlimited`` of a CHR, a number of a RouterBOARD."""
    try:
        row = (api.rows("/system/license") or [{}])[0]
    except Refused:
        return None
    return row.get("level") or row.get("nlevel")


def licence_note(api: Api) -> str:
    if licence_of(api) == "free":
        return "The licence of this CHR is free: every interface sends at most 1 Mbit/s, so no throughput that is measured says anything of the router."
    return ""


def client_of(api: Api, user: str, access: Access) -> tuple[str | None, str | None]:
    """Where this session comes from and goes to, as the device sees it: through address translation the two sides see different addresses."""
    here, there = api.ends
    client: str | None = here
    try:
        own = [row for row in api.rows("/user/active") if row.get("via", "").startswith("api") and row.get("name") == user]
        client = own[-1].get("address") or here if own else here
    except Refused:
        pass
    addresses = [item for items in access.addresses.values() for item in items]
    if any(item.split("/")[0] == there for item in addresses):
        return client, there
    for item in addresses:
        if client and _holds(item, client):
            return client, item.split("/")[0]
    return client, there


def _holds(cidr: str, address: str) -> bool:
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_interface(cidr).network
    except ValueError:
        return False


def access_of(menus: Menus, steps: Sequence[Step]) -> Access:
    """How the management stands before any step, and after all of them."""
    state: dict[tuple[str, ...], list[Row]] = {path: [dict(row) for row in rows] for path, rows in menus.items()}
    for step in steps:
        _carry_out(state, step)
    addresses: dict[str, list[str]] = {}
    for row in state.get(("ip", "address"), []):
        if row.get("disabled") not in YES:
            addresses.setdefault(row.get("interface", ""), []).append(row.get("address", ""))
    for row in state.get(("ip", "dhcp-client"), []):
        addresses.setdefault(row.get("interface", ""), []).append("dhcp")
    down = {row.get("name", "") for path, rows in state.items() if path[0] == "interface" for row in rows if row.get("disabled") in YES}
    # an address on a port of a bridge does not answer
    down |= {row.get("interface", "") for row in state.get(("interface", "bridge", "port"), [])}
    services = state.get(("ip", "service"), [])
    ports = {int(row["port"]) for row in services if row.get("name") in SERVICES and row.get("disabled") not in YES and row.get("port", "").isdigit()}
    routes = {row["dst-address"]: row["gateway"] for row in state.get(("ip", "route"), []) if row.get("gateway") and row.get("disabled") not in YES}
    return Access(addresses, frozenset(down), frozenset(ports) if services else None, routes)


def _carry_out(state: dict[tuple[str, ...], list[Row]], step: Step) -> None:
    rows = state.setdefault(step.path, [])
    own = next((row for row in rows if step.row is not None and row.get(".id") == step.row.get(".id")), None)
    if step.verb == "remove" and own is not None:
        rows.remove(own)
    elif step.verb == "add":
        rows.append(dict(step.values))
    elif step.verb == "set" and own is not None:
        own.update({name: value for name, value in step.values.items() if not name.startswith("!")})


def info_of(api: Api, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The state in the shape of router_info."""
    resource = (api.rows("/system/resource") or [{}])[0]
    return {"platform": manifest["platform"], "version": resource.get("version", "").split(" ")[0] or None, "licence": licence_of(api)}
