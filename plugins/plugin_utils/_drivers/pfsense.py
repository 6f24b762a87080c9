# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``pfsense``: pfSense and OPNsense, by their config.xml, over SSH as a user with a shell and all rights (admin, root).

The device's file is read, the lab's part is put into it, and the whole file goes back: uploaded beside the old one, read by the device's
own PHP, put in place by one rename, reloaded. Before that the device has started a job that puts the old file back, and a file that does so
at the next start; both end when the deployment is confirmed over a new connection. Paths and commands stand in platform.yml (`config_xml`).
"""

from __future__ import annotations

import hashlib
import re
import secrets as randomness
from dataclasses import dataclass
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _config_xml as xml
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._freebsd_info import info_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._undo_driver import UndoDriver
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._undo_sh import DIGEST, STALE, Way
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

BACKUP = "config.xml"
SPARE_KIB = 1024
LOGGED = "routerlab: deployed from the controller"


@dataclass(frozen=True)
class Change:
    """The file as it is, the file as it is to be, and what was rendered (None for a backup)."""

    before: bytes
    after: bytes
    rendered: bytes | None


class Driver(UndoDriver):
    """pfSense 2.4 and later, OPNsense 19.7 and later."""

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._platform: str = bundle["manifest"]["platform"]
        self._room: Mapping[str, Any] = platforms()[self._platform]["config_xml"]
        self._way = Way(self._room, self._platform, randomness.token_hex(8))

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
        return self._session(), xml.access_of(plan.work.before, self._platform), xml.access_of(plan.work.after, self._platform)

    def snapshot(self) -> dict[str, bytes]:
        return {BACKUP: self._read()}

    def apply(self, plan: Plan) -> dict[str, Any]:
        change: Change = plan.work
        after = xml.signed(change.after, LOGGED) if change.rendered is not None else change.after
        self._refuse_missing(change)
        answer = self._lock(SPARE_KIB + 4 * len(change.after) // 1024)
        if hashlib.sha256(change.before).hexdigest() not in answer.text():
            self.ssh.ask(self._way.clean())
            raise NothingChanged(f"{self._others_change(change)} Nothing was changed.")
        try:
            self._start_timer(self._seconds())
            self._upload(after)
            self._swap(change)
        except LostContact:
            raise
        except DriverError as error:
            raise self._give_up(error) from error
        self._wait(plan)
        return {"elements": len(plan.summary), "confirm_seconds": self._seconds()}

    def _refuse_missing(self, change: Change) -> None:
        """Settings of a package that is not installed would lie there without effect."""
        for path, file in xml.needs(change.rendered or change.after, self._room["packages"]).items():
            if change.rendered is not None and self.ssh.run(f"test -e {file}").rc != 0:
                raise NothingChanged(f"the package that {path} belongs to is not installed ({file} is not there); install it first. Nothing was changed.")

    def _upload(self, after: bytes) -> None:
        self.ssh.put(f"{self._way.folder}/new.xml", after, DIGEST, self.patience(len(after) // 1000, 1.0))
        answer = self.ssh.run(self._way.check(), 120, "the check of the new file")
        if answer.rc != 0:
            raise DriverError(f"the device does not take the new file: {answer.words()}.")

    def _swap(self, change: Change) -> None:
        answer = self.ssh.run(self._way.swap(hashlib.sha256(change.before).hexdigest()), after="the change of config.xml")
        if answer.rc == STALE:
            raise DriverError(self._others_change(change))
        if answer.rc != 0:
            raise DriverError(f"{answer.words()}.")

    def _others_change(self, change: Change) -> str:
        lines = xml.changes(change.before, self._read())
        return "Somebody else changed the configuration since it was read:\n" + "\n".join(lines) + "\nRun again."

    def _lines(self, plan: Plan) -> int:
        return len(plan.work.after) // 1000

    def _compare(self, plan: Plan) -> str:
        """As planned also when the device has written the file anew, or somebody else has changed what is not the lab's."""
        change: Change = plan.work
        now = self._read()
        if xml.same(now, change.before):
            return OLD
        ours = change.rendered is not None and xml.merged(self.bundle["manifest"], now, change.rendered) == now
        return NEW if ours or xml.same(now, change.after) else BETWEEN

    def confirm(self, plan: Plan) -> None:
        super().confirm(plan)
        if any("offloading" in line for line in plan.summary):
            self.note("Flags of offloads count after a restart of the device.")

    def info(self) -> dict[str, Any]:
        return info_of(self.ssh, self.bundle["manifest"], self.versions())
