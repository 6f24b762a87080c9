# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""System calls and small commands behind the namespace lab: nothing here knows what a lab looks like."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import time
from typing import Any, Callable, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._programs import named

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV, MS_NOEXEC = 4096, 8192, 16384, 1 << 18, 2, 4, 8
MNT_DETACH = 2
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)


class LabError(Exception):
    """Something a person has to read: the message names the thing and what to do."""


def _check(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, "%s: %s" % (what, os.strerror(code)))


def unshare(flags: int) -> None:
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def setns(path: str) -> None:
    """Join the namespace behind a file such as /proc/1/ns/net."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _check(_libc.setns(ctypes.c_int(descriptor), ctypes.c_int(0)), "setns %s" % path)
    finally:
        os.close(descriptor)


def mount(source: str | None, target: str, fstype: str | None = None, flags: int = 0, data: str | None = None) -> None:
    encoded = [item.encode() if item is not None else None for item in (source, target, fstype, data)]
    _check(_libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3]), "mount %s" % target)


def detach(target: str) -> None:
    """Lazy unmount of a mount point and everything below it."""
    _check(_libc.umount2(target.encode(), ctypes.c_int(MNT_DETACH)), "umount %s" % target)


def die_with_parent(on: bool) -> None:
    _check(_libc.prctl(ctypes.c_int(PR_SET_PDEATHSIG), ctypes.c_ulong(signal.SIGKILL if on else 0), 0, 0, 0), "prctl")


def run(argv: Sequence[str], stdin: str | None = None, timeout: float = 30.0, check: bool = True) -> str:
    """Run a program and return what it printed. A failure quotes the command and its own words."""
    environment = dict(os.environ, LC_ALL="C", PATH=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin:/sbin:/bin")
    try:
        done = subprocess.run(list(argv), input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                              env=environment, check=False, universal_newlines=True,
                              stdin=subprocess.DEVNULL if stdin is None else None)
    except FileNotFoundError as error:
        raise LabError("%s is not installed" % named(argv[0])) from error
    except subprocess.TimeoutExpired as error:
        raise LabError("'%s' did not end within %g s" % (" ".join(argv), timeout)) from error
    if check and done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing")
        lines = "" if stdin is None else " with the lines:\n%s" % stdin
        raise LabError("'%s' failed with exit code %d and said: %s%s" % (" ".join(argv), done.returncode, said, lines))
    return done.stdout


def run_json(argv: Sequence[str]) -> list[dict[str, Any]]:
    text = run(argv).strip()
    return [item for item in json.loads(text) if item] if text else []


def start_time(pid: int) -> int | None:
    """Start time of a process in clock ticks since boot, or None if there is no such (living) process."""
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as handle:
            fields = handle.read().rpartition(")")[2].split()
    except (OSError, ValueError):
        return None
    return None if fields[0] in ("Z", "X") else int(fields[19])


def kill_and_wait(pids: Sequence[int], timeout: float = 10.0) -> None:
    """SIGKILL, and wait until the kernel has really removed them (with everything inside their PID namespaces)."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + timeout
    while any(start_time(pid) is not None for pid in pids):
        if time.monotonic() > deadline:
            raise LabError("process(es) %s did not end within %g s of SIGKILL" % (list(pids), timeout))
        time.sleep(0.005)


class Forked:
    """A function that runs in a child process at once; `result()` waits for what it returned (any JSON) or raises what it raised."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._read, write = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._read)
            code = 0
            try:
                answer = {"ok": function()}
            except BaseException as error:  # pylint: disable=broad-except # the child must never run on in the parent's code
                answer = {"error": str(error), "lab_error": isinstance(error, LabError)}
                code = 1
            try:
                with os.fdopen(write, "w") as handle:
                    json.dump(answer, handle)
            finally:
                os._exit(code)
        os.close(write)

    def result(self) -> Any:
        with os.fdopen(self._read) as handle:
            text = handle.read()
        os.waitpid(self._pid, 0)
        if not text:
            raise LabError("a helper process ended without an answer (killed?)")
        answer = json.loads(text)
        if "ok" not in answer:
            raise LabError(answer["error"])
        return answer["ok"]


def in_netns(path: str, function: Callable[[], Any]) -> Forked:
    """Run a function in a child that sees the network namespace behind `path` (files stay the host's)."""
    def inside() -> Any:
        die_with_parent(True)
        setns(path)
        return function()
    return Forked(inside)


def all_results(jobs: dict[str, Forked]) -> dict[str, Any]:
    """Results by name; every job is waited for, then the first errors are raised together."""
    results: dict[str, Any] = {}
    errors: list[str] = []
    for name, job in jobs.items():
        try:
            results[name] = job.result()
        except LabError as error:
            errors.append("%s: %s" % (name, error))
    if errors:
        raise LabError("; ".join(errors))
    return results
