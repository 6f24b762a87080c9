# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials become cells: counts, medians with their honest interval, outliers flagged, and a verdict against the baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._record import fingerprint, iperf3_class
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.both_ways import sums
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import ENDPOINT_NOISE, GENERATOR_NOISE, Verdict, is_sized, judge, link_limit
from ansible_collections.routerlab.bench.plugins.plugin_utils._stats import median, median_interval, outliers, sample_cov

RATES = ("bit/s", "packet/s")
CELL_FIELDS = (
    "id", "dut", "platform", "version", "managed", "profile", "profile_title", "scenario", "title", "method", "client", "server",
    "direction", "path", "params", "role", "baseline",
)


def aggregate(plan: dict[str, Any], records: Iterable[dict[str, Any]], endpoint_noise: float = ENDPOINT_NOISE) -> list[dict[str, Any]]:
    """One summary per planned cell, in the order of the plan, measured or not."""
    by_cell: dict[str, list[dict[str, Any]]] = {}
    for record in sorted(records, key=lambda item: item["seq"]):
        by_cell.setdefault(record["cell"], []).append(record)
    planned = Counter(trial["cell"] for trial in plan["trials"])
    cells = [_cell(cell, by_cell.get(cell["id"], []), planned[cell["id"]], plan["tier"]) for cell in plan["cells"]]
    by_id = {cell["id"]: cell for cell in cells}
    for cell in cells:
        for metric in cell["metrics"]:
            _attach(metric, _verdict(cell, metric, by_id, plan["link_bps"], endpoint_noise))
        cell["verdict"] = cell["metrics"][0]["verdict"]
    return cells


def _cell(cell: dict[str, Any], records: list[dict[str, Any]], planned: int, tier: str) -> dict[str, Any]:
    good = [record for record in records if record["valid"]]
    summary = {name: cell[name] for name in CELL_FIELDS}
    summary.update({
        "tier": tier,
        "n_planned": planned,
        "n_recorded": len(records),
        "n_ok": len(good),
        "n_invalid": len(records) - len(good),
        "n_missing": planned - len(records),
        "retries": sum(record["attempts"] - 1 for record in records),
        "reasons": dict(sorted(Counter(item["code"] for record in records for item in record["reasons"]).items())),
        "flags": dict(sorted(Counter(item["code"] for record in records for item in record["flags"]).items())),
        "gate": _gate(records),
        "fingerprints": sorted({record["fingerprint"] for record in good or records}),
        "setups": sorted({fingerprint(record, with_router=False) for record in good or records}),
        "endpoint_cpu": {side: _cpu(good, f"cpu_{side}_percent") for side in ("client", "server")},
        "metrics": [_metric(spec, good) for spec in _specs(cell, good)],
    })
    return summary


def _gate(records: list[dict[str, Any]]) -> dict[str, Any]:
    """One failed check fails the cell; no check at all is unknown."""
    seen = [record["gate"]["passed"] for record in records if record["gate"]["passed"] is not None]
    failed = sorted({name for record in records for name in record["gate"]["failed"]})
    return {"passed": all(seen) if seen else None, "failed": failed}


