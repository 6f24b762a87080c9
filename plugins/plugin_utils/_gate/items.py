# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The list of things that a gate has to prove, and of those that it leaves out, with the reason."""

from __future__ import annotations

from typing import Any

PLANNED, SKIPPED, NOT_PROVABLE = "planned", "skipped", "not_provable"


class Items:
    """Collects what is to be proven, in order."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def plan(self, check: str, instance: str, **want: Any) -> None:
        """Something to prove."""
        self.found.append({"check": check, "instance": instance, "state": PLANNED, "reason": None, "want": want})

    def skip(self, check: str, reason: str) -> None:
        """The lab does not ask for it."""
        self.found.append({"check": check, "instance": "", "state": SKIPPED, "reason": reason, "want": {}})

    def cannot(self, check: str, instance: str, reason: str) -> None:
        """The lab asks for it and nobody in the lab can see it."""
        self.found.append({"check": check, "instance": instance, "state": NOT_PROVABLE, "reason": reason, "want": {}})
