# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate of one router under one profile."""

from __future__ import annotations

from typing import Any

from ansible import constants as C
from ansible.errors import AnsibleError
from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.connections import connection_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.expectations import expectations
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.result import names_of, plan_table, table
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.run import keep, run_gate
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import require_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import find_named, resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError

ARGUMENTS: dict[str, Any] = {
    "router": {"type": "str"},
    "profile": {"type": "str"},
    "managed": {"type": "bool"},
    "run_dir": {"type": "path"},
    "fail": {"type": "bool", "default": False},
    "ospf_timeout": {"type": "float", "default": 60.0},
    "routes_timeout": {"type": "float", "default": 15.0},
    "dhcp_timeout": {"type": "float", "default": 15.0},
}


class ActionModule(ActionBase):
    """The door: a router and a profile in, a gate's result out."""

    TRANSFERS_FILES = False
    _supports_check_mode = True
    _requires_connection = False

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(argument_spec=ARGUMENTS)
        router, profile = args["router"] or task_vars["inventory_hostname"], args["profile"] or None
        try:
            lab: Any = self._templar.template(task_vars["lab"]) if "lab" in task_vars else None
            model, wrong = self._model(lab, router, profile, args["managed"])
        except LabError as error:
            return {**result, "failed": True, "msg": str(error)}
        if wrong:
            return {**result, "failed": True, "msg": wrong}
        specs = self._specs(lab, router, task_vars)
        observers = [name for name, spec in specs.items() if spec["kind"] is not None]
        expect = expectations(lab, router, profile, model, observers)
        if self._task.check_mode:
            return {**result, "skipped": True, "expectations": expect, "table": plan_table(expect), "msg": "check mode: nothing is probed"}
        named = {item["want"]["host"] for item in expect["items"] if item["check"] == "host_reachable" and item["want"]}
        limits = {name: args[f"{name}_timeout"] for name in ("ospf", "routes", "dhcp")}
        return self._finish(result, run_gate(expect, {name: specs[name] for name in named}, limits), expect, args)

    def _model(self, lab: Any, router: str, profile: str | None, managed: bool | None) -> tuple[Any, str | None]:
        """The router's model, or what is wrong with the question."""
        rooms = platforms()
        if lab is None:
            return None, "the variable 'lab' is missing: the inventory has to describe the lab"
        require_lab(lab, rooms)
        described = find_named(lab["routers"], router)
        if described is None:
            return None, f"router: {router} is not in the lab; valid: {', '.join(item['name'] for item in lab['routers'])}"
        known = [item["name"] for item in router_profiles(lab, described)]
        if profile is not None and profile not in known:
            return None, f"profile: {router} has no profile {profile}; valid: {', '.join(known) or 'none, leave it out'}"
        model = resolve_router(lab, router, profile, rooms)
        return ({**model, "managed": model["managed"] and managed is not False}), None

    def _specs(self, lab: Any, router: str, task_vars: Any) -> dict[str, Any]:
        """How each host of the lab is reached."""
        names = [router, *(item["name"] for item in lab.get("endpoints") or []), *(item["name"] for item in lab["routers"])]
        everybody = task_vars["hostvars"]
        known = {name: everybody[name] for name in names if name in everybody}
        defaults = self._defaults()
        return {name: connection_spec(name, known.get(name), defaults) for name in dict.fromkeys(names)}

    def _defaults(self) -> dict[str, Any]:
        """What the play and ansible.cfg say where a host's variables are silent."""
        def ssh(option: str) -> Any:
            try:
                return C.config.get_config_value(option, plugin_type="connection", plugin_name="ssh")
            except AnsibleError:  # not a setting of this ansible-core
                return None

        play = self._play_context
        return {
            "connection": C.DEFAULT_TRANSPORT,
            "user": play.remote_user,
            "key": play.private_key_file,
            "become": play.become,
            "become_user": play.become_user,
            "become_password": getattr(play, "become_pass", None),
            "password": getattr(play, "password", None) or None,
            "ssh_args": None if ssh("ssh_args") == ssh_default() else ssh("ssh_args"),
            "host_key_checking": C.HOST_KEY_CHECKING,
            "port": ssh("port"),
        }

    def _finish(self, result: dict[str, Any], gate: dict[str, Any], expect: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
        result.update(changed=False, gate=gate, passed=gate["passed"], failed_checks=names_of(gate), seconds=gate["seconds"], table=table(gate))
        if args["run_dir"]:
            try:
                result["file"] = keep(gate, expect, args["run_dir"])
            except RunFolderError as error:
                return {**result, "failed": True, "msg": str(error)}
        if args["fail"] and not gate["passed"]:
            wrong = [line for line in result["table"][1:] if not line.startswith(" ")]
            result.update(failed=True, msg="\n".join([result["table"][0], *wrong]))
        return result


def ssh_default() -> Any:
    """ansible-core's own SSH arguments: they do what the checks do anyway."""
    return "-C -o ControlMaster=auto -o ControlPersist=60s"
