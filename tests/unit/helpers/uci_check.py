# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""UCI read as libuci reads it, and what OpenWrt's programs would say of a router's files.

Knows nothing of templates or of the lab: sections and options that the programs know, references that lead somewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Iterator

Options = dict[str, "str | list[str]"]


@dataclass
class Section:
    """One section of a file."""

    kind: str
    name: str
    options: Options = field(default_factory=dict)

    def all(self, key: str) -> list[str]:
        value = self.options.get(key, [])
        return [value] if isinstance(value, str) else value

    def one(self, key: str) -> str:
        value = self.options.get(key, "")
        return value if isinstance(value, str) else ""


def words(line: str) -> list[str]:
    """The words of a line: bare, in single quotes (no escapes), in double quotes (backslash escapes), parts side by side; # begins a comment."""
    found: list[str] = []
    word: str | None = None
    position = 0
    while position < len(line):
        char = line[position]
        if char in "'\"":
            word = word or ""
            end = position + 1
            while end < len(line) and line[end] != char:
                end += 1 if char == "'" or line[end] != "\\" else 2
            if end >= len(line):
                raise ValueError(f"a quote is not closed: {line!r}")
            part = line[position + 1 : end]
            word += part if char == "'" else re.sub(r"\\(.)", r"\1", part)
            position = end
        elif char == "\\" and position + 1 < len(line):
            position += 1
            word = (word or "") + line[position]
        elif char in " \t":
            found += [word] if word is not None else []
            word = None
        elif char == "#" and word is None:
            break
        elif char in "#;":
            raise ValueError(f"{char} outside quotes: {line!r}")
        else:
            word = (word or "") + char
        position += 1
    return found + ([word] if word is not None else [])


def parse(text: str) -> list[Section]:
    """The sections of a file; ValueError for what libuci refuses, and for a section without a name."""
    sections: list[Section] = []
    for line in text.splitlines():
        found = words(line)
        if not found:
            continue
        if found[0] == "config" and len(found) == 3 and re.fullmatch(r"[A-Za-z0-9_]+", found[2]) and re.fullmatch(r"[A-Za-z0-9_-]+", found[1]):
            sections.append(Section(found[1], found[2]))
        elif found[0] in ("option", "list") and len(found) == 3 and sections and re.fullmatch(r"[A-Za-z0-9_]+", found[1]):
            options = sections[-1].options
            if found[0] == "list":
                options[found[1]] = [*sections[-1].all(found[1]), found[2]]
            elif found[1] in options:
                raise ValueError(f"{sections[-1].name}.{found[1]} stands twice")
            else:
                options[found[1]] = found[2]
        else:
            raise ValueError(f"not a line of UCI: {line!r}")
    return sections


# package → kind of section → options that the programs read
KNOWN: dict[str, dict[str, str]] = {
    "system": {"system": "hostname zonename timezone", "timeserver": "enabled enable_server server"},
    "network": {
        "interface": "device ifname type proto ipaddr netmask gateway dns peerdns mtu private_key listen_port addresses script_security config",
        "globals": "packet_steering",
        "device": "type ifname vid name mtu macaddr ports",
        "bridge-vlan": "device vlan ports",
        "switch": "name reset enable_vlan",
        "switch_vlan": "device vlan vid ports",
        "route": "interface type target netmask gateway metric",
    },
    "dhcp": {
        "dnsmasq": "domainneeded localise_queries rebind_protection authoritative leasefile resolvfile localservice domain local",
        "dhcp": "interface start limit leasetime dhcp_option ignore",
        "host": "name mac ip leasetime",
    },
    "firewall": {
        "defaults": "input output forward drop_invalid flow_offloading flow_offloading_hw",
        "zone": "name network input output forward masq masq_src masq_dest",
        "forwarding": "src dest",
        "rule": "name family src dest proto icmp_type src_ip dest_ip src_port dest_port log target",
    },
    "sqm": {"queue": "enabled interface download upload qdisc script qdisc_advanced linklayer overhead debug_logging verbosity"},
    "dropbear": {"dropbear": "enable PasswordAuth RootPasswordAuth Port"},
    "openvpn": {"openvpn": "enabled config"},
    "snmpd": {
        "agent": "agentaddress",
        "com2sec": "secname source community",
        "group": "group version secname",
        "view": "viewname type oid",
        "access": "group context version level prefix read write notify",
        "system": "sysLocation sysContact sysName",
    },
}
WIREGUARD = "public_key allowed_ips endpoint_host endpoint_port persistent_keepalive route_allowed_ips"


