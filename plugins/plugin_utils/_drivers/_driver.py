# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What drivers that run on the controller have in common, and how one is found.

A driver is a file of this folder: driver ``netmiko`` is ``netmiko.py``, and its class is
called ``Driver``. What the core does for all of them stands in ``_deploy.py``.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import TYPE_CHECKING, Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _driver as both_sides
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan

if TYPE_CHECKING:
    from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
    from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = __name__.rpartition(".")[0]

# How a device stands to a plan, when it is read again.
NEW = "new"
OLD = "old"
BETWEEN = "between"


class LostContact(DriverError):
    """The device does not answer, or stopped answering: what became of it is not known. It may be tried again."""


class LoginRefused(DriverError):
    """Wrong password, unknown or changed host key, no common algorithm: trying again does not help."""


class NothingChanged(DriverError):
    """Refused before anything was changed; there is nothing to lead back."""


class DeviceDriver(both_sides.Driver):
    """The shape of a driver on the controller; docs/drivers.md tells the life of a deployment.

    Every method talks to the device and may raise `DriverError` with the device's own words,
    `LostContact` or `LoginRefused`. Messages need neither the host's name nor care for secrets:
    the core puts the one in and takes the others out.
    """

    needs: Mapping[str, str] = {}
    """Python packages: what is imported, and the name that pip knows."""

    port = 22
    """Where it connects unless the inventory has a port."""

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options)
        self.device = device
        self.notes: list[str] = []

    def connect(self) -> None:
        """Open a new connection, with the host key checked."""
        raise NotImplementedError

    def disconnect(self) -> None:
        """Close the connection, whatever state it is in. Raises nothing."""
        raise NotImplementedError

    def versions(self) -> list[str]:
        """What the device says its version is; several where it can be told in several ways (release, component numbers)."""
        raise NotImplementedError

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        """Read the device and say what leads back to a backup."""
        raise DriverError(f"driver {driver_name(self)} cannot put a backup back")

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        """How the management reaches the device: this session, and its addresses, ports and routes before and after. None where that cannot be told."""
        return None

    def snapshot(self) -> dict[str, bytes]:
        """The configuration as it is, as files for the backup; enough for `plan_restore`."""
        raise NotImplementedError

    def secrets(self) -> set[str]:
        """Values that no message, diff or result may show, beside the password."""
        return set()

    def apply(self, plan: Plan) -> dict[str, Any]:
        """Put the plan into force, provisionally where the platform can. What it returns goes into the task's result.

        A device that is no longer what the plan was made from, or is locked, is refused with `NothingChanged`.
        """
        raise NotImplementedError

    def standing(self, plan: Plan) -> str:
        """Read again: `NEW` when the device is as planned, `OLD` when it is as before, else `BETWEEN`."""
        raise NotImplementedError

    def confirm(self, plan: Plan) -> None:
        """Make it last: end the provisional state, save. Comes over a new connection, after `standing` was `NEW`."""

    def revert(self, plan: Plan) -> None:
        """Lead back to the old configuration and end what is pending. May be called in any state, also twice."""
        raise NotImplementedError

    def by_itself(self) -> str:
        """A sentence: what the device does when nobody comes back to confirm. Empty when nothing."""
        return ""

    def info(self) -> dict[str, Any]:
        """The device's state in the shape of router_info."""
        raise DriverError(f"driver {driver_name(self)} cannot tell the state of a device")

    def patience(self, lines: int, each: float = 0.5, least: float = 30.0) -> float:
        """A time-out in seconds that grows with the number of lines that the device has to digest."""
        return (least + each * lines) * self.device.number("router_time_factor", 1.0)

    def note(self, words: str) -> None:
        """A warning for the person at the screen."""
        if words not in self.notes:
            self.notes.append(words)


def driver_name(driver: DeviceDriver) -> str:
    return type(driver).__module__.rpartition(".")[2]


def controller_drivers() -> list[str]:
    """The drivers that run on the controller, by the files that are here."""
    return sorted(name[: -len(".py")] for name in os.listdir(HERE) if name.endswith(".py") and not name.startswith("_"))


def find_driver(name: str) -> type[DeviceDriver]:
    """The class of a driver, after a look at the packages that it needs."""
    if name not in controller_drivers():
        raise DriverError(f"there is no driver {name!r}; there are: ssh, {', '.join(controller_drivers())}")
    driver: type[DeviceDriver] = importlib.import_module(f"{PACKAGE}.{name}").Driver
    missing = sorted(pip for module, pip in driver.needs.items() if importlib.util.find_spec(module) is None)
    if missing:
        raise DriverError(f"driver {name} needs Python packages that ansible-playbook's Python does not have: pip install {' '.join(missing)}")
    return driver
