# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``untangle``: Untangle NG Firewall over the JSON-RPC of its administration page.

Whole objects are read, kept, given what the lab owns of them, and set again, one after the other.
Untangle saves first and puts into force then, and takes nothing back when that fails; so the way
back is to set what was read. Setting the network may break the connection: then the answer is
what the device says when it is read again.
"""

from __future__ import annotations

import copy
import json
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _untangle_json as shapes
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, DeviceDriver, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._untangle_api import PORT, Api

NETWORK = "network"
Objects = dict[str, Any]
"""By the artifact's name, as they were read."""


class Work:
    """A plan: the objects as they are and as they have to be. ``target`` makes them from what is read; without it they are those of a backup, ``kept``."""

    def __init__(self, before: Objects, target: Callable[[Objects], Objects] | None, kept: Objects | None = None) -> None:
        self.before = before
        self._target = target
        self.after = target(before) if target else kept or {}
        self.names = [name for name in self.after if not self._reached(name, before)]

    def _reached(self, name: str, now: Objects) -> bool:
        return shapes.same(self._target(now)[name], now[name]) if self._target else shapes.stands(self.after[name], now[name])

    def standing(self, now: Objects) -> str:
        if all(self._reached(name, now) for name in self.after):
            return NEW
        return OLD if all(shapes.stands(value, now[name]) for name, value in self.before.items()) else BETWEEN


