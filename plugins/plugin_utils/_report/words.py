# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the numbers say, in sentences; nothing here that the tables do not show."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import human, percent, shown_unit
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import MEANING, TOO_NOISY

TIER_CAVEAT = {
    "namespace": "Tier namespace: router and endpoints are namespaces of one kernel on one machine; compare ratios, not absolute speed.",
    "container": "Tier container: containers and nested machines on one physical machine, joined by a topology tool that is no benchmark fabric; "
    "compare ratios with care.",
    "vm": "Tier vm: router and endpoints share one physical machine; compare ratios, and absolute speed only with care.",
    "hardware": "",
}
# Longer lists are cut in sentences; the tables have them all.
MOST_NAMES = 10
BY_HAND = "configured by hand"
UNMANAGED = f"{BY_HAND} (not rendered or deployed by this project)"


def partial_sentence(summary: dict[str, Any]) -> str | None:
    """PARTIAL and how much of the plan is there; None when everything planned was recorded."""
    trials = summary["trials"]
    if not summary["partial"]:
        return None
    cells = [item for item in summary["short"] if item["n_missing"]]
    return f"PARTIAL: {trials['recorded']} of {trials['planned']} trials; {len(cells)} of {len(summary['cells'])} cells are short"


def noise_sentence(summary: dict[str, Any]) -> str | None:
    """A warning when the baseline itself was so unsteady that nothing smaller can be told apart."""
    noisy = [item for item in summary["baselines"] if item["spread"] is not None and item["spread"] > TOO_NOISY]
    if not noisy:
        return None
    worst = max(item["spread"] for item in noisy)
    return (
        f"NOISY: without any router the same measurement varied by up to {percent(worst, 0)} ({_list(item['cell'] for item in noisy)}). "
        "Verdicts and differences smaller than that say nothing about the routers; measure again on a quiet machine, or longer."
    )


def label(cell: dict[str, Any], several: bool) -> str:
    """A cell's name beside others of the same scenario: its profile, with its router when there are several."""
    title = cell["profile_title"] or cell["profile"]
    return f"{cell['dut']} · {title}" if several else title


def labels(summary: dict[str, Any]) -> dict[str, str]:
    """Cell id to label: only as much of router and profile as tells the cells of the run apart."""
    measured = [cell for cell in summary["cells"] if cell["role"] != "baseline"]
    several = len({cell["dut"] for cell in measured}) > 1
    one_profile = len({cell["profile"] for cell in measured}) == 1
    return {
        cell["id"]: cell["dut"] if several and one_profile and cell["role"] != "baseline" else label(cell, several)
        for cell in summary["cells"]
    }


def scenario_title(board: dict[str, Any]) -> str:
    """Scenario and direction, with the metric's own name where that says more."""
    title = f"{board['title']} ({board['direction']})" if board["direction"] else board["title"]
    if board["metric"].removesuffix("_reverse") != "throughput":
        title += f": {board['metric_title']}"
    return f"{title}, facet {board['facet']} of {board['facets']}" if board.get("facets", 1) > 1 else title


def sentences(summary: dict[str, Any]) -> list[str]:
    """The summary in words, most important first."""
    found = [text for text in (partial_sentence(summary), noise_sentence(summary), TIER_CAVEAT[summary["tier"]]) if text]
    if not summary["trials"]["valid"]:
        return [*found, "No trial gave a valid result, so there is nothing to compare."]
    names = labels(summary)
    by_id = {cell["id"]: cell for cell in summary["cells"]}
    found += [text for board in summary["boards"] if (text := board_sentence(board, names))]
    found += _verdict_sentences(summary)
    failed = [cell for cell in by_id.values() if cell["gate"]["passed"] is False]
    if failed:
        found.append(f"The functional check failed for {_list(names[cell['id']] for cell in failed)}: these numbers are kept and never ranked.")
    return found


def board_sentence(board: dict[str, Any], names: dict[str, str]) -> str | None:
    """Who leads, over whom that is shown, and who takes no part."""
    ranked = [row for row in board["rows"] if row["rank"] is not None]
    out = [f"{names[row['cell']]} ({row['unranked']})" for row in board["rows"] if row["rank"] is None]
    said = [_standing(board, ranked, names)] if len(ranked) > 1 else []
    said += [f"Not ranked: {_list(out)}."] if out else []
    return f"{scenario_title(board)}: {' '.join(said)}" if said else None


def _standing(board: dict[str, Any], ranked: list[dict[str, Any]], names: dict[str, str]) -> str:
    shown = [pair for pair in board["pairs"] if pair["better"]]
    if not shown:
        return f"no difference shown between {_list(names[row['cell']] for row in ranked)}."
    leaders = [row for row in ranked if row["rank"] == 1]
    worse = "faster" if board["unit"] in ("bit/s", "packet/s") else "better"
    if len(leaders) > 1:
        rest = [names[row["cell"]] for row in ranked if row["rank"] > 1]
        return f"{_list(names[row['cell']] for row in leaders)} lead without a difference shown between them, ahead of {_list(rest)}."
    top = leaders[0]
    beaten, equal = [], []
    for row in ranked[1:]:
        pair = next(item for item in board["pairs"] if {item["a"], item["b"]} == {top["cell"], row["cell"]})
        if pair["better"] == top["cell"]:
            beaten.append(f"{names[row['cell']]} by {percent(abs(_change(top, row)), 0)}")
        else:
            equal.append(names[row["cell"]] + (" (too few trials)" if pair["too_few"] else ""))
    text = f"{names[top['cell']]} at {human(top['median'], shown_unit(board))} is shown {worse} than {_list(beaten)}"
    return text + (f"; no difference shown against {_list(equal)}." if equal else ".")


def _change(top: dict[str, Any], row: dict[str, Any]) -> float:
    low, high = sorted([abs(top["median"]), abs(row["median"])])
    return high / low - 1 if low else 0.0


def _verdict_sentences(summary: dict[str, Any]) -> list[str]:
    measured = [cell for cell in summary["cells"] if cell["role"] != "baseline" and cell["n_ok"]]
    found = []
    for name, meaning in MEANING.items():
        count = sum(1 for cell in measured if cell["verdict"] == name)
        if count:
            found.append(f"{count} of {len(measured)} cells {'is' if count == 1 else 'are'} {name}: {meaning}.")
    reasons: dict[str, int] = {}
    for cell in measured:
        if cell["verdict"] is None:
            reason = cell["metrics"][0]["verdict_reason"]
            reasons[reason] = reasons.get(reason, 0) + 1
    found += [f"{count} of {len(measured)} cells {'has' if count == 1 else 'have'} no verdict: {reason}." for reason, count in reasons.items()]
    return found


def _list(items: Any) -> str:
    texts = list(items)
    if len(texts) > MOST_NAMES:
        texts = [*texts[:MOST_NAMES], f"{len(texts) - MOST_NAMES} more"]
    return texts[0] if len(texts) == 1 else ", ".join(texts[:-1]) + " and " + texts[-1] if texts else "nothing"
