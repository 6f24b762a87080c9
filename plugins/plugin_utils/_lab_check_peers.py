# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Both ends of a tunnel, where both are routers of this lab: they must say the same."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_links import Owner, Routers
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import Section, own_address, safe
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem

Owners = Mapping[Any, list[Owner]]
IPSEC_AGREES = ("ike_version", "encryption", "dh_group")
OPENVPN_AGREES = ("protocol", "port", "cipher", "auth", "subnet")
MIRRORED = (("local_subnets", "remote_subnets"), ("remote_subnets", "local_subnets"))


def check_peers(routers: Routers, paths: Mapping[str, str], owners: Owners) -> list[Problem]:
    """Every tunnel that ends on another router of the lab, seen from both ends."""
    by_address = {str(ip): [place.device for place in places if place.device in routers] for ip, places in owners.items()}
    problems = []
    told: set[tuple[str, str]] = set()
    for name, router in routers.items():
        tunnels = router["tunnels"]
        for item in tunnels["ipsec"]:
            path = f"{paths[name]}.tunnels.ipsec[{item['name']}]"
            for other in _others(item["remote"], router, routers, by_address):
                # what differs is told at the first of the two ends
                if (other["name"], name) not in told:
                    problems += _check_ipsec(path, item, router, other)
                told.add((name, other["name"]))
        for item in tunnels["openvpn"]:
            path = f"{paths[name]}.tunnels.openvpn[{item['name']}]"
            for other in _others(item["remote"], router, routers, by_address):
                problems += _check_openvpn(path, item, other)
        for item in tunnels["wireguard"]:
            for peer in item["peers"]:
                path = f"{paths[name]}.tunnels.wireguard[{item['name']}].peers[{peer['name']}]"
                for other in _others(peer["endpoint"], router, routers, by_address):
                    problems += _check_wireguard(path, peer, item, other)
    return problems


def _others(remote: str | None, router: Section, routers: Routers, by_address: Mapping[str, list[str]]) -> Iterator[Section]:
    """The routers that have the peer's address, as far as the lab describes them whole."""
    for name in by_address.get(remote or "", []):
        other = routers[name]
        if other["managed"] and other["slot"] != router["slot"]:
            yield other


def _check_ipsec(path: str, item: Section, router: Section, other: Section) -> list[Problem]:
    own = {str(found.ip) for found in map(own_address, router["interfaces"]) if found}
    back = next((entry for entry in other["tunnels"]["ipsec"] if entry["remote"] in own), None)
    if back is None:
        message = f"router {other['name']} has this address and no IPsec connection back"
        return [Problem(f"{path}.remote", item["remote"], message, "a connection at both ends", "NO_PEER")]
    there = f"{other['name']}.{back['name']}"
    agreed = [*IPSEC_AGREES, *([] if "gcm" in item["encryption"] else ["integrity"]), "secret"]
    problems = _differences(path, item, back, there, agreed)
    for mine, theirs in MIRRORED:
        if _prefixes(item[mine]) != _prefixes(back[theirs]):
            message = f"{there} has {', '.join(back[theirs]) or 'none'} as its {theirs}"
            problems.append(Problem(f"{path}.{mine}", NOTHING, f"is {', '.join(item[mine])}, and {message}", "the same at both ends", "PEER_DIFFERS"))
    for mine, theirs in (("local_id", "remote_id"), ("remote_id", "local_id")):
        if item[mine] and back[theirs] and item[mine] != back[theirs]:
            message = f"differs from {theirs} {back[theirs]} of {there}"
            problems.append(Problem(f"{path}.{mine}", item[mine], message, "the same at both ends", "PEER_DIFFERS"))
    return problems


def _prefixes(texts: list[str]) -> set[Any]:
    return {safe(network, text) for text in texts}


def _check_openvpn(path: str, item: Section, other: Section) -> list[Problem]:
    servers = [entry for entry in other["tunnels"]["openvpn"] if entry["mode"] == "server"]
    if not servers:
        message = f"router {other['name']} has this address and no OpenVPN server"
        return [Problem(f"{path}.remote", item["remote"], message, "a server at the other end", "NO_PEER")]
    back = next((entry for entry in servers if entry["port"] == item["port"]), servers[0])
    return _differences(path, item, back, f"{other['name']}.{back['name']}", OPENVPN_AGREES)


def _check_wireguard(path: str, peer: Section, item: Section, other: Section) -> list[Problem]:
    ends = other["tunnels"]["wireguard"]
    if not ends:
        message = f"router {other['name']} has this address and no WireGuard interface"
        return [Problem(f"{path}.endpoint", peer["endpoint"], message, "an interface at the other end", "NO_PEER")]
    if peer["endpoint_port"] not in [entry["port"] for entry in ends]:
        valid = ", ".join(str(entry["port"]) for entry in ends)
        return [Problem(f"{path}.endpoint_port", peer["endpoint_port"], f"router {other['name']} does not listen there", valid, "PEER_DIFFERS")]
    back = next(entry for entry in ends if entry["port"] == peer["endpoint_port"])
    own, theirs = own_address(item), own_address(back)
    allowed = [net for net in (safe(network, text) for text in peer["allowed_ips"]) if net]
    if own and theirs and not any(theirs.ip in net for net in allowed):
        message = f"leaves out {theirs.ip}, the peer's own address in the tunnel"
        return [Problem(f"{path}.allowed_ips", NOTHING, message, f"a list with {theirs.ip}/32 or its subnet", "PEER_DIFFERS")]
    return []


def _differences(path: str, mine: Section, theirs: Section, there: str, keys: list[str] | tuple[str, ...]) -> list[Problem]:
    problems = []
    for key in keys:
        if mine[key] != theirs[key]:
            message = f"differs from {there}" + ("" if key == "secret" else f", which has {theirs[key]}")
            problems.append(Problem(f"{path}.{key}", mine[key], message, "the same at both ends", "PEER_DIFFERS"))
    return problems