def _specs(cell: dict[str, Any], good: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The declared metrics first, then what the method reported on top, in the order of its first appearance."""
    specs = {spec["name"]: dict(spec) for spec in cell["metrics"]}
    main = cell["metrics"][0]
    for record in good:
        for name, value in record["metrics"].items():
            if name == main["name"] + "_reverse" and name not in specs:
                title = main.get("title") or main["name"]
                specs[name] = dict(main, name=name, title=f"{title}, other direction")
            elif name not in specs:
                specs[name] = {"name": name, "unit": value["unit"], "title": name.replace("_", " "), "better": None}
    return list(specs.values())


def _metric(spec: dict[str, Any], good: list[dict[str, Any]]) -> dict[str, Any]:
    found = [(record, record["metrics"].get(spec["name"]) or {}) for record in good]
    points = [(record, item["value"]) for record, item in found if item.get("value") is not None]
    values = [float(value) for dummy, value in points]
    interval = median_interval(values)
    return {
        "name": spec["name"],
        "title": spec.get("title") or spec["name"],
        "unit": spec["unit"],
        "better": spec.get("better"),
        "direction": next((item["direction"] for dummy, item in found if item.get("direction")), None),
        "n": len(values),
        "n_unknown": len(good) - len(values),
        "median": median(values) if values else None,
        "min": min(values, default=None),
        "max": max(values, default=None),
        "cov": sample_cov(values),
        "interval": {"low": interval.low, "high": interval.high, "coverage": interval.coverage} if interval else None,
        "values": [{"trial": record["trial"], "seq": record["seq"], "value": value} for record, value in points],
        "outliers": [points[index][0]["trial"] for index in outliers(values)],
        **({"headline": True} if spec.get("headline") else {}),
    }


def metric_of(cell: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The summary of one metric of a cell."""
    return next((metric for metric in cell["metrics"] if metric["name"] == name), None)


def values_of(metric: dict[str, Any] | None) -> list[float]:
    """The single values behind a median."""
    return [item["value"] for item in metric["values"]] if metric else []


def _verdict(
    cell: dict[str, Any], metric: dict[str, Any], by_id: dict[str, dict[str, Any]], link_bps: float | None, endpoint_noise: float
) -> Verdict:
    if metric["unit"] not in RATES or metric["better"] != "higher":
        without = (metric_of(by_id[cell["baseline"]], metric["name"]) or {}).get("median") if cell["baseline"] in by_id else None
        ratio = metric["median"] / without if without and metric["median"] is not None else None
        return Verdict(None, "only rates are judged against the baseline", ratio, baseline=without)
    limit = link_limit(link_bps, cell["params"], metric["unit"], cell["method"])
    if is_sized(cell["method"]):
        endpoint_noise = max(endpoint_noise, GENERATOR_NOISE)
    if cell["role"] == "baseline":
        return Verdict(None, "this is the baseline", link_limit=limit)
    if cell["baseline"] is None:
        return judge(metric["median"], [], limit, endpoint_noise, "the plan has no baseline for this cell")
    baseline = metric_of(by_id[cell["baseline"]], metric["name"])
    missing = f"baseline {cell['baseline']} has no valid value of {metric['name']}"
    own, bare = sums(cell, metric["name"]), sums(by_id[cell["baseline"]], metric["name"])
    together = (list(own.values()), list(bare.values())) if own and bare else None
    return judge(metric["median"], values_of(baseline), limit, endpoint_noise, missing, together)


def _attach(metric: dict[str, Any], verdict: Verdict) -> None:
    metric.update({
        "verdict": verdict.name,
        "verdict_reason": verdict.reason,
        "baseline_median": verdict.baseline,
        "of_baseline": verdict.ratio,
        "noise": verdict.noise,
        "link_limit": verdict.link_limit,
    })


def _cpu(good: list[dict[str, Any]], key: str) -> float | None:
    """Load of the traffic tool on an endpoint, as a share of the cores it can use; never that of the router.

    Until iperf 3.15 all streams share one thread, since 3.16 each has its own.
    """
    shares = []
    for record in good:
        percent = record["conditions"].get(key)
        if isinstance(percent, (int, float)):
            versions = [str(value) for name, value in record["conditions"].items() if name.startswith("versions.iperf3")]
            threaded = bool(versions) and all(">= 3.16" in iperf3_class(text) or ">= 3.21" in iperf3_class(text) for text in versions)
            shares.append(percent / 100 / (max(1, int(record["params"].get("streams") or 1)) if threaded else 1))
    return median(shares) if shares else None


def unranked_because(cell: dict[str, Any], metric: dict[str, Any]) -> str | None:
    """Why a cell takes no part in the ranking of this metric; None when it does."""
    if metric["median"] is None:
        return "no valid trial" if not cell["n_ok"] else "value unknown"
    if cell["gate"]["passed"] is False:
        return "gate failed"
    if metric["verdict"] in ("HARNESS_LIMITED", "LINK_LIMITED", "BASELINE_STALE"):
        return metric["verdict"]
    return None
