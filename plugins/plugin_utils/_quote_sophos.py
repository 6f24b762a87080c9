# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of Sophos: a text in an element of the API, a name there, and a lab as lists of entities."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import SHOWN, QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_xml import xml
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_network import interface_list, pool_list, route_list, system_problems, tunnel_list
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_objects import Objects
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_rules import nat_list, rule_list
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_zones import zone_list, zone_names


def text(given: Any, longest: int = 255) -> str:
    """The content of an element, of so many characters at most."""
    own = str(given)
    if len(own) > longest:
        raise QuoteError(f"{own[:SHOWN]!r}... cannot be written for Sophos: it has {len(own)} characters, and {longest} are allowed there")
    return xml(own)


def name(given: Any, longest: int = 60) -> str:
    """The name of an entity: a comma would part it in two."""
    own = str(given)
    if "," in own or own.startswith("#"):
        raise QuoteError(f"{own[:SHOWN]!r} cannot be a name on Sophos: no comma, and no # at its beginning")
    return text(own, longest)


def word(given: Any) -> str:
    """One word of the console."""
    if not re.fullmatch(r"[A-Za-z0-9_.:-]+", str(given)):
        raise QuoteError(f"{str(given)[:SHOWN]!r} is no word for the console of Sophos: letters, digits and _ . : - only")
    return str(given)


def request(model: Mapping[str, Any]) -> dict[str, Any]:
    """The lists of entities that a request is printed from; every reason why there cannot be one at once."""
    problems: list[str] = []
    objects = Objects()
    names = zone_names(model, problems)
    found = {
        "interfaces": interface_list(model, names, problems),
        **zone_list(model, names, objects, problems),
        "pools": pool_list(model, names, problems),
        "routes": route_list(model, problems),
        "rules": rule_list(model, names, objects, problems),
        "nat": nat_list(model, objects),
        "tunnels": tunnel_list(model, names, objects, problems),
        "hosts": list(objects.hosts.values()),
        "services": list(objects.services.values()),
    }
    new = [zone for zone in found["zones"] if not zone["stock"]]
    found["adds_first"] = bool(found["hosts"] or found["services"] or found["exceptions"] or new)
    found["updates_first"] = len(new) < len(found["zones"]) or any(not item["tagged"] for item in found["interfaces"])
    problems += system_problems(model)
    if problems:
        raise QuoteError("Sophos cannot say this: " + "; ".join(dict.fromkeys(problems)))
    return found


QUOTES: dict[str, Callable[..., Any]] = {
    "sophos": text,
    "sophos_name": name,
    "sophos_request": request,
    "sophos_word": word,
}
