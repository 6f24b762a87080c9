# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Power of a QEMU machine of role vm_lab: off is QEMU's end, on is the event with which its processors begin to run."""

from __future__ import annotations

import time
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils import _vm_process as process
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError
from ansible_collections.routerlab.bench.plugins.module_utils._power._power import PowerError, options_of, this_clock
from ansible_collections.routerlab.bench.plugins.module_utils._vm_qmp import quit_machine

NEEDED = ("prefix", "machine")
EVENT = "QMP event RESUME"


def _where(options: dict[str, Any]) -> dict[str, str]:
    known = options_of(options, NEEDED, "qemu")
    return process.paths(known["prefix"], known["machine"])


def state(options: dict[str, Any]) -> dict[str, Any]:
    """Whether the machine runs, and in words what is known of it. Needs no rights."""
    where = _where(options)
    pid = process.living(where["pid"])
    name = "%s-%s" % (options["prefix"], options["machine"])
    if pid is not None:
        return {"on": True, "detail": "QEMU of %s runs (pid %d)" % (name, pid)}
    if not process.read_plan(where["plan"]):
        return {"on": False, "detail": "there is no machine %s" % name}
    return {"on": False, "detail": "QEMU of %s does not run" % name}


def off(options: dict[str, Any]) -> dict[str, Any]:
    """At once, as if the plug were pulled."""
    where = _where(options)
    running = process.living(where["pid"]) is not None
    if running:
        quit_machine(where["qmp"])
        deadline = time.monotonic() + 5.0
        while process.living(where["pid"]) is not None and time.monotonic() < deadline:
            time.sleep(0.02)
    process.stop(where)
    return {"changed": running, "on": False}


def on(options: dict[str, Any]) -> dict[str, Any]:
    """QEMU is made first, with its processors stopped; the power comes on when they start."""
    where = _where(options)
    if process.living(where["pid"]) is not None:
        return {"changed": False, "on": True}
    plan = process.read_plan(where["plan"])
    if not plan:
        raise PowerError("there is no machine %s-%s: build it with module vm_lab" % (options["prefix"], options["machine"]))
    try:
        process.start(plan, where)
        before = time.monotonic()
        epoch = process.power_on(where)
    except (LabError, OSError) as error:
        process.stop(where)
        raise PowerError("%s-%s cannot be switched on: %s" % (options["prefix"], options["machine"], error)) from error
    return {"changed": True, "on": True, "epoch": epoch, "event": EVENT, "call_s": round(time.monotonic() - before, 6), "clock": this_clock()}
