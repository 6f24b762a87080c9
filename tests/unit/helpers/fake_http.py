# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A web server with TLS on 127.0.0.1, for fakes of devices that have an API; what all of them share.

It makes a certificate of its own, as devices do. Faults: hooks that run before a request is carried out or before it is answered
(a hook that raises `Cut` closes the connection without an answer), and `away`, for a device that is not there for a while.
"""
from __future__ import annotations

import contextlib
import datetime
import hashlib
import ipaddress
import json
import shutil
import ssl
import tempfile
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Mapping

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Answer = tuple[int, Mapping[str, str], bytes]


class Cut(Exception):
    """The connection breaks here."""


@dataclass
class Hooks:
    """Called when a request's label begins with the key; `once` takes itself away."""

    before: dict[str, Callable[[], None]] = field(default_factory=dict)
    after: dict[str, Callable[[], None]] = field(default_factory=dict)

    def run(self, hooks: dict[str, Callable[[], None]], label: str) -> None:
        for key, hook in list(hooks.items()):
            if label.startswith(key):
                hook()

    def once(self, when: str, key: str, action: Callable[[], None]) -> None:
        hooks = getattr(self, when)

        def hook() -> None:
            hooks.pop(key, None)
            action()

        hooks[key] = hook


def cut() -> None:
    """A hook: the connection breaks."""
    raise Cut


def json_answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    return status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(data).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100
    context: ssl.SSLContext

    def get_request(self) -> tuple[Any, Any]:
        plain, peer = super().get_request()
        plain.settimeout(60)
        return self.context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False), peer

    def shutdown_request(self, request: Any) -> None:
        """Without TLS's farewell, which would wait for a client that has gone."""
        self.close_request(request)


class FakeHttp:
    """One device. Subclasses say how a request is called (`label`) and what is answered (`answer`)."""

    def __init__(self, names: tuple[str, ...] = ("127.0.0.1",)) -> None:
        self.hooks = Hooks()
        self.log: list[str] = []
        self.away_until = 0.0
        self.folder = Path(tempfile.mkdtemp(prefix="routerlab-fake-"))
        self.certificate, der = certificate(self.folder, names)
        self.fingerprint = hashlib.sha256(der).hexdigest()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.folder / "key.pem")
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._server.context = context
        self.port = int(self._server.server_address[1])
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def away(self, seconds: float) -> None:
        """Not there: a connection is closed at once."""
        self.away_until = time.monotonic() + seconds

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def label(self, path: str, body: bytes) -> str:
        return path

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        raise NotImplementedError


def _handler(fake: FakeHttp) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError, Cut):
                if time.monotonic() < fake.away_until:
                    return
                self.request.do_handshake()
                super().handle()

        def finish(self) -> None:
            with contextlib.suppress(OSError):
                super().finish()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            label = fake.label(self.path, body)
            fake.hooks.run(fake.hooks.before, label)
            fake.log.append(label)
            status, headers, data = fake.answer(self.path, self.headers, body)
            fake.hooks.run(fake.hooks.after, label)
            if time.monotonic() < fake.away_until:
                raise Cut
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data)), "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing on the screen."""

    return Handler


def certificate(folder: Path, names: tuple[str, ...]) -> tuple[Path, bytes]:
    """A certificate that signs itself, with its key beside it; the file, and its bytes as they go over the wire."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
    builder = builder.add_extension(x509.SubjectAlternativeName([_name(name) for name in names]), False)
    made = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), True).sign(key, hashes.SHA256())
    text = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(text, serialization.PrivateFormat.PKCS8, plain))
    (folder / "cert.pem").write_bytes(made.public_bytes(text))
    return folder / "cert.pem", made.public_bytes(serialization.Encoding.DER)


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
