# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A comparison as blocks: what changed first, the charts next, what else differs last."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.document import Block, heading, tabled
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.method import DIFFERENCE, NOISE
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.picture import bar_chart
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import NO_DIFFERENCE, Cell, Table, board_table, number
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.text import table_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import UNKNOWN, human, percent
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.words import scenario_title


def runs_table(comparison: dict[str, Any]) -> Table:
    """Which letter stands for which run."""
    rows = [
        [Cell(run["tag"]), Cell(run["run"]), Cell(run["lab"]["title"]), Cell(run["suite"]["title"]), Cell(run["tier"]),
         number(f"{run['valid']} of {run['planned']}")]
        for run in comparison["runs"]
    ]
    return Table(["", "Run", "Lab", "Suite", "Tier", "Valid trials"], rows)


def changes_table(comparison: dict[str, Any]) -> Table:
    """The answer: what is shown to have changed."""
    names = {cell["id"]: f"{cell['dut']} · {cell['profile_title'] or cell['profile']}" for cell in comparison["cells"]}
    table = Table(["Scenario", "First", "Second", "First, median", "Second, median", "Change", "p (Holm)", "Result"])
    for row in comparison["changes"]:
        change = UNKNOWN if row["ratio"] is None else ("+" if row["ratio"] >= 1 else "−") + percent(abs(row["ratio"] - 1))
        result = NO_DIFFERENCE + (" (too few trials to show one)" if row["too_few"] else "")
        if row["better"]:
            result = f"{names[row['better']]} is better"
        table.rows.append([
            Cell(f"{row['title']} ({row['direction']})"), Cell(names[row["a"]]), Cell(names[row["b"]]),
            number(human(row["median_a"], row["unit"])), number(human(row["median_b"], row["unit"])), number(change),
            number(f"{row['p_holm']:.4f}"), Cell(result, "good" if row["better"] else "muted"),
        ])
    return table


def differences_table(comparison: dict[str, Any]) -> Table:
    """Everything that was not the same, stated."""
    tags = [run["tag"] for run in comparison["runs"]]
    rows = [
        [Cell(key), *[Cell(UNKNOWN if values[tag] is None else str(values[tag])) for tag in tags]] for key, values in comparison["differs"].items()
    ]
    return Table(["", *tags], rows)


def comparison_document(comparison: dict[str, Any]) -> list[Block]:
    """The whole comparison."""
    blocks = [heading("Runs side by side", 1), Block("facts", items=[f"{run['tag']}: {run['run']}" for run in comparison["runs"]])]
    if comparison["partial"]:
        blocks.append(Block("banner", "At least one of these runs is PARTIAL: not all of its planned trials were recorded."))
    if comparison["incomparable"]:
        fields = sorted({name for fields in comparison["incomparable"].values() for name in fields})
        blocks.append(Block("banner", f"Not measured alike, drawn apart and not compared where these differ: {', '.join(fields)}."))
    blocks += [heading("Changes"), *tabled(changes_table(comparison))]
    if not comparison["changes"]:
        blocks.append(Block("text", "No cell of one run has a counterpart in another that it may be compared with."))
    blocks += [heading("Scenarios")]
    for board in comparison["boards"]:
        blocks += [heading(scenario_title(board), 3), Block("chart", picture=bar_chart(comparison, board)), *tabled(board_table(comparison, board))]
        if board["note"]:
            blocks.append(Block("note", board["note"]))
    blocks += [heading("Runs"), *tabled(runs_table(comparison))]
    blocks += [heading("What else differs"), *tabled(differences_table(comparison))]
    return [*blocks, heading("Method in short"), Block("list", items=[DIFFERENCE, NOISE])]


def comparison_text(comparison: dict[str, Any], page: str) -> str:
    """What a person reads last."""
    lines = [table_text(runs_table(comparison)), ""]
    lines += [table_text(changes_table(comparison)), ""] if comparison["changes"] else ["Nothing of these runs may be compared.", ""]
    return "\n".join([*lines, f"Report: {page}"])
