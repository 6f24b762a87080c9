# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab checked as a whole: every error at once, before anything is written.

The entry is ``check_lab``; what it calls lives in ``_lab_schema`` (shape) and in the
other ``_lab_check_*`` files (meaning).
"""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._features import check_platform
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_firewall import check_firewall
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_links import (
    check_duplicates,
    check_endpoints,
    check_links,
    check_networks,
    check_slots,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import (
    Context,
    check_dhcp,
    check_interfaces,
    check_nat,
    check_ospf,
    check_rest,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_values import PLAIN_NAME, check_values
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import DEFAULT_NAMES, merged_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import check_shape, lab_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import Platform

Lab = Mapping[str, Any]
ROUTER_CHECKS = (check_interfaces, check_dhcp, check_ospf, check_nat, check_firewall, check_rest)


def require_lab(lab: Any, platforms: Mapping[str, Platform]) -> None:
    """Raise LabError with every problem of a lab; return when there is none."""
    problems = check_lab(lab, platforms)
    if problems:
        raise LabError(problems)


def check_lab(lab: Any, platforms: Mapping[str, Platform]) -> list[Problem]:
    """All problems of a lab. Meaning is looked at once the shape is right."""
    problems = check_shape(lab, lab_spec(), "lab")
    if problems:
        return problems
    problems = _check_names(lab) + check_networks(lab) + check_endpoints(lab)
    found = dict.fromkeys(str(problem) for problem in problems)
    for profile in [None, *(item["name"] for item in lab.get("profiles") or [])]:
        for problem in _check_profile(lab, profile, platforms):
            key = str(problem).replace(f" (profile {profile})", "")
            if key not in found:
                found[key] = None
                problems.append(problem)
    return problems


def _check_names(lab: Lab) -> list[Problem]:
    """Names that become folder names and host names; profiles that exist."""
    problems = []
    named = [("lab.name", lab["name"])]
    for kind in ("networks", "routers", "endpoints", "profiles"):
        named += [(f"lab.{kind}[{item['name']}].name", item["name"]) for item in lab.get(kind) or []]
    for path, name in named:
        try:
            PLAIN_NAME[0](name)
        except ValueError:
            problems.append(Problem(path, name, "is not well formed", PLAIN_NAME[1], "FORMAT"))
    known = [item["name"] for item in lab.get("profiles") or []]
    for reserved in {"base", "baseline"} & set(known):
        problems.append(Problem(f"lab.profiles[{reserved}].name", reserved, "is a reserved word", "another name", "RESERVED"))
    for router in lab["routers"]:
        for name in router.get("profiles") or []:
            if name not in known:
                path = f"lab.routers[{router['name']}].profiles"
                problems.append(Problem(path, name, "there is no profile of this name", choices(known, name), "UNDEFINED"))
    if not lab["routers"]:
        problems.append(Problem("lab.routers", [], "there is no router", "at least one router", "MISSING"))
    return problems


def _check_profile(lab: Lab, profile: str | None, platforms: Mapping[str, Platform]) -> list[Problem]:
    networks = {item["name"]: item for item in lab["networks"]}
    suffix = f" (profile {profile})" if profile else ""
    routers = {}
    paths = {}
    for router in lab["routers"]:
        if profile and profile not in [item["name"] for item in router_profiles(lab, router)]:
            continue
        routers[router["name"]] = merged_router(lab, router["name"], profile)
        paths[router["name"]] = f"lab.routers[{router['name']}]{suffix}"
    problems: list[Problem] = []
    for name, merged in routers.items():
        problems += check_values(merged, paths[name])
        platform = platforms.get(merged["platform"] or "", {})
        names = platform.get("interface_names", DEFAULT_NAMES)
        context = Context(merged, paths[name], networks, names["tagged"], names.get("max_length"))
        for check in ROUTER_CHECKS:
            problems += check(context)
        problems += check_platform(merged, paths[name], platforms)
    for whole in (check_duplicates, check_links):
        problems += whole(lab, routers, paths)
    return problems + check_slots(routers, paths)
