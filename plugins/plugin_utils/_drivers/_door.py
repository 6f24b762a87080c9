# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From a task to a driver on the controller; shared by the actions router_config, router_restore and router_info."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Mapping

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup as backups
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import device_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import DeviceDriver, controller_drivers, find_driver

ON_TARGET = "ssh"
"""The driver whose code runs on the device: module_utils/_drivers/ssh.py."""


def on_controller(name: str) -> bool:
    """Whether a driver works from here. A name that nobody has goes this way, too: its error lists the drivers."""
    return name != ON_TARGET or name in controller_drivers()


def open_driver(action: ActionBase, name: str, bundle: Bundle, options: dict[str, Any], variables: dict[str, Any]) -> DeviceDriver:
    """A driver for the host of a task. Opens no connection yet."""
    driver = find_driver(name)
    device = device_of(variables, action._templar.template, action._play_context, action._connection)
    return driver(bundle, options, device)


def keep_replaced(found: dict[str, Any], root: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a module on the router, with the files that it replaced in a backup on the controller instead of in the result."""
    kept, stamp = found.pop("kept", None), found.pop("stamp", None)
    if kept:
        files = {item["path"]: base64.b64decode(item.pop("data")) for item in kept["replaced"]}
        found["backup_folder"] = str(backups.keep(root, files, {**facts, **kept}, stamp))
    return found
