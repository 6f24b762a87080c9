# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of a lab, one at a time: ranges and formats, as a table.

The tables' keys are paths within a router's section (``networks`` and ``endpoints`` stand
beside it); list positions are left out. docs/model.md and the JSON Schema read them too.
"""

from __future__ import annotations

import base64
import functools
import re
from typing import Any, Callable, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import address, area_id, host, interface, network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import item_path

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
HOST = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)")
NATIVE = re.compile(r"[A-Za-z0-9][A-Za-z0-9/_.:@+-]*")
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----\n.*\n-----END [A-Z0-9 ]+-----\n?", re.DOTALL)
DOMAIN = re.compile(r"(?=.{1,253}$)(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*")
MAC = re.compile(r"[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}")
ZONE_FILE = re.compile(r"[A-Za-z0-9+_-]+(/[A-Za-z0-9+_-]+){0,2}")
PORTS = re.compile(r"([1-9][0-9]{0,4})(?:-([1-9][0-9]{0,4}))?")

RANGES: dict[str, tuple[int, int]] = {
    "networks.vlan": (1, 4094),
    "networks.mtu": (576, 9216),
    "system.ssh.port": (1, 65535),
    "interfaces.mtu": (576, 9216),
    "static_routes.distance": (1, 255),
    "ospf.interfaces.cost": (1, 65535),
    "ospf.interfaces.hello": (1, 65535),
    "ospf.interfaces.dead": (1, 65535),
    "ospf.redistribute.metric": (0, 16777214),
    "dhcp.pools.lease": (60, 31536000),
    "dhcp.pools.id": (1, 4294967294),
    "shaper.queues.upload_kbit": (64, 100000000),
    "shaper.queues.download_kbit": (64, 100000000),
    "shaper.queues.overhead": (-64, 256),
    "tunnels.wireguard.port": (1, 65535),
    "tunnels.wireguard.mtu": (576, 9216),
    "tunnels.wireguard.peers.endpoint_port": (1, 65535),
    "tunnels.wireguard.peers.keepalive": (0, 65535),
    "tunnels.openvpn.port": (1, 65535),
    "tunnels.ipsec.ike_lifetime": (300, 86400),
    "tunnels.ipsec.esp_lifetime": (300, 86400),
    "tuning.ring_rx": (1, 65536),
    "tuning.ring_tx": (1, 65536),
    "tuning.queues": (1, 1024),
    "tuning.conntrack_max": (1, 2147483647),
}


def _pattern(regex: re.Pattern[str]) -> Callable[[str], Any]:
    def check(text: str) -> None:
        if not regex.fullmatch(text):
            raise ValueError(text)

    return check


def _limited(regex: re.Pattern[str], longest: int) -> Callable[[str], Any]:
    def check(text: str) -> None:
        if not regex.fullmatch(text) or len(text) > longest:
            raise ValueError(text)

    return check


def _interface_or_dhcp(text: str) -> None:
    if text != "dhcp":
        interface(text)


def _gateway_word(text: str) -> None:
    if text not in ("auto", "none"):
        host(text)


def _router_id(text: str) -> None:
    if not int(address(text)):
        raise ValueError(text)


def _host_interface(text: str) -> None:
    if interface(text).network.prefixlen != 32:
        raise ValueError(text)


def _port_range(text: str) -> None:
    match = PORTS.fullmatch(text)
    if not match:
        raise ValueError(text)
    low, high = int(match[1]), int(match[2] or match[1])
    if not 1 <= low <= high <= 65535:
        raise ValueError(text)


def _key(text: str) -> None:
    if len(base64.b64decode(text, validate=True)) != 32:
        raise ValueError(text)


def _rule_number(text: str) -> None:
    if not re.fullmatch("[1-9][0-9]{0,3}", text):
        raise ValueError(text)


ADDRESS = (host, "an IPv4 address of a host, A.B.C.D")
PREFIX = (network, "an IPv4 prefix without host bits, A.B.C.0/L")
INTERFACE = (interface, "an IPv4 address of a host with its prefix length, A.B.C.D/L")
PORT_TEXT = (_port_range, 'a port or a range in quotes, "22" or "5201-5210"')
SET_NAME = (_limited(re.compile(r"[A-Za-z][A-Za-z0-9-]*"), 28), "at most 28 letters, digits and dashes, a letter first")
ZONE_NAME = (_limited(re.compile(r"[A-Za-z][A-Za-z0-9-]*"), 18), "at most 18 letters, digits and dashes, a letter first")
PLAIN_NAME = (_limited(NAME, 32), "at most 32 letters, digits, dots, dashes and underscores, a letter or digit first")
MAC_TEXT = (_pattern(MAC), 'six hexadecimal octets in quotes, "52:54:00:12:34:56"')
KEY_TEXT = (_key, "a key of 32 bytes in base64 (44 characters)")
TUNNEL_NAME = (_limited(re.compile(r"[A-Za-z][A-Za-z0-9_-]*"), 15), "an interface name of at most 15 letters and digits, a letter first")
HOST_NAME = (_pattern(HOST), "a host name: letters, digits and dashes")
DOMAIN_NAME = (_pattern(DOMAIN), "a DNS domain")
NATIVE_NAME = (_limited(NATIVE, 64), "an interface name of the platform: letters, digits and / _ . : @ + -, without spaces")
PEM_TEXT = (_pattern(PEM), "a PEM text from -----BEGIN to -----END")

FORMATS: dict[str, tuple[Callable[[str], Any], str]] = {
    "networks.name": PLAIN_NAME,
    "networks.subnet": PREFIX,
    "endpoints.name": PLAIN_NAME,
    "endpoints.address": INTERFACE,
    "endpoints.l2_address": INTERFACE,
    "system.hostname": HOST_NAME,
    "system.domain": DOMAIN_NAME,
    "system.timezone": (_pattern(ZONE_FILE), "a zone name of the tz database, Europe/Vienna"),
    "system.dns": ADDRESS,
    "system.ntp": (_pattern(DOMAIN), "a host name or an IPv4 address"),
    "system.ssh.allow": PREFIX,
    "system.snmp.allow": PREFIX,
    "system.snmp.community": (_limited(re.compile(r"[A-Za-z0-9_.@-]+"), 32), "at most 32 letters, digits and . _ @ -"),
    "management.interfaces": NATIVE_NAME,
    "management.allow": PREFIX,
    "ports.name": PLAIN_NAME,
    "ports.native": NATIVE_NAME,
    "ports.mac": MAC_TEXT,
    "ports.members": NATIVE_NAME,
    "interfaces.name": PLAIN_NAME,
    "interfaces.address": (_interface_or_dhcp, "an address of a host with its prefix length, A.B.C.D/L, or dhcp"),
    "interfaces.gateway": ADDRESS,
    "interfaces.native": NATIVE_NAME,
    "loopbacks.name": PLAIN_NAME,
    "loopbacks.address": (_host_interface, "A.B.C.D/32"),
    "static_routes.name": PLAIN_NAME,
    "static_routes.prefix": PREFIX,
    "static_routes.gateway": ADDRESS,
    "ospf.router_id": (_router_id, "an IPv4 address other than 0.0.0.0"),
    "ospf.area": (area_id, 'an area as a dotted quad, "0.0.0.9", or as a number in quotes'),
    "ospf.interfaces.area": (area_id, 'an area as a dotted quad, "0.0.0.9", or as a number in quotes'),
    "dhcp.pools.name": PLAIN_NAME,
    "dhcp.pools.start": ADDRESS,
    "dhcp.pools.stop": ADDRESS,
    "dhcp.pools.gateway": (_gateway_word, "auto, none, or an IPv4 address"),
    "dhcp.pools.dns": ADDRESS,
    "dhcp.pools.domain": DOMAIN_NAME,
    "dhcp.pools.hosts.name": HOST_NAME,
    "dhcp.pools.hosts.mac": MAC_TEXT,
    "dhcp.pools.hosts.address": ADDRESS,
    "nat.rules.name": PLAIN_NAME,
    "nat.rules.source": PREFIX,
    "firewall.rule_sets.name": SET_NAME,
    "firewall.rule_sets.rules.name": (_rule_number, 'a number from "1" to "9999", in quotes'),
    "firewall.rule_sets.rules.source": PREFIX,
    "firewall.rule_sets.rules.destination": PREFIX,
    "firewall.rule_sets.rules.source_ports": PORT_TEXT,
    "firewall.rule_sets.rules.destination_ports": PORT_TEXT,
    "firewall.zones.name": ZONE_NAME,
    "tunnels.wireguard.name": TUNNEL_NAME,
    "tunnels.wireguard.address": INTERFACE,
    "tunnels.wireguard.private_key": KEY_TEXT,
    "tunnels.wireguard.peers.name": PLAIN_NAME,
    "tunnels.wireguard.peers.public_key": KEY_TEXT,
    "tunnels.wireguard.peers.endpoint": ADDRESS,
    "tunnels.wireguard.peers.allowed_ips": PREFIX,
    "tunnels.openvpn.name": TUNNEL_NAME,
    "tunnels.openvpn.remote": ADDRESS,
    "tunnels.openvpn.subnet": PREFIX,
    "tunnels.openvpn.ca": PEM_TEXT,
    "tunnels.openvpn.certificate": PEM_TEXT,
    "tunnels.openvpn.private_key": PEM_TEXT,
    "tunnels.openvpn.routes": PREFIX,
    "tunnels.ipsec.name": PLAIN_NAME,
    "tunnels.ipsec.remote": ADDRESS,
    "tunnels.ipsec.local_subnets": PREFIX,
    "tunnels.ipsec.remote_subnets": PREFIX,
    "tuning.governor": (_limited(WORD, 32), "the name of a governor, performance"),
}

REQUIRED: dict[str, str] = {
    "interfaces.address": "A.B.C.D/L, or dhcp",
    "loopbacks.address": "A.B.C.D/32",
    "static_routes.prefix": "a prefix",
    "dhcp.pools.start": "the first address of the pool",
    "dhcp.pools.stop": "the last address of the pool",
    "dhcp.pools.hosts.mac": "a hardware address",
    "dhcp.pools.hosts.address": "an address",
    "nat.rules.interface": "the outside interface",
    "firewall.rule_sets.rules.action": "accept, drop, reject",
    "firewall.zones.from.rule_set": "the name of a rule set",
    "tunnels.wireguard.address": "A.B.C.D/L",
    "tunnels.wireguard.private_key": "a key in base64",
    "tunnels.wireguard.peers.public_key": "a key in base64",
    "tunnels.openvpn.subnet": "a prefix",
    "tunnels.openvpn.ca": "a certificate in PEM",
    "tunnels.openvpn.certificate": "a certificate in PEM",
    "tunnels.openvpn.private_key": "a key in PEM",
    "tunnels.ipsec.interface": "an interface",
    "tunnels.ipsec.remote": "an address",
    "tunnels.ipsec.secret": "a pre-shared key",
    "tunnels.ipsec.local_subnets": "a list of prefixes",
    "tunnels.ipsec.remote_subnets": "a list of prefixes",
}


def _tree() -> dict[str, Any]:
    """The tables' keys as a tree, so that a walk looks at nothing else."""
    root: dict[str, Any] = {}
    for key in (*RANGES, *FORMATS, *REQUIRED):
        node = root
        for name in key.split("."):
            node = node.setdefault(name, {})
    return root


