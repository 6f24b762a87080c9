# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything the report says, as one plain dictionary: C(summary.json). Tables, charts and pages are made from it alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report import words
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.aggregate import aggregate, metric_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.boards import boards, main_metrics, questions
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.both_ways import sums
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import ENDPOINT_NOISE
from ansible_collections.routerlab.bench.plugins.plugin_utils._stats import median

SUMMARY_SCHEMA_ID = "routerlab.bench/summary/1"
PLAN_FIELDS = ("run", "created", "lab", "suite", "seed", "tier", "link_bps", "expected_seconds", "harness")
SEGMENT_NAMES = {1: ["whole run"], 2: ["start", "end"], 3: ["start", "middle", "end"]}


def summarise(
    plan: dict[str, Any],
    records: list[dict[str, Any]],
    repeated: Iterable[dict[str, Any]] = (),
    problems: Iterable[str] = (),
    events: Iterable[dict[str, Any]] = (),
    endpoint_noise: float = ENDPOINT_NOISE,
) -> dict[str, Any]:
    """The summary of a run, complete or not."""
    records = sorted(records, key=lambda record: record["seq"])
    cells = aggregate(plan, records, endpoint_noise)
    summary: dict[str, Any] = {"schema": SUMMARY_SCHEMA_ID}
    summary.update({name: plan[name] for name in PLAN_FIELDS})
    summary.update({
        "trials": _counts(plan, records),
        "partial": len(records) < len(plan["trials"]),
        "short": _short(cells),
        "measured": _span(records),
        "cells": cells,
        "boards": boards(cells, records),
        "headline": headline(cells),
        "baselines": baselines(plan, cells, records),
        "conditions": conditions(records),
        "invalid": _invalid(records),
        "retried": [{"id": record["id"], "attempts": record["attempts"]} for record in records if record["attempts"] > 1],
        "repeated": [{"id": record["id"], "started": record["started"], "valid": record["valid"]} for record in repeated],
        "unreachable": _unreachable(events),
        "problems": list(problems),
        "argv": _examples(records),
    })
    summary["words"] = words.sentences(summary)
    return summary


def _counts(plan: dict[str, Any], records: list[dict[str, Any]]) -> dict[str, int]:
    valid = sum(1 for record in records if record["valid"])
    return {
        "planned": len(plan["trials"]),
        "recorded": len(records),
        "valid": valid,
        "invalid": len(records) - valid,
        "missing": len(plan["trials"]) - len(records),
        "retries": sum(record["attempts"] - 1 for record in records),
    }


