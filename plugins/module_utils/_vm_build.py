# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Build, repair and remove the machines of a lab: look, compare, change only what differs, wait until they answer."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import json
import os
import shutil
import socket
import time
from contextlib import contextmanager
from functools import partial
from typing import Any, Iterator

from ansible_collections.routerlab.bench.plugins.module_utils import _vm_accel as accel_
from ansible_collections.routerlab.bench.plugins.module_utils import _vm_image as image_
from ansible_collections.routerlab.bench.plugins.module_utils import _vm_process as process
from ansible_collections.routerlab.bench.plugins.module_utils import _vm_seed as seed_
from ansible_collections.routerlab.bench.plugins.module_utils import _vm_trunk as trunk
from ansible_collections.routerlab.bench.plugins.module_utils._netns_holder import RUNTIME_DIR as NETNS_RUNTIME
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError, in_netns, run, run_json, start_time
from ansible_collections.routerlab.bench.plugins.module_utils._vm_argv import argv_of
from ansible_collections.routerlab.bench.plugins.module_utils._vm_process import RUNTIME_DIR, STATE_DIR
from ansible_collections.routerlab.bench.plugins.module_utils._vm_spec import Lab

# Raise this number when a machine is made differently: machines of the old kind are then made anew.
LAYOUT = 1


