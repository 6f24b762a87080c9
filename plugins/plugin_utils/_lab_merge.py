# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How ``common``, a router and a profile become the description of one router."""

from __future__ import annotations

import copy
from typing import Any, Mapping

ROUTER_KEYS = ("name", "platform", "version", "device_class", "slot", "managed", "profiles")


def merge(base: Any, over: Any) -> Any:
    """Lay ``over`` on ``base``.

    Mappings merge key by key, lists of named things by name (new names follow in
    their order), and everything else is replaced. Neither argument is changed.
    """
    if over is None:
        return copy.deepcopy(base)
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        merged = {key: copy.deepcopy(value) for key, value in base.items()}
        for key, value in over.items():
            merged[key] = merge(merged.get(key), value)
        return merged
    if _named(base) and _named(over):
        names = {item["name"]: item for item in base}
        changed = {item["name"]: merge(names.get(item["name"]), item) for item in over}
        kept = [changed.get(item["name"], copy.deepcopy(item)) for item in base]
        return kept + [item for name, item in changed.items() if name not in names]
    return copy.deepcopy(over)


def _named(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) and isinstance(item.get("name"), str) for item in value)


def router_section(lab: Mapping[str, Any], router: Mapping[str, Any], profile: Mapping[str, Any] | None) -> dict[str, Any]:
    """The whole section of one router under one profile, not yet with defaults."""
    own = {key: value for key, value in router.items() if key not in ROUTER_KEYS}
    section = merge(merge(lab.get("common") or {}, own), (profile or {}).get("changes") or {})
    section["interfaces"] = [item for item in section.get("interfaces") or [] if item.get("enabled") is not False]
    return section


def router_profiles(lab: Mapping[str, Any], router: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The profiles that a router takes part in, in the lab's order."""
    everything = lab.get("profiles") or []
    wanted = router.get("profiles")
    if wanted is None:
        return list(everything)
    return [profile for profile in everything if profile.get("name") in wanted]