class Driver(DeviceDriver):
    """Untangle 14.0 to 17.5."""

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
        self._api = Api(self.device)

    def disconnect(self) -> None:
        self._api = None

    def versions(self) -> list[str]:
        return [str(self.api.call("getFullVersion"))]

    def _specs(self) -> list[dict[str, Any]]:
        return list(self.bundle["manifest"]["artifacts"])

    def _call(self, spec: Mapping[str, Any], how: str, *params: Any, timeout: float = 60.0) -> Any:
        if spec.get("app"):
            return self.api.app(spec["app"], spec[how], *params, timeout=timeout)
        return self.api.call(spec[how], *params, timeout=timeout)

    def _read(self) -> Objects:
        found = {}
        for spec in self._specs():
            found[spec["name"]] = self._call(spec, "get")
            if spec["secret"]:
                self._secrets |= shapes.secrets_of(found[spec["name"]])
        return found

    def plan(self) -> Plan:
        wanted = {}
        for spec in self._specs():
            text = self.bundle["texts"][spec["name"]]
            wanted[spec["name"]] = json.loads(text) if text.lstrip().startswith("{") else text.strip()
            self._secrets |= shapes.secrets_of(wanted[spec["name"]])

        def target(now: Objects) -> Objects:
            return {spec["name"]: _placed(spec, wanted[spec["name"]], now[spec["name"]]) for spec in self._specs()}

        before = self._read()
        if NETWORK in wanted:
            self._refuse_other_number(wanted[NETWORK].get("version"), before[NETWORK].get("version"))
            reasons = shapes.strangers(wanted[NETWORK], before[NETWORK])
            if reasons:
                raise DriverError("; ".join(reasons) + ". Nothing was changed.")
        return self._plan(Work(before, target), "rendered")

    def _refuse_other_number(self, wanted: Any, seen: Any) -> None:
        if wanted != seen:
            raise DriverError(f"the settings of the network have number {seen} on the device, and {wanted} in the file: another release. Nothing was changed.")

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        kept = {spec["name"]: json.loads(files[f"{spec['name']}.json"]) for spec in self._specs() if f"{spec['name']}.json" in files}
        self._secrets |= {word for value in kept.values() for word in shapes.secrets_of(value)}
        before = self._read()
        if NETWORK in kept:
            self._refuse_other_number(kept[NETWORK].get("version"), before[NETWORK].get("version"))
        return self._plan(Work(before, None, kept), "in the backup")

    def _plan(self, work: Work, target: str) -> Plan:
        lines = {name: shapes.differences(work.before[name], work.after[name], name) for name in work.names}
        methods = {spec["name"]: ".".join(filter(None, (spec.get("app"), spec["set"]))) for spec in self._specs()}
        text = "\n".join([f"--- {self.device.name} as it is", f"+++ {self.device.name} as {target}", *(line for own in lines.values() for line in own), ""])
        summary = [f"{methods[name]}: {len(own)} lines of difference" for name, own in lines.items()]
        return Plan(bool(lines), summary, [{"prepared": text}] if lines else [], work)

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        work: Work = plan.work
        if NETWORK not in work.after:
            return None
        return self.api.session, shapes.access_of(work.before[NETWORK]), shapes.access_of(work.after[NETWORK])

    def snapshot(self) -> dict[str, bytes]:
        return {f"{name}.json": (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode() for name, value in self._read().items()}

    def secrets(self) -> set[str]:
        return self._secrets

    def apply(self, plan: Plan) -> dict[str, Any]:
        work: Work = plan.work
        try:
            self._refuse_stale(work)
        except DriverError as error:
            raise NothingChanged(f"{error} Nothing was changed.") from error
        # The network comes last: it may break the connection.
        for spec in sorted(self._specs(), key=lambda spec: bool(spec["name"] == NETWORK)):
            if spec["name"] in work.names:
                self._set(spec, work.after[spec["name"]])
        return {"objects": len(work.names)}

    def _set(self, spec: Mapping[str, Any], value: Any) -> None:
        self._call(spec, "set", value, timeout=self.patience(len(shapes.flat(value)) if isinstance(value, dict) else 1, 0.1, 120.0))

    def _refuse_stale(self, work: Work) -> None:
        """What the plan was made from must still be there."""
        now = self._read()
        lines = [line for name, value in work.before.items() for line in shapes.differences(value, now[name], name)]
        if lines:
            raise DriverError("Somebody else changed the settings since they were read:\n" + "\n".join(lines) + "\nRun again.")

    def standing(self, plan: Plan) -> str:
        work: Work = plan.work
        return work.standing(self._read())

    def revert(self, plan: Plan) -> None:
        work: Work = plan.work
        now = self._read()
        for spec in sorted(self._specs(), key=lambda spec: bool(spec["name"] == NETWORK)):
            name = spec["name"]
            # What was saved and not put into force looks like the new one and is not: set the old one in any case.
            if name in work.names or not shapes.stands(work.before[name], now[name]):
                try:
                    self._set(spec, work.before[name])
                except LostContact:
                    if name != NETWORK:
                        raise
                    self.connect()

    def by_itself(self) -> str:
        return (
            "It does nothing by itself. At its console, an older network.js-version-* and `sync-settings -f` lead back; playbooks/restore.yml once it answers."
        )

    def info(self) -> dict[str, Any]:
        network = self.api.call("networkManager.getNetworkSettings")
        states = {item["interfaceId"]: item for item in (self.api.call("networkManager.getInterfaceStatus") or {}).get("list") or []}
        cards = {item["deviceName"]: item for item in (self.api.call("networkManager.getDeviceStatus") or {}).get("list") or []}
        mtu = {item["deviceName"]: item.get("mtu") for item in (network.get("devices") or {}).get("list") or []}
        found = []
        for item in network["interfaces"]["list"]:
            state, card = states.get(item["interfaceId"]) or {}, cards.get(item.get("physicalDev")) or {}
            cidr = f"{state['v4Address']}/{state.get('v4PrefixLength')}" if state.get("v4Address") else ""
            up = card["connected"] == "CONNECTED" if card.get("connected") in ("CONNECTED", "DISCONNECTED") else None
            own = {"up": up, "mtu": mtu.get(item.get("physicalDev")), "addresses": [cidr] if cidr else [], "offloads": None}
            found.append({"name": item.get("symbolicDev"), **own})
        kernel = self.api.call("adminManager.getKernelVersion")
        known = {"platform": "untangle", "version": self.versions()[0], "hostname": network.get("hostName"), "interfaces": found}
        return linux.info_of({"kernel": str(kernel or "")}, **known)


def _placed(spec: Mapping[str, Any], wanted: Any, now: Any) -> Any:
    """The object as it has to be: what the file owns of it, put into what was read."""
    if not isinstance(wanted, dict):
        return wanted
    if spec.get("at"):
        result = copy.deepcopy(now)
        result[spec["at"]] = shapes.merged(wanted, now.get(spec["at"]))
        return result
    return shapes.merged({"javaClass": wanted.get("javaClass"), **shapes.narrowed(wanted, spec.get("keys"))}, now)
