# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables, charts and page from a run folder. Its documentation is in plugins/modules/report.py."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.build import build_report
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError, find_run, load_run


class ActionModule(ActionBase):
    """The door: a run folder in, the names of files out. Opens no connection."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(
            argument_spec={
                "run_dir": {"type": "str"},
                "results_dir": {"type": "path", "default": "results"},
                "charts": {"type": "bool", "default": True},
                "endpoint_noise": {"type": "float", "default": 0.05},
            }
        )
        try:
            folder = find_run(args["results_dir"], args["run_dir"] or None)
            if self._task.check_mode:
                run = load_run(folder)
                text = f"check mode: {len(run.records)} of {len(run.plan['trials'])} trials recorded in {folder}"
                return {**result, "changed": False, "run_dir": str(folder), "text": text}
            built = build_report(folder, args["charts"], args["endpoint_noise"])
        except RunFolderError as exc:
            return {**result, "failed": True, "msg": str(exc)}
        for warning in built.warnings:
            self._display.warning(warning)
        return {
            **result,
            "changed": built.changed,
            "run_dir": str(folder),
            "files": built.files,
            "page": str(folder / "report.html"),
            "partial": built.summary["partial"],
            "trials": built.summary["trials"],
            "text": built.text,
            "bench_closing": {"run_dir": str(folder), "text": built.text},
        }
