# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a check ends when it does not pass."""

from __future__ import annotations

from typing import Any

Skipped: Any = Exception
try:
    from pytest import skip

    Skipped = skip.Exception
except ImportError:  # the action names the missing program before anything here is used
    pass

PASSED, FAILED, SKIPPED, NOT_PROVABLE, BLOCKED = "passed", "failed", "skipped", "not_provable", "blocked"


class CheckFailed(AssertionError):
    """The lab is not as it must be. ``code`` names the cause where it is known."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


class NotProvable(Skipped):
    """Nobody in this lab can see it."""


class Blocked(Skipped):
    """Something that it builds on has failed already."""
