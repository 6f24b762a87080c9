# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A search for loss-bounded rates: the MLRsearch library decides what is tried next, a generator tries it.

The library is deterministic: a search that was interrupted is made again from the runs that it had, and goes on.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import Entry, Goals, SearchFailed

Generate = Callable[[int, float], Entry]


class Bounds(NamedTuple):
    """What was found for one goal. C(pps) is what was forwarded at the lower bound; None where nothing was found."""

    loss: float
    lower: float | None
    upper: float | None
    pps: float | None
    measured: float | None
    throughput: float | None
    upper_irregular: bool


@dataclass
class Found:
    """The end of a search."""

    bounds: list[Bounds]
    entries: list[Entry]
    reasons: list[dict[str, str]]


def library_version() -> str | None:
    """Version of MLRsearch on this controller, or None."""
    try:
        return metadata.version("MLRsearch")
    except metadata.PackageNotFoundError:
        return None


def missing_library() -> list[str]:
    """A sentence when the library is not there."""
    return [] if library_version() else ["the Python library MLRsearch is not installed on the controller: pip install MLRsearch"]


class Journal:
    """The runs of a search in a file, one a line, flushed: what an interrupted search is made again from."""

    def __init__(self, path: str | Path | None, question: dict[str, Any]) -> None:
        self.path = Path(path) if path else None
        self.question = json.loads(json.dumps(question, sort_keys=True))
        self.kept = list(self._read())

    def _read(self) -> Iterator[dict[str, Any]]:
        """The runs of this very search; those of another one, and half a line, are no use."""
        if self.path is None or not self.path.is_file():
            return
        lines = self.path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            try:
                item = json.loads(line)
                if number == 0 and item != {"question": self.question}:
                    return
                if number:
                    entry = Entry(**{**item["entry"], "irregular": tuple(item["entry"]["irregular"])})
                    yield {"entry": entry, "raw": list(item["raw"]), "about": dict(item["about"])}
            except (ValueError, TypeError, KeyError):
                return

    def _write(self, lines: Iterable[dict[str, Any]], mode: str) -> None:
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, mode, encoding="utf-8") as stream:
            for line in lines:
                stream.write(json.dumps(line, allow_nan=False) + "\n")
            stream.flush()
            os.fsync(stream.fileno())

    def begin(self) -> None:
        """Write anew what is kept, so that half a line at the end does not stay."""
        self._write([{"question": self.question}] + [{**item, "entry": asdict(item["entry"])} for item in self.kept], "w")

    def add(self, entry: Entry, raw: list[dict[str, str]], about: Mapping[str, Any]) -> None:
        """Keep one more run, with what it was made with."""
        self._write([{"entry": asdict(entry), "raw": raw, "about": {key: about.get(key) for key in ("argv", "versions", "conditions", "flags")}}], "a")


class Runner:
    """Hands out what is known already, then makes new runs; and says when it is enough."""

    def __init__(self, goals: Goals, generate: Generate, known: Iterable[Entry] = ()) -> None:
        self.goals, self.generate = goals, generate
        self.known = list(known)
        self.entries: list[Entry] = []
        self._until = time.monotonic() + goals.max_seconds

    def run(self, seconds: float, pps: float) -> Entry:
        """One run. Raises SearchFailed."""
        whole = max(1, math.ceil(seconds - 1e-9))
        number = len(self.entries)
        if number < len(self.known) and (self.known[number].seconds, self.known[number].intended_pps) == (whole, pps):
            entry = self.known[number]
        else:
            self.known = []
            if number >= self.goals.max_runs:
                raise SearchFailed([{"code": "MAX_RUNS", "detail": f"{number} runs made, the bounds are not close enough yet"}])
            if time.monotonic() > self._until:
                raise SearchFailed([{"code": "MAX_SECONDS", "detail": f"the search took more than {self.goals.max_seconds:g} s"}])
            entry = self.generate(whole, pps)
        self.entries.append(entry)
        return entry


def search(goals: Goals, generate: Generate, known: Iterable[Entry] = ()) -> Found:
    """The bounds of each goal. Needs the library; never raises for what a run returns."""
    from MLRsearch import AbstractMeasurer, Config, MeasurementResult, MultipleLossRatioSearch, SearchGoal

    runner = Runner(goals, generate, known)

    class Measurer(AbstractMeasurer):
        """What the library asks."""

        def measure(self, intended_duration: float, intended_load: float) -> Any:
            entry = runner.run(intended_duration, intended_load)
            return MeasurementResult(intended_duration, intended_load, offered_count=entry.sent, loss_count=entry.lost, intended_count=entry.intended)

    wanted = [_library_goal(SearchGoal, goals, loss) for loss in goals.losses]
    config = Config()
    config.goals, config.search_duration_max, config.warmup_duration = wanted, goals.max_seconds, None
    # in this order: each is checked against the other one's default
    config.min_load = goals.min_pps
    config.max_load = goals.max_pps
    try:
        results = MultipleLossRatioSearch(config).search(Measurer(), debug=lambda _text: None)
    except SearchFailed as failed:
        return Found([], runner.entries, failed.reasons)
    except RuntimeError as error:  # the library's own way to say that it gives up
        return Found([], runner.entries, [{"code": "SEARCH_FAILED", "detail": str(error)}])
    bounds = [_bounds(loss, results[goal], runner.entries, goals) for loss, goal in zip(goals.losses, wanted)]
    return Found(bounds, runner.entries, [])


def _library_goal(kind: Any, goals: Goals, loss: float) -> Any:
    """A goal as the library has it; between the first and the final seconds it doubles them once or twice."""
    growth = goals.final_seconds / goals.initial_seconds
    return kind(
        loss_ratio=loss, exceed_ratio=goals.exceed, relative_width=goals.width, initial_trial_duration=float(goals.initial_seconds),
        final_trial_duration=float(goals.final_seconds), duration_sum=float(goals.sum_seconds), preceding_targets=2 if growth >= 4 else 1, fail_fast=False,
    )


def _bounds(loss: float, result: Any, entries: list[Entry], goals: Goals) -> Bounds:
    lower = None if result.relevant_lower_bound is None else float(result.relevant_lower_bound)
    upper = None if result.relevant_upper_bound is None else float(result.relevant_upper_bound)
    at_lower = [entry for entry in entries if entry.intended_pps == lower and entry.seconds >= goals.final_seconds and entry.loss_ratio <= loss]
    least = min(at_lower, key=lambda entry: (entry.sent - entry.lost) / entry.seconds, default=None)
    irregular = any(entry.irregular for entry in entries if entry.intended_pps == upper and entry.loss_ratio > loss)
    if least is None:
        return Bounds(loss, lower, upper, None, None, None, irregular)
    return Bounds(loss, lower, upper, (least.sent - least.lost) / least.seconds, least.pps_measured, least.throughput, irregular)
