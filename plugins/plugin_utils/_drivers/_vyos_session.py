# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Configuration mode of VyOS and EdgeOS: what is typed there, and what the answers mean.

The words are those of vyatta-cfg and vyatta-config-mgmt (1.2, 1.3, EdgeOS) and of vyos-1x (1.4 on).
"""

from __future__ import annotations

import contextlib
import re
import shlex
import time
from typing import Callable, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LostContact
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import hide_by_word
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_terminal import PROMPT, Terminal
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import Path

CONFIG_BOOT = "/config/config.boot"
LOCKED = "Configuration system temporarily locked"
PENDING = "Another confirm is pending"
NO_REVISIONS = "commit-revisions is not configured"
FAILED = re.compile(
    r"Commit failed|Failed to generate committed config|No configuration changes to commit|unable to schedule|^\s*(?:delete )?\[.*\] failed", re.MULTILINE
)
WARNING = re.compile(r"^.*(?:\bwarning\b|\bdeprecated\b|should save previous commits).*$", re.IGNORECASE | re.MULTILINE)
PROCEED = r"Proceed ?\?[^\r\n]*\Z"
SPARE_KIB = 512


class NotOurTimer(DriverError):
    """No timer of ours runs: there is none, or it is somebody else's and must not be stopped."""


class ConfigSession:
    """The configuration mode of one connection."""

    def __init__(self, terminal: Terminal, note: Callable[[str], None]) -> None:
        self._terminal = terminal
        self._note = note

    def enter(self) -> None:
        words = self._terminal.ask("configure", 60)
        if not self._terminal.in_configuration:
            raise DriverError(f"`configure` did not lead into configuration mode: {words.strip() or 'no words'}.")

    def leave(self) -> None:
        """Out of configuration mode, without what was not committed."""
        self._terminal.settle()
        for _attempt in range(3):
            if not self._terminal.in_configuration:
                return
            self._terminal.ask("exit discard", 60)
        raise DriverError("`exit discard` does not lead out of configuration mode.")

    def require_space(self, saved_bytes: int) -> None:
        """A full disk is found before it damages the saved configuration: `save` writes over it."""
        needed = SPARE_KIB + 4 * saved_bytes // 1024
        for line in self._terminal.ask("df -Pk /config /tmp").splitlines():
            match = re.fullmatch(r"\S+\s+\d+\s+\d+\s+(-?\d+)\s+\d+%\s+(\S+)", line.strip())
            if match and int(match[1]) < needed:
                raise DriverError(f"the device's disk is full: {match[1]} KiB are left on {match[2]}, {needed} are needed.")

    def run_script(self, path: str, text: str, timeout: float) -> tuple[int, str] | None:
        """Run a file of commands in this session; the number of the refused line and the device's words, or None."""
        self._terminal.write_file(path, text.encode())
        try:
            answer = self._terminal.ask(f"bash {path}", timeout)
        finally:
            with contextlib.suppress(LostContact):
                self._terminal.ask(f"rm -f {path}")
        refused = re.search(r"^routerlab-refused (\d+)\n(.*)\Z", answer, re.MULTILINE | re.DOTALL)
        if refused:
            return int(refused[1]), " ".join(refused[2].split())
        if not re.search(r"^routerlab-done \d+$", answer, re.MULTILINE):
            raise DriverError(f"the commands did not run to their end: {answer.strip()[-500:] or 'no words'}.")
        self._warn(answer)
        return None

    def type(self, commands: Sequence[tuple[str, Path]]) -> None:
        """Type commands one by one: the slow way, for a device whose disk is full."""
        for verb, path in commands:
            line = " ".join([verb, *map(shlex.quote, path)])
            words = self._terminal.ask(line, 60)
            if " failed" in words:
                raise DriverError(f"`{hide_by_word(line)}` was refused: {' '.join(words.split())}")

    def commit_confirm(self, minutes: int, timeout: float) -> str:
        """Commit, to be confirmed. Returns the device's words when it is locked by another commit."""
        words = self._terminal.ask(f"commit-confirm {minutes}", 60, f"(?:{PROCEED}|{PROMPT})")
        if re.search(PROCEED, words):
            self._warn(words)
            words = self._terminal.ask("y", timeout, after=f"commit-confirm {minutes}")
            # A prompt that took its answer without the return key leaves one prompt too many.
            self._terminal.settle()
        if NO_REVISIONS in words:
            how = "set system config-management commit-revisions 20"
            raise NotOurTimer(f"commit-confirm is not possible on this device (it said: {NO_REVISIONS}). Type `{how}`, commit and save, then run again.")
        if PENDING in words:
            raise NotOurTimer(f"somebody else's commit waits to be confirmed (the device said: {PENDING}). Run again when that is over.")
        return self._judged(words)

    def commit(self, timeout: float) -> None:
        words = self._judged(self._terminal.ask("commit", timeout))
        if LOCKED in words:
            raise DriverError(words.strip())

    def _judged(self, words: str) -> str:
        if LOCKED not in words and FAILED.search(words):
            told = "\n".join(line for line in words.splitlines() if line.strip() and not line.startswith("Initialized commit-confirm"))
            raise DriverError(f"the commit failed:\n{told.strip()}")
        self._warn(words)
        return words

    def _warn(self, words: str) -> None:
        for line in WARNING.findall(words):
            self._note(f"the device says: {line.strip()}")

    def wait_for_commit(self, timeout: float) -> None:
        """A commit whose session broke may still be under way: only what it leaves behind counts."""
        end = time.monotonic() + timeout
        while re.search(r"^\d+$", self._terminal.ask("pgrep -x my_commit"), re.MULTILINE):
            if time.monotonic() > end:
                raise DriverError(f"a commit is under way on the device for more than {timeout:.0f} s.")
            time.sleep(0.5)

    def cancel_timer(self) -> None:
        self._terminal.ask("confirm", 60)

    def save(self) -> str:
        return self._terminal.ask("save", 120)
