# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps one fresh iperf3 server per port, or another server program, for a limited time.

This file is handed to the target and run there by its Python as a program of its own: standard library only, no imports from the collection.
Its one argument is a folder with C(config.json); there it writes C(pid.json) and C(status.json), and it looks at C(lease) when its time is over.

Every test gets a new server process (C(iperf3 -s -1)). What a server prints is read and thrown away, but for the last lines, which say why a
server could not start. A server whose test does not end is replaced. When the time is over, or on SIGTERM, everything ends; if this process is
killed, the kernel ends the servers.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Optional

TICK_SECONDS = 5.0
KEEP_BYTES = 4000
# Failures to listen in a row, a tenth of a second apart, after which a port is given up.
MOST_FAILURES = 20
OWN_FILES = (
    "config.json", "config.json.new", "pid.json", "pid.json.new", "status.json", "status.json.new", "lease", "lease.new", "supervisor.py", "supervisor.err",
)
# TCP states as /proc/net/tcp writes them.
ESTABLISHED = "01"
LISTEN = "0A"
UNCONNECTED = "07"


def start_ticks(pid: int) -> Optional[int]:
    """When a process began, in clock ticks since boot: with the pid it names one process for ever."""
    try:
        return int(Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[19])
    except (OSError, ValueError, IndexError):
        return None


def write_json(path: Path, value: Any) -> None:
    """Replaces a small file in one step."""
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps(value))
    temporary.replace(path)


def _die_with_parent() -> None:
    os.setsid()  # a server with children of its own is ended together with them
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)


class Server:
    """The server of one port, whichever process it is at the moment."""

    def __init__(self, argv: List[str], port: int) -> None:
        self.argv = [word.replace("{port}", str(port)) for word in argv]
        self.port = port
        self.process: Optional[subprocess.Popen] = None
        self.began = 0.0
        self.busy_since: Optional[float] = None
        self.failures = 0
        self.tail = b""
        self.tests = 0

    def start(self) -> None:
        """A fresh process; both outputs go to one pipe."""
        self.process = subprocess.Popen(
            self.argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, LC_ALL="C"),
            preexec_fn=_die_with_parent,
        )
        self.began, self.busy_since, self.tail = time.monotonic(), None, b""

    def fileno(self) -> int:
        """For select: the pipe."""
        return self.process.stdout.fileno() if self.process and self.process.stdout else -1

    def drain(self) -> bool:
        """Reads what is there; whether the process has closed its output, which it does when it ends."""
        data = os.read(self.fileno(), 65536)
        self.tail = (self.tail + data)[-KEEP_BYTES:]
        return not data

    def replace(self) -> Optional[str]:
        """After its end: a fresh process; or, if processes keep ending at once, why."""
        if self.process:
            if self.process.stdout:
                self.process.stdout.close()
            self.stop()
        served = b"accepted_connection" in self.tail or len(self.tail) >= KEEP_BYTES
        self.tests += served
        self.failures = 0 if served or time.monotonic() - self.began > 1.0 else self.failures + 1
        if self.failures > MOST_FAILURES:
            said = " ".join(self.tail.decode("utf-8", "replace").split())
            return "the server on port %d cannot start: %s" % (self.port, said[-300:])
        if self.failures > 1:
            time.sleep(0.1)
        self.start()
        return None

    def stop(self) -> None:
        """Ends the process, without patience."""
        if self.process and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        if self.process:
            self.process.wait()


def sockets(state: str, protocol: str = "tcp") -> Dict[int, str]:
    """Local ports of this network namespace with a socket in that state, each with a socket's inode. Reads, touches nothing."""
    found: Dict[int, str] = {}
    for name in (protocol, protocol + "6"):
        with contextlib.suppress(OSError):
            rows = [line.split() for line in Path("/proc/self/net/" + name).read_text().splitlines()[1:]]
            found.update((int(row[1].rsplit(":", 1)[-1], 16), row[9]) for row in rows if len(row) > 9 and row[3] == state)
    return found


class Supervisor:
    """The loop over all servers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = json.loads((folder / "config.json").read_text())
        self.servers = [Server(self.config["argv"], port) for port in self.config["ports"]]
        self.tick = min(TICK_SECONDS, self.config["test_max_seconds"] / 4)
        self.problem: Optional[str] = None

    def deadline(self) -> float:
        """The end of the lease, on the clock that counts since boot; whoever uses the servers may move it."""
        try:
            return float((self.folder / "lease").read_text())
        except (OSError, ValueError):
            return 0.0

    def status(self) -> None:
        """Which processes there are, for whoever has to end them without us."""
        children: List[Dict[str, Any]] = []
        for server in self.servers:
            pid = server.process.pid if server.process else 0
            children.append({"port": server.port, "pid": pid, "start": start_ticks(pid), "tests": server.tests})
        write_json(self.folder / "status.json", {"children": children, "problem": self.problem})

    def replace_stuck(self) -> None:
        """A test that lasts too long has lost its client (a router that was switched off says no goodbye)."""
        busy, now = sockets(ESTABLISHED), time.monotonic()
        for server in self.servers:
            if server.port not in busy:
                server.busy_since = None
            elif server.busy_since is None:
                server.busy_since = now
            elif now - server.busy_since > self.config["test_max_seconds"] and server.process:
                server.process.kill()

    def turn(self) -> None:
        """Waits for a server to end, or for the next look at the clock."""
        left = self.deadline() - time.monotonic()
        ready = select.select(self.servers, [], [], max(0.0, min(self.tick, left)))[0]
        changed = False
        for server in ready:
            if server.drain():
                self.problem = server.replace() or self.problem
                changed = True
        if changed:
            self.status()
        if not ready:
            self.replace_stuck()

    def tidy(self) -> None:
        """Leaves nothing behind, unless there is something to read about."""
        if self.problem:
            self.status()
        for name in ("pid.json",) if self.problem else OWN_FILES:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        with contextlib.suppress(OSError):  # somebody else's file is in it
            self.folder.rmdir()

    def run(self) -> None:
        """Until the lease is over, or a server cannot live, or somebody says stop."""
        write_json(self.folder / "pid.json", {"pid": os.getpid(), "start": start_ticks(os.getpid())})
        try:
            for server in self.servers:
                server.start()
            self.status()
            while not self.problem and time.monotonic() < self.deadline():
                self.turn()
        finally:
            for server in self.servers:
                server.stop()
            self.tidy()


def main() -> None:
    """Goes to the background; ends on SIGTERM by leaving the loop's wait with an exception, so that the servers are ended too."""

    def leave(signum: int, frame: Any) -> None:
        raise SystemExit(0)

    if os.fork():  # the task that starts us waits for this process only
        os._exit(0)
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Supervisor(Path(sys.argv[1])).run()


if __name__ == "__main__":
    main()
