# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of the method boot that go on after their task has ended: started, found again by pid and start time, ended."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Any

START_SECONDS = 10.0


class BootError(Exception):
    """Something a person has to read."""


def folder_of(name: str) -> Path:
    """A folder of this network namespace: several of them may share one file system."""
    base = Path("/run") if os.access("/run", os.W_OK) else Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    return base / ("routerlab-boot-%s-net-%d" % (name, os.stat("/proc/self/ns/net").st_ino))


def read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text()))
    except (OSError, ValueError):
        return {}


def start_ticks(pid: int) -> int | None:
    try:
        return int(Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()[19])
    except (OSError, ValueError, IndexError):
        return None


def alive(folder: Path) -> int | None:
    """The pid of the program of this folder, if it is still that process."""
    known = read_json(folder / "pid.json")
    pid = int(known.get("pid") or 0)
    return pid if pid and start_ticks(pid) == known.get("start") else None


def stop(folder: Path) -> bool:
    """End the program and remove its folder; whether there was one."""
    pid = alive(folder)
    if pid:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 5.0
        while alive(folder) and time.monotonic() < deadline:
            time.sleep(0.01)
    there = folder.exists()
    shutil.rmtree(str(folder), ignore_errors=True)
    return there


def start(folder: Path, program: ModuleType, files: dict[str, str], arguments: list[str]) -> None:
    """Write the program beside its files and run it; it goes to the background by itself."""
    stop(folder)
    folder.mkdir(mode=0o700, parents=True)
    for name, text in {**files, "program.py": inspect.getsource(program)}.items():
        (folder / name).write_text(text)
    with open(str(folder / "program.err"), "wb") as words:
        done = subprocess.run([sys.executable, str(folder / "program.py"), str(folder), *arguments], stdin=subprocess.DEVNULL, stdout=words,
                              stderr=words, cwd="/", start_new_session=True, timeout=START_SECONDS, check=False)
    deadline = time.monotonic() + START_SECONDS
    while alive(folder) is None:
        if done.returncode != 0 or time.monotonic() > deadline:
            said = (folder / "program.err").read_text(errors="replace").strip()[-500:]
            stop(folder)
            raise BootError("the program did not start: %s" % (said or "it said nothing"))
        time.sleep(0.02)
