# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``netmiko``: VyOS and EdgeOS, over their command line.

One script with the delete and set commands goes to the device as a file and is run in
configuration mode; one ``commit-confirm``; ``confirm`` and ``save`` come over a new
connection, after everything was read again. Nothing is saved before that: a restart leads
back to the saved configuration.
"""

from __future__ import annotations

import contextlib
import secrets as randomness
import time
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _vyos_delta as deltas
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import DeviceDriver, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_delta import Delta
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_info import info_of, versions_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_session import CONFIG_BOOT, LOCKED, ConfigSession, NotOurTimer
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_terminal import Terminal
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import ConfigError, Path, parse_commands, parse_curly, to_commands, unique
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import schema

BACKUP_COMMANDS = "commands.set"
BACKUP_SAVED = "config.boot"
LOCK_WAIT = 30.0


class Driver(DeviceDriver):
    """VyOS 1.2 to rolling, EdgeOS 1.10 and 2.0."""

    needs = {"netmiko": "netmiko", "paramiko": "paramiko"}

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._terminal: Terminal | None = None
        self._deadline: float | None = None
        self._secret_paths: set[Path] = set()
        self._saved: bytes | None = None

    @property
    def terminal(self) -> Terminal:
        if self._terminal is None:
            raise DriverError("there is no connection")
        return self._terminal

    def connect(self) -> None:
        self.disconnect()
        self._terminal = Terminal(self.device, self.bundle["manifest"].get("device_type") or "vyos")

    def disconnect(self) -> None:
        if self._terminal is not None:
            self._terminal.close()
            self._terminal = None

    def versions(self) -> list[str]:
        self._saved = self.terminal.read_file(CONFIG_BOOT)
        return versions_of(self.terminal.ask("show version | no-more"), self._saved)

    def _running(self, mode: str = "") -> list[Path]:
        """The active configuration, also from within configuration mode (``run ``)."""
        text = self.terminal.ask(f"{mode}show configuration commands | no-more", self.patience(1000, 0.1))
        lines = [line for line in text.splitlines() if line.startswith("set ")]
        if not lines:
            raise DriverError(f"`show configuration commands` was answered without a single command: {text.strip()[:300] or 'nothing'}")
        try:
            return unique(parse_commands("\n".join(lines)))
        except ConfigError as error:
            raise DriverError(f"the device's configuration cannot be read: {error}") from error

    def plan(self) -> Plan:
        manifest = self.bundle["manifest"]
        wanted: list[Path] = []
        for secret, text in deltas.commands_of(manifest, self.bundle["texts"]):
            paths = parse_commands(text)
            wanted += paths
            self._secret_paths |= set(paths) if secret else set()
        running = self._running()
        root = schema(manifest["platform"], manifest["dialect"])
        owned = deltas.owned_paths(running, wanted, [tuple(item.split()) for item in manifest["owned"]], root)
        return self._plan(deltas.delta(running, wanted, owned, root), "rendered")

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        running = self._running()
        wanted = parse_commands(files[BACKUP_COMMANDS].decode())
        manifest = self.bundle["manifest"]
        return self._plan(deltas.delta(running, wanted, running, schema(manifest["platform"], manifest["dialect"])), "in the backup")

    def _plan(self, change: Delta, target: str) -> Plan:
        summary = [deltas.shown(verb, path, self._secret_paths) for verb, path in change.commands()]
        text = deltas.diff(change, self.device.name, self._secret_paths, target)
        return Plan(not change.empty, summary, [{"prepared": text}] if summary else [], change)

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        words = self.terminal.ask("echo $SSH_CONNECTION").split()
        session = Session(words[0], words[2], int(words[3])) if len(words) == 4 and words[3].isdigit() else Session()
        return session, deltas.access_of(plan.work.before), deltas.access_of(plan.work.after())

    def snapshot(self) -> dict[str, bytes]:
        self._saved = self.terminal.read_file(CONFIG_BOOT)
        return {BACKUP_COMMANDS: to_commands(self._running()).encode(), BACKUP_SAVED: self._saved}

    def secrets(self) -> set[str]:
        return deltas.secret_values(self._secret_paths)

    def apply(self, plan: Plan) -> dict[str, Any]:
        change: Delta = plan.work
        session = ConfigSession(self.terminal, self.note)
        try:
            session.require_space(len(self._saved or b""))
            session.enter()
            self._refuse_stale(change)
            self._load(session, change)
        except DriverError as error:
            # Nothing of this is in force before a commit; it goes with the session.
            with contextlib.suppress(DriverError):
                session.leave()
            raise NothingChanged(f"{error} Nothing was changed.", **error.details) from error
        minutes = int(self.device.number("router_confirm_minutes", 5)) or 1
        self._commit(session, change, minutes)
        session.leave()
        return {"commands": len(change.commands()), "confirm_minutes": minutes}

    def _refuse_stale(self, change: Delta) -> None:
        """What the plan was made from must still be there."""
        now = frozenset(self._running("run "))
        if now != change.before:
            lines = [f"-{deltas.shown('set', path, self._secret_paths)}" for path in sorted(change.before - now)]
            lines += [f"+{deltas.shown('set', path, self._secret_paths)}" for path in sorted(now - change.before)]
            raise DriverError("Somebody else changed the configuration since it was read:\n" + "\n".join(lines) + "\nRun again.")

    def _load(self, session: ConfigSession, change: Delta) -> None:
        commands = change.commands()
        path = f"/tmp/routerlab-{randomness.token_hex(8)}.sh"
        refused = session.run_script(path, deltas.script(commands), self.patience(len(commands), 1.0))
        if refused:
            number, words = refused
            line = deltas.shown(*commands[number - 1], self._secret_paths)
            raise DriverError(f"line {number} of {len(commands)}, `{line}`, was refused:\n{words}\n", line=number, command=line)

    def _load_back(self, session: ConfigSession, back: Delta) -> None:
        """As a file, or typed where a device takes no file any more."""
        try:
            self._load(session, back)
        except LostContact:
            raise
        except DriverError:
            session.type(back.commands())

    def _commit(self, session: ConfigSession, change: Delta, minutes: int) -> None:
        """One commit with a time to confirm. Another one that is under way is waited for."""
        timeout = self.patience(len(change.commands()), 2.0, 120.0)
        end = time.monotonic() + self.device.number("router_lock_wait", LOCK_WAIT)
        while True:
            self._deadline = time.time() + 60 * minutes
            try:
                words = session.commit_confirm(minutes, timeout)
            except NotOurTimer:
                self._deadline = None
                raise
            if LOCKED not in words:
                break
            session.cancel_timer()
            self._deadline = None
            if time.monotonic() > end:
                session.leave()
                said = next(line.strip() for line in words.splitlines() if LOCKED in line)
                raise NothingChanged(f"locked by another session: {said}. Nothing was changed.")
            time.sleep(1.0)

    def standing(self, plan: Plan) -> str:
        change: Delta = plan.work
        self._to_operation()
        ConfigSession(self.terminal, self.note).wait_for_commit(self.patience(len(change.commands()), 2.0, 120.0))
        return deltas.standing_of(change, self._running())

    def _to_operation(self) -> None:
        """Out of configuration mode, wherever an error left the session."""
        ConfigSession(self.terminal, self.note).leave()

    def confirm(self, plan: Plan) -> None:
        session = ConfigSession(self.terminal, self.note)
        session.enter()
        if self._deadline is not None:
            session.cancel_timer()
            self._deadline = None
        self._save(session)

    def _save(self, session: ConfigSession) -> None:
        words = session.save()
        session.leave()
        running = set(self._running())
        saved = self.terminal.read_file(CONFIG_BOOT)
        try:
            kept = set(unique(parse_curly(saved.decode("utf-8", errors="replace"))))
        except ConfigError:
            kept = set()
        if kept != running:
            raise DriverError(f"`save` did not keep the configuration in {CONFIG_BOOT} ({len(saved)} bytes). The device said: {words.strip() or 'nothing'}.")

    def revert(self, plan: Plan) -> None:
        """The opposite commands in one commit; then the timer is stopped. Nothing was saved, unless saving is what failed."""
        change: Delta = plan.work
        self._to_operation()
        manifest = self.bundle["manifest"]
        back = deltas.way_back(change, self._running(), schema(manifest["platform"], manifest["dialect"]))
        session = ConfigSession(self.terminal, self.note)
        session.enter()
        if not back.empty:
            self._load_back(session, back)
            session.commit(self.patience(len(back.commands()), 2.0, 120.0))
        if self._deadline is not None:
            session.cancel_timer()
            self._deadline = None
        if self._saved is not None and self.terminal.read_file(CONFIG_BOOT) != self._saved and not back.empty:
            self._save(session)
        else:
            session.leave()

    def by_itself(self) -> str:
        if self._deadline is None:
            return ""
        at = time.strftime("%H:%M:%S UTC", time.gmtime(self._deadline))
        return f"Nobody confirms, so the device returns to its saved configuration by itself at about {at}, by a restart."

    def info(self) -> dict[str, Any]:
        return info_of(self.terminal, self.bundle["manifest"], self.versions())
