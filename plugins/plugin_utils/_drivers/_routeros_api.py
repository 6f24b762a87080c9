# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The API of RouterOS, by librouteros: one connection, commands and their answers, both ways to log in.

librouteros makes numbers and truth values of words, and drops bytes that are no ASCII. Here every word is kept as it came,
and read as UTF-8, or else as the old eight-bit letters.
"""

from __future__ import annotations

import binascii
import contextlib
import hashlib
import socket
import ssl
from typing import Any, Iterator, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.module_utils._routeros_text import attribute
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused, LostContact

PORT_TLS = 8729
PORT_PLAIN = 8728
NO_LOGIN = ("invalid user name or password", "cannot log in", "not logged in", "user disabled")


class Refused(DriverError):
    """The device's answer to one command is a trap."""

    def __init__(self, command: str, words: str) -> None:
        super().__init__(f"`{command}` was refused: {words}.")
        self.words = words


class NoAnswer(LostContact):
    """The device may still be at work on a command."""


def with_tls(device: Device) -> bool:
    """TLS, unless the inventory says otherwise or names the port of the API without it."""
    return device.flag("router_api_tls", device.port != PORT_PLAIN)


def _bytes_in_words(text: str) -> str:
    """UTF-8 as librouteros sends it: one letter for each byte."""
    return text.encode("utf-8").decode("latin-1")


class Api:
    """One connection that is logged in."""

    def __init__(self, device: Device) -> None:
        import librouteros
        from librouteros.api import Api as Wire

        class Words(Wire):
            """Every answer's words as they came."""

            def readSentence(self) -> tuple[str, dict[str, Any]]:
                reply, words = self.protocol.readSentence()
                return reply, dict(_attribute(word) for word in words if word.startswith("="))

        self._factor = device.number("router_time_factor", 1.0)
        tls = with_tls(device)
        port = device.port or (PORT_TLS if tls else PORT_PLAIN)
        options: dict[str, Any] = {"timeout": 15 * self._factor, "port": port, "encoding": "latin-1", "subclass": Words, "login_method": _login}
        if tls:
            options["ssl_wrapper"] = _tls(device)
        try:
            self._wire = librouteros.connect(device.address, _bytes_in_words(device.user), _bytes_in_words(device.password or ""), **options)
        except ssl.SSLCertVerificationError as error:
            raise LoginRefused(_certificate(error)) from error
        except ssl.SSLError as error:
            hint = "Does the service api-ssl have a certificate (/ip service set api-ssl certificate=...)?"
            raise LoginRefused(f"no TLS with the device: {error.reason or error}. {hint}") from error
        except librouteros.exceptions.ConnectionClosed as error:
            raise LostContact("the device closed the connection before the login.") from error
        except (librouteros.exceptions.TrapError, librouteros.exceptions.MultiTrapError, librouteros.exceptions.FatalError) as error:
            if any(mark in str(error) for mark in NO_LOGIN):
                raise LoginRefused(f"the device refuses user {device.user!r} with this password: {error}.") from None
            raise DriverError(f"the device refuses the login: {error}.") from None
        except OSError as error:
            raise LostContact(f"no connection: {error}.") from error

    @property
    def ends(self) -> tuple[str, str]:
        """Our address and the device's, as this side sees them."""
        sock: socket.socket = self._wire.protocol.transport.sock
        return sock.getsockname()[0], sock.getpeername()[0]

    def run(self, command: str, words: Mapping[str, str] | None = None, timeout: float = 90.0, queries: Sequence[str] = ()) -> list[dict[str, str]]:
        """A command and the sentences of its answer."""
        sent = [f"={name}={_bytes_in_words(value)}" for name, value in (words or {}).items()] + list(queries)
        with self._contact(command, timeout):
            return [dict(row) for row in self._wire.rawCmd(command, *sent)]

    def rows(self, menu: str, timeout: float = 90.0) -> list[dict[str, str]]:
        return self.run(f"{menu}/print", None, timeout)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._wire.close()

    @contextlib.contextmanager
    def _contact(self, command: str, timeout: float) -> Iterator[None]:
        """A connection that breaks is told apart from an answer that is a trap."""
        from librouteros import exceptions

        try:
            self._wire.protocol.transport.sock.settimeout(timeout * self._factor)
            yield
        except exceptions.TrapError as error:
            raise Refused(command, str(error)) from None
        except exceptions.MultiTrapError as error:
            raise Refused(command, "; ".join(str(trap) for trap in error.traps)) from None
        except exceptions.FatalError as error:
            raise LostContact(f"the device ended the session after `{command}`: {error}.") from error
        except (TimeoutError, socket.timeout) as error:
            raise NoAnswer(f"there was no answer in time after `{command}`.") from error
        except (exceptions.LibRouterosError, OSError, EOFError) as error:
            raise LostContact(f"the connection broke after `{command}`: {error}.") from error


def _attribute(word: str) -> tuple[str, str]:
    name, value, _exact = attribute(word.encode("latin-1"))
    return name, value


def _login(wire: Any, user: str, password: str) -> None:
    """Name and password (6.43 and later); a device that answers with a challenge gets the old proof."""
    answer = list(wire.rawCmd("/login", f"=name={user}", f"=password={password}"))
    challenge = next((row["ret"] for row in answer if "ret" in row), None)
    if challenge is not None:
        digest = hashlib.md5(b"\x00" + password.encode("latin-1") + binascii.unhexlify(challenge), usedforsecurity=False).hexdigest()
        list(wire.rawCmd("/login", f"=name={user}", f"=response=00{digest}"))


def _tls(device: Device) -> Any:
    """TLS with the device's certificate checked: against a file of certificates for this device, or the machine's own authorities."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    pinned = device.path("router_api_certificate")
    if not device.check_host_key:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        # A service api-ssl without a certificate can only do this.
        context.set_ciphers("DEFAULT:ADH:@SECLEVEL=0")
    elif pinned:
        try:
            context.load_verify_locations(pinned)
        except (OSError, ssl.SSLError) as error:
            raise DriverError(f"router_api_certificate: {pinned}: {error.strerror or error}") from error
        # The certificate itself is trusted, whoever signed it; then its name says nothing more.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        context.check_hostname = False
    else:
        context.load_default_certs()

    def wrap(sock: socket.socket) -> ssl.SSLSocket:
        return context.wrap_socket(sock, server_hostname=device.address if context.check_hostname else None)

    return wrap


def _certificate(error: ssl.SSLCertVerificationError) -> str:
    how = "Look at it, and name a file that holds it in router_api_certificate; if it was made anew, correct that file."
    return f"the certificate of the device is not known: {error.verify_message or error.reason}. {how}"
