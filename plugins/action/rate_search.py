# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loss-bounded rates. Its documentation is in plugins/modules/rate_search.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_action import GENERATOR, SEARCH, RateAction, goals_of, size_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_result import search_metrics
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import missing_library


class ActionModule(RateAction):
    """The door: goals in, bounds out."""

    SPEC = {**GENERATOR, **SEARCH, "losses": {"type": "list", "elements": "float", "default": [0.0, 0.1, 0.5]}}

    def problems(self, args: Mapping[str, Any]) -> list[str]:
        wrong = size_of(args).problems()
        return missing_library() + (wrong or goals_of(args, args["losses"], size_of(args)).problems())

    def answer(self, args: Mapping[str, Any]) -> dict[str, Any]:
        size = size_of(args)
        goals = goals_of(args, args["losses"], size)
        with self.all_ends() as ends:
            found = self.searched(goals, size)
        return self.finished(found, goals, size, search_metrics(found, size, self.arrow), ends)
