# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the statements of a 6WIND VSR make a whole: every path leads to something that is there, every value stands once.

Reads lines itself and does not look at the room's table.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Iterator

Path = tuple[str, ...]
_WORD = re.compile(r'"([^"\\]*)"|([^\s"]+)')
# A statement that takes one value: the second one would replace it.
SINGLE = ("hostname", "timezone", "port", "mtu", "description", "vlan-id", "link-interface", "router-id", "default-lease-time", "max-lease-time")
SINGLE += ("location", "contact", "rekey-time", "start-action", "version", "local-address", "remote-address", "local-id", "remote-id", "secret")


def parse(text: str) -> list[Path]:
    """The words of each statement, without the slash of the root. Raises ValueError for a line that is none."""
    paths = []
    for number, line in enumerate(text.splitlines(), 1):
        words, position = [], 0
        while position < len(line):
            match = _WORD.match(line, position)
            if match is None or (match.end() < len(line) and line[match.end()] != " "):
                raise ValueError(f"line {number}: {line!r}")
            words.append(match[1] if match[2] is None else match[2])
            position = match.end() + 1
        if len(words) < 2 or words[0] != "/":
            raise ValueError(f"line {number}: {line!r}")
        paths.append(tuple(words[1:]))
    return paths


def below(paths: list[Path], *head: str) -> list[Path]:
    """What stands below a path."""
    return [path[len(head) :] for path in paths if path[: len(head)] == head and len(path) > len(head)]


def interfaces(paths: list[Path]) -> dict[str, dict[str, list[Path]]]:
    """Each interface with its kind and what it says."""
    found: dict[str, dict[str, list[Path]]] = {}
    for kind, name, *rest in below(paths, "vrf", "main", "interface"):
        found.setdefault(name, {}).setdefault(kind, []).append(tuple(rest))
    return found


def problems(text: str) -> list[str]:
    """All that is wrong with a configuration."""
    paths = parse(text)
    return [*_doubles(paths), *_interfaces(paths), *_services(paths), *_tunnels(paths)]


def _doubles(paths: list[Path]) -> Iterator[str]:
    if len(set(paths)) != len(paths):
        yield "a statement stands twice"
    seen: dict[Path, str] = {}
    for path in paths:
        if path[-2] in SINGLE and "fast-path" not in path and seen.setdefault(path[:-1], path[-1]) != path[-1]:
            yield f"{' '.join(path[:-1])}: has two values"


def _interfaces(paths: list[Path]) -> Iterator[str]:
    known = interfaces(paths)
    fast = {path[-1] for path in below(paths, "system", "fast-path")}
    tags: set[tuple[str, str]] = set()
    used: set[str] = set()
    for name, kinds in known.items():
        ((kind, own),) = list(kinds.items())[:1]
        if len(kinds) > 1:
            yield f"{name}: two kinds of interfaces"
        if len(name) > 15:
            yield f"{name}: a name has at most 15 characters"
        values = {path[0]: path[1] for path in own if len(path) == 2}
        if kind == "vlan":
            link, tag = values.get("link-interface", ""), values.get("vlan-id", "0")
            if link not in known or "vlan" in known[link]:
                yield f"{name}: there is no interface {link!r} below it"
            if not 1 <= int(tag) <= 4094 or (link, tag) in tags:
                yield f"{name}: vlan-id {tag}"
            tags.add((link, tag))
        elif kind != "loopback":
            port = values.get("port", "")
            if port not in fast or port in used or port.startswith("infra-") != (kind == "infrastructure"):
                yield f"{name}: port {port!r}"
            used.add(port)
    for port in sorted(fast - used):
        yield f"{port}: no interface"
    addresses = [path[-1] for path in paths if path[-3:-1] == ("ipv4", "address")]
    for address in addresses:
        ipaddress.IPv4Interface(address)
    if len(set(addresses)) != len(addresses):
        yield "an address stands twice"


def _services(paths: list[Path]) -> Iterator[str]:
    known = interfaces(paths)
    connected: dict[str, list[ipaddress.IPv4Interface]] = {name: [] for name in known}
    for name, kinds in known.items():
        connected[name] += [ipaddress.IPv4Interface(path[2]) for own in kinds.values() for path in own if path[:2] == ("ipv4", "address")]
    nets = {address.network for own in connected.values() for address in own}
    for prefix, hop in ((path[0], path[-1]) for path in below(paths, "vrf", "main", "routing", "static", "ipv4-route")):
        if not any(ipaddress.IPv4Address(hop) in net for net in nets) or ipaddress.IPv4Network(prefix) in nets:
            yield f"route {prefix}: {hop}"
    networks = below(paths, "vrf", "main", "routing", "ospf", "network")
    for prefix, _area, area in networks:
        if ipaddress.IPv4Network(prefix) not in nets or str(ipaddress.IPv4Address(area)) != area:
            yield f"ospf: {prefix} area {area}"
    if bool(networks) != bool(below(paths, "vrf", "main", "routing", "ospf", "router-id")):
        yield "ospf: networks and router-id go together"
    for path in below(paths, "vrf", "main", "nat", "source-rule"):
        if path[path.index("outbound-interface") + 1] not in known:
            yield f"nat {path[0]}: there is no such interface"
    yield from _pools(paths, connected)


def _pools(paths: list[Path], connected: dict[str, list[ipaddress.IPv4Interface]]) -> Iterator[str]:
    pools = below(paths, "vrf", "main", "dhcp", "server", "subnet")
    for prefix in dict.fromkeys(path[0] for path in pools):
        net = ipaddress.IPv4Network(prefix)
        own = [path[1:] for path in pools if path[0] == prefix]
        listening = [path[1] for path in own if path[0] == "interface"]
        if len(listening) != 1 or net not in [address.network for address in connected.get(listening[0], [])]:
            yield f"pool {prefix}: its interface"
        inside = [word for path in own if path[0] in ("range", "default-gateway") for word in path[1:]] + [path[-1] for path in own if path[0] == "host"]
        if not any(path[0] == "range" for path in own) or not all(ipaddress.IPv4Address(word) in net for word in inside):
            yield f"pool {prefix}: an address outside of it"
    if pools and not below(paths, "vrf", "main", "dhcp", "server", "default-lease-time"):
        yield "dhcp: no lease time"


def _tunnels(paths: list[Path]) -> Iterator[str]:
    ike = below(paths, "vrf", "main", "ike")
    own = {path[-1].split("/")[0] for path in paths if path[-3:-1] == ("ipv4", "address")}
    for name in dict.fromkeys(path[1] for path in ike if path[0] == "vpn"):
        words = [path[2:] for path in ike if path[:2] == ("vpn", name)]
        for kind in ("ike-policy", "ipsec-policy"):
            template = next((path[-1] for path in words if path[0] == kind), None)
            if not any(path[:2] == (f"{kind}-template", template) for path in ike):
                yield f"vpn {name}: {kind}"
        if not any(path[0] == "local-address" and path[1] in own for path in words):
            yield f"vpn {name}: its own address"
        ends = [path[2] for path in words if path[0] == "security-policy"]
        if not ends or ends.count("local-ts") != ends.count("remote-ts"):
            yield f"vpn {name}: traffic of one side only"
    if any(path[0] == "vpn" for path in ike) and not any(path[0] == "pre-shared-key" for path in ike):
        yield "vpn: no key"
