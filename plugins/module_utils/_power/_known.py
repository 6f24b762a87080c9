# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The power drivers there are. Named here one by one, because a module is sent away with what it names, and nothing else."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._power import qemu
from ansible_collections.routerlab.bench.plugins.module_utils._power._power import PowerError

DRIVERS: dict[str, Any] = {"qemu": qemu}


def why_down(power: dict[str, Any] | None) -> str | None:
    """In words, when it is known that a router has no power; nothing when it has, or when nobody knows."""
    driver = DRIVERS.get(str((power or {}).get("driver")))
    if driver is None or not power:
        return None
    try:
        seen = driver.state(power.get("options") or {})
    except (PowerError, OSError):
        return None
    return None if seen["on"] else str(seen["detail"])
