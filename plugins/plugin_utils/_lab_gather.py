# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From findings on every router under every profile to a list that a person can read.

A mistake in ``common`` is found on each router, and one in a profile on each router that
takes part: each is told once, at the place where it is written.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Iterable, Iterator, Mapping, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import find_named

_ROUTER = re.compile(r"lab\.routers\[([^]]*)\](.*)")
_STEP = re.compile(r"\.([A-Za-z0-9_]+)|\[([^]]*)\]")


class Finding(NamedTuple):
    """A problem of the merged routers, and the profile under which it was found."""

    problem: Problem
    profile: str | None


def gather(found: Iterable[Finding], lab: Mapping[str, Any]) -> list[Problem]:
    """The problems, each once, with the path at which it is written and the routers that it is about."""
    told: set[tuple[Any, ...]] = set()
    groups: dict[tuple[Any, ...], tuple[Problem, list[str]]] = {}
    for problem, profile in found:
        rest = (repr(problem.value), problem.message, problem.valid)
        if (problem.path, *rest) in told:
            continue
        told.add((problem.path, *rest))
        path, router = _source(problem.path, profile, lab)
        groups.setdefault((path, *rest), (dataclasses.replace(problem, path=path), []))[1].extend(router)
    return [_about(problem, routers) for problem, routers in groups.values()]


def _about(problem: Problem, routers: list[str]) -> Problem:
    """What is written once for many says for whom it is wrong."""
    if not routers:
        return problem
    names = ", ".join(routers[:3]) + (f" and {len(routers) - 3} more" if len(routers) > 3 else "")
    return dataclasses.replace(problem, message=f"{problem.message} (router{'s' if len(routers) > 1 else ''} {names})")


def _source(path: str, profile: str | None, lab: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Where something is written: the profile, the router, or ``common``; and the router when it is not told by the place."""
    match = _ROUTER.fullmatch(path)
    if match is None:
        return path, []
    name, rest = match.groups()
    router = find_named(lab["routers"], name) or {}
    changes = (find_named(router_profiles(lab, router), profile) or {}).get("changes") or {}
    for steps in _upwards(rest):
        if profile and _written(changes, steps):
            return f"lab.profiles[{profile}].changes{rest}", [name]
        if _written(router, steps):
            break
        if _written(lab.get("common") or {}, steps):
            return f"lab.common{rest}", [name]
    return (f"lab.routers[{name}] (profile {profile}){rest}" if profile else path), []


def _upwards(rest: str) -> Iterator[list[tuple[str, str]]]:
    """A path as steps, then without its last step, and so on."""
    steps = _STEP.findall(rest)
    for length in range(len(steps), 0, -1):
        yield steps[:length]


def _written(value: Any, steps: list[tuple[str, str]]) -> bool:
    """Whether steps lead to something that is written there."""
    for key, item in steps:
        if key:
            value = value.get(key) if isinstance(value, Mapping) else None
        elif isinstance(value, list):
            value = find_named(value, item) if not item.isdigit() else _at(value, int(item))
        if value is None:
            return False
    return True


def _at(items: list[Any], index: int) -> Any:
    return items[index] if index < len(items) else None
