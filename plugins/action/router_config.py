# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The controller's part of router_config: drivers that work from here; for others, the folder goes to the module and replaced files come back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._build_folder import BuildError, read_folder
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._door import ON_TARGET, keep_replaced, on_controller, open_driver

SPEC = {
    "build": {"type": "path", "required": True},
    "driver": {"type": "str"},
    "backup": {"type": "path"},
    "install": {"type": "bool", "default": False},
}


class ActionModule(ActionBase):
    """Reads what was rendered, has it put on the router, keeps what was replaced."""

    TRANSFERS_FILES = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        variables = task_vars or {}
        _checked, args = self.validate_argument_spec(argument_spec=SPEC)
        args["backup"] = args["backup"] or f"backup/{variables['inventory_hostname']}"
        try:
            manifest, texts = read_folder(Path(args["build"]))
            bundle = {"manifest": manifest, "texts": texts}
            name = args["driver"] or manifest["driver"]
            if on_controller(name):
                driver = open_driver(self, name, bundle, args, variables)
                result.update(config_hash=manifest["config_hash"], **deploy(driver, Path(args["backup"]), self._task.check_mode))
            else:
                result.update(self._on_target(args, bundle, variables))
        except (BuildError, DriverError) as error:
            result.update(failed=True, msg=str(error))
        if not self._task.diff:
            result.pop("diff", None)
        return result

    def _on_target(self, args: dict[str, Any], bundle: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        """Driver ssh: the module does the work on the router."""
        packages, installed = bundle["manifest"]["packages"], None
        if args.pop("install") and packages:
            installed = self._install(packages, variables)
            if installed.get("failed"):
                return installed
        given = {key: value for key, value in args.items() if value is not None}
        found = self._execute_module("routerlab.bench.router_config", module_args={**given, "bundle": json.dumps(bundle)}, task_vars=variables)
        if installed is not None:
            found.update(installed=bool(installed.get("changed")), changed=bool(found.get("changed") or installed.get("changed")))
        facts = {"reason": "deploy", "host": variables["inventory_hostname"], "driver": ON_TARGET, "manifest": bundle["manifest"]}
        return keep_replaced(found, Path(args["backup"]), facts)

    def _install(self, packages: list[str], variables: dict[str, Any]) -> dict[str, Any]:
        """The distribution's packages, without what they merely recommend."""
        wanted = {"name": packages, "install_recommends": False, "update_cache": True, "cache_valid_time": 3600}
        return self._execute_module("ansible.builtin.apt", module_args=wanted, task_vars=variables)
