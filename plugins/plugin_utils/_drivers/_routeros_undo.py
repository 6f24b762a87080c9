# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The way back that a RouterOS device goes by itself: its own backup, and two items of its scheduler that load it.

One loads it when nobody confirmed in time, one when the device restarts before that. The backup is made before the items, so the
configuration that it brings back has none of them. The name of the first item can be there once only: it is the lock, too.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from dataclasses import dataclass

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import NothingChanged
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_api import Api, Refused

TIMER = "routerlab-undo"
AT_START = "routerlab-undo-at-start"
POLICY = "ftp,reboot,read,write,policy,test,password,sensitive"
SPARE = 1 << 20


@dataclass
class Undo:
    """A way back that is set up."""

    backup: str
    deadline: float

    def when(self) -> str:
        return time.strftime("%H:%M:%S UTC", time.gmtime(self.deadline))


def refuse_pending(api: Api) -> None:
    """Somebody else's deployment that waits to be confirmed."""
    for row in api.rows("/system/scheduler"):
        if row.get("name") in (TIMER, AT_START):
            by = f"{row.get('owner', 'somebody')}, since {row.get('start-date', '')} {row.get('start-time', '')}".strip()
            how = f"If nobody is at work there: /system scheduler remove [ find name~\"^{TIMER}\" ]"
            raise NothingChanged(f"locked by another deployment: the scheduler holds {row['name']} of {by}. {how}. Nothing was changed.")


def require_space(api: Api) -> None:
    free = (api.rows("/system/resource") or [{}])[0].get("free-hdd-space", "")
    if free.isdigit() and int(free) < SPARE:
        raise NothingChanged(f"the device's disk is full: {int(free) >> 10} KiB are left, {SPARE >> 10} are needed for a backup. Nothing was changed.")


def set_up(api: Api, minutes: int) -> Undo:
    """Make the backup, then the items. Leaves nothing behind when it fails."""
    undo = Undo(f"routerlab-{secrets.token_hex(4)}", time.time() + 60 * minutes)
    try:
        api.run("/system/backup/save", {"name": undo.backup, "dont-encrypt": "yes"}, 120)
        if not any(_is_whole(row, undo.backup) for row in api.rows("/file")):
            raise DriverError(f"the device made no whole backup {undo.backup}.backup; is its disk full?")
        load = f'/system backup load name={undo.backup} password=""'
        api.run("/system/scheduler/add", {"name": TIMER, "interval": f"{minutes}m", "on-event": load, "policy": POLICY})
        api.run("/system/scheduler/add", {"name": AT_START, "start-time": "startup", "on-event": load, "policy": POLICY})
    except Refused as error:
        with contextlib.suppress(DriverError):
            clear(api, undo)
        raise NothingChanged(f"no way back could be set up on the device: {error} Nothing was changed.") from error
    except DriverError as error:
        with contextlib.suppress(DriverError):
            clear(api, undo)
        raise NothingChanged(f"{error} Nothing was changed.") from error
    return undo


def _is_whole(row: dict[str, str], name: str) -> bool:
    return row.get("name", "").endswith(f"{name}.backup") and row.get("size", "1") not in ("", "0")


def clear(api: Api, undo: Undo) -> None:
    """Take the items away that load this backup, then the backup."""
    for row in api.rows("/system/scheduler"):
        if row.get("name") in (TIMER, AT_START) and undo.backup in row.get("on-event", ""):
            api.run("/system/scheduler/remove", {".id": row[".id"]})
    for row in api.rows("/file"):
        if row.get("name", "").endswith(f"{undo.backup}.backup"):
            api.run("/file/remove", {".id": row[".id"]})


def load_now(api: Api, undo: Undo) -> None:
    """Load the backup: the device restarts."""
    api.run("/system/backup/load", {"name": undo.backup, "password": ""})
