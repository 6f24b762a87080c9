# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a backup of a device that is configured by files holds, and the way back to it."""

from __future__ import annotations

import base64
from typing import Any, Dict, Iterable, List, Mapping, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _files as files
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._files import FileChange, Seen
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._steps import Step


def kept(changes: Iterable[FileChange], steps: Iterable[Step]) -> Dict[str, Any]:
    """Replaced files with their contents, the names of new ones, and what ran before."""
    replaced, created = [], []
    for change in changes:
        own = {"path": change.path, "step": change.step, "instance": change.spec.get("instance"), "secret": change.secret}
        old = change.before
        if old is None:
            created.append(own)
        else:
            replaced.append({**own, "mode": old.mode, "uid": old.uid, "gid": old.gid, "link": change.link, "data": base64.b64encode(old.data).decode()})
    running = {step.name: step.was_running if step.service else step.was_in_force for step in steps}
    return {"replaced": replaced, "created": created, "running": running}


def old_files(backup: Mapping[str, Any]) -> List[FileChange]:
    """The files that are not as they were."""
    changes = []
    for item in backup["replaced"]:
        old = Seen(base64.b64decode(item["data"]), item["mode"], item["uid"], item["gid"])
        now = files.read(item["path"])
        if now != old:
            changes.append(_change(item, now, old.data, old))
    for item in backup["created"]:
        now = files.read(item["path"])
        if now is not None:
            changes.append(_change(item, now, None, now))
    return changes


def _change(item: Mapping[str, Any], now: Any, data: Any, like: Seen) -> FileChange:
    link = files.link_of(item["path"])
    return FileChange(item["path"], item["path"], item["step"], now, data, like.mode, like.uid, like.gid, item["secret"], item, link)


def restored(change: FileChange) -> bool:
    """Whether a file is as the backup has it."""
    seen = files.read(change.path)
    return seen is None if change.data is None else seen == Seen(change.data, change.mode, change.uid, change.gid)


def old_steps(manifest: Mapping[str, Any], backup: Mapping[str, Any], changes: List[FileChange], systemd: bool) -> List[Step]:
    """The steps of the platform; wanted is what ran, or had its files, before the deployment."""
    running, steps = backup["running"], []
    for spec in manifest["steps"]:
        own = [change for change in changes if change.step == spec["name"]]
        names = [name[len(spec["name"]) + 1:] for name in running if name.startswith(spec["name"] + " ")] if spec.get("each") else [None]
        for instance in names:
            step = Step(spec, _wanted(spec, instance, backup), instance, systemd, [])
            step.changes = [change for change in own if instance is None or change.spec.get("instance") == instance]
            steps.append(step)
    return steps


def _wanted(spec: Mapping[str, Any], instance: Optional[str], backup: Mapping[str, Any]) -> bool:
    """A daemon that ran; a command whose file was there (what was in force by then is told apart by nothing else)."""
    ran = bool(backup["running"].get("%s %s" % (spec["name"], instance) if instance else spec["name"]))
    if "service" in spec:
        return ran
    kinds = [kind for kind in ("replaced", "created") for item in backup[kind] if item["step"] == spec["name"] and item["instance"] == instance]
    return "replaced" in kinds or (ran and not kinds)
