# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the callback bench_report does with results: records into the run folder, progress on the screen, the report at the end."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._record import now, plain
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.progress import Progress
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import (
    ERROR_FILE,
    RunFolderError,
    append_event,
    append_record,
    load_run,
)


def found(result: Any) -> Iterator[dict[str, Any]]:
    """A result and, when it is that of a loop, its items; nothing that was hidden by no_log."""
    if not isinstance(result, dict) or result.get("_ansible_no_log") or "censored" in result:
        return
    yield result
    for item in result.get("results") or []:
        yield from found(item)


class Collector:
    """Takes results of tasks over all plays of a playbook; C(say) prints a line of a kind: ok, bad, lost or plain."""

    def __init__(self, say: Callable[[str, str], None]) -> None:
        self.say = say
        self.progress: dict[str, Progress] = {}
        self.fresh: list[str] = []
        self.unreachable: dict[str, str] = {}
        self.closing: dict[str, str] = {}
        self.last: str | None = None

    def collect(self, result: Any, show: bool = True) -> None:
        """Everything that this result or one of its items holds for us."""
        for item in found(result):
            if item.get("bench_run_dir"):
                self._know(str(item["bench_run_dir"]))
            if isinstance(item.get("bench_record"), dict):
                self._take(str(item["bench_record"]["run_dir"]), plain(item["bench_record"]["record"]), show)
            if isinstance(item.get("bench_closing"), dict):
                self.closing[str(item["bench_closing"]["run_dir"])] = str(item["bench_closing"]["text"])

    def _know(self, run_dir: str) -> Progress:
        """The progress of a run; what was recorded before counts as done."""
        self.last = run_dir
        if run_dir not in self.progress:
            run = load_run(run_dir)
            self.progress[run_dir] = Progress(run.plan, {record["id"] for record in run.records}, time.monotonic())
        return self.progress[run_dir]

    def _take(self, run_dir: str, record: dict[str, Any], show: bool) -> None:
        """Keep a record; one that is there already (a loop's item and the loop itself) is neither kept nor shown twice."""
        self.last = run_dir
        announced = run_dir in self.progress
        if not append_record(run_dir, record):
            return
        if run_dir not in self.fresh:
            self.fresh.append(run_dir)
        progress = self._know(run_dir)
        if not announced:
            # Nobody announced the run before its first trial, so the pace counts from that trial's beginning.
            progress.started -= record["wall_s"]
        line = progress.add(record, time.monotonic())
        if show:
            self.say(line, "ok" if record["valid"] else "bad")

    def finish(self, build: bool, charts: bool) -> None:
        """The end of a playbook: unreachable hosts, the report of every run that got records, and what to print last."""
        runs, self.fresh = self.fresh, []
        unreachable, self.unreachable = self.unreachable, {}
        for host, detail in unreachable.items():
            for run_dir in runs:
                append_event(run_dir, {"event": "unreachable", "host": host, "detail": detail, "time": now()})
        if unreachable:
            self.say("Unreachable: " + ", ".join(sorted(unreachable)), "lost")
        for run_dir in runs if build else []:
            # reason for the late import: a play that measures nothing must not pay for the report
            from ansible_collections.routerlab.bench.plugins.plugin_utils._report.build import ensure_report

            self.last = run_dir
            built = ensure_report(Path(run_dir), charts=charts)
            self.closing[run_dir] = built.text
            for error in built.errors:
                self.say(error, "bad")
        closing, self.closing = self.closing, {}
        for text in closing.values():
            self.say("\n" + text, "plain")

    def stopped(self) -> None:
        """What to do about a run that this playbook began and did not bring to its end, whatever stopped it."""
        for run_dir, progress in self.progress.items():
            if len(progress.done) < progress.total:
                lines = [
                    f"\nStopped: {len(progress.done)} of {progress.total} trials are in {run_dir} and are kept.",
                    f"  report    playbook report.yml with -e bench_run={run_dir}",
                    f"  go on     the same command with -e bench_resume={run_dir}",
                    "  clean up  a namespace lab may still stand: playbook netns_lab.yml with -e netns_lab_state=absent (make lab-down)",
                ]
                self.say("\n".join(lines), "bad")
        self.progress = {}

    def complain(self, exc: BaseException) -> str:
        """Keep an error of our own in the run folder; returns what to show of it."""
        details = "".join(traceback.format_exception(type(exc), exc, exc.__traceback__))
        # An error of the run folder says all there is to say: path and reason.
        shown = str(exc) if isinstance(exc, RunFolderError) else f"{exc}\n{details}"
        if self.last is None:
            return shown
        path = Path(self.last) / ERROR_FILE
        try:
            with path.open("a", encoding="utf-8") as stream:
                stream.write(f"{now()}\n{details}\n")
        except OSError as error:
            return f"{shown}\n{path} cannot be written either: {error}"
        return f"{exc}; details in {path}"
