# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The command line of VyOS and EdgeOS over SSH, by netmiko; files by SFTP on the same connection.

netmiko logs in, finds the prompt and switches the pager off. From there on a prompt is known
by its structure (``user@host:~$``, ``user@host#``), so a new host name, a long one or a
banner confuses nobody, and every byte that the device sends is kept (netmiko drops what is
not UTF-8; here it reads eight-bit letters, and they are put right afterwards).
"""

from __future__ import annotations

import contextlib
import logging
import re
import time
from typing import Any, Iterator

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused, LostContact
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import decode

START = r"(?:^|[\r\n])"
PROMPT = START + r"[^\s@]+@[^\s#$>]+(?: \S+)?[$#>] ?\Z"
# What a shell sends to a screen: colours, titles, bracketed paste (bash 5.1 of VyOS 1.4).
ANSI = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>]")
# Only the end of an answer can hold a prompt; it may be long.
TAIL = 2000
NO_KEY = "not found in known_hosts"
WRONG_KEY = "does not match"
NO_COMMON = ("Incompatible ssh peer", "no acceptable")


class Terminal:
    """One SSH session with a shell in it."""

    def __init__(self, device: Device, device_type: str) -> None:
        import netmiko

        # What breaks is told by exceptions; paramiko would write it to the screen as well.
        logging.getLogger("paramiko").addHandler(logging.NullHandler())
        self._prompt = ""
        self._marks = 0
        factor = device.number("router_time_factor", 1.0)
        known_hosts = device.path("router_known_hosts")
        options: dict[str, Any] = {
            "device_type": device_type,
            "host": device.address,
            "port": device.port or 22,
            "username": device.user,
            "password": device.password or "",
            "use_keys": bool(device.key_file),
            "key_file": device.key_file,
            "ssh_strict": device.check_host_key,
            "system_host_keys": device.check_host_key,
            "alt_host_keys": bool(known_hosts and device.check_host_key),
            "alt_key_file": known_hosts or "",
            "ssh_config_file": device.path("router_ssh_config"),
            "encoding": "latin-1",
            "conn_timeout": 15 * factor,
            "banner_timeout": 30 * factor,
            "auth_timeout": 30 * factor,
            "keepalive": 10,
        }
        try:
            with _contact():
                self._connection = _unconnected(options)
                # netmiko waits for two seconds of silence after the login; a prompt is as good.
                self._connection._test_channel_read = lambda: self._read(PROMPT, 60 * factor)
                self._connection.establish_connection()
                self._connection.session_preparation()
        except netmiko.NetmikoAuthenticationException:
            how = "key" if device.key_file else "password"
            raise LoginRefused(f"the device refuses user {device.user!r} with this {how}.") from None
        except netmiko.NetmikoTimeoutException as error:
            raise _login_error(str(error)) from error

    @property
    def in_configuration(self) -> bool:
        """Whether the last prompt was the one of configuration mode: ``user@host#``, without a folder."""
        return re.search(r"@[^:\s]+# ?\Z", self._prompt) is not None

    def ask(self, command: str, timeout: float = 60.0, expect: str = PROMPT, after: str = "") -> str:
        """Type a command and read its answer, without the echo and the prompt. ``after`` is what errors name in its place."""
        with _contact(after or command):
            self._connection.write_channel(command + "\n")
            answer = self._read(expect, timeout)
        self._prompt = answer[-300:].strip("\r\n")
        return _tidy(answer, command)

    def _read(self, pattern: str, timeout: float) -> str:
        """Read up to a pattern at the end of what came; notices at once when the connection is gone (netmiko waits for the time-out)."""
        text, end = "", time.monotonic() + timeout
        channel = self._connection.remote_conn
        while True:
            gone = channel.closed or channel.eof_received or not channel.get_transport().is_active()
            more = self._connection.read_channel()
            text += more
            if more and re.search(pattern, text[-TAIL:]):
                return text
            if not more and gone:
                raise EOFError
            if not more and time.monotonic() > end:
                raise TimeoutError
            if not more:
                time.sleep(0.01)

    def settle(self, timeout: float = 30.0) -> None:
        """Read up to a prompt that nothing follows: what was under way, or typed too much, is behind us."""
        self._marks += 1
        mark = f"routerlab-mark-{self._marks}"
        with _contact():
            self._connection.write_channel(f"echo '' {mark}\n")
            answer = self._read(rf"[\r\n] {mark}[\r\n]+(?:.*[\r\n]+)*?{PROMPT[len(START):]}", timeout)
        self._prompt = answer[-300:].strip("\r\n")

    def read_file(self, path: str) -> bytes:
        """A file of the device, byte for byte."""
        with _contact(), _files(self._connection, path) as sftp, sftp.open(path, "rb") as stream:
            return bytes(stream.read())

    def write_file(self, path: str, data: bytes) -> None:
        """A new file that only its owner can read."""
        with _contact(), _files(self._connection, path) as sftp:
            with sftp.open(path, "wx") as stream:
                stream.chmod(0o600)
                stream.set_pipelined(True)
                stream.write(data)
            if sftp.stat(path).st_size != len(data):
                raise DriverError(f"{path}: the device kept only a part of this file; is its disk full?")

    def close(self) -> None:
        """Close in any state; a dead connection is not waited for."""
        with contextlib.suppress(Exception):
            client = self._connection.remote_conn_pre
            if client is not None:
                client.close()


def _unconnected(options: dict[str, Any]) -> Any:
    import netmiko

    return netmiko.ConnectHandler(auto_connect=False, **options)


@contextlib.contextmanager
def _contact(command: str = "") -> Iterator[None]:
    """A connection that breaks is told apart from everything else."""
    import netmiko
    import paramiko

    after = f" after `{command}`" if command else ""
    try:
        yield
    except (netmiko.exceptions.ReadTimeout, TimeoutError) as error:
        raise LostContact(f"there was no answer in time{after}.") from error
    except (netmiko.exceptions.ReadException, netmiko.exceptions.WriteException, EOFError, ConnectionError) as error:
        raise LostContact(f"the connection broke{after}.") from error
    except (netmiko.NetmikoTimeoutException, netmiko.NetmikoAuthenticationException):
        raise
    except (paramiko.SSHException, OSError) as error:
        raise LostContact(f"the connection broke{after}: {error}.") from error


@contextlib.contextmanager
def _files(connection: Any, path: str) -> Iterator[Any]:
    """SFTP on the same connection; what the device refuses is told in its own words."""
    sftp = connection.remote_conn_pre.open_sftp()
    try:
        yield sftp
    except DriverError:
        raise
    except OSError as error:
        if isinstance(error, (ConnectionError, TimeoutError)) or not sftp.get_channel().get_transport().is_active():
            raise
        raise DriverError(f"{path}: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(Exception):
            sftp.close()


def _login_error(words: str) -> DriverError:
    """What netmiko's long text is about."""
    short = " ".join(words.split()).replace("A paramiko SSHException occurred during connection creation: ", "")
    if NO_KEY in short:
        return LoginRefused(f"host key not known: {short}. Look at the key, then add it to known_hosts (or to the file that router_known_hosts names).")
    if WRONG_KEY in short:
        return LoginRefused(f"the host key has changed: {short}. Either this is another device, or its key was made anew: then correct known_hosts.")
    if any(mark in short for mark in NO_COMMON):
        return LoginRefused(f"no algorithm in common: {short}. Very old devices need paramiko below 5; a new SSH server on the device is better.")
    return LostContact(f"no connection: {short.split(' Common causes', maxsplit=1)[0]}")


def _tidy(text: str, command: str) -> str:
    """The answer alone: no echo, no prompt, no carriage returns, letters put right."""
    text = re.sub(PROMPT, "", ANSI.sub("", text).replace("\r\n", "\n").replace("\r", ""))
    first, _mark, rest = text.partition("\n")
    text = rest if command.strip() and first.strip().endswith(command.strip()[-40:]) else text
    lines = [line for line in text.split("\n") if line.strip() != "[edit]"]
    return decode("\n".join(lines).strip("\n").encode("latin-1", errors="replace"))
