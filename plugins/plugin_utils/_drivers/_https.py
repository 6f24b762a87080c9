# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""HTTPS to a device, for the drivers of platforms with an API; standard library only.

The certificate is checked: by the authorities that this machine knows, by a file of the inventory
(`router_tls_ca`: an authority's certificate, or the device's own), or by its fingerprint
(`router_tls_fingerprint`). Every request has a connection of its own, so that no request is lost on
one that the device had closed, and none is sent twice.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import socket
import ssl
from typing import Iterator, Mapping, NamedTuple

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused, LostContact
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import decode

CONNECT = 15.0
# A server in front of the device's own program that gets no answer from it: whether the request was carried out is not known.
AWAY = (502, 503, 504)


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def text(self) -> str:
        return decode(self.body)


class Https:
    """One device. Keeps cookies; follows no redirection."""

    def __init__(self, device: Device, port: int) -> None:
        self._device = device
        self._port = device.port or port
        self._factor = device.number("router_time_factor", 1.0)
        self._print = _fingerprint_of(device)
        self._name = device.text("router_tls_name") or device.address
        self._context = self._make_context()
        self.cookies: dict[str, str] = {}
        self.session = Session()

    def _make_context(self) -> ssl.SSLContext:
        path = self._device.path("router_tls_ca")
        try:
            context = ssl.create_default_context(cafile=path)
        except (OSError, ssl.SSLError) as error:
            raise DriverError(f"router_tls_ca: {path}: {getattr(error, 'strerror', None) or error}") from error
        if self._print or not self._device.flag("router_tls_check", True):
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    def post(self, path: str, body: bytes, kind: str, timeout: float, headers: Mapping[str, str] | None = None, what: str = "") -> Reply:
        """Send a body. ``what`` is how errors call the request; a broken connection leaves open whether it was carried out."""
        words = what or f"POST {path}"
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {"Content-Type": kind, "Connection": "close", **({"Cookie": cookie} if cookie else {}), **(headers or {})}
        with self._connected() as connection, _contact(words, timeout):
            connection.sock.settimeout(timeout)
            connection.request("POST", path, body, own)
            answer = connection.getresponse()
            reply = Reply(answer.status, answer.headers, answer.read())
        for item in reply.headers.get_all("Set-Cookie") or []:
            name, _mark, value = item.partition(";")[0].partition("=")
            self.cookies[name.strip()] = value.strip()
        if reply.status in AWAY:
            raise LostContact(f"the device's web server got no answer from its own program during {words} (HTTP {reply.status}).")
        return reply

    @contextlib.contextmanager
    def _connected(self) -> Iterator[http.client.HTTPSConnection]:
        connection = http.client.HTTPSConnection(self._device.address, self._port, timeout=CONNECT * self._factor, context=self._context)
        try:
            raw = socket.create_connection((self._device.address, self._port), CONNECT * self._factor)
            connection.sock = self._secured(raw)
            self.session = Session(raw_address(connection.sock.getsockname()), raw_address(connection.sock.getpeername()), self._port)
        except ssl.SSLCertVerificationError as error:
            connection.close()
            raise LoginRefused(self._untrusted(error.verify_message or str(error))) from error
        except ssl.SSLError as error:
            connection.close()
            if error.reason in ("UNSUPPORTED_PROTOCOL", "WRONG_VERSION_NUMBER", "SSLV3_ALERT_HANDSHAKE_FAILURE", "TLSV1_ALERT_PROTOCOL_VERSION"):
                raise LoginRefused(f"no TLS in common with the device: {error.reason}.") from error
            raise LostContact(f"no connection: {error}.") from error
        except OSError as error:
            connection.close()
            raise LostContact(f"no connection: {error.strerror or error}.") from error
        try:
            yield connection
        finally:
            connection.close()

    def _secured(self, raw: socket.socket) -> ssl.SSLSocket:
        try:
            secured = self._context.wrap_socket(raw, server_hostname=self._name)
        except BaseException:
            raw.close()
            raise
        if self._print:
            seen = hashlib.sha256(secured.getpeercert(binary_form=True) or b"").hexdigest()
            if seen != self._print:
                secured.close()
                raise LoginRefused(
                    f"the certificate has changed: its SHA-256 fingerprint is {_spelled(seen)}, and router_tls_fingerprint says {_spelled(self._print)}. "
                    "Either this is another device, or its certificate was made anew: then correct router_tls_fingerprint."
                )
        return secured

    def _untrusted(self, reason: str) -> str:
        """Nothing was sent yet. Says what would make the certificate known."""
        seen = ""
        with contextlib.suppress(OSError, ValueError):
            text = ssl.get_server_certificate((self._device.address, self._port), timeout=CONNECT * self._factor)
            seen = f" Its SHA-256 fingerprint is {_spelled(hashlib.sha256(ssl.PEM_cert_to_DER_cert(text)).hexdigest())}."
        return (
            f"the device's certificate is not trusted: {reason}.{seen} Compare that with the device, then give it in router_tls_fingerprint, "
            "or the certificate in the file of router_tls_ca; router_tls_name where it is made out to another name."
        )


def raw_address(address: tuple[str, ...]) -> str:
    """The address of a socket's end, without what IPv6 puts around one of IPv4."""
    return str(address[0]).removeprefix("::ffff:")


def _fingerprint_of(device: Device) -> str | None:
    value = device.text("router_tls_fingerprint")
    if value is None:
        return None
    digits = value.lower().removeprefix("sha256:").replace(":", "").strip()
    if len(digits) != 64 or set(digits) - set("0123456789abcdef"):
        raise DriverError(f"router_tls_fingerprint: {value!r} is not a SHA-256 fingerprint, 32 bytes in hexadecimal digits")
    return digits


def _spelled(digits: str) -> str:
    return ":".join(digits[index : index + 2] for index in range(0, len(digits), 2)).upper()


@contextlib.contextmanager
def _contact(what: str, timeout: float) -> Iterator[None]:
    """A connection that breaks is told apart from everything else."""
    try:
        yield
    except TimeoutError as error:
        raise LostContact(f"there was no answer in {timeout:g} s to {what}.") from error
    except (http.client.HTTPException, OSError) as error:
        raise LostContact(f"the connection broke during {what}.") from error
