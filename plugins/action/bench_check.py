# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan against the records. Its documentation is in plugins/modules/bench_check.py."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import (
    RunFolderError,
    find_run,
    load_run,
    pending_text,
    pending_trials,
)


class ActionModule(ActionBase):
    """The door: a run folder in, success or the names of what is missing out."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(
            argument_spec={
                "run_dir": {"type": "str"},
                "results_dir": {"type": "path", "default": "results"},
                "allow_invalid": {"type": "bool", "default": False},
            }
        )
        try:
            folder = find_run(args["results_dir"], args["run_dir"] or None)
            run = load_run(folder)
        except RunFolderError as exc:
            return {**result, "failed": True, "msg": str(exc)}
        pending = pending_trials(run.plan, run.records)
        missing = [trial["id"] for trial in pending if trial["state"] == "missing"]
        invalid = [trial["id"] for trial in pending if trial["state"] == "invalid"]
        planned = len(run.plan["trials"])
        result.update(changed=False, run_dir=str(folder), planned=planned, missing=missing, invalid=invalid, problems=run.problems)
        if missing or (invalid and not args["allow_invalid"]):
            result.update(failed=True, msg=pending_text(run))
        else:
            result["msg"] = f"all {planned} planned trials were measured" + (f", {len(invalid)} are invalid" if invalid else "")
        return result
