# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report's content, once, as a list of blocks; Markdown and HTML only print them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report import tables_run
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.method import method_sentences
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.picture import BarChart, RunOrder, bar_chart, run_order
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import Table, board_table, headline_table, pairs_table
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.words import (
    TIER_CAVEAT,
    UNMANAGED,
    labels,
    noise_sentence,
    partial_sentence,
    scenario_title,
)

MOST_PAIRS = 150
MOST_CONDITIONS = 25


@dataclass
class Block:
    """One thing on the page: heading, text, banner, list, table, chart, code or fold (details that open on demand)."""

    kind: str
    text: str = ""
    level: int = 2
    items: list[str] = field(default_factory=list)
    table: Table | None = None
    picture: BarChart | RunOrder | None = None
    inside: list[Block] = field(default_factory=list)


def heading(text: str, level: int = 2) -> Block:
    return Block("heading", text, level)


def tabled(table: Table) -> list[Block]:
    """A table with its notes, or nothing when it has no rows."""
    return [Block("table", table=table)] if table.rows else []


def document(summary: dict[str, Any]) -> list[Block]:
    """The whole report."""
    return [
        *_top(summary), *_boards(summary), *_order(summary), *_baselines(summary), *_gate(summary), *_validity(summary),
        *_conditions(summary), *_method(summary), *_again(summary),
    ]


def _top(summary: dict[str, Any]) -> list[Block]:
    lab, suite = summary["lab"], summary["suite"]
    measured = summary["measured"]
    when = f"{measured['first'][:16].replace('T', ' ')} – {measured['last'][11:16]} UTC" if measured["first"] else "nothing measured yet"
    facts = [
        f"suite {suite['title'] or suite['name']}", f"tier {summary['tier']}", f"measured {when}",
        f"{summary['trials']['valid']} valid of {summary['trials']['planned']} planned trials", f"run {summary['run']}",
    ]
    blocks = [heading(lab["title"] or lab["name"], 1), Block("facts", items=facts)]
    partial = partial_sentence(summary)
    if partial:
        blocks.append(Block("banner", partial + ". Every number below is from what was measured until then."))
    noisy = noise_sentence(summary)
    if noisy:
        blocks.append(Block("banner", noisy))
    said = {partial, noisy, TIER_CAVEAT[summary["tier"]]}
    if TIER_CAVEAT[summary["tier"]]:
        blocks.append(Block("note", TIER_CAVEAT[summary["tier"]]))
    blocks += [heading("Result"), *tabled(headline_table(summary))]
    return [*blocks, Block("list", items=[text for text in summary["words"] if text not in said])]


def _boards(summary: dict[str, Any]) -> list[Block]:
    blocks = [heading("Scenarios")] if summary["boards"] else []
    names = labels(summary)
    for board in summary["boards"]:
        title = scenario_title(board)
        blocks += [heading(title, 3), Block("chart", picture=bar_chart(summary, board)), *tabled(board_table(summary, board))]
        if board["note"]:
            blocks.append(Block("note", board["note"]))
        if len(board["pairs"]) > MOST_PAIRS:
            blocks.append(Block("text", f"{len(board['pairs'])} pairs were compared; they are in summary.json."))
        elif board["pairs"]:
            blocks.append(Block("fold", "Compared pair by pair", inside=tabled(pairs_table(board, names))))
    return blocks


def _order(summary: dict[str, Any]) -> list[Block]:
    picture = run_order(summary)
    return [heading("Order of measurement"), Block("chart", picture=picture)] if picture else []


def _baselines(summary: dict[str, Any]) -> list[Block]:
    text = (
        "The same endpoints on one layer-2 segment, without the router, in the same session. A router's number counts as its own only when "
        "it stays below this one by more than the noise of the harness."
    )
    table = tables_run.baseline_table(summary)
    missing = Block("banner", "No baseline in this run: nothing tells whether the routers or the endpoints were the limit.")
    return [heading("Baseline"), *([Block("text", text), *tabled(table)] if table.rows else [missing])]


def _gate(summary: dict[str, Any]) -> list[Block]:
    text = "The functional check that must pass before a number counts. Numbers behind a failed check are kept and never ranked."
    return [heading("Gate"), Block("text", text), *tabled(tables_run.gate_table(summary))]


def _validity(summary: dict[str, Any]) -> list[Block]:
    trials = summary["trials"]
    counts = (
        f"{trials['planned']} trials planned, {trials['recorded']} recorded, {trials['valid']} valid, {trials['invalid']} invalid, "
        f"{trials['missing']} missing; {trials['retries']} retries."
    )
    blocks = [heading("Validity"), Block("text", counts)]
    for title, table in (
        ("Cells short of trials", tables_run.short_table(summary)),
        ("Invalid trials: they never enter a median", tables_run.invalid_table(summary)),
        ("Outliers flagged (modified z above 3.5); they count like all others", tables_run.outlier_table(summary, labels(summary))),
    ):
        if table.rows:
            blocks += [heading(title, 3), *tabled(table)]
    lists = {
        "Trials that needed a retry": [f"{item['id']}: {item['attempts']} attempts" for item in summary["retried"]],
        "Measured again after the first record (the first valid record counts)": [
            f"{item['id']}, {item['started']}, {'valid' if item['valid'] else 'invalid'}" for item in summary["repeated"]
        ],
        "Hosts that could not be reached": [f"{item['host']}: {item['detail']}" for item in summary["unreachable"]],
        "What is wrong with the files of this run": summary["problems"],
    }
    for title, items in lists.items():
        if items:
            blocks += [heading(title, 3), Block("list", items=items)]
    return blocks


def _conditions(summary: dict[str, Any]) -> list[Block]:
    blocks = [heading("Conditions"), *tabled(tables_run.routers_table(summary, UNMANAGED))]
    constant, varying = tables_run.constant_table(summary), tables_run.varying_table(summary)
    if constant.rows:
        blocks.append(heading("The same in every trial", 3))
        if len(constant.rows) <= MOST_CONDITIONS:
            blocks += tabled(constant)
        else:
            blocks += [*tabled(tables_run.constant_table(summary, key_only=True)), Block("fold", "All of them", inside=tabled(constant))]
    if varying.rows:
        blocks += [heading("Not the same in every trial", 3), *tabled(varying)]
    return blocks


def _method(summary: dict[str, Any]) -> list[Block]:
    blocks = [heading("Method in short"), Block("list", items=method_sentences(summary))]
    commands = [f"{scenario}: {command}" for scenario, command in summary["argv"].items()]
    return [*blocks, *([Block("fold", "Commands as they were run", inside=[Block("code", "\n".join(commands))])] if commands else [])]


def _again(summary: dict[str, Any]) -> list[Block]:
    harness = ", ".join(f"{key} {value}" for key, value in summary["harness"].items())
    return [
        heading("How to get this again"),
        Block("text", "Tables, charts and this page from the records, without devices:"),
        Block("code", f"ansible-playbook playbooks/report.yml -e bench_run=results/{summary['run']}"),
        Block("text", "What is missing in this run, measured into the same folder:" if summary["short"] else "The same measurement once more:"),
        Block("code", _command(summary)),
        Block("facts", items=[f"lab {summary['lab']['name']}, hash {summary['lab']['hash'][:12]}", f"seed {summary['seed']}", harness]),
    ]


def _command(summary: dict[str, Any]) -> str:
    command = f"ansible-playbook playbooks/bench.yml -i inventories/{summary['lab']['name']}"
    if summary["short"]:
        return f"{command} -e bench_resume={summary['run']}"
    return f"{command} -e bench_suite={summary['suite']['name']} -e bench_seed={summary['seed']}"
