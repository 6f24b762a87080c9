# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders one router, on the controller. Its documentation is in plugins/modules/render.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Mapping

from ansible import constants
from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._build_folder import BuildError, diff_of, folder_of, manifest_of, plan_folder, write_folder
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import Model, resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import section_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import plain_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import all_quotes
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import (
    Artifact,
    RenderError,
    keep_compiled,
    part_of,
    platform_of,
    profiles_of,
    render_router,
)

SPEC = {
    "router": {"type": "str"},
    "platform": {"type": "str"},
    "dest": {"type": "path"},
    "profiles": {"type": "list", "elements": "str"},
    "base": {"type": "bool", "default": True},
}
VARIABLES = {"router": "router_name", "platform": "router_platform", "dest": "router_build_dir"}

# Ansible imports this file once and forks a worker for every host from there: what is read here is not read a hundred times.
platforms()
section_spec()
all_quotes()
keep_compiled(str(constants.DEFAULT_LOCAL_TMP))


class ActionModule(ActionBase):
    """One step for a router, whatever the number of its files; opens no connection."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        variables = task_vars or {}
        _checked, args = self.validate_argument_spec(argument_spec=SPEC)
        for key, variable in VARIABLES.items():
            args[key] = args[key] or self._value(variables, variable)
        name = args["router"] or variables["inventory_hostname"]
        args["dest"] = args["dest"] or "build"
        try:
            result.update(self._render(name, args, self._lab(name, variables.get("lab"))))
        except (BuildError, LabError, RenderError) as error:
            result.update(failed=True, msg=str(error))
        return result

    def _value(self, variables: dict[str, Any], name: str) -> Any:
        """A variable of role router. Plain text, and the role's own default, need no Jinja: it takes as long as all the rest."""
        raw = variables.get(name)
        if raw == "{{ inventory_hostname }}":
            return variables["inventory_hostname"]
        return self._templar.template(raw) if isinstance(raw, str) and "{" in raw else raw

    def _lab(self, name: str, raw: Any) -> dict[str, Any]:
        """The part of the lab that describes this router, as plain data."""
        if isinstance(raw, str):
            raw = self._templar.template(raw)
        if not isinstance(raw, Mapping) or not isinstance(raw.get("routers"), list):
            raise RenderError("the variable lab is not defined, or has no routers; see inventories/lab/group_vars/all/lab.yml")
        lab, problems = plain_lab(part_of(raw, name), self._templar.template)
        if problems:
            raise LabError(problems)
        if not lab["routers"]:
            raise RenderError(f"the lab has no router {name!r}; it has {', '.join(str(item.get('name')) for item in raw['routers']) or 'none'}")
        return lab

    def _render(self, name: str, args: dict[str, Any], lab: dict[str, Any]) -> dict[str, Any]:
        router = lab["routers"][0]
        if router.get("managed") is False:
            return {"changed": False, "skipped": True, "msg": f"{name} is not managed: somebody else configures it"}
        if args["platform"] and args["platform"] != router.get("platform"):
            raise RenderError(f"{name}: the lab says platform {router.get('platform')!r}, and this role is for {args['platform']!r}")
        known = profiles_of(lab, name)
        wanted = known if args["profiles"] is None else args["profiles"]
        for profile in wanted:
            if profile not in known:
                raise RenderError(f"{name} takes part in no profile {profile!r}; it has {', '.join(known) or 'none'}")
        plans = [self._plan(lab, name, profile, args["dest"]) for profile in [*([None] if args["base"] else []), *wanted]]
        if not self._task.check_mode:
            for folder, changes, _model, _artifacts in plans:
                if changes:
                    write_folder(folder, changes)
        return self._result(plans)

    def _plan(self, lab: dict[str, Any], name: str, profile: str | None, dest: str) -> tuple[Path, list[Any], Model, list[Artifact]]:
        model = resolve_router(lab, name, profile, platforms())
        platform = platform_of(model, platforms())
        artifacts = render_router(model, platform)
        folder = folder_of(dest, lab["name"], profile, name)
        return folder, plan_folder(folder, artifacts, manifest_of(model, platform, artifacts)), model, artifacts

    def _result(self, plans: list[tuple[Path, list[Any], Model, list[Artifact]]]) -> dict[str, Any]:
        changed = sorted(str(folder / change.file) for folder, changes, _model, _artifacts in plans for change in changes)
        result: dict[str, Any] = {"changed": bool(changed), "files": changed, "folders": [str(plan[0]) for plan in plans]}
        if self._task.diff:
            result["diff"] = [entry for folder, changes, model, _artifacts in plans for entry in diff_of(folder, changes, model["secrets"])]
        return result