def _take_lock(path: str, deadline: float) -> int:
    """A descriptor of the lock file that is there, held by us alone."""
    while True:
        os.makedirs(RUNTIME_DIR, mode=0o755, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.exists(path) and os.stat(path).st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise LabError("another run builds or removes this lab (lock on %s)" % path) from None
        os.close(descriptor)
        time.sleep(0.1)


@contextmanager
def locked(prefix: str, timeout: float = 120.0) -> Iterator[None]:
    """One builder for each lab; the lock goes with the process, however it ends, and its file with the lab."""
    path = os.path.join(RUNTIME_DIR, prefix + ".lock")
    descriptor = _take_lock(path, time.monotonic() + timeout)
    try:
        yield
    finally:
        if not os.path.isdir(os.path.join(RUNTIME_DIR, prefix)):
            os.unlink(path)
            for folder in (RUNTIME_DIR, STATE_DIR, os.path.dirname(STATE_DIR)):
                with contextlib.suppress(OSError):  # other labs, or somebody else's files
                    os.rmdir(folder)
        os.close(descriptor)


def switch_holder(prefix: str, switch: str) -> tuple[int, int]:
    """Pid and start time of the namespace node in which the wires end."""
    path = os.path.join(NETNS_RUNTIME, prefix, switch + ".pid")
    try:
        with open(path, encoding="ascii") as handle:
            pid, started = (int(word) for word in handle.read().split()[:2])
    except (OSError, ValueError):
        pid, started = 0, 0
    if not pid or start_time(pid) != started:
        raise LabError("there is no namespace node '%s-%s': the machines' wires end there, so build the namespaces first (module netns_lab, same prefix)"
                       % (prefix, switch))
    return pid, started


def make_taps(nics: list[dict[str, Any]]) -> None:
    """Runs within the switch's network namespace: taps there and up, wires on them."""
    there = {link["ifname"] for link in run_json(["ip", "-j", "link", "show"])}
    lines = []
    for nic in nics:
        if nic["tap"] not in there:
            run(["ip", "tuntap", "add", "dev", nic["tap"], "mode", "tap", *(["vnet_hdr"] if nic["offload"] else [])])
        lines += ["link set %s up" % name for name in [nic["tap"], *(wire["port"] for wire in nic["wires"])]]
    run(["ip", "-batch", "-"], "\n".join(lines) + "\n")
    trunk.make_wires(nics)


def in_switch(holder: int, function: Any) -> Any:
    return in_netns("/proc/%d/ns/net" % holder, function).result()


def fingerprint(*parts: Any) -> str:
    return hashlib.sha256(json.dumps([LAYOUT, *parts], sort_keys=True, default=str).encode()).hexdigest()[:16]


def planned(lab: Lab, machine: dict[str, Any], image: dict[str, Any], keys: dict[str, str], accel: str) -> dict[str, Any]:
    """Everything that is needed to start a machine, now and after each time it is switched off."""
    where = process.paths(lab["prefix"], machine["name"])
    holder, started = switch_holder(lab["prefix"], lab["switch"])
    plan = {
        "argv": argv_of(lab["prefix"], machine, image, where, accel), "nics": machine["nics"], "holder": holder, "holder_started": started,
        "nice": lab["nice"], "max_seconds": machine["max_seconds"], "accel": accel, "image": image["id"], "port": machine["management_port"],
        "cpus": machine["cpus"], "memory": machine["memory"],
    }
    return {**plan, "fingerprint": fingerprint(plan, keys)}


def wait_for_ssh(where: dict[str, str], port: int, timeout: float) -> None:
    """Until the machine's SSH server says its name."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), 2.0) as talk:
                talk.settimeout(2.0)
                if talk.recv(64).startswith(b"SSH-"):
                    return
        except OSError:
            pass
        if process.living(where["pid"]) is None:
            raise LabError("QEMU ended while the machine was starting; it said: %s" % tail(where["words"]))
        time.sleep(0.2)
    raise LabError("no SSH server answered on 127.0.0.1:%d within %g s; the machine's console said at last:\n%s" % (port, timeout, tail(where["log"])))


def tail(path: str, size: int = 600) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as handle:
            return handle.read()[-size:].strip() or "nothing"
    except OSError:
        return "nothing"


def make_keys(lab: Lab) -> dict[str, str]:
    """The lab's own login key, a host key for each machine, and the file in which ssh finds these."""
    folder = os.path.join(RUNTIME_DIR, lab["prefix"])
    os.makedirs(folder, mode=0o755, exist_ok=True)
    keys = {"login": seed_.make_key(os.path.join(folder, "key"), "routerlab %s" % lab["prefix"], lab["owner"])}
    known = ""
    for machine in lab["machines"]:
        public = seed_.make_key(process.paths(lab["prefix"], machine["name"])["host_key"], machine["name"], 0)
        keys[machine["name"]] = public
        known += "[127.0.0.1]:%d %s\n" % (machine["management_port"], " ".join(public.split()[:2]))
    process.write(os.path.join(folder, "known_hosts"), known)
    return keys


def make_machine(lab: Lab, machine: dict[str, Any], plan: dict[str, Any], image: dict[str, Any], keys: dict[str, str]) -> None:
    where = process.paths(lab["prefix"], machine["name"])
    process.stop(where)
    in_switch(plan["holder"], partial(make_taps, machine["nics"]))
    with open(where["seed"], "wb") as handle:
        os.chmod(where["seed"], 0o600)
        handle.write(seed_.seed(where["host_key"], keys["login"]))
    if machine["persist"]:
        process.make_overlay(where, image)
    process.start(plan, where)
    process.write(where["plan"], json.dumps(plan))
    process.power_on(where)


def differences(lab: Lab, plans: dict[str, dict[str, Any]]) -> tuple[dict[str, str], dict[str, str]]:
    """Machine → why it has to be made (again), and machine → what is wrong with its wires only."""
    found, cut = {}, {}
    for machine in lab["machines"]:
        where, plan = process.paths(lab["prefix"], machine["name"]), plans[machine["name"]]
        old = process.read_plan(where["plan"])
        if process.living(where["pid"]) is None:
            found[machine["name"]] = "does not run"
        elif old.get("fingerprint") != plan["fingerprint"]:
            found[machine["name"]] = "was made from another description"
        else:
            wrong = in_switch(plan["holder"], partial(trunk.mistakes, machine["nics"]))
            if any("missing" in text for text in wrong):
                found[machine["name"]] = ", ".join(wrong)
            elif wrong:
                cut[machine["name"]] = ", ".join(wrong)
    return found, cut


def present(lab: Lab, check_mode: bool) -> dict[str, Any]:
    """Make the machines what the description says."""
    images = {name: image_.located(lab["cache_dir"], name, lab["images"][name]) for name in sorted({machine["image"] for machine in lab["machines"]})}
    unbuilt = [name for name, image in images.items() if not image_.is_there(image)]
    absent_ones = [machine["name"] for machine in lab["machines"] if process.living(process.paths(lab["prefix"], machine["name"])["pid"]) is None]
    if check_mode and (unbuilt or absent_ones):
        lines = ["build image %s" % images[name]["id"] for name in unbuilt] + ["make machine %s" % machine["name"] for machine in lab["machines"]]
        return {"changed": True, "before": "", "after": "".join(line + "\n" for line in lines), "machines": {}, "built": []}
    built = [name for name in unbuilt if image_.ensure(lab["cache_dir"], name, lab["images"][name])]
    kernel = images[lab["machines"][0]["image"]]["kernel"] if lab["machines"] else ""
    chosen = accel_.choose(lab["accel"], kernel, lab["cache_dir"], lab["probe_seconds"]) if kernel else {"accel": "", "why": ""}
    keys = make_keys(lab)
    plans = {machine["name"]: planned(lab, machine, images[machine["image"]], keys, chosen["accel"]) for machine in lab["machines"]}
    (wrong, cut), extra = differences(lab, plans), leftovers(lab["prefix"], set(plans))
    if not check_mode:
        for name in extra:
            forget(lab["prefix"], name)
        for machine in lab["machines"]:
            if machine["name"] in wrong:
                make_machine(lab, machine, plans[machine["name"]], images[machine["image"]], keys)
            elif machine["name"] in cut:
                in_switch(plans[machine["name"]]["holder"], partial(make_taps, machine["nics"]))
        for machine in lab["machines"]:
            wait_for_ssh(process.paths(lab["prefix"], machine["name"]), machine["management_port"], lab["boot_timeout"])
    before = ["machine %s %s" % item for item in [*wrong.items(), *cut.items()]] + ["machine %s is left over" % name for name in extra]
    return {
        "changed": bool(wrong or cut or extra or built), "before": "".join(line + "\n" for line in before),
        "after": "".join("machine %s runs\n" % name for name in [*wrong, *cut]), "built": [images[name]["id"] for name in built],
        "machines": {name: described(plan, chosen) for name, plan in plans.items()},
    }


def described(plan: dict[str, Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """What a reader of results should know of a machine."""
    conditions = {
        "hypervisor": "%s, %s" % (accel_.version(), chosen["accel"]), "vcpus": plan["cpus"], "memory_mib": plan["memory"], "nic": "virtio-net, tap",
        "nic_offload": ", ".join(sorted({"on" if nic["offload"] else "off" for nic in plan["nics"]})), "image": plan["image"],
    }
    return {"accel": chosen["accel"], "accel_why": chosen["why"], "image": plan["image"], "cpus": plan["cpus"], "memory": plan["memory"], "port": plan["port"],
            "nics": plan["nics"], "conditions": conditions}


def leftovers(prefix: str, wanted: set[str]) -> list[str]:
    """Machines that the files of a lab speak of and nobody wants."""
    folder = os.path.join(RUNTIME_DIR, prefix)
    found = {os.path.basename(path).rsplit(".", 1)[0] for kind in ("pid", "json") for path in glob.glob(os.path.join(folder, "*." + kind))}
    return sorted(found - wanted)


def forget(prefix: str, name: str) -> None:
    where = process.paths(prefix, name)
    process.stop(where)
    for path in [*where.values(), where["host_key"] + ".pub"]:
        if os.path.exists(path):
            os.unlink(path)


def absent(prefix: str, check_mode: bool) -> dict[str, Any]:
    """Remove the machines of a lab, whatever is left of them. Taps and wires go with the switch's namespace."""
    names = leftovers(prefix, set())
    folders = [path for path in (os.path.join(RUNTIME_DIR, prefix), os.path.join(STATE_DIR, prefix)) if os.path.isdir(path)]
    if not check_mode:
        for name in names:
            forget(prefix, name)
        for path in folders:
            shutil.rmtree(path)
    before = ["machine %s" % name for name in names] + ["folder %s" % path for path in folders]
    return {"changed": bool(before), "before": "".join(line + "\n" for line in before), "after": "", "machines": {}, "built": []}
