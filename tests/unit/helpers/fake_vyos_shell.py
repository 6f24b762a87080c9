# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of a router that plays VyOS or EdgeOS: operational mode, configuration mode, prompts, pager.

Modelled on vyatta-cfg (functions/interpreter/vyatta-cfg-run: which commands there are, their answers, `load` and `merge`
only without uncommitted changes, `exit` refused with them), vyatta-config-mgmt and vyos-1x config_mgmt.py (the questions of
commit-confirm), bash 5.1 (1.4 on: bracketed paste around each prompt). `bash FILE` runs a real bash, whose `my_set` and
`my_delete` call back into the session. Nothing else of a shell is there: a line is one command, perhaps with `| no-more`.
"""
from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import tempfile
import threading
from pathlib import Path as FilePath
from typing import Any, Callable

import fake_vyos_show
from fake_vyos_state import Box, Refused

from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import Path, parse_curly, unique

LINES = 24
STUB = """#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/$FAKE_PORT
printf '%s\\0' "$FAKE_SESSION" $# {verb} "$@" >&3
IFS= read -r -d '' rc <&3; IFS= read -r -d '' words <&3
printf '%s' "$words"; exit "$rc"
"""


class Hangup(Exception):
    """The session ends."""


class Callback:
    """Where `my_set` of a running script comes back to, for all sessions of this process."""

    def __init__(self) -> None:
        self.shells: dict[str, "Shell"] = {}
        self.folder = FilePath(tempfile.mkdtemp(prefix="routerlab-fake-"))
        for verb in ("set", "delete"):
            path = self.folder / f"my_{verb}"
            path.write_text(STUB.format(verb=verb), encoding="ascii")
            path.chmod(0o755)
        self.server = socket.create_server(("127.0.0.1", 0), backlog=200)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            connection, _peer = self.server.accept()
            with connection:
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        words: list[str] = []
        rest = b""
        while len(words) < 3 or len(words) < 3 + int(words[1]):
            data = connection.recv(65536)
            if not data:
                return
            *whole, rest = (rest + data).split(b"\0")
            words += [item.decode(errors="surrogateescape") for item in whole]
        shell = self.shells.get(words[0])
        rc, text = shell.change(words[2], tuple(words[3:])) if shell else (1, "no such session")
        connection.sendall(f"{rc}\0{text}\0".encode())


_CALLBACK: list[Callback] = []


def callback() -> Callback:
    if not _CALLBACK:
        _CALLBACK.append(Callback())
    return _CALLBACK[0]


class Shell:
    """One session. ``read`` gives the next typed line, ``write`` sends text, ``cut`` breaks the connection."""

    def __init__(self, box: Box, user: str, read: Callable[[], str], write: Callable[[str], None], cut: Callable[[], None]) -> None:
        self.box, self.user, self.read, self.write, self.cut = box, user, read, write, cut
        self.base: list[Path] | None = None
        self.candidate: list[Path] = []
        self.paging = True
        callback().shells[str(id(self))] = self

    def run(self) -> None:
        """Read and answer until the end."""
        try:
            while True:
                self.write(self.prompt())
                line = self.read()
                self.write(line + "\r\n" + ("\x1b[?2004l\r" if self._new_bash() else ""))
                if line.strip():
                    self._carry_out(line.strip())
        except Hangup:
            pass
        finally:
            callback().shells.pop(str(id(self)), None)

    def _new_bash(self) -> bool:
        return self.box.dialect in ("1.4", "1.5", "rolling")

    def prompt(self) -> str:
        name = self.box.hostname().split(".")[0]
        start = "\x1b[?2004h" if self._new_bash() else ""
        return f"\r\n{start}[edit]\r\n{self.user}@{name}# " if self.base is not None else f"{start}{self.user}@{name}:~$ "

    def _carry_out(self, line: str) -> None:
        for key, hook in list(self.box.faults.before.items()):
            if line.startswith(key):
                hook(self)
        command, _bar, pipe = line.partition(" | ")
        text = self.answer(command.strip())
        self._show(text, pipe.strip())
        for key, hook in list(self.box.faults.after.items()):
            if line.startswith(key):
                hook(self)

    def _show(self, text: str, pipe: str) -> None:
        """With the pager on, a long text waits for a key after each page."""
        lines = text.splitlines()
        for index, line in enumerate(lines):
            if self.paging and pipe not in ("no-more", "cat") and index and index % LINES == 0:
                self.write(":")
                if self.read().strip().startswith("q"):
                    return
            self.write(line + "\r\n")

    def answer(self, command: str) -> str:
        if command in fake_vyos_show.TEXTS:
            return fake_vyos_show.TEXTS[command]
        try:
            words = shlex.split(command)
        except ValueError:
            return "bash: syntax error\n"
        common = {"echo": self._echo, "bash": self._bash, "df": self._df, "rm": self._rm, "pgrep": self._pgrep}
        if words[0] in common:
            return str(common[words[0]](words))
        return self._configuration(words, command) if self.base is not None else self._operation(words)

    def _operation(self, words: list[str]) -> str:
        if words == ["configure"]:
            self.base, self.candidate = list(self.box.running), list(self.box.running)
            return ""
        if words[0] == "exit":
            raise Hangup
        if "terminal" in words and "length" in words:
            self.paging = words[-1] != "0"
            return ""
        if "terminal" in words and "width" in words:
            return ""
        return fake_vyos_show.show(self.box, words) if words[0] == "show" else f"\n  Invalid command: [{words[0]}]\n\n"

    def _configuration(self, words: list[str], command: str) -> str:
        if words[0] in ("set", "delete"):
            rc, text = self.change(words[0], tuple(words[1:]))
            return text if rc or text else ""
        plain: dict[str, Callable[[list[str]], str]] = {
            "commit": self._commit, "commit-confirm": self._commit_confirm, "confirm": self._confirm, "save": lambda words: self.box.save(),
            "compare": self._compare, "discard": self._discard, "exit": self._exit, "load": self._load, "merge": self._load,
        }  # fmt: skip
        if words[0] == "run":
            return self._operation(words[1:])
        return plain[words[0]](words) if words[0] in plain else f"\n  Invalid command: [{words[0]}]\n\n"

    def change(self, verb: str, path: Path) -> tuple[int, str]:
        if self.base is None:
            return 1, "no configuration session"
        try:
            with self.box.lock:
                return 0, self.box.change(self.candidate, verb, path)
        except Refused as error:
            return 1, str(error)

    def _changed(self) -> bool:
        return self.base is not None and set(self.candidate) != set(self.base)

    def _commit(self, words: list[str]) -> str:
        if not self._changed():
            return "No configuration changes to commit\n"
        said: list[str] = []
        if self.box.commit(self.base or [], self.candidate, said.append):
            self.base = list(self.box.running)
            self.candidate = list(self.box.running)
        return "".join(said)

    def _commit_confirm(self, words: list[str]) -> str:
        minutes = int(words[1]) if len(words) > 1 else 10
        if not self._changed():
            return "No configuration changes to commit\n"
        old = not self._new_bash()
        if self.box.pending():
            return "Another confirm is pending.\n" + self._commit(words) if old else "Another confirm is pending\n"
        if old and not any(path[:3] == ("system", "config-management", "commit-revisions") for path in self.box.running):
            return "commit-revisions is not configured.\n\n"
        if old:
            self.write(f"commit-confirm will automatically reboot in {minutes} minutes unless changes are confirmed.\r\nProceed? [confirm]")
        else:
            unsaved = "" if self.box.boot_text().encode() == self.box.saved else "\r\nYou should save previous commits before commit-confirm !\r\n"
            self.write(f"{unsaved}\r\ncommit-confirm will automatically reboot in {minutes} minutes unless changes\r\nare confirmed.\r\n\r\nProceed ? [Y/n] ")
        if self.read().strip()[:1].lower() not in ("y", ""):
            return "commit-confirm canceled\n"
        self.write("y\r\n" if old else "")
        self.box.start_timer(minutes)
        text = "" if old else f"Initialized commit-confirm; {minutes} minutes to confirm before reboot\n"
        text += self._commit(words)
        return text + ("\n[edit]\n" if old else "")

    def _confirm(self, words: list[str]) -> str:
        return "Reboot timer stopped\n" if self.box.stop_timer() else "No confirm pending\n"

    def _compare(self, words: list[str]) -> str:
        lines = [f"-{' '.join(path)}" for path in self.base or [] if path not in self.candidate]
        lines += [f"+{' '.join(path)}" for path in self.candidate if path not in (self.base or [])]
        return "\n".join(lines or ["No changes between working and active configurations."]) + "\n"

    def _discard(self, words: list[str]) -> str:
        self.candidate = list(self.base or [])
        return "Changes have been discarded\n"

    def _exit(self, words: list[str]) -> str:
        if self._changed() and words[1:] != ["discard"]:
            return "Cannot exit: configuration modified.\nUse 'exit discard' to discard the changes and exit.\n"
        self.base = None
        return "exit\n"

    def _load(self, words: list[str]) -> str:
        if self._changed():
            return f"Cannot {words[0]}: configuration modified.\nCommit or discard the changes before loading a config file.\n"
        data = self.box.saved if words[1] == "/config/config.boot" else self.box.files.get(words[1])
        if data is None:
            return f"Can not open config file '{words[1]}'\n"
        paths = parse_curly(data.decode())
        self.candidate = unique(paths if words[0] == "load" else [*self.candidate, *paths])
        return f"Loading configuration from {words[1]}\nLoad complete.  Use 'commit' to make changes effective.\n"

    def _echo(self, words: list[str]) -> str:
        return " ".join(self.box.ssh_connection if word == "$SSH_CONNECTION" else word for word in words[1:]) + "\n"

    def _df(self, words: list[str]) -> str:
        free = 0 if self.box.faults.disk_full else 1500000
        lines = [f"/dev/vda1 2000000 {2000000 - free} {free} {100 - free // 20000}% {mount}" for mount in words[1:] if mount.startswith("/")]
        return "\n".join(["Filesystem 1024-blocks Used Available Capacity Mounted on", *lines]) + "\n"

    def _pgrep(self, words: list[str]) -> str:
        return "4711\n" if words[-1] == "my_commit" and self.box.committing.locked() else ""

    def _rm(self, words: list[str]) -> str:
        for name in words[1:]:
            self.box.files.pop(name, None)
        return ""

    def _bash(self, words: list[str]) -> str:
        text = self.box.files.get(words[1])
        if text is None:
            return f"bash: {words[1]}: No such file or directory\n"
        environment: dict[str, Any] = {"PATH": os.environ["PATH"], "vyatta_sbindir": str(callback().folder)}
        environment.update(FAKE_PORT=str(callback().server.getsockname()[1]), FAKE_SESSION=str(id(self)))
        done = subprocess.run(["bash", "-s"], input=text, capture_output=True, env=environment, check=False, timeout=120)
        return re.sub(r"(?<!\n)\Z", "\n", (done.stdout + done.stderr).decode()) if done.stdout or done.stderr else ""
