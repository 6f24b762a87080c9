# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Method latency: round trips without and under a set load."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import BaseMethod, Params, Pool, Server, metric

# irtt waits for late answers, iperf3 connects and says goodbye; measured on two cores.
SECONDS = {"probe": 0.3, "load": 1.7, "capacity": 0.3}


class Method(BaseMethod):
    """Probes by irtt or ping, and iperf3 beside them."""

    def metrics_of(self, params: Params) -> list[dict[str, Any]]:
        found = [
            metric("rtt_p50", "s", "Round trip, median", "lower"),
            metric("rtt_p95", "s", "Round trip, p95"),
            metric("rtt_p99", "s", "Round trip, p99", "lower", headline=True),
            metric("rtt_p999", "s", "Round trip, p99.9"),
            metric("jitter", "s", "Jitter", "lower"),
            metric("loss_ratio", "1", "Loss", "lower"),
        ]
        return found + ([metric("load", "bit/s", "Load"), metric("capacity", "bit/s", "Capacity found")] if self.loaded(params) else [])

    def loaded(self, params: Params) -> bool:
        """Whether traffic runs beside the probes."""
        return bool(self.value(params, "load_percent"))

    def seconds(self, params: Params) -> float:
        found = self.value(params, "duration") + SECONDS["probe"]
        if self.loaded(params):
            known = bool(self.value(params, "capacity_mbps"))
            found += SECONDS["load"] + (0 if known else self.value(params, "capacity_seconds") + SECONDS["capacity"])
        return found

    def servers(self, params: Params, pool: Pool) -> dict[str, list[Server]]:
        found = [] if self.value(params, "probe") == "ping" else [self._irtt(params, pool)]
        if self.loaded(params):
            found.append(Server("routerlab.bench.iperf3_server", {"port": pool.port, "count": pool.ports, "max_seconds": pool.max_seconds}))
        return {"server": found}

    def _irtt(self, params: Params, pool: Pool) -> Server:
        optional = self.value(params, "probe") != "irtt"
        return Server("routerlab.bench.traffic_server", {
            "program": "irtt", "port": self.value(params, "irtt_port"), "optional": optional, "max_seconds": pool.max_seconds,
        })

    def programs(self, params: Params) -> dict[str, list[str]]:
        load = ["iperf3"] if self.loaded(params) else []
        probe = [] if self.value(params, "probe") == "auto" else [self.value(params, "probe")]
        return {"client": [*load, *(probe or ["ping"])], "server": [*load, *(["irtt"] if "irtt" in probe else [])]}

    def wanted(self, params: Params) -> dict[str, list[str]]:
        return {"client": ["irtt"], "server": ["irtt"]} if self.value(params, "probe") == "auto" else {}

    def problems(self, params: Params) -> list[tuple[str, str, str]]:
        bounds = {"interval_ms": (1, 60000), "load_percent": (0, 100), "capacity_seconds": (1, 3600), "size": (0, 65000)}
        return [
            (key, "is out of range", f"{low} to {high}") for key, (low, high) in bounds.items() if not low <= self.value(params, key) <= high
        ]
