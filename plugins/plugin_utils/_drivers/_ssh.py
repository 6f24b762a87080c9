# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Scripts and files over SSH for systems with a POSIX shell and nothing else: no Python, no SFTP, perhaps no usable login shell.

The command is always ``/bin/sh``, one word, and the script comes on its standard input: the login shells of pfSense (``sh -c $1``, unquoted,
before 2.5) and of OPNsense (csh) do not get to see it. The last line of an answer is the script's exit status; an answer without it was cut off.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets as randomness
import shlex
import socket
import time
from typing import Any, Iterator

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused, LostContact
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import Answer, decode

MARK = b"\nrouterlab-rc="
BLOCK = 32768


class Ssh:
    """One connection; every script has a channel of its own."""

    def __init__(self, device: Device, port: int = 22) -> None:
        import paramiko

        # What breaks is told by exceptions; paramiko would write it to the screen as well.
        logging.getLogger("paramiko").addHandler(logging.NullHandler())
        self._client: Any = paramiko.SSHClient()
        factor = device.number("router_time_factor", 1.0)
        known_hosts = device.path("router_known_hosts")
        if device.check_host_key:
            self._client.load_system_host_keys()
            if known_hosts:
                self._client.load_host_keys(known_hosts)
            self._client.set_missing_host_key_policy(paramiko.RejectPolicy())
        else:
            # the inventory says so
            self._client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        try:
            self._login(device, device.port or port, factor)
        except BaseException:
            self.close()
            raise

    def _login(self, device: Device, port: int, factor: float) -> None:
        import paramiko

        own = device.password is not None or device.key_file is not None
        try:
            self._client.connect(
                device.address,
                port=port,
                username=device.user or None,
                password=device.password,
                key_filename=device.key_file,
                look_for_keys=not own,
                allow_agent=not own,
                timeout=15 * factor,
                banner_timeout=30 * factor,
                auth_timeout=30 * factor,
                sock=_way(device, port),
            )
        except paramiko.BadHostKeyException as error:
            raise LoginRefused(
                f"the host key is not the known one: the device shows {error.key.get_name()} {_print(error.key)}, known is {_print(error.expected_key)}. "
                "Somebody may sit in between. If the device has a new key, take the old one out of known_hosts."
            ) from error
        except paramiko.AuthenticationException:
            how = "key" if device.key_file else "password" if device.password else "any key"
            raise LoginRefused(f"the device refuses user {device.user!r} with this {how}.") from None
        except (paramiko.SSHException, EOFError) as error:
            raise _refused(str(error)) from error
        except OSError as error:
            raise LostContact(f"no connection: {error.strerror or error}.") from error
        self._client.get_transport().set_keepalive(10)

    def run(self, script: str, timeout: float = 60.0, after: str = "") -> Answer:
        """Run a script of ``/bin/sh`` and wait for it. ``after`` is what errors name."""
        text = script.encode("utf-8") + b'\nrc=$?; printf "\\nrouterlab-rc=%d\\n" "$rc"\n'
        with _contact(after):
            channel = self._client.get_transport().open_session(timeout=timeout)
            try:
                channel.exec_command("/bin/sh")
                out, err = _talk(channel, text, timeout)
            finally:
                channel.close()
        body, found, rc = out.rpartition(MARK)
        if not found or not rc.strip().isdigit():
            raise LostContact(f"the answer was cut off{_named(after)}: {decode(err).strip() or 'no words'}.")
        return Answer(int(rc), body, err)

    def ask(self, script: str, timeout: float = 60.0, after: str = "") -> bytes:
        """The output of a script that must succeed."""
        answer = self.run(script, timeout, after)
        if answer.rc != 0:
            raise DriverError(f"{after or script.splitlines()[0]}: {answer.words()}")
        return answer.out

    def get(self, path: str) -> bytes:
        """A file, byte for byte."""
        return self.ask(f"cat {shlex.quote(path)}", after=path)

    def put(self, path: str, data: bytes, digest: str, timeout: float = 120.0) -> None:
        """Write a file and see that all of it arrived. ``digest`` is the device's command for a SHA-256."""
        answer = self.run(f"umask 077\n{writing(path, data)} && {digest} {shlex.quote(path)}", timeout, path)
        if answer.rc != 0:
            raise DriverError(f"{path}: {answer.words()}")
        if hashlib.sha256(data).hexdigest() not in answer.text():
            raise DriverError(f"{path}: what arrived is not what was sent; is the device's disk full?")

    def close(self) -> None:
        """Close in any state."""
        with contextlib.suppress(Exception):
            self._client.close()


def writing(path: str, data: bytes) -> str:
    """The script line that writes a text to a file: a here-document, cut to its length, because it ends with a line end and a file need not."""
    if b"\0" in data:
        raise DriverError(f"{path}: this file is not a text")
    mark = f"ROUTERLAB_{randomness.token_hex(8)}"
    # head reads the here-document alone; the command's own list goes on behind it
    return f"{{ head -c {len(data)} >{shlex.quote(path)} <<'{mark}'\n{data.decode('utf-8')}\n{mark}\n}}"


def _talk(channel: Any, text: bytes, timeout: float) -> tuple[bytes, bytes]:
    """Send and receive at once, so that neither side waits for the other."""
    channel.setblocking(False)
    out, err, sent, end = bytearray(), bytearray(), 0, time.monotonic() + timeout
    while True:
        moved = False
        if sent < len(text) and channel.send_ready():
            sent += channel.send(text[sent : sent + BLOCK])
            moved = True
            if sent == len(text):
                channel.shutdown_write()
        for ready, receive, target in ((channel.recv_ready, channel.recv, out), (channel.recv_stderr_ready, channel.recv_stderr, err)):
            while ready():
                target += receive(BLOCK)
                moved = True
        if moved:
            continue
        if channel.closed or channel.eof_received or not channel.get_transport().is_active():
            return bytes(out), bytes(err)
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.005)


@contextlib.contextmanager
def _contact(after: str) -> Iterator[None]:
    """A connection that breaks is told apart from everything else."""
    import paramiko

    try:
        yield
    except (TimeoutError, socket.timeout) as error:
        raise LostContact(f"there was no answer in time{_named(after)}.") from error
    except (paramiko.SSHException, EOFError, OSError, AttributeError) as error:
        # a client that was closed has no transport any more
        raise LostContact(f"the connection broke{_named(after)}.") from error


def _named(after: str) -> str:
    return f" after {after}" if after else ""


def _print(key: Any) -> str:
    return str(key.fingerprint) if hasattr(key, "fingerprint") else str(key.get_base64())[:24]


def _refused(words: str) -> DriverError:
    if "not found in known_hosts" in words:
        return LoginRefused(f"host key not known: {words}. Look at the key, then add it to known_hosts (or to the file that router_known_hosts names).")
    if "Incompatible" in words or "no acceptable" in words:
        return LoginRefused(f"no common algorithm: {words}. A new SSH server on the device is better than old algorithms here.")
    return LostContact(f"no connection: {words}.")


def _way(device: Device, port: int) -> Any:
    """The jump host of an OpenSSH client configuration, if there is one."""
    import paramiko

    path = device.path("router_ssh_config")
    if path is None:
        return None
    found = paramiko.SSHConfig.from_path(path).lookup(device.address)
    if "proxyjump" in found:
        target = f"{found.get('hostname', device.address)}:{port}"
        return paramiko.ProxyCommand(shlex.join(["ssh", "-F", path, "-W", target, found["proxyjump"]]))
    return paramiko.ProxyCommand(found["proxycommand"]) if "proxycommand" in found else None
