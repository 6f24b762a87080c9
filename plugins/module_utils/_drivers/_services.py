# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Daemons of the target: by systemd where it runs, else by their own programs."""

from __future__ import annotations

import os
import signal
import time
from typing import Any, Mapping, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._command import Done, alive, run, spawn

PATIENCE = 15.0
"""Seconds that a daemon gets to start or to stop."""


def has_systemd() -> bool:
    """Whether systemd manages this machine (or node)."""
    return os.path.isdir("/run/systemd/system")


class Service:
    """One daemon, described by the ``service`` of a step."""

    def __init__(self, spec: Mapping[str, Any], systemd: bool) -> None:
        self.spec = spec
        self.systemd = systemd
        self.unit = spec["unit"]

    @property
    def manageable(self) -> bool:
        """A unit that exists with systemd only is left alone without it."""
        return self.systemd or "start" in self.spec

    def pid(self) -> Optional[int]:
        """The main process, None when it does not run."""
        if self.systemd:
            text = run("systemctl show -p MainPID --value %s" % self.unit).out.strip()
        else:
            try:
                with open(self.spec["pidfile"], encoding="ascii") as stream:
                    text = stream.read().split()[0]
            except (OSError, IndexError):
                return None
        return int(text) if text.isdigit() and int(text) > 0 and self._is_ours(int(text)) else None

    def _is_ours(self, pid: int) -> bool:
        """A pid file may be older than the process that has this number now."""
        return self.systemd or alive(pid) == self.spec["process"][:15]

    def running(self) -> bool:
        if not self.manageable:
            return False
        if self.systemd:
            return run("systemctl is-active --quiet %s" % self.unit).good
        if "device" in self.spec:
            return os.path.exists("/sys/class/net/%s" % self.spec["device"])
        return self.pid() is not None

    def enabled(self) -> bool:
        """Whether it will run after a reboot; without systemd that is somebody else's business."""
        return not self.systemd or run("systemctl is-enabled --quiet %s" % self.unit).good

    def in_force(self) -> bool:
        """Runs, and will run after a reboot."""
        return self.running() and self.enabled()

    def present(self) -> bool:
        """Runs, or would run after a reboot."""
        return self.running() or (self.systemd and self.enabled())

    def enable(self) -> Done:
        """From now on it runs after a reboot. Apart from starting it: of a System V script, --now is forgotten."""
        return run("systemctl enable --quiet %s" % self.unit)

    def start(self) -> Done:
        if self.systemd:
            run("systemctl reset-failed %s" % self.unit)
            return self._settled(run("systemctl start %s" % self.unit))
        if self.spec.get("background"):
            return self._start_in_background()
        return self._settled(run(self.spec["start"]))

    def _settled(self, done: Done) -> Done:
        if done.good and not self._wait(True):
            return Done(done.command, 1, "%s\n%s did not stay up%s" % (done.out, self.unit, self._journal()))
        return done if done.good else Done(done.command, done.rc, done.out + self._journal())

    def _journal(self) -> str:
        if self.systemd:
            return "\n" + run("journalctl -n 15 --no-pager -o cat -u %s" % self.unit).out
        return ""

    def _start_in_background(self) -> Done:
        log = self.spec["background"]
        begin = os.path.getsize(log) if os.path.exists(log) else 0
        done, pid = spawn(self.spec["start"], log)
        end = time.monotonic() + PATIENCE
        while pid is not None and alive(pid) and time.monotonic() < end:
            if self.running():
                return Done(self.spec["start"], 0, "")
            time.sleep(0.05)
        if not os.path.exists(log):
            return Done(self.spec["start"], 1, done.out)
        with open(log, encoding="utf-8", errors="replace") as stream:
            stream.seek(begin)
            return Done(self.spec["start"], 1, stream.read()[-2000:])

    def stop(self) -> Done:
        if self.systemd:
            done = run("systemctl stop %s" % self.unit)
            return run("systemctl disable --quiet %s" % self.unit) if done.good else done
        if "stop" in self.spec:
            return run(self.spec["stop"])
        pid = self.pid()
        if pid is not None:
            os.kill(pid, signal.SIGTERM)
        gone = self._wait(False)
        return Done("kill %s" % pid, 0 if gone else 1, "" if gone else "%s did not stop within %d s" % (self.unit, PATIENCE))

    def restart(self) -> Done:
        if self.systemd:
            run("systemctl reset-failed %s" % self.unit)
            return self._settled(run("systemctl restart %s" % self.unit))
        if self.running():
            stopped = self.stop()
            if not stopped.good:
                return stopped
        return self.start()

    def reload(self) -> Done:
        """Take a changed configuration in, without dropping sessions where the daemon can."""
        if "reload" in self.spec:
            return run(self.spec["reload"])
        pid = self.pid() if "signal" in self.spec else None
        if pid is not None:
            os.kill(pid, getattr(signal, "SIG" + self.spec["signal"]))
            return Done("kill -%s %d" % (self.spec["signal"], pid), 0, "")
        return self.restart()

    def _wait(self, up: bool) -> bool:
        end = time.monotonic() + PATIENCE
        while self.running() != up:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True
