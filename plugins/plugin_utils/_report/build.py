# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a run folder to every table, chart and page."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report import charts as drawing
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.comparison import compare_runs, refusal, sides
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.comparison_page import comparison_document, comparison_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.csv_text import csv_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.document import Block, document
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.html import html
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.markdown import markdown
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.text import closing_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import ENDPOINT_NOISE
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.writing import CHARTS, Writer
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import (
    EVENTS,
    PLAN,
    RECORDS,
    SUMMARY,
    RunFolderError,
    load_run,
)

PAGE, MARKDOWN, CSV = "report.html", "report.md", "summary.csv"


@dataclass
class Built:
    """What a build left behind: its summary, its files, what it could not do, and the text that a person reads last."""

    summary: dict[str, Any]
    files: list[str]
    text: str
    warnings: list[str] = field(default_factory=list)
    changed: bool = True
    errors: list[str] = field(default_factory=list)


def source_of(run_dir: Path) -> dict[str, str | None]:
    """SHA-256 of the files a summary is made from: it is fresh while these are the same."""
    return {
        name: hashlib.sha256((run_dir / name).read_bytes()).hexdigest() if (run_dir / name).exists() else None
        for name in (PLAN, RECORDS, EVENTS)
    }


def _is_fresh(run_dir: Path) -> dict[str, Any] | None:
    """The summary in the folder when it was made from the records in the folder."""
    try:
        summary = json.loads((run_dir / SUMMARY).read_text(encoding="utf-8"))
        charts = re.findall(rf"\]\(({CHARTS}/[^)]+)\)", (run_dir / MARKDOWN).read_text(encoding="utf-8"))
        complete = all((run_dir / name).is_file() for name in (PAGE, CSV, *charts))
        return summary if complete and summary["source"] == source_of(run_dir) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def ensure_report(run_dir: Path, charts: bool = True) -> Built:
    """Build the report unless it is there and fresh."""
    summary = _is_fresh(run_dir)
    if summary:
        return Built(summary, [], closing_text(summary, str(run_dir / PAGE)), changed=False)
    return build_report(run_dir, charts)


def build_report(run_dir: Path, charts: bool = True, endpoint_noise: float = ENDPOINT_NOISE) -> Built:
    """Build everything anew. A run without a single record is an error: there is nothing to report."""
    run = load_run(run_dir)
    if not run.records:
        odd = "".join(f"\n  {problem}" for problem in run.problems)
        raise RunFolderError(f"{run_dir} holds no record: 0 of {len(run.plan['trials'])} trials were measured{odd}")
    summary = summarise(run.plan, run.records, run.repeated, run.problems, run.events, endpoint_noise)
    summary["source"] = source_of(run_dir)
    blocks = document(summary)
    writer = Writer(run_dir)
    warnings = pages(writer, f"{summary['lab']['title']} · {summary['suite']['title']}", blocks, summary, charts, SUMMARY)
    return Built(summary, writer.files, closing_text(summary, str(run_dir / PAGE)), warnings, writer.changed, writer.errors)


def build_comparison(
    run_dirs: list[Path], output: Path, force: bool = False, charts: bool = True, endpoint_noise: float = ENDPOINT_NOISE, write: bool = True
) -> Built:
    """Put runs side by side. Refused when they were not measured alike, unless forced: then they are drawn apart."""
    loaded = [load_run(run_dir) for run_dir in run_dirs]
    empty = [str(run.path) for run in loaded if not run.records]
    if empty:
        raise RunFolderError(f"no records in {', '.join(empty)}: there is nothing to compare")
    compared = compare_runs(sides([(run.plan, run.records) for run in loaded]), endpoint_noise)
    if compared["incomparable"] and not force:
        raise RunFolderError(refusal(compared["incomparable"]))
    text = comparison_text(compared, str(output / PAGE))
    if not write:
        return Built(compared, [], text)
    writer = Writer(output)
    warnings = pages(writer, "Runs side by side", comparison_document(compared), compared, charts, "comparison.json")
    return Built(compared, writer.files, text, warnings, writer.changed, writer.errors)


def pages(writer: Writer, title: str, blocks: list[Block], data: dict[str, Any], charts: bool, json_name: str) -> list[str]:
    """Tables first, then the charts, then the page that holds both; returns what could not be had. What could not be written is in C(writer.errors)."""
    why_not = drawing.available() if charts else None
    pictures = [block.picture for block in blocks if block.picture] if charts and not why_not else []
    writer.write(CSV, csv_text(data))
    writer.write(json_name, json.dumps(data, allow_nan=False, ensure_ascii=False, indent=1) + "\n")
    writer.write(MARKDOWN, markdown(blocks, bool(pictures)))
    drawn = _drawn(writer, pictures)
    writer.write(PAGE, html(title, blocks, data, {name: chart.inline(f"c{number}") for number, (name, chart) in enumerate(drawn.items(), 1)}))
    for name, chart in drawn.items():
        writer.write(f"{CHARTS}/{name}.png", chart.png)
        writer.write(f"{CHARTS}/{name}.svg", chart.svg)
    if any(f"{CHARTS}/{picture.name}.png" not in writer.files for picture in pictures):
        # better no chart than a link to one that is not there
        writer.write(MARKDOWN, markdown(blocks, False))
    writer.remove_old_charts()
    writer.complain()
    return [why_not] if why_not else []


def _drawn(writer: Writer, pictures: list[Any]) -> dict[str, Any]:
    drawn = {}
    for picture in pictures:
        try:
            drawn[picture.name] = drawing.draw(picture)
        except Exception as exc:  # whatever it is, the tables are there and one chart is not
            writer.errors.append(f"{writer.folder / CHARTS / picture.name}: the chart cannot be drawn: {type(exc).__name__}: {exc}")
    return drawn
