# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial: the capacity if it is needed, the load if there is one, the probes, and everything that was seen."""

from __future__ import annotations

import os
import time
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import program_version
from ansible_collections.routerlab.bench.plugins.module_utils._methods import latency_load as loading
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import merged
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_trial import stamp
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_load import Load
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_numbers import Probes, few, judged, metrics_of
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_parse import failed
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_probe import Prober, Wish, choose
from ansible_collections.routerlab.bench.plugins.module_utils._methods.raw_files import kept


class _Trial:
    """What a trial gathers on its way."""

    def __init__(self, wish: Wish, load: Optional[Load]) -> None:
        self.wish, self.load = wish, load
        self.started, self.began = stamp(), time.monotonic()
        self.reasons: List[Dict[str, str]] = []
        self.flags: List[Dict[str, str]] = []
        self.raw: List[Dict[str, str]] = []
        self.conditions: Dict[str, Any] = {"load_percent": load.percent if load else 0}
        self.rates: Dict[str, Dict[str, Any]] = {}
        self.traffic = 0.0

    def keep(self, name: str, text: str) -> None:
        """Something that a tool printed."""
        self.raw.append(kept(name, text))

    def keep_of(self, what: str, measurement: Dict[str, Any]) -> None:
        """The report of an iperf3 trial beside the probes."""
        for item in measurement.get("raw") or []:
            self.keep("%s-%s" % (what, item["name"]), item["text"])
        self.traffic += measurement.get("traffic_s") or 0.0

    def found_capacity(self) -> Optional[float]:
        """What the load is a share of; None, and a reason, if it could not be found."""
        load = self.load
        if load is None or load.capacity_bps:
            return load.capacity_bps if load else None
        found = loading.capacity(load)
        self.keep_of("capacity", found["measurement"])
        if found["bps"] is None:
            why = "; ".join("%s %s" % (item["code"], item["detail"]) for item in found["measurement"]["reasons"])
            self.reasons.append({"code": "CAPACITY_UNKNOWN", "detail": why})
        return found["bps"]

    def probe(self, prober: Prober) -> Probes:
        """The probes, with the load around them."""
        capacity = self.found_capacity()
        if self.reasons:
            return Probes(reasons=self.reasons)
        running = None
        if self.load and capacity:
            running = loading.start(self.load, capacity, self.wish.duration)
            time.sleep(loading.RAMP_SECONDS)
        began = time.monotonic()
        try:
            outcome = prober.run(self.wish.duration)
        except OSError as error:
            return failed("TOOL_ERROR", str(error))
        early = running is not None and running.over
        if self.load and capacity and running is not None:
            self.judge_load(self.load, capacity, running, early)
        else:
            self.traffic += time.monotonic() - began
        self.keep(prober.raw, outcome.stdout)
        if outcome.stderr.strip():
            self.keep(prober.name + ".stderr.txt", outcome.stderr)
        return judged(prober.parse(outcome.stdout, outcome.stderr, outcome.timed_out), prober.asked)

    def judge_load(self, load: Load, capacity: float, running: loading.Running, early: bool) -> None:
        """The load's own result: without it the probes say nothing."""
        measurement = running.wait(self.wish.duration + 30)
        self.keep_of("load", measurement)
        self.conditions["load_argv"] = " ".join(measurement.get("argv") or [])
        self.rates = {"capacity": {"value": capacity, "unit": "bit/s", "direction": None}}
        for name, value in loading.rates_of(measurement).items():
            way = (measurement["metrics"].get(name) or {}).get("direction")
            self.rates[name.replace("throughput", "load")] = {"value": value, "unit": "bit/s", "direction": way}
        if not measurement["valid"]:
            words = "; ".join("%s %s" % (item["code"], item["detail"]) for item in measurement["reasons"])
            self.reasons.append({"code": "LOAD_FAILED", "detail": words})
        elif early:
            self.reasons.append({"code": "LOAD_ENDED_EARLY", "detail": "the load was over before the probes were"})
        self.flags += loading.flags_of(load, capacity, measurement)


def _versions(prober: Optional[Prober], load: Optional[Load]) -> Dict[str, Any]:
    found: Dict[str, Any] = {prober.name: program_version(prober.name)} if prober else {}
    return dict(found, iperf3_client=str(load.version)) if load else found


def measure(wish: Wish, load: Optional[Load] = None) -> Dict[str, Any]:
    """Runs a trial and returns the measurement; never raises for what a network or a tool does."""
    trial = _Trial(wish, load)
    chosen = choose(wish)
    prober: Optional[Prober] = chosen["prober"]
    trial.reasons += chosen["reasons"]
    probes = trial.probe(prober) if prober else Probes(reasons=list(trial.reasons))
    reasons = merged(trial.reasons, probes.reasons)
    if reasons:
        probes.reasons = reasons
    own = os.uname()
    trial.conditions.update(probes.conditions, probe=prober.name if prober else None, client_kernel="%s %s" % (own.sysname, own.release))
    seen = {"sent": probes.sent, "answered": len(probes.answers)} if reasons and probes.sent else None
    return {
        "valid": not reasons,
        "reasons": reasons,
        "flags": merged(chosen["flags"], trial.flags, probes.flags, few(probes)),
        "metrics": dict(metrics_of(probes), **({name: dict(item, value=None) for name, item in trial.rates.items()} if reasons else trial.rates)),
        "partial": seen,
        "attempts": 1,
        "started": trial.started,
        "finished": stamp(),
        "wall_s": round(time.monotonic() - trial.began, 4),
        "traffic_s": round(trial.traffic, 4),
        "argv": prober.argv if prober else [],
        "versions": _versions(prober, load),
        "conditions": trial.conditions,
        "raw": trial.raw,
    }
