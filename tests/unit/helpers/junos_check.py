# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Junos checks at commit, as far as this project's configurations can get it wrong; and a reader of the curly form.

Works on paths, knows nothing of templates or of the lab: references lead somewhere, units fit their port, pools lie
on an interface, zones hold what they must.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any, Iterator, Sequence

Path = tuple[str, ...]
Tree = dict[str, Any]

TOKEN = re.compile(r'\s+|"(?P<quoted>[^"\\]*)"|(?P<mark>[{};\[\]])|(?P<word>[^\s{};\[\]"]+)')


def read_curly(text: str) -> set[Path]:
    """The paths of the curly form; nothing is known of the statements."""
    stack: list[Path] = [()]
    words: list[str] = []
    several: list[str] | None = None
    found: set[Path] = set()
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"not readable: {text[position : position + 30]!r}")
        position = match.end()
        mark = match["mark"]
        if match["quoted"] is not None or match["word"] is not None:
            (words if several is None else several).append(match["quoted"] if match["word"] is None else match["word"])
        elif mark == "[":
            several = []
        elif mark == "{":
            stack.append((*stack[-1], *words))
            words = []
        elif mark == ";":
            found |= {(*stack[-1], *words, *tail) for tail in ([(word,) for word in several] if several is not None else [()])}
            words, several = [], None
        elif mark == "}":
            if words or len(stack) == 1:
                raise ValueError(f"a brace too many, or a semicolon is missing before {text[position : position + 30]!r}")
            stack.pop()
    if len(stack) != 1 or words:
        raise ValueError("something is left open at the end")
    return found


def tree_of(paths: Sequence[Path]) -> Tree:
    root: Tree = {}
    for path in paths:
        node = root
        for word in path:
            node = node.setdefault(word, {})
    return root


def at(tree: Tree, *names: str) -> Tree:
    for name in names:
        tree = tree.get(name, {})
    return tree


def one(tree: Tree, *names: str) -> str:
    """The single value there, or an empty text."""
    values = list(at(tree, *names))
    return values[0] if len(values) == 1 else ""


def units(tree: Tree) -> dict[str, Tree]:
    return {f"{port}.{unit}": content for port, own in at(tree, "interfaces").items() for unit, content in at(own, "unit").items()}


def problems(paths: Sequence[Path]) -> list[str]:
    """Everything that a commit would refuse, or that would silently not work."""
    tree = tree_of(paths)
    known = units(tree)
    found = [*_interfaces(tree), *_addresses(known), *_ospf(tree, known), *_dhcp(tree, known), *_exports(tree)]
    if "zones" in at(tree, "security"):
        found += [*_zones(tree, known), *_policies(tree), *_nat(tree)]
    return found + list(_ipsec(tree, known))


def _interfaces(tree: Tree) -> Iterator[str]:
    for port, own in at(tree, "interfaces").items():
        for unit, content in at(own, "unit").items():
            tagged = "vlan-id" in content
            if tagged != ("vlan-tagging" in own):
                yield f"{port}.{unit}: vlan-id and vlan-tagging go together"
            if not tagged and unit != "0" and port != "st0":
                yield f"{port}.{unit}: only unit 0 without a tag"
            if "dhcp" in at(content, "family", "inet") and "address" in at(content, "family", "inet"):
                yield f"{port}.{unit}: an address and DHCP"


