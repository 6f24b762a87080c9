# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a method for a trial: its module on the host of the task, or its action plugin where it has one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import is_action

COLLECTION = "routerlab.bench"


def run_method(action: ActionBase, name: str, arguments: Mapping[str, Any], task_vars: Any) -> dict[str, Any]:
    """What the method returned, called from within another action on the same host. Raises AnsibleConnectionFailure when that cannot be reached."""
    full = f"{COLLECTION}.{name}"
    if not is_action(name):
        return action._execute_module(module_name=full, module_args=dict(arguments), task_vars=task_vars)
    task = action._task.copy()
    task.action, task.args = full, dict(arguments)
    parts = {"task": task, "connection": action._connection, "play_context": action._play_context, "loader": action._loader}
    made = action._shared_loader_obj.action_loader.get(full, **parts, templar=action._templar, shared_loader_obj=action._shared_loader_obj)
    return made.run(task_vars=task_vars)
