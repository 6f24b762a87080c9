# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Commands on the target, one way for all: C locale, a full PATH, a time limit."""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import List, NamedTuple, Optional, Tuple

SEARCH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SHOWN = 4000


class Done(NamedTuple):
    """What a command left behind; rc is None when it ran out of time."""

    command: str
    rc: Optional[int]
    out: str

    @property
    def good(self) -> bool:
        return self.rc == 0

    def words(self) -> str:
        """The command's own words, or what is known when it said nothing."""
        if self.rc is None:
            return (self.out + "\n(no end within the time limit)").strip()
        return self.out.strip() or "(it said nothing, rc %d)" % self.rc


def environment() -> "dict[str, str]":
    """The environment of every command."""
    keep = {key: value for key, value in os.environ.items() if not key.startswith("LC_") and key not in ("LANG", "LANGUAGE")}
    return {**keep, "LC_ALL": "C", "PATH": SEARCH}


def run(command: str, timeout: float = 90.0, prefix: Optional[List[str]] = None, shown: Optional[int] = SHOWN) -> Done:
    """Run a shell command and wait for it, not for daemons that it leaves behind.

    Its output goes to a file: a daemon that keeps a pipe open would be waited for. Of a long one the beginning is kept,
    ``shown`` letters, or all with None.
    """
    with tempfile.TemporaryFile() as output:
        argv = [*(prefix or []), "/bin/sh", "-c", command]
        process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=environment(), cwd="/", start_new_session=True
        )
        try:
            rc: Optional[int] = process.wait(timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            rc = None
        output.seek(0)
        text = output.read().decode("utf-8", errors="replace")
    return Done(command, rc, text if shown is None or len(text) <= shown else text[:shown] + "\n(cut)")


def spawn(command: str, log: str) -> Tuple[Done, Optional[int]]:
    """Start a program that stays in the foreground, with its words in a log file; gives its process number."""
    done = run("(%s) >>'%s' 2>&1 & echo $!" % (command, log))
    text = done.out.strip()
    return done, int(text) if done.good and text.isdigit() else None


def alive(pid: int) -> Optional[str]:
    """The name of a process, None when it is gone or only waits to be buried."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
    except OSError:
        return None
    name, state = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2]
    return None if state == "Z" else name


def find(program: str) -> Optional[str]:
    """Where a program lies, by name or by absolute path; None when it is missing."""
    places = [program] if program.startswith("/") else [os.path.join(folder, program) for folder in SEARCH.split(":")]
    return next((place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)), None)