def _addresses(known: dict[str, Tree]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name, content in known.items():
        for address in at(content, "family", "inet", "address"):
            if seen.setdefault(address.split("/")[0], name) != name:
                yield f"{name}: {address} is on {seen[address.split('/')[0]]}, too"


def _ospf(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    seen: dict[str, str] = {}
    for area, content in at(tree, "protocols", "ospf", "area").items():
        for name in at(content, "interface"):
            if name not in known:
                yield f"ospf: there is no interface {name}"
            if seen.setdefault(name, area) != area:
                yield f"ospf: {name} is in two areas"


def _exports(tree: Tree) -> Iterator[str]:
    policies = at(tree, "policy-options", "policy-statement")
    for name in at(tree, "protocols", "ospf", "export"):
        if name not in policies:
            yield f"ospf: there is no policy {name}"
    for name, policy in policies.items():
        for term, content in at(policy, "term").items():
            if "external" in at(content, "then") and not one(content, "then", "external", "type"):
                yield f"policy {name} term {term}: external without a type"
            if not {"accept", "reject"} & set(at(content, "then")):
                yield f"policy {name} term {term}: neither accepts nor rejects"


def _dhcp(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    own = {name: [ipaddress.ip_interface(item).network for item in at(content, "family", "inet", "address")] for name, content in known.items()}
    listening = {name for group in at(tree, "system", "services", "dhcp-local-server", "group").values() for name in at(group, "interface")}
    for name in sorted(listening - set(known)):
        yield f"dhcp: there is no interface {name}"
    for pool, content in at(tree, "access", "address-assignment", "pool").items():
        inet = at(content, "family", "inet")
        net = ipaddress.ip_network(one(inet, "network") or "0.0.0.0/32")
        if not any(net in own.get(name, []) for name in listening):
            yield f"pool {pool}: no listening interface has an address in {net}"
        inside = [one(item, key) for item in at(inet, "range").values() for key in ("low", "high")]
        inside += [one(item, "ip-address") for item in at(inet, "host").values()]
        for address in inside:
            if not address or ipaddress.ip_address(address) not in net:
                yield f"pool {pool}: {address or 'nothing'} is not in {net}"


def _zones(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    member: dict[str, str] = {}
    zones = at(tree, "security", "zones", "security-zone")
    for zone, content in zones.items():
        for name in at(content, "interfaces"):
            if name not in known:
                yield f"zone {zone}: there is no interface {name}"
            if member.setdefault(name, zone) != zone:
                yield f"zone {zone}: {name} is in {member[name]}, too"
    for name in known:
        if name not in member:
            yield f"{name} is in no zone"
    letting = {name: set(at(item, "host-inbound-traffic", "system-services")) for zone in zones.values() for name, item in at(zone, "interfaces").items()}
    for group in at(tree, "system", "services", "dhcp-local-server", "group").values():
        for name in at(group, "interface"):
            if not {"all", "dhcp"} & letting.get(name, set()):
                yield f"{name}: a DHCP server that its zone does not let in"


def _policies(tree: Tree) -> Iterator[str]:
    zones = at(tree, "security", "zones", "security-zone")
    book = {"any", *at(tree, "security", "address-book", "global", "address")}
    applications = {"any", *at(tree, "applications", "application")}
    for source, rest in at(tree, "security", "policies", "from-zone").items():
        for target, content in at(rest, "to-zone").items():
            for zone in {source, target} - set(zones):
                yield f"policies: there is no zone {zone}"
            for name, policy in at(content, "policy").items():
                where = f"policy {source} {target} {name}"
                for key, allowed in (("source-address", book), ("destination-address", book), ("application", applications)):
                    given = set(at(policy, "match", key))
                    if not given or not given <= allowed:
                        yield f"{where}: {key} {sorted(given)}"
                if len(set(at(policy, "then")) & {"permit", "deny", "reject"}) != 1:
                    yield f"{where}: not one action"


def _nat(tree: Tree) -> Iterator[str]:
    zones = at(tree, "security", "zones", "security-zone")
    members = {name for zone in zones.values() for name in at(zone, "interfaces")}
    for name, content in at(tree, "security", "nat", "source", "rule-set").items():
        for zone in set(at(content, "from", "zone")) - set(zones):
            yield f"nat {name}: there is no zone {zone}"
        if not at(content, "from", "zone") or not set(at(content, "to", "interface")) <= members or not at(content, "to"):
            yield f"nat {name}: from or to"
        for rule, item in at(content, "rule").items():
            if not at(item, "match", "source-address") or "interface" not in at(item, "then", "source-nat"):
                yield f"nat {name} rule {rule}: match or then"


def _ipsec(tree: Tree, known: dict[str, Tree]) -> Iterator[str]:
    ike, ipsec = at(tree, "security", "ike"), at(tree, "security", "ipsec")
    for name, policy in at(ike, "policy").items():
        if not at(policy, "pre-shared-key", "ascii-text"):
            yield f"ike policy {name}: no key"
        if not set(at(policy, "proposals")) <= set(at(ike, "proposal")):
            yield f"ike policy {name}: proposals"
    for name, gateway in at(ike, "gateway").items():
        if one(gateway, "ike-policy") not in at(ike, "policy") or one(gateway, "external-interface") not in known:
            yield f"ike gateway {name}: policy or interface"
    for name, vpn in at(ipsec, "vpn").items():
        if one(vpn, "bind-interface") not in known:
            yield f"vpn {name}: bind-interface"
        if one(vpn, "ike", "gateway") not in at(ike, "gateway") or one(vpn, "ike", "ipsec-policy") not in at(ipsec, "policy"):
            yield f"vpn {name}: gateway or policy"
