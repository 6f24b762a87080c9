# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``openwrt``: whole files and init scripts, over SSH to dropbear: no SFTP, no Python, busybox's shell.

Files are compared by what they say, because `uci commit` writes them in a form of its own; only those that say something else are replaced, and
only their services are reloaded. The way back is this project's own (`_openwrt_sh` says why).
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets as randomness
import shlex
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Bundle, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _openwrt_files as uci
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, LostContact
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._openwrt_info import info_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._openwrt_sh import AT, Item, Steps
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._undo_driver import UndoDriver
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._undo_sh import STALE

INDEX = "state.json"
SYSUPGRADE = "sysupgrade.tar.gz"
SPARE_KIB = 256


@dataclass(frozen=True)
class Change:
    """Files that change, before and after (None: not there), and which services run; whether the rendered sense or a backup's bytes are meant."""

    before: dict[str, bytes | None]
    after: dict[str, bytes | None]
    services_before: dict[str, bool]
    services_after: dict[str, bool]
    every: dict[str, bytes | None]
    """All files as they will be, also those that stay."""


class Driver(UndoDriver):
    """OpenWrt 19.07 and later."""

    def __init__(self, bundle: Bundle, options: dict[str, Any], device: Device) -> None:
        super().__init__(bundle, options, device)
        self._files, self._facts, self._services = uci.rendered(bundle["manifest"], bundle["texts"])
        self._token = randomness.token_hex(8)
        self._way = Steps(self._token, [], {}, {}, [])

    def versions(self) -> list[str]:
        text = self.ssh.ask("cat /etc/openwrt_release").decode("latin-1")
        found = re.search(r"^DISTRIB_RELEASE='?([^'\n]+)", text, re.MULTILINE)
        return [found[1]] if found else []

    def _read(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Files in one go; None for those that are not there."""
        words = " ".join(map(shlex.quote, paths))
        each = 'if [ -f "$f" ]; then echo "$(wc -c <"$f") $f"; cat "$f"; else echo "- $f"; fi'
        out = self.ssh.ask(f"for f in {words}; do {each}; done", after="the reading of files")
        found: dict[str, bytes | None] = {}
        while out:
            head, _end, out = out.partition(b"\n")
            size, _blank, path = head.decode().strip().partition(" ")
            found[path] = None if size == "-" else out[: int(size)]
            out = out if size == "-" else out[int(size) :]
        self._secrets |= uci.secret_values(found)
        return found

    def _states(self, names: Iterable[str]) -> dict[str, bool]:
        """Services that are enabled; those that are not installed are not in it."""
        each = '[ -x /etc/init.d/$s ] || continue; if /etc/init.d/$s enabled </dev/null; then echo "$s on"; else echo "$s off"; fi'
        out = self.ssh.ask(f"for s in {' '.join(names)}; do {each}; done; :", after="the question for services")
        return uci.services_of(out.decode("latin-1"))

    def _stale(self) -> list[str]:
        """Files of ours that nobody renders any more."""
        globs = [item["path"] for item in self.bundle["manifest"].get("absent") or []]
        if not globs:
            return []
        each = f'[ ! -f "$f" ] || grep -l "{uci.MARK.decode()}" "$f"'
        out = self.ssh.ask(f"for f in {' '.join(globs)}; do {each}; done; :", after="the search for old files")
        return [path for path in out.decode().split() if path not in self._files]

    def plan(self) -> Plan:
        self._secrets |= uci.secret_values(self._files)
        stale = self._stale()
        now = self._read([*self._files, *stale])
        wanted: dict[str, bytes | None] = dict.fromkeys(stale)
        for path, data in self._files.items():
            wanted[path] = uci.kept(now[path], data, self._facts[path].get("keep") or [])
        return self._plan(now, wanted, self._services, uci.same, "rendered")

    def plan_restore(self, files: Mapping[str, bytes]) -> Plan:
        state = json.loads(files[INDEX])
        wanted: dict[str, bytes | None] = {path: files.get(path.lstrip("/")) for path in state["files"]}
        return self._plan(self._read(wanted), wanted, state["services"], lambda _path, old, new: old == new, "in the backup")

    def _plan(self, now: Mapping[str, bytes | None], wanted: Mapping[str, bytes | None], services: Mapping[str, bool], same: Any, target: str) -> Plan:
        states = self._states(services)
        missing = sorted(name for name, on in services.items() if on and name not in states)
        if missing:
            raise DriverError(f"{', '.join(missing)}: the device has no such service; install its package first. Nothing was changed.")
        paths = [path for path in wanted if not same(path, now[path], wanted[path])]
        turned = {name: services[name] for name in states if services[name] != states[name]}
        summary = [f"service {name}: {'off → on' if on else 'on → off'}" for name, on in turned.items()]
        diffs = []
        for path in paths:
            lines = uci.changes(path, now[path], wanted[path], bool(self._facts.get(path, {}).get("secret")))
            summary += lines
            diffs.append({"prepared": f"--- {self.device.name} {path}\n+++ {target}\n" + "".join(line + "\n" for line in lines)})
        change = Change({p: now[p] for p in paths}, {p: wanted[p] for p in paths}, states, {**states, **turned}, {**now, **wanted})
        return Plan(bool(paths or turned), summary, diffs, change)

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        before = {**plan.work.every, **plan.work.before}
        return self._session(), uci.access_of(before), uci.access_of(plan.work.every)

    def snapshot(self) -> dict[str, bytes]:
        """All files of ours as they are, what was not there, which services run; beside it what sysupgrade would keep."""
        now = self._read([*self._files, *self._stale()])
        state = {"files": list(now), "services": self._states(self._services)}
        whole = self.ssh.ask("sysupgrade -b - 2>/dev/null", 120, "sysupgrade -b")
        files = {path: data for path, data in now.items() if data is not None}
        return {**files, INDEX: json.dumps(state, indent=1).encode(), SYSUPGRADE: whole}

    def apply(self, plan: Plan) -> dict[str, Any]:
        change: Change = plan.work
        self._way = self._steps(change)
        size = sum(len(data or b"") for files in (change.before, change.after) for data in files.values())
        self._lock(SPARE_KIB + 2 * size // 1024)
        try:
            self._start_timer(self._seconds())
            self._upload(change)
            self._swap(change)
        except LostContact:
            raise
        except DriverError as error:
            raise self._give_up(error) from error
        self._wait(plan)
        return {"files": len(change.after), "confirm_seconds": self._seconds()}

    def _steps(self, change: Change) -> Steps:
        items = []
        for path, data in change.after.items():
            facts = self._facts.get(path, {})
            owner = f"{facts.get('owner') or 'root'}:{facts.get('group') or 'root'}"
            items.append(Item(path, change.before[path] is not None, data is not None, str(facts.get("mode") or "0644"), owner))
        manifest = self.bundle["manifest"]
        known = {item["path"]: item.get("service") for item in [*manifest["artifacts"], *(manifest.get("absent") or [])] if item.get("path")}
        touched = sorted({str(known[item.path]) for item in items if known.get(item.path)})
        checks = [str(self._facts[path]["check"]) for path in change.after if path in self._facts and self._facts[path].get("check")]
        live = [check for check in checks if "{file}" not in check and change.services_after.get("firewall", False)]
        return Steps(self._token, items, change.services_before, change.services_after, touched).with_checks(live)

    def _upload(self, change: Change) -> None:
        for index, item in enumerate(self._way.items):
            data = change.after[item.path]
            if data is None:
                continue
            place = self._way.candidate(index)
            self.ssh.put(place, data, "sha256sum", self.patience(len(data) // 1000, 1.0))
            check = str(self._facts.get(item.path, {}).get("check") or "")
            if item.path.startswith(uci.UCI):
                name = item.path[len(uci.UCI) :]
                check = f"mkdir -p {AT}/check && cp {place} {AT}/check/{name} && uci -c {AT}/check show {name} >/dev/null"
            elif "{file}" in check:
                check = f"! command -v {check.split()[0]} >/dev/null || {check.format(file=place)}"
            else:
                continue
            answer = self.ssh.run(f"{check} </dev/null", 60, f"the check of {item.path}")
            if answer.rc != 0:
                raise DriverError(f"the device does not take {item.path}: {answer.words()}.")

    def _swap(self, change: Change) -> None:
        sums = {path: hashlib.sha256(data).hexdigest() for path, data in change.before.items() if data is not None}
        answer = self.ssh.run(self._way.swap(sums), after="the change of files")
        if answer.rc == STALE:
            now = self._read(change.before)
            lines = [line for path, old in change.before.items() if old != now[path] for line in uci.changes(path, old, now[path], False)]
            raise DriverError("Somebody else changed the configuration since it was read:\n" + "\n".join(lines) + "\nRun again.")
        if answer.rc != 0:
            raise DriverError(f"{answer.words()}.")

    def _lines(self, plan: Plan) -> int:
        return len(plan.summary)

    def _compare(self, plan: Plan) -> str:
        change: Change = plan.work
        now, states = self._read(change.after), self._states(change.services_after)
        for word, files, services in ((OLD, change.before, change.services_before), (NEW, change.after, change.services_after)):
            if states == services and all(uci.same(path, now[path], data) for path, data in files.items()):
                return word
        return BETWEEN

    def info(self) -> dict[str, Any]:
        return info_of(self.ssh, self.bundle["manifest"], self.versions())
