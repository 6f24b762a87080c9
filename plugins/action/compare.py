# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs side by side. Its documentation is in plugins/modules/compare.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.build import build_comparison
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError, find_run, slug


class ActionModule(ActionBase):
    """The door: run folders in, one page out. Opens no connection."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(
            argument_spec={
                "runs": {"type": "list", "elements": "str", "required": True},
                "results_dir": {"type": "path", "default": "results"},
                "output": {"type": "path"},
                "force": {"type": "bool", "default": False},
                "charts": {"type": "bool", "default": True},
                "endpoint_noise": {"type": "float", "default": 0.05},
            }
        )
        try:
            built, output = self._compare(args)
        except RunFolderError as exc:
            return {**result, "failed": True, "msg": str(exc)}
        for warning in built.warnings:
            self._display.warning(warning)
        result.update(changed=built.changed, output=str(output), page=str(output / "report.html"), files=built.files, text=built.text)
        result.update(changes=built.summary["changes"], incomparable=built.summary["incomparable"])
        if not self._task.check_mode:
            result["bench_closing"] = {"run_dir": str(output), "text": built.text}
        return result

    def _compare(self, args: dict[str, Any]) -> tuple[Any, Path]:
        if len(args["runs"]) < 2:
            raise RunFolderError(f"runs: {args['runs']!r} names {len(args['runs'])}; a comparison needs two or more run folders")
        folders = [find_run(args["results_dir"], name) for name in args["runs"]]
        if len({folder.resolve() for folder in folders}) < len(folders):
            raise RunFolderError(f"runs: {args['runs']!r} names the same run folder twice")
        name = "compare-" + "-with-".join(slug(folder.name) for folder in folders)
        output = Path(args["output"] or Path(args["results_dir"]) / name[:200])
        write = not self._task.check_mode
        return build_comparison(folders, output, args["force"], args["charts"], args["endpoint_noise"], write), output
