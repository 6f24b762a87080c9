# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A NETCONF session with Junos, by PyEZ: the candidate configuration, its lock, commits, and what the answers mean.

A warning is no error: Junos answers a command that it carried out with warnings, and PyEZ raises them. A lock that cannot be taken
is told with who holds it. Host keys are checked against ``~/.ssh/known_hosts`` and the file of ``router_known_hosts``.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused, LostContact


class Locked(DriverError):
    """Somebody else works on the configuration."""


class RpcRefused(DriverError):
    """The device's answer is an error."""


class NoAnswer(LostContact):
    """The device may still be at work."""


class Netconf:
    """One session."""

    def __init__(self, device: Device, port: int, note: Callable[[str], None]) -> None:
        from jnpr import junos

        logging.getLogger("paramiko").addHandler(logging.NullHandler())
        logging.getLogger("ncclient").addHandler(logging.NullHandler())
        self._note = note
        self._factor = device.number("router_time_factor", 1.0)
        with _known_hosts(device) as ssh_config:
            options: dict[str, Any] = {
                "host": device.address, "port": port, "user": device.user, "password": device.password, "ssh_private_key_file": device.key_file,
                "ssh_config": ssh_config, "hostkey_verify": device.check_host_key, "gather_facts": False, "huge_tree": True,
                "look_for_keys": not (device.password or device.key_file), "conn_open_timeout": max(1, int(30 * self._factor)),
            }  # fmt: skip
            self._device = junos.Device(**options)
            try:
                self._device.open()
            except junos.exception.ConnectAuthError:
                how = "key" if device.key_file else "password"
                raise LoginRefused(f"the device refuses user {device.user!r} with this {how}.") from None
            except junos.exception.ConnectError as error:
                raise _not_connected(error, ssh_config) from error
        self._device.timeout = max(1, int(60 * self._factor))
        self._config = junos.utils.config.Config(self._device)

    @property
    def ends(self) -> tuple[str, str]:
        """Our address and the device's, as this side sees them."""
        sock = self._device._conn._session.transport.sock
        return sock.getsockname()[0], sock.getpeername()[0]

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._device.timeout = 5
            self._device.close()
        with contextlib.suppress(Exception):
            self._device._conn._session.close()

    def rpc(self, name: str, **arguments: Any) -> Any:
        """An operational command's answer."""
        with self._contact(name):
            return getattr(self._device.rpc, name)(**arguments)

    def text(self, database: str = "committed") -> str:
        """The configuration in the curly form."""
        with self._contact("get-configuration"):
            answer = self._device.rpc.get_config(options={"format": "text", "database": database})
        return str(answer.text or "")

    def lock(self) -> None:
        from jnpr.junos import exception

        with self._contact("lock-configuration"):
            try:
                self._config.lock()
            except exception.LockError as error:
                raise Locked(" ".join(_words(error).split())) from None

    def unlock(self) -> None:
        """Give the lock back. A device that does not know of it any more has done so itself."""
        with contextlib.suppress(RpcRefused), self._contact("unlock-configuration"):
            self._config.unlock()

    def discard(self) -> None:
        """Take back what was loaded and not committed."""
        self._quiet("rollback 0", lambda: self._config.rollback(0))

    def rollback(self, number: int) -> None:
        self._quiet(f"rollback {number}", lambda: self._config.rollback(number))

    def load(self, text: str, how: str, timeout: float) -> None:
        """Load into the candidate: ``set`` takes commands, ``override`` a whole configuration in the curly form."""
        options: dict[str, Any] = {"format": "set"} if how == "set" else {"format": "text", "overwrite": True}
        with self._patient(timeout):
            self._quiet("load", lambda: self._config.load(text, **options))

    def compare(self) -> str:
        """``show | compare``; empty when there is no difference."""
        with self._contact("show | compare"), self._patient(120):
            return str(self._config.diff(ignore_warning=True) or "")

    @contextlib.contextmanager
    def private(self) -> Iterator[None]:
        """A candidate of our own, thrown away in the end."""
        self._quiet("open-configuration", lambda: self._device.rpc.open_configuration(private=True))
        try:
            yield
        finally:
            with contextlib.suppress(DriverError), self._contact("close-configuration"):
                self._device.rpc.close_configuration()

    def check(self, timeout: float) -> None:
        self._quiet("commit check", lambda: self._config.commit_check(timeout=self._seconds(timeout)))

    def commit(self, comment: str, timeout: float, minutes: int = 0) -> None:
        options: dict[str, Any] = {"comment": comment, "timeout": self._seconds(timeout), **({"confirm": minutes} if minutes else {})}
        self._quiet("commit confirmed" if minutes else "commit", lambda: self._config.commit(**options))

    def newest_commit(self) -> tuple[str, bool]:
        """The comment of the last commit, and whether it waits to be confirmed."""
        answer = self.rpc("get_commit_information")
        entry = answer.find(".//commit-history")
        if entry is None:
            return "", False
        who = f"{entry.findtext('user') or ''} via {entry.findtext('client') or ''} {entry.findtext('date-time') or ''}"
        return f"{(entry.findtext('log') or '').strip()} ({who.strip()})", entry.find("commit-confirmed") is not None

    def _seconds(self, timeout: float) -> int:
        return max(1, int(timeout * self._factor))

    @contextlib.contextmanager
    def _patient(self, timeout: float) -> Iterator[None]:
        before = self._device.timeout
        self._device.timeout = self._seconds(timeout)
        try:
            yield
        finally:
            self._device.timeout = before

    def _quiet(self, what: str, call: Callable[[], Any]) -> None:
        """Carry out; warnings are told, errors raised."""
        from jnpr.junos import exception

        with self._contact(what):
            try:
                call()
            except exception.RpcTimeoutError:
                raise
            except exception.RpcError as error:
                told = [item for item in error.errs or [] if (item.get("message") or "").strip()]
                if not told or any((item.get("severity") or "").strip() != "warning" for item in told):
                    raise
                for item in told:
                    self._note(f"the device says: {' '.join(item['message'].split())}")

    @contextlib.contextmanager
    def _contact(self, what: str) -> Iterator[None]:
        """A session that breaks is told apart from an answer that is an error."""
        import ncclient.operations
        import ncclient.transport
        from jnpr.junos import exception

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except exception.RpcTimeoutError as error:
            raise NoAnswer(f"there was no answer in time after `{what}`.") from error
        except (exception.ConnectError, ncclient.transport.TransportError, EOFError, OSError) as error:
            raise LostContact(f"the connection broke after `{what}`.") from error
        except exception.RpcError as error:
            raise RpcRefused(f"`{what}` was refused: {_words(error)}", words=_words(error)) from None
        except ncclient.operations.OperationError as error:
            raise LostContact(f"the connection broke after `{what}`: {error}.") from error


