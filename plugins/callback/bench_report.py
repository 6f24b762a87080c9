# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the records of a run, shows progress, and builds the report at the end."""

from __future__ import annotations

DOCUMENTATION = r"""
name: bench_report
type: aggregate
short_description: Records in, files out
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Picks up every task result, or loop item, that holds C(bench_record), and appends the record to C(records.jsonl) of its run folder,
    flushed to the disk before the play goes on.
  - After each trial it shows which one of how many that was, its number, and the time left.
  - At the end of the playbook it builds tables, charts and the page, unless that has been done already, and prints the result.
  - A result with C(no_log) is never stored. An error of this callback never stops the play; it is written to C(report.error.txt)
    in the run folder and shown with a banner. Whether everything was measured is checked by M(routerlab.bench.bench_check), which can fail.
requirements:
  - enable in configuration, C(callbacks_enabled = routerlab.bench.bench_report)
options:
  progress:
    description: Show one line after each trial.
    type: bool
    default: true
    env:
      - name: ROUTERLAB_BENCH_PROGRESS
    ini:
      - section: callback_bench_report
        key: progress
  build:
    description: Build the report at the end of the playbook when records came in.
    type: bool
    default: true
    env:
      - name: ROUTERLAB_BENCH_BUILD
    ini:
      - section: callback_bench_report
        key: build
  charts:
    description: Draw charts when building the report. They need matplotlib on the controller.
    type: bool
    default: true
    env:
      - name: ROUTERLAB_BENCH_CHARTS
    ini:
      - section: callback_bench_report
        key: charts
"""

import functools
import os
import time
import traceback
from pathlib import Path
from typing import Any, Callable, Iterator

from ansible import constants as C
from ansible.plugins.callback import CallbackBase

from ansible_collections.routerlab.bench.plugins.module_utils._record import now, plain
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.progress import Progress
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import (
    ACTIVE_CALLBACK,
    ERROR_FILE,
    append_event,
    append_record,
    load_run,
)

BANNER = "BENCH REPORT ERROR (the play goes on; what was measured before is safe)"


def _guarded(hook: Callable[..., None]) -> Callable[..., None]:
    """Ansible turns an exception of a callback into one warning line and goes on: make it visible and keep it."""

    @functools.wraps(hook)
    def wrapper(self: CallbackModule, *args: Any, **kwargs: Any) -> None:
        try:
            hook(self, *args, **kwargs)
        except Exception as exc:  # reason: whatever it is, the measurement must go on
            self._complain(exc)

    return wrapper


def _public(result: Any, name: str) -> Any:
    """Result properties are public from ansible-core 2.19 and underscored before."""
    return getattr(result, name) if hasattr(type(result), name) else getattr(result, "_" + name)


def _found(result: Any) -> Iterator[dict[str, Any]]:
    """A result and, when it is that of a loop, its items; nothing that was hidden by no_log."""
    if not isinstance(result, dict) or result.get("_ansible_no_log") or "censored" in result:
        return
    yield result
    for item in result.get("results") or []:
        yield from _found(item)


class CallbackModule(CallbackBase):
    """Thin: what a record is, how a folder is written and what a report shows is decided elsewhere."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "routerlab.bench.bench_report"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self) -> None:
        super().__init__()
        os.environ[ACTIVE_CALLBACK] = str(os.getpid())
        self._progress: dict[str, Progress] = {}
        self._runs: list[str] = []
        self._fresh: set[str] = set()
        self._unreachable: dict[str, str] = {}
        self._closing: dict[str, str] = {}
        self._last: str | None = None

    @_guarded
    def v2_runner_on_ok(self, result: Any) -> None:
        self._collect(result)

    @_guarded
    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:
        self._collect(result)

    @_guarded
    def v2_runner_item_on_ok(self, result: Any) -> None:
        self._collect(result)

    @_guarded
    def v2_runner_item_on_failed(self, result: Any) -> None:
        self._collect(result)

    @_guarded
    def v2_runner_on_async_ok(self, result: Any) -> None:
        self._collect(result)

    @_guarded
    def v2_runner_on_unreachable(self, result: Any) -> None:
        detail = "hidden by no_log" if _public(result, "task").no_log else _public(result, "result").get("msg", "")
        self._unreachable[_public(result, "host").get_name()] = str(detail)
        self._collect(result)

    @_guarded
    def v2_playbook_on_stats(self, stats: Any) -> None:
        runs, self._fresh = [run for run in self._runs if run in self._fresh], set()
        for host, detail in self._unreachable.items():
            for run_dir in runs:
                append_event(run_dir, {"event": "unreachable", "host": host, "detail": detail, "time": now()})
        if self._unreachable:
            self._display.display("Unreachable: " + ", ".join(sorted(self._unreachable)), color=C.COLOR_UNREACHABLE)
        self._unreachable = {}
        for run_dir in runs:
            self._last = run_dir
            self._finish(run_dir)
        closing, self._closing = self._closing, {}
        for text in closing.values():
            self._display.display("\n" + text)

    def _collect(self, result: Any) -> None:
        if _public(result, "task").no_log:
            return
        for found in _found(_public(result, "result")):
            if found.get("bench_run_dir"):
                self._know(str(found["bench_run_dir"]))
            if isinstance(found.get("bench_record"), dict):
                self._take(found["bench_record"])
            if isinstance(found.get("bench_closing"), dict):
                self._closing[str(found["bench_closing"]["run_dir"])] = str(found["bench_closing"]["text"])

    def _know(self, run_dir: str) -> None:
        self._last = run_dir
        if run_dir not in self._runs:
            run = load_run(run_dir)
            self._runs.append(run_dir)
            self._progress[run_dir] = Progress(run.plan, {record["id"] for record in run.records}, time.monotonic())

    def _take(self, bench_record: dict[str, Any]) -> None:
        run_dir, record = str(bench_record["run_dir"]), plain(bench_record["record"])
        self._last = run_dir
        if append_record(run_dir, record):
            self._fresh.add(run_dir)
            # The pace counts from here when nobody announced the run before its first trial.
            started = time.monotonic() - record["wall_s"]
            if run_dir not in self._runs:
                self._know(run_dir)
                self._progress[run_dir].done.discard(record["id"])
                self._progress[run_dir].started = started
            line = self._progress[run_dir].add(record, time.monotonic())
            if self.get_option("progress"):
                self._display.display(line, color=C.COLOR_OK if record["valid"] else C.COLOR_ERROR)

    def _finish(self, run_dir: str) -> None:
        if not self.get_option("build"):
            return
        # reason for the late import: a play that measures nothing must not pay for the report
        from ansible_collections.routerlab.bench.plugins.plugin_utils._report.build import ensure_report

        self._closing[run_dir] = ensure_report(Path(run_dir), charts=self.get_option("charts")).text

    def _complain(self, exc: BaseException) -> None:
        details = "".join(traceback.format_exception(type(exc), exc, exc.__traceback__))
        where = ""
        if self._last:
            path = Path(self._last) / ERROR_FILE
            try:
                with path.open("a", encoding="utf-8") as stream:
                    stream.write(f"{now()}\n{details}\n")
                where = f"; details in {path}"
            except OSError as error:
                where = f"; {path} cannot be written either: {error}"
        self._display.banner(BANNER, color=C.COLOR_ERROR)
        self._display.display(f"{exc}{where}", color=C.COLOR_ERROR)
        if "details in" not in where:
            self._display.display(details, color=C.COLOR_ERROR)
