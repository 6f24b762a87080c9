# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules on another host of the inventory, from within an action: what a measurement needs done at all its ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible import constants as C
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase
from ansible.plugins.loader import become_loader


class Elsewhere(ActionBase):
    """Runs modules on a host that is not the task's own."""

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        """Not a task of its own."""
        return super().run(tmp, task_vars)

    def module(self, name: str, arguments: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
        """What a module returns there."""
        return self._execute_module(module_name=name, module_args=arguments, task_vars=variables)


def _options(kind: str, name: str, variables: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of a host that set options of a plugin."""
    return {key: variables[key] for key in C.config.get_plugin_vars(kind, name) if key in variables}


def on_host(action: ActionBase, host: str, task_vars: Mapping[str, Any]) -> tuple[Elsewhere, dict[str, Any]]:
    """An action on that host, and its variables. Raises KeyError when the inventory has no such host."""
    variables = task_vars["hostvars"][host]
    task, context = action._task.copy(), action._play_context.copy()
    task.delegate_to = None
    context.remote_addr = variables.get("ansible_host", host)
    context.connection = variables.get("ansible_connection", "ssh")
    connection = action._shared_loader_obj.connection_loader.get(context.connection, context, new_stdin=None)
    become = boolean(variables.get("ansible_become", task.become or False))
    if become:
        method = variables.get("ansible_become_method") or task.become_method or "sudo"
        plugin = become_loader.get(method)
        plugin.set_options(task_keys=task.dump_attrs(), var_options=_options("become", plugin._load_name, variables))
        connection.set_become_plugin(plugin)
    connection.set_options(var_options=_options("connection", connection._load_name, variables))
    connection._shell.set_options(var_options=_options("shell", connection._shell._load_name, variables))
    own = {name: variables[name] for name in ("ansible_python_interpreter", "inventory_hostname", "ansible_become") if name in variables}
    there = Elsewhere(task, connection, context, action._loader, action._templar, action._shared_loader_obj)
    return there, {**own, "ansible_facts": dict(variables.get("ansible_facts") or {}), "hostvars": task_vars["hostvars"]}
