# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a router for its state, by a driver on the controller or by the module on the router. Its documentation is in plugins/modules/router_info.py."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import guarded
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._door import on_controller, open_driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

SPEC = {"platform": {"type": "str", "required": True}, "driver": {"type": "str"}}


class ActionModule(ActionBase):
    """One shape, whoever asks."""

    TRANSFERS_FILES = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        variables = task_vars or {}
        _checked, args = self.validate_argument_spec(argument_spec=SPEC)
        name = args["platform"]
        if name not in platforms():
            result.update(failed=True, msg=f"platform: there is no {name!r}; there are {', '.join(sorted(platforms()))}")
            return result
        platform = platforms()[name]
        how = args.pop("driver") or platform["driver"]
        if not on_controller(how):
            result.update(self._execute_module("routerlab.bench.router_info", module_args=args, task_vars=variables))
            return result
        manifest = {"platform": name, "version": None, "dialect": None, "device_type": platform.get("device_type"), "owned": [], "artifacts": []}
        try:
            driver = open_driver(self, how, {"manifest": manifest, "texts": {}}, args, variables)
        except DriverError as error:
            result.update(failed=True, msg=str(error))
            return result
        result["changed"] = False
        with guarded(driver, result):
            driver.connect()
            result["router"] = {**dict.fromkeys(linux.info_of({})), **driver.info()}
        return result
