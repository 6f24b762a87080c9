# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``pyez``: Junos, one candidate configuration over NETCONF.

The candidate is locked, loaded in one piece, compared and checked by the device, and committed with a time to confirm. The
confirming commit comes over a new connection, after everything was read again; otherwise the device goes back by itself.
"""

from __future__ import annotations

import contextlib
import secrets as randomness
import time
from dataclasses import dataclass
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _junos_delta as deltas
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, DeviceDriver, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ends import server_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_info import info_of, version_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_netconf import Locked, Netconf, RpcRefused, load_lines
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_text import Running, body, read
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import ConfigError, Path, parse_commands

BACKUP = "config.conf"
LOCK_WAIT = 30.0
LEAST = 120.0
NOTHING = "Nothing was changed."


@dataclass
class Work:
    """Where a plan leads: commands to load, or a whole configuration."""

    before: str
    running: Running
    change: deltas.Delta
    whole: str | None
    wanted: list[Path]
    owned: list[Path]

    @property
    def size(self) -> int:
        return len(self.change.commands) if self.whole is None else self.whole.count("\n")


class Driver(DeviceDriver):
    """Junos 17.4 to 24.4, on an SRX or an MX."""

    needs = {"jnpr": "junos-eznc"}
    port = 830

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._session: Netconf | None = None
        self._deadline: float | None = None
        self._mark = ""
        self._secrets: set[str] = set()

    @property
    def session(self) -> Netconf:
        if self._session is None:
            raise LostContact("there is no connection.")
        return self._session

    def connect(self) -> None:
        self.disconnect()
        self._session = Netconf(self.device, self.device.port or self.port, self.note)

    def disconnect(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def versions(self) -> list[str]:
        return version_of(self.session)

    def _read(self) -> tuple[str, Running]:
        text = self.session.text()
        try:
            running = read(text)
        except ConfigError as error:
            raise DriverError(f"the device's configuration cannot be read: {error}") from error
        self._secrets |= deltas.secrets_in(running.paths)
        return text, running

    def plan(self) -> Plan:
        manifest = self.bundle["manifest"]
        wanted: list[Path] = []
        for _secret, text in deltas.commands_of(manifest, self.bundle["texts"]):
            wanted += parse_commands(text)
        self._secrets |= deltas.secrets_in(wanted)
        text, running = self._read()
        owned = [tuple(item.split()) for item in manifest["owned"]]
        change = deltas.delta(running, wanted, owned)
        return self._plan(Work(text, running, change, None, wanted, owned), "rendered")

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        text, running = self._read()
        whole = files[BACKUP].decode("utf-8")
        target = read(whole)
        self._secrets |= deltas.secrets_in(target.paths)
        gone = tuple(path for path in running.paths if path not in target.ends)
        new = tuple(path for path in target.paths if path not in running.ends)
        commands = () if body(text) == body(whole) else ("load override of the backup",)
        return self._plan(Work(text, running, deltas.Delta(tuple(running.paths), gone, new, commands), whole, [], []), "in the backup")

    def _plan(self, work: Work, target: str) -> Plan:
        if not work.change.commands:
            return Plan(False, [], [], work)
        prepared = deltas.diff(work.change, self.device.name, target)
        try:
            with self.session.private():
                self._load(work)
                prepared = self.session.compare()
                if not prepared:
                    return Plan(False, [], [], work)
        except RpcRefused as error:
            # The plan stands without the device's help; what is wrong with it comes out when it is loaded under the lock.
            self.note(f"The device does not compare now ({error}), so the difference shown is the one from here.")
        return Plan(True, list(work.change.commands), [{"prepared": deltas.hide(prepared)}], work)

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        change: deltas.Delta = plan.work.change
        before = deltas.access_of(change.before)
        here, there = self.session.ends
        return Session(here, server_of(here, there, before), self.device.port or self.port), before, deltas.access_of(change.after())

    def snapshot(self) -> dict[str, bytes]:
        return {BACKUP: body(self.session.text()).encode()}

    def secrets(self) -> set[str]:
        return self._secrets

    def apply(self, plan: Plan) -> dict[str, Any]:
        work: Work = plan.work
        minutes = int(self.device.number("router_confirm_minutes", 5)) or 1
        self._lock()
        try:
            self._prepare(work)
        except DriverError as error:
            # Nothing of this is in force before a commit; it goes with the session.
            with contextlib.suppress(DriverError):
                self._leave()
            raise NothingChanged(f"{error} {NOTHING}", **error.details) from error
        self._mark = f"routerlab {randomness.token_hex(4)}"
        self._deadline = time.time() + 60 * minutes
        try:
            self.session.commit(self._mark, self._timeout(work), minutes)
        except RpcRefused as error:
            self._deadline = None
            with contextlib.suppress(DriverError):
                self._leave()
            raise DriverError(f"the commit failed:\n{error.details['words']}") from error
        self.session.unlock()
        return {"commands": len(work.change.commands), "confirm_minutes": minutes}

    def _timeout(self, work: Work) -> float:
        return LEAST + 2.0 * work.size

    def _lock(self) -> None:
        """The lock, or who holds it. Waits a while: a commit of somebody else may be under way."""
        end = time.monotonic() + self.device.number("router_lock_wait", LOCK_WAIT)
        while True:
            try:
                self.session.lock()
                return
            except Locked as error:
                if time.monotonic() > end:
                    raise NothingChanged(f"locked by another session: {error}. {NOTHING}") from None
            time.sleep(min(1.0, max(0.1, end - time.monotonic())))

    def _prepare(self, work: Work) -> None:
        """Everything up to the commit."""
        comment, pending = self.session.newest_commit()
        if pending:
            raise DriverError(f"somebody else's commit waits to be confirmed: {comment}. Run again when that is over.")
        self._refuse_stale(work)
        self._load(work)
        if self.session.compare():
            try:
                self.session.check(self._timeout(work))
            except RpcRefused as error:
                raise DriverError(f"the device's check of the configuration failed:\n{error.details['words']}\n") from error

    def _refuse_stale(self, work: Work) -> None:
        text, now = self._read()
        if body(text) == body(work.before):
            return
        before = set(work.running.paths)
        lines = [f"-set {' '.join(path)}" for path in work.running.paths if path not in now.ends]
        lines += [f"+set {' '.join(path)}" for path in now.paths if path not in before]
        raise DriverError("Somebody else changed the configuration since it was read:\n" + "\n".join(lines) + "\nRun again.")

    def _load(self, work: Work) -> None:
        timeout = LEAST + 1.0 * work.size
        if work.whole is not None:
            self.session.load(work.whole, "override", timeout)
            return
        refused = load_lines(self.session, work.change.commands, timeout)
        if refused:
            number, words = refused
            line = work.change.commands[number - 1]
            said = f"line {number} of {len(work.change.commands)}, `{line}`, was refused:\n{words}\n"
            raise RpcRefused(said, line=number, command=line, words=words)

    def _leave(self) -> None:
        self.session.discard()
        self.session.unlock()

    def standing(self, plan: Plan) -> str:
        work: Work = plan.work
        self._wait_for_commit(work)
        text, now = self._read()
        if self._reached(work, text, now):
            return NEW
        return OLD if body(text) == body(work.before) else BETWEEN

    def _reached(self, work: Work, text: str, now: Running) -> bool:
        if work.whole is not None:
            return body(text) == body(work.whole)
        return not deltas.delta(now, work.wanted, work.owned).commands

    def _wait_for_commit(self, work: Work) -> None:
        """A commit whose session broke may still be under way: it holds the lock until its end."""
        end = time.monotonic() + self._timeout(work) * self.device.number("router_time_factor", 1.0)
        while self._deadline is not None:
            try:
                self.session.lock()
                self.session.unlock()
                return
            except Locked as error:
                if time.monotonic() > end:
                    raise DriverError(f"a commit is under way on the device for more than {self._timeout(work):.0f} s: {error}.") from error
            time.sleep(0.5)

    def confirm(self, plan: Plan) -> None:
        """The commit that confirms. Under the lock nobody else's candidate can go with it, and nothing changes after a last look."""
        if self._deadline is None:
            return
        self._lock()
        try:
            if not self._reached(plan.work, *self._read()):
                raise DriverError("the device has rolled back before its configuration was confirmed.")
            self.session.commit(f"{self._mark} confirmed", self._timeout(plan.work))
            self._deadline = None
        finally:
            with contextlib.suppress(DriverError):
                self.session.unlock()

    def revert(self, plan: Plan) -> None:
        """Back to the configuration before; the commit ends the time to confirm."""
        work: Work = plan.work
        self._wait_for_commit(work)
        comment, pending = self.session.newest_commit()
        text, _now = self._read()
        ours = bool(self._mark) and comment.startswith(self._mark)
        if body(text) == body(work.before) and not (pending and ours):
            self._deadline = None
            return
        self._lock()
        try:
            if ours and "confirmed" not in comment.split("(", maxsplit=1)[0]:
                self.session.rollback(1)
            else:
                self.session.load(body(work.before), "override", LEAST + work.size)
            self.session.commit(f"{self._mark} taken back", self._timeout(work))
            self._deadline = None
        finally:
            with contextlib.suppress(DriverError):
                self._leave()

    def by_itself(self) -> str:
        if self._deadline is None:
            return ""
        at = time.strftime("%H:%M:%S UTC", time.gmtime(self._deadline))
        return f"Nobody confirms, so the device rolls back to its old configuration by itself at about {at}."

    def info(self) -> dict[str, Any]:
        return info_of(self.session, self.bundle["manifest"])
