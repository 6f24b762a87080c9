# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Steps: how changed files come into force on a device that is configured by files.

A step either runs a command (``run``, with ``probe`` to see whether it is in force and
``undo`` to take it back) or keeps a daemon (``service``). platform.yml describes them.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._command import Done, run
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._files import FileChange
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._services import Service


class Step:
    """One step of one device: what it is, whether it is wanted, and what it was before."""

    def __init__(self, spec: Mapping[str, Any], wanted: bool, instance: Optional[str], systemd: bool, links: List[Dict[str, Any]]) -> None:
        self.spec = json.loads(json.dumps(spec).replace("{instance}", instance)) if instance else dict(spec)
        self.name = "%s %s" % (spec["name"], instance) if instance else str(spec["name"])
        self.wanted = wanted
        self.systemd = systemd
        self.links = links if spec.get("links") else []
        self.service = Service(self.spec["service"], systemd) if "service" in self.spec else None
        self.changes: List[FileChange] = []
        self.was_running = self.service.running() if self.service else False
        self.was_in_force = self.in_force()

    def in_force(self) -> bool:
        """Whether the device does what this step is for; a step without a probe is believed."""
        if self.service:
            return self.service.in_force() or not self.service.manageable
        if self.wanted and self.links and wrong_links(self.links):
            return False
        if "probe" in self.spec and not run(self.spec["probe"]).good:
            return False
        return not (self.systemd and "boot" in self.spec) or run("systemctl is-enabled --quiet %s" % self.spec["boot"]).good

    def action(self) -> Optional[str]:
        """What has to be done, in one word; None when nothing has."""
        if self.service:
            return self._service_action(self.service)
        if self.wanted:
            return "run" if self.changes or not self.was_in_force else None
        undo = "undo" in self.spec and run(self.spec["probe"]).good
        return "undo" if undo or (self.systemd and "boot" in self.spec and self.was_in_force) else None

    def _service_action(self, service: Service) -> Optional[str]:
        if not self.wanted:
            return self._farewell(service)
        if not service.manageable:
            return None
        if not self.was_running:
            return "start"
        if not self.changes:
            return None if self.was_in_force else "enable"
        return "restart" if any(change.spec.get("restart") for change in self.changes) else "reload"

    def _farewell(self, service: Service) -> Optional[str]:
        """What becomes of a daemon that is not wanted. One that serves others too is touched only when a file of ours goes."""
        if service.spec.get("keep") or not service.manageable or not service.present():
            return None
        if not service.spec.get("others"):
            return "stop"
        return ("reload" if "reload" in service.spec else "stop") if self.changes else None

    def do(self, action: str) -> Done:
        """Carry an action out. What is run is wanted at boot as well, what is undone is not."""
        if self.service:
            done = getattr(self.service, action)()
            return self.service.enable() if done.good and self.wanted and not self.service.enabled() else done
        done = run(self.spec[action])
        if done.good and self.systemd and "boot" in self.spec:
            return run("systemctl %s %s" % ("enable --quiet" if action == "run" else "disable --quiet", self.spec["boot"]))
        return done

    def before(self) -> Optional[Done]:
        """What has to be done while the old files are still there."""
        replaced = any(change.before is not None for change in self.changes)
        return run(self.spec["before"]) if self.wanted and replaced and "before" in self.spec else None

    def retreat(self) -> Optional[Done]:
        """On the way back, while the new files are still there: take back what they have done."""
        if self.service or not self.wanted:
            return None
        if "before" in self.spec:
            return run(self.spec["before"])
        return self.do("undo") if "undo" in self.spec and not self.was_in_force and run(self.spec["probe"]).good else None

    def back(self) -> Optional[Done]:
        """After the old files are back: the device does again what it did before."""
        if self.service is None:
            return self.do("run") if "run" in self.spec and (self.was_in_force or "undo" not in self.spec) else None
        if not self.was_running:
            return self.service.stop() if self.service.running() else None
        if not self.service.running():
            return self.service.start()
        done = self.service.reload()
        return done if done.good else self.service.restart()


def all_actions(steps: Iterable[Step]) -> List[Tuple[Step, str]]:
    """What each step has to do, in order. A daemon with sockets on devices opens them again when these were touched: they may be others now."""
    found: List[Tuple[Step, str]] = []
    touched = False
    for step in steps:
        action = step.action()
        touched = touched or bool(step.spec.get("links") and action)
        if action is None and touched and step.wanted and step.service and step.service.spec.get("on_links") and step.service.manageable:
            action = "reload"
        if action:
            found.append((step, action))
    return found


def wrong_links(links: Iterable[Mapping[str, Any]]) -> List[str]:
    """Devices that are missing or down, or whose addresses or MTU are not as they have to be."""
    done = run("ip -json -4 address show")
    seen = {item["ifname"]: item for item in json.loads(done.out or "[]")} if done.good else {}
    wrong = []
    for link in links:
        device = seen.get(link["name"])
        if device is None or "UP" not in device["flags"] or link["mtu"] not in (None, device["mtu"]):
            wrong.append(link["name"])
            continue
        own = sorted("%s/%d" % (item["local"], item["prefixlen"]) for item in device["addr_info"] if item.get("scope") == "global")
        if link["addresses"] is not None and own != sorted(link["addresses"]):
            wrong.append(link["name"])
    return wrong


def make_steps(manifest: Mapping[str, Any], changes: Iterable[FileChange], systemd: bool) -> List[Step]:
    """Every step of the platform, in order; one for each instance where a step has several."""
    steps: List[Step] = []
    wanted: Dict[str, List[Optional[str]]] = {}
    for item in manifest["artifacts"]:
        if item.get("step"):
            wanted.setdefault(item["step"], [])
            if item.get("instance") not in wanted[item["step"]]:
                wanted[item["step"]].append(item.get("instance"))
    for spec in manifest["steps"]:
        own = [change for change in changes if change.step == spec["name"]]
        if not spec.get("each"):
            steps.append(_step(spec, spec["name"] in wanted, None, own, systemd, manifest["links"]))
            continue
        gone = sorted({_instance(change) for change in own} - {str(name) for name in wanted.get(spec["name"], [])})
        for instance in [*wanted.get(spec["name"], []), *gone]:
            mine = [change for change in own if _instance(change) == instance]
            steps.append(_step(spec, instance in wanted.get(spec["name"], []), instance, mine, systemd, []))
    return steps


def _step(
    spec: Mapping[str, Any], wanted: bool, instance: Optional[str], changes: List[FileChange], systemd: bool, links: List[Dict[str, Any]]
) -> Step:
    step = Step(spec, wanted, instance, systemd, links)
    step.changes = changes
    return step


def _instance(change: FileChange) -> str:
    """The instance that a file belongs to; of a file that goes, what stands for the star in its pattern."""
    if change.data is not None:
        return str(change.spec["instance"])
    pattern = re.escape(change.spec["path"]).replace(r"\*", "(.+)")
    match = re.fullmatch(pattern, change.path)
    return match.group(1) if match else change.path
