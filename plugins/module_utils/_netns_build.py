# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Build, repair and remove a lab: look, compare, change only what differs, look again."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from contextlib import contextmanager
from functools import partial
from typing import Any, Iterator

from ansible_collections.routerlab.bench.plugins.module_utils import _netns_frr as frr
from ansible_collections.routerlab.bench.plugins.module_utils import _netns_holder as holder_
from ansible_collections.routerlab.bench.plugins.module_utils import _netns_observe as observe
from ansible_collections.routerlab.bench.plugins.module_utils._netns_facts import Wanted, text, wanted
from ansible_collections.routerlab.bench.plugins.module_utils._netns_holder import NETNS_DIR, RUNTIME_DIR
from ansible_collections.routerlab.bench.plugins.module_utils._netns_observe import Seen, pid_file
from ansible_collections.routerlab.bench.plugins.module_utils._netns_plan import Steps, link_lines, links_to_cut, node_steps
from ansible_collections.routerlab.bench.plugins.module_utils._netns_seen import report
from ansible_collections.routerlab.bench.plugins.module_utils._netns_spec import Lab, is_bridge
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError, all_results, in_netns, kill_and_wait, run


@contextmanager
def locked(timeout: float = 60.0) -> Iterator[None]:
    """One builder at a time on this machine. The lock is the runtime folder itself and goes with the process, however it ends."""
    deadline = time.monotonic() + timeout
    while True:
        os.makedirs(RUNTIME_DIR, mode=0o755, exist_ok=True)
        descriptor = os.open(RUNTIME_DIR, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.exists(RUNTIME_DIR) and os.stat(RUNTIME_DIR).st_ino == os.fstat(descriptor).st_ino:
                break
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise LabError("another run builds or removes a lab for more than %g s (lock on %s)" % (timeout, RUNTIME_DIR)) from None
        os.close(descriptor)
        time.sleep(0.05)
    try:
        yield
    finally:
        if not os.listdir(RUNTIME_DIR):
            os.rmdir(RUNTIME_DIR)
        os.close(descriptor)


def desired(lab: Lab) -> Wanted:
    prints = {node["name"]: holder_.fingerprint("node", node["tools"]) for node in lab["nodes"]}
    prints.update({segment["name"]: holder_.fingerprint("bridge", []) for segment in lab["segments"] if is_bridge(segment)})
    return wanted(lab, prints)


def refuse_foreign(lab: Lab, want: Wanted, seen: Seen) -> None:
    """A namespace that somebody else made under one of our names is never touched."""
    taken = ["%s-%s" % (lab["prefix"], name) for name, whose in sorted(seen.names.items()) if whose == "foreign" and name in want.spaces]
    if taken:
        raise LabError("network namespace %s exists in %s and was not made by this lab: choose another prefix than '%s', "
                       "or remove it yourself (ip netns delete %s)"
                       % (" and ".join(taken), NETNS_DIR, lab["prefix"], taken[0]))


def drop_names(prefix: str, names: list[str]) -> None:
    for name in names:
        run(["ip", "netns", "delete", "%s-%s" % (prefix, name)])


def make_nodes(lab: Lab, want: Wanted, seen: Seen) -> Seen:
    """Remove what must go, start what is missing, publish names and pid files; then how the lab looks."""
    prefix = lab["prefix"]
    kill_and_wait([item.pid for item in seen.spare])
    missing = {name: space for name, space in want.spaces.items() if name not in seen.holders}
    stale = [name for name, whose in seen.names.items() if whose != "foreign" and ("netns", name) not in seen.facts]
    drop_names(prefix, stale)
    os.makedirs(os.path.join(RUNTIME_DIR, prefix), mode=0o755, exist_ok=True)
    for entry in os.listdir(os.path.join(RUNTIME_DIR, prefix)):
        if entry.endswith(".pid") and entry[:-4] not in want.spaces:
            os.unlink(os.path.join(RUNTIME_DIR, prefix, entry))
            stale.append(entry)
    holders = dict(seen.holders)
    holders.update(holder_.start(prefix, missing))
    attach = []
    for name, holder in sorted(holders.items()):
        if ("pidfile", name) not in seen.facts:
            write_pid_file(pid_file(prefix, name), holder_.pid_text(holder))
        if ("netns", name) not in seen.facts:
            attach.append("netns attach %s-%s %d\n" % (prefix, name, holder.pid))
    if attach:
        run(["ip", "-batch", "-"], "".join(attach))
    if not seen.holders:  # all nodes are new: nothing is in them
        facts = {fact for fact in want.facts if fact[0] in ("node", "netns", "pidfile")}
        return Seen(holders=holders, raw={name: {"links": []} for name in holders}, facts=facts)
    return observe.look(lab, want) if missing or stale or attach or seen.spare else seen


def write_pid_file(path: str, content: str) -> None:
    with open(path + ".new", "w", encoding="ascii") as handle:
        handle.write(content)
    os.chmod(path + ".new", 0o644)
    os.rename(path + ".new", path)


def make_links(lab: Lab, want: Wanted, seen: Seen) -> bool:
    missing, extra = want.facts - seen.facts, seen.facts - want.facts
    present = {(name, link["ifname"]) for name, inside in seen.raw.items() for link in inside["links"]}
    for node, ifname in links_to_cut(missing, extra, present):
        run(["ip", "-n", "%s-%s" % (lab["prefix"], node), "link", "delete", ifname], check=False)  # gone already if its other end went before
    lines = link_lines(lab["prefix"], want, missing)
    if lines:
        run(["ip", "-batch", "-"], "\n".join(lines) + "\n")
    return bool(lines) or any(fact[0] == "link" for fact in extra)


def take_steps(steps: Steps) -> bool:
    """Runs within a network namespace."""
    if steps.first:
        run(["ip", "-batch", "-"], "\n".join(steps.first) + "\n")
    for argv in steps.ethtool:
        run(argv)
    for key, value in steps.sysctls.items():
        try:
            with open(observe.sysctl_path(key), "w", encoding="ascii") as handle:
                handle.write(value + "\n")
        except OSError as error:
            raise LabError("sysctl %s cannot be set to '%s': %s" % (key, value, error.strerror)) from error
    if steps.last:
        run(["ip", "-batch", "-"], "\n".join(steps.last) + "\n")
    return True


def make_inside(want: Wanted, seen: Seen) -> None:
    missing, extra = want.facts - seen.facts, seen.facts - want.facts
    jobs = {}
    for name, holder in seen.holders.items():
        steps = node_steps(name, missing, extra, want.facts)
        if steps:
            jobs[name] = in_netns("/proc/%d/ns/net" % holder.pid, partial(take_steps, steps))
    all_results(jobs)


def settled(lab: Lab, want: Wanted, timeout: float = 5.0) -> Seen:
    """Look until the lab is what was asked for; some states follow a moment after the command that causes them."""
    deadline = time.monotonic() + timeout
    while True:
        seen = observe.look(lab, want)
        if seen.facts == want.facts:
            return seen
        if time.monotonic() > deadline:
            raise LabError("the lab did not become what was asked for.\nMissing:\n%sLeft over:\n%s"
                           % (text(want.facts - seen.facts), text(seen.facts - want.facts)))
        time.sleep(0.02)


def present(lab: Lab, check_mode: bool) -> dict[str, Any]:
    """Make the lab what the description says."""
    want = desired(lab)
    seen = observe.look(lab, want)
    refuse_foreign(lab, want, seen)
    before = text(seen.facts)
    changed = want.facts != seen.facts or bool(seen.spare) or any(name not in want.spaces for name, whose in seen.names.items() if whose != "foreign")
    if changed and not check_mode:
        fresh = not seen.holders
        seen = make_nodes(lab, want, seen)
        if make_links(lab, want, seen) and not fresh:
            seen = observe.look(lab, want)
        make_inside(want, seen)
        frr.start_missing(lab, want, seen)
        seen = settled(lab, want)
    nodes = report(want, seen.raw, lab["prefix"])
    for name, node in nodes.items():
        node["pid"] = seen.holders[name].pid if name in seen.holders else None
    return {"changed": changed, "before": before, "after": text(want.facts), "nodes": nodes}


def absent(prefix: str, check_mode: bool) -> dict[str, Any]:
    """Remove a lab, whatever is left of it. Holders take everything inside with them; foreign namespaces stay."""
    holders = holder_.find(prefix)
    names = observe.published(prefix, holders)
    ours = sorted(name for name, whose in names.items() if whose != "foreign")
    folder = os.path.join(RUNTIME_DIR, prefix)
    lines = sorted("node %s %s" % (item.node, item.fingerprint) for item in holders) + ["netns %s" % name for name in ours]
    lines += ["folder %s" % folder] if os.path.isdir(folder) else []
    if lines and not check_mode:
        kill_and_wait([item.pid for item in holders])
        drop_names(prefix, ours)
        if os.path.isdir(folder):
            shutil.rmtree(folder)
    foreign = ["%s-%s" % (prefix, name) for name, whose in sorted(names.items()) if whose == "foreign"]
    return {"changed": bool(lines), "before": "".join(line + "\n" for line in lines), "after": "", "nodes": {}, "foreign": foreign}