TREE = _tree()
Link = Any  # (link of what is above, step): joined to a path only when there is a problem


def leaves(value: Any, node: dict[str, Any], key: str, link: Link) -> Iterator[tuple[str, Link, Any]]:
    """Every leaf that the tables speak of as (table key, link, value)."""
    if isinstance(value, dict):
        for name, below in node.items():
            if name in value:
                yield from leaves(value[name], below, f"{key}.{name}" if key else name, (link, name))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, node, key, (link, index, item))
    elif not node:
        yield key, link, value


def _path(link: Link) -> str:
    if isinstance(link, str):
        return link
    return f"{_path(link[0])}.{link[1]}" if len(link) == 2 else item_path(_path(link[0]), link[1], link[2])


def check_values(section: Mapping[str, Any], path: str, complete: bool = True) -> list[Problem]:
    """Ranges and formats; when ``complete``, also what must be there after merging."""
    problems = []
    for key, link, value in leaves(section, TREE, "", path):
        if value in (None, [], "") and (key in REQUIRED or value != ""):
            if complete and key in REQUIRED:
                problems.append(Problem(_path(link), NOTHING, "is required and missing", REQUIRED[key], "MISSING"))
        elif key in RANGES:
            low, high = RANGES[key]
            if not low <= value <= high:
                problems.append(Problem(_path(link), value, "is out of range", f"{low} to {high}", "OUT_OF_RANGE"))
        elif key in FORMATS and not _well_formed(key, value):
            problems.append(Problem(_path(link), value, "is not well formed", FORMATS[key][1], "FORMAT"))
    return problems


@functools.lru_cache(maxsize=16384)
def _well_formed(key: str, value: str) -> bool:
    try:
        FORMATS[key][0](value)
    except ValueError:
        return False
    return True