def _words(error: Any) -> str:
    """The device's own words, with the place that they are about."""
    lines = []
    for item in error.errs or []:
        if (item.get("severity") or "").strip() == "warning":
            continue
        place = " ".join(part.strip() for part in (item.get("edit_path"), item.get("bad_element")) if part and part.strip())
        text = (item.get("message") or "").strip()
        lines.append(f"{place}: {text}" if place and place not in text else text)
    return "\n".join(dict.fromkeys(line for line in lines if line)) or (error.message or "").strip() or "(it said nothing)"


@contextlib.contextmanager
def _known_hosts(device: Device) -> Iterator[str | None]:
    """An OpenSSH configuration for this connection: the person's own, and the host keys that count before it."""
    extra = device.path("router_known_hosts")
    own = device.path("router_ssh_config")
    if not device.check_host_key or not extra:
        yield own
        return
    base = Path(own) if own else Path("~/.ssh/config").expanduser()
    with tempfile.TemporaryDirectory(prefix="routerlab-") as folder:
        hosts, config = Path(folder, "known_hosts"), Path(folder, "config")
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in (Path(extra), Path("~/.ssh/known_hosts").expanduser()) if path.is_file()]
        hosts.write_text("\n".join(texts), encoding="utf-8")
        more = base.read_text(encoding="utf-8") if base.is_file() else ""
        config.write_text(f"Host *\n  UserKnownHostsFile {hosts}\n\n{more}", encoding="utf-8")
        os.chmod(config, 0o600)
        yield str(config)


def _not_connected(error: Any, ssh_config: str | None) -> DriverError:
    """What lies behind PyEZ's `ConnectError`: it hides a wrong host key behind a refused connection."""
    cause: BaseException | None = error
    chain: list[BaseException] = []
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = getattr(cause, "_orig", None) or cause.__cause__ or cause.__context__
    text = "; ".join(dict.fromkeys(re.sub(r"\s+", " ", str(item)) for item in chain if not type(item).__module__.startswith("jnpr")))
    unknown = next((item for item in chain if type(item).__name__ == "SSHUnknownHostError"), None)
    if unknown is not None:
        if _has_key(str(getattr(unknown, "host", "")), ssh_config):
            return LoginRefused("the host key has changed: either this is another device, or its key was made anew: then correct known_hosts.")
        return LoginRefused(f"host key not known: {text}. Look at the key, then add it to known_hosts (or to the file that router_known_hosts names).")
    if "Incompatible ssh" in text or "no acceptable" in text:
        return LoginRefused(f"no algorithm in common: {text}.")
    return LostContact(f"no connection: {text or type(error).__name__}.")


def _has_key(host: str, ssh_config: str | None) -> bool:
    """Whether there is a key of this host at all."""
    import paramiko

    names = [Path("~/.ssh/known_hosts").expanduser()]
    if ssh_config:
        with contextlib.suppress(OSError):
            found = re.search(r"^\s*UserKnownHostsFile\s+(\S+)", Path(ssh_config).read_text(encoding="utf-8"), re.MULTILINE | re.IGNORECASE)
            names = [Path(found[1]).expanduser()] if found else names
    for name in names:
        with contextlib.suppress(OSError):
            keys = paramiko.HostKeys(str(name))
            return any(item == host or item.startswith(f"[{host}]:") for item in keys)
    return False


def first_bad(count: int, refused: Callable[[int], str | None]) -> tuple[int, str]:
    """The number of the line that is refused, and the words: ``refused(n)`` loads the first n lines. About log2(count) loads."""
    low, high = 0, count
    words = refused(count) or ""
    while high - low > 1:
        middle = (low + high) // 2
        said = refused(middle)
        if said is None:
            low = middle
        else:
            high, words = middle, said
    return high, words


def load_lines(session: Netconf, lines: Sequence[str], timeout: float) -> tuple[int, str] | None:
    """Load commands; the number of the refused one and the device's words, or None."""

    def refused(count: int) -> str | None:
        session.discard()
        try:
            session.load("\n".join(lines[:count]) + "\n", "set", timeout)
        except RpcRefused as error:
            return str(error.details["words"])
        return None

    words = refused(len(lines))
    if words is None:
        return None
    number, said = first_bad(len(lines), refused)
    session.discard()
    return number, said or words