def _short(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells with fewer valid trials than planned."""
    names = ("n_planned", "n_ok", "n_invalid", "n_missing")
    return [{"cell": cell["id"], **{name: cell[name] for name in names}} for cell in cells if cell["n_ok"] < cell["n_planned"]]


def _span(records: list[dict[str, Any]]) -> dict[str, Any]:
    """When it was measured, and what a trial cost beside its traffic."""
    good = [record for record in records if record["valid"]]
    return {
        "first": min((record["started"] for record in records), default=None),
        "last": max((record["finished"] for record in records), default=None),
        "overhead_s": median([record["wall_s"] - record["traffic_s"] for record in good]) if good else None,
    }


def _invalid(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = ("seq", "id", "cell", "trial", "attempts", "reasons", "raw")
    return [{name: record[name] for name in names} for record in records if not record["valid"]]


def _unreachable(events: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    found = {str(event.get("host")): str(event.get("detail", "")) for event in events if event.get("event") == "unreachable"}
    return [{"host": host, "detail": detail} for host, detail in sorted(found.items())]


def _examples(records: list[dict[str, Any]]) -> dict[str, str]:
    """One command line per scenario, as it was run."""
    found: dict[str, str] = {}
    for record in records:
        if record["argv"]:
            found.setdefault(record["scenario"], " ".join(record["argv"]))
    return found


def headline(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows are routers (and profiles), columns are scenarios; the last rows are the baselines without a router."""
    groups = questions(cells)
    columns = []
    for group in groups:
        first = group[0]
        metric = first["metrics"][0]
        columns.append({
            "scenario": first["scenario"], "title": first["title"], "direction": first["direction"], "params": first["params"],
            "metrics": main_metrics(group), "metric_title": metric["title"], "unit": metric["unit"], "better": metric["better"],
        })
    keys = _row_keys(cells, len(groups))
    for column, group in enumerate(groups):
        for cell in group:
            keys[cell["dut"], cell["profile"]][column] = cell["id"]
    by_id = {cell["id"]: cell for cell in cells}
    rows = []
    for (dut, profile), ids in keys.items():
        sample = next(by_id[name] for name in ids if name)
        rows.append({
            "role": "measure", "dut": dut, "platform": sample["platform"], "version": sample["version"], "managed": sample["managed"],
            "profile": profile, "profile_title": sample["profile_title"] or profile, "cells": ids,
        })
    return {"columns": columns, "rows": rows + _baseline_rows(groups, by_id)}


def _row_keys(cells: list[dict[str, Any]], width: int) -> dict[tuple[str, str], list[str | None]]:
    """An empty row for each router and profile, in the order of the plan, the profiles of a router together."""
    measured = [cell for cell in cells if cell["role"] != "baseline"]
    duts = list(dict.fromkeys(cell["dut"] for cell in measured))
    pairs = sorted(dict.fromkeys((cell["dut"], cell["profile"]) for cell in measured), key=lambda pair: duts.index(pair[0]))
    return {pair: [None] * width for pair in pairs}


def _baseline_rows(groups: list[list[dict[str, Any]]], by_id: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    duts: dict[str, list[str | None]] = {}
    for column, group in enumerate(groups):
        for cell in group:
            if cell["baseline"] in by_id:
                duts.setdefault(cell["dut"], [None] * len(groups))[column] = cell["baseline"]
    rows: dict[tuple[str | None, ...], dict[str, Any]] = {}
    for dut, ids in duts.items():
        rows.setdefault(tuple(ids), {
            "role": "baseline", "dut": dut, "platform": "", "version": "", "managed": True, "profile": "baseline",
            "profile_title": "no router (baseline)", "cells": ids,
        })
    return list(rows.values())


def baselines(plan: dict[str, Any], cells: list[dict[str, Any]], records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each baseline cell in the segments in which it was measured (start, middle, end), and its drift over the session.

    Of one in both directions at once, spread and drift are those of the sum.
    """
    owner = {cell["id"]: cell["dut"] for cell in cells if cell["role"] == "baseline"}
    segments = _segments(plan, owner)
    planned = [trial for trial in plan["trials"] if trial["cell"] in owner]
    measured = [record for record in records if record["cell"] in owner and record["valid"]]
    result = []
    for cell in cells:
        if cell["role"] != "baseline":
            continue
        name = cell["metrics"][0]["name"]
        parts = _parts(cell["id"], name, planned, measured, segments)
        metric = metric_of(cell, name) or {}
        both = sums(cell, name)
        steady = both or {item["seq"]: item["value"] for item in metric["values"]}
        result.append({
            "cell": cell["id"], "dut": cell["dut"], "title": cell["title"], "direction": cell["direction"], "metric": name,
            "unit": metric["unit"], "n": metric["n"], "median": metric["median"], "min": metric["min"], "max": metric["max"],
            "spread": _spread(list(steady.values())), "both_ways": bool(both),
            "segments": parts, "drift": _drift(steady, {trial["seq"]: segments[trial["id"]] for trial in planned}),
        })
    return result


def _spread(values: list[float]) -> float | None:
    return (max(values) - min(values)) / median(values) if values and median(values) else None


def _drift(steady: dict[int, float], segments: dict[int, int]) -> float | None:
    """From the first segment that was measured to the last."""
    parts: dict[int, list[float]] = {}
    for seq, value in steady.items():
        parts.setdefault(segments[seq], []).append(value)
    known = [middle for index in sorted(parts) if (middle := median(parts[index]))]
    return known[-1] / known[0] - 1 if len(known) > 1 else None


def _parts(
    cell: str, name: str, planned: list[dict[str, Any]], measured: list[dict[str, Any]], segments: dict[str, int]
) -> list[dict[str, Any]]:
    """Median and count of one baseline cell per segment, also of the segments that are still empty."""
    mine: dict[int, list[float]] = {segments[trial["id"]]: [] for trial in planned if trial["cell"] == cell}
    for record in measured:
        value = record["metrics"].get(name, {}).get("value")
        if record["cell"] == cell and value is not None:
            mine[segments[record["id"]]].append(value)
    names = SEGMENT_NAMES.get(len(mine)) or [f"segment {number}" for number in range(1, len(mine) + 1)]
    return [
        {"name": title, "n": len(mine[index]), "median": median(mine[index]) if mine[index] else None}
        for title, index in zip(names, sorted(mine), strict=True)
    ]


def _segments(plan: dict[str, Any], owner: dict[str, str]) -> dict[str, int]:
    """Trial id to segment: a run of baseline trials of one router with nothing of that router measured in between is one segment."""
    duts = {cell["id"]: cell["dut"] for cell in plan["cells"]}
    number: dict[str, int] = {}
    inside: dict[str, bool] = {}
    result = {}
    for trial in sorted(plan["trials"], key=lambda item: item["seq"]):
        dut = duts[trial["cell"]]
        is_baseline = trial["cell"] in owner
        if is_baseline and not inside.get(dut):
            number[dut] = number.get(dut, -1) + 1
        inside[dut] = is_baseline
        if is_baseline:
            result[trial["id"]] = number[dut]
    many = {dut: count + 1 for dut, count in number.items() if count + 1 > 5}
    return {name: index * 3 // many[owner[cell]] if (cell := name.rpartition("/")[0]) and owner[cell] in many else index
            for name, index in result.items()}


def conditions(records: list[dict[str, Any]]) -> dict[str, Any]:
    """What was the same in all trials, and what was not, with who had which value."""
    seen: dict[str, dict[Any, list[str]]] = {}
    for record in records:
        who = f"{record['dut']}/{record['profile']}"
        for key, value in record["conditions"].items():
            names = seen.setdefault(key, {}).setdefault(value, [])
            if who not in names:
                names.append(who)
    constant = {key: next(iter(values)) for key, values in sorted(seen.items()) if len(values) == 1}
    varying = {
        key: [{"value": value, "where": where} for value, where in values.items()] for key, values in sorted(seen.items()) if len(values) > 1
    }
    return {"constant": constant, "varying": varying}
