# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a run folder to every table, chart and page."""

from __future__ import annotations

import hashlib
import json
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
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import (
    EVENTS,
    PLAN,
    RECORDS,
    SUMMARY,
    RunFolderError,
    load_run,
    write_atomic,
)

PAGE, MARKDOWN, CSV, CHARTS = "report.html", "report.md", "summary.csv", "charts"


@dataclass
class Built:
    """What a build left behind: its summary, its files, what it could not do, and the text that a person reads last."""

    summary: dict[str, Any]
    files: list[str]
    text: str
    warnings: list[str] = field(default_factory=list)
    changed: bool = True


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
        return summary if summary["source"] == source_of(run_dir) and (run_dir / PAGE).exists() else None
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
    files, warnings = pages(f"{summary['lab']['title']} · {summary['suite']['title']}", blocks, summary, charts)
    files[CSV] = csv_text(summary)
    # The summary comes last: whoever finds it fresh finds everything else complete.
    files[SUMMARY] = json.dumps(summary, allow_nan=False, ensure_ascii=False, indent=1) + "\n"
    changed = write_files(run_dir, files)
    return Built(summary, list(files), closing_text(summary, str(run_dir / PAGE)), warnings, changed)


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
    files, warnings = pages("Runs side by side", comparison_document(compared), compared, charts)
    files[CSV] = csv_text(compared)
    files["comparison.json"] = json.dumps(compared, allow_nan=False, ensure_ascii=False, indent=1) + "\n"
    return Built(compared, list(files), text, warnings, write_files(output, files))


def pages(title: str, blocks: list[Block], data: dict[str, Any], charts: bool) -> tuple[dict[str, str | bytes], list[str]]:
    """Charts, Markdown and the page as file name to content; and what could not be done."""
    why_not = drawing.available() if charts else None
    drawn = {block.picture.name: drawing.draw(block.picture) for block in blocks if block.picture} if charts and not why_not else {}
    files: dict[str, str | bytes] = {}
    for name, chart in drawn.items():
        files[f"{CHARTS}/{name}.png"] = chart.png
        files[f"{CHARTS}/{name}.svg"] = chart.svg
    inline = {name: chart.inline(f"c{number}") for number, (name, chart) in enumerate(drawn.items(), 1)}
    files[MARKDOWN] = markdown(blocks, bool(drawn))
    files[PAGE] = html(title, blocks, data, inline)
    return files, [why_not] if why_not else []


def write_files(folder: Path, files: dict[str, str | bytes]) -> bool:
    """Each file whole or not at all; what is the same already stays untouched. Charts of an earlier build that are gone go."""
    changed = False
    for name, content in files.items():
        path, data = folder / name, content.encode("utf-8") if isinstance(content, str) else content
        if not path.is_file() or path.read_bytes() != data:
            write_atomic(path, data)
            changed = True
    for old in (folder / CHARTS).glob("*"):
        if old.suffix in (".png", ".svg") and f"{CHARTS}/{old.name}" not in files:
            old.unlink()
            changed = True
    return changed
