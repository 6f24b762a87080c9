# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial: the method on the client, the raw output on disk, the record in the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.module_utils._power._known import why_down
from ansible_collections.routerlab.bench.plugins.plugin_utils._bench import blame_power, finish_trial, lost, trial_and_cell
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import Trial, method
from ansible_collections.routerlab.bench.plugins.plugin_utils._method_action import run_method
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError, load_plan


class ActionModule(ActionBase):
    """The door: a trial of the plan in, its record out."""

    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(
            argument_spec={
                "run_dir": {"type": "path", "required": True},
                "trial": {"type": "str", "required": True},
                "ports": {"type": "list", "elements": "int", "default": []},
                "gate": {"type": "dict"},
                "conditions": {"type": "dict"},
                "hosts": {"type": "dict"},
                "machine": {"type": "dict"},
                "power": {"type": "dict"},
                "measurement": {"type": "dict"},
                "skip_code": {"type": "str"},
                "skip_detail": {"type": "str", "default": ""},
            }
        )
        if self._task.check_mode:
            return {**result, "skipped": True, "msg": "check mode: nothing is measured"}
        try:
            plan = load_plan(args["run_dir"])
            try:
                trial, cell = trial_and_cell(plan, args["trial"])
            except KeyError:
                return {**result, "failed": True, "msg": f"{args['run_dir']}/plan.json has no trial {args['trial']}"}
            measured = self._measure(plan, trial, cell, args, task_vars)
            if cell["role"] != "baseline":
                measured = blame_power(measured, why_down(args["power"]))
            facts = [args[key] for key in ("gate", "conditions", "hosts", "machine")]
            record = finish_trial(Path(args["run_dir"]), plan, trial, cell, measured, *facts)
        except RunFolderError as exc:
            return {**result, "failed": True, "msg": str(exc)}
        return {**result, "changed": False, "bench_record": {"run_dir": args["run_dir"], "record": record}}

    def _measure(self, plan: dict[str, Any], trial: dict[str, Any], cell: dict[str, Any], args: dict[str, Any], task_vars: Any) -> dict[str, Any]:
        """What the method returned; a client that cannot be reached is a lost trial, not a lost run."""
        if args["skip_code"]:
            return lost(args["skip_code"], args["skip_detail"])
        if args["measurement"]:
            return {"measurement": args["measurement"]}
        down = why_down(args["power"]) if cell["role"] != "baseline" else None
        if down:
            return lost("DUT_DOWN", down)
        try:
            arguments = method(cell["method"]).arguments(Trial(plan, trial, cell, args["ports"], args["run_dir"]))
            returned = run_method(self, cell["method"], arguments, task_vars)
        except AnsibleConnectionFailure as exc:
            return lost("ENDPOINT_UNREACHABLE", f"{cell['client']}: {' '.join(str(exc).split())}")
        if returned.get("measurement"):
            return returned
        words = " ".join(str(returned.get(key) or "").strip() for key in ("msg", "module_stderr")).strip()
        return lost("METHOD_FAILED", f"{cell['method']} on {cell['client']}: {words[-500:] or 'no answer'}")
