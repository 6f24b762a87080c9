# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two or more runs side by side: like with like, and only when they were measured alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._record import differing_fields
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.aggregate import aggregate, metric_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.boards import Keep, boards, questions
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import conditions
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import ENDPOINT_NOISE

COMPARISON_SCHEMA_ID = "routerlab.bench/comparison/1"


@dataclass
class Side:
    """One run of a comparison, with the letter that stands for it."""

    tag: str
    plan: dict[str, Any]
    records: list[dict[str, Any]]


def sides(runs: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]]) -> list[Side]:
    """A, B, C … in the order given."""
    return [Side(chr(ord("A") + i) if len(runs) <= 26 else f"R{i + 1}", plan, records) for i, (plan, records) in enumerate(runs)]


def scenario_key(cell: dict[str, Any]) -> str:
    """Across runs a scenario is known by its name; whether it was the same is what the fingerprints say."""
    return str(cell["scenario"])


def tagged_cells(side: Side, endpoint_noise: float) -> list[dict[str, Any]]:
    """The cells of a run under names that are unique across runs."""
    found = aggregate(side.plan, side.records, endpoint_noise)
    for cell in found:
        cell.update({
            "run": side.tag, "plain_dut": cell["dut"], "id": f"{side.tag}:{cell['id']}", "dut": f"{cell['dut']} [{side.tag}]",
            "baseline": f"{side.tag}:{cell['baseline']}" if cell["baseline"] else None,
        })
    return found


def incomparable(cells: list[dict[str, Any]], records: list[dict[str, Any]]) -> dict[str, dict[str, list[Any]]]:
    """Scenario to the fields in which cells that are to be compared differ; empty when everything may share an axis."""
    sample = {record["fingerprint"]: record for record in records}
    keep = like_with_like(cells)
    found: dict[str, dict[str, list[Any]]] = {}
    for group in questions(cells, scenario_key):
        known = [cell for cell in group if cell["fingerprints"]]
        unlike = [(a, b) for a, b in combinations(known, 2) if keep(a, b) and a["fingerprints"] != b["fingerprints"]]
        prints = list(dict.fromkeys(name for pair in unlike for cell in pair for name in cell["fingerprints"]))
        if prints:
            found[group[0]["scenario"]] = differing_fields([sample[name] for name in prints])
    return found


def refusal(differs: dict[str, dict[str, list[Any]]]) -> str:
    """Why these runs may not share an axis, every field named."""
    lines = ["these runs were not measured alike, so they cannot share an axis (force draws them apart):"]
    for scenario, fields in differs.items():
        lines += [f"  {scenario}: {name} is {' | '.join(json.dumps(value, ensure_ascii=False) for value in values)}" for name, values in fields.items()]
    return "\n".join(lines)


def like_with_like(cells: list[dict[str, Any]]) -> Keep:
    """Pairs across runs: the same profile of the same router; of different routers when the runs share none; all when no profile is shared."""
    runs = sorted({cell["run"] for cell in cells})

    def shared(name: str) -> bool:
        values = [{cell[name] for cell in cells if cell["run"] == run and cell["role"] != "baseline"} for run in runs]
        return bool(set.intersection(*values))

    same = [name for name in ("plain_dut", "profile") if shared(name)]
    return lambda a, b: a["run"] != b["run"] and all(a[name] == b[name] for name in same)


def compare_runs(runs: list[Side], endpoint_noise: float = ENDPOINT_NOISE) -> dict[str, Any]:
    """Everything a comparison says, as one plain dictionary."""
    cells = [cell for side in runs for cell in tagged_cells(side, endpoint_noise)]
    records = [record for side in runs for record in side.records]
    tiers = sorted({side.plan["tier"] for side in runs})
    unlike = incomparable(cells, records)
    found = boards(cells, records, scenario_key, like_with_like(cells), unlike)
    return {
        "schema": COMPARISON_SCHEMA_ID,
        "run": " | ".join(f"{side.tag}={side.plan['run']}" for side in runs),
        "runs": [_run(side) for side in runs],
        "tier": " and ".join(tiers),
        "partial": any(len(side.records) < len(side.plan["trials"]) for side in runs),
        "trials": {"planned": sum(len(side.plan["trials"]) for side in runs), "recorded": len(records)},
        "incomparable": unlike,
        "differs": differences(runs),
        "cells": cells,
        "boards": found,
        "changes": changes(found, {cell["id"]: cell for cell in cells}),
    }


def _run(side: Side) -> dict[str, Any]:
    plan = side.plan
    return {
        "tag": side.tag, "run": plan["run"], "created": plan["created"], "lab": plan["lab"], "suite": plan["suite"], "tier": plan["tier"],
        "seed": plan["seed"], "planned": len(plan["trials"]), "recorded": len(side.records),
        "valid": sum(1 for record in side.records if record["valid"]),
    }


def differences(runs: list[Side]) -> dict[str, dict[str, Any]]:
    """What differs between the runs besides the numbers: the router, its configuration, the suite, constant conditions."""
    facts: dict[str, dict[str, Any]] = {}
    for side in runs:
        plan = side.plan
        own = {"lab": plan["lab"]["title"], "lab hash": plan["lab"]["hash"], "suite": plan["suite"]["name"], "tier": plan["tier"]}
        own.update({f"harness {key}": value for key, value in plan["harness"].items()})
        own.update({f"{cell['dut']} version": f"{cell['platform']} {cell['version']}".strip() for cell in plan["cells"]})
        own.update(conditions(side.records)["constant"])
        for key, value in own.items():
            facts.setdefault(key, {})[side.tag] = value
    return {key: {side.tag: values.get(side.tag) for side in runs} for key, values in facts.items()
            if len({json.dumps(values.get(side.tag), default=str) for side in runs}) > 1}


def changes(found: list[dict[str, Any]], by_id: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """One row per compared pair: both medians, the ratio of the later to the earlier, and whether a difference is shown."""
    rows = []
    for board in found:
        for pair in board["pairs"]:
            a, b = by_id[pair["a"]], by_id[pair["b"]]
            medians = [(metric_of(cell, board["metric"]) or {})["median"] for cell in (a, b)]
            rows.append({
                "scenario": board["scenario"], "title": board["title"], "direction": board["direction"], "metric": board["metric"],
                "unit": board["unit"], "a": a["id"], "b": b["id"], "median_a": medians[0], "median_b": medians[1],
                "ratio": medians[1] / medians[0] if medians[0] else None, "p_holm": pair["p_holm"], "better": pair["better"],
                "too_few": pair["too_few"],
            })
    return rows
