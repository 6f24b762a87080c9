# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How ``common``, a router and a profile become the description of one router."""

from __future__ import annotations

from typing import Any, Mapping

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
    if isinstance(base, Mapping) and isinstance(over, Mapping):
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
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) and isinstance(item.get("name"), str) for item in value)


def router_section(lab: Mapping[str, Any], router: Mapping[str, Any], profile: Mapping[str, Any] | None) -> dict[str, Any]:
    """The whole section of one router under one profile, not yet with defaults."""
    own = {key: value for key, value in router.items() if key not in ROUTER_KEYS}
    section = dict(merge(merge(lab.get("common") or {}, own), (profile or {}).get("changes") or {}))
    section["interfaces"] = [item for item in section.get("interfaces") or [] if item.get("enabled") is not False]
    return section


def router_profiles(lab: Mapping[str, Any], router: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The profiles that a router takes part in, in the lab's order."""
    everything = lab.get("profiles") or []
    wanted = router.get("profiles")
    if wanted is None:
        return list(everything)
    return [profile for profile in everything if profile.get("name") in wanted]
