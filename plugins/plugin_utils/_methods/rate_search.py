# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Method rate_search: packet rates with bounded loss."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import Params, metric
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import goal_name, goal_title
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_method import RateMethod, search_seconds, told_apart
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import missing_library


class Method(RateMethod):
    """One search for all goals."""

    def metrics_of(self, params: Params) -> list[dict[str, Any]]:
        goals, size = self.goals(params, self.value(params, "losses")), self.size(params).short()
        found = []
        for loss in goals.losses:
            name, title = goal_name(loss), f"{goal_title(loss)}, {size}"
            found += [
                metric(name, "packet/s", f"{title} ({goals.short()})", "higher"),
                metric(f"{name}_throughput", "bit/s", f"{title}, payload", "higher"),
                metric(f"{name}_lower", "datagram/s", f"{title}, lower bound"),
                metric(f"{name}_upper", "datagram/s", f"{title}, upper bound"),
            ]
        return found

    def seconds(self, params: Params) -> float:
        return search_seconds(self.goals(params, self.value(params, "losses")))

    def problems(self, params: Params) -> list[tuple[str, str, str]]:
        wrong = self.size(params).problems() + self.goals(params, self.value(params, "losses")).problems()
        return told_apart(wrong + [f"losses: {text}" for text in missing_library()])
