# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What RouterOS tells of itself: its licence, how the management reaches it, its state."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_text import seconds
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ends import server_of
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


def missing_policies(api: Api, user: str, needed: Sequence[str]) -> list[str]:
    """Which policies a user's group does not have; none where that cannot be seen (a user of RADIUS, say)."""
    own = next((row for row in _rows(api, "/user") or [] if row.get("name") == user), {})
    group = next((row for row in _rows(api, "/user/group") or [] if own and row.get("name") == own.get("group")), {})
    policies = group.get("policy", "").split(",")
    return [name for name in needed if name not in policies] if group.get("policy") else []


def client_of(api: Api, user: str, access: Access) -> tuple[str | None, str | None]:
    """Where this session comes from and goes to, as the device sees it."""
    here, there = api.ends
    client: str | None = here
    try:
        own = [row for row in api.rows("/user/active") if row.get("via", "").startswith("api") and row.get("name") == user]
        client = own[-1].get("address") or here if own else here
    except Refused:
        pass
    return client, server_of(client, there, access)


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
    resource = (_rows(api, "/system/resource") or [{}])[0]
    count = resource.get("cpu-count", "")
    leases = _rows(api, "/ip/dhcp-server/lease")
    neighbours = _rows(api, "/routing/ospf/neighbor")
    return {
        "platform": manifest["platform"],
        "version": resource.get("version", "").split(" ")[0] or None,
        "hostname": (_rows(api, "/system/identity") or [{}])[0].get("name"),
        "uptime_s": float(seconds(resource["uptime"])) if resource.get("uptime") else None,
        "licence": licence_of(api),
        "cpu": {"model": resource.get("cpu"), "count": int(count)} if count.isdigit() else None,
        "interfaces": _interfaces(_rows(api, "/interface"), _rows(api, "/ip/address") or []),
        "ospf_neighbours": neighbours and [_neighbour(row) for row in neighbours],
        "routes": _routes(_rows(api, "/ip/route")),
        "leases": leases and [_lease(row) for row in leases if row.get("status", "bound") == "bound"],
        "nat_sessions": _count(api, "srcnat"),
        "connections": _count(api, None),
    }


def _rows(api: Api, menu: str) -> list[Row] | None:
    """None for a menu that the device does not have: packages can be off."""
    try:
        return api.rows(menu)
    except Refused:
        return None


def _count(api: Api, flag: str | None) -> int | None:
    try:
        answer = api.run("/ip/firewall/connection/print", {"count-only": ""}, queries=[f"?{flag}=true"] if flag else [])
    except Refused:
        return None
    number = next((row["ret"] for row in answer if "ret" in row), "")
    return int(number) if number.isdigit() else None


def _interfaces(rows: Sequence[Row] | None, addresses: Sequence[Row]) -> list[dict[str, Any]] | None:
    if rows is None:
        return None
    found = []
    for row in rows:
        own = [item["address"] for item in addresses if item.get("interface") == row.get("name") and item.get("disabled") not in YES]
        mtu = row.get("actual-mtu") or row.get("mtu") or ""
        up = row.get("running") in YES and row.get("disabled") not in YES
        # RouterOS tells nothing of the offloads of a card
        found.append({"name": row.get("name"), "up": up, "mtu": int(mtu) if mtu.isdigit() else None, "addresses": own, "offloads": None})
    return found


def _neighbour(row: Row) -> dict[str, Any]:
    role = {row.get("dr"): "DR", row.get("bdr"): "Backup"}.get(row.get("address") or row.get("router-id"))
    return {
        "router_id": row.get("router-id"), "state": row.get("state"), "role": role, "address": row.get("address"), "interface": row.get("interface"),
    }  # fmt: skip


def _routes(rows: Sequence[Row] | None) -> list[dict[str, Any]] | None:
    if rows is None:
        return None
    found = []
    for row in rows:
        if row.get("active") not in YES:
            continue
        protocol = next((name for name in ("connect", "static", "ospf", "bgp", "dhcp", "rip") if row.get(name) in YES), None)
        hop, interface = row.get("gateway") or "", (row.get("immediate-gw") or row.get("gateway-status") or "").rpartition("%")[2]
        if not hop[:1].isdigit():
            hop, interface = "", hop.strip("%")
        prefix = row.get("dst-address", "")
        found.append({"prefix": prefix, "next_hop": hop.split("%")[0] or None, "interface": interface or None, "protocol": protocol})
    return found


def _lease(row: Row) -> dict[str, Any]:
    mac = (row.get("active-mac-address") or row.get("mac-address") or "").lower() or None
    return {"address": row.get("active-address") or row.get("address"), "mac": mac, "hostname": row.get("host-name")}
