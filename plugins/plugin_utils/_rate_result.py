# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From the runs of a search to one measurement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_run import COUNTERS_UNKNOWN
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size, describe, pps_nominal
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import Goals, goal_name, goal_title
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import Found

# How many more packets than the program an interface may have counted; the control connection is among them.
RECEIVER_TOLERANCE = 1.1
ARROWS = {False: "client→server", True: "server→client"}


def _flags(found: Found, seen: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """What a reader should know: of the runs, each remark once; and of the search."""
    flags = {item["code"]: dict(item) for item in seen}
    irregular = Counter(code for entry in found.entries for code in entry.irregular)
    if irregular:
        count = sum(bool(entry.irregular) for entry in found.entries)
        detail = f"{count} of {len(found.entries)} runs: {', '.join(f'{code} {number}' for code, number in sorted(irregular.items()))}"
        flags["IRREGULAR_TRIALS"] = {"code": "IRREGULAR_TRIALS", "detail": detail}
    limited = [goal_title(bounds.loss) for bounds in found.bounds if bounds.upper_irregular]
    if limited:
        detail = f"{', '.join(limited)}: the upper bound is a rate that the generator did not reach"
        flags["GENERATOR_LIMITED"] = {"code": "GENERATOR_LIMITED", "detail": detail}
    open_ended = [goal_title(bounds.loss) for bounds in found.bounds if bounds.lower is not None and bounds.upper is None]
    if open_ended:
        flags["AT_MAX_RATE"] = {"code": "AT_MAX_RATE", "detail": f"{', '.join(open_ended)}: the highest rate that was tried holds, a lower bound only"}
    return list(flags.values())


def _reasons(found: Found, goals: Goals) -> list[dict[str, str]]:
    if found.reasons:
        return found.reasons
    if not any(bounds.pps for bounds in found.bounds):
        return [{"code": "NO_LOWER_BOUND", "detail": f"no rate from {goals.min_pps:g} datagram/s on keeps to any of the goals"}]
    return []


def at_the_sink(measurement: Mapping[str, Any], packets: int | None, seconds: int, size: Size) -> dict[str, Any]:
    """The measurement of one run, its packet rate as the sink's interface counted it where that is known.

    What the interface counted and the program did not receive was lost in the receiving host, not on the path.
    """
    if packets is None or not measurement.get("valid"):
        return dict(measurement)
    metrics = dict(measurement["metrics"])
    metrics["pps_measured"] = {**metrics["pps_measured"], "value": packets / seconds}
    flags = [flag for flag in measurement["flags"] if flag["code"] != COUNTERS_UNKNOWN]
    arrived = metrics["delivered_pps"]["value"] * seconds * size.packets_per_datagram
    if packets > RECEIVER_TOLERANCE * arrived:
        detail = f"the interface counted {packets} packets, the program received {arrived:.0f}: the rest was lost in the receiving host"
        flags.append({"code": "RECEIVER_OVERLOADED", "detail": detail})
    return {**measurement, "metrics": metrics, "flags": flags}


def _metric(value: float | None, unit: str, direction: str) -> dict[str, Any]:
    return {"value": value, "unit": unit, "direction": direction}


def search_metrics(found: Found, size: Size, direction: str) -> dict[str, Any]:
    """The numbers of each goal: packet rate, payload rate, and both bounds."""
    metrics = {}
    for bounds in found.bounds:
        name = goal_name(bounds.loss)
        counted = bounds.measured
        if counted is None and bounds.pps is not None:
            counted = bounds.pps * size.packets_per_datagram
        metrics[name] = _metric(counted, "packet/s", direction)
        metrics[f"{name}_throughput"] = _metric(bounds.throughput, "bit/s", direction)
        metrics[f"{name}_lower"] = _metric(bounds.lower, "datagram/s", direction)
        metrics[f"{name}_upper"] = _metric(bounds.upper, "datagram/s", direction)
    return metrics


def size_metrics(found: Found, size: Size, direction: str) -> dict[str, Any]:
    """The numbers of one size in a sweep, from its only goal."""
    if not found.bounds:
        return {}
    bounds = found.bounds[0]
    return {
        "throughput": _metric(bounds.throughput, "bit/s", direction),
        "pps_nominal": _metric(pps_nominal(size, bounds.throughput), "packet/s", direction),
        "pps_measured": _metric(bounds.measured, "packet/s", direction),
        "lower": _metric(bounds.lower, "datagram/s", direction),
        "upper": _metric(bounds.upper, "datagram/s", direction),
    }


def measurement_of(found: Found, goals: Goals, size: Size, metrics: Mapping[str, Any], last: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The measurement of a search. C(last) is that of its last run, C(more) holds flags, conditions, raw, started, finished, wall_s and versions."""
    reasons = _reasons(found, goals)
    conditions = {**(last.get("conditions") or {}), **describe(size), **more["conditions"]}
    conditions.update({f"goal_{goal_name(loss)}": goals.describe(loss) for loss in goals.losses})
    conditions["search_runs"] = len(found.entries)
    return {
        "valid": not reasons,
        "reasons": reasons,
        "flags": _flags(found, more["flags"]),
        "metrics": {name: metric if not reasons else {**metric, "value": None} for name, metric in metrics.items()},
        "partial": _partial(found) if reasons else None,
        "attempts": 1,
        "started": more["started"],
        "finished": more["finished"],
        "wall_s": more["wall_s"],
        "traffic_s": float(sum(entry.seconds for entry in found.entries)),
        "argv": list(last.get("argv") or []),
        "versions": {**(last.get("versions") or {}), **more["versions"]},
        "conditions": conditions,
        "raw": list(more["raw"]),
    }


def _partial(found: Found) -> dict[str, Any] | None:
    """For a person who looks for the cause: the highest rate without and the lowest with loss."""
    good = [entry.intended_pps for entry in found.entries if entry.loss_ratio == 0]
    bad = [entry.intended_pps for entry in found.entries if entry.loss_ratio > 0]
    if not good and not bad:
        return None
    return {"runs": len(found.entries), "highest_without_loss": max(good, default=None), "lowest_with_loss": min(bad, default=None)}


def failed_run(reasons: Iterable[Mapping[str, str]], started: str) -> dict[str, Any]:
    """The measurement of a run that could not be made."""
    empty = {"flags": [], "metrics": {}, "wall_s": 0, "traffic_s": 0}
    return {"valid": False, "reasons": [dict(item) for item in reasons], "started": started, "finished": started, **empty}
