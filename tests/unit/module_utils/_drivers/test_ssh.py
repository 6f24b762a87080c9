# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver ssh as a whole, on files and daemons of the test: plan, apply, read again, go back."""

from __future__ import annotations

import grp
import json
import os
import pwd
import re
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _files, ssh
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._command import alive
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.module_utils._drivers.ssh import SshDriver

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the driver works as root")


class Device:
    """A folder that plays the device, with a step that copies a file and a daemon that sleeps."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.artifacts: list[dict[str, Any]] = []
        self.texts: dict[str, str] = {}
        self.absent: list[dict[str, Any]] = []
        daemon = root / "daemon"
        daemon.write_text("#!/bin/sh\ntrap 'echo reload >>%s/log' HUP\necho $$ >%s/pid\necho start >>%s/log\nwhile :; do sleep 0.05; done\n" % ((root,) * 3))
        daemon.chmod(0o755)
        self.steps: list[dict[str, Any]] = [
            {
                "name": "copy",
                "run": f"cp {root}/rules {root}/kernel && echo run >>{root}/log",
                "probe": f"test -e {root}/kernel && ! grep -q spoilt {root}/kernel",
                "undo": f"rm {root}/kernel && echo undo >>{root}/log",
            },
            {
                "name": "daemon",
                "service": {
                    "unit": "routerlab-test", "pidfile": f"{root}/pid", "process": "daemon",
                    "start": f"exec {daemon}", "background": f"{root}/out", "signal": "HUP",
                },
            },
        ]

    def add(self, name: str, text: str, step: str, **more: Any) -> None:
        own = {"owner": pwd.getpwuid(os.getuid()).pw_name, "group": grp.getgrgid(os.getgid()).gr_name, "mode": "0644", "secret": False}
        self.artifacts.append({"name": name, "path": str(self.root / name), "step": step, **own, **more})
        self.texts[name] = text

    def driver(self) -> SshDriver:
        manifest = {"artifacts": self.artifacts, "absent": self.absent, "steps": self.steps, "interfaces": ["lo"], "links": []}
        return SshDriver({"manifest": json.loads(json.dumps(manifest)), "texts": dict(self.texts)}, {})

    def deploy(self) -> list[str]:
        driver = self.driver()
        plan = driver.plan()
        if plan.changed:
            driver.apply(plan)
        return plan.summary

    def log(self) -> list[str]:
        path = self.root / "log"
        lines = path.read_text().split() if path.exists() else []
        path.write_text("")
        return lines

    def pid(self) -> int:
        return int((self.root / "pid").read_text())


@pytest.fixture()
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    monkeypatch.setattr(_files, "BACKUPS", str(tmp_path / "backups"))
    monkeypatch.setattr(ssh, "LOCK", str(tmp_path / "lock"))
    monkeypatch.setattr(ssh, "has_systemd", lambda: False)
    made = Device(tmp_path)
    made.add("rules", "# Written by routerlab.bench\none\n", "copy", check="! grep -q wrong {file} || { echo 'line 1: wrong'; exit 3; }")
    made.add("daemon.conf", "# Written by routerlab.bench\n", "daemon")
    yield made
    if (tmp_path / "pid").exists():
        subprocess.run(["kill", "-9", str(made.pid())], check=False, stderr=subprocess.DEVNULL)


def test_first_second_and_third(device: Device) -> None:
    paths = [str(device.root / name) for name in ("rules", "daemon.conf")]
    assert device.deploy() == [f"{paths[0]}: create", f"{paths[1]}: create", "copy: run", "daemon: start"]
    assert device.log() == ["run", "start"]
    assert device.deploy() == [] and device.log() == []
    device.texts["daemon.conf"] += "more\n"
    pid = device.pid()
    assert device.deploy() == [f"{paths[1]}: change", "daemon: reload"]
    time.sleep(0.2)
    assert device.log() == ["reload"] and device.pid() == pid


def test_planning_changes_nothing(device: Device) -> None:
    before = sorted(path.name for path in device.root.rglob("*"))
    plan = device.driver().plan()
    assert plan.changed and len(plan.diff) == 2
    assert sorted(path.name for path in device.root.rglob("*")) == before


def test_drift_is_repaired(device: Device) -> None:
    device.deploy()
    os.kill(device.pid(), 9)
    (device.root / "kernel").write_text("spoilt")
    time.sleep(0.1)
    plan = device.driver().plan()
    assert plan.summary == ["copy: run", "daemon: start"]
    assert [item["prepared"] for item in plan.diff] == ["copy: run (nothing but its state differs)\ndaemon: start (nothing but its state differs)\n"]
    device.deploy()
    assert device.driver().plan().summary == []


def test_what_is_no_longer_wanted_is_undone(device: Device) -> None:
    device.deploy()
    device.log()
    device.absent, device.artifacts = device.artifacts, []
    device.texts = {}
    paths = [str(device.root / name) for name in ("rules", "daemon.conf")]
    assert device.deploy() == [f"{paths[0]}: remove", f"{paths[1]}: remove", "copy: undo", "daemon: stop"]
    assert device.log() == ["undo"]
    assert not (device.root / "kernel").exists() and not Path(paths[0]).exists()
    assert alive(device.pid()) is None
    assert device.deploy() == []


def test_a_daemon_may_be_kept(device: Device) -> None:
    device.deploy()
    device.steps[1]["service"]["keep"] = True
    device.absent, device.artifacts = [device.artifacts[1]], [device.artifacts[0]]
    assert device.deploy() == [f"{device.root}/daemon.conf: remove"]
    assert alive(device.pid()) == "daemon"


def test_a_restart_is_asked_for_by_the_file(device: Device) -> None:
    device.deploy()
    device.artifacts[1]["restart"] = True
    device.texts["daemon.conf"] += "more\n"
    pid = device.pid()
    assert device.deploy()[1] == "daemon: restart"
    assert device.pid() != pid


def test_touched_devices_reload_who_listens_on_them(device: Device) -> None:
    device.steps[0]["links"] = True
    device.steps[1]["service"]["on_links"] = True
    device.deploy()
    assert device.deploy() == []
    (device.root / "kernel").unlink()
    pid = device.pid()
    device.log()
    assert device.deploy() == ["copy: run", "daemon: reload"]
    time.sleep(0.2)
    assert device.log() == ["run", "reload"] and device.pid() == pid
    device.steps[1]["service"]["on_links"] = False
    (device.root / "kernel").unlink()
    assert device.deploy() == ["copy: run"]


def test_a_bad_candidate_is_refused_with_its_programs_words(device: Device) -> None:
    device.deploy()
    device.log()
    device.texts.update({"rules": "wrong\n", "daemon.conf": "new\n"})
    with pytest.raises(DriverError) as raised:
        device.deploy()
    assert re.search(r"/rules is refused by its own program .*rc 3.*:\nline 1: wrong\nNothing was changed\.", str(raised.value))
    assert (device.root / "rules").read_text().endswith("one\n") and (device.root / "daemon.conf").read_text() != "new\n"
    assert device.log() == [] and not list(device.root.glob("*.routerlab-new"))


@pytest.mark.parametrize("first", [True, False])
def test_a_failing_step_leads_back(device: Device, first: bool) -> None:
    if not first:
        device.deploy()
    before = {path.name: path.read_text() for path in device.root.iterdir() if path.is_file() and path.name not in ("log", "pid", "lock", "out")}
    device.texts.update({"rules": "# Written by routerlab.bench\ntwo\n", "daemon.conf": "# Written by routerlab.bench\ntwo\n"})
    device.steps.append({"name": "last", "run": "echo 'no such thing' >&2; exit 7", "probe": "false", "undo": "false"})
    device.add("last.conf", "x\n", "last")
    with pytest.raises(DriverError) as raised:
        device.deploy()
    details = raised.value.details
    assert (details["step"], details["rc"], details["output"], details["rolled_back"]) == ("last", 7, "no such thing\n", True)
    assert "Step last failed" in str(raised.value) and "The old configuration is back in force" in str(raised.value)
    after = {path.name: path.read_text() for path in device.root.iterdir() if path.is_file() and path.name not in ("log", "pid", "lock", "out")}
    assert after == before
    assert (device.root / "kernel").exists() != first
    device.steps.pop()
    device.artifacts.pop()
    device.texts = {"rules": "# Written by routerlab.bench\none\n", "daemon.conf": "# Written by routerlab.bench\n"}
    assert (device.driver().plan().summary == []) is (not first)


def test_a_daemon_that_does_not_start_leads_back_with_its_words(device: Device) -> None:
    device.steps[1]["service"]["start"] = "echo 'port in use'; exit 1"
    with pytest.raises(DriverError) as raised:
        device.deploy()
    assert "Step daemon failed" in str(raised.value) and "port in use" in str(raised.value)
    assert not (device.root / "rules").exists() and not (device.root / "kernel").exists()


def test_a_step_that_succeeds_without_effect_is_seen(device: Device) -> None:
    device.steps[0]["run"] = "true"
    with pytest.raises(DriverError, match=r"Step reading again failed: compare .rc 1.:\nnot as deployed: copy"):
        device.deploy()


def test_missing_programs_are_all_named_at_once(device: Device) -> None:
    device.steps[0].update(programs=["no-such-program", "sh"], packages=["some-package"])
    device.steps[1].update(programs=["/no/such/path"], packages=["other"])
    with pytest.raises(DriverError, match=r"no-such-program .package some-package.; /no/such/path .package other."):
        device.driver().plan()


def test_names_that_others_define_are_refused(device: Device) -> None:
    other = device.root / "others.conf"
    other.write_text("iface eth1\niface eth2\n")
    device.add("ours", "iface eth1\n", "copy", put="block", claims=r"^iface (\S+)", claims_in=str(other))
    with pytest.raises(DriverError, match=f"eth1 in {re.escape(str(other))}"):
        device.driver().plan()
    other.write_text("iface eth2\n")
    device.deploy()
    assert device.deploy() == []


def test_two_at_once(device: Device) -> None:
    device.steps[0]["run"] = "sleep 1; " + device.steps[0]["run"]
    background = threading.Thread(target=device.deploy)
    background.start()
    time.sleep(0.4)
    other = device.driver()
    with pytest.raises(DriverError, match="Another deployment is running"):
        other.apply(other.plan())
    background.join()


def test_instances_come_and_go(device: Device) -> None:
    log = device.root / "log"
    service = {"unit": "x@{instance}", "device": "{instance}", "start": f"echo up {{instance}} >>{log}", "stop": f"echo down {{instance}} >>{log}"}
    device.steps.append({"name": "tunnel", "each": True, "service": service})
    device.add("wg-lo.conf", "# Written by routerlab.bench\n", "tunnel", instance="lo", secret=True)
    device.absent = [{**device.artifacts[-1], "name": "wg-*", "path": str(device.root / "wg-*.conf"), "instance": "{name}"}]
    # the device lo is there already, so the changed file asks for a restart
    assert device.deploy()[-1] == "tunnel lo: reload"
    assert device.log()[2:] == ["down", "lo", "up", "lo"]
    device.artifacts.pop()
    assert device.deploy() == [f"{device.root}/wg-lo.conf: remove", "tunnel lo: stop"]
    assert device.log() == ["down", "lo"]
