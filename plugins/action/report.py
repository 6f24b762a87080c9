# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables, charts and page from a run folder. Its documentation is in plugins/modules/report.py."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.build import build_report
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_action import REPORT, RUN_FOLDER, RunAction
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import find_run, load_run


class ActionModule(RunAction):
    """The door: a run folder in, the names of files out."""

    SPEC = {**RUN_FOLDER, **REPORT}

    def answer(self, args: dict[str, Any]) -> dict[str, Any]:
        folder = find_run(args["results_dir"], args["run_dir"] or None)
        if self._task.check_mode:
            run = load_run(folder)
            text = f"check mode: {len(run.records)} of {len(run.plan['trials'])} trials recorded in {folder}"
            return {"changed": False, "run_dir": str(folder), "text": text}
        built = build_report(folder, args["charts"], args["endpoint_noise"])
        for warning in built.warnings:
            self._display.warning(warning)
        failed = {"failed": True, "msg": "not all of the report could be written:\n" + "\n".join(built.errors)} if built.errors else {}
        return {
            **failed,
            "changed": built.changed,
            "run_dir": str(folder),
            "files": built.files,
            "page": str(folder / "report.html"),
            "partial": built.summary["partial"],
            "trials": built.summary["trials"],
            "text": built.text,
            "bench_closing": {"run_dir": str(folder), "text": built.text},
        }
