# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plan a run, or pick one up again. The pure part is in plugin_utils/_bench.py and _plan.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible import context
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase
from ansible.release import __version__ as core_version
from ansible.utils.vars import load_extra_vars

from ansible_collections.routerlab.bench.plugins.plugin_utils._bench import (
    chosen_routers,
    new_plan,
    resume_run,
    segments_of,
    time_left,
    writable,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._bench_options import (
    OptionError,
    against_plan,
    congestion_of,
    option_spec,
    unknown_options,
    wrong_values,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import require_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError, Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import inventory_files
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import needs_of, programs_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._plan_text import plan_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError, create_run
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError


class ActionModule(ActionBase):
    """The door: task arguments in, a run folder with a plan out."""

    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        try:
            self._check_options(task_vars)
        except OptionError as exc:
            return {**result, "failed": True, "msg": str(exc)}
        _dummy, args = self.validate_argument_spec(
            argument_spec={
                "results_dir": {"type": "path", "default": "results"},
                "suite": {"type": "str", "default": "quick"},
                "trials": {"type": "int"},
                "seed": {"type": "int"},
                "profiles": {"type": "list", "elements": "str"},
                "scenarios": {"type": "list", "elements": "str"},
                "link_mbps": {"type": "float"},
                "tier": {"type": "str", "default": "hardware", "choices": ["namespace", "container", "vm", "hardware"]},
                "resume": {"type": "str"},
            }
        )
        try:
            result.update(self._plan(args, task_vars))
        except (LabError, SuiteError, OptionError, RunFolderError) as exc:
            result.update(failed=True, msg=str(exc))
        return result

    def _plan(self, args: dict[str, Any], task_vars: dict[str, Any]) -> dict[str, Any]:
        lab = self._templar.template(task_vars.get("lab"))
        require_lab(lab, platforms())
        if args["resume"]:
            folder, plan, pending = resume_run(args["results_dir"], args["resume"], lab)
            problems = against_plan(plan, {key: args[key] for key in self._task.args})
            if problems:
                raise OptionError(problems)
            run_dir: str | None = str(folder)
        else:
            plan = new_plan(lab, self._routers(lab, args, task_vars), platforms(), {**args, "harness": {"ansible_core": core_version}})
            pending = plan["trials"]
            reason = writable(args["results_dir"])
            if reason:
                raise RunFolderError(reason)
            run_dir = None if self._task.check_mode else str(create_run(args["results_dir"], plan))
        done = len(plan["trials"]) - len(pending)
        found = {
            "changed": not args["resume"],
            "text": plan_text(plan, done),
            "run_dir": run_dir,
            "run": plan["run"],
            "segments": segments_of(plan, pending),
            "congestion": congestion_of(plan),
            "needs": needs_of(plan["cells"]),
            "programs": programs_of(plan["cells"]),
            "endpoints": sorted({cell[end] for cell in plan["cells"] for end in ("client", "server")}),
            "unmanaged": sorted({cell["dut"] for cell in plan["cells"] if not cell["managed"]}),
            "seconds": time_left(plan, pending),
        }
        return {**found, "bench_run_dir": run_dir} if run_dir else found

    def _check_options(self, task_vars: dict[str, Any]) -> None:
        """Names that nobody reads, and values that would stop the run only after the lab is built."""
        sources = task_vars.get("ansible_inventory_sources") or []
        named = [str(source) for source in ([sources] if isinstance(sources, str) else sources) if "," not in str(source)]
        folder = Path(task_vars.get("playbook_dir") or ".")
        extra = load_extra_vars(self._loader)
        own = inventory_files(named, [str(folder)], context.CLIARGS.get("extra_vars") or ())
        values = {name: self._templar.template(task_vars[name]) for name in option_spec() if name in task_vars}
        problems = unknown_options(extra, [*own, *folder.glob("*.yml")]) + wrong_values(values)
        if problems:
            raise OptionError(problems)

    def _routers(self, lab: dict[str, Any], args: dict[str, Any], task_vars: dict[str, Any]) -> list[dict[str, Any]]:
        names = list(task_vars.get("groups", {}).get("routers", []))
        hostvars = task_vars["hostvars"]
        managed = {}
        for name in names:
            own = hostvars[name].get("router_managed")
            if wrong_values({"router_managed": own}):
                raise OptionError(wrong_values({"router_managed": own}))
            managed[name] = None if own is None else boolean(own, strict=False)
        found = chosen_routers(lab, names, managed, args["profiles"])
        if not found:
            raise SuiteError(args["suite"], [Problem("group routers", names, "holds no router of the lab", "the names in lab.routers")])
        return found
