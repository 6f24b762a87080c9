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
  - When a run was not brought to its end, by an error or by Ctrl-C, it says where the records are and how to go on.
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

import atexit
import functools
import os
from collections.abc import Callable
from typing import Any

from ansible import constants as C
from ansible.plugins.callback import CallbackBase

from ansible_collections.routerlab.bench.plugins.plugin_utils._bench_report import Collector
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import ACTIVE_CALLBACK

BANNER = "BENCH REPORT ERROR (the play goes on; what was measured before is safe)"


def _guarded(hook: Callable[..., None]) -> Callable[..., None]:
    """Ansible turns an exception of a callback into one warning line and goes on: make it visible and keep it."""

    @functools.wraps(hook)
    def wrapper(self: CallbackModule, *args: Any, **kwargs: Any) -> None:
        try:
            hook(self, *args, **kwargs)
        except Exception as exc:  # reason: whatever it is, the measurement must go on
            self._display.banner(BANNER, color=C.COLOR_ERROR)
            self._display.display(self._collector.complain(exc), color=C.COLOR_ERROR)

    return wrapper


def _public(result: Any, name: str) -> Any:
    """Result properties are public from ansible-core 2.19 and underscored before."""
    return getattr(result, name) if hasattr(type(result), name) else getattr(result, "_" + name)


class CallbackModule(CallbackBase):
    """Thin: what a record is, how a folder is written and what a report shows is decided elsewhere."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "routerlab.bench.bench_report"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self) -> None:
        super().__init__()
        os.environ[ACTIVE_CALLBACK] = str(os.getpid())
        self._collector = Collector(self._say)
        atexit.register(self._last_words, os.getpid())

    def _say(self, text: str, kind: str) -> None:
        colours = {"ok": C.COLOR_OK, "bad": C.COLOR_ERROR, "lost": C.COLOR_UNREACHABLE}
        self._display.display(text, color=colours.get(kind))

    def _collect(self, result: Any) -> None:
        if not _public(result, "task").no_log:
            self._collector.collect(_public(result, "result"), self.get_option("progress"))

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
        hidden = _public(result, "task").no_log
        detail = "hidden by no_log" if hidden else _public(result, "result").get("msg", "")
        self._collector.unreachable[_public(result, "host").get_name()] = str(detail)
        self._collect(result)

    @_guarded
    def v2_playbook_on_stats(self, stats: Any) -> None:
        self._collector.stopped()
        self._collector.finish(self.get_option("build"), self.get_option("charts"))

    @_guarded
    def _last_words(self, pid: int) -> None:
        """After Ctrl-C no other hook is called. Forked workers stay silent."""
        if os.getpid() == pid:
            self._collector.stopped()
