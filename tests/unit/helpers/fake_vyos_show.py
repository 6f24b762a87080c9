# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a router that plays VyOS or EdgeOS answers to `show`. The texts for state follow FRR 8 and 9, iproute2 and the documentation of
VyOS 1.4; the numbers in them are made up."""
from __future__ import annotations

from fake_vyos_state import Box

# Commands of Linux below the command line, as whole lines.
TEXTS = {
    "uname -r": "6.6.32-amd64-vyos\n",
    "uname -n": "dut\n",
    "cat /proc/uptime": "4711.50 9000.10\n",
    "cat /proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU\n\nprocessor\t: 1\nmodel name\t: Intel(R) Xeon(R) CPU\n",
    "ip -o link show": (
        "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000\\    link/loopback\n"
        "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000\\    link/ether\n"
        "5: eth0.500@eth0: <BROADCAST,MULTICAST> mtu 1400 qdisc noop state DOWN mode DEFAULT group default qlen 1000\\    link/ether\n"
    ),
    "ip -o -4 address show": "2: eth0    inet 10.253.253.2/30 brd 10.253.253.3 scope global eth0\\       valid_lft forever preferred_lft forever\n",
    "ip -4 route show": (
        "default proto ospf metric 20 \n\tnexthop via 10.253.253.1 dev eth0 weight 1 \n\tnexthop via 10.9.9.1 dev eth1 weight 1 \n"
        "10.253.253.0/30 dev eth0 proto kernel scope link src 10.253.253.2 \nblackhole 10.66.0.0/16 proto static metric 20 \n"
    ),
    "vtysh -c 'show ip ospf neighbor'": (
        "\nNeighbor ID     Pri State           Up Time         Dead Time Address         Interface                        RXmtL RqstL DBsmL\n"
        "10.253.253.1      1 Full/DR         1m02s              33.1s 10.253.253.1    eth0:10.253.253.2                    0     0     0\n\n"
    ),
    "cat /proc/sys/net/netfilter/nf_conntrack_count": "7\n",
    "sudo conntrack -L --src-nat 2>/dev/null": (
        "tcp      6 431999 ESTABLISHED src=10.222.222.12 dst=10.254.254.10 sport=40000 dport=5201 "
        "src=10.254.254.10 dst=10.253.253.2 sport=5201 dport=40000 [ASSURED] mark=0 use=1\n"
    ),
    "sudo ethtool -k eth0": "Features for eth0:\nrx-checksumming: on\ngeneric-receive-offload: on\nlarge-receive-offload: off [fixed]\n",
    "sudo ethtool -k eth0.500": "Features for eth0.500:\ngeneric-receive-offload: off\n",
    "sudo cat /config/dhcp/dhcp4-leases.csv": "cat: /config/dhcp/dhcp4-leases.csv: No such file or directory\n",
    "sudo cat /config/dhcpd.leases": (
        "lease 10.222.222.100 {\n  starts 2 2026/01/06 10:00:00;\n  binding state active;\n  hardware ethernet 52:54:00:00:00:0c;\n"
        '  client-hostname "lan";\n}\nlease 10.222.222.101 {\n  binding state free;\n}\n'
    ),
}


def show(box: Box, words: list[str]) -> str:
    """The answer to a show command of operational mode."""
    if words[1:3] == ["configuration", "commands"]:
        return box.commands()
    if words[1:] == ["configuration"]:
        return box.boot_text()
    if words[1:2] == ["version"]:
        return _version(box)
    return f"\n  Invalid command: show [{words[1] if len(words) > 1 else ''}]\n\n"


def _version(box: Box) -> str:
    if box.platform == "edgeos":
        return (
            f"Version:      {box.version}\nBuild ID:     5574651\nBuild on:     12/22/21 10:58\nCopyright:    2012-2020 Ubiquiti Networks, Inc.\n"
            "HW model:     EdgeRouter X 5-Port\nHW S/N:       0123456789AB\n"
            "Uptime:       02:11:07 up 5 days,  3:04,  1 user,  load average: 0.06, 0.04, 0.00\n"
        )
    return (
        f"Version:          VyOS {box.version}\nRelease train:    sagitta\nRelease flavor:   generic\n\nBuilt by:         someone@example.net\n"
        "Build UUID:       00000000-0000-0000-0000-000000000000\n\nArchitecture:     x86_64\nBoot via:         installed image\n"
        "System type:      KVM guest\n"
    )
