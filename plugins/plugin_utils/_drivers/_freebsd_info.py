# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state of a router that runs FreeBSD (pfSense, OPNsense), in the neutral shape of router_info. What it does not tell is None."""

from __future__ import annotations

import re
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ssh import Ssh

COMMANDS = {
    "kernel": "uname -r",
    "hostname": "hostname",
    "boot": "sysctl -n kern.boottime; date +%s",
    "cpu": "sysctl -n hw.ncpu; sysctl -n hw.model",
    "links": "ifconfig -a",
    "routes": "netstat -rnf inet",
    "ospf": "vtysh -c 'show ip ospf neighbor'",
    "states": "pfctl -s info",
    "nat": "pfctl -s state",
}
# ISC and Kea of pfSense, then of OPNsense.
LEASES = ("/var/dhcpd/var/db/dhcpd.leases", "/var/lib/kea/dhcp4.leases", "/var/db/kea/kea-leases4.csv")
OFFLOADS = {"RXCSUM": "rx_checksum", "TXCSUM": "tx_checksum", "TSO4": "tso", "LRO": "lro", "VLAN_HWTAGGING": "rx_vlan"}


def info_of(ssh: Ssh, manifest: Mapping[str, Any], versions: list[str]) -> dict[str, Any]:
    """What the router says of itself now."""
    answers = {section: _answer(ssh, command) for section, command in COMMANDS.items()}
    leases = next((text for text in (_answer(ssh, f"cat {path}") for path in LEASES) if text is not None), None)
    return {
        **linux.info_of({"kernel": answers["kernel"], "ospf": answers["ospf"], "leases": leases}),
        **parsed(answers),
        "platform": manifest["platform"],
        "version": versions[0] if versions else None,
    }


def _answer(ssh: Ssh, command: str) -> str | None:
    answer = ssh.run(f"{command} 2>/dev/null </dev/null")
    return answer.text() if answer.rc == 0 else None


def parsed(answers: Mapping[str, str | None]) -> dict[str, Any]:
    """What FreeBSD's own programs say."""
    cpu = (answers["cpu"] or "").split("\n")
    states = re.search(r"current entries\s+(\d+)", answers["states"] or "")
    return {
        "hostname": (answers["hostname"] or "").strip() or None,
        "uptime_s": _uptime(answers["boot"] or ""),
        "cpu": {"model": cpu[1].strip() or None, "count": int(cpu[0])} if len(cpu) > 1 and cpu[0].strip().isdigit() else None,
        "interfaces": None if answers["links"] is None else _links(answers["links"]),
        "routes": None if answers["routes"] is None else _routes(answers["routes"]),
        # a translated connection has its inner address in brackets
        "nat_sessions": None if answers["nat"] is None else len(re.findall(r"^\S+ \S+ \S+ \(\S+\) -> ", answers["nat"], re.MULTILINE)),
        "connections": int(states[1]) if states else None,
    }


def _uptime(text: str) -> float | None:
    """``{ sec = 1700000000, usec = 0 } Tue Nov 14 22:13:20 2023``, then the time now."""
    found = re.search(r"sec = (\d+),.*\n(\d+)", text)
    return float(int(found[2]) - int(found[1])) if found else None


def _links(text: str) -> list[dict[str, Any]]:
    found = []
    for name, flags, mtu, body in re.findall(r"^(\S+): flags=[0-9a-f]+<([^>]*)>.*?\bmtu (\d+)\n((?:\s.*\n?)*)", text, re.MULTILINE):
        own = re.findall(r"\binet (\S+) netmask (0x[0-9a-f]+)", body)
        addresses = [f"{address}/{bin(int(mask, 16)).count('1')}" for address, mask in own]
        options = re.search(r"\boptions=[0-9a-f]+<([^>]*)>", body)
        words = options[1].split(",") if options else None
        offloads = {key: word in words for word, key in OFFLOADS.items()} if words is not None else None
        found.append({"name": name, "up": "UP" in flags.split(","), "mtu": int(mtu), "addresses": addresses, "offloads": offloads})
    return found


def _routes(text: str) -> list[dict[str, Any]]:
    """``netstat -rnf inet``: destination, gateway, flags, interface; S static, 1 of a routing daemon."""
    found = []
    for target, hop, flags, device in re.findall(r"^(default|[\d.]+(?:/\d+)?)\s+(\S+)\s+(U\w*)\s+(?:\d+\s+)*([a-z]\S*)", text, re.MULTILINE):
        prefix = "0.0.0.0/0" if target == "default" else target if "/" in target else f"{target}/32"
        protocol = "static" if "S" in flags else "zebra" if "1" in flags else None
        found.append({"prefix": prefix, "next_hop": hop if "G" in flags else None, "interface": device, "protocol": protocol})
    return found
