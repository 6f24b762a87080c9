# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the lab before anything is written. Its documentation is in plugins/modules/lab_check.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible import context
from ansible.plugins.action import ActionBase
from ansible.release import __version__ as core

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import report
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_report import Found, examine, summary, unconfirmed_warnings
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import inventory_files, read_sources
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

SHOWS_MESSAGE = tuple(int(part) for part in core.split(".")[:2]) >= (2, 19)
"""Whether ansible-core itself shows a failed task's message with its line breaks."""


class ActionModule(ActionBase):
    """Runs on the controller, once for all hosts, without a connection."""

    BYPASS_HOST_LOOP = True
    TRANSFERS_FILES = False
    _requires_connection = False

    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        variables = task_vars or {}
        self.validate_argument_spec(argument_spec={"scan": {"type": "bool", "default": True}, "hosts": {"type": "bool", "default": True}})
        scanned: Found = Found([], {})
        if self._task.args.get("scan", True):
            scanned = Found(*read_sources(self._files(variables), Path.cwd()))
        groups = variables.get("groups") if self._task.args.get("hosts", True) else None
        lab, problems = examine(variables.get("lab"), self._templar.template, groups, scanned, platforms())
        if problems and not SHOWS_MESSAGE:
            self._display.error(report(problems), wrap_text=False)
        warnings = [] if problems else unconfirmed_warnings(lab, platforms())
        if warnings:
            result["warnings"] = warnings
        result.update(changed=False, problems=[problem.as_dict() for problem in problems], **summary(lab, problems))
        return result

    def _files(self, variables: dict[str, Any]) -> list[Path]:
        sources = variables.get("ansible_inventory_sources") or []
        named = [str(source) for source in ([sources] if isinstance(sources, str) else sources) if "," not in str(source)]
        return inventory_files(named, [variables.get("playbook_dir") or "."], context.CLIARGS.get("extra_vars") or ())
