# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How to step into a node of a namespace lab: which command to put before another one. Pure apart from reading two small files."""

from __future__ import annotations

import os
import re

RUNTIME_DIR = "/run/routerlab"
NETNS_DIR = "/run/netns"
# A controller's user may have no sbin folder in PATH; inside a node, ip, ifup and the daemons are there.
SBIN = ("/usr/local/sbin", "/usr/sbin", "/sbin")


class NodeGone(Exception):
    """The node cannot be entered; the message says why and how to get it back."""


def split_name(name: str) -> tuple[str, str] | None:
    """`lab-dut` → (`lab`, `dut`): a prefix has no hyphen."""
    match = re.match(r"^([a-z][a-z0-9]*)-([a-z][a-z0-9-]*)\Z", name)
    return (match.group(1), match.group(2)) if match else None


def start_time(pid: int, proc: str = "/proc") -> int | None:
    """Start time of a living process in clock ticks since boot."""
    try:
        with open("%s/%d/stat" % (proc, pid), encoding="ascii", errors="replace") as handle:
            fields = handle.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in ("Z", "X") else int(fields[19])


def holder_pid(name: str, runtime_dir: str = RUNTIME_DIR, proc: str = "/proc") -> int | None:
    """Pid of the process that holds a node, or None where there is no pid file. A dead or recycled pid raises NodeGone."""
    parts = split_name(name)
    if parts is None:
        return None
    path = os.path.join(runtime_dir, parts[0], parts[1] + ".pid")
    try:
        with open(path, encoding="ascii", errors="replace") as handle:
            fields = handle.read().split()
    except FileNotFoundError:
        return None
    hint = "build the lab again with: ansible-playbook playbooks/netns_lab.yml -i <inventory>"
    if len(fields) < 2 or not (fields[0].isdigit() and fields[1].isdigit()):
        raise NodeGone("node %s: pid file %s says '%s' instead of a pid and a start time; %s" % (name, path, " ".join(fields), hint))
    if start_time(int(fields[0]), proc) != int(fields[1]):
        raise NodeGone("node %s is gone: the process that held it (pid %s in %s) does not live any more; %s" % (name, fields[0], path, hint))
    return int(fields[0])


def prefix_command(name: str, uid: int, runtime_dir: str = RUNTIME_DIR, netns_dir: str = NETNS_DIR, proc: str = "/proc") -> list[str]:
    """The words that, put before a command, run it inside the node as root."""
    sudo = [] if uid == 0 else ["sudo", "-n", "--"]
    pid = holder_pid(name, runtime_dir, proc)
    if pid is not None:
        return [*sudo, "nsenter", "--target", str(pid), "--mount", "--uts", "--net", "--pid", "--"]
    if os.path.exists(os.path.join(netns_dir, name)):
        return [*sudo, "ip", "netns", "exec", name]
    raise NodeGone("there is no node '%s': neither a pid file below %s nor a network namespace of that name in %s; "
                   "build the lab with: ansible-playbook playbooks/netns_lab.yml -i <inventory>" % (name, runtime_dir, netns_dir))


def path_variable(current: str) -> str:
    """PATH with the folders for administrators, added behind what is there already."""
    parts = [part for part in current.split(":") if part]
    return ":".join(parts + [part for part in SBIN if part not in parts])


def explain_failure(name: str, code: int, stderr: str, uid: int) -> str | None:
    """A message where entering the node failed, as opposed to the command in it; None otherwise."""
    if uid != 0 and code == 1 and re.search(r"(?m)^sudo: (a password is required|a terminal is required|no askpass)", stderr):
        return ("node %s: entering a namespace needs root, and sudo asks for a password. Run as root, or allow the user to run "
                "nsenter and ip without a password (sudo -n true must succeed)" % name)
    if uid != 0 and re.search(r"(?m)^sudo: |is not in the sudoers file|not allowed to execute", stderr) and code == 1:
        return "node %s: sudo refuses: %s" % (name, stderr.strip())
    if re.search(r"(?m)^nsenter: (cannot open /proc/|reassociate to namespace|failed to)", stderr) and code == 1:
        return "node %s vanished while it was entered: %s" % (name, stderr.strip())
    return None
