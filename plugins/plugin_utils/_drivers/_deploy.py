# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The life of a deployment, the same for every driver on the controller.

    connect, version, plan, access           all of check mode
    backup, apply, reconnect, read again     provisional where the platform can
    confirm                                  or: revert, read again, say what is in force

Nothing half-applied stays without a message that says so.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any, Callable, Iterator

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup as backups
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import refuse_cut
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import (
    BETWEEN,
    NEW,
    OLD,
    DeviceDriver,
    LoginRefused,
    LostContact,
    NothingChanged,
    driver_name,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import Mask
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._version import refuse_other_version

PATIENCE = 150.0
"""Seconds to wait for a device that stopped answering (`router_patience`); a restart takes about that long."""
PAUSE = 2.0
IN_FORCE = "The old configuration is in force."


def deploy(driver: DeviceDriver, backup: Path, check: bool, make_plan: Callable[[], Plan] | None = None, reason: str = "deploy") -> dict[str, Any]:
    """Make a device equal to the driver's bundle (or to what ``make_plan`` plans); the result of the task."""
    result: dict[str, Any] = {"changed": False}
    with guarded(driver, result) as mask, contextlib.ExitStack() as stack:
        if not check:
            stack.enter_context(backups.alone(backup))
        driver.connect()
        seen = driver.versions()
        refuse_other_version(driver.bundle["manifest"], seen)
        plan = (make_plan or driver.plan)()
        mask.add(driver.secrets())
        result.update(changed=plan.changed, plan=plan.summary, diff=plan.diff)
        if plan.changed:
            access = driver.access(plan)
            if access:
                refuse_cut(driver.bundle["manifest"]["management"], *access)
        if plan.changed and not check:
            folder = backups.keep(backup, driver.snapshot(), _facts(driver, seen, reason))
            result["backup_folder"] = str(folder)
            result.update(_carry_out(driver, plan))
    return result


@contextlib.contextmanager
def guarded(driver: DeviceDriver, result: dict[str, Any]) -> Iterator[Mask]:
    """Close the connection in the end; name the device in messages; take secrets out of everything."""
    mask = Mask([driver.device.password or ""])
    try:
        yield mask
    except DriverError as error:
        mask.add(driver.secrets())
        result.update(mask.tree(error.details))
        result.update(failed=True, changed=bool(error.details.get("changed")), msg=mask.text(f"{driver.device.where(driver.port)}: {error}"))
    finally:
        driver.disconnect()
        if driver.notes:
            result["warnings"] = [mask.text(note) for note in driver.notes]
        for key in ("plan", "diff", "steps"):
            if key in result:
                result[key] = mask.tree(result[key])


def _facts(driver: DeviceDriver, seen: list[str], reason: str) -> dict[str, Any]:
    manifest = driver.bundle["manifest"]
    return {"reason": reason, "host": driver.device.name, "driver": driver_name(driver), "seen_version": seen[0] if seen else None, "manifest": manifest}


def _carry_out(driver: DeviceDriver, plan: Plan) -> dict[str, Any]:
    """The one place where a device changes."""
    result: dict[str, Any] = {}
    trouble: DriverError | None = None
    begin = time.monotonic()
    try:
        result = driver.apply(plan)
        driver.disconnect()
        driver.connect()
    except NothingChanged:
        raise
    except DriverError as error:
        trouble = error
    standing = _look(driver, plan, trouble)
    if standing == NEW and (trouble is None or isinstance(trouble, LostContact)):
        _confirm(driver, plan, trouble)
        return {**result, "seconds": round(time.monotonic() - begin, 3)}
    raise _go_back(driver, plan, trouble or DriverError("Read again, the device is not as deployed."), standing)


def _look(driver: DeviceDriver, plan: Plan, trouble: DriverError | None) -> str:
    """How the device stands; waits for one that does not answer."""
    if isinstance(trouble, (LostContact, LoginRefused)):
        _find_again(driver, trouble)
    try:
        return driver.standing(plan)
    except LostContact as error:
        _find_again(driver, error)
        return driver.standing(plan)


def _find_again(driver: DeviceDriver, trouble: DriverError) -> None:
    """A new connection to a device that stopped answering, or an error that says what it does by itself."""
    patience = driver.device.number("router_patience", PATIENCE)
    end = time.monotonic() + patience
    last = trouble
    while True:
        driver.disconnect()
        try:
            driver.connect()
            return
        except DriverError as error:
            last = error
        if time.monotonic() > end:
            break
        time.sleep(min(PAUSE, max(0.05, patience / 20)))
    says = "" if str(last) == str(trouble) else f" Last attempt: {last}"
    then = driver.by_itself() or "It does nothing by itself: look at its console."
    raise DriverError(f"{trouble} No way back in for {patience:g} s.{says} {then}", lost_contact=True, changed=True)


def _confirm(driver: DeviceDriver, plan: Plan, trouble: DriverError | None) -> None:
    if trouble is not None:
        driver.note(f"The connection was lost while the configuration was put into force, and the device had finished: {trouble}")
    try:
        driver.confirm(plan)
    except LostContact as error:
        _find_again(driver, error)
        if driver.standing(plan) != NEW:
            raise _go_back(driver, plan, error, BETWEEN) from error
        driver.confirm(plan)
    except DriverError as error:
        raise _go_back(driver, plan, error, NEW) from error


def _go_back(driver: DeviceDriver, plan: Plan, trouble: DriverError, standing: str) -> DriverError:
    """The error of a deployment that failed, after the way back to the old configuration."""
    words = str(trouble)
    try:
        driver.revert(plan)
        standing = driver.standing(plan)
    except LostContact as error:
        try:
            _find_again(driver, error)
            driver.revert(plan)
            standing = driver.standing(plan)
        except DriverError as again:
            return DriverError(f"{words}\nGoing back failed, too: {again}", **{**trouble.details, "rolled_back": False, "changed": True})
    except DriverError as error:
        then = driver.by_itself() or "Part of the new configuration may be in force."
        return DriverError(f"{words}\nGoing back failed, too: {error}\n{then}", **{**trouble.details, "rolled_back": False, "changed": True})
    if standing == OLD:
        return DriverError(f"{words}\n{IN_FORCE}", **{**trouble.details, "rolled_back": True})
    then = driver.by_itself() or "Compare it with the backup."
    return DriverError(f"{words}\nAfter going back the device is not as it was. {then}", **{**trouble.details, "rolled_back": False, "changed": True})
