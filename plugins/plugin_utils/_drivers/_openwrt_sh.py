# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A way back that an OpenWrt goes by itself: scripts for busybox's ash that put files and services back unless somebody confirms.

rpcd's own apply with a time to confirm is not enough: it knows changes of a session in /etc/config only (not FRR's files, no service that is switched
on or off), and its timer is gone after a restart. The folder is that of `_undo_sh`; at a restart /etc/uci-defaults runs (init script boot, before
network, firewall and dropbear start).
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ssh import writing
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._undo_sh import LOCKED, STALE, TAKEN, Folder

AT = "/etc/routerlab"
HOOK = "/etc/uci-defaults/00_routerlab"
RELOADED = ("network", "firewall")
"""Services that are told to read their file again; others are restarted."""


@dataclass(frozen=True)
class Item:
    """A file: its place, whether it was there, whether it will be, and its mode and owner when it is new."""

    path: str
    was: bool
    becomes: bool
    mode: str
    owner: str


class Steps(Folder):
    """The scripts of one deployment. ``old`` and ``new`` say which services run; ``touched`` are those whose file changes."""

    def __init__(self, token: str, items: Sequence[Item], old: Mapping[str, bool], new: Mapping[str, bool], touched: Sequence[str]) -> None:
        super().__init__(AT, HOOK, token)
        self.items, self._old, self._new, self._touched = items, old, new, touched

    def lock(self, owner: str, needed_kib: int) -> str:
        """Take the folder, keep the old files, write the way back."""
        scripts = {"undo.sh": self._undo(), "hook": self._hook(), "reload.sh": self._reload()}
        copies = [f"cp -p {_q(item.path)} {AT}/old.{index} || return 1" for index, item in enumerate(self.items) if item.was]
        return "\n".join(
            [
                "umask 077",
                "prepare() {",
                'free=$(df -k /etc | tail -n 1 | { read -r _ _ _ kib _; echo "$kib"; })',
                f'[ "$free" -ge {needed_kib} ] || {{ echo "the disk is full: $free KiB are left in /etc, {needed_kib} are needed" >&2; return 1; }}',
                f"[ ! -e {HOOK} ] || {{ echo '{HOOK} exists: an earlier deployment did not end' >&2; return {TAKEN}; }}",
                f"printf '%s\\n' {_q(owner)} >{AT}/owner || return 1",
                *copies,
                *(f"{writing(f'{AT}/{name}', text.encode())} || return 1" for name, text in scripts.items()),
                f"mkdir -p /etc/uci-defaults && cp {AT}/hook {HOOK} && : >{AT}/armed.{self.token} || return 1",
                "}",
                f"if mkdir {AT} 2>/dev/null; then",
                f'prepare || {{ rc=$?; rm -rf {AT}; [ "$rc" -eq {TAKEN} ] || rm -f {HOOK}; (exit "$rc"); }}',
                f"else cat {AT}/owner; (exit {LOCKED}); fi",
            ]
        )

    def _back(self) -> list[str]:
        """The old files, by renaming: that needs no room on a disk."""
        lines = []
        for index, item in enumerate(self.items):
            lines.append(f"[ ! -f {AT}/old.{index} ] || mv {AT}/old.{index} {_q(item.path)}" if item.was else f"rm -f {_q(item.path)}")
        return [*lines, *(_word(name, "enable" if on else "disable") for name, on in self._old.items() if on != self._new.get(name, on))]

    def _undo(self) -> str:
        services = self._running(self._old, self._new)
        lines = [
            "#!/bin/sh",
            "# routerlab: puts the old configuration back, unless somebody confirms in time.",
            f"cd {AT} || exit 0",
            'sleep "$1"',
            f"mv armed.{self.token} undoing 2>/dev/null || exit 0",
            "if [ -f swapped ]; then",
            *self._back(),
            "{",
            *services,
            ":",
            "} >/dev/null 2>&1",
            "fi",
            f"rm -f {HOOK}",
            f"cd / && rm -rf {AT}",
        ]
        return "\n".join(lines) + "\n"

    def _hook(self) -> str:
        """Sourced by the init script boot, so it must not exit."""
        lines = [
            "# routerlab: this start came before the confirmation of a deployment; the old configuration goes back.",
            f"if [ -f {AT}/swapped ] && [ ! -f {AT}/confirmed ]; then",
            *self._back(),
            ":",
            "fi",
            f"rm -rf {AT}",
        ]
        return "\n".join(lines) + "\n"

    def _reload(self) -> str:
        checks = self._checks
        lines = [
            "#!/bin/sh",
            f"cd {AT} || exit 0",
            "work() {",
            # fw4 is not on releases with fw3
            *(f"! command -v {check.split()[0]} >/dev/null || {check} || return 1" for check in checks),
            *(_word(name, "enable" if on else "disable") for name, on in self._new.items() if on != self._old.get(name)),
            *(f"{line} || return 1" for line in self._running(self._new, self._old)),
            ":",
            "}",
            "work >reload.log 2>&1 </dev/null",
            "echo $? >reload.rc.new",
            "mv reload.rc.new reload.rc",
        ]
        return "\n".join(lines) + "\n"

    _checks: Sequence[str] = ()

    def with_checks(self, checks: Sequence[str]) -> Steps:
        """Programs that must be content with the files in place before any service reads them."""
        self._checks = checks
        return self

    def _running(self, wanted: Mapping[str, bool], before: Mapping[str, bool]) -> list[str]:
        """Only what changes: services that start, that stop, and those whose file is another one. The network comes last: it may cut us off."""
        lines = []
        for name, on in sorted(wanted.items(), key=lambda item: item[0] == "network"):
            if on and not before.get(name, False):
                lines.append(_word(name, "start"))
            elif on and name in self._touched:
                lines.append(_word(name, "reload" if name in RELOADED else "restart"))
            elif not on and before.get(name, False):
                lines.append(_word(name, "stop"))
        if "sysctl" in self._touched:
            lines.insert(0, _word("sysctl", "restart"))
        return lines

    def start(self, seconds: int) -> str:
        return _background(f"{AT}/undo.sh {seconds}")

    def undo(self) -> str:
        return self.start(0)

    def candidate(self, index: int) -> str:
        return f"{AT}/new.{index}"

    def swap(self, sums: Mapping[str, str]) -> str:
        """New files into place, then the services; nothing of it when a file is no longer what it was."""
        lines = ["swap() {"]
        for item in self.items:
            still = f"\"$(sha256sum <{_q(item.path)})\" = '{sums[item.path]}  -'" if item.was else f"! -e {_q(item.path)}"
            lines.append(f"[ {still} ] || return {STALE}")
        lines.append(f": >{AT}/swapped || return 1")
        for index, item in enumerate(self.items):
            if item.becomes:
                new, folder = f"{AT}/new.{index}", item.path.rpartition("/")[0]
                lines.append(f"mkdir -p {_q(folder)} && chmod {item.mode} {new} && {_owner(item, index)} && mv {new} {_q(item.path)} || return 1")
            else:
                lines.append(f"rm -f {_q(item.path)}")
        return "\n".join([*lines, "}", f"swap && {_background(f'{AT}/reload.sh')}"])


def _owner(item: Item, index: int) -> str:
    return f"chown {_q(item.owner)} {AT}/new.{index}" if item.owner != "root:root" else ":"


def _background(command: str) -> str:
    return f"{{ (trap '' HUP; exec /bin/sh {command}) </dev/null >/dev/null 2>&1 & }}"


def _word(service: str, verb: str) -> str:
    return f"/etc/init.d/{service} {verb}"


def _q(text: str) -> str:
    return shlex.quote(text)
