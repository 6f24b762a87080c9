# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How it was measured, in the few sentences that a careful reader asks for."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import coverage
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import human
from ansible_collections.routerlab.bench.plugins.plugin_utils._stats import median_interval, rank_coverage

GOODPUT = "Throughput is payload counted by the receiver, one direction per number, in SI units (1 Mbit/s = 10^6 bit/s)."
NOISE = (
    "Verdicts compare the median with the baseline of the same session. Harness noise is the largest of 2 %, the spread of the baseline, and "
    "what these endpoints are known for (5 % unless told): within it HARNESS_LIMITED, above it BASELINE_STALE, below it DUT_LIMITED. "
    "Traffic in both directions at once is judged by the sum of both, which is not published as a rate."
)
DIFFERENCE = (
    "A is called better than B only if the exact two-sided Mann-Whitney p, adjusted by Holm over all pairs of the scenario, is below 0.05 and "
    "the medians differ by more than 3 % and more than the harness noise. Otherwise: no difference shown."
)
OUTLIERS = "Outliers are flagged by modified z above 3.5 and never dropped; a trial is left out only for a recorded technical reason."


def method_sentences(summary: dict[str, Any]) -> list[str]:
    """Methods, parameters, trials, interval, order, baseline, comparison."""
    return [
        *_what(summary), GOODPUT, _trials(summary), _interval(summary),
        f"The order of the trials is interleaved, drawn with seed {summary['seed']}; the baseline is measured in the same session.",
        NOISE, DIFFERENCE, OUTLIERS, *_link(summary), *_cost(summary),
    ]


def _what(summary: dict[str, Any]) -> list[str]:
    found: dict[str, str] = {}
    for cell in summary["cells"]:
        params = ", ".join(f"{key} {_text(value)}" for key, value in cell["params"].items())
        title = cell["title"] or cell["scenario"]
        found.setdefault(cell["scenario"], f"{title}: {cell['method']}, {cell['direction']}, path {cell['path']}{'; ' + params if params else ''}.")
    return list(found.values())


def _text(value: Any) -> str:
    return {True: "yes", False: "no", None: "default"}[value] if value is None or isinstance(value, bool) else str(value)


def _trials(summary: dict[str, Any]) -> str:
    counts = sorted({cell["n_planned"] for cell in summary["cells"] if cell["role"] != "baseline"})
    text = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}" if counts else "no"
    return f"Every cell has {text} planned trials, each a new process and a new connection; the median is published, with minimum, maximum and n."


def _interval(summary: dict[str, Any]) -> str:
    counts = sorted({metric["n"] for cell in summary["cells"] for metric in cell["metrics"][:1] if metric["n"] > 1})
    parts = []
    for n in counts:
        interval = median_interval(list(range(n)))
        share = interval.coverage if interval else 0.0
        what = "[min, max]" if share == rank_coverage(n, 1) else f"the {int(interval.low) + 1 if interval else 1}th smallest to the same from the top"
        parts.append(f"n={n}: {what}, {coverage(share)}")
    known = "; ".join(parts)
    return "The interval is distribution-free, made of order statistics, with the coverage that it really has" + (f" ({known})." if known else ".")


def _link(summary: dict[str, Any]) -> list[str]:
    if not summary["link_bps"]:
        return ["No link speed is declared for this lab, so nothing is judged against one."]
    return [f"The declared link is {human(summary['link_bps'], 'bit/s')}; at 98 % of the payload it can carry, a result is LINK_LIMITED."]


def _cost(summary: dict[str, Any]) -> list[str]:
    seconds = summary["measured"]["overhead_s"]
    return [] if seconds is None else [f"Beside its traffic a trial took {seconds:.1f} s (median) for start, stop and reading."]
