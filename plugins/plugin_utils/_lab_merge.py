# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How ``common``, a router and a profile become the description of one router."""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_values import REQUIRED

ROUTER_KEYS = ("name", "platform", "version", "device_class", "slot", "managed", "profiles")


def merge(base: Any, over: Any) -> Any:
    """Lay ``over`` on ``base``.

    Mappings merge key by key, lists of named things by name (new names follow in
    their order), and everything else is replaced; an empty list replaces, and nothing
    (``null``) changes nothing. Neither argument is changed; the result shares what did
    not have to be merged with them.
    """
    if over is None:
        return base
    if isinstance(base, dict) and isinstance(over, dict):
        merged = dict(base)
        for key, value in over.items():
            merged[key] = merge(merged.get(key), value)
        return merged
    if _named(base) and _named(over):
        places = {item["name"]: index for index, item in enumerate(base)}
        items = list(base)
        for item in over:
            if item["name"] in places:
                items[places[item["name"]]] = merge(items[places[item["name"]]], item)
            else:
                items.append(item)
        return items
    return over


def _named(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) and isinstance(item.get("name"), str) for item in value)


def router_section(lab: Mapping[str, Any], router: Mapping[str, Any], profile: Mapping[str, Any] | None) -> dict[str, Any]:
    """The whole section of one router under one profile, not yet with defaults."""
    own = {key: value for key, value in router.items() if key not in ROUTER_KEYS}
    section = dict(merge(merge(lab.get("common") or {}, own), (profile or {}).get("changes") or {}))
    section["interfaces"] = _enabled(section.get("interfaces"))
    section["tunnels"] = {kind: _enabled(items) for kind, items in (section.get("tunnels") or {}).items()}
    return section


def _enabled(items: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    """Without the items that say ``enabled: false``; another router or profile may say true."""
    return [item for item in items or [] if item.get("enabled") is not False]


def router_profiles(lab: Mapping[str, Any], router: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The profiles that a router takes part in, in the lab's order."""
    everything = lab.get("profiles") or []
    wanted = router.get("profiles")
    if wanted is None:
        return list(everything)
    return [profile for profile in everything if profile.get("name") in wanted]


def known_part(section: dict[str, Any]) -> dict[str, Any]:
    """What the lab knows of a router that somebody else configures.

    It need not know everything, so list items that lack something required are left
    out, and so is what refers to an interface that the router does not have (``common``
    speaks of all routers). Interfaces stay, with or without an address.
    """
    known = _complete_items(section, "")
    interfaces = {item["name"] for item in known["interfaces"]}
    named = interfaces | {item["name"] for item in known["loopbacks"]}
    tunnels = known["tunnels"]
    shaped = interfaces | {item["name"] for kind in ("wireguard", "openvpn") for item in tunnels[kind]}
    known["ospf"]["interfaces"] = [item for item in known["ospf"]["interfaces"] if item["name"] in named]
    known["dhcp"]["pools"] = [item for item in known["dhcp"]["pools"] if (item["interface"] or item["name"]) in interfaces]
    known["nat"]["rules"] = [item for item in known["nat"]["rules"] if item["interface"] in interfaces]
    known["shaper"]["queues"] = [item for item in known["shaper"]["queues"] if item["name"] in shaped]
    known["firewall"]["bindings"] = [item for item in known["firewall"]["bindings"] if item["name"] in interfaces]
    for zone in known["firewall"]["zones"]:
        zone["interfaces"] = [name for name in zone["interfaces"] if name in shaped]
    tunnels["ipsec"] = [item for item in tunnels["ipsec"] if item["interface"] in interfaces]
    return known


def _complete_items(section: Any, key: str) -> Any:
    """A copy without the list items that lack something required."""
    if isinstance(section, dict):
        return {name: _complete_items(value, f"{key}.{name}" if key else name) for name, value in section.items()}
    if not isinstance(section, list):
        return section
    items = [_complete_items(item, key) for item in section]
    return items if key == "interfaces" else [item for item in items if not isinstance(item, dict) or _complete(item, key)]


def _complete(item: dict[str, Any], key: str) -> bool:
    return not any(f"{key}.{name}" in REQUIRED and value in (None, [], "") for name, value in item.items())
