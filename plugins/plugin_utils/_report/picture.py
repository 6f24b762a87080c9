# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a chart shows, decided without drawing it: order, colours, labels, captions. Only C(charts) knows how to draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.aggregate import metric_of, values_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import coverage
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import human, percent, scale_for, shown_unit
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import TOO_NOISY
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.words import BY_HAND, labels, scenario_title

# Okabe and Ito: told apart with every common colour vision; yellow left out, it vanishes on white.
PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a5195", "#8c6d31")
GREY = "#9aa0a6"


@dataclass
class Bar:
    """One cell."""

    label: str
    colour: str
    value: float | None
    low: float | None = None
    high: float | None = None
    dots: list[float] = field(default_factory=list)
    text: str = ""
    hatched: bool = False
    greyed: bool = False


@dataclass
class BarChart:
    """One board."""

    name: str
    title: str
    axis: str
    bars: list[Bar]
    bands: list[tuple[float, float, float, str]]
    caption: str
    alt: str


@dataclass
class RunOrder:
    """Every trial against its cell's median, in the order of measurement."""

    name: str
    title: str
    series: list[tuple[str, str, str, list[tuple[int, float]]]]
    invalid: list[int]
    caption: str
    alt: str


def colours(summary: dict[str, Any]) -> dict[str, str]:
    """Cell id to colour: by profile, or by router when several routers are compared; the same in every chart."""
    measured = [cell for cell in summary["cells"] if cell["role"] != "baseline"]
    key = "dut" if len({cell["dut"] for cell in measured}) > 1 else "profile"
    order = list(dict.fromkeys(cell[key] for cell in measured))
    return {
        cell["id"]: GREY if cell["role"] == "baseline" else PALETTE[order.index(cell[key]) % len(PALETTE)] for cell in summary["cells"]
    }


def bar_chart(summary: dict[str, Any], board: dict[str, Any]) -> BarChart:
    """The picture of one board, values already in the unit of its axis."""
    by_id = {cell["id"]: cell for cell in summary["cells"]}
    names, palette = labels(summary), colours(summary)
    tops = [metric_of(by_id[row["cell"]], board["metric"]) for row in board["rows"]]
    largest = max([value for metric in tops for value in values_of(metric)], default=0.0)
    size, unit = scale_for(largest, shown_unit(board))
    scale = float(size)
    bars = [_bar(by_id[row["cell"]], row, metric, names, palette, scale) for row, metric in zip(board["rows"], tops, strict=True)]
    several = len(board["baselines"]) > 1
    bands = [
        (item["min"] / scale, item["median"] / scale, item["max"] / scale,
         f"{item['dut'] + ': ' if several else ''}no router {human(item['median'], shown_unit(board))} (n={item['n']})")
        for item in board["baselines"]
    ]
    title = scenario_title(board)
    better = f", {board['better']} is better" if board["better"] else ""
    return BarChart(
        board["id"], title, f"{board['metric_title']}, {unit}{better}" if unit else f"{board['metric_title']}{better}",
        bars, bands, _caption(summary, board, tops, bars), _alt(title, board, names),
    )


def _bar(
    cell: dict[str, Any], row: dict[str, Any], metric: dict[str, Any] | None, names: dict[str, str], palette: dict[str, str], scale: float
) -> Bar:
    name = names[cell["id"]] + ("" if cell["managed"] else f"\n({BY_HAND})")
    item = Bar(name, palette[cell["id"]], None)
    if metric is None or metric["median"] is None:
        item.text = f"n/a (0 of {cell['n_planned']} trials valid)" if not cell["n_ok"] else "n/a (value unknown)"
        return item
    interval = metric["interval"]
    item.value, item.dots = metric["median"] / scale, [value / scale for value in values_of(metric)]
    if interval:
        item.low, item.high = interval["low"] / scale, interval["high"] / scale
    item.greyed = row["gate_failed"]
    item.hatched = metric["verdict"] in ("HARNESS_LIMITED", "LINK_LIMITED")
    parts = [("≥ " if item.hatched else "") + human(metric["median"], shown_unit(metric))]
    if metric["of_baseline"] is not None:
        parts.append(f"{percent(metric['of_baseline'], 0)} of baseline")
    if metric["n"] < cell["n_planned"]:
        parts.append(f"n={metric['n']} of {cell['n_planned']}")
    if item.greyed:
        parts.append("gate failed")
    elif metric["verdict"] == "BASELINE_STALE":
        parts.append("baseline stale")
    elif item.hatched:
        limited = "harness-limited" if metric["verdict"] == "HARNESS_LIMITED" else "link-limited"
        noisy = (metric["noise"] or 0) > TOO_NOISY
        parts.append(f"not told apart from it (noise ±{percent(metric['noise'], 0)})" if noisy else limited)
    item.text = " · ".join(parts)
    return item


def _caption(summary: dict[str, Any], board: dict[str, Any], metrics: list[dict[str, Any] | None], bars: list[Bar]) -> str:
    known = [metric for metric in metrics if metric and metric["n"]]
    counts = sorted({metric["n"] for metric in known})
    shares = sorted({coverage(metric["interval"]["coverage"]) for metric in known if metric["interval"]})
    n = f"n={counts[0]}" if len(counts) == 1 else f"n={counts[0]}…{counts[-1]}" if counts else "n=0"
    whisker = f"whisker: interval of the median ({' or '.join(shares)} coverage)" if shares else "no interval (too few trials)"
    lines = [f"Bar: median of {n} trials · dot: one trial · {whisker}"]
    facts = [f"direction {board['direction']}" if board["direction"] else "", f"method {board['method']}", f"tier {summary['tier']}"]
    if any(item.hatched for item in bars):
        facts.append("hatched: a lower bound, not ranked")
    if any(item.greyed for item in bars):
        facts.append("grey: gate failed, not ranked")
    lines.append(" · ".join(fact for fact in facts if fact))
    if board["differs"]:
        lines.append("drawn apart because of: " + "; ".join(f"{key} = {', '.join(map(str, values))}" for key, values in board["differs"].items()))
    if summary["partial"]:
        lines.append(f"PARTIAL run: {summary['trials']['recorded']} of {summary['trials']['planned']} trials")
    return "\n".join(lines)


def _alt(title: str, board: dict[str, Any], names: dict[str, str]) -> str:
    items = [f"{names[row['cell']]} {human(row['median'], shown_unit(board))}" for row in board["rows"]]
    return f"Bar chart. {title}: " + ", ".join(items)


def run_order(summary: dict[str, Any]) -> RunOrder | None:
    """Drift shows here: values leave 100 % together, whatever the scenario. None before there is anything to see."""
    palette = colours(summary)
    series: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
    several = len({cell["dut"] for cell in summary["cells"] if cell["role"] != "baseline"}) > 1
    for cell in summary["cells"]:
        metric = cell["metrics"][0]
        if not metric["median"]:
            continue
        base = cell["role"] == "baseline"
        name = "no router (baseline)" if base else cell["dut"] if several else cell["profile_title"] or cell["profile"]
        points = series.setdefault((name, palette[cell["id"]], "baseline" if base else "measure"), [])
        points.extend((item["seq"], 100 * item["value"] / metric["median"]) for item in metric["values"])
    if not series:
        return None
    return RunOrder(
        "run-order", "Every trial in the order of measurement, in percent of its cell's median",
        [(*key, sorted(points)) for key, points in series.items()], [item["seq"] for item in summary["invalid"]],
        f"Drift of machine or endpoints shows as a common slope · order interleaved with seed {summary['seed']} · tier {summary['tier']}",
        "Scatter chart: each trial in percent of its cell's median over the order of measurement",
    )
