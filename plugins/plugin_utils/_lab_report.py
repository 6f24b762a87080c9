# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everything that is wrong with a lab, from all its sources, as one result."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._features import unconfirmed_uses
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, report
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_hosts import check_hosts
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import merged_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import check_shape, lab_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import Render, place, plain_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import Platform

WHERE = "inventories/<lab>/group_vars/all/lab.yml holds it; docs/model.md explains it"


class Found(NamedTuple):
    """What reading the inventory's files brought: problems, and where each path is written."""

    problems: list[Problem]
    places: Mapping[str, tuple[str, int]]


def examine(
    raw: Any, render: Render, groups: Mapping[str, Any] | None, files: Found, platforms: Mapping[str, Platform]
) -> tuple[Any, list[Problem]]:
    """The plain lab and all its problems, each with its place in a file where that is known."""
    if raw is None:
        return None, [Problem("lab", NOTHING, "this variable is not defined", WHERE, "MISSING"), *files.problems]
    lab, problems = plain_lab(raw, render)
    if problems:
        failed = {problem.path for problem in problems}
        problems += [problem for problem in check_shape(lab, lab_spec(), "lab") if problem.path not in failed]
    else:
        problems = check_lab(lab, platforms)
        problems += check_hosts(lab, groups) if groups is not None and isinstance(lab, dict) else []
    return lab, _together(files, problems)


def _together(files: Found, problems: list[Problem]) -> list[Problem]:
    """The text of a file says more than the loaded value: of two about one path, the one with the line stays."""
    told = {problem.path for problem in files.problems}
    shape = ("WRONG_TYPE", "UNKNOWN_KEY", "NOT_A_CHOICE")
    rest = [problem for problem in problems if not (problem.path in told and problem.code in shape)]
    return files.problems + [place(problem, files.places) for problem in rest]


def unconfirmed_warnings(lab: Any, platforms: Mapping[str, Platform]) -> list[str]:
    """One sentence for each router that uses statements which no public source confirms."""
    found = []
    for router in lab["routers"]:
        if router.get("unconfirmed") is not True:
            continue
        profiles = [None, *(profile["name"] for profile in router_profiles(lab, router))]
        uses = [use for profile in profiles for use in unconfirmed_uses(merged_router(lab, router["name"], profile), platforms)]
        if uses:
            found.append(f"{router['name']}: no public source confirms how {router['platform']} writes {', '.join(dict.fromkeys(uses))} (unconfirmed: true)")
    return found


def summary(lab: Any, problems: list[Problem]) -> dict[str, Any]:
    """The part of the task's result that a person reads."""
    if problems:
        return {"failed": True, "msg": report(problems)}
    routers = [item["name"] for item in lab["routers"]]
    profiles = [item["name"] for item in lab.get("profiles") or []]
    return {"msg": f"Lab {lab['name']} is sound: {len(routers)} routers, {len(profiles)} profiles.", "routers": routers, "profiles": profiles}
