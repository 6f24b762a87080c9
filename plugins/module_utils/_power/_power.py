# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What drivers that switch a machine off and on have in common."""

from __future__ import annotations

from typing import Any


class PowerError(Exception):
    """Something a person has to read: the message names the machine and what to do."""


def this_clock() -> str:
    """Which kernel's clock the times of this host are of."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as handle:
        return handle.read().strip()


def options_of(given: dict[str, Any], needed: tuple[str, ...], driver: str) -> dict[str, str]:
    """The driver's own options, or all that is wrong with them."""
    wrong = ["options.%s: is required by driver %s" % (key, driver) for key in needed if not given.get(key)]
    wrong += ["options.%s: driver %s has no such option; valid: %s" % (key, driver, ", ".join(needed)) for key in sorted(set(given) - set(needed))]
    if wrong:
        raise PowerError("; ".join(wrong))
    return {key: str(given[key]) for key in needed}
