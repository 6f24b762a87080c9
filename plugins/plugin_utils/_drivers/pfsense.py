# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``pfsense``: pfSense and OPNsense, by their config.xml, over SSH as a user with a shell and all rights (admin, root).

The device's file is read, the lab's part is put into it, and the whole file goes back: uploaded beside the old one, read by the device's
own PHP, put in place by one rename, reloaded. Before that the device has started a job that puts the old file back, and a file that does so
at the next start; both end when the deployment is confirmed over a new connection. Paths and commands stand in platform.yml (`config_xml`).
"""

from __future__ import annotations

import getpass
import hashlib
import re
import secrets as randomness
import socket
import time
from dataclasses import dataclass
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _config_xml as xml
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, DeviceDriver, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._freebsd_info import info_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ssh import Ssh
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._undo_sh import DIGEST, LOCKED, STALE, Way
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

BACKUP = "config.xml"
SPARE_KIB = 1024
PAUSE = 0.2
LOGGED = "routerlab: deployed from the controller"


@dataclass(frozen=True)
class Change:
    """The file as it is, the file as it is to be, and what was rendered (None for a backup)."""

    before: bytes
    after: bytes
    rendered: bytes | None


class Driver(DeviceDriver):
    """pfSense 2.4 and later, OPNsense 19.7 and later."""

    needs = {"paramiko": "paramiko"}

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._ssh: Ssh | None = None
        self._secrets: set[str] = set()
        self._deadline: float | None = None
        self._platform: str = bundle["manifest"]["platform"]
        self._room: Mapping[str, Any] = platforms()[self._platform]["config_xml"]
        self._way = Way(self._room, self._platform, randomness.token_hex(8))

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

    def _read(self) -> bytes:
        data = self.ssh.get(self._room["config"])
        self._secrets |= xml.secret_values(data)
        return data

    def versions(self) -> list[str]:
        """The release; of pfSense the number of the configuration's form, too, which says more."""
        words = self.ssh.ask(self._room["version"], after="the question for its version").decode("latin-1").split()
        release = re.sub(r"-RELEASE$", "", words[0]) if words else ""
        patch = words[1] if len(words) > 1 else "0"
        if patch.isdigit() and int(patch):
            release = f"{re.sub(r'-p[0-9]+$', '', release)}-p{patch}"
        form = xml.version_of(self._read()) if self._platform == "pfsense" else ""
        return [name for name in (release, f"config-{form}" if form else "") if name]

    def plan(self) -> Plan:
        rendered = self.bundle["texts"]["config"].encode()
        self._secrets |= xml.secret_values(rendered)
        before = self._read()
        after = xml.merged(self.bundle["manifest"], before, rendered)
        return self._plan(Change(before, after, rendered), "rendered")

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        before, after = self._read(), files[BACKUP]
        self._secrets |= xml.secret_values(after)
        if xml.version_of(before) != xml.version_of(after):
            raise DriverError(f"the backup has form {xml.version_of(after)}, and the device has {xml.version_of(before)} now. Nothing was changed.")
        return self._plan(Change(before, after, None), "in the backup")

    def _plan(self, change: Change, target: str) -> Plan:
        lines = xml.changes(change.before, change.after)
        changed = change.before != change.after
        if changed and not lines:
            lines = ["~the form of the file, and its revision"]
        head = f"--- {self.device.name} {self._room['config']}\n+++ {target}\n"
        return Plan(changed, lines, [{"prepared": head + "".join(line + "\n" for line in lines)}] if changed else [], change)

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        words = self.ssh.ask('echo "$SSH_CONNECTION"').decode("latin-1").split()
        session = Session(words[0], words[2], int(words[3])) if len(words) == 4 and words[3].isdigit() else Session()
        return session, xml.access_of(plan.work.before, self._platform), xml.access_of(plan.work.after, self._platform)

    def snapshot(self) -> dict[str, bytes]:
        return {BACKUP: self._read()}

    def secrets(self) -> set[str]:
        return self._secrets

    def apply(self, plan: Plan) -> dict[str, Any]:
        change: Change = plan.work
        after = xml.signed(change.after, LOGGED) if change.rendered is not None else change.after
        seconds = max(1, int(60 * self.device.number("router_confirm_minutes", 5)))
        self._refuse_missing(change)
        self._lock(change)
        try:
            self._upload(after, seconds)
            self._swap(change)
        except LostContact:
            raise
        except DriverError as error:
            self._deadline = None
            self.ssh.ask(self._way.clean())
            raise NothingChanged(f"{error} Nothing was changed.", **error.details) from error
        self._wait(change)
        return {"elements": len(plan.summary), "confirm_seconds": seconds}

    def _refuse_missing(self, change: Change) -> None:
        """Settings of a package that is not installed would lie there without effect."""
        for path, file in xml.needs(change.rendered or change.after, self._room["packages"]).items():
            if change.rendered is not None and self.ssh.run(f"test -e {file}").rc != 0:
                raise NothingChanged(f"the package that {path} belongs to is not installed ({file} is not there); install it first. Nothing was changed.")

    def _lock(self, change: Change) -> None:
        owner = f"{getpass.getuser()} on {socket.gethostname()}, {time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime())}"
        answer = self.ssh.run(self._way.lock(owner, SPARE_KIB + 4 * len(change.after) // 1024), 120, "the preparation")
        if answer.rc == LOCKED:
            who = answer.text().strip() or "nobody who left a name"
            raise NothingChanged(f"locked by another deployment ({who}); if none is running, remove {self._way.folder} on the device. Nothing was changed.")
        if answer.rc != 0:
            raise NothingChanged(f"{answer.words()}. Nothing was changed.")
        if hashlib.sha256(change.before).hexdigest() not in answer.text():
            self.ssh.ask(self._way.clean())
            raise NothingChanged(self._others_change(change))

    def _upload(self, after: bytes, seconds: int) -> None:
        self.ssh.ask(self._way.start(seconds))
        self._deadline = time.time() + seconds
        self.ssh.put(f"{self._way.folder}/new.xml", after, DIGEST, self.patience(len(after) // 1000, 1.0))
        answer = self.ssh.run(self._way.check(), 120, "the check of the new file")
        if answer.rc != 0:
            raise DriverError(f"the device does not take the new file: {answer.words()}.")

    def _swap(self, change: Change) -> None:
        answer = self.ssh.run(self._way.swap(hashlib.sha256(change.before).hexdigest()), after="the change of config.xml")
        if answer.rc == STALE:
            raise DriverError(self._others_change(change).replace(" Nothing was changed.", ""))
        if answer.rc != 0:
            raise DriverError(f"{answer.words()}.")

    def _others_change(self, change: Change) -> str:
        lines = xml.changes(change.before, self._read())
        return "Somebody else changed the configuration since it was read:\n" + "\n".join(lines) + "\nRun again. Nothing was changed."

    def _state(self) -> list[str]:
        return self.ssh.ask(self._way.state(), after="the question how it stands").decode().split() or ["none"]

    def _wait(self, change: Change) -> str:
        """Wait for a reload, or a way back, that is under way; what the folder says then."""
        end = time.monotonic() + self.patience(len(change.after) // 1000, 1.0, 300.0)
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

    def standing(self, plan: Plan) -> str:
        change: Change = plan.work
        try:
            state = self._wait(change)
        except LostContact:
            raise
        except DriverError:
            return BETWEEN
        now = self._read()
        if xml.same(now, change.before):
            return OLD
        return NEW if self._as_planned(now, change) and state in ("done", "confirmed", "none") else BETWEEN

    def _as_planned(self, now: bytes, change: Change) -> bool:
        """Also when the device has written the file anew, or somebody else has changed what is not the lab's."""
        return xml.same(now, change.after) or (change.rendered is not None and xml.merged(self.bundle["manifest"], now, change.rendered) == now)

    def confirm(self, plan: Plan) -> None:
        answer = self.ssh.run(self._way.confirm(), after="the confirmation")
        if answer.rc != 0 and self._state()[0] != "none":
            raise DriverError(f"the confirmation failed: {answer.words()}.")
        if answer.rc != 0 and not self._as_planned(self._read(), plan.work):
            raise DriverError("the time to confirm was over.")
        self._deadline = None
        self._note_restart(plan)

    def _note_restart(self, plan: Plan) -> None:
        if any("offloading" in line for line in plan.summary):
            self.note("Flags of offloads count after a restart of the device.")

    def revert(self, plan: Plan) -> None:
        """The device's own way back, now."""
        if self._state()[0] not in ("none", "undoing", "other"):
            self.ssh.ask(self._way.undo())
        end = time.monotonic() + self.patience(len(plan.work.before) // 1000, 1.0, 300.0)
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

    def info(self) -> dict[str, Any]:
        return info_of(self.ssh, self.bundle["manifest"], self.versions())
