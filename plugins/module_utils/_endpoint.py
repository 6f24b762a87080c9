# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a traffic host is: the facts that decide whether two results may be compared."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._programs import named

# Names that ethtool prints, and the short ones that people and records use.
OFFLOADS = {
    "rx-checksumming": "rx",
    "tx-checksumming": "tx",
    "scatter-gather": "sg",
    "tcp-segmentation-offload": "tso",
    "generic-segmentation-offload": "gso",
    "generic-receive-offload": "gro",
    "large-receive-offload": "lro",
    "udp-fragmentation-offload": "ufo",
    "rx-vlan-offload": "rxvlan",
    "tx-vlan-offload": "txvlan",
}
# How a program is asked for its version; all others are asked with --version.
VERSION_OPTION = {"ip": "-V", "tc": "-V", "ping": "-V", "irtt": "version", "netperf": "-V", "netserver": "-V", "sysctl": "-V"}
MORE_FOLDERS = "/usr/sbin:/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin:/bin"
# linux/tcp.h; Python has it on Linux only
TCP_CONGESTION = 13
_SYSCTLS = {
    "congestion_default": "net/ipv4/tcp_congestion_control",
    "congestion_choice": "net/ipv4/tcp_available_congestion_control",
    "qdisc_default": "net/core/default_qdisc",
    "tcp_rmem": "net/ipv4/tcp_rmem",
    "tcp_wmem": "net/ipv4/tcp_wmem",
    "rmem_max": "net/core/rmem_max",
    "wmem_max": "net/core/wmem_max",
}


class EndpointError(Exception):
    """A fact could not be read; the message is for a person."""


def parse_offloads(text: str) -> Dict[str, str]:
    """C(ethtool -k) as short name to C(on) or C(off), as in force now."""
    found = {}
    for name, value in re.findall(r"^([a-z0-9-]+): (on|off)\b", text, re.MULTILINE):
        if name in OFFLOADS:
            found[OFFLOADS[name]] = value
    return found


def parse_driver(text: str) -> Dict[str, Optional[str]]:
    """C(ethtool -i) as driver, version and firmware; what it leaves empty is None."""
    fields = dict(re.findall(r"^([a-z-]+): *(.*)$", text, re.MULTILINE))
    wanted = {"driver": "driver", "driver_version": "version", "driver_firmware": "firmware-version"}
    return {name: fields.get(field, "").strip() or None for name, field in wanted.items()}


def parse_version(text: str) -> Optional[str]:
    """The first thing in a program's own words that looks like a version."""
    match = re.search(r"(?<![\w.])v?(\d+(?:\.\d+)+[\w.+-]*|\d{8})", text)
    return match.group(1).rstrip(".") if match else None


def parse_os(text: str) -> Dict[str, str]:
    """/etc/os-release as plain fields."""
    return {name: value.strip().strip("\"'") for name, value in re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE)}


def parse_cpu(text: str) -> Tuple[int, Optional[str]]:
    """/proc/cpuinfo as number of logical CPUs and model; some architectures name no model."""
    model = re.search(r"^(?:model name|Model|cpu model)\s*:\s*(.+)$", text, re.MULTILINE)
    return len(re.findall(r"^processor\s*:", text, re.MULTILINE)), model.group(1).strip() if model else None


def parse_links(text: str) -> List[Dict[str, Any]]:
    """C(ip -d -j link) as a list; what is not JSON (an ip too old for -j) is an error."""
    try:
        value = json.loads(text or "[]")
    except ValueError as error:
        raise EndpointError("ip -j printed no JSON (%s); iproute2 4.14 or newer is needed" % error) from error
    return [item for item in value if isinstance(item, dict) and item.get("ifname")]


