# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every table of the report, as text in cells; Markdown, HTML and the terminal print these and decide nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._report import median_run
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.aggregate import metric_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import UNKNOWN, human, human_range, percent, shown_unit, significant
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import TOO_NOISY
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.words import BY_HAND, UNMANAGED, labels

NOT_PLANNED = "–"
NO_DIFFERENCE = "no difference shown"
CPU = "Endpoint CPU"
CPU_NOTE = "Endpoint CPU: load of the traffic tool on client / server, share of the cores it can use; never the router's load"
BUSY = 0.9
SHORT_NAME = 28
MARKS = {
    "≥": "a lower bound: the endpoints or the link were the limit, the router may be faster; not ranked",
    "†": "functional check failed; kept, never ranked",
    "‡": "faster than its baseline: the baseline is stale, measure both again; not ranked",
    "*": "fewer valid trials than planned",
    "§": UNMANAGED,
}


class Cell(NamedTuple):
    """Text and what kind of thing it is: "" plain, number, muted, good, warn, bad."""

    text: str
    kind: str = ""


@dataclass
class Table:
    """Column titles and rows of cells; a note stands below."""

    columns: list[str]
    rows: list[list[Cell]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def number(text: str) -> Cell:
    """A cell that is aligned as a number."""
    return Cell(text, "muted number" if text in (UNKNOWN, NOT_PLANNED) else "number")


def name_cell(text: str) -> Cell:
    """A name: kept on one line while it is short."""
    return Cell(text, "name" if len(text) <= SHORT_NAME else "")


def coverage(share: float) -> str:
    """93.75 %, 75 %, 98.44 %."""
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + " %"


def value_text(cell: dict[str, Any], metrics: list[str]) -> tuple[str, list[str]]:
    """What stands for a cell in the headline table, and which marks need explaining."""
    found = [metric for name in metrics if (metric := metric_of(cell, name))]
    if not cell["n_ok"]:
        text, marks = UNKNOWN, []
    else:
        texts = [human(metric["median"], shown_unit(metric)) for metric in found]
        text = " / ".join(f"≥ {item}" if _bound(metric) else item for item, metric in zip(texts, found, strict=True))
        marks = ["≥"] if "≥" in text else []
    tail = []
    if cell["gate"]["passed"] is False:
        tail.append("†")
    if cell["verdict"] == "BASELINE_STALE":
        tail.append("‡")
    if cell["n_ok"] < cell["n_planned"]:
        tail.append("*")
    return f"{text} {' '.join(tail)}".strip(), marks + tail


def _bound(metric: dict[str, Any]) -> bool:
    return metric["verdict"] in ("HARNESS_LIMITED", "LINK_LIMITED")


def row_names(row: dict[str, Any], several_baselines: bool) -> tuple[str, str]:
    """Router and profile of a headline row."""
    if row["role"] == "baseline":
        return f"session of {row['dut']}" if several_baselines else NOT_PLANNED, row["profile_title"]
    system = " ".join(text for text in (row["platform"], row["version"]) if text)
    router = f"{row['dut']} ({system})" if system else row["dut"]
    return router if row["managed"] else f"{router} §", row["profile_title"]


def headline_table(summary: dict[str, Any]) -> Table:
    """The write-ups' final table: one row per router and profile, one column per scenario."""
    by_id = {cell["id"]: cell for cell in summary["cells"]}
    columns = summary["headline"]["columns"]
    titles = [f"{column['title']} ({column['direction']})" if column["direction"] else column["title"] for column in columns]
    table = Table(["Router", "Profile", *titles])
    rows = summary["headline"]["rows"]
    used = {"§" for row in rows if not row["managed"]}
    several_baselines = sum(row["role"] == "baseline" for row in rows) > 1
    for row in rows:
        cells = [name_cell(text) for text in row_names(row, several_baselines)]
        for column, name in zip(columns, row["cells"], strict=True):
            if name is None:
                cells.append(number(NOT_PLANNED))
                continue
            text, marks = value_text(by_id[name], column["metrics"])
            used.update(marks)
            cells.append(number(text))
        table.rows.append(cells)
    table.notes = [f"{mark} {meaning}" for mark, meaning in MARKS.items() if mark in used]
    if any(name.endswith("_reverse") for column in columns for name in column["metrics"]):
        table.notes.append("a / b: both directions of a bidirectional trial at the same time, the named direction first; they are not added")
    table.notes += [f"{column['title']}: {' / '.join(found)}" for column in columns if len(found := _titles(summary, column)) > 1]
    return table


def _titles(summary: dict[str, Any], column: dict[str, Any]) -> list[str]:
    """The titles of what stands in one cell of a column, where these are different things."""
    if all(name == column["metrics"][0] or name.endswith("_reverse") for name in column["metrics"]):
        return []
    cells = [cell for cell in summary["cells"] if cell["scenario"] == column["scenario"]]
    return [next(metric["title"] for cell in cells if (metric := metric_of(cell, name))) for name in column["metrics"]]


def board_table(summary: dict[str, Any], board: dict[str, Any]) -> Table:
    """All that is known about the cells of one board."""
    by_id, names = {cell["id"]: cell for cell in summary["cells"]}, labels(summary)
    extra = _extra_metrics(board, by_id)
    with_cpu = any(share is not None for row in board["rows"] for share in by_id[row["cell"]]["endpoint_cpu"].values())
    shares = {coverage(metric["interval"]["coverage"]) for metric in _metrics(board, by_id) if metric["interval"]}
    shared = shares.pop() if len(shares) == 1 else ""
    ranked = any(row["rank"] is not None for row in board["rows"])
    table = Table([
        *(["Rank"] if ranked else []), "Profile" if len({by_id[row["cell"]]["dut"] for row in board["rows"]}) == 1 else "Router", "Median",
        f"Interval of the median ({shared or 'coverage'})", "n", "CoV", "Of baseline", "Verdict", "Gate", *([CPU] if with_cpu else []),
        *[title for dummy, title in extra],
    ])
    table.notes = ([CPU_NOTE] if with_cpu else []) + median_run.note(board, by_id, names)
    for row in board["rows"]:
        cell = by_id[row["cell"]]
        metric = metric_of(cell, board["metric"])
        table.rows.append([
            *([number(NOT_PLANNED if row["rank"] is None else str(row["rank"]))] if ranked else []),
            name_cell(names[cell["id"]] + ("" if cell["managed"] else f" ({BY_HAND})")),
            *_metric_cells(cell, metric, not shared),
            _gate_cell(cell),
            *([_cpu_cell(cell)] if with_cpu else []),
            *[_extra_cell(cell, name) for name, dummy in extra],
        ])
    return table


def _metrics(board: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The board's metric of each of its cells that has it."""
    return [metric for row in board["rows"] if (metric := metric_of(by_id[row["cell"]], board["metric"]))]


def _metric_cells(cell: dict[str, Any], metric: dict[str, Any] | None, with_coverage: bool) -> list[Cell]:
    if metric is None or metric["median"] is None:
        counts = f"0 of {cell['n_planned']}"
        return [number(UNKNOWN), number(UNKNOWN), number(counts), number(UNKNOWN), number(UNKNOWN), Cell("no valid trial", "muted")]
    interval = metric["interval"]
    text = human_range(interval["low"], interval["high"], shown_unit(metric)) if interval else UNKNOWN
    if interval and with_coverage:
        text += f" ({coverage(interval['coverage'])})"
    n = f"{metric['n']}" if metric["n"] == cell["n_planned"] else f"{metric['n']} of {cell['n_planned']}"
    kind = {"DUT_LIMITED": "good", "BASELINE_STALE": "bad", None: "muted"}.get(metric["verdict"], "warn")
    return [
        number(("≥ " if _bound(metric) else "") + human(metric["median"], shown_unit(metric))),
        number(text),
        number(n),
        number(percent(metric["cov"])),
        number(percent(metric["of_baseline"])),
        Cell(verdict_text(metric), kind),
    ]


def verdict_text(metric: dict[str, Any]) -> str:
    """The verdict, or why there is none; with the noise where that is so large that it decided."""
    if not metric["verdict"]:
        return f"none: {metric['verdict_reason']}"
    noisy = (metric["noise"] or 0) > TOO_NOISY
    return f"{metric['verdict']} (noise ±{percent(metric['noise'], 0)})" if noisy else str(metric["verdict"])


def _gate_cell(cell: dict[str, Any]) -> Cell:
    passed = cell["gate"]["passed"]
    if passed is None:
        return Cell("not run", "muted")
    return Cell("passed", "good") if passed else Cell("failed: " + ", ".join(cell["gate"]["failed"]), "bad")


def _cpu_cell(cell: dict[str, Any]) -> Cell:
    """Client / server; from 90 % on an endpoint may itself be the limit."""
    shares = [cell["endpoint_cpu"][side] for side in ("client", "server")]
    busy = any(share is not None and share >= BUSY for share in shares)
    return Cell(" / ".join(percent(share, 0) for share in shares), "number warn" if busy else "number")


def _extra_metrics(board: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> list[tuple[str, str]]:
    """The other metrics of these cells and of this direction, such as retransmits. Byte counts are in the CSV."""
    main, suffix = board["metric"].removesuffix("_reverse"), "_reverse" if board["metric"].endswith("_reverse") else ""
    found: dict[str, str] = {}
    if any(by_id[row["cell"]]["metrics"][0]["name"] != main for row in board["rows"]):
        return []  # they stand in the table of the main metric
    for row in board["rows"]:
        for metric in by_id[row["cell"]]["metrics"]:
            base = metric["name"].removesuffix("_reverse")
            if base != main and metric["unit"] != "B" and metric["name"] == base + suffix:
                found.setdefault(metric["name"], metric["title"].removesuffix(" reverse"))
    return [(name, title[:1].upper() + title[1:]) for name, title in found.items()]


def _extra_cell(cell: dict[str, Any], name: str) -> Cell:
    metric = metric_of(cell, name)
    if metric is None or metric["median"] is None:
        return number(UNKNOWN)
    text = human(metric["median"], shown_unit(metric))
    return number(text if metric["n"] == cell["n_ok"] else f"{text} (n={metric['n']})")


def pairs_table(board: dict[str, Any], names: dict[str, str]) -> Table:
    """Every comparison of a board, with what it was decided on."""
    table = Table(["A", "B", "A / B", "p (exact)", "p (Holm)", "Result"])
    for pair in board["pairs"]:
        other = pair["b"] if pair["better"] == pair["a"] else pair["a"]
        result = f"{names[pair['better']]} better than {names[other]}" if pair["better"] else NO_DIFFERENCE
        if pair["too_few"]:
            result += " (too few trials to show one)"
        table.rows.append([
            Cell(names[pair["a"]]), Cell(names[pair["b"]]),
            number(significant(pair["ratio"]) if pair["ratio"] else UNKNOWN),
            number(f"{pair['p']:.4f}"), number(f"{pair['p_holm']:.4f}"),
            Cell(result, "good" if pair["better"] else "muted"),
        ])
    return table
