# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A router that plays VyOS or EdgeOS over SSH on 127.0.0.1: a real SSH server (paramiko) with a shell, SFTP and a host key.

What its parts are modelled on stands in `fake_vyos_state` (configuration, commit, timer), `fake_vyos_shell` (command line)
and `fake_vyos_show` (answers). OpenSSH is what it is not: it offers paramiko's algorithms, and only those asked for by `kex`.

    python tests/unit/helpers/fake_vyos.py --state FOLDER [--count 50] [--platform edgeos --dialect 2.0 --version v2.0.9]

starts routers until it is killed, and writes FOLDER/routers.json (port, user, password, host key of each) and FOLDER/known_hosts.
FOLDER/rN.json, when it is there, is read and removed before the next command: fields of `Faults`, `do` (commands of configuration that
somebody else types), `cut` or `restart` (a command after which the connection breaks or the router restarts, once).
FOLDER/rN.log, FOLDER/rN.running and FOLDER/rN.boot show what became of router N after each command.
"""
from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import shlex
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

import paramiko

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / ".ansible/collections")]

from fake_vyos_shell import Hangup, Shell
from fake_vyos_state import Box

# Broken connections are what tests are about; paramiko would write each to the screen.
logging.getLogger("paramiko").addHandler(logging.NullHandler())
BANNER = "Welcome to VyOS - user@example:~$ is what a prompt looks like, # too\r\n"


class _Door(paramiko.ServerInterface):
    """Who gets in, and for what."""

    def __init__(self, server: "FakeVyos") -> None:
        self.server = server
        self.user = ""

    def check_auth_password(self, username: str, password: str) -> int:
        self.user = username
        return paramiko.AUTH_SUCCESSFUL if self.server.box.users.get(username) == password else paramiko.AUTH_FAILED

    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return paramiko.OPEN_SUCCEEDED if kind == "session" else paramiko.OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_channel_pty_request(self, *_arguments: Any) -> bool:
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:
        threading.Thread(target=self.server.talk, args=(channel, self.user), daemon=True).start()
        return True


class _File(paramiko.SFTPHandle):
    """One file of the router, kept when it is closed."""

    def __init__(self, box: Box, path: str, flags: int) -> None:
        super().__init__(flags)
        self.box, self.path = box, path
        self.data = bytearray(box.saved if path == "/config/config.boot" else box.files.get(path, b""))
        self.writing = bool(flags & (os.O_WRONLY | os.O_RDWR))

    def read(self, offset: int, length: int) -> bytes:
        return bytes(self.data[offset:offset + length])

    def write(self, offset: int, data: bytes) -> int:
        if self.box.faults.disk_full:
            return paramiko.SFTP_FAILURE  # what OpenSSH makes of ENOSPC
        self.data[offset:offset + len(data)] = data
        self.box.files[self.path] = bytes(self.data)
        return paramiko.SFTP_OK

    def stat(self) -> paramiko.SFTPAttributes:
        attributes = paramiko.SFTPAttributes()
        attributes.st_size = len(self.data)
        return attributes

    def chattr(self, attr: paramiko.SFTPAttributes) -> int:
        return paramiko.SFTP_OK

    def close(self) -> None:
        pass


class _Files(paramiko.SFTPServerInterface):
    """The saved configuration, and what is put into /tmp."""

    box: Box

    def open(self, path: str, flags: int, attr: paramiko.SFTPAttributes) -> Any:
        writing = bool(flags & (os.O_WRONLY | os.O_RDWR))
        if writing and not path.startswith("/tmp/"):
            return paramiko.SFTP_PERMISSION_DENIED
        if not writing and path != "/config/config.boot" and path not in self.box.files:
            return paramiko.SFTP_NO_SUCH_FILE
        if writing and flags & os.O_EXCL and path in self.box.files:
            return paramiko.SFTP_FAILURE
        return _File(self.box, path, flags)

    def stat(self, path: str) -> Any:
        if path != "/config/config.boot" and path not in self.box.files:
            return paramiko.SFTP_NO_SUCH_FILE
        return _File(self.box, path, os.O_RDONLY).stat()

    lstat = stat

    def chattr(self, path: str, attr: paramiko.SFTPAttributes) -> int:
        return paramiko.SFTP_OK


class FakeVyos:
    """A router that listens. ``box`` is its state; ``close`` ends it."""

    def __init__(self, box: Box | None = None, key: paramiko.PKey | None = None, kex: tuple[str, ...] = (), banner: str = BANNER) -> None:
        self.box = box or Box()
        self.box.kick = self.away
        self.key = key or paramiko.ECDSAKey.generate()
        self.kex, self.banner = kex, banner
        self.up_at = 0.0
        self.transports: list[paramiko.Transport] = []
        self.logins = 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port: int = self.listener.getsockname()[1]
        self.server_files = type("Files", (_Files,), {"box": self.box})
        threading.Thread(target=self._serve, daemon=True).start()

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
        if self.kex:
            transport.get_security_options().kex = self.kex
        transport.set_subsystem_handler("sftp", paramiko.SFTPServer, self.server_files)
        self.transports.append(transport)
        with contextlib.suppress(paramiko.SSHException, EOFError, OSError):
            transport.start_server(server=_Door(self))

    def talk(self, channel: paramiko.Channel, user: str) -> None:
        """A shell on a channel."""
        self.logins += 1
        buffer = bytearray()

        def read() -> str:
            while b"\n" not in buffer and b"\r" not in buffer:
                data = channel.recv(65536)
                if not data:
                    raise Hangup
                buffer.extend(data)
            index = min(position for position in (buffer.find(b"\n"), buffer.find(b"\r")) if position >= 0)
            line = buffer[:index].decode("utf-8", errors="replace")
            del buffer[: index + (2 if buffer[index:index + 2] == b"\r\n" else 1)]
            return line

        def write(text: str) -> None:
            channel.sendall(text.encode("latin-1" if self.box.faults.latin1 else "utf-8", errors="replace"))

        with contextlib.suppress(OSError, EOFError):
            write(self.banner)
            Shell(self.box, user, read, write, self.cut).run()
        channel.close()

    def cut(self) -> None:
        """Every connection breaks, without a good-bye."""
        for transport in self.transports:
            with contextlib.suppress(Exception):
                transport.sock.close()
            transport.close()
        self.transports.clear()

    def away(self, seconds: float) -> None:
        """Nobody gets in for some time."""
        self.up_at = time.monotonic() + seconds
        self.cut()

    def close(self) -> None:
        self.box.stop_timer()
        self.listener.close()
        self.cut()


def play(router: FakeVyos, folder: Path, name: str) -> None:
    """Faults come from a file, and what became of the router goes into files."""
    faults = router.box.faults

    def before(shell: Shell) -> None:
        orders = folder / f"{name}.json"
        if not orders.exists():
            return
        wanted: dict[str, Any] = json.loads(orders.read_text(encoding="utf-8"))
        orders.unlink()
        for line in wanted.pop("do", []):
            verb, *path = shlex.split(line)
            router.box.change(router.box.running, verb, tuple(path))
        for what, act in (("cut", router.cut), ("restart", router.box.restart)):
            if what in wanted:
                faults.after[wanted.pop(what)] = _once(faults, act)
        for key, value in wanted.items():
            setattr(faults, key, value)

    def after(shell: Shell) -> None:
        for kind, text in (("log", "\n".join(router.box.log) + "\n"), ("running", router.box.commands()), ("boot", router.box.saved.decode(errors="replace"))):
            (folder / f"{name}.{kind}").write_text(text, encoding="utf-8")

    faults.before[""] = before
    faults.after[""] = after
    after(None)  # type: ignore[arg-type]  there is no shell yet


def _once(faults: Any, act: Any) -> Any:
    def hook(shell: Shell) -> None:
        for key in [key for key, value in faults.after.items() if value is hook]:
            del faults.after[key]
        act()

    return hook


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--state", required=True, type=Path)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--platform", default="vyos")
    parser.add_argument("--dialect", default="1.4")
    parser.add_argument("--version", default="1.4.2")
    parser.add_argument("--minute", type=float, default=60.0)
    arguments = parser.parse_args()
    arguments.state.mkdir(parents=True, exist_ok=True)
    routers, keys = [], ""
    for number in range(1, arguments.count + 1):
        box = Box(arguments.platform, arguments.dialect, arguments.version, minute=arguments.minute)
        router = FakeVyos(box)
        play(router, arguments.state, f"r{number}")
        routers.append({"name": f"r{number}", "port": router.port, "user": "vyos", "password": "vyos-Pass_1"})
        keys += router.known_hosts()
    (arguments.state / "known_hosts").write_text(keys, encoding="ascii")
    (arguments.state / "routers.json.new").write_text(json.dumps(routers), encoding="ascii")
    (arguments.state / "routers.json.new").rename(arguments.state / "routers.json")
    threading.Event().wait()


if __name__ == "__main__":
    main()