def run(argv: List[str]) -> Tuple[int, str]:
    """Exit status and output of a program, in the C locale; 127 if it cannot be started."""
    environment = dict(os.environ, LC_ALL="C", PATH="%s:%s" % (os.environ.get("PATH", ""), MORE_FOLDERS))
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False, env=environment)
    except (OSError, subprocess.TimeoutExpired):
        return 127, ""
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def _read(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace").strip()
    except OSError:
        return ""


def program_version(name: str) -> Optional[str]:
    """Version of an installed program, C(unknown) if it does not say, None if it is not there."""
    path = shutil.which(name) or shutil.which(name, path=MORE_FOLDERS)
    if not path:
        return None
    return parse_version(run([path, VERSION_OPTION.get(name, "--version")])[1]) or "unknown"


def governor() -> Optional[str]:
    """The CPU frequency governor; several are joined; None where the kernel has none (virtual machines)."""
    seen = {_read(str(path)) for path in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor")}
    return ", ".join(sorted(seen - {""})) or None


def is_running(name: str) -> bool:
    """Whether a process of that name is there."""
    return any(_read(str(path)) == name for path in Path("/proc").glob("[0-9]*/comm"))


def host_facts() -> Dict[str, Any]:
    """Kernel, processors, and what TCP does by default. Nothing that names the machine."""
    own = os.uname()
    cpus, model = parse_cpu(_read("/proc/cpuinfo"))
    system = parse_os(_read("/etc/os-release"))
    facts: Dict[str, Any] = {
        "kernel": "%s %s" % (own.sysname, own.release),
        "arch": own.machine,
        "os": " ".join(part for part in (system.get("ID"), system.get("VERSION_ID")) if part) or None,
        "cpus": cpus or None,
        "cpu_model": model,
        "hardware_model": _read("/sys/class/dmi/id/product_name") or None,
        "governor": governor(),
        "irqbalance": is_running("irqbalance"),
    }
    for name, path in _SYSCTLS.items():
        facts[name] = re.sub(r"\s+", " ", _read("/proc/sys/" + path)) or None
    return facts


def interface_towards(address: str) -> str:
    """The interface that packets to an address leave by."""
    status, text = run(["ip", "-j", "route", "get", address])
    match = re.search(r'"dev":"([^"]+)"', text)
    if status or not match:
        raise EndpointError("peers: no route to %s from this host: %s" % (address, text.strip() or named("ip") + " is not installed"))
    return match.group(1)


def _queues(name: str, kind: str) -> Optional[int]:
    return len(list(Path("/sys/class/net/%s/queues" % name).glob(kind + "-*"))) or None


def interface_facts(link: Dict[str, Any]) -> Dict[str, Any]:
    """MTU, driver, offloads and queues of one interface, from its entry in C(ip -j link)."""
    name = str(link["ifname"])
    facts: Dict[str, Any] = {
        "mtu": link.get("mtu"),
        "qdisc": link.get("qdisc"),
        "link_kind": (link.get("linkinfo") or {}).get("info_kind") or link.get("link_type"),
        "queues_rx": _queues(name, "rx") or link.get("num_rx_queues"),
        "queues_tx": _queues(name, "tx") or link.get("num_tx_queues"),
        "rps": _read("/sys/class/net/%s/queues/rx-0/rps_cpus" % name) or None,
        "nic_speed_mbit": _speed(name),
    }
    facts.update(parse_driver(run(["ethtool", "-i", name])[1]))
    facts["offload"] = parse_offloads(run(["ethtool", "-k", name])[1]) or None
    return facts


def _speed(name: str) -> Optional[int]:
    text = _read("/sys/class/net/%s/speed" % name)
    return int(text) if text.isdigit() else None


def chosen_links(links: List[Dict[str, Any]], interfaces: Iterable[str], peers: Iterable[str]) -> List[Dict[str, Any]]:
    """The interfaces that are asked for; without any wish all that are up, the loopback left out."""
    names = list(interfaces) + [interface_towards(peer) for peer in peers]
    known = {str(link["ifname"]): link for link in links}
    missing = [name for name in names if name not in known]
    if missing:
        raise EndpointError("interfaces: %s not on this host; there are %s" % (", ".join(missing), ", ".join(sorted(known))))
    if names:
        return [known[name] for name in dict.fromkeys(names)]
    return [link for link in links if "UP" in (link.get("flags") or []) and "LOOPBACK" not in (link.get("flags") or [])]


def refused_congestion(names: Iterable[str]) -> Dict[str, str]:
    """Congestion controls that this host does not give to a program: tried, because the kernel loads what it has as a module."""
    refused = {}
    for name in names:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
            try:
                one.setsockopt(socket.IPPROTO_TCP, TCP_CONGESTION, name.encode())
            except OSError as error:
                offered = re.sub(r"\s+", " ", _read("/proc/sys/" + _SYSCTLS["congestion_choice"])) or "unknown"
                refused[name] = "%s; net.ipv4.tcp_available_congestion_control: %s" % (error.strerror, offered)
    return refused


def flat(value: Dict[str, Any], prefix: str = "") -> Dict[str, Any]:
    """Nested facts as dotted names."""
    result: Dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(item, dict):
            result.update(flat(item, prefix + key + "."))
        else:
            result[prefix + key] = item
    return result


def gather(interfaces: Iterable[str], peers: Iterable[str], programs: Iterable[str]) -> Tuple[Dict[str, Any], List[str]]:
    """Flat conditions of this host, and the programs that are not installed."""
    versions = {name: program_version(name) for name in programs}
    conditions = host_facts()
    status, text = run(["ip", "-d", "-j", "link", "show"])
    links = parse_links(text) if status == 0 else []
    for link in chosen_links(links, interfaces, peers) if links else []:
        conditions[str(link["ifname"])] = interface_facts(link)
    conditions["program"] = {name: version for name, version in versions.items() if version}
    return flat(conditions), [name for name, version in versions.items() if version is None]
