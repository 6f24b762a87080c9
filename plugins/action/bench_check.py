# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan against the records. Its documentation is in plugins/modules/bench_check.py."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._run_action import RUN_FOLDER, RunAction
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import find_run, load_run, pending_text, pending_trials
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_gates import failed_gates, gates_text


class ActionModule(RunAction):
    """The door: a run folder in, success or the names of what is missing out."""

    SPEC = {**RUN_FOLDER, "allow_invalid": {"type": "bool", "default": False}, "allow_failed_gate": {"type": "bool", "default": False}}

    def answer(self, args: dict[str, Any]) -> dict[str, Any]:
        folder = find_run(args["results_dir"], args["run_dir"] or None)
        run = load_run(folder)
        pending = pending_trials(run.plan, run.records)
        missing = [trial["id"] for trial in pending if trial["state"] == "missing"]
        invalid = [trial["id"] for trial in pending if trial["state"] == "invalid"]
        planned = len(run.plan["trials"])
        gates = failed_gates(run.records)
        found = {"changed": False, "run_dir": str(folder), "planned": planned, "missing": missing, "invalid": invalid}
        found.update(failed_gates=gates, problems=run.problems)
        wrong = [pending_text(run)] if missing or (invalid and not args["allow_invalid"]) else []
        wrong += [gates_text(folder, gates)] if gates and not args["allow_failed_gate"] else []
        if wrong:
            return {**found, "failed": True, "msg": "\n".join(wrong)}
        return {**found, "msg": f"all {planned} planned trials were measured" + (f", {len(invalid)} are invalid" if invalid else "")}
