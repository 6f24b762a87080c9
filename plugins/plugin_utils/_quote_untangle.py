# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of Untangle: a value of JSON, a lab in Untangle's words, a file held against its classes."""

from __future__ import annotations

import json
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError, one_line
from ansible_collections.routerlab.bench.plugins.plugin_utils._untangle_interfaces import device_list, interface_list
from ansible_collections.routerlab.bench.plugins.plugin_utils._untangle_routing import nat_list, ospf_lists, route_list
from ansible_collections.routerlab.bench.plugins.plugin_utils._untangle_rules import rule_lists
from ansible_collections.routerlab.bench.plugins.plugin_utils._untangle_schema import to_java

FORBIDDEN_DOMAINS = ("untangle.com", "edge.arista.com")


def value(given: Any) -> str:
    """A value of JSON: a text in quotes, a number, true, false, null."""
    if isinstance(given, str):
        one_line("Untangle's settings", given)
    return json.dumps(given)


def settings(model: Mapping[str, Any]) -> dict[str, Any]:
    """The lists that a file of settings is printed from; every reason why there cannot be one at once."""
    problems: list[str] = []
    interfaces = interface_list(model, problems)
    numbers = {item["own"]["name"]: item["id"] for item in interfaces if item["own"]}
    found = {
        "interfaces": interfaces,
        "devices": device_list(model, problems),
        "ospf": ospf_lists(model, problems),
        "nat": nat_list(model, numbers),
        "routes": route_list(model, problems),
        **rule_lists(model, numbers, problems),
    }
    problems += _refused(model, interfaces)
    if problems:
        raise QuoteError("Untangle cannot say this: " + "; ".join(dict.fromkeys(problems)))
    return found


def _refused(model: Mapping[str, Any], interfaces: list[dict[str, Any]]) -> list[str]:
    """What is no matter of one list alone."""
    found = []
    system = model["system"]
    if system["ssh"]["enabled"] and system["ssh"]["port"] != 22:
        found.append(f"system.ssh.port: only 22 on Untangle, not {system['ssh']['port']}")
    if system["domain"] in FORBIDDEN_DOMAINS:
        found.append(f"system.domain: Untangle refuses {system['domain']} itself")
    for pool in model["dhcp"]["pools"]:
        for key in ("dns", "gateway"):
            if not pool[key]:
                found.append(f"dhcp.pools[{pool['name']}].{key}: where none is given, Untangle hands out its own address")
    for queue in model["shaper"]["queues"]:
        path = f"shaper.queues[{queue['name']}]"
        if not queue["upload_kbit"] or not queue["download_kbit"]:
            found.append(f"{path}: Untangle shapes both directions, and needs upload_kbit and download_kbit")
        if queue["overhead"]:
            found.append(f"{path}.overhead: Untangle counts packets as they are, without bytes of their carrier; only 0, not {queue['overhead']}")
        if queue["diffserv"]:
            found.append(f"{path}.diffserv: Untangle sorts packets by rules, and this room writes none")
    if model["shaper"]["enabled"]:
        bare = [item["own"]["name"] for item in interfaces if item["wan"] and not item["queue"]]
        found += [f"shaper.queues: Untangle shapes all its WANs or none, and {name} has no queue" for name in bare]
    return found


def java(text: str, model: Mapping[str, Any], name: str) -> str:
    """A file of settings, each object with its class, each property known to the version; every mistake at once."""
    try:
        given = json.loads(text)
    except ValueError as error:
        raise QuoteError(f"this is no JSON: {error}") from error
    made, problems = to_java(given, name, model["dialect"])
    if problems:
        raise QuoteError(f"Untangle {model['dialect']} does not take this: " + "; ".join(problems))
    return json.dumps(made, indent=1) + "\n"


QUOTES: dict[str, Callable[..., Any]] = {
    "untangle": value,
    "untangle_java": java,
    "untangle_settings": settings,
}
