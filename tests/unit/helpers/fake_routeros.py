# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A router that plays RouterOS over its API on 127.0.0.1, with or without TLS: a real TCP server that speaks sentences of words.

Modelled on MikroTik's manual of the API: lengths of words in one to five bytes, `!re`, `!done`, `!trap`, `!fatal`, `.tag`, the login
with name and password (6.43 and later) and the one with a challenge (before), `!empty` (7.18 and later). What it holds and refuses is
`fake_routeros_state`. `latin1` makes it answer texts in eight-bit letters. The certificate of api-ssl is made anew at each start.

    python tests/unit/helpers/fake_routeros.py --state FOLDER [--version 6.49.18] [--tls]

starts one until it is killed, and writes FOLDER/router.json (router_port, router_user, router_password) and FOLDER/certificate.pem.
FOLDER/configuration.json shows after each command what became of it.
"""
from __future__ import annotations

import argparse
import contextlib
import datetime
import hashlib
import json
import secrets
import socket
import ssl
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Optional

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / ".ansible/collections")]

from fake_routeros_state import Box, Trap

BAD_LOGIN = "invalid user name or password (6)"


def length_of(count: int) -> bytes:
    """The length of a word as it is sent."""
    for bits, mark, size in ((7, 0, 1), (14, 0x80, 2), (21, 0xC0, 3), (28, 0xE0, 4)):
        if count < 1 << bits:
            return (count | mark << 8 * (size - 1)).to_bytes(size, "big")
    return b"\xf0" + struct.pack("!I", count)


class Connection:
    """One client."""

    def __init__(self, server: "FakeRouteros", sock: Any) -> None:
        self.server, self.box, self.sock = server, server.box, sock
        self.user: Optional[str] = None
        self.challenge = b""

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.sock.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def _word(self) -> bytes:
        first = self._exactly(1)[0]
        if first < 0x80:
            return self._exactly(first)
        size = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        keep = {1: 0x3F, 2: 0x1F, 3: 0x0F, 4: 0}[size]
        return self._exactly(int.from_bytes(bytes([first & keep]) + self._exactly(size), "big"))

    def sentence(self) -> list[str]:
        words = []
        while True:
            word = self._word()
            if not word:
                return words
            words.append(word.decode("utf-8"))

    def send(self, reply: str, row: Optional[dict[str, str]] = None, tag: str = "") -> None:
        words = [reply, *([tag] if tag else []), *(f"={name}={value}" for name, value in (row or {}).items())]
        encoding = "latin-1" if self.server.latin1 else "utf-8"
        data = b"".join(length_of(len(item)) + item for item in (word.encode(encoding, errors="replace") for word in words))
        self.sock.sendall(data + b"\0")

    def talk(self) -> None:
        while True:
            words = self.sentence()
            if words:
                self.answer(words[0], words[1:])

    def answer(self, command: str, words: list[str]) -> None:
        tag = next((word for word in words if word.startswith(".tag=")), "")
        given = {}
        for word in words:
            if word.startswith("="):
                name, _mark, value = word[1:].partition("=")
                given[name] = value
        if command == "/login":
            self._login(given, tag)
            return
        if self.user is None:
            self.send("!fatal", {}, "not logged in")
            raise EOFError
        if command == "/quit":
            self.send("!fatal", {}, "session terminated on request")
            raise EOFError
        self._command(command, given, tag)

    def _command(self, command: str, given: dict[str, str], tag: str) -> None:
        faults = self.box.faults
        hook = faults.before.pop(command, None)
        if hook:
            hook(self)
        time.sleep(faults.delay.get(command, 0))
        if self.sock.fileno() < 0:
            raise EOFError  # what was under way ends with a restart
        *path, verb = command.strip("/").split("/")
        try:
            if command in faults.refuse:
                raise Trap(faults.refuse[command])
            rows, last = self.box.call(tuple(path), verb, given)
        except Trap as trap:
            self.send("!trap", {"category": "0", "message": str(trap)} if self.box.major == "6" else {"message": str(trap)}, tag)
            self.send("!done", {}, tag)
            return
        self.server.show()
        hook = faults.after.pop(command, None)
        if hook:
            hook(self)
        for row in rows:
            self.send("!re", row, tag)
        if verb == "print" and not rows and self.box.major != "6":
            self.send("!empty", {}, tag)
        self.send("!done", last, tag)

    def _login(self, given: dict[str, str], tag: str) -> None:
        password = self.box.users.get(given.get("name", ""))
        if self.box.login == "old":
            if "response" not in given:
                self.challenge = secrets.token_bytes(16)
                self.send("!done", {"ret": self.challenge.hex()}, tag)
                return
            proof = hashlib.md5(b"\0" + (password or "").encode() + self.challenge).hexdigest()
            right = password is not None and given["response"] == "00" + proof
        else:
            right = password is not None and given.get("password") == password
        if right:
            self.user = given["name"]
            self.server.logins += 1
            self.send("!done", {}, tag)
        else:
            self.send("!trap", {"message": "cannot log in" if self.box.login == "old" else BAD_LOGIN}, tag)
            self.send("!done", {}, tag)


class FakeRouteros:
    """A router that listens. ``box`` is its state; ``close`` ends it."""

    def __init__(self, box: Optional[Box] = None, tls: bool = False, latin1: bool = False, folder: Optional[Path] = None) -> None:
        self.box = box or Box()
        self.box.kick = self.away
        self.latin1, self.folder = latin1, folder
        self.up_at = 0.0
        self.logins = 0
        self.connections: list[Any] = []
        self.certificate, self.context = _certificate() if tls else ("", None)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                sock, _peer = self.listener.accept()
            except OSError:
                return
            if time.monotonic() < self.up_at:
                sock.close()
                continue
            threading.Thread(target=self._welcome, args=(sock,), daemon=True).start()

    def _welcome(self, sock: Any) -> None:
        with contextlib.suppress(OSError, EOFError, ValueError):
            if self.context is not None:
                sock = self.context.wrap_socket(sock, server_side=True)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections.append(sock)
            Connection(self, sock).talk()
        with contextlib.suppress(OSError):
            sock.close()

    def show(self) -> None:
        if self.folder is not None:
            (self.folder / "configuration.json").write_text(json.dumps(self.box.configuration(), indent=1, ensure_ascii=False), encoding="utf-8")

    def cut(self) -> None:
        """Every connection breaks."""
        for sock in self.connections:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError):
                sock.close()
        self.connections.clear()

    def away(self, seconds: float) -> None:
        """Nobody gets in for some time."""
        self.up_at = time.monotonic() + seconds
        self.cut()

    def close(self) -> None:
        self.box.stop()
        self.listener.close()
        self.cut()


def _certificate() -> tuple[str, ssl.SSLContext]:
    """A certificate that signs itself, as ``/certificate add`` and ``sign`` make one."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "router")])
    start = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
    certificate = builder.not_valid_before(start).not_valid_after(start + datetime.timedelta(days=30)).sign(key, hashes.SHA256())
    public = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as stream:
        stream.write(public + private)
        stream.flush()
        context.load_cert_chain(stream.name)
    return public.decode(), context


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--version", default="7.14.3")
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    router = FakeRouteros(Box(options.version), options.tls, folder=options.state)
    (options.state / "certificate.pem").write_text(router.certificate, encoding="ascii")
    facts = {"router_port": router.port, "router_user": "admin", "router_password": router.box.users["admin"]}
    (options.state / "router.json").write_text(json.dumps(facts), encoding="ascii")
    threading.Event().wait()


if __name__ == "__main__":
    main()
