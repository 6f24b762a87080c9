# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells that answer the same question, side by side: one board per scenario and metric, compared pair by pair and ranked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._record import differing_fields, fingerprint_fields
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.aggregate import metric_of, unranked_because, values_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import ENDPOINT_NOISE
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import slug
from ansible_collections.routerlab.bench.plugins.plugin_utils._stats import (
    SIGNIFICANT,
    holm,
    mann_whitney,
    shown_better,
    smallest_p,
)

Keep = Callable[[dict[str, Any], dict[str, Any]], bool]


def question(cell: dict[str, Any]) -> str:
    """What a cell asks, as a key: cells of equal key may stand in one column."""
    return json.dumps([cell["scenario"], cell["method"], cell["path"], cell["direction"], cell["params"]], sort_keys=True)


def questions(cells: list[dict[str, Any]], key: Callable[[dict[str, Any]], str] = question) -> list[list[dict[str, Any]]]:
    """The measured cells by question, in the order of the plan; baselines stay out."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for cell in cells:
        if cell["role"] != "baseline":
            groups.setdefault(key(cell), []).append(cell)
    return list(groups.values())


def main_metrics(group: list[dict[str, Any]]) -> list[str]:
    """What stands in the first table: the first metric of a question, its other direction when the trials were bidirectional (two
    numbers, never a sum), and what the method wants to be read beside it."""
    main = group[0]["metrics"][0]["name"]
    names = {metric["name"] for cell in group for metric in cell["metrics"]}
    beside = [metric["name"] for metric in group[0]["metrics"] if metric.get("headline") and metric["name"] != main]
    return [main] + ([main + "_reverse"] if main + "_reverse" in names else []) + beside


def board_metrics(group: list[dict[str, Any]]) -> list[str]:
    """What has a table and a chart of its own: the main metrics, and all others that are better in a direction and were not always 0."""
    more = {metric["name"]: None for cell in group for metric in cell["metrics"] if metric["better"] and metric["max"]}
    return list(dict.fromkeys([*main_metrics(group), *more]))


def boards(
    cells: list[dict[str, Any]],
    records: list[dict[str, Any]],
    key: Callable[[dict[str, Any]], str] = question,
    keep: Keep | None = None,
    apart: Iterable[str] = (),
) -> list[dict[str, Any]]:
    """All boards. Cells measured in different set-ups never share one: they are drawn apart, the difference named.

    With C(keep) only those pairs are compared, and nothing is ranked. Scenarios C(apart) are parted by the router's own fields as well.
    """
    sample = {record["fingerprint"]: record for record in records}
    by_id = {cell["id"]: cell for cell in cells}
    result = []
    for group in questions(cells, key):
        facets = _facets(group, "fingerprints" if group[0]["scenario"] in apart else "setups")
        different = _between(facets, sample)
        for number, facet in enumerate(facets, 1):
            for name in board_metrics(group):
                board = _board(facet, name, by_id, keep)
                board.update({"facet": number, "facets": len(facets), "differs": _own(different, facet, sample) if len(facets) > 1 else {}})
                board["id"] = slug("-".join([board["scenario"], name] + ([str(number)] if len(facets) > 1 else [])))
                result.append(board)
    return _distinct(result)


def _distinct(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two questions of the same scenario name (other parameters) get different ids."""
    seen: dict[str, int] = {}
    for board in found:
        seen[board["id"]] = seen.get(board["id"], 0) + 1
        if seen[board["id"]] > 1:
            board["id"] += f"-v{seen[board['id']]}"
    return found


def _facets(group: list[dict[str, Any]], by: str) -> list[list[dict[str, Any]]]:
    by_conditions: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for cell in group:
        if cell["fingerprints"]:
            by_conditions.setdefault(tuple(cell[by]), []).append(cell)
    facets = list(by_conditions.values()) or [[]]
    facets[0].extend(cell for cell in group if not cell["fingerprints"])
    return facets


def _between(facets: list[list[dict[str, Any]]], sample: dict[str, Any]) -> dict[str, list[Any]]:
    """The fields in which facets differ from each other; what varies inside of one only is not it."""
    if len(facets) < 2:
        return {}
    first = [[sample[name] for cell in facet for name in cell["fingerprints"] if name in sample] for facet in facets]
    everything = differing_fields([record for facet in first for record in facet])
    return {name: values for name, values in everything.items()
            if len({str({str(fingerprint_fields(record).get(name)) for record in facet}) for facet in first}) > 1}


def _own(different: dict[str, list[Any]], facet: list[dict[str, Any]], sample: dict[str, Any]) -> dict[str, Any]:
    """The differing fields with the values of this facet."""
    mine = [fingerprint_fields(sample[name]) for cell in facet for name in cell["fingerprints"] if name in sample]
    return {name: list(dict.fromkeys(fields.get(name) for fields in mine)) for name in different}


