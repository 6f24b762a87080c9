# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What each platform is and can do, read from roles/<room>/platform.yml."""

from __future__ import annotations

import fnmatch
import functools
import re
from pathlib import Path
from typing import Any, Mapping

import yaml

COLLECTION = Path(__file__).resolve().parents[2]

Platform = dict[str, Any]

COMPONENT = re.compile(r"([a-z][a-z0-9-]*)@([0-9]{1,4})")

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


def find_dialect(platform: Platform, version: str | None) -> dict[str, Any] | None:
    """The first dialect one of whose patterns fits the version, or None.

    A version may also be written in numbers of components, ``firewall@18`` or ``dhcp-server@11:firewall@18``:
    then it is the only dialect whose ``components`` have one of these numbers and contradict none. A dialect
    whose single numbers builds between the releases have, too, lists in ``components_together`` what must be named.
    """
    if version is not None and "@" in version:
        numbers = component_numbers(version)
        fits = [dialect for dialect in platform["dialects"] if numbers and _agrees(dialect, numbers)]
        return fits[0] if len(fits) == 1 else None
    for dialect in platform["dialects"]:
        if version is not None and any(fnmatch.fnmatchcase(version, pattern) for pattern in dialect["versions"]):
            return dialect
    return None


def component_numbers(version: str) -> dict[str, int]:
    """``{"firewall": 18}`` of ``firewall@18``; nothing when a part is not of that shape or stands twice with two numbers."""
    numbers: dict[str, int] = {}
    for part in version.split(":"):
        match = COMPONENT.fullmatch(part)
        if not match or numbers.setdefault(match[1], int(match[2])) != int(match[2]):
            return {}
    return numbers


def _agrees(dialect: Mapping[str, Any], numbers: Mapping[str, int]) -> bool:
    known: Mapping[str, list[int]] = dialect.get("components") or {}
    common = known.keys() & numbers.keys()
    enough = common.issuperset(dialect.get("components_together") or ())
    return bool(common) and enough and all(numbers[name] in known[name] for name in common)


def known_versions(platform: Platform) -> str:
    """The versions that the platform knows, for a message."""
    patterns = [pattern for dialect in platform["dialects"] for pattern in dialect["versions"]]
    components = [
        ":".join(f"{name}@{'|'.join(map(str, numbers))}" for name, numbers in dialect["components"].items())
        for dialect in platform["dialects"]
        if dialect.get("components")
    ]
    return ", ".join(patterns + components)


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
