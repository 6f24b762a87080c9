# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``vyos_https``: VyOS over its HTTPS API.

The plan is that of driver netmiko, whose class this one extends; only the way to the device
differs. All commands are one request, and one request is one commit. Where the API knows
commit-confirm (from 1.5-stream-2025-Q2 on) a device that nobody confirms goes back by itself;
older ones say so by keeping silent about it, and go back only by a restart, as nothing is saved
before everything was read again.
"""

from __future__ import annotations

import re
import time
from typing import Any, Iterable

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _vyos_api, netmiko
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _vyos_delta as deltas
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_delta import Delta
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_info import versions_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_show import info_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import ConfigError, Path, parse_curly, to_commands, unique
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import schema

BACKUP_CURLY = "config.running"
LEAST_FREE = 2**20
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50}


class Driver(netmiko.Driver):
    """VyOS 1.3 to rolling. EdgeOS has no such API."""

    needs = {}
    port = _vyos_api.PORT

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._api: _vyos_api.Api | None = None
        self._pending: bool | None = False
        self._save_begun = False

    @property
    def api(self) -> _vyos_api.Api:
        if self._api is None:
            raise DriverError("there is no connection")
        return self._api

    def connect(self) -> None:
        self.disconnect()
        found = _vyos_api.Api(self.device, self.note)
        found.configuration()
        self._api = found

    def disconnect(self) -> None:
        self._api = None

    def versions(self) -> list[str]:
        try:
            return versions_of(self.api.show("version"), b"")
        except _vyos_api.Refused as error:
            if error.status == 404:
                raise DriverError("this API has no /show, so it does not tell its version (as in VyOS 1.2). Use driver netmiko.") from error
            raise

    def _running(self, mode: str = "") -> list[Path]:
        text = self.api.configuration()
        try:
            found = unique(parse_curly(text))
        except ConfigError as error:
            raise DriverError(f"the device's configuration cannot be read: {error}") from error
        if not found:
            raise DriverError(f"showConfig was answered without a single node: {text.strip()[:300] or 'nothing'}")
        return found

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        change: Delta = plan.work
        return self.api.session, _access_of(change.before, self.api.key), _access_of(change.after(), self.api.key)

    def snapshot(self) -> dict[str, bytes]:
        return {netmiko.BACKUP_COMMANDS: to_commands(self._running()).encode(), BACKUP_CURLY: self.api.configuration().encode()}

    def secrets(self) -> set[str]:
        return super().secrets() | {self.device.text("router_api_key") or ""}

    def apply(self, plan: Plan) -> dict[str, Any]:
        change: Delta = plan.work
        try:
            self._require_space()
            self._refuse_stale(change)
        except DriverError as error:
            raise NothingChanged(f"{error} Nothing was changed.", **error.details) from error
        minutes = int(self.device.number("router_confirm_minutes", 5)) or 1
        end = time.monotonic() + self.device.number("router_lock_wait", netmiko.LOCK_WAIT)
        while not self._request(change, minutes):
            if time.monotonic() > end:
                raise NothingChanged(
                    "locked by another session: Configuration system temporarily locked due to another commit in progress. Nothing was changed."
                )
            time.sleep(1.0)
        return {"commands": len(change.commands()), "confirm_minutes": minutes if self._pending else None}

    def _require_space(self) -> None:
        """A full disk is found before it damages the saved configuration."""
        for line in self.api.show("system storage").splitlines():
            match = re.fullmatch(r"\S+\s+\S+\s+\S+\s+([\d.]+)([KMGTP]?)i?\s+\d+%\s+(\S+)", line.strip())
            if match and re.search(r"^/$|^/config$|persistence$", match[3]) and float(match[1]) * UNITS[match[2]] < LEAST_FREE:
                raise DriverError(f"the device's disk is full: {match[1]}{match[2]} are left on {match[3]}.")

    def _request(self, change: Delta, minutes: int) -> bool:
        """One commit; False while another one is under way."""
        commands = change.commands()
        self._pending, self._deadline = None, time.time() + 60 * minutes
        try:
            words = self.api.configure(commands, self.patience(len(commands), 2.0, 120.0), minutes)
        except _vyos_api.Refused as error:
            self._pending = False
            return self._judge(str(error), commands)
        self._pending = _vyos_api.INITIALIZED in words
        if _vyos_api.PENDING in words:
            raise DriverError(f"somebody else's commit waits to be confirmed (the device said: {_vyos_api.PENDING}). Run again when that is over.")
        if not self._pending:
            self.note("This version's API knows no commit-confirm: had contact been lost, only a restart would have brought the old configuration back.")
        return True

    def _judge(self, words: str, commands: list[tuple[str, Path]]) -> bool:
        """Why a commit did not succeed; False when another one is under way."""
        if _vyos_api.LOCKED in words:
            return False
        if _vyos_api.PENDING in words:
            raise DriverError(f"somebody else's commit waits to be confirmed (the device said: {_vyos_api.PENDING}). Run again when that is over.")
        if _vyos_api.REFUSED.search(words) and not _vyos_api.COMMIT_FAILED.search(words):
            said = " ".join(words.split())
            for number, (verb, path) in enumerate(commands, 1):
                if f"[{' '.join(path)}]" in said or f"{list(path)}" in said:
                    line = deltas.shown(verb, path, self._secret_paths)
                    text = f"line {number} of {len(commands)}, `{line}`, was refused:\n{said}\nNothing was changed."
                    raise NothingChanged(text, line=number, command=line)
            raise NothingChanged(f"a command was refused:\n{said}\nNothing was changed.")
        raise DriverError(f"the commit failed:\n{words}")

    def _settle(self, change: Delta) -> None:
        """A commit that lost its connection goes on; its outcome is waited for."""
        self.api.wait(self.patience(len(change.commands()), 2.0, 120.0))

    def standing(self, plan: Plan) -> str:
        change: Delta = plan.work
        self._settle(change)
        return deltas.standing_of(change, self._running())

    def confirm(self, plan: Plan) -> None:
        self._stop_timer()
        self._save_running()

    def _stop_timer(self) -> None:
        """The timer that is ours. Whether there is one is not known where the answer was lost."""
        if self._pending is False:
            return
        try:
            words = self.api.confirm()
        except _vyos_api.Refused:
            if self._pending:
                raise
            words = _vyos_api.NO_CONFIRM
        if self._pending and _vyos_api.NO_CONFIRM in words:
            raise DriverError("the time to confirm was over.")
        self._pending = False

    def _save_running(self) -> None:
        self._save_begun = True
        try:
            words = self.api.save()
        except _vyos_api.Refused as error:
            raise DriverError(f"`save` did not keep the configuration: {error}") from error
        if re.search(r"No space left|[Ee]rror|[Ff]ailed", words):
            raise DriverError(f"`save` did not keep the configuration: {words.strip()}")

    def revert(self, plan: Plan) -> None:
        """The opposite commands in one commit; then the timer is stopped. Nothing was saved, unless saving is what failed."""
        change: Delta = plan.work
        self._settle(change)
        manifest = self.bundle["manifest"]
        back = deltas.way_back(change, self._running(), schema(manifest["platform"], manifest["dialect"]))
        if not back.empty:
            commands = back.commands()
            self.api.configure(commands, self.patience(len(commands), 2.0, 120.0))
        self._stop_timer()
        if self._save_begun:
            self._save_running()

    def by_itself(self) -> str:
        if self._pending is False:
            return ""
        if self._pending is None:
            return "If its version knows commit-confirm it returns to its saved configuration by itself; otherwise a restart leads back, as nothing was saved."
        at = time.strftime("%H:%M:%S UTC", time.gmtime(self._deadline))
        return f"Nobody confirms, so the device returns to its saved configuration by itself at about {at}."

    def info(self) -> dict[str, Any]:
        return info_of(self._section, self.bundle["manifest"], self.versions())

    def _section(self, words: str) -> str | None:
        """None for a command that this version does not have."""
        try:
            return self.api.show(words)
        except LostContact:
            raise
        except DriverError:
            return None


def _access_of(paths: Iterable[Path], key: str) -> Access:
    """As for the command line, with the web server in place of SSH: it listens to us as long as our key stands there."""
    seen = deltas.access_of(paths)
    https = [path for path in paths if path[:2] == ("service", "https")]
    ports = {int(path[-1]) for path in https if (path[2:3] == ("port",) or path[-2] == "listen-port") and path[-1].isdigit()}
    listens = any(path[2:4] == ("api", "keys") and path[-1] == key for path in https)
    return Access(seen.addresses, seen.down, frozenset(ports or {_vyos_api.PORT}) if listens else frozenset(), seen.routes)
