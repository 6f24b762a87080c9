# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Traffic beside the probes: so much of what the path was found to carry."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import Trial
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_trial import measure
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version

# A load that stays below this share of what was asked for is told.
REACHED = 0.9
# Before the first probe, so that the queues are what they will be.
RAMP_SECONDS = 1.0
SMALLEST_WRITE, LARGEST_WRITE = 1448, 131072
# After the last.
TAIL_SECONDS = 1


@dataclass
class Load:
    """What is to run beside the probes. C(trial) holds server, ports, streams and direction of it."""

    trial: Trial
    version: Version
    percent: float
    capacity_bps: Optional[float] = None
    capacity_seconds: int = 3


class Running:
    """The load in a thread of its own, which waits for it: a child dies with the thread that made it."""

    def __init__(self, trial: Trial, version: Version) -> None:
        self.found: Dict[str, Any] = {}
        self._thread = threading.Thread(target=self._run, args=(trial, version), daemon=True)
        self._thread.start()

    def _run(self, trial: Trial, version: Version) -> None:
        try:
            self.found = measure(trial, version)
        except OSError as error:
            self.found = {"valid": False, "reasons": [{"code": "TOOL_ERROR", "detail": str(error)}], "metrics": {}, "raw": [], "argv": []}

    def wait(self, seconds: float) -> Dict[str, Any]:
        """Its measurement; a load that does not end in time is one that failed."""
        self._thread.join(seconds)
        if self._thread.is_alive():
            return {"valid": False, "reasons": [{"code": "TIMEOUT", "detail": "the load did not end"}], "metrics": {}, "raw": [], "argv": []}
        return self.found

    @property
    def over(self) -> bool:
        """Whether it has ended, which it should not have while probes are sent."""
        return not self._thread.is_alive()


def rates_of(measurement: Dict[str, Any]) -> Dict[str, Optional[float]]:
    """What an iperf3 trial carried, by direction."""
    metrics = measurement.get("metrics") or {}
    found = {}
    for name in ("throughput", "throughput_reverse"):
        if name in metrics:
            found[name] = metrics[name].get("value")
    return found


def capacity(load: Load) -> Dict[str, Any]:
    """One short trial at full speed. Its C(bps) is the smaller direction's, None if it failed."""
    trial = replace(load.trial, duration=load.capacity_seconds, omit=0, bitrate=None, protocol="tcp")
    measurement = measure(trial, load.version)
    known = [value for value in rates_of(measurement).values() if value]
    return {"bps": min(known) if measurement["valid"] and known else None, "measurement": measurement}


def start(load: Load, capacity_bps: float, seconds: float) -> Running:
    """The load for the ramp, the probes and a tail; each stream is paced to its part."""
    total = int(seconds + RAMP_SECONDS + TAIL_SECONDS + 0.999)
    per_stream = capacity_bps * load.percent / 100 / load.trial.streams
    bitrate = None if load.percent >= 100 and load.trial.protocol == "tcp" else "%d" % max(1, round(per_stream))
    # iperf3 paces by whole writes: those of a millisecond make no bursts of their own
    length = min(LARGEST_WRITE, max(SMALLEST_WRITE, round(per_stream / 8 / 1000))) if bitrate and load.trial.protocol == "tcp" else load.trial.length
    trial = replace(load.trial, duration=total, omit=0, bitrate=bitrate, length=length, retries=0, port_index=load.trial.port_index + 1)
    return Running(trial, load.version)


def flags_of(load: Load, capacity_bps: float, measurement: Dict[str, Any]) -> List[Dict[str, str]]:
    """What a reader should know of the load."""
    wanted = capacity_bps * min(load.percent, 100) / 100
    low = {name: value for name, value in rates_of(measurement).items() if value is not None and value < REACHED * wanted}
    words = ", ".join("%s %.1f of %.1f Mbit/s" % (name, value / 1e6, wanted / 1e6) for name, value in low.items())
    return [{"code": "LOAD_NOT_REACHED", "detail": words}] if low and load.percent < 100 else []
