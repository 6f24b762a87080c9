# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts and stops the supervisor that keeps the servers of a host."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_supervisor
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_sockets import busy_ports, listening
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_supervisor import OWN_FILES, start_ticks, write_json

START_SECONDS = 10.0
STOP_SECONDS = 3.0


class PoolError(Exception):
    """The servers could not be started or stopped; the message is for a person."""


@dataclass
class Pool:
    """What a pool of servers shall be."""

    program: str
    ports: List[int]
    bind: Optional[str] = None
    max_seconds: float = 3600.0
    test_max_seconds: float = 300.0
    words: Optional[List[str]] = None
    protocol: str = "tcp"

    def config(self) -> Dict[str, Any]:
        """As the supervisor reads it; C(words) are those of another server than iperf3, with C({port}) in them."""
        argv = [self.program, "-s", "-1", "-J", "-i", "1"] + (["-B", self.bind] if self.bind else []) + ["-p", "{port}"]
        return {"argv": argv if self.words is None else [self.program] + self.words, "ports": self.ports, "test_max_seconds": self.test_max_seconds}

    def listening(self) -> Dict[int, str]:
        """The ports on which somebody waits for what this pool serves."""
        return listening(self.protocol)


def default_folder(name: str = "iperf3") -> Path:
    """A folder of this network namespace: two of them may share one file system, and each has its own ports."""
    try:
        namespace = os.stat("/proc/self/ns/net").st_ino
    except OSError:
        namespace = 0
    base = Path("/run") if os.access("/run", os.W_OK) else Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    return base / ("routerlab-%s-%d-net-%d" % (name, os.getuid(), namespace))


def _json(path: Path) -> Dict[str, Any]:
    try:
        value = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _alive(entry: Dict[str, Any]) -> bool:
    """Whether the process of an entry still is the one that was meant, and not a later one with its number."""
    pid, start = entry.get("pid"), entry.get("start")
    return isinstance(pid, int) and pid > 1 and start is not None and start_ticks(pid) == start


def running(folder: Path) -> Dict[str, Any]:
    """The configuration of the supervisor that runs from this folder; empty if none does."""
    return _json(folder / "config.json") if _alive(_json(folder / "pid.json")) else {}


def renew(folder: Path, seconds: float) -> None:
    """Moves the end of the servers' time, never to an earlier moment."""
    lease = folder / "lease"
    try:
        current = float(lease.read_text())
    except (OSError, ValueError):
        current = 0.0
    temporary = folder / "lease.new"
    temporary.write_text("%f" % max(current, time.monotonic() + seconds))
    temporary.replace(lease)


def _wait(condition: Any, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def _end(entry: Dict[str, Any]) -> bool:
    """Ends one process; whether it was there."""
    if not _alive(entry):
        return False
    for signum in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(entry["pid"], signum)
        if _wait(lambda: not _alive(entry) or _is_zombie(entry["pid"]), STOP_SECONDS):
            return True
    raise PoolError("process %s cannot be ended" % entry["pid"])


def _is_zombie(pid: int) -> bool:
    try:
        return Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (OSError, IndexError):
        return True


def has_something_to_stop(folder: Path) -> bool:
    """Whether the supervisor, or a server that outlived it, is there."""
    entries = [_json(folder / "pid.json")] + (_json(folder / "status.json").get("children") or [])
    return any(_alive(entry) for entry in entries)


def stop(folder: Path) -> bool:
    """Ends the supervisor and every server of it; whether there was anything to end."""
    children = _json(folder / "status.json").get("children") or []
    ended = _end(_json(folder / "pid.json"))
    for child in children:
        ended = _end(child) or ended
    for name in OWN_FILES:
        with contextlib.suppress(FileNotFoundError):
            (folder / name).unlink()
    with contextlib.suppress(OSError):  # not ours alone, or not there
        folder.rmdir()
    return ended


def _prepare(folder: Path, pool: Pool) -> None:
    """A folder that only its owner can write to."""
    if folder.is_symlink():
        raise PoolError("state_dir: %s is a symbolic link; give a folder" % folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = folder.stat().st_uid
    if owner != os.getuid():
        raise PoolError("state_dir: %s belongs to user %d; give a folder of user %d" % (folder, owner, os.getuid()))
    source = inspect.getsource(iperf3_supervisor)
    (folder / "supervisor.py").write_text(source)
    write_json(folder / "config.json", pool.config())
    renew(folder, pool.max_seconds)


def _launch(folder: Path) -> None:
    """Starts the supervisor so that nothing of it is tied to the task: own session, no inherited file."""
    with (folder / "supervisor.err").open("wb") as errors:
        subprocess.run(
            [sys.executable, "-I", "-S", str(folder / "supervisor.py"), str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd="/",
            env={"PATH": os.environ.get("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), "LC_ALL": "C"},
            start_new_session=True,
            timeout=START_SECONDS,
            check=False,
        )


def _trouble(folder: Path) -> str:
    status = _json(folder / "status.json")
    try:
        said = (folder / "supervisor.err").read_text()[-500:].strip()
    except OSError:
        said = ""
    return str(status.get("problem") or said or "no reason given")


def _serves(folder: Path, pool: Pool, seconds: float) -> bool:
    """Whether all ports are listened on within C(seconds); a supervisor that has given up is not waited for."""
    def settled() -> bool:
        return set(pool.ports) <= set(pool.listening()) or bool(_json(folder / "status.json").get("problem"))

    return _wait(settled, seconds) and set(pool.ports) <= set(pool.listening()) and bool(running(folder))


def as_wanted(folder: Path, pool: Pool) -> bool:
    """Whether exactly this pool runs already."""
    return running(folder) == pool.config() and _serves(folder, pool, 1.0)


def start(folder: Path, pool: Pool, dry: bool = False) -> bool:
    """Makes the pool run as wanted; whether something was (or, C(dry), would be) changed. Raises PoolError with a sentence for a person."""
    if as_wanted(folder, pool):
        if not dry:
            renew(folder, pool.max_seconds)
        return False
    if not dry:
        stop(folder)
    busy = busy_ports([port for port in pool.ports if not dry or port not in running(folder).get("ports", [])], pool.protocol)
    if busy:
        raise PoolError("; ".join(busy) + ". Stop that program, or give other ports")
    if dry:
        return True
    _prepare(folder, pool)
    _launch(folder)
    if not _serves(folder, pool, START_SECONDS):
        trouble = _trouble(folder)
        stop(folder)
        raise PoolError("the servers did not start within %d s: %s" % (START_SECONDS, trouble))
    return True
