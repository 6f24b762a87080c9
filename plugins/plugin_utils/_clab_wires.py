# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The wires of a lab for containerlab, whose links have two ends each.

A network with two untagged members is one link. Everything else (VLAN tags, more than two members, the second path of the
endpoints) meets in one node, a Linux bridge that filters VLANs.
"""

from __future__ import annotations

from typing import Iterable, Mapping, NamedTuple

SWITCH = "switch"
L2 = "l2"
"""The segment that endpoints share without a router; never the name of a network here, as it has a space of its own."""
LAST_VLAN = 4094


class Port(NamedTuple):
    """One end of a wire at a node: the networks that arrive untagged (one or none) and tagged."""

    node: str
    native: str
    untagged: str | None
    tagged: tuple[str, ...]
    mtu: int


class Wires(NamedTuple):
    """Links as C((node:port, node:port), mtu), and what the switch has to run; no switch when nothing needs one."""

    links: list[tuple[tuple[str, str], int]]
    commands: list[str]


def lay(ports: Iterable[Port], vlans: Mapping[str, int]) -> Wires:
    """Wires for ports. ``vlans`` are the tags of those networks that have one."""
    known = list(ports)
    tags = vlan_tags(known, vlans)
    links: list[tuple[tuple[str, str], int]] = []
    direct: set[str] = set()
    for network in tags:
        members = [port for port in known if network == port.untagged or network in port.tagged]
        if len(members) == 2 and not any(port.tagged for port in members):
            links.append(((_end(members[0]), _end(members[1])), min(port.mtu for port in members)))
            direct.add(network)
    commands: list[str] = []
    for port in known:
        if port.untagged in direct and not port.tagged:
            continue
        number = sum(1 for ends, _mtu in links if ends[1].startswith(f"{SWITCH}:")) + 1
        links.append(((_end(port), f"{SWITCH}:eth{number}"), port.mtu))
        commands += _attach(f"eth{number}", port, tags)
    return Wires(links, [*_bridge(), *commands] if commands else [])


def vlan_tags(ports: Iterable[Port], vlans: Mapping[str, int]) -> dict[str, int]:
    """A tag for every network on the switch: its own, or the highest that no network has."""
    names = dict.fromkeys(name for port in ports for name in ([port.untagged] if port.untagged else []) + list(port.tagged))
    taken = {vlans[name] for name in names if vlans.get(name)}
    free = (number for number in range(LAST_VLAN, 0, -1) if number not in taken)
    return {name: vlans.get(name) or next(free) for name in names}


def _end(port: Port) -> str:
    return f"{port.node}:{port.native}"


def _bridge() -> list[str]:
    return ["ip link add br0 type bridge vlan_filtering 1 vlan_default_pvid 0 stp_state 0", "ip link set br0 up"]


def _attach(name: str, port: Port, tags: Mapping[str, int]) -> list[str]:
    commands = [f"ip link set {name} mtu {port.mtu} master br0"]
    if port.untagged:
        commands.append(f"bridge vlan add dev {name} vid {tags[port.untagged]} pvid untagged")
    commands += [f"bridge vlan add dev {name} vid {tags[network]}" for network in port.tagged]
    return [*commands, f"ip link set {name} up"]
