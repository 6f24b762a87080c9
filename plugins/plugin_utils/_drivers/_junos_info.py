# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What Junos tells of itself, by the operational commands that PyEZ's own tables use."""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_netconf import Netconf, RpcRefused


def version_of(session: Netconf) -> list[str]:
    """The release, ``21.4R3.15``."""
    text = (session.rpc("get_system_information").findtext(".//os-version") or "").strip()
    return [text] if text else []


def info_of(session: Netconf, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The state in the shape of router_info."""
    system = session.rpc("get_system_information")
    flows = _ask(session, "get_flow_session_information", summary=True)
    return {
        "platform": manifest["platform"],
        "version": _text(system, ".//os-version"),
        "hostname": _text(system, ".//host-name"),
        "uptime_s": _uptime(_ask(session, "get_system_uptime_information")),
        "interfaces": _interfaces(_ask(session, "get_interface_information")),
        "ospf_neighbours": _neighbours(_ask(session, "get_ospf_neighbor_information")),
        "routes": _routes(_ask(session, "get_route_information", table="inet.0")),
        "leases": _leases(_ask(session, "get_dhcp_server_binding_information")),
        "connections": _number(_text(flows, ".//active-sessions")),
    }


def _ask(session: Netconf, name: str, **arguments: Any) -> Any:
    """None for what this device does not have: an MX has no flows, and protocols that do not run refuse."""
    try:
        return session.rpc(name, **arguments)
    except RpcRefused:
        return None


def _text(element: Any, path: str) -> str | None:
    return ((element.findtext(path) if element is not None and element is not True else None) or "").strip() or None


def _items(element: Any, path: str) -> list[Any] | None:
    """PyEZ answers True for an empty reply."""
    return None if element is None else [] if element is True else list(element.iterfind(path))


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None


def _uptime(element: Any) -> float | None:
    found = element.find(".//system-booted-time/time-length") if element is not None and element is not True else None
    seconds = "" if found is None else next((value for name, value in found.attrib.items() if name.endswith("seconds")), "")
    return float(seconds) if seconds.isdigit() else None


def _interfaces(element: Any) -> list[dict[str, Any]] | None:
    ports = _items(element, ".//physical-interface")
    if ports is None:
        return None
    found: list[dict[str, Any]] = []
    for port in ports:
        up = _text(port, "oper-status") == "up"
        found.append({"name": _text(port, "name"), "up": up, "mtu": _number(_text(port, "mtu")), "addresses": [], "offloads": None})
        for unit in port.iterfind("logical-interface"):
            families = [item for item in unit.iterfind("address-family") if _text(item, "address-family-name") == "inet"]
            addresses = [address for family in families for address in map(_address, family.iterfind("interface-address")) if address]
            mtu = next((_number(_text(family, "mtu")) for family in families), None)
            found.append({"name": _text(unit, "name"), "up": up, "mtu": mtu, "addresses": addresses, "offloads": None})
    return found


def _address(element: Any) -> str | None:
    """Address and length; the network stands beside the address, with its last bytes of zero left out."""
    local, network = _text(element, "ifa-local"), _text(element, "ifa-destination")
    if local is None or "/" in local:
        return local
    return f"{local}/{network.split('/')[1]}" if network and "/" in network else f"{local}/32"


def _neighbours(element: Any) -> list[dict[str, Any]] | None:
    items = _items(element, ".//ospf-neighbor")
    if items is None:
        return None
    names = {"router_id": "neighbor-id", "state": "ospf-neighbor-state", "address": "neighbor-address", "interface": "interface-name"}
    return [{**{key: _text(item, name) for key, name in names.items()}, "role": None} for item in items]


def _routes(element: Any) -> list[dict[str, Any]] | None:
    items = _items(element, ".//rt")
    if items is None:
        return None
    found = []
    for item in items:
        for entry in item.iterfind("rt-entry"):
            if entry.find("current-active") is None and _text(entry, "active-tag") != "*":
                continue
            hops = list(entry.iterfind("nh")) or [entry]
            for hop in hops:
                via = _text(hop, "via") or _text(hop, "nh-local-interface")
                protocol = (_text(entry, "protocol-name") or "").lower() or None
                found.append({"prefix": _text(item, "rt-destination"), "next_hop": _text(hop, "to"), "interface": via, "protocol": protocol})
    return found


def _leases(element: Any) -> list[dict[str, Any]] | None:
    items = _items(element, ".//dhcp-binding")
    if items is None:
        return None
    return [{"address": _text(item, "allocated-address"), "mac": _text(item, "mac-address"), "hostname": None} for item in items]
