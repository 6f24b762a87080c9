# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Driver ``ssh``: a device that is configured by files and daemons, with the module running on it.

Read, plan a diff; then check every candidate, undo what is no longer wanted, put the files
in place, bring them into force, read again. When any of this fails the old files are put
back and brought into force.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _files as files
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._checks import check_candidate, require_claims, require_programs
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._command import Done, run
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import Driver, DriverError, Plan
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._files import FileChange
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._restore import kept, old_files, old_steps, restored
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._services import has_systemd
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._steps import Step, all_actions, make_steps

LOCK = "/run/routerlab-deploy.lock"
UNITS = "/etc/systemd/system/"


class Work(NamedTuple):
    """What a plan holds: file changes, all steps, what each of these has to do, and whether all this leads back to a backup."""

    changes: List[FileChange]
    steps: List[Step]
    actions: List[Tuple[Step, str]]
    back: bool = False


class StepFailed(Exception):
    """A command that had to succeed and did not."""

    def __init__(self, step: str, done: Done) -> None:
        super().__init__(step)
        self.step = step
        self.done = done


class SshDriver(Driver):
    """Debian, Ubuntu, and what else is configured by files."""

    def plan(self) -> Plan:
        if os.geteuid() != 0:
            raise DriverError("A router is configured as root; set ansible_become: true for this host.")
        manifest, texts = self.bundle["manifest"], self.bundle["texts"]
        wanted = {item["step"] for item in manifest["artifacts"] if item.get("step")}
        require_programs(step for step in manifest["steps"] if step["name"] in wanted)
        changes = []
        for item in manifest["artifacts"]:
            require_claims(item, texts[item["name"]])
            change = files.wanted_change(item, texts[item["name"]])
            changes += [change] if change else []
        changes += files.removals(manifest["absent"], {item["path"] for item in manifest["artifacts"]})
        return self._plan(changes, make_steps(manifest, changes, has_systemd()))

    def plan_restore(self) -> Plan:
        """What leads back to a backup: files as they were, and the daemons that ran."""
        changes = old_files(self.bundle["restore"])
        return self._plan(changes, old_steps(self.bundle["manifest"], self.bundle["restore"], changes, has_systemd()), back=True)

    def _plan(self, changes: List[FileChange], steps: List[Step], back: bool = False) -> Plan:
        actions = all_actions(steps)
        summary = [_file_words(change) for change in changes] + ["%s: %s" % (step.name, action) for step, action in actions]
        shown = [files.diff(change) for change in changes]
        loose = ["%s: %s (nothing but its state differs)\n" % (step.name, action) for step, action in actions if not step.changes]
        shown += [{"prepared": "".join(loose)}] if loose else []
        return Plan(bool(changes or actions), summary, shown, Work(changes, steps, actions, back))

    def apply(self, plan: Plan) -> Dict[str, Any]:
        with _alone():
            self._check(plan.work.changes)
            stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
            backup = files.back_up(plan.work.changes, stamp)
            timings = self._carry_out(plan.work)
        return {"backup": backup, "steps": timings, "kept": kept(plan.work.changes, plan.work.steps), "stamp": stamp}

    def _check(self, changes: List[FileChange]) -> None:
        """Every candidate is looked at; one that is refused stops the deployment before it has begun."""
        interfaces = [name for name in self.bundle["manifest"]["interfaces"] if name]
        try:
            refused = []
            for change in changes:
                if change.data is not None:
                    words = check_candidate(change, files.stage(change), interfaces)
                    refused += [words] if words else []
            if refused:
                raise DriverError("\n".join([*refused, "Nothing was changed."]))
        except OSError as error:
            files.discard(changes)
            raise DriverError("%s: %s. Nothing was changed." % (error.filename or "the device", error.strerror)) from error
        except DriverError:
            files.discard(changes)
            raise

    def _carry_out(self, work: Work) -> List[Dict[str, Any]]:
        """The one place where the device changes; a failure in here leads back to the old state."""
        timings: List[Dict[str, Any]] = []
        try:
            for step, action in reversed(work.actions):
                if action in ("undo", "stop"):
                    _do(step, action, timings)
            for step, _action in work.actions:
                _good(step, step.before())
            for change in work.changes:
                files.put(change)
            self._units(work.changes)
            for step, action in work.actions:
                if action not in ("undo", "stop"):
                    _do(step, action, timings)
            self._look_again(work)
        except (StepFailed, OSError) as error:
            raise self._go_back(work, error) from error
        finally:
            files.discard(work.changes)
        return timings

    def _units(self, changes: List[FileChange]) -> None:
        if has_systemd() and any(change.path.startswith(UNITS) for change in changes):
            done = run("systemctl daemon-reload")
            if not done.good:
                raise StepFailed("systemd", done)

    def _look_again(self, work: Work) -> None:
        """Read again: every file as planned, every daemon up, every step in force."""
        manifest, texts = self.bundle["manifest"], self.bundle["texts"]
        if work.back:
            wrong = [change.path for change in work.changes if not restored(change)]
        else:
            wrong = [item["path"] for item in manifest["artifacts"] if files.wanted_change(item, texts[item["name"]])]
            wrong += [change.path for change in files.removals(manifest["absent"], {item["path"] for item in manifest["artifacts"]})]
        wrong += [step.name for step in work.steps if step.wanted and not step.in_force()]
        if wrong:
            raise StepFailed("reading again", Done("compare", 1, "not as deployed: %s" % ", ".join(wrong)))

    def _go_back(self, work: Work, error: Exception) -> DriverError:
        """Old files, old state; what cannot be restored is said as well."""
        troubles: List[str] = []
        for step, _action in reversed(work.actions):
            _listen(step, step.retreat(), troubles)
        for change in reversed(work.changes):
            try:
                files.put_back(change)
            except OSError as trouble:
                troubles.append("%s: %s" % (change.path, trouble.strerror))
        self._quietly(lambda: self._units(work.changes), troubles)
        for step, _action in work.actions:
            _listen(step, step.back(), troubles)
        done = error.done if isinstance(error, StepFailed) else Done("write", None, str(error))
        name = error.step if isinstance(error, StepFailed) else "files"
        after = "The old configuration is back in force." if not troubles else "Going back was not complete: %s" % "; ".join(troubles)
        message = "Step %s failed: %s (rc %s):\n%s\n%s" % (name, done.command, done.rc, done.words(), after)
        return DriverError(message, step=name, command=done.command, rc=done.rc, output=done.out, rolled_back=not troubles)

    def _quietly(self, work: Any, troubles: List[str]) -> None:
        try:
            work()
        except StepFailed as error:
            troubles.append("%s: %s" % (error.step, error.done.words()))


def _file_words(change: FileChange) -> str:
    verb = "remove" if change.data is None else "create" if change.before is None else "change"
    return "%s: %s" % (change.path, verb)


def _do(step: Step, action: str, timings: List[Dict[str, Any]]) -> None:
    begin = time.monotonic()
    _good(step, step.do(action))
    timings.append({"step": step.name, "action": action, "seconds": round(time.monotonic() - begin, 3)})


def _listen(step: Step, done: Optional[Done], troubles: List[str]) -> None:
    if done is not None and not done.good:
        troubles.append("%s: %s: %s" % (step.name, done.command, done.words()))


def _good(step: Step, done: Optional[Done]) -> None:
    if done is not None and not done.good:
        raise StepFailed(step.name, done)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Two deployments of one device do not run at once."""
    with open(LOCK, "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DriverError("Another deployment is running on this device; nothing was changed.") from None
        yield
