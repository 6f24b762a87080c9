# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings of Untangle as JSON: what a file wants of an object that was read, and what the object becomes; pure.

An object that was read has properties that the room does not write, filled in by the device, and
they stay. Those that the room can write and did not write (`OPTIONAL`) count: a gateway that
somebody added is taken away.
"""

from __future__ import annotations

import copy
import ipaddress
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import ASTERISKS

# What tells the members of a list from one another; the members of all other lists are told by their place.
IDENTITY = {"interfaces": "interfaceId", "devices": "deviceName"}
OPTIONAL = {
    "InterfaceSettings": {
        "v4StaticGateway", "v4StaticDns1", "v4StaticDns2", "v4AutoDns1Override", "v4AutoDns2Override", "dhcpGatewayOverride", "dhcpDnsOverride",
        "dhcpRangeStart", "dhcpRangeEnd", "uploadBandwidthKbps", "downloadBandwidthKbps",
    },
    "DeviceSettings": {"mtu"},
    "NetworkSettings": {"domainName"},
}  # fmt: skip
SECRET = {"secret", "communityString", "v3AuthenticationPassphrase", "v3PrivacyPassphrase"}
NOTHING: tuple[Any, ...] = (None, "", False, 0, [])


def merged(wanted: Any, found: Any, name: str = "", whole: bool = False) -> Any:
    """What was read, with what is wanted in it. ``whole``: what is wanted is an object that was read at another time, so no card stays beside it."""
    if isinstance(wanted, dict) and "list" in wanted:
        result = copy.deepcopy(found) if isinstance(found, dict) and "list" in found else {"javaClass": wanted.get("javaClass")}
        result["list"] = _members(wanted["list"], (found or {}).get("list") or [], name, whole)
        return result
    if not isinstance(wanted, dict) or not isinstance(found, dict):
        return copy.deepcopy(wanted)
    result = copy.deepcopy(found)
    for key in OPTIONAL.get(_class(wanted), ()):
        if key not in wanted and result.get(key) not in NOTHING:
            result[key] = None
    for key, value in wanted.items():
        # A whole object that is not there (a list that an older device does not know yet) is taken as it is.
        result[key] = merged(value, found.get(key), key, whole)
    return result


def _members(wanted: list[Any], found: list[Any], name: str, whole: bool) -> list[Any]:
    key = IDENTITY.get(name)
    if key is None:
        alike = [found[index] if index < len(found) and _class(found[index]) == _class(item) else None for index, item in enumerate(wanted)]
        return [merged(item, other, "", whole) for item, other in zip(wanted, alike)]
    known = {item.get(key): item for item in found}
    result = [merged(item, known.get(item[key]), "", whole) for item in wanted]
    named = {item[key] for item in wanted}
    if whole:
        return result
    # A card is hardware: it stays with whatever is on it. A VLAN that is not rendered goes.
    return result + [copy.deepcopy(item) for item in found if item.get(key) not in named and not item.get("isVlanInterface")]


def _class(item: Any) -> str:
    return str(item.get("javaClass") or "").rpartition(".")[2] if isinstance(item, dict) else ""


def strangers(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Cards that are not where the file has them: Untangle numbers interfaces, and everything refers to these numbers."""
    cards = {item["interfaceId"]: item.get("physicalDev") for item in found["interfaces"]["list"] if not item.get("isVlanInterface")}
    reasons = []
    for item in wanted["interfaces"]["list"]:
        number, card = item["interfaceId"], item.get("physicalDev")
        if not item.get("isVlanInterface") and cards.get(number) != card:
            there = f"is {cards[number]} on the device" if number in cards else "is not there"
            reasons.append(f"interface {number} {there}, and {card} in the lab")
    return reasons


def narrowed(wanted: Mapping[str, Any], keys: list[str] | None) -> dict[str, Any]:
    """What of a file is its own."""
    return {key: wanted[key] for key in keys if key in wanted} if keys else dict(wanted)


def flat(value: Any, path: str = "", name: str = "") -> dict[str, Any]:
    """Every value by a path that a person can read; nothing for what is as good as absent."""
    found: dict[str, Any] = {}
    if isinstance(value, dict) and "list" in value:
        key = IDENTITY.get(name)
        for index, item in enumerate(value["list"] or []):
            own = item.get("symbolicDev") or item.get(key) if key and isinstance(item, dict) else index + 1
            found.update(flat(item, f"{path}[{own}]"))
    elif isinstance(value, dict):
        for key, item in value.items():
            if key != "javaClass":
                found.update(flat(item, f"{path}.{key}" if path else key, key))
    elif value not in NOTHING:
        found[path] = value
    return found


def same(one: Any, other: Any) -> bool:
    return not differences(one, other)


def stands(kept: Any, now: Any) -> bool:
    """Whether an object that was read once is what there is, whatever else the device has filled in since."""
    return same(merged(kept, now, whole=True), now)


def differences(before: Any, after: Any, root: str = "") -> list[str]:
    """Lines of a diff."""
    old, new = flat(before, root), flat(after, root)
    lines = []
    for path in [*old, *(path for path in new if path not in old)]:
        if old.get(path) != new.get(path) or type(old.get(path)) is not type(new.get(path)):
            lines += [f"-{path} = {_shown(path, old[path])}"] if path in old else []
            lines += [f"+{path} = {_shown(path, new[path])}"] if path in new else []
    return lines


def _shown(path: str, value: Any) -> str:
    return ASTERISKS if path.rpartition(".")[2] in SECRET else str(value)


def secrets_of(value: Any) -> set[str]:
    return {str(item) for path, item in flat(value).items() if path.rpartition(".")[2] in SECRET}


def access_of(network: Mapping[str, Any]) -> Access:
    """How the management stands in settings of the network. What its rules let in is left to the new connection."""
    addresses: dict[str, list[str]] = {}
    routes: dict[str, str] = {}
    down = set()
    for item in network["interfaces"]["list"]:
        name = str(item.get("symbolicDev") or item.get("systemDev") or item.get("interfaceId"))
        if item.get("configType") == "DISABLED":
            down.add(name)
        elif item.get("configType") == "ADDRESSED":
            static = item.get("v4ConfigType") == "STATIC"
            own = [f"{item['v4StaticAddress']}/{item.get('v4StaticPrefix')}"] if static and item.get("v4StaticAddress") else []
            aliases = (item.get("v4Aliases") or {}).get("list") or []
            addresses[name] = (own if static else ["dhcp"]) + [f"{alias['staticAddress']}/{alias.get('staticPrefix')}" for alias in aliases]
            if item.get("isWan") and static and item.get("v4StaticGateway"):
                routes["0.0.0.0/0"] = item["v4StaticGateway"]
    for route in (network.get("staticRoutes") or {}).get("list") or []:
        routes[str(ipaddress.ip_network(f"{route['network']}/{route['prefix']}", strict=False))] = str(route["nextHop"])
    port = network.get("httpsPort")
    return Access(addresses, frozenset(down), frozenset([int(port)]) if port else None, routes)
