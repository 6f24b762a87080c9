# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the methods that measure packet rates have in common for the runner."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Iterable

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import MOST_STREAMS
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import BY_THE_RUN, BaseMethod, Params, Pool, Server, Trial
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import Goals

# What a run, and the first and last look at all ends, take beside the traffic.
SECONDS = {"run": 1.2, "ends": 6.0}
SEARCH_KEYS = ("initial_seconds", "final_seconds", "sum_seconds", "min_pps", "max_runs", "max_seconds")


class RateMethod(BaseMethod):
    """Made of runs of the generator, by an action on the controller."""

    by_the_run = BY_THE_RUN | {"ends", "journal", "executable"}
    at_most = {"streams": MOST_STREAMS}

    def size(self, params: Params) -> Size:
        """The size that is asked for."""
        return Size(str(self.value(params, "size_kind")), int(self.value(params, "size")), int(self.value(params, "mtu")))

    def goals(self, params: Params, losses: Iterable[float]) -> Goals:
        """The goals that are asked for; the highest rate is the run's business."""
        same = {key: self.value(params, key) for key in SEARCH_KEYS}
        ratios = tuple(round(loss / 100, 9) for loss in losses)
        highest = self.value(params, "max_pps") or max(1e7, 2 * same["min_pps"])
        return Goals(losses=ratios, width=self.value(params, "width") / 100, exceed=self.value(params, "exceed") / 100, max_pps=highest, **same)

    def servers(self, params: Params, pool: Pool) -> dict[str, list[Server]]:
        return {"server": [Server("routerlab.bench.iperf3_server", {"port": pool.port, "count": pool.ports, "max_seconds": pool.max_seconds})]}

    def programs(self, params: Params) -> dict[str, list[str]]:
        return {"client": ["iperf3"], "server": ["iperf3"]}

    def wanted(self, params: Params) -> dict[str, list[str]]:
        return {"client": ["ethtool"], "server": ["ethtool"]}

    def arguments(self, now: Trial) -> dict[str, Any]:
        """Beside what every method is given: the ends, and a file for the runs of a search."""
        journal = Path(now.run_dir) / "raw" / f"{int(now.trial['seq']):04d}-search.jsonl" if now.run_dir else None
        return {**super().arguments(now), "ends": ends_of(now.cell), **({"journal": str(journal)} if journal else {})}


def ends_of(cell: dict[str, Any] | Any) -> list[dict[str, Any]]:
    """Where packets are counted and offloads switched; the router only where it is ours to touch and in the path."""
    client, server = cell["client_address"], cell["server_address"]
    ends = [{"role": "client", "host": cell["client"], "peers": [server]}, {"role": "server", "host": cell["server"], "peers": [client]}]
    if cell["managed"] and cell["path"] == "router":
        ends.append({"role": "dut", "host": cell["dut"], "peers": [client, server]})
    return ends


def search_seconds(goals: Goals) -> float:
    """How long a search takes: two rates are decided for the first goal, about half of that for each further one; before that some short runs."""
    more = len(goals.losses) - 1
    deciding = math.ceil(2 * goals.sum_seconds / goals.final_seconds * (1 + more / 2))
    first = 5 + more
    return deciding * goals.final_seconds + first * goals.initial_seconds + (deciding + first) * SECONDS["run"] + SECONDS["ends"]


def told_apart(problems: Iterable[str]) -> list[tuple[str, str, str]]:
    """Sentences of the form C(key: what; what would do) as a plan wants them."""
    found = []
    for text in problems:
        key, _colon, rest = text.partition(": ")
        what, _semicolon, valid = rest.partition("; ")
        found.append((key.split(",")[0], what, valid))
    return found
