# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""FRR inside a node: check the text, put it on the node's private disk, start it the way Debian does."""

from __future__ import annotations

import os
import re
import time
from functools import partial
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._netns_facts import Wanted, frr_fact
from ansible_collections.routerlab.bench.plugins.module_utils._netns_holder import Holder
from ansible_collections.routerlab.bench.plugins.module_utils._netns_observe import Seen, look_at_frr, node_root, read
from ansible_collections.routerlab.bench.plugins.module_utils._netns_seen import FRR_ALWAYS
from ansible_collections.routerlab.bench.plugins.module_utils._netns_spec import Lab
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import Forked, LabError, all_results, run

INIT = "/usr/lib/frr/frrinit.sh"
LOG = "/run/frr-start.log"


def enter(pid: int, *argv: str) -> list[str]:
    return ["nsenter", "--target", str(pid), "--mount", "--uts", "--net", "--pid", "--", *argv]


def daemons_text(old: str, daemons: list[str]) -> str:
    """The package's own `daemons` file with exactly these daemons switched on."""
    return re.sub(r"(?m)^([a-z0-9]+d)=.*$", lambda match: "%s=%s" % (match.group(1), "yes" if match.group(1) in daemons else "no"), old)


def start(name: str, holder: Holder, frr: dict[str, Any]) -> None:
    """Write the files, let FRR check its text, start it, wait until it runs."""
    pid = holder.pid
    root = node_root(pid)
    etc = root + "/etc/frr"
    try:
        owner = os.stat(etc + "/daemons")
    except OSError as error:
        raise LabError("node %s has no /etc/frr/daemons: Debian package frr is not installed properly" % name) from error
    with open(etc + "/daemons", encoding="utf-8") as handle:
        text = handle.read()
    with open(etc + "/daemons", "w", encoding="utf-8") as handle:
        handle.write(daemons_text(text, frr["daemons"]))
    with open(etc + "/frr.conf", "w", encoding="utf-8") as handle:
        handle.write(frr["config"].rstrip() + "\n")
    os.chown(etc + "/frr.conf", owner.st_uid, owner.st_gid)
    os.chmod(etc + "/frr.conf", 0o640)
    try:
        run(enter(pid, "vtysh", "-C", "-f", "/etc/frr/frr.conf"))
    except LabError as error:
        raise LabError("node %s: FRR refuses the configuration: %s" % (name, error)) from error
    action = "restart" if os.path.exists(root + "/run/frr/watchfrr.pid") else "start"
    # Into a file: a daemon that kept a pipe open would keep us waiting.
    run(enter(pid, "sh", "-c", "exec %s %s >%s 2>&1" % (INIT, action, LOG)), check=False)
    wait_running(name, holder, frr)


def wait_running(name: str, holder: Holder, frr: dict[str, Any], timeout: float = 20.0) -> None:
    """Until every daemon has started, or with its own words when one did not."""
    deadline = time.monotonic() + timeout
    while True:
        late = sorted({*FRR_ALWAYS, *frr["daemons"]} - set(look_at_frr(holder)["running"]))
        if not late:
            return
        if time.monotonic() > deadline:
            log = read(node_root(holder.pid) + LOG) or ""
            raise LabError("node %s: FRR's %s did not start within %g s: %s" % (name, ", ".join(late), timeout, log.strip()[-1000:]))
        time.sleep(0.02)


def start_missing(lab: Lab, want: Wanted, seen: Seen) -> None:
    """(Re)start FRR where it does not run, or runs with another configuration."""
    jobs = {}
    for node in lab["nodes"]:
        name, frr = node["name"], node.get("frr")
        if frr and frr_fact(name, frr["daemons"], frr["config"]) in want.facts - seen.facts:
            jobs[name] = Forked(partial(start, name, seen.holders[name], frr))
    all_results(jobs)
