# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab against the inventory: both name the same routers and endpoints."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import Problem, choices


def check_hosts(lab: Mapping[str, Any], groups: Mapping[str, Iterable[str]]) -> list[Problem]:
    """Routers of group ``routers`` and endpoints of group ``endpoints`` are those of the lab."""
    problems = []
    for group in ("routers", "endpoints"):
        hosts = [str(host) for host in groups.get(group) or []]
        items = [item for item in lab.get(group) or [] if isinstance(item, Mapping) and isinstance(item.get("name"), str)]
        needed = [item["name"] for item in items if item.get("managed") is not False]
        known = [item["name"] for item in items]
        for name in needed:
            if name not in hosts:
                message = f"is no host of inventory group {group}"
                problems.append(Problem(f"lab.{group}[{name}].name", name, message, choices(hosts, name), "NO_HOST"))
        for host in hosts:
            if host not in known:
                message = f"inventory group {group} has this host, and lab.{group} has not"
                problems.append(Problem(f"groups.{group}", host, message, choices(known, host), "NOT_IN_LAB"))
    return problems
