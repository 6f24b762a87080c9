# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The controller's part of router_config: the build folder goes to the module, replaced files come back."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._build_folder import BuildError, read_folder

SPEC = {
    "build": {"type": "path", "required": True},
    "driver": {"type": "str"},
    "backup": {"type": "path"},
    "install": {"type": "bool", "default": False},
}


class ActionModule(ActionBase):
    """Reads what was rendered, runs the module on the router, keeps the files that were replaced."""

    TRANSFERS_FILES = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _checked, args = self.validate_argument_spec(argument_spec=SPEC)
        try:
            manifest, texts = read_folder(Path(args["build"]))
        except BuildError as error:
            result.update(failed=True, msg=str(error))
            return result
        if args.pop("install") and manifest["packages"]:
            installed = self._install(manifest["packages"], task_vars)
            if installed.get("failed"):
                return {**result, **installed}
            result["installed"] = bool(installed.get("changed"))
        given = {key: value for key, value in args.items() if value is not None}
        bundle = json.dumps({"manifest": manifest, "texts": texts})
        found = self._execute_module("routerlab.bench.router_config", module_args={**given, "bundle": bundle}, task_vars=task_vars)
        result.update(found, changed=bool(found.get("changed") or result.get("installed")))
        replaced, stamp = result.pop("replaced", []), result.pop("stamp", None)
        if replaced and args["backup"]:
            result["backup_folder"] = self._keep(Path(args["backup"]) / stamp, replaced)
        if not self._task.diff:
            result.pop("diff", None)
        return result

    def _install(self, packages: list[str], task_vars: Any) -> dict[str, Any]:
        """The distribution's packages, without what they merely recommend."""
        wanted = {"name": packages, "install_recommends": False, "update_cache": True, "cache_valid_time": 3600}
        return self._execute_module("ansible.builtin.apt", module_args=wanted, task_vars=task_vars)

    def _keep(self, folder: Path, replaced: list[dict[str, str]]) -> str:
        """The replaced files, readable by their owner only."""
        for item in replaced:
            path = folder / item["path"].lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
                stream.write(base64.b64decode(item["data"]))
        return str(folder)
