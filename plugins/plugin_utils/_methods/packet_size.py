# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Method packet_size: throughput and packet rate of one packet size."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import Params, metric
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import goal_title
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_method import SECONDS, RateMethod, search_seconds, told_apart
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import missing_library


class Method(RateMethod):
    """One size, by a search or in the write-up's own way."""

    def metrics_of(self, params: Params) -> list[dict[str, Any]]:
        size = self.size(params).short()
        found = [
            metric("throughput", "bit/s", f"Throughput, {size}", "higher"),
            metric("pps_measured", "packet/s", f"Packet rate, {size}, counted", "higher", headline=True),
            metric("pps_nominal", "packet/s", f"Packet rate, {size}, nominal"),
        ]
        if self._seed(params):
            return [*found, metric("loss_ratio", "1", f"Loss, {size}", "lower")]
        goal = self.goals(params, [self.value(params, "loss")])
        found[0] = metric("throughput", "bit/s", f"Throughput at {goal_title(goal.losses[0])}, {size} ({goal.short()})", "higher")
        return [*found, metric("lower", "datagram/s", f"Lower bound, {size}"), metric("upper", "datagram/s", f"Upper bound, {size}")]

    def _seed(self, params: Params) -> bool:
        return self.value(params, "mode") == "seed"

    def seconds(self, params: Params) -> float:
        if self._seed(params):
            return float(self.value(params, "duration")) + SECONDS["run"] + SECONDS["ends"]
        return search_seconds(self.goals(params, [self.value(params, "loss")]))

    def problems(self, params: Params) -> list[tuple[str, str, str]]:
        wrong = self.size(params).problems()
        if not self._seed(params):
            goals = self.goals(params, [self.value(params, "loss")]).problems()
            wrong += [text.replace("losses:", "loss:") for text in goals] + [f"loss: {text}" for text in missing_library()]
        return told_apart(wrong)
