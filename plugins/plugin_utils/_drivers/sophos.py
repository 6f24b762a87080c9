# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``sophos``: Sophos Firewall over its XML API.

The firewall has no transaction and saves at once. So everything that could be touched is read and
kept first, entities go one by one, and whatever stops that is undone: what the plan touches is
read again and led back, in the reverse order. OSPF is not in the API: ospf.txt stays for the console.
"""

from __future__ import annotations

import contextlib
import xml.etree.ElementTree as ET
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _sophos_delta as deltas
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _sophos_xml as xml
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, DeviceDriver, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._sophos_api import PORT, Api, release_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._sophos_delta import Op, State, Work

BACKUP = "entities.xml"


class Driver(DeviceDriver):
    """SFOS 17.5 to 21.5."""

    port = PORT

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._api: Api | None = None
        self._secrets: set[str] = set()

    @property
    def api(self) -> Api:
        if self._api is None:
            raise DriverError("there is no connection")
        return self._api

    def connect(self) -> None:
        self.disconnect()
        found = Api(self.device, self.note)
        found.read(["Time"], self.patience(0))
        self._api = found

    def disconnect(self) -> None:
        self._api = None

    def versions(self) -> list[str]:
        release = release_of(self.api.version)
        return [release] if release else []

    def _read(self) -> State:
        tags = deltas.tags_of(self.bundle["manifest"]["dialect"])
        state = deltas.state_of(self.api.read(tags, self.patience(len(tags), 5.0, 60.0)))
        self._secrets |= deltas.secrets_of(state.values())
        return state

    def plan(self) -> Plan:
        manifest = self.bundle["manifest"]
        sent = [item["name"] for item in manifest["artifacts"] if not item.get("console")]
        wanted = deltas.wanted_of(self.bundle["texts"][name] for name in sent)
        self._secrets |= deltas.secrets_of(wanted)
        for item in manifest["artifacts"]:
            if item.get("console"):
                self.note(f"{item['file']} is not sent: the API has no entity for it. Type it at the console (SSH as admin, menu 3, 1, 2).")
        return self._plan(lambda now: deltas.plan_ops(wanted, now, manifest["owned"]), "rendered")

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        target = deltas.state_of(entity for part in ET.fromstring(files[BACKUP]) for entity in xml.split(part))
        self._secrets |= deltas.secrets_of(target.values())
        return self._plan(lambda now: deltas.ops_towards(target, now), "in the backup")

    def _plan(self, again: Any, target: str) -> Plan:
        before = self._read()
        ops = again(before)
        text = "\n".join([f"--- {self.device.name} as it is", f"+++ {self.device.name} as {target}", *deltas.diff_lines(ops), ""])
        return Plan(bool(ops), [deltas.summary(op) for op in ops], [{"prepared": text}] if ops else [], Work(before, ops, again))

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        work: Work = plan.work
        session: Session = self.api.session
        return session, deltas.access_of(work.before, session), deltas.access_of(deltas.after(work.before, work.ops), session)

    def snapshot(self) -> dict[str, bytes]:
        return {BACKUP: _file_of(self._read())}

    def secrets(self) -> set[str]:
        return self._secrets

    def apply(self, plan: Plan) -> dict[str, Any]:
        work: Work = plan.work
        try:
            self._refuse_stale(work)
        except DriverError as error:
            raise NothingChanged(f"{error} Nothing was changed.") from error
        for number, op in enumerate(work.ops, 1):
            try:
                self._send(op)
            except LostContact:
                raise
            except DriverError as error:
                raise DriverError(f"request {number} of {len(work.ops)}: {error}", line=number, command=deltas.summary(op), **error.details) from error
        return {"requests": len(work.ops)}

    def _refuse_stale(self, work: Work) -> None:
        """What the plan was made from must still be there."""
        now = self._read()
        ops = deltas.ops_towards(now, work.before)
        if ops:
            raise DriverError("Somebody else changed the configuration since it was read:\n" + "\n".join(deltas.diff_lines(ops)) + "\nRun again.")

    def _send(self, op: Op) -> None:
        timeout, title = self.patience(1, 0.0, 90.0), deltas.summary(op).partition(" ")[2]
        if op.new is not None:
            self.api.set(op.verb, op.new, title, timeout)
        elif op.old is not None:
            self.api.remove(op.old, title, timeout)

    def standing(self, plan: Plan) -> str:
        work: Work = plan.work
        now = self._read()
        if not work.again(now):
            return NEW
        return BETWEEN if deltas.ops_towards(work.before, now, _touched(work)) else OLD

    def revert(self, plan: Plan) -> None:
        """Each entity that the plan touches, as it was; goes on after a refusal, as others can still be led back."""
        work: Work = plan.work
        refusals = []
        for op in deltas.ops_towards(work.before, self._read(), _touched(work)):
            try:
                self._send(op)
            except LostContact:
                raise
            except DriverError as error:
                refusals.append(str(error))
        if refusals:
            with contextlib.suppress(LostContact):
                if self.standing(plan) == OLD:
                    return
            raise DriverError("; ".join(refusals))

    def by_itself(self) -> str:
        return "It does nothing by itself, and what was sent stays. Once it answers, playbooks/restore.yml puts the backup back."

    def info(self) -> dict[str, Any]:
        state = deltas.state_of(self.api.read(["Interface", "VLAN", "AdminSettings"], self.patience(3, 5.0, 60.0)))
        admin = state.get(("AdminSettings", ""))
        name = admin.findtext("HostnameSettings/HostName") if admin is not None else None
        seen = (self.versions() or [None])[0]  # type: ignore[list-item]  # a firewall may have told no version
        return linux.info_of({}, platform="sophos", version=seen, hostname=name, interfaces=deltas.interfaces_of(state))


def _touched(work: Work) -> list[deltas.Key]:
    return list(dict.fromkeys(op.key for op in work.ops))


def _file_of(state: State) -> bytes:
    root = ET.Element("Entities")
    root.extend(state.values())
    for node in root.iter():
        node.attrib.pop("transactionid", None)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"
