# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Method flent: throughput and the latency under it, by flent or by the same tests without netperf."""

from __future__ import annotations

import re
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_design import design_of, known
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_numbers import Shape, shape_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import BaseMethod, Params, Pool, Server, Trial, metric

# flent starts its tools, reads what they printed and computes; measured on two cores.
SECONDS = 1.3
# In front of and behind the streams there is one server more, so that no client waits for one that is being replaced.
SPARE_PORTS = 1
RATES = (("down", "Throughput, download"), ("up", "Throughput, upload"))


class Method(BaseMethod):
    """One test."""

    def shape(self, params: Params) -> Shape:
        """Streams in each direction."""
        return shape_of(self.value(params, "test"), self.value(params, "streams"))

    def ways(self, params: Params) -> list[str]:
        """The directions that are loaded; of a test that nobody here knows, downloads."""
        shape = self.shape(params)
        if shape.down == shape.up == 0:
            return []
        return [way for way in ("down", "up") if getattr(shape, way)] or ["down"]

    def metrics_of(self, params: Params) -> list[dict[str, Any]]:
        ways = self.ways(params)
        rates = [metric(name, "bit/s", dict(RATES)[way], "higher") for name, way in zip(("throughput", "throughput_reverse"), ways, strict=False)]
        if len(ways) == 2:
            rates.append(metric("throughput_total", "bit/s", "Throughput, both"))
        pings = [
            metric("ping_loaded", "s", "Ping under load", "lower", headline=True),
            metric("ping_p99", "s", "Ping under load, p99", "lower"),
            # may be below 0 on a machine that sleeps while it is idle, and is then nothing to be ranked
            metric("bloat", "s", "Added by load"),
            metric("ping_idle", "s", "Ping, idle"),
            metric("ping_median", "s", "Ping, whole run"),
        ]
        return rates + pings if ways else [metric("ping_median", "s", "Ping", "lower")]

    def direction(self, params: Params) -> tuple[str, str]:
        return ("server", "client") if self.ways(params)[:1] != ["up"] else ("client", "server")

    def seconds(self, params: Params) -> float:
        return self.value(params, "duration") + 2 * self.value(params, "delay") + SECONDS

    def _ports(self, params: Params) -> int:
        """How many iperf3 servers may be asked at the same time."""
        test = self.value(params, "test")
        return len(design_of(test, self.value(params, "streams")).streams) + SPARE_PORTS if known(test) else 0

    def servers(self, params: Params, pool: Pool) -> dict[str, list[Server]]:
        tool = self.value(params, "tool")
        irtt = {"program": "irtt", "port": self.value(params, "irtt_port"), "optional": True, "max_seconds": pool.max_seconds}
        found = [Server("routerlab.bench.traffic_server", irtt)]
        if tool != "iperf3":
            port = self.value(params, "netperf_port")
            netperf = {"program": "netserver", "port": port, "optional": tool == "auto", "max_seconds": pool.max_seconds}
            found.append(Server("routerlab.bench.traffic_server", netperf))
        if tool != "flent" and self._ports(params):
            count = max(pool.ports, self._ports(params))
            found.append(Server("routerlab.bench.iperf3_server", {"port": pool.port, "count": count, "max_seconds": pool.max_seconds}))
        return {"server": found}

    def programs(self, params: Params) -> dict[str, list[str]]:
        if self.value(params, "tool") == "flent":
            return {"client": ["flent", "netperf", "ping"], "server": ["netserver"]}
        return {"client": ["iperf3", "ping"], "server": ["iperf3"]} if self._ports(params) else {"client": ["ping"]}

    def wanted(self, params: Params) -> dict[str, list[str]]:
        if self.value(params, "tool") == "auto":
            return {"client": ["flent", "netperf", "irtt"], "server": ["netserver", "irtt"]}
        return {"client": ["irtt"], "server": ["irtt"]}

    def problems(self, params: Params) -> list[tuple[str, str, str]]:
        test, tool = self.value(params, "test"), self.value(params, "tool")
        bounds = {"delay": (0, 3600), "step": (0.05, 10), "streams": (1, 128)}
        found = [(key, "is out of range", f"{low} to {high}") for key, (low, high) in bounds.items() if not low <= self.value(params, key) <= high]
        if not re.fullmatch(r"[A-Za-z0-9_-]+", test):
            found.append(("test", "is no name of a test", "a name such as tcp_8down, tcp_8up or rrul"))
        elif tool == "iperf3" and not known(test):
            found.append(("test", "can be made by flent only", "tcp_*down, tcp_*up and rrul with tool: iperf3"))
        return found

    def arguments(self, now: Trial) -> dict[str, Any]:
        """Every stream may need a port of its own, so the pool may be larger than that of the run."""
        arguments = super().arguments(now)
        first = now.ports[0] if now.ports else 5201
        return {**arguments, "ports": list(range(first, first + max(len(now.ports), self._ports(now.cell["params"]))))}
