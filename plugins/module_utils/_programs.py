# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Debian package brings a program, for messages about a program that is missing."""

from __future__ import annotations

import re
from typing import Optional

PACKAGES = {
    "bash": "bash",
    "busybox": "busybox",
    "conntrack": "conntrack",
    "dhclient": "isc-dhcp-client",
    "dhcpd": "isc-dhcp-server",
    "dumpcap": "wireshark-common",
    "ethtool": "ethtool",
    "flent": "flent",
    "fping": "fping",
    "ifreload": "ifupdown2",
    "ifup": "ifupdown2",
    "ip": "iproute2",
    "iperf": "iperf",
    "iperf3": "iperf3",
    "irtt": "irtt",
    "kea-dhcp4": "kea-dhcp4-server",
    "mtr": "mtr-tiny",
    "netperf": "netperf",
    "netserver": "netperf",
    "nft": "nftables",
    "nsenter": "util-linux",
    "openvpn": "openvpn",
    "ping": "iputils-ping",
    "python3": "python3",
    "snmpd": "snmpd",
    "ss": "iproute2",
    "ssh": "openssh-client",
    "sshd": "openssh-server",
    "sshpass": "sshpass",
    "sudo": "sudo",
    "swanctl": "strongswan-swanctl",
    "sysctl": "procps",
    "tc": "iproute2",
    "tcpdump": "tcpdump",
    "udhcpc": "udhcpc",
    "unshare": "util-linux",
    "vtysh": "frr",
    "wg": "wireguard-tools",
    "wg-quick": "wireguard-tools",
}
# dash, bash, busybox, and env or nsenter for a program that they were to run
_NOT_FOUND = re.compile(
    r"(?:^|[ :])(?P<a>[\w./+-]+): (?:command )?not found|(?:failed to execute |env: ['\u2018]?)(?P<b>[\w./+-]+)['\u2019]?: No such file", re.MULTILINE
)


def named(program: str) -> str:
    """The program with its Debian package, where that is known: C(vtysh (Debian package frr))."""
    name = program.rsplit("/", 1)[-1]
    return "%s (Debian package %s)" % (program, PACKAGES[name]) if name in PACKAGES else program


def not_found(words: str) -> Optional[str]:
    """What a shell said about a program that it did not find, as a sentence that names the package; else None."""
    match = _NOT_FOUND.search(words)
    return "%s is not installed" % named(match.group("a") or match.group("b")) if match else None
