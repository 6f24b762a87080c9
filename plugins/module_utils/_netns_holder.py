# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The long-lived process that *is* a node: PID 1 of its own network, mount, UTS and PID namespaces. When it dies, everything inside dies.

Its command line says whose it is (`routerlab-holder:<prefix>:<node>:<fingerprint>`), so a leftover is recognised without any file.
Its loopback interface carries the same mark as an alias, so a network namespace is recognised without any process.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import socket
from dataclasses import dataclass
from functools import partial
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils import _netns_root
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import (
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUTS,
    Forked,
    LabError,
    all_results,
    die_with_parent,
    in_netns,
    run,
    run_json,
    start_time,
    unshare,
)

RUNTIME_DIR = "/run/routerlab"
NETNS_DIR = "/run/netns"
MARK = "routerlab-holder"
# Raise this number when a node is made differently: nodes of the old kind are then rebuilt.
LAYOUT = 1
# PID 1: a shell that waits for ever. While it waits it also collects every orphan (wait3 takes any child), and it cannot be killed from inside.
LOOP = "while :; do sleep 2147483647; done"


@dataclass(frozen=True)
class Holder:
    prefix: str
    node: str
    fingerprint: str
    pid: int
    started: int

    @property
    def netns(self) -> int:
        """Inode of its network namespace: equal numbers are the same namespace."""
        return os.stat("/proc/%d/ns/net" % self.pid).st_ino


def fingerprint(kind: str, tools: list[str]) -> str:
    """What a node was made from. It changes when packages come or go, because a node holds a copy of /etc as it was."""
    parts: list[Any] = [LAYOUT, kind, sorted(tools)]
    if kind == "node":
        parts.append([os.stat(path).st_mtime_ns if os.path.exists(path) else 0 for path in ("/var/lib/dpkg/status", _netns_root.IFUPDOWN2_CACHE)])
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def find(prefix: str) -> list[Holder]:
    """Every living holder of a lab, found by its command line; root's only, so nobody else can pose as one."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as handle:
                title = handle.read(200).split(b"\0")[0].decode("ascii", "replace")
            owner = os.stat(path).st_uid
        except OSError:
            continue
        parts = title.split(":")
        if parts[0] != MARK or len(parts) != 4 or parts[1] != prefix or owner != 0:
            continue
        pid = int(path.split("/")[2])
        started = start_time(pid)
        if started is not None:
            found.append(Holder(prefix, parts[2], parts[3], pid, started))
    return found


def _become_init(title: str, hostname: str | None, tools: list[str], report: int) -> None:
    """In the new PID 1: prepare the namespaces, then turn into the waiting shell. Never returns."""
    try:
        die_with_parent(True)
        run(["ip", "-batch", "-"], "link set lo alias %s\nlink set lo up\n" % title.replace(MARK, "routerlab"))
        if hostname is not None:
            socket.sethostname(hostname)
            _netns_root.build(hostname, tools)
        os.chdir("/")
        os.umask(0o022)
        null = os.open("/dev/null", os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.set_inheritable(report, False)
        os.closerange(3, report)
        os.closerange(report + 1, 1024)
        die_with_parent(False)
        program = _netns_root.INIT if hostname is not None else "/bin/sh"
        os.execve(program, [title, "-c", LOOP], {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
    except BaseException as error:  # pylint: disable=broad-except # reported through the pipe; this process must end here
        os.write(report, str(error).encode("utf-8", "replace"))
    finally:
        os._exit(1)


def _spawn(title: str, hostname: str | None, tools: list[str]) -> int:
    """In a short-lived child: make the namespaces, start PID 1 in them, wait until it is ready; answers its pid as the host counts."""
    os.setsid()
    die_with_parent(True)
    namespaces = CLONE_NEWNET | CLONE_NEWPID
    unshare(namespaces if hostname is None else namespaces | CLONE_NEWNS | CLONE_NEWUTS)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        _become_init(title, hostname, tools, write)
    os.close(write)
    with os.fdopen(read, "rb") as handle:  # ends at exec (the pipe closes) or with the error's text
        problem = handle.read()
    if problem:
        raise LabError("cannot make the node: %s" % problem.decode("utf-8", "replace"))
    return pid


def start(prefix: str, wanted: dict[str, dict[str, Any]]) -> dict[str, Holder]:
    """Start holders side by side. `wanted`: name → {kind: node|bridge, tools, fingerprint}."""
    jobs = {}
    for name, what in wanted.items():
        title = ":".join((MARK, prefix, name, what["fingerprint"]))
        hostname = name if what["kind"] == "node" else None
        jobs[name] = Forked(partial(_spawn, title, hostname, what["tools"]))
    pids = all_results(jobs)
    holders = {}
    for name, pid in pids.items():
        started = start_time(pid)
        if started is None:
            raise LabError("the holder of node %s (pid %d) died at once" % (name, pid))
        holders[name] = Holder(prefix, name, wanted[name]["fingerprint"], pid, started)
    return holders


def pid_text(holder: Holder) -> str:
    """Content of a pid file: pid, start time (a recycled pid is never taken for the holder) and the inode of its network namespace."""
    return "%d %d %d\n" % (holder.pid, holder.started, holder.netns)


def is_namespace(path: str) -> bool:
    """A file in /run/netns that really is a namespace, not an empty leftover."""
    try:
        return os.stat(path).st_dev == os.stat("/proc/self/ns/net").st_dev
    except OSError:
        return False


def owner_mark(path: str) -> str:
    """The alias of the loopback interface in a network namespace: `routerlab:<prefix>:<node>:…` in ours."""
    links = in_netns(path, lambda: run_json(["ip", "-j", "link", "show", "lo"])).result()
    return str(links[0].get("ifalias", "")) if links else ""
