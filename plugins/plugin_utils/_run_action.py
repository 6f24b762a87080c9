# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the actions on run folders have in common: they run on the controller, and a run folder that cannot be read is their failure."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError

RESULTS_DIR: dict[str, Any] = {"results_dir": {"type": "path", "default": "results"}}
RUN_FOLDER: dict[str, Any] = {"run_dir": {"type": "str"}, **RESULTS_DIR}
REPORT: dict[str, Any] = {"charts": {"type": "bool", "default": True}, "endpoint_noise": {"type": "float", "default": 0.05}}


class RunAction(ActionBase):
    """Opens no connection. A door gives C(SPEC), its arguments, and C(answer), what it returns for them."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True
    SPEC: dict[str, Any] = {}

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(argument_spec=self.SPEC)
        try:
            return {**result, **self.answer(args)}
        except RunFolderError as exc:
            return {**result, "failed": True, "msg": str(exc)}

    @abstractmethod
    def answer(self, args: dict[str, Any]) -> dict[str, Any]:
        """The result of the task. Raises RunFolderError."""
