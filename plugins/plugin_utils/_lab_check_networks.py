# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What stands beside the routers: names, segments and endpoints."""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import Network, interface, network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import Section, safe, unknown
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_values import PLAIN_NAME, check_values
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles

RESERVED = {"profiles": ("base", "baseline"), "routers": ("profiles", "all"), "endpoints": ("all",)}
"""Words with a meaning of their own: folders of a build, an inventory's group, cells of a run."""


def check_lab_names(lab: Section) -> list[Problem]:
    """Names that become folder names and host names; profiles that exist and are used."""
    problems = []
    named = [("lab.name", lab["name"])]
    for kind in ("routers", "profiles"):
        named += [(f"lab.{kind}[{item['name']}].name", item["name"]) for item in lab.get(kind) or []]
    for path, name in named:
        if _malformed(name):
            problems.append(Problem(path, name, "is not well formed", PLAIN_NAME[1], "FORMAT"))
    for kind, words in RESERVED.items():
        for item in lab.get(kind) or []:
            if item["name"] in words:
                problems.append(Problem(f"lab.{kind}[{item['name']}].name", item["name"], "is a reserved word", "another name", "RESERVED"))
    endpoints = {item["name"] for item in lab.get("endpoints") or []}
    for router in lab["routers"]:
        if router["name"] in endpoints:
            path = f"lab.routers[{router['name']}].name"
            problems.append(Problem(path, router["name"], "an endpoint has this name too", "a host name of its own", "DUPLICATE_NAME"))
    if not lab["routers"]:
        problems.append(Problem("lab.routers", [], "there is no router", "at least one router", "MISSING"))
    return problems + _check_profiles(lab)


def _malformed(name: str) -> bool:
    try:
        PLAIN_NAME[0](name)
    except ValueError:
        return True
    return False


def _check_profiles(lab: Section) -> list[Problem]:
    problems = []
    known = [item["name"] for item in lab.get("profiles") or []]
    used: set[str] = set()
    for router in lab["routers"]:
        used.update(item["name"] for item in router_profiles(lab, router))
        for name in router.get("profiles") or []:
            if name not in known:
                path = f"lab.routers[{router['name']}].profiles"
                problems.append(Problem(path, name, "there is no profile of this name", choices(known, name), "UNDEFINED"))
    for name in known:
        if name not in used and lab["routers"]:
            path = f"lab.profiles[{name}]"
            problems.append(Problem(path, NOTHING, "no router takes part in this profile", "its name in the profiles of a router", "UNUSED_PROFILE"))
    return problems


def check_networks(lab: Section) -> list[Problem]:
    """Prefixes, tags and MTUs of the segments; none may overlap another."""
    problems = check_values({"networks": lab["networks"]}, "lab", complete=False)
    found = ((safe(network, item.get("subnet")), item["name"]) for item in lab["networks"])
    known: list[tuple[Network, str]] = sorted((subnet, name) for subnet, name in found if subnet)
    holding: list[tuple[Network, str]] = []
    for subnet, name in known:
        # sorted by first address, longer prefixes last: what may hold this one came before it
        holding = [pair for pair in holding if pair[0].broadcast_address >= subnet.network_address]
        for taken, other in holding:
            message = f"overlaps network {other} ({taken})"
            problems.append(Problem(f"lab.networks[{name}].subnet", str(subnet), message, "a prefix of its own", "OVERLAP"))
        holding.append((subnet, name))
    return problems


def check_endpoints(lab: Section) -> list[Problem]:
    """Traffic hosts sit in networks that exist, with addresses of them."""
    endpoints = lab.get("endpoints") or []
    problems = check_values({"endpoints": endpoints}, "lab", complete=False)
    networks = {item["name"]: item for item in lab["networks"]}
    for item in endpoints:
        path = f"lab.endpoints[{item['name']}]"
        name = item.get("network") or item["name"]
        if name not in networks:
            problems.append(unknown(f"{path}.network", name, "network", networks))
        subnet = safe(network, (networks.get(name) or {}).get("subnet"))
        own = safe(interface, item.get("address"))
        if not item.get("address") and not item.get("lease"):
            problems.append(Problem(f"{path}.address", NOTHING, "is required and missing", "A.B.C.D/L, or lease: true", "MISSING"))
        if own and subnet and own.network != subnet:
            problems.append(Problem(f"{path}.address", item["address"], f"is not in network {name}", f"an address of {subnet}", "OUTSIDE_NETWORK"))
        elif own and own.network.prefixlen < 31 and own.ip in (own.network.network_address, own.network.broadcast_address):
            message = "is the network's or the broadcast address"
            problems.append(Problem(f"{path}.address", item["address"], message, f"a host address of {own.network}", "NOT_A_HOST"))
    return problems + _check_second_path(endpoints, networks)


def _check_second_path(endpoints: list[Section], networks: Mapping[str, Section]) -> list[Problem]:
    """The segment that endpoints share for the baseline: one subnet, which no network has."""
    problems = []
    own = [(f"lab.endpoints[{item['name']}].l2_address", safe(interface, item.get("l2_address"))) for item in endpoints]
    owners: dict[Any, str] = {}
    first = next((address for _path, address in own if address), None)
    for path, address in own:
        if address is None or first is None:
            continue
        if owners.setdefault(address.ip, path) != path:
            problems.append(Problem(path, str(address), f"the same address as {owners[address.ip]}", "an address of its own", "DUPLICATE_ADDRESS"))
        if address.network != first.network:
            message = "is in another subnet than the first of these addresses"
            problems.append(Problem(path, str(address), message, f"an address of {first.network}", "OUTSIDE_NETWORK"))
    for name, item in networks.items():
        subnet = safe(network, item.get("subnet"))
        if first and subnet and first.network.overlaps(subnet):
            message = f"this second path overlaps network {name} ({subnet})"
            problems.append(Problem(next(path for path, address in own if address), str(first), message, "a subnet of its own", "OVERLAP"))
    return problems
