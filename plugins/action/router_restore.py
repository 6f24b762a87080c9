# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts a backup back, with a driver on the controller or on the router. Its documentation is in plugins/modules/router_restore.py."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup as backups
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._door import keep_replaced, on_controller, open_driver

SPEC = {"backup": {"type": "path"}, "time": {"type": "str", "default": "latest"}}


class ActionModule(ActionBase):
    """A restore is a deployment whose plan leads to a backup."""

    TRANSFERS_FILES = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        variables = task_vars or {}
        _checked, args = self.validate_argument_spec(argument_spec=SPEC)
        root = Path(args["backup"] or f"backup/{variables['inventory_hostname']}")
        try:
            folder = backups.latest(root) if args["time"] == "latest" else root / args["time"]
            index, files = backups.read(folder)
            if index["host"] != variables["inventory_hostname"]:
                raise DriverError(f"{folder}: this is a backup of {index['host']}, not of {variables['inventory_hostname']}")
            result["restored"] = str(folder)
            if on_controller(index["driver"]):
                driver = open_driver(self, index["driver"], {"manifest": index["manifest"], "texts": {}}, args, variables)
                result.update(deploy(driver, root, self._task.check_mode, lambda: driver.plan_restore(files), "restore"))
            else:
                result.update(self._on_target(index, files, root, variables))
        except DriverError as error:
            result.update(failed=True, msg=str(error))
        if not self._task.diff:
            result.pop("diff", None)
        return result

    def _on_target(self, index: dict[str, Any], files: dict[str, bytes], root: Path, variables: dict[str, Any]) -> dict[str, Any]:
        """Driver ssh: the module puts the files back, on the router."""
        replaced = [{**item, "data": base64.b64encode(files[item["path"].lstrip("/")]).decode()} for item in index["replaced"]]
        manifest = {**index["manifest"], "artifacts": [], "absent": []}
        bundle = {"manifest": manifest, "texts": {}, "restore": {"replaced": replaced, "created": index["created"], "running": index["running"]}}
        found = self._execute_module("routerlab.bench.router_restore", module_args={"bundle": json.dumps(bundle)}, task_vars=variables)
        return keep_replaced(found, root, {"reason": "restore", "host": index["host"], "driver": index["driver"], "manifest": index["manifest"]})