def _board(group: list[dict[str, Any]], name: str, by_id: dict[str, dict[str, Any]], keep: Keep | None) -> dict[str, Any]:
    first = group[0]
    known = [(cell, metric) for cell in group if (metric := metric_of(cell, name))]
    metric = known[0][1]
    ranked = [cell for cell, item in known if unranked_because(cell, item) is None]
    pairs = compare(ranked, name, metric["better"] or "higher", keep)
    beaten = Counter(pair["b"] if pair["better"] == pair["a"] else pair["a"] for pair in pairs if pair["better"])
    rows = _ranked([_row(cell, metric_of(cell, name), beaten[cell["id"]]) for cell in group], -1 if metric["better"] != "lower" else 1)
    return {
        "scenario": first["scenario"],
        "title": first["title"],
        "method": first["method"],
        "direction": next((item["direction"] for dummy, item in known if item["direction"]), first["direction"]),
        "params": first["params"],
        "metric": name,
        "metric_title": metric["title"],
        "unit": metric["unit"],
        "better": metric["better"],
        "rows": [dict(row, rank=None) for row in rows] if keep else rows,
        "pairs": pairs,
        "note": _power_note(ranked, name, len(pairs)),
        "baselines": _baselines(group, name, by_id),
    }


def _row(cell: dict[str, Any], metric: dict[str, Any] | None, beaten_by: int) -> dict[str, Any]:
    why = unranked_because(cell, metric) if metric else "not measured"
    return {
        "cell": cell["id"],
        "rank": None if why else 1 + beaten_by,
        "unranked": why,
        "gate_failed": cell["gate"]["passed"] is False,
        "median": metric["median"] if metric else None,
    }


def _ranked(rows: list[dict[str, Any]], sign: int) -> list[dict[str, Any]]:
    """Best first. Equal rank means no difference shown; a lower median never gets a better rank, whatever its few trials could not show."""
    rows.sort(key=lambda row: (row["gate_failed"], row["median"] is None, sign * (row["median"] or 0)))
    worst = 1
    for row in rows:
        if row["rank"] is not None:
            worst = row["rank"] = max(worst, row["rank"])
    return rows


def compare(cells: list[dict[str, Any]], name: str, better: str, keep: Keep | None = None) -> list[dict[str, Any]]:
    """Every pair once: ratio of medians, exact p, p after Holm, and which one is shown to be better (or neither)."""
    pairs = [pair for pair in combinations(cells, 2) if keep is None or keep(*pair)]
    values = {cell["id"]: values_of(metric_of(cell, name)) for cell in cells}
    metrics = {cell["id"]: metric_of(cell, name) or {} for cell in cells}
    raw = [mann_whitney(values[a["id"]], values[b["id"]]) or 1.0 for a, b in pairs]
    result = []
    for (a, b), p, adjusted in zip(pairs, raw, holm(raw), strict=True):
        noise = max(metrics[cell["id"]].get("noise") or ENDPOINT_NOISE for cell in (a, b))
        side = shown_better(values[a["id"]], values[b["id"]], adjusted, better, noise)
        medians = [metrics[cell["id"]]["median"] for cell in (a, b)]
        result.append({
            "a": a["id"],
            "b": b["id"],
            "ratio": medians[0] / medians[1] if medians[1] else None,
            "p": p,
            "p_holm": adjusted,
            "noise": noise,
            "better": {1: a["id"], -1: b["id"], 0: None}[side],
            "too_few": adjusted >= SIGNIFICANT and p <= smallest_p(len(values[a["id"]]), len(values[b["id"]])),
        })
    return result


def _power_note(cells: list[dict[str, Any]], name: str, pairs: int) -> str | None:
    """Says so when no difference could have been shown, however large."""
    counts = [len(values_of(metric_of(cell, name))) for cell in cells]
    if not pairs:
        return None
    best = max(counts)
    reachable = smallest_p(best, best) * pairs
    if reachable < SIGNIFICANT:
        return None
    needed = next(n for n in range(best, 1000) if smallest_p(n, n) * pairs < SIGNIFICANT)
    return (
        f"With {best} trials per cell and {pairs} {'pair' if pairs == 1 else 'pairs'} the smallest p after Holm is {min(1.0, reachable):.3f}: "
        f"no difference can be shown, however large. It takes {needed} trials per cell."
    )


def _baselines(group: list[dict[str, Any]], name: str, by_id: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The baselines that the cells of a board refer to, each once."""
    found: dict[str, dict[str, Any]] = {}
    for cell in group:
        baseline = by_id.get(cell["baseline"] or "")
        metric = metric_of(baseline, name) if baseline else None
        if baseline and metric and metric["median"] is not None:
            found[baseline["id"]] = {
                "cell": baseline["id"], "dut": baseline["dut"], "median": metric["median"], "min": metric["min"], "max": metric["max"],
                "n": metric["n"],
            }
    return list(found.values())
