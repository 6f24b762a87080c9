# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a run folder to every table, chart and page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import load_run


@dataclass
class Built:
    """What a build left behind: its files, and the text that a person reads last."""

    text: str


def ensure_report(run_dir: Path, charts: bool = True) -> Built:
    """Build the report unless it is there and fresh."""
    run = load_run(run_dir)
    return Built(f"{len(run.records)} of {len(run.plan['trials'])} trials in {run_dir}")
