# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Look at what exists of a lab: holders, names, and from inside every network namespace its links, addresses, routes, sysctls and offloads."""

from __future__ import annotations

import glob
import os
import re
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils import _netns_holder as holder_
from ansible_collections.routerlab.bench.plugins.module_utils._netns_facts import Fact, Wanted, node_sysctls
from ansible_collections.routerlab.bench.plugins.module_utils._netns_holder import NETNS_DIR, RUNTIME_DIR, Holder
from ansible_collections.routerlab.bench.plugins.module_utils._netns_seen import seen_facts
from ansible_collections.routerlab.bench.plugins.module_utils._netns_spec import Lab
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import all_results, in_netns, run, run_json


@dataclass
class Seen:
    holders: dict[str, Holder] = field(default_factory=dict)  # one per node, of the wanted kind
    spare: list[Holder] = field(default_factory=list)  # duplicates, holders of another kind or of no wanted node
    names: dict[str, str] = field(default_factory=dict)  # name below /run/netns without the prefix → "ours", "foreign" or "dead"
    raw: dict[str, Any] = field(default_factory=dict)
    facts: set[Fact] = field(default_factory=set)


def pid_file(prefix: str, name: str) -> str:
    return os.path.join(RUNTIME_DIR, prefix, name + ".pid")


def read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            return handle.read()
    except OSError:
        return None


def node_root(pid: int) -> str:
    """A node's files, as the host reaches them."""
    return "/proc/%d/root" % pid


def recorded_inode(prefix: str, name: str) -> int | None:
    """The namespace that the pid file speaks of: third number, good for as long as something keeps the namespace."""
    fields = (read(pid_file(prefix, name)) or "").split()
    return int(fields[2]) if len(fields) == 3 and fields[2].isdigit() else None


def published(prefix: str, holders: list[Holder]) -> dict[str, str]:
    """Every name /run/netns/<prefix>-*: ours, somebody else's, or an empty file that is no namespace (any more)."""
    own = {holder.netns for holder in holders}
    found = {}
    for path in glob.glob(os.path.join(NETNS_DIR, prefix + "-*")):
        name = os.path.basename(path)[len(prefix) + 1:]
        if not holder_.is_namespace(path):
            found[name] = "dead" if os.path.exists(pid_file(prefix, name)) else "foreign"
        elif os.stat(path).st_ino in own or os.stat(path).st_ino == recorded_inode(prefix, name):
            found[name] = "ours"
        else:
            found[name] = "ours" if holder_.owner_mark(path).startswith("routerlab:%s:" % prefix) else "foreign"
    return found


def features_of(ifname: str) -> dict[str, bool]:
    """`ethtool -k` as name → on."""
    return {match.group(1): match.group(2) == "on"
            for match in re.finditer(r"(?m)^\s*([a-z0-9_-]+): (on|off)\b", run(["ethtool", "-k", ifname], check=False))}


def sysctl_path(key: str) -> str:
    """`net.ipv4.ip_forward` or `net/ipv4/…`; in the dotted form a '/' stands for a '.' inside an interface's name, as sysctl(8) has it."""
    slash = "/" in key and "." not in key[:key.index("/")]
    return "/proc/sys/" + (key if slash else key.translate({ord("."): "/", ord("/"): "."}))


def look_inside(ports: list[str], sysctls: list[str]) -> dict[str, Any]:
    """Runs within a network namespace."""
    links = run_json(["ip", "-j", "-d", "address", "show"])
    there = {link["ifname"] for link in links}
    return {
        "links": links,
        "nsids": run_json(["ip", "-j", "netns", "list-id"]),
        "routes": {"4": run_json(["ip", "-N", "-j", "-4", "route", "show"]), "6": run_json(["ip", "-N", "-j", "-6", "route", "show"])},
        "features": {name: features_of(name) for name in ports if name in there},
        "sysctls": {key: read(sysctl_path(key)) for key in sysctls},
    }


def look_at_frr(holder: Holder) -> dict[str, Any]:
    """Which FRR daemons really run in a node, and the configuration on its private disk."""
    root = node_root(holder.pid)
    running = []
    for path in glob.glob(root + "/run/frr/*.pid"):
        daemon = os.path.basename(path)[:-4]
        pid = (read(path) or "").strip()
        if pid.isdigit() and (read("%s/proc/%s/comm" % (root, pid)) or "").strip() == daemon:
            running.append(daemon)
    return {"running": sorted(running), "config": read(root + "/etc/frr/frr.conf") or ""}


def look_at_spaces(lab: Lab, wanted: Wanted, holders: dict[str, Holder]) -> dict[str, Any]:
    """Raw findings of every given node or bridge, gathered side by side."""
    keys = {node["name"]: sorted(node_sysctls(node)) for node in lab["nodes"]}
    jobs = {}
    for name, holder in holders.items():
        ports = [port.ifname for port in wanted.ports if port.node == name]
        jobs[name] = in_netns("/proc/%d/ns/net" % holder.pid, partial(look_inside, ports, keys.get(name, [])))
    raw = all_results(jobs)
    for node in lab["nodes"]:
        if node.get("frr") and node["name"] in raw:
            raw[node["name"]]["frr"] = look_at_frr(holders[node["name"]])
    return raw


def look(lab: Lab, wanted: Wanted) -> Seen:
    """The whole lab as it is now."""
    seen = Seen()
    found = holder_.find(lab["prefix"])
    seen.names = published(lab["prefix"], found)
    for holder in found:
        space = wanted.spaces.get(holder.node)
        if space and holder.fingerprint == space["fingerprint"] and holder.node not in seen.holders:
            seen.holders[holder.node] = holder
        else:
            seen.spare.append(holder)
    seen.raw = look_at_spaces(lab, wanted, seen.holders)
    seen.facts = seen_facts(lab, wanted, seen.raw)
    for name, holder in seen.holders.items():
        seen.facts.add(("node", name, holder.fingerprint))
        path = os.path.join(NETNS_DIR, "%s-%s" % (lab["prefix"], name))
        if holder_.is_namespace(path) and os.stat(path).st_ino == holder.netns:
            seen.facts.add(("netns", name))
        if read(pid_file(lab["prefix"], name)) == holder_.pid_text(holder):
            seen.facts.add(("pidfile", name))
    return seen
