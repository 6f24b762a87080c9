# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tunnels and shaped interfaces of one router."""

from __future__ import annotations

import itertools
from typing import Any, Iterable

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import Network, network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_router import Context, own_address, safe, unknown
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem


def check_shaper(ctx: Context) -> list[Problem]:
    """Queues lie on interfaces or tunnels that exist, with a rate."""
    shaper = ctx.section["shaper"]
    if not shaper["enabled"]:
        return []
    problems = []
    if not shaper["queues"] and ctx.managed:
        problems.append(Problem(ctx.at("shaper.queues"), [], "the shaper is enabled and shapes nothing", "at least one queue", "MISSING"))
    known = {*ctx.interfaces, *ctx.tunnel_names}
    for queue in shaper["queues"]:
        path = ctx.at(f"shaper.queues[{queue['name']}]")
        if queue["name"] not in known:
            problems.append(unknown(f"{path}.name", queue["name"], "interface or tunnel", known))
        if ctx.managed and queue["upload_kbit"] is None and queue["download_kbit"] is None:
            message = "neither direction has a rate"
            problems.append(Problem(f"{path}.upload_kbit", NOTHING, message, "upload_kbit, download_kbit, or both", "MISSING"))
    return problems


def check_tunnels(ctx: Context) -> list[Problem]:
    """WireGuard, OpenVPN and IPsec, each for itself, and the ports that they share."""
    return _check_ports(ctx) + _check_wireguard(ctx) + _check_openvpn(ctx) + _check_ipsec(ctx) + _check_subnets(ctx)


def _check_ports(ctx: Context) -> list[Problem]:
    tunnels = ctx.section["tunnels"]
    listening = [("udp", item["port"], f"tunnels.wireguard[{item['name']}]") for item in tunnels["wireguard"]]
    listening += [(i["protocol"], i["port"], f"tunnels.openvpn[{i['name']}]") for i in tunnels["openvpn"] if i["mode"] == "server"]
    problems = []
    taken: dict[tuple[str, int], str] = {}
    for protocol, port, path in listening:
        if (protocol, port) in taken:
            message = f"{taken[protocol, port]} listens on this {protocol} port"
            problems.append(Problem(ctx.at(f"{path}.port"), port, message, "a port of its own", "PORT_TAKEN"))
        taken.setdefault((protocol, port), path)
    return problems


def _check_wireguard(ctx: Context) -> list[Problem]:
    problems = []
    for item in ctx.section["tunnels"]["wireguard"]:
        keys: dict[str, str] = {}
        ranges: list[tuple[str, Network]] = []
        for peer in item["peers"]:
            path = ctx.at(f"tunnels.wireguard[{item['name']}].peers[{peer['name']}]")
            key = peer["public_key"]
            if key and keys.setdefault(key, peer["name"]) != peer["name"]:
                message = f"peer {keys[key]} has the same key"
                problems.append(Problem(f"{path}.public_key", key, message, "each peer's own key", "DUPLICATE"))
            mine = [net for net in (safe(network, text) for text in peer["allowed_ips"]) if net]
            problems += _overlaps(f"{path}.allowed_ips", mine, ranges)
            ranges += [(f"peer {peer['name']}", net) for net in mine]
    return problems


def _overlaps(path: str, mine: Iterable[Network], others: Iterable[tuple[str, Network]]) -> list[Problem]:
    """WireGuard sends a packet to one peer only."""
    return [
        Problem(path, str(net), f"overlaps {other} of {owner}", "prefixes of one peer only", "OVERLAP")
        for net in mine
        for owner, other in others
        if net.overlaps(other)
    ]


def _check_openvpn(ctx: Context) -> list[Problem]:
    problems = []
    for item in ctx.section["tunnels"]["openvpn"]:
        path = ctx.at(f"tunnels.openvpn[{item['name']}]")
        if item["mode"] == "client" and not item["remote"] and ctx.managed:
            problems.append(Problem(f"{path}.remote", NOTHING, "a client needs the server's address", "an IPv4 address", "MISSING"))
        inside = safe(network, item["subnet"])
        if inside and inside.num_addresses < 2:
            problems.append(Problem(f"{path}.subnet", item["subnet"], "has no room for two ends", "a prefix of length 31 or shorter", "NOT_A_HOST"))
        if item["mode"] == "server" and item["remote"]:
            problems.append(Problem(f"{path}.remote", item["remote"], "a server calls nobody", "no remote, or mode: client", "CONTRADICTION"))
    return problems


def _check_ipsec(ctx: Context) -> list[Problem]:
    problems = []
    for item in ctx.section["tunnels"]["ipsec"]:
        path = ctx.at(f"tunnels.ipsec[{item['name']}]")
        outside = ctx.interfaces.get(item["interface"])
        if item["interface"] and outside is None:
            problems.append(unknown(f"{path}.interface", item["interface"], "interface", ctx.interfaces))
        own = own_address(outside) if outside else None
        if outside and outside["address"] == "dhcp" and not item["local_id"]:
            message = "the interface's address is not known in advance"
            problems.append(Problem(f"{path}.local_id", NOTHING, message, "an identity of its own", "MISSING"))
        if own and item["remote"] == str(own.ip):
            problems.append(Problem(f"{path}.remote", item["remote"], "is this router itself", "the peer's address", "CONTRADICTION"))
        local = [("this side", net) for net in (safe(network, text) for text in item["local_subnets"]) if net]
        remote = [net for net in (safe(network, text) for text in item["remote_subnets"]) if net]
        problems += [
            Problem(f"{path}.remote_subnets", str(net), f"overlaps {other} of {owner}", "prefixes of the other side only", "OVERLAP")
            for net in remote
            for owner, other in local
            if net.overlaps(other)
        ]
    return problems


def _check_subnets(ctx: Context) -> list[Problem]:
    """The inside of a tunnel is a subnet of its own."""
    tunnels = ctx.section["tunnels"]
    inside: list[tuple[str, str, Any]] = []
    for item in tunnels["wireguard"]:
        own = own_address(item)
        inside.append((f"tunnels.wireguard[{item['name']}].address", item["address"], own.network if own else None))
    for item in tunnels["openvpn"]:
        inside.append((f"tunnels.openvpn[{item['name']}].subnet", item["subnet"], safe(network, item["subnet"])))
    problems = []
    for (path, text, net), (other_path, _text, other) in itertools.permutations(inside, 2):
        if net and other and net.overlaps(other) and path > other_path:
            problems.append(Problem(ctx.at(path), text, f"overlaps {other} of {other_path}", "a subnet of its own", "OVERLAP"))
    for path, text, net in inside:
        for name, segment in ctx.networks.items():
            subnet = safe(network, segment.get("subnet"))
            if net and subnet and net.overlaps(subnet):
                problems.append(Problem(ctx.at(path), text, f"overlaps network {name} ({subnet})", "a subnet of its own", "OVERLAP"))
    return problems
