# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The servers that the methods of a run need on one endpoint: started together, stopped together."""

from __future__ import annotations

from typing import Any

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import Pool, Server, servers_of


class ActionModule(ActionBase):
    """The door: needs in, servers running or gone. One that cannot be stopped does not keep the others running."""

    _supports_check_mode = True

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(
            argument_spec={
                "state": {"type": "str", "choices": ["started", "stopped"], "default": "started"},
                "needs": {"type": "list", "elements": "dict", "required": True},
                "port": {"type": "int", "default": 5201},
                "ports": {"type": "int", "default": 6},
                "max_seconds": {"type": "float", "default": 3600.0},
            }
        )
        try:
            servers = servers_of(args["needs"], Pool(args["port"], args["ports"], args["max_seconds"]))
        except KeyError as exc:
            return {**result, "failed": True, "msg": f"needs: there is no method {exc}"}
        done = []
        for server in servers:
            done.append({"module": server.module, **self._one(server, args["state"], task_vars)})
            if done[-1].get("failed") and args["state"] == "started":
                break
        wrong = [f"{item['module']}: {item.get('msg') or 'no answer'}" for item in done if item.get("failed")]
        result.update(changed=any(item.get("changed") for item in done), servers=done)
        return {**result, "failed": True, "msg": "; ".join(wrong)} if wrong else result

    def _one(self, server: Server, state: str, task_vars: Any) -> dict[str, Any]:
        options = {key: value for key, value in server.options.items() if state == "started" or key not in ("count", "max_seconds")}
        try:
            return self._execute_module(module_name=server.module, module_args={**options, "state": state}, task_vars=task_vars)
        except AnsibleConnectionFailure as exc:
            return {"failed": True, "unreachable": True, "msg": " ".join(str(exc).split())}
