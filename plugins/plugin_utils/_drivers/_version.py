# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a device is what the inventory says: a configuration in another version's language is not sent."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms


def refuse_other_version(manifest: Mapping[str, Any], seen: Sequence[str]) -> None:
    """Raise unless one of the names that the device gives its version is the inventory's, or speaks the same dialect."""
    wanted = str(manifest["version"])
    if any(same(wanted, version) for version in seen):
        return
    platform = platforms().get(manifest["platform"])
    dialects = {version: find_dialect(platform, version) for version in seen} if platform else {}
    known = {version: dialect["name"] for version, dialect in dialects.items() if dialect}
    if manifest["dialect"] in known.values():
        return
    says = " or ".join(f"{version} (dialect {known[version]})" if version in known else version for version in seen) or "nothing that can be read"
    raise DriverError(
        f"The inventory says {manifest['platform']} {wanted} (dialect {manifest['dialect']}), and the device says {says}. "
        "Set the router's version in the lab and render again. Nothing was changed.",
        refused="version",
    )


def same(wanted: str, seen: str) -> bool:
    """``1.4`` of the inventory covers ``1.4.2`` of a device, and ``1.1`` does not cover ``1.10``."""
    wanted, seen = wanted.strip().lstrip("v"), seen.strip().lstrip("v")
    return seen == wanted or any(seen.startswith(wanted + mark) for mark in (".", "-", " "))
