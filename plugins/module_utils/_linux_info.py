# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state of a router that runs Linux, in the neutral shape of router_info: what is asked, and how the answers are read.

Pure, so the same lines serve a module on a Debian router and a driver that types them on VyOS or EdgeOS. What a router
does not tell is None, never 0 and never an empty list.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any, Dict, List, Mapping, Optional

OFFLOADS = {
    "generic-receive-offload": "gro",
    "generic-segmentation-offload": "gso",
    "tcp-segmentation-offload": "tso",
    "large-receive-offload": "lro",
    "rx-checksumming": "rx_checksum",
    "tx-checksumming": "tx_checksum",
    "rx-vlan-offload": "rx_vlan",
    "tx-vlan-offload": "tx_vlan",
    "hw-tc-offload": "hw_tc",
}
# Section and command; a command must not hold a pipe, as some shells make something else of it.
COMMANDS: Dict[str, str] = {
    "kernel": "uname -r",
    "uptime": "cat /proc/uptime",
    "cpu": "cat /proc/cpuinfo",
    "links": "ip -o link show",
    "addresses": "ip -o -4 address show",
    "routes": "ip -4 route show",
    "ospf": "vtysh -c 'show ip ospf neighbor'",
    "connections": "cat /proc/sys/net/netfilter/nf_conntrack_count",
    "nat": "conntrack -L --src-nat",
}
_ADDRESS = r"(?:\d{1,3}\.){3}\d{1,3}"


def info_of(answers: Mapping[str, Optional[str]], **known: Any) -> Dict[str, Any]:
    """The shape of router_info from answers by section; None stands for a command that failed."""
    links = _links(answers.get("links"), answers.get("addresses"), answers.get("offloads"))
    return {
        "platform": None,
        "version": None,
        "hostname": None,
        "kernel": (answers.get("kernel") or "").strip() or None,
        "uptime_s": _uptime(answers.get("uptime")),
        "licence": None,
        "cpu": _cpu(answers.get("cpu")),
        "interfaces": links,
        "ospf_neighbours": _neighbours(answers.get("ospf")),
        "routes": _routes(answers.get("routes")),
        "leases": _leases(answers.get("leases")),
        "nat_sessions": _nat(answers.get("nat")),
        "connections": _number(answers.get("connections")),
        **known,
    }


def _number(text: Optional[str]) -> Optional[int]:
    word = (text or "").strip()
    return int(word) if word.isdigit() else None


def _uptime(text: Optional[str]) -> Optional[float]:
    match = re.match(r"(\d+(?:\.\d+)?)\s", text or "")
    return float(match.group(1)) if match else None


def _cpu(text: Optional[str]) -> Optional[Dict[str, Any]]:
    """Model and number of processors; MIPS machines have a system type in place of a model name."""
    count = len(re.findall(r"^processor\s*:", text or "", re.MULTILINE))
    model = re.search(r"^(?:model name|system type|cpu model)\s*:\s*(.+?)\s*$", text or "", re.MULTILINE)
    return {"model": model.group(1) if model else None, "count": count} if count else None


def _links(links: Optional[str], addresses: Optional[str], offloads: Optional[str]) -> Optional[List[Dict[str, Any]]]:
    if not links:
        return None
    own: Dict[str, List[str]] = {}
    for name, address in re.findall(r"^\d+:\s+(\S+)\s+inet\s+(\S+)", addresses or "", re.MULTILINE):
        own.setdefault(name, []).append(address)
    features = _offloads(offloads)
    found = []
    for name, flags, mtu in re.findall(r"^\d+:\s+([^:@\s]+)(?:@\S+)?:\s+<([^>]*)>.*?\bmtu\s+(\d+)", links, re.MULTILINE):
        up = "UP" in flags.split(",")
        found.append({"name": name, "up": up, "mtu": int(mtu), "addresses": own.get(name, []), "offloads": features.get(name)})
    return found


def _offloads(text: Optional[str]) -> Dict[str, Dict[str, bool]]:
    """What ``ethtool -k`` says of each interface, which begins with ``Features for NAME:``."""
    found: Dict[str, Dict[str, bool]] = {}
    for name, body in re.findall(r"^Features for (\S+):\n(.*?)(?=^Features for |\Z)", text or "", re.MULTILINE | re.DOTALL):
        states = re.findall(r"^\s*([\w-]+): (on|off)", body, re.MULTILINE)
        found[name] = {OFFLOADS[feature]: state == "on" for feature, state in states if feature in OFFLOADS}
    return found


def _neighbours(text: Optional[str]) -> Optional[List[Dict[str, Any]]]:
    """``show ip ospf neighbor`` of Quagga and FRR; from FRR 8 on there is one column more."""
    if text is None or "Neighbor ID" not in text:
        return None
    pattern = r"^\s*(%s)\s+\d+\s+([\w-]+)/(\S+)\s.*?\s(%s)\s+([^\s:]+)" % (_ADDRESS, _ADDRESS)
    keys = ("router_id", "state", "role", "address", "interface")
    return [dict(zip(keys, match)) for match in re.findall(pattern, text, re.MULTILINE)]


def _routes(text: Optional[str]) -> Optional[List[Dict[str, Any]]]:
    """``ip -4 route show``; several next hops are several routes."""
    if text is None:
        return None
    found = []
    for block in re.findall(r"^\S.*(?:\n\s+nexthop .*)*", text, re.MULTILINE):
        head = block.split("\n")[0]
        prefix = head.split()[0] if head.split()[0] not in ("blackhole", "unreachable", "prohibit", "broadcast", "local") else head.split()[1]
        prefix = "0.0.0.0/0" if prefix == "default" else prefix if "/" in prefix else prefix + "/32"
        protocol = _after("proto", head)
        for hop in block.split("\n")[1:] or [head]:
            found.append({"prefix": prefix, "next_hop": _after("via", hop), "interface": _after("dev", hop), "protocol": protocol})
    return found


def _after(word: str, line: str) -> Optional[str]:
    match = re.search(r"(?:^|\s)%s (\S+)" % word, line)
    return match.group(1) if match else None


def _leases(text: Optional[str]) -> Optional[List[Dict[str, Any]]]:
    """Leases of Kea's memfile (a table with a head) or of ISC's file; of several entries for an address the last one counts."""
    if text is None:
        return None
    leases: Dict[str, Dict[str, Any]] = {}
    if text.startswith("address,"):
        for row in csv.DictReader(io.StringIO(text)):
            leases[row["address"]] = {"address": row["address"], "mac": row["hwaddr"] or None, "hostname": row.get("hostname") or None}
            if row.get("state") not in ("0", None) or row.get("valid_lifetime") == "0":
                del leases[row["address"]]
        return list(leases.values())
    for address, body in re.findall(r"^lease (%s) \{\n(.*?)^\}" % _ADDRESS, text, re.MULTILINE | re.DOTALL):
        mac, name = re.search(r"hardware ethernet (\S+);", body), re.search(r'client-hostname "([^"]*)";', body)
        leases[address] = {"address": address, "mac": mac.group(1) if mac else None, "hostname": name.group(1) if name else None}
        if not re.search(r"^\s*binding state active;", body, re.MULTILINE):
            del leases[address]
    return list(leases.values())


def _nat(text: Optional[str]) -> Optional[int]:
    """How many connections of ``conntrack -L --src-nat`` there are; an empty list is 0, no answer is None."""
    return None if text is None else len(re.findall(r"\bsrc=\S+ dst=\S+ .*\bsrc=\S+ dst=\S+", text))
