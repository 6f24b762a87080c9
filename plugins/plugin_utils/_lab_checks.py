# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab checked as a whole: every error at once, before anything is written.

The entry is ``check_lab``; what it calls lives in ``_lab_schema`` (shape) and in the
``_lab_check_*`` files (meaning).
"""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._features import check_platform
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_firewall import check_firewall
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_interfaces import check_interfaces, check_native_names
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_links import (
    check_duplicates,
    check_links,
    check_pools,
    check_router_names,
    check_slots,
    owners_of,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_networks import check_endpoints, check_lab_names, check_networks
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_peers import check_peers
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import (
    Context,
    check_dhcp,
    check_names,
    check_nat,
    check_ospf,
    check_rest,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_tunnels import check_shaper, check_tunnels
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_values import check_values
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError, Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_gather import Finding, gather
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import merged_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import check_shape, lab_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import DEFAULT_NAMES, Platform

Lab = Mapping[str, Any]
ROUTER_CHECKS = (
    check_names,
    check_interfaces,
    check_native_names,
    check_dhcp,
    check_ospf,
    check_nat,
    check_firewall,
    check_rest,
    check_shaper,
    check_tunnels,
)


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
    check = _Check(lab, platforms)
    for profile in [None, *(item["name"] for item in lab.get("profiles") or [])]:
        check.profile(profile)
    return check_lab_names(lab) + check_networks(lab) + check_endpoints(lab) + gather(check.found, lab)


class _Check:
    """The routers of a lab, first without a profile and then under each of them."""

    def __init__(self, lab: Lab, platforms: Mapping[str, Platform]) -> None:
        self.lab = lab
        self.platforms = platforms
        self.networks = {item["name"]: item for item in lab["networks"]}
        self.sizes = {name: item.get("mtu") or 1500 for name, item in self.networks.items()}
        self.base: dict[str, dict[str, Any]] = {}
        self.found: list[Finding] = []

    def profile(self, profile: str | None) -> None:
        """Check what a profile changes: the routers that take part, and what they have to do with all others."""
        routers: dict[str, dict[str, Any]] = {}
        changed = False
        for router in self.lab["routers"]:
            name = router["name"]
            taking_part = profile is None or any(item["name"] == profile for item in router_profiles(self.lab, router))
            routers[name] = self._merged(name, profile) if taking_part else self.base[name]
            if profile is None:
                self.base[name] = routers[name]
            elif routers[name] is self.base[name]:
                continue
            changed = True
            self._add(self._check_router(routers[name]), profile)
        if changed:
            self._add(self._check_whole(routers), profile)

    def _merged(self, name: str, profile: str | None) -> dict[str, Any]:
        """The router's section; the very one without a profile when the profile changes nothing."""
        merged = merged_router(self.lab, name, profile)
        base = self.base.get(name)
        return base if base is not None and {**merged, "profile": None} == base else merged

    def _check_router(self, router: dict[str, Any]) -> list[Problem]:
        path = f"lab.routers[{router['name']}]"
        platform = self.platforms.get(router["platform"] or "", {})
        context = Context(router, path, self.networks, platform.get("interface_names", DEFAULT_NAMES))
        problems = check_values(router, path, complete=router["managed"])
        for check in ROUTER_CHECKS:
            problems += check(context)
        return problems + check_platform(router, path, self.platforms, self.sizes)

    def _check_whole(self, routers: dict[str, dict[str, Any]]) -> list[Problem]:
        paths = {name: f"lab.routers[{name}]" for name in routers}
        owners = owners_of(self.lab, routers, paths)
        return [
            *check_duplicates(owners),
            *check_router_names(routers, paths),
            *check_links(self.lab, routers, paths),
            *check_pools(self.lab, routers, paths, owners),
            *check_peers(routers, paths, owners),
            *check_slots(routers, paths),
        ]

    def _add(self, problems: list[Problem], profile: str | None) -> None:
        self.found += [Finding(problem, profile) for problem in problems]
