# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stepwise search of write-up 003: down in coarse steps, up in finer ones, and down again when the ping is too high."""

from __future__ import annotations

from typing import Callable, Generator, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_book import Book, Ended, Entry, Request
from ansible_collections.routerlab.bench.plugins.module_utils._methods.sqm_rules import ACCEPTED, Run, Tally, down_factor, first_target, stepped

# An ascent that rejects its first target begins again this many steps lower, and not for ever.
BACK_STEPS = 4
MOST_BACKS = 3

Asked = Generator[Request, Run, Optional[Entry]]


def _settle(book: Book, target: float, stage: str, bad_runs: int, ping: bool = False) -> Asked:
    """Runs at one target until it is accepted (then the deciding run is returned) or rejected."""
    tally = Tally()
    while True:
        entry = yield from book.ask(target, stage, ping)
        tally.outcomes.append(entry.outcome)
        verdict = tally.verdict(bad_runs)
        if verdict:
            return entry if verdict == ACCEPTED else None


def descend(book: Book, start: float, stage: str, factor: Callable[[float], float], bad_runs: int, ping: bool = False) -> Asked:
    """Down from C(start) to the first accepted target; None when there is none above the lower limit."""
    target = start
    while target >= book.settings.lower:
        entry = yield from _settle(book, target, stage, bad_runs, ping)
        if entry:
            return entry
        target = stepped(target, factor(target))
    return None


def ascend(book: Book, start: float, stage: str, factor: float) -> Asked:
    """Up from C(start), which is tested again, to the last target before the first rejected one."""
    accepted: Optional[Entry] = None
    target, backs = start, 0
    while True:
        entry = yield from _settle(book, target, stage, bad_runs=2)
        if entry is None and accepted is not None:
            return accepted
        if entry is None:
            target, backs = stepped(target, factor ** -BACK_STEPS), backs + 1
            if backs > MOST_BACKS or target < book.settings.lower:
                raise Ended("UNSTABLE", "no target near %g is accepted twice" % start)
            continue
        accepted = entry
        following = stepped(target, factor)
        if following > book.settings.upper:
            book.found.flag("UPPER_LIMIT", "%g Mbit/s is accepted, and more is not tried" % target)
            return accepted
        target = following


def classic(book: Book) -> Generator[Request, Run, None]:
    """The whole search; what it finds stands in the book."""
    found = book.found
    unshaped = yield from book.unshaped()
    first = yield from descend(book, first_target(unshaped.verdict.total or 0.0, book.settings), "down", down_factor, bad_runs=1)
    if first is None:
        raise Ended("NO_TARGET", "no target down to %g Mbit/s is accepted" % book.settings.lower)
    stages: List[float] = [1.15, 1.05]
    entry: Entry = first
    for number, factor in enumerate(stages):
        risen = yield from ascend(book, entry.run["target"], ("up", "fine")[number], factor)
        entry = risen or entry
    found.best = entry
    yield from book.look_for_plateau()
    if book.wants_ping_search():
        found.with_ping = yield from descend(book, entry.run["target"], "ping", lambda target: 0.95, bad_runs=2, ping=True)
        found.ping_answered = True
