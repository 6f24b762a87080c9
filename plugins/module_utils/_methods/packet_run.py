# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run at one packet rate: one iperf3 client for each packet size at the same time, and the interface's counters around it."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import Trial
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import merged, reason
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_counters import counted, super_packets
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size, describe, honoured, pps_nominal, rates

PACKET_SIZE_NOT_HONOURED = "PACKET_SIZE_NOT_HONOURED"
COUNTERS_UNKNOWN = "COUNTERS_UNKNOWN"
SUPER_PACKETS = "SUPER_PACKETS"
FORWARD, REVERSE = "client→server", "server→client"

Measure = Callable[[Trial], Dict[str, Any]]
Counters = Mapping[str, Any]


@dataclass
class Run:
    """What one run is asked to do. C(pps) are datagrams per second of all streams together; None: as fast as possible."""

    server: str
    size: Size
    pps: Optional[float] = None
    duration: int = 5
    streams: int = 1
    reverse: bool = False
    ports: List[int] = field(default_factory=lambda: [5201])
    port_index: int = 0
    bind: Optional[str] = None
    link_bps: Optional[float] = None
    retries: int = 1
    program: str = "iperf3"

    def problems(self) -> List[str]:
        """What is wrong with the run, beside what iperf3 says itself."""
        found = self.size.problems()
        if self.pps is not None and not (math.isfinite(self.pps) and self.pps > 0):
            found.append("pps: %s must be more than 0" % self.pps)
        if not found and len(self.ports) < len(self.size.flows):
            found.append("ports: %d for %d sizes at the same time; one for each is needed" % (len(self.ports), len(self.size.flows)))
        return found

    def trials(self) -> List[Trial]:
        """One iperf3 client for each size; each begins at a port of its own."""
        made = []
        for number, (flow, bps) in enumerate(rates(self.size, self.pps or 0.0)):
            ports = self.ports[number::len(self.size.flows)]
            made.append(Trial(
                self.server, ports, self.port_index, "udp", self.duration, streams=self.streams, reverse=self.reverse, bind=self.bind,
                length=flow.payload, bitrate="%d" % max(1, round(bps / self.streams)) if self.pps else "0",
                link_bps=self.link_bps, retries=self.retries, program=self.program,
            ))
        return made


def _value(result: Mapping[str, Any], name: str) -> Optional[float]:
    value = (result.get("metrics") or {}).get(name, {}).get("value")
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) else None


def _sum(results: List[Dict[str, Any]], name: str) -> Optional[float]:
    values = [_value(result, name) for result in results]
    return None if None in values or not values else math.fsum(value for value in values if value is not None)


def _numbers(run: Run, results: List[Dict[str, Any]], before: Counters, after: Counters) -> Dict[str, Optional[float]]:
    """All numbers of the run; None where a part of them is not known."""
    sent, delivered, throughput = _sum(results, "packets"), _sum(results, "packet_rate"), _sum(results, "throughput")
    lost = [(_value(result, "packets"), _value(result, "loss_ratio")) for result in results]
    lost_count = None if any(None in pair for pair in lost) else math.fsum((packets or 0) * (ratio or 0) for packets, ratio in lost)
    seen = counted(before, after, "rx" if run.reverse else "tx")
    received = None if sent is None or lost_count is None else sent - lost_count
    through = received if run.reverse else sent
    factor = seen.packets / through if seen.packets and through else None
    honest = not super_packets(seen.bytes_per_packet, run.size.mtu)
    return {
        "throughput": throughput,
        "datagrams_sent": sent,
        "datagrams_lost": None if lost_count is None else round(lost_count),
        "loss_ratio": lost_count / sent if sent and lost_count is not None else None,
        "offered_pps": sent / run.duration if sent else None,
        "delivered_pps": delivered,
        "pps_nominal": pps_nominal(run.size, throughput) if honest else None,
        "pps_measured": delivered * factor if delivered is not None and factor else None,
        "packets_counted": seen.packets,
        "bytes_per_packet": seen.bytes_per_packet,
    }


UNITS = {
    "throughput": "bit/s", "loss_ratio": "1", "pps_nominal": "packet/s", "pps_measured": "packet/s", "offered_pps": "datagram/s", "delivered_pps": "datagram/s",
    "datagrams_sent": "1", "datagrams_lost": "1",
}


def combine(run: Run, results: List[Dict[str, Any]], before: Counters, after: Counters) -> Dict[str, Any]:
    """The measurement of a run from those of its clients."""
    valid = all(result.get("valid") for result in results)
    numbers = _numbers(run, results, before, after)
    flags = merged(*[result.get("flags") for result in results])
    if valid and numbers["pps_measured"] is None:
        flags.append(reason(COUNTERS_UNKNOWN, "the interface's packets could not be counted"))
    if valid and super_packets(numbers["bytes_per_packet"], run.size.mtu):
        detail = "%.0f B in a packet on a path of MTU %d: offloads make one packet of many" % (numbers["bytes_per_packet"] or 0, run.size.mtu)
        flags.append(reason(SUPER_PACKETS, detail))
    nominal = pps_nominal(run.size, numbers["throughput"])
    if valid and honoured(nominal, numbers["pps_measured"]) is False:
        detail = "%s: nominal %.0f packet/s, counted %.0f" % (run.size.title(), nominal or 0, numbers["pps_measured"] or 0)
        flags.append(reason(PACKET_SIZE_NOT_HONOURED, detail))
    direction = REVERSE if run.reverse else FORWARD
    conditions = dict(results[0].get("conditions") or {})
    conditions.update(describe(run.size))
    conditions.update({"counted_packets": numbers["packets_counted"], "counted_bytes_per_packet": numbers["bytes_per_packet"]})
    return {
        "valid": valid,
        "reasons": merged(*[result.get("reasons") for result in results]),
        "flags": flags,
        "metrics": {name: {"value": numbers[name] if valid else None, "unit": unit, "direction": direction} for name, unit in UNITS.items()},
        "partial": None if valid else {str(number): result.get("partial") for number, result in enumerate(results)},
        "attempts": max(result.get("attempts") or 1 for result in results),
        "started": min(result["started"] for result in results),
        "finished": max(result["finished"] for result in results),
        "wall_s": max(result["wall_s"] for result in results),
        "traffic_s": max(result["traffic_s"] for result in results),
        "argv": results[0]["argv"],
        "versions": results[0]["versions"],
        "conditions": conditions,
        "raw": _raw(run, results),
    }


def _raw(run: Run, results: List[Dict[str, Any]]) -> List[Dict[str, str]]:
    """What each client printed; the payload is in the name where there are several."""
    if len(results) == 1:
        return results[0]["raw"]
    pairs = zip(run.size.flows, results)
    return [{"name": "%d.%s" % (flow.payload, item["name"]), "text": item["text"]} for flow, result in pairs for item in result["raw"]]


def measure_run(run: Run, measure: Measure, read: Callable[[], Counters]) -> Dict[str, Any]:
    """Runs all clients at once and returns the measurement."""
    trials = run.trials()
    before = read()
    if len(trials) == 1:
        return combine(run, [measure(trials[0])], before, read())
    with ThreadPoolExecutor(max_workers=len(trials)) as pool:
        results = list(pool.map(measure, trials))
    return combine(run, results, before, read())
