# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turn missing and surplus facts into the commands that put them right. Pure: lists of lines for `ip -batch`, of `ethtool` calls and of sysctl values."""

from __future__ import annotations

from dataclasses import dataclass, field

from ansible_collections.routerlab.bench.plugins.module_utils._netns_facts import OFF, ON, Fact, Wanted

# Names of the features as `ethtool -K` takes them.
SHORT = {
    "rx-checksumming": "rx", "tx-checksumming": "tx", "scatter-gather": "sg", "tcp-segmentation-offload": "tso",
    "generic-segmentation-offload": "gso", "generic-receive-offload": "gro",
}
FIRST_INDEX = 1001  # far above the numbers that the kernel gives by itself


@dataclass
class Steps:
    """What has to be done inside one network namespace, in this order."""
    first: list[str] = field(default_factory=list)  # ip -batch: surplus away, bridge, master, MTU, addresses
    ethtool: list[list[str]] = field(default_factory=list)
    sysctls: dict[str, str] = field(default_factory=dict)
    last: list[str] = field(default_factory=list)  # ip -batch: interfaces up, routes

    def __bool__(self) -> bool:
        return bool(self.first or self.ethtool or self.sysctls or self.last)


def links_to_cut(missing: set[Fact], extra: set[Fact], present: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """Interfaces to delete: ends of surplus wires, and whatever sits where a wanted wire will end. One end takes the other with it."""
    ends: list[tuple[str, str]] = []
    for fact in sorted(missing | extra):
        if fact[0] == "link":
            for end in fact[1:]:
                node, _colon, ifname = end.partition(":")
                if (node, ifname) in present and (node, ifname) not in ends:
                    ends.append((node, ifname))
    return ends


def link_lines(prefix: str, wanted: Wanted, missing: set[Fact]) -> list[str]:
    """`ip -batch` lines on the host; both ends are born inside their namespaces, the host's own list of links never changes."""
    mtus = {(port.node, port.ifname): port.mtu for port in wanted.ports}
    # Different numbers at the two ends: the kernel tells others at once that such a wire is up, but takes up to a second for equal ones.
    indexes = {end: FIRST_INDEX + number for number, end in enumerate(sorted(mtus))}
    lines = []
    for fact in sorted(missing):
        if fact[0] == "link":
            (node, _colon, ifname), (peer_node, _colon, peer_ifname) = fact[1].partition(":"), fact[2].partition(":")
            lines.append("link add name %s index %d mtu %d netns %s-%s type veth peer name %s index %d mtu %d netns %s-%s" % (
                ifname, indexes[node, ifname], mtus[node, ifname], prefix, node,
                peer_ifname, indexes[peer_node, peer_ifname], mtus[peer_node, peer_ifname], prefix, peer_node))
    return lines


def route_words(fact: Fact) -> tuple[str, str]:
    """(family option, words) of a route fact."""
    words = fact[2]
    return ("-6" if ":" in words else "-4"), words.replace("::/0", "default")


def _ethtool(ifname: str, state: str) -> list[str]:
    names = OFF if state == "off" else ON
    return ["ethtool", "-K", ifname] + [word for name in names for word in (SHORT[name], state)]


def _remove(steps: Steps, fact: Fact, wanted: set[Fact]) -> None:
    if fact[0] == "address":
        steps.first.append("address del %s dev %s" % (fact[3], fact[2]))
    elif fact[0] == "route":
        steps.first.append("route del %s" % route_words(fact)[1])
    elif fact[0] == "master" and not any(other[:3] == fact[:3] for other in wanted):
        steps.first.append("link set dev %s nomaster" % fact[2])


def _add(steps: Steps, fact: Fact) -> None:
    kind = fact[0]
    if kind == "master":
        steps.first.append("link set dev %s master %s" % (fact[2], fact[3]))
    elif kind == "mtu":
        steps.first.append("link set dev %s mtu %s" % (fact[2], fact[3]))
    elif kind == "address":
        steps.first.append("address add %s dev %s%s" % (fact[3], fact[2], " nodad" if ":" in fact[3] else ""))
    elif kind == "offload":
        steps.ethtool.append(_ethtool(fact[2], fact[3]))
    elif kind == "sysctl":
        steps.sysctls[fact[2]] = fact[3]
    elif kind == "up":
        steps.last.append("link set dev %s up" % fact[2])


def node_steps(name: str, missing: set[Fact], extra: set[Fact], wanted: set[Fact]) -> Steps:
    """Everything inside one namespace whose wires exist already."""
    steps = Steps()
    mine = [fact for fact in sorted(extra) if fact[1] == name]
    for fact in sorted(mine, key=lambda item: item[0] != "route"):  # routes go before the addresses they need
        _remove(steps, fact, wanted)
    todo = sorted(fact for fact in missing if fact[1] == name)
    # No spanning tree and no forwarding delay: a port carries traffic at once.
    steps.first += ["link add name %s type bridge forward_delay 0 stp_state 0" % fact[2] for fact in todo if fact[0] == "bridge"]
    for fact in todo:
        _add(steps, fact)
    steps.last += ["route replace %s" % route_words(fact)[1] for fact in todo if fact[0] == "route"]
    return steps
