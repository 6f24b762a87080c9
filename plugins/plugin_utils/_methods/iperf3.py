# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Method iperf3: throughput of some streams."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import MOST_SECONDS, MOST_STREAMS
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import BaseMethod, Params, Pool, Server, metric


class Method(BaseMethod):
    """One iperf3 trial."""

    metrics = [
        metric("throughput", "bit/s", "Throughput", "higher"),
        metric("throughput_reverse", "bit/s", "Throughput, other direction", "higher"),
    ]
    at_most = {"duration": MOST_SECONDS, "streams": MOST_STREAMS}

    def metrics_of(self, params: Params) -> list[dict[str, Any]]:
        return self.metrics if params.get("bidir") else self.metrics[:1]

    def servers(self, params: Params, pool: Pool) -> dict[str, list[Server]]:
        return {"server": [Server("routerlab.bench.iperf3_server", {"port": pool.port, "count": pool.ports, "max_seconds": pool.max_seconds})]}

    def programs(self, params: Params) -> dict[str, list[str]]:
        return {"client": ["iperf3"], "server": ["iperf3"]}
