# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs side by side. Its documentation is in plugins/modules/compare.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.build import build_comparison
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_action import REPORT, RESULTS_DIR, RunAction
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError, find_run, slug


class ActionModule(RunAction):
    """The door: run folders in, one page out."""

    SPEC = {
        "runs": {"type": "list", "elements": "str", "required": True},
        **RESULTS_DIR,
        "output": {"type": "path"},
        "force": {"type": "bool", "default": False},
        **REPORT,
    }

    def answer(self, args: dict[str, Any]) -> dict[str, Any]:
        built, output = self._compare(args)
        for warning in built.warnings:
            self._display.warning(warning)
        found = {"changed": built.changed, "output": str(output), "page": str(output / "report.html"), "files": built.files, "text": built.text}
        found.update(changes=built.summary["changes"], incomparable=built.summary["incomparable"])
        if built.errors:
            found.update(failed=True, msg="not all of the comparison could be written:\n" + "\n".join(built.errors))
        return found if self._task.check_mode else {**found, "bench_closing": {"run_dir": str(output), "text": built.text}}

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
