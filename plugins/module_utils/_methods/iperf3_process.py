# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program that may hang, ignore a polite end, or leave children holding its pipes; and is back in time."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple

# How long a program that was asked to stop may take to write its report.
POLITE_SECONDS = 2.0
_PR_SET_PDEATHSIG = 1


@dataclass
class Outcome:
    """What a program did. C(rc) is None if it could not even be waited for."""

    rc: Optional[int]
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool = False


def dies_with_parent() -> Optional[Callable[[], None]]:
    """For C(preexec_fn): the kernel ends the child when its parent dies, so that a killed play leaves no traffic behind (Linux only)."""
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError, TypeError):
        return None
    parent = os.getpid()

    def arm() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return arm


def _environment() -> dict:
    return dict(os.environ, LC_ALL="C", LANG="C", LANGUAGE="C")


def _signal_group(process: subprocess.Popen, signum: int) -> None:
    """To the program and to all that it started: it leads its own process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signum)


def _collect(process: subprocess.Popen, seconds: float) -> Optional[Tuple[bytes, bytes]]:
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


def _stop(process: subprocess.Popen) -> Tuple[bytes, bytes]:
    """Ends a program: asked first (iperf3 then prints what it has), then without asking."""
    for signum in (signal.SIGTERM, signal.SIGKILL):
        _signal_group(process, signum)
        output = _collect(process, POLITE_SECONDS)
        if output is not None:
            return output
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()
    return b"", b""


def run_bounded(argv: List[str], seconds: float) -> Outcome:
    """Runs C(argv) with the C locale, writes nothing to disk, and returns at the latest C(seconds) + 4 later.

    OSError is raised if the program cannot be started.
    """
    began = time.monotonic()
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
        start_new_session=True,
        preexec_fn=dies_with_parent(),
    )
    try:
        output = _collect(process, seconds)
        timed_out = output is None
        stdout, stderr = output if output is not None else _stop(process)
    except BaseException:
        _signal_group(process, signal.SIGKILL)
        raise
    return Outcome(
        process.poll(), stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace"), time.monotonic() - began, timed_out
    )
