# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host that is reached by SSH on 127.0.0.1 and has files: a real SSH server (paramiko), and a real shell whose world is one folder.

Scripts are run by this machine's sh (dash) or busybox's, with PATH leading to a folder of the box that holds nothing but the programs it was
given: any other command is "not found", as on a device that does not have it. Absolute paths of the device are rewritten into the box's folder;
here-documents, which are data, are not. Scripts that the device itself starts later go the same way (`bin/sh`, a wrapper).

It is no FreeBSD and no OpenWrt: cp, mv, head and the rest are this machine's, with the options that all of them have.
"""
from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Callable

import paramiko

# Broken connections are what tests are about; paramiko would write each to the screen.
logging.getLogger("paramiko").addHandler(logging.NullHandler())
TOPS = "cf|conf|etc|tmp|usr|var|www|lib|sbin|overlay|bin"
PATHS = re.compile(rf"(?<![\w.$}}/*-])/({TOPS})(?=/|\s|;|$)", re.MULTILINE)
HERE = re.compile(r"<<'(\w+)'\n.*?\n\1\n", re.DOTALL)
PROGRAMS = ("cat", "chmod", "cp", "mv", "rm", "mkdir", "head", "tail", "cmp", "sleep", "date", "ls", "grep", "hostname", "uname")
WRAPPER = """#!{shell}
f=$1; shift
t=$(/usr/bin/mktemp {root}/.run.XXXXXX)
/usr/bin/sed -E 's#(^|[^A-Za-z0-9_.$}}/*-])/({tops})(/|[ ;]|$)#\\1{root}/\\2\\3#g' "$f" >"$t"
exec {shell} "$t" "$@"
"""


class _Door(paramiko.ServerInterface):
    """Who gets in; one command for a channel."""

    def __init__(self, box: "SshBox") -> None:
        self.box = box

    def check_auth_password(self, username: str, password: str) -> int:
        return paramiko.AUTH_SUCCESSFUL if self.box.users.get(username) == password else paramiko.AUTH_FAILED

    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return paramiko.OPEN_SUCCEEDED if kind == "session" else paramiko.OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        threading.Thread(target=self.box.carry_out, args=(channel, command.decode()), daemon=True).start()
        return True


class SshBox:
    """The host. Subclasses fill its folder, and say what a start does (`boot`)."""

    shell = ["/usr/bin/dash"]
    user, password = "admin", "pf-Sense_1"

    def __init__(self, root: Path) -> None:
        self.root = root
        self.users = {self.user: self.password}
        self.key = paramiko.ECDSAKey.generate()
        self.before: dict[str, Callable[[], Any]] = {}
        self.after: dict[str, Callable[[], Any]] = {}
        """Hooks: what happens before and after a script that holds these words; each once."""
        self.scripts: list[str] = []
        self.up_at = 0.0
        self.boots = 0
        self.ssh_connection = "192.168.9.9 50000 192.168.9.1 22"
        self.transports: list[paramiko.Transport] = []
        self._programs()
        self.furnish()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def furnish(self) -> None:
        """The device's files and its own programs."""

    def boot(self) -> None:
        """What the device does when it starts."""

    # files

    def path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def write(self, path: str, text: str | bytes, mode: int = 0o644) -> None:
        target = self.path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
        target.chmod(mode)

    def program(self, path: str, body: str, interpreter: str = "/usr/bin/dash") -> None:
        """A program of the device; ROOT stands for the box's folder."""
        self.path(path).unlink(missing_ok=True)  # else a link to a program of this machine would be written through
        self.write(path, f"#!{interpreter}\n" + body.replace("ROOT", str(self.root)), 0o755)

    def _programs(self) -> None:
        folder = self.path("/bin")
        folder.mkdir(parents=True)
        for name in PROGRAMS:
            found = shutil.which(name)
            if found:
                (folder / name).symlink_to(found)
        self.write("/bin/sh", WRAPPER.format(shell=" ".join(self.shell), root=self.root, tops=TOPS), 0o755)
        # a full disk: what is written is lost behind the first bytes
        (folder / "head").unlink()
        lost = 'if [ -e ROOT/.full ]; then /usr/bin/head -c 10; echo "head: stdout: No space left on device" >&2; exit 1; fi'
        self.program("/bin/head", f'{lost}\nexec /usr/bin/head "$@"\n')
        free = "if [ -e ROOT/.full ]; then free=0; else free=900000; fi"
        self.program("/bin/df", f'{free}\necho "Filesystem 1024-blocks Used Available Capacity Mounted on"\necho "/dev/fs 1000000 1 $free 1% /"\n')

    # the network

    def known_hosts(self) -> str:
        return f"[127.0.0.1]:{self.port} {self.key.get_name()} {self.key.get_base64()}\n"

    def _serve(self) -> None:
        while True:
            try:
                connection, _peer = self.listener.accept()
            except OSError:
                return
            if time.monotonic() < self.up_at:
                connection.close()
                continue
            threading.Thread(target=self._welcome, args=(connection,), daemon=True).start()

    def _welcome(self, connection: socket.socket) -> None:
        transport = paramiko.Transport(connection)
        transport.add_server_key(self.key)
        self.transports.append(transport)
        with contextlib.suppress(paramiko.SSHException, EOFError, OSError):
            transport.start_server(server=_Door(self))

    def login_shell(self, command: str) -> list[str]:
        """What the user's login shell makes of a command."""
        return [*self.shell, "-c", command.replace("/bin/sh", " ".join(self.shell))]

    def carry_out(self, channel: paramiko.Channel, command: str) -> None:
        """One command, with the standard input that comes along."""
        with contextlib.suppress(OSError, EOFError, paramiko.SSHException):
            data = bytearray()
            while block := channel.recv(65536):
                data += block
            text = data.decode()
            self.scripts.append(text)
            self._hook(self.before, text)
            done = self.run(self.login_shell(command), text)
            if self._hook(self.after, text):
                return
            # the device knows nothing of the folder that it lives in
            channel.sendall(done.stdout.replace(str(self.root).encode(), b""))
            channel.sendall_stderr(done.stderr.replace(str(self.root).encode(), b""))
            channel.send_exit_status(done.returncode)
            channel.shutdown_write()
        channel.close()

    def _hook(self, hooks: dict[str, Callable[[], Any]], text: str) -> bool:
        """True when the hook took the connection away."""
        for words in [words for words in hooks if words in text]:
            hooks.pop(words)()
            return not self.transports
        return False

    def run(self, command: list[str], text: str) -> subprocess.CompletedProcess[bytes]:
        """Run it in the box's world."""
        environment = {"PATH": str(self.path("/bin")), "SSH_CONNECTION": self.ssh_connection, "HOME": str(self.root), "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, input=self.rewritten(text).encode(), capture_output=True, env=environment, cwd=self.root, check=False)

    def rewritten(self, text: str) -> str:
        """A script with the box's paths; here-documents stay as they are."""
        parts, here = [], 0
        for found in HERE.finditer(text):
            parts += [PATHS.sub(rf"{self.root}/\1", text[here:found.start()]), found[0]]
            here = found.end()
        return "".join([*parts, PATHS.sub(rf"{self.root}/\1", text[here:])])

    # faults

    def cut(self) -> None:
        """Every connection breaks, without a good-bye."""
        for transport in self.transports:
            with contextlib.suppress(Exception):
                transport.sock.close()
            transport.close()
        self.transports.clear()

    def processes(self) -> list[int]:
        """What runs in the box and was not waited for: found by its folder on the command line."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with contextlib.suppress(OSError):
                    if str(self.root).encode() + b"/" in (entry / "cmdline").read_bytes() and "pytest" not in (entry / "comm").read_text():
                        found.append(int(entry.name))
        return found

    def restart(self, seconds: float = 0.3) -> None:
        """Power off and on: processes are gone, files stay."""
        self.boots += 1
        self.up_at = time.monotonic() + seconds
        self.cut()
        for pid in self.processes():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.path("/tmp"), ignore_errors=True)
        self.path("/tmp").mkdir()
        self.boot()

    def full(self, full: bool = True) -> None:
        self.path("/.full").touch() if full else self.path("/.full").unlink()

    def close(self) -> None:
        self.listener.close()
        self.cut()
        for pid in self.processes():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
