# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``librouteros``: RouterOS 6 and 7, item by item over its API, with or without TLS.

RouterOS has no candidate configuration: each command is in force, and kept, at once. So the device makes a backup of itself
first and a timer that loads it. `confirm` comes over a new connection, after everything was read again, and takes the timer away.
"""

from __future__ import annotations

import json
import time
from typing import Any, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation, from_json, parse_script
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _routeros_delta as deltas
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _routeros_undo as undos
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, DeviceDriver, LostContact, NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_api import PORT_PLAIN, PORT_TLS, Api, NoAnswer, Refused, with_tls
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_defaults import Path
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_info import (
    access_of,
    client_of,
    info_of,
    licence_note,
    missing_policies,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_items import (
    Item,
    Menus,
    by_the_router,
    items_of,
    standing_of,
    wanted_items,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_schema import schema

BACKUP = "menus.json"
TO_CHANGE = ("read", "write", "policy", "test", "password", "sensitive", "reboot", "ftp")
NO_MENU = ("no such command", "no such menu")
ALWAYS_READ: list[Path] = [("ip", "address"), ("ip", "route"), ("ip", "service"), ("interface", "ethernet"), ("interface", "bridge", "port")]


class Work:
    """What a plan was made from and where it leads."""

    def __init__(self, before: Menus, wanted: Sequence[Item], owned: Sequence[Path], major: str) -> None:
        self.before, self.wanted, self.owned, self.major = before, wanted, owned, major
        self.steps = deltas.steps(before, wanted, owned, major)

    def left(self, now: Menus) -> list[deltas.Step]:
        return deltas.steps(now, self.wanted, self.owned, self.major)

    def is_before(self, now: Menus) -> bool:
        return standing_of(now, self.major) == standing_of(self.before, self.major)


class Driver(DeviceDriver):
    """RouterOS 6.45 to 6.49 and 7."""

    needs = {"librouteros": "librouteros"}
    port = PORT_TLS

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self.port = PORT_TLS if with_tls(device) else PORT_PLAIN
        self.major = str(bundle["manifest"]["dialect"]).split(".", maxsplit=1)[0]
        self._api: Api | None = None
        self._undo: undos.Undo | None = None
        self._at_work = False
        self._hidden: set[tuple[Path, str]] = set()
        self._secrets: set[str] = set()

    @property
    def api(self) -> Api:
        if self._api is None:
            raise LostContact("there is no connection.")
        return self._api

    def connect(self) -> None:
        self.disconnect()
        self._api = Api(self.device)

    def disconnect(self) -> None:
        if self._api is not None:
            self._api.close()
            self._api = None

    def versions(self) -> list[str]:
        row = (self.api.rows("/system/resource") or [{}])[0]
        return [row["version"].split()[0]] if row.get("version") else []

    def _read(self, paths: Sequence[Path]) -> Menus:
        """What people put into menus. A menu that this device does not have (a package that is off, say) is empty."""
        found: Menus = {}
        for path in dict.fromkeys(paths):
            try:
                rows = self.api.rows("/" + "/".join(path), self.patience(600))
            except Refused as error:
                if not any(mark in error.words for mark in NO_MENU):
                    raise
                self.note(f"The device has no menu /{' '.join(path)} ({error.words}).")
                rows = []
            found[path] = [row for row in rows if not by_the_router(row)]
        return found

    def plan(self) -> Plan:
        manifest, texts = self.bundle["manifest"], self.bundle["texts"]
        operations: list[Operation] = []
        for item in manifest["artifacts"]:
            if item.get("put") == "operations":
                operations += from_json(texts[item["name"]])
            elif item.get("secret") and item.get("put") == "script":
                self._hide(parse_script(texts[item["name"]]))
        owned = [tuple(name.split()) for name in manifest["owned"]]
        wanted = wanted_items(operations, self.major)
        if self.major == "6" and deltas.INSTANCE in owned and not any(item.path == deltas.INSTANCE for item in wanted):
            wanted.append(Item(deltas.INSTANCE, "set", {"default": "yes"}))  # it is always there: without OSPF it has nothing of ours
        return self._plan(wanted, [path for path in owned if (path, "add") in schema(self.major)], "rendered")

    def _hide(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            for name, value in operation.values.items():
                if value and deltas.is_secret(operation.path, name, ()):
                    self._hidden.add((operation.path, name))
                    self._secrets.add(value)

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        kept: Menus = {tuple(name.split()): rows for name, rows in json.loads(files[BACKUP])["menus"].items()}
        return self._plan(items_of(kept, self.major), list(kept), "in the backup")

    def _plan(self, wanted: Sequence[Item], owned: Sequence[Path], target: str) -> Plan:
        if self._hidden:
            self._require(("sensitive",), "Without it the device does not show the secrets that are to be compared.")
        now = self._read([*(item.path for item in wanted), *owned, *ALWAYS_READ])
        self._learn(now)
        note = licence_note(self.api)
        if note:
            self.note(note)
        work = Work(now, wanted, owned, self.major)
        summary = deltas.lines(work.steps, self._hidden)
        diff = deltas.diff(work.steps, self.device.name, target, self.major, self._hidden)
        return Plan(bool(work.steps), summary, [{"prepared": diff}] if work.steps else [], work)

    def _require(self, policies: Sequence[str], why: str) -> None:
        missing = missing_policies(self.api, self.device.user, policies)
        if missing:
            raise NothingChanged(f"the group of user {self.device.user!r} lacks the policies {', '.join(missing)}. {why} Nothing was changed.")

    def _learn(self, menus: Menus) -> None:
        """Secrets that the device has."""
        for path, rows in menus.items():
            for row in rows:
                self._secrets |= {value for name, value in row.items() if value and deltas.is_secret(path, name, self._hidden)}

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        work: Work = plan.work
        before, after = access_of(work.before, []), access_of(work.before, work.steps)
        client, server = client_of(self.api, self.device.user, before)
        return Session(client, server, self.device.port or self.port), before, after

    def snapshot(self) -> dict[str, bytes]:
        paths = sorted({path for path, _verb in schema(self.major)})
        menus = {" ".join(path): rows for path, rows in self._read(paths).items()}
        return {BACKUP: (json.dumps({"routeros": self.major, "menus": menus}, indent=1, ensure_ascii=False) + "\n").encode()}

    def secrets(self) -> set[str]:
        return self._secrets

    def apply(self, plan: Plan) -> dict[str, Any]:
        work: Work = plan.work
        minutes = int(self.device.number("router_confirm_minutes", 5)) or 1
        self._require(TO_CHANGE, "The device could not lead itself back.")
        undos.refuse_pending(self.api)
        undos.require_space(self.api)
        self._undo = undos.set_up(self.api, minutes)
        try:
            self._refuse_stale(work)
        except (NothingChanged, Refused):
            self._clear()
            raise
        for number, step in enumerate(work.steps, 1):
            self._do(step, number, len(work.steps))
        return {"commands": len(work.steps), "confirm_minutes": minutes}

    def _refuse_stale(self, work: Work) -> None:
        now = self._read(list(work.before))
        if work.is_before(now):
            return
        back = deltas.diff(deltas.steps(work.before, items_of(now, self.major), list(now), self.major), self.device.name, "now", self.major, self._hidden)
        raise NothingChanged(f"Somebody else changed the configuration since it was read:\n{back}Run again. Nothing was changed.")

    def _do(self, step: deltas.Step, number: int, count: int) -> None:
        try:
            answer = self.api.run(step.command(), step.words(self.major))
        except Refused as error:
            line = step.typed(self._hidden)
            raise DriverError(f"line {number} of {count}, `{line}`, was refused:\n{error.words}", line=number, command=line) from None
        except NoAnswer:
            self._at_work = True
            raise
        if step.verb == "add" and not any("ret" in row for row in answer):
            raise DriverError(f"line {number} of {count}, `{step.typed(self._hidden)}`, was answered without the new item's id.")

    def standing(self, plan: Plan) -> str:
        work: Work = plan.work
        now = self._read(list(work.before))
        if not work.left(now):
            return NEW
        return OLD if work.is_before(now) else BETWEEN

    def confirm(self, plan: Plan) -> None:
        self._clear()
        self._note_areas(plan.work)

    def _note_areas(self, work: Work) -> None:
        """Areas of OSPF that no interface of the router is in: RouterOS takes them without a word."""
        areas = [item.values["name"] for item in work.wanted if item.path == ("routing", "ospf", "area")]
        if not areas or self.major == "6":
            return
        used = {row.get("area") for row in self.api.rows("/routing/ospf/interface")}
        for area in areas:
            if area not in used:
                self.note(f"OSPF area {area} has no interface on the device (/routing ospf interface print).")

    def _clear(self) -> None:
        if self._undo is not None:
            undos.clear(self.api, self._undo)
            self._undo = None

    def revert(self, plan: Plan) -> None:
        """Lead back item by item; where the device refuses that, or is still at work on a command, it loads its backup and restarts."""
        if self._at_work:
            self._at_work = False
            self._load_backup("the device may still be at work on the last command")
        work: Work = plan.work
        now = self._read(list(work.before))
        back = deltas.steps(now, items_of(work.before, self.major), list(work.before), self.major)
        try:
            for number, step in enumerate(back, 1):
                self._do(step, number, len(back))
        except LostContact:
            raise
        except DriverError as error:
            if self._undo is None:
                raise
            self._load_backup(str(error))
        self._clear()

    def _load_backup(self, why: str) -> None:
        if self._undo is not None:
            self.note(f"The device loaded its own backup and restarted: {why}")
            undos.load_now(self.api, self._undo)
            raise LostContact(f"The device loads its backup and restarts ({why}).")

    def by_itself(self) -> str:
        if self._undo is None or time.time() > self._undo.deadline + 600:
            return ""
        return f"Nobody confirms, so the device loads its backup {self._undo.backup} by itself at about {self._undo.when()}, and restarts."

    def info(self) -> dict[str, Any]:
        return info_of(self.api, self.bundle["manifest"])
