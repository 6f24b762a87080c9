# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One QEMU process: started so that it cannot be lost, found again by pid and start time, ended for certain.

It shares the PID namespace of the lab's switch, so it dies with the lab; its taps are opened in the switch's network namespace and handed over, so its
management port is on this machine; it has a last hour, after which a child of its own ends it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import struct
import time
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import Forked, LabError, die_with_parent, kill_and_wait, run, setns, start_time
from ansible_collections.routerlab.bench.plugins.module_utils._vm_qmp import Qmp

RUNTIME_DIR = "/run/routerlab-vm"
STATE_DIR = "/var/lib/routerlab/vm"
_TUNSETIFF, _IFF_TAP, _IFF_NO_PI, _IFF_VNET_HDR = 0x400454CA, 0x0002, 0x1000, 0x4000


def paths(prefix: str, machine: str) -> dict[str, str]:
    folder = os.path.join(RUNTIME_DIR, prefix)
    names = {"pid": ".pid", "plan": ".json", "qmp": ".qmp", "serial": ".serial", "log": ".log", "words": ".err", "host_key": ".hostkey", "seed": ".seed"}
    found = {key: os.path.join(folder, machine + suffix) for key, suffix in names.items()}
    return {**found, "overlay": os.path.join(STATE_DIR, prefix, machine + ".qcow2")}


def write(path: str, content: str, mode: int = 0o644) -> None:
    """Whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as handle:
        handle.write(content)
    os.chmod(path + ".new", mode)
    os.rename(path + ".new", path)


def read_plan(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as handle:
            return dict(json.load(handle))
    except (OSError, ValueError):
        return {}


def living(pid_file: str) -> int | None:
    """The pid, if the process that the file speaks of still runs. Another process with a recycled number has another start time."""
    try:
        with open(pid_file, encoding="ascii") as handle:
            pid, started = (int(word) for word in handle.read().split())
    except (OSError, ValueError):
        return None
    return pid if start_time(pid) == started else None


def stop(where: dict[str, str]) -> bool:
    """End a machine as if its plug were pulled; whether it ran."""
    pid = living(where["pid"])
    if pid is not None:
        kill_and_wait([pid])
    for key in ("pid", "qmp", "serial"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(where[key])
    return pid is not None


def _open_tap(name: str, offload: bool) -> int:
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
    flags = _IFF_TAP | _IFF_NO_PI | (_IFF_VNET_HDR if offload else 0)
    try:
        fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH22x", name.encode(), flags))
    except OSError as error:
        raise LabError("tap %s cannot be opened: %s" % (name, error.strerror)) from error
    return descriptor


def _limit(seconds: int) -> None:
    """A child of this process that ends it, whatever it has become by then, after so many seconds. It goes with it, too."""
    parent = os.getpid()
    if os.fork():
        return
    try:
        die_with_parent(True)
        os.closerange(0, 1024)
        deadline = time.monotonic() + seconds
        while os.getppid() == parent and time.monotonic() < deadline:
            time.sleep(min(60.0, max(0.0, deadline - time.monotonic())))
        if os.getppid() == parent:
            os.kill(parent, signal.SIGKILL)
    finally:
        os._exit(0)


def _become(plan: dict[str, Any], words: str, taps: dict[str, int], go: int) -> None:
    """In the new process: wait for the word, then turn into QEMU. Never returns."""
    try:
        os.setsid()
        if os.read(go, 1) != b"g":  # whoever started it is gone, and nobody knows its pid
            os._exit(1)
        os.chdir("/")
        null = os.open("/dev/null", os.O_RDWR)
        log = os.open(words, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        for descriptor, source in ((0, null), (1, log), (2, log)):
            os.dup2(source, descriptor)
        keep = set(taps.values())
        for descriptor in range(3, 1024):
            if descriptor in keep:
                os.set_inheritable(descriptor, True)
            else:
                with contextlib.suppress(OSError):
                    os.close(descriptor)
        argv = list(plan["argv"])
        for name, descriptor in taps.items():
            argv = [word.replace("{fd:%s}" % name, str(descriptor)) for word in argv]
        if plan["nice"]:
            os.nice(plan["nice"])
        _limit(plan["max_seconds"])
        os.execvpe(argv[0], argv, {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"})
    except BaseException as error:  # pylint: disable=broad-except # this process must end here, whatever happened
        os.write(2, str(error).encode("utf-8", "replace"))
    finally:
        os._exit(1)


def _spawn(plan: dict[str, Any], where: dict[str, str]) -> int:
    """In a short-lived child: taps from the switch, then a process in the switch's PID namespace. The pid file is there before QEMU is."""
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    setns("/proc/%d/ns/net" % plan["holder"])
    taps = {nic["tap"]: _open_tap(nic["tap"], nic["offload"]) for nic in plan["nics"]}
    setns("/proc/self/fd/%d" % here)
    setns("/proc/%d/ns/pid" % plan["holder"])
    read, go = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(go)
        _become(plan, where["words"], taps, read)
    os.close(read)
    try:
        write(where["pid"], "%d %s\n" % (pid, start_time(pid)))
        os.write(go, b"g")
    finally:
        os.close(go)
    return pid


def start(plan: dict[str, Any], where: dict[str, str], timeout: float = 20.0) -> int:
    """Start QEMU with the machine switched off (`power_on` starts its processors); its pid."""
    if start_time(plan["holder"]) != plan["holder_started"]:
        raise LabError("the switch of the lab is gone: build the namespaces first, then the machines")
    stop(where)
    pid = int(Forked(lambda: _spawn(plan, where)).result())
    problem = _wait_for_qmp(where, timeout)
    if problem is not None:
        stop(where)
        raise LabError(problem)
    return pid


def _wait_for_qmp(where: dict[str, str], timeout: float) -> str | None:
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError), Qmp(where["qmp"], 5.0):
            return None
        if living(where["pid"]) is None:
            with open(where["words"], encoding="utf-8", errors="replace") as handle:
                return "QEMU ended at once and said: %s" % (handle.read().strip()[-1000:] or "nothing")
        time.sleep(0.05)
    return "QEMU did not open %s within %g s" % (where["qmp"], timeout)


def power_on(where: dict[str, str], timeout: float = 10.0) -> float:
    """Let the machine run; the time of QEMU's own event, in seconds since the epoch."""
    with Qmp(where["qmp"], timeout) as talk:
        talk.command("cont")
        return talk.wait_event("RESUME", timeout)


def make_overlay(where: dict[str, str], image: dict[str, Any]) -> None:
    """An empty layer over the image: what the machine writes outlives QEMU, and the image stays as it is."""
    os.makedirs(os.path.dirname(where["overlay"]), mode=0o755, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(where["overlay"])
    run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", image["disk"], "-F", "raw", where["overlay"]])
