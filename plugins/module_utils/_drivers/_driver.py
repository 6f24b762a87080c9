# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What every driver has in common: a plan first, then perhaps its execution.

A driver is made with a bundle (the manifest of a build folder and the text of its files).
``plan`` reads the device and changes nothing; ``apply`` carries the plan out, reads again
and either leaves the new configuration in force or puts the old one back and raises.
"""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple

Bundle = Dict[str, Any]


class DriverError(Exception):
    """A deployment that was refused or that failed; ``details`` go into the task's result."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.details = details


class Plan(NamedTuple):
    """What a deployment would do. ``work`` is the driver's own."""

    changed: bool
    summary: List[str]
    diff: List[Dict[str, str]]
    work: Any


class Driver:
    """The shape of a driver."""

    def __init__(self, bundle: Bundle, options: Dict[str, Any]) -> None:
        self.bundle = bundle
        self.options = options

    def plan(self) -> Plan:
        """Read the device and say what would change."""
        raise NotImplementedError

    def apply(self, plan: Plan) -> Dict[str, Any]:
        """Carry a plan out; the returned values go into the task's result."""
        raise NotImplementedError
