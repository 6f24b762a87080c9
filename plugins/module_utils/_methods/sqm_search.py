# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The highest shaper target that a router sustains: a search that is asked for the next run and told its result.

It holds no state but the runs so far: a search that was interrupted is made again from them and goes on where it was.
"""

from __future__ import annotations

from typing import Any, Dict, Generator, Iterable, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_book import Book, Ended, Entry, Request
from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_bracket import bracket
from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_classic import classic
from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_rules import FAILED, Run, Settings


class SearchError(ValueError):
    """Settings that cannot be used, or runs that belong to another search."""


class Search:
    """C(next) is the run to make, or None when the search is over; C(tell) takes its result."""

    def __init__(self, settings: Settings, runs: Iterable[Run] = ()) -> None:
        problems = settings.problems()
        if problems:
            raise SearchError("; ".join(problems))
        self.settings = settings
        self.book = Book(settings)
        self.ended: Optional[Ended] = None
        self._course: Generator[Request, Run, None] = (classic if settings.mode == "classic" else bracket)(self.book)
        self.next: Optional[Request] = self._advance(None)
        for number, run in enumerate(runs, 1):
            self._replay(number, run)

    def _advance(self, run: Optional[Run]) -> Optional[Request]:
        try:
            return next(self._course) if run is None else self._course.send(run)
        except StopIteration:
            return None
        except Ended as ended:
            self.ended = ended
            return None

    def _replay(self, number: int, run: Run) -> None:
        if self.next is None:
            raise SearchError("runs: the search was over before run %d" % number)
        if run.get("target") != self.next.target:
            raise SearchError("runs: run %d was made at target %s, this search asks for %s" % (number, run.get("target"), self.next.target))
        self.tell(run)

    def tell(self, run: Run) -> None:
        """The result of the run that was asked for."""
        if self.next is None:
            raise SearchError("the search is over, no run was asked for")
        self.next = self._advance(dict(run))

    def result(self) -> Dict[str, Any]:
        """What is known now: plain data."""
        found, reasons = self.book.found, []
        if self.ended:
            reasons = [{"code": self.ended.code, "detail": self.ended.detail}]
        elif self.next:
            reasons = [{"code": "SEARCH_UNFINISHED", "detail": "%d runs made" % len(self.book.entries)}]
        flags: List[Dict[str, str]] = list(found.flags)
        if self.book.failed:
            flags.append({"code": "RUNS_FAILED", "detail": "%d of %d" % (self.book.failed, len(self.book.entries))})
        if found.ping_answered and found.with_ping is None:
            flags.append({"code": "PING_NEVER_BELOW", "detail": "no target has a ping below %g ms" % (self.settings.ping_limit_ms or 0)})
        return {
            "valid": not reasons and found.best is not None,
            "reasons": reasons,
            "flags": flags,
            "unshaped": _answer(found.unshaped),
            "best": None if reasons and reasons[0]["code"] != "MAX_RUNS" else _answer(found.best),
            "with_ping": _answer(found.with_ping),
            "limited": any(flag["code"] == "L" for flag in flags),
            "runs": len(self.book.entries),
            "shaped_runs": sum(entry.run["target"] is not None for entry in self.book.entries),
            "trace": [_line(entry) for entry in self.book.entries],
        }


def _answer(entry: Optional[Entry]) -> Optional[Dict[str, Any]]:
    """The run that was selected: what it achieved, not only its target."""
    if entry is None:
        return None
    verdict = entry.verdict
    return {"target": entry.run["target"], "throughput": verdict.total, "ping_ms": verdict.ping_ms, "cov": verdict.cov, "sd": verdict.sd}


def _line(entry: Entry) -> Dict[str, Any]:
    return {
        "stage": entry.stage,
        "target": entry.run["target"],
        "outcome": entry.outcome,
        "why": list(entry.verdict.why),
        "throughput": None if entry.verdict.outcome == FAILED else entry.verdict.total,
        "ping_ms": entry.verdict.ping_ms,
        "cov": entry.verdict.cov,
    }
