# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One packet size. Its documentation is in plugins/modules/packet_size.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_action import GENERATOR, SEARCH, RateAction, goals_of, size_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import SearchFailed
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_result import at_the_sink, failed_run, size_metrics
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import missing_library


class ActionModule(RateAction):
    """The door: a size in, its throughput and packet rates out."""

    SPEC = {
        **GENERATOR, **SEARCH, "mode": {"type": "str", "choices": ["search", "seed"], "default": "search"}, "loss": {"type": "float", "default": 0.1},
        "duration": {"type": "int", "default": 30},
    }

    def problems(self, args: Mapping[str, Any]) -> list[str]:
        wrong = size_of(args).problems()
        if args["mode"] == "seed":
            return wrong if args["duration"] > 0 else [*wrong, f"duration: {args['duration']} must be more than 0"]
        return missing_library() + (wrong or goals_of(args, [args["loss"]], size_of(args)).problems())

    def answer(self, args: Mapping[str, Any]) -> dict[str, Any]:
        size = size_of(args)
        if args["mode"] == "seed":
            return self._seed(args)
        goals = goals_of(args, [args["loss"]], size)
        with self.all_ends() as ends:
            found = self.searched(goals, size)
        ends.conditions["packet_size_mode"] = "search"
        return self.finished(found, goals, size, self.honest(size_metrics(found, size, self.arrow)), ends)

    def _seed(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """As write-up 002 did it: one run as fast as possible."""
        with self.all_ends() as ends:
            try:
                measurement = self.generate(0, args["duration"], None)
            except SearchFailed as failed:
                measurement = failed_run(failed.reasons, self._started)
        conditions = {**(measurement.get("conditions") or {}), **ends.conditions, "packet_size_mode": "seed"}
        metrics = self.honest(measurement.get("metrics") or {})
        measurement = {**measurement, "metrics": metrics, "flags": list(self._seen.values()), "conditions": conditions}
        return at_the_sink(measurement, ends.packets(ends.sink, "rx"), args["duration"], size_of(args))
