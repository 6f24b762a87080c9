# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What drivers have in common whose device has a shell, and a way back that this project brings along (`_undo_sh`)."""

from __future__ import annotations

import getpass
import socket
import time
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, DeviceDriver, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import Answer
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ssh import Ssh
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._undo_sh import LOCKED

PAUSE = 0.2


class UndoDriver(DeviceDriver):
    """A driver whose deployment lives in a folder of the device."""

    needs = {"paramiko": "paramiko"}
    _way: Any
    """The scripts: a `Folder` with `start(seconds)` and `undo()`."""

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._ssh: Ssh | None = None
        self._secrets: set[str] = set()
        self._deadline: float | None = None

    @property
    def ssh(self) -> Ssh:
        if self._ssh is None:
            raise LostContact("there is no connection.")
        return self._ssh

    def connect(self) -> None:
        self.disconnect()
        self._ssh = Ssh(self.device)

    def disconnect(self) -> None:
        if self._ssh is not None:
            self._ssh.close()
            self._ssh = None

    def secrets(self) -> set[str]:
        return self._secrets

    def _session(self) -> Session:
        words = self.ssh.ask('echo "$SSH_CONNECTION"').decode("latin-1").split()
        return Session(words[0], words[2], int(words[3])) if len(words) == 4 and words[3].isdigit() else Session()

    def _seconds(self) -> int:
        return max(1, int(60 * self.device.number("router_confirm_minutes", 5)))

    def _lines(self, plan: Plan) -> int:
        """How much the device has to digest."""
        raise NotImplementedError

    def _lock(self, needed_kib: int) -> Answer:
        """Take the folder; whoever has it already is named."""
        owner = f"{getpass.getuser()} on {socket.gethostname()}, {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime())}"
        answer = self.ssh.run(self._way.lock(owner, needed_kib), 120, "the preparation")
        if answer.rc == LOCKED:
            who = answer.text().strip() or "nobody who left a name"
            raise NothingChanged(f"locked by another deployment ({who}); if none is running, remove {self._way.folder} on the device. Nothing was changed.")
        if answer.rc != 0:
            raise NothingChanged(f"{answer.words()}. Nothing was changed.")
        return answer

    def _start_timer(self, seconds: int) -> None:
        self.ssh.ask(self._way.start(seconds))
        self._deadline = time.time() + seconds

    def _give_up(self, error: DriverError) -> NothingChanged:
        """Before the change: the folder goes, and with it the timer's right to do anything."""
        self._deadline = None
        self.ssh.ask(self._way.clean())
        return NothingChanged(f"{error} Nothing was changed.", **error.details)

    def _state(self) -> list[str]:
        return self.ssh.ask(self._way.state(), after="the question how it stands").decode().split() or ["none"]

    def _wait(self, plan: Plan) -> str:
        """Wait for a reload, or a way back, that is under way; what the folder says then."""
        end = time.monotonic() + self.patience(self._lines(plan), 1.0, 300.0)
        while True:
            state = self._state()
            if state[0] not in ("reloading", "undoing"):
                break
            if time.monotonic() > end:
                raise DriverError(f"the device is still {state[0]}.")
            time.sleep(PAUSE)
        if state[0] == "done" and state[1:] != ["0"]:
            words = self.ssh.run(self._way.log()).text().strip()
            raise DriverError(f"the reload failed with status {' '.join(state[1:])}: {words or 'it said nothing'}")
        return state[0]

    def _compare(self, plan: Plan) -> str:
        """Read again: `NEW`, `OLD` or `BETWEEN`, by the files alone."""
        raise NotImplementedError

    def standing(self, plan: Plan) -> str:
        try:
            state = self._wait(plan)
        except LostContact:
            raise
        except DriverError:
            return BETWEEN
        found = self._compare(plan)
        return found if found != NEW or state in ("done", "confirmed", "none") else BETWEEN

    def confirm(self, plan: Plan) -> None:
        answer = self.ssh.run(self._way.confirm(), after="the confirmation")
        if answer.rc != 0 and self._state()[0] != "none":
            raise DriverError(f"the confirmation failed: {answer.words()}.")
        if answer.rc != 0 and self._compare(plan) != NEW:
            raise DriverError("the time to confirm was over.")
        self._deadline = None

    def revert(self, plan: Plan) -> None:
        """The device's own way back, now."""
        if self._state()[0] not in ("none", "undoing", "other"):
            self.ssh.ask(self._way.undo())
        end = time.monotonic() + self.patience(self._lines(plan), 1.0, 300.0)
        while self._state()[0] not in ("none", "other"):
            if time.monotonic() > end:
                raise DriverError("the device does not finish its way back.")
            time.sleep(PAUSE)
        self._deadline = None

    def by_itself(self) -> str:
        if self._deadline is None:
            return ""
        at = time.strftime("%H:%M:%S UTC", time.gmtime(self._deadline))
        return f"Nobody confirms, so the device puts its old configuration back by itself at about {at}, or at its next start."
