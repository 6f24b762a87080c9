# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a containerlab topology and its inventory. Its documentation is in plugins/modules/containerlab.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._clab import topology_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import require_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import plain_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

SPEC = {
    "dest": {"type": "path"},
    "images": {"type": "dict", "default": {}},
    "routers": {"type": "list", "elements": "str"},
}
HEAD = "---\n# Written by routerlab.bench; the next run overwrites it. No benchmark fabric: compare ratios, not absolute speed.\n"


class ActionModule(ActionBase):
    """The door: a lab in, files out; opens no connection."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _checked, args = self.validate_argument_spec(argument_spec=SPEC)
        try:
            lab, problems = plain_lab(self._templar.template((task_vars or {}).get("lab")), self._templar.template)
            if problems:
                raise LabError(problems)
            require_lab(lab, platforms())
            found = topology_of(lab, platforms(), args["images"], args["routers"])
        except LabError as error:
            return {**result, "failed": True, "msg": str(error)}
        folder = Path(args["dest"] or f"build/{lab['name']}/containerlab")
        files = {
            f"{lab['name']}.clab.yml": _text(found.topology),
            "inventory/hosts.yml": _text(found.inventory),
            "inventory/group_vars/all/lab.yml": _text({"lab": found.lab}),
            **found.files,
        }
        try:
            changed = [name for name, text in files.items() if _read(folder / name) != text]
            if not self._task.check_mode:
                for name in changed:
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_text(files[name], encoding="utf-8")
        except OSError as error:
            return {**result, "failed": True, "msg": f"{error.filename}: {error.strerror}"}
        return {**result, "changed": bool(changed), "folder": str(folder), "files": sorted(files), "topology": found.topology}


def _text(document: Any) -> str:
    return HEAD + yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=150)


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None
