# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What each platform is and can do, read from roles/<room>/platform.yml."""

from __future__ import annotations

import fnmatch
import functools
from pathlib import Path
from typing import Any, Mapping

import yaml

COLLECTION = Path(__file__).resolve().parents[2]

Platform = dict[str, Any]

DEFAULT_NAMES = {"tagged": "{port}.{vlan}", "untagged": "{port}"}
"""How interfaces are named where a platform says nothing, or is not known."""


@functools.lru_cache(maxsize=4)
def platforms(roles: Path = COLLECTION / "roles") -> dict[str, Platform]:
    """All rooms by name. A room is a role that has a platform.yml."""
    found = {}
    for path in sorted(roles.glob("*/platform.yml")):
        descriptor = yaml.safe_load(path.read_text(encoding="utf-8"))
        descriptor["templates_path"] = str(path.parent / "templates")
        found[path.parent.name] = descriptor
    return found


def version_order(version: str) -> tuple[Any, ...]:
    """A key that sorts 6.47.10 after 6.47.9, and words after numbers."""
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in version.replace("-", ".").split("."))


def find_dialect(platform: Platform, version: str | None) -> dict[str, Any] | None:
    """The first dialect one of whose patterns fits the version, or None."""
    for dialect in platform["dialects"]:
        if version is not None and any(fnmatch.fnmatchcase(version, pattern) for pattern in dialect["versions"]):
            return dialect
    return None


def known_versions(platform: Platform) -> str:
    """The versions that the platform knows, for a message."""
    return ", ".join(pattern for dialect in platform["dialects"] for pattern in dialect["versions"])


def native_name(names: Mapping[str, Any], item: Mapping[str, Any], port: str, vlan: int | None) -> str:
    """The platform's own name of an interface on a port."""
    if item["native"]:
        return str(item["native"])
    form = names["tagged" if item["tagged"] else "untagged"]
    return str(form.format(port=port, vlan=vlan, name=item["name"], label=item["name"].upper()))


def dhcp_backend(platform: Mapping[str, Any], dialect: Mapping[str, Any] | None) -> str:
    """The server program that ``backend: default`` means. A dialect's word wins."""
    return str((dialect or {}).get("dhcp_backend") or platform.get("dhcp_backend") or "isc")


def feature_state(platform: Platform, dialect: Mapping[str, Any], feature: str) -> bool | str:
    """True, False, or the sentence that says what is missing. A dialect's word wins."""
    overrides = dialect.get("features") or {}
    return overrides.get(feature, platform["features"].get(feature, False))