def complaints(files: dict[str, str]) -> list[str]:
    """What is wrong with a router's UCI files."""
    packages = {name: parse(files[name]) for name in KNOWN if name in files}
    found: list[str] = []
    for package, sections in packages.items():
        names = [item.name for item in sections]
        found += [f"{package}: two sections {name}" for name in sorted({name for name in names if names.count(name) > 1})]
        for item in sections:
            known = WIREGUARD if item.kind.startswith("wireguard_") and package == "network" else KNOWN[package].get(item.kind)
            found += [f"{package}: no program knows a section {item.kind}"] if known is None else []
            found += [f"{package}.{item.name}: unknown option {key}" for key in item.options if known is not None and key not in known.split()]
    network = packages.get("network", [])
    return found + list(_network(network)) + list(_others(packages, network)) + list(_firewall(packages.get("firewall", []), network))


def _network(sections: list[Section]) -> Iterator[str]:
    interfaces = {item.name for item in sections if item.kind == "interface"}
    bridges = {item.one("name") for item in sections if item.one("type") == "bridge" and item.kind == "device"}
    tagged = {f"{item.one('device')}.{item.one('vlan')}" for item in sections if item.kind == "bridge-vlan"}
    made = {item.one("name") for item in sections if item.kind == "device"} | tagged
    for item in sections:
        if item.kind == "route" and item.one("interface") not in interfaces:
            yield f"network.{item.name}: there is no interface {item.one('interface')}"
        if item.kind == "bridge-vlan" and item.one("device") not in bridges:
            yield f"network.{item.name}: {item.one('device')} is no bridge"
        if item.kind.startswith("wireguard_") and item.kind[len("wireguard_") :] not in interfaces:
            yield f"network.{item.name}: a peer of no interface"
        parent, dot, _tag = item.one("device").partition(".")
        if item.kind == "interface" and dot and parent in bridges and item.one("device") not in made:
            yield f"network.{item.name}: no VLAN makes {item.one('device')}"
        if item.kind == "interface" and item.one("proto") == "static" and not item.all("ipaddr"):
            yield f"network.{item.name}: static without an address"
    vids = [item.one("vid") for item in sections if item.kind == "switch_vlan"]
    if len(set(vids)) < len(vids):
        yield "network: a VLAN stands twice in the switch"


def _others(packages: dict[str, list[Section]], network: list[Section]) -> Iterator[str]:
    interfaces = {item.name for item in network if item.kind == "interface"}
    for item in packages.get("dhcp", []):
        if item.kind == "dhcp" and item.one("interface") not in interfaces:
            yield f"dhcp.{item.name}: there is no interface {item.one('interface')}"
        if item.kind == "dhcp" and "ignore" not in item.options and not all(item.one(key).isdigit() for key in ("start", "limit", "leasetime")):
            yield f"dhcp.{item.name}: start, limit and leasetime are numbers"
    for item in packages.get("sqm", []):
        if not (item.one("download").isdigit() and item.one("upload").isdigit() and item.one("script").endswith(".qos")):
            yield f"sqm.{item.name}: rates are numbers, a script ends in .qos"


def _firewall(sections: list[Section], network: list[Section]) -> Iterator[str]:
    zones = [item for item in sections if item.kind == "zone"]
    names = [item.one("name") for item in zones]
    interfaces = {item.name for item in network if item.kind == "interface"}
    members = [name for item in zones for name in item.all("network")]
    if len(set(members)) < len(members) or len(set(names)) < len(names):
        yield "firewall: a zone or a member of one stands twice"
    yield from (f"firewall: there is no interface {name}" for name in members if name not in interfaces)
    for item in sections:
        for key in ("input", "output", "forward", "target"):
            if key in item.options and item.one(key) not in ("ACCEPT", "REJECT", "DROP"):
                yield f"firewall.{item.name}: {key} {item.one(key)!r}"
        for key in ("src", "dest"):
            if key in item.options and item.one(key) not in names:
                yield f"firewall.{item.name}: there is no zone {item.one(key)}"
        if item.kind == "rule" and not ({"src", "dest"} & set(item.options) and item.all("proto") and item.one("target")):
            yield f"firewall.{item.name}: a rule needs a zone, a protocol and a target"
    if sections and [item.kind for item in sections].count("defaults") != 1:
        yield "firewall: one section of defaults"
