# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine's process: found by pid and start time, never by name; ended for certain; started so that it cannot be lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _vm_build as build
from ansible_collections.routerlab.bench.plugins.module_utils import _vm_process as process
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError, start_time
from ansible_collections.routerlab.bench.plugins.module_utils._power import _known, qemu
from ansible_collections.routerlab.bench.plugins.module_utils._power._power import PowerError
from ansible_collections.routerlab.bench.plugins.module_utils._vm_qmp import Qmp

needs_qemu = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("qemu-system-x86_64"), reason="needs root and qemu-system-x86_64")
OPTIONS = {"prefix": "rlp", "machine": "m"}


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    monkeypatch.setattr(process, "RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(process, "STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "rlp").mkdir()
    found = process.paths("rlp", "m")
    yield found
    process.stop(found)


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen]:
    with subprocess.Popen(["sleep", "60"]) as running:
        yield running
        running.kill()


def plan(**changes: Any) -> dict[str, Any]:
    """A machine without a disk, whose switch is a shell of its own."""
    argv = ["qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-m", "64", "-nodefaults", "-no-user-config", "-display", "none", "-S"]
    return {"argv": argv, "nics": [], "nice": 5, "max_seconds": 60, **changes}


def test_another_process_with_the_same_number_is_not_ours(where: dict[str, str], sleeper: subprocess.Popen) -> None:
    started = start_time(sleeper.pid)
    assert started is not None
    process.write(where["pid"], "%d %d\n" % (sleeper.pid, started + 1))
    assert process.living(where["pid"]) is None
    assert process.stop(where) is False
    assert sleeper.poll() is None, "a stranger was ended"
    process.write(where["pid"], "%d %d\n" % (sleeper.pid, started))
    assert process.living(where["pid"]) == sleeper.pid
    assert qemu.state(OPTIONS) == {"on": True, "detail": f"QEMU of rlp-m runs (pid {sleeper.pid})"}


@pytest.mark.parametrize("text", ["", "x y\n", "12\n", "999999999 1\n"])
def test_a_file_that_says_nothing_speaks_of_no_process(where: dict[str, str], text: str) -> None:
    process.write(where["pid"], text)
    assert process.living(where["pid"]) is None


@needs_qemu
def test_power_of_a_machine(where: dict[str, str], sleeper: subprocess.Popen) -> None:
    made = plan(holder=sleeper.pid, holder_started=start_time(sleeper.pid))
    made["argv"] = [*made["argv"], "-qmp", "unix:%s,server=on,wait=off" % where["qmp"]]
    process.write(where["plan"], json.dumps(made))
    assert _known.why_down({"driver": "qemu", "options": OPTIONS}) == "QEMU of rlp-m does not run"
    before = time.time()
    result = qemu.on(OPTIONS)
    assert result["changed"] and before <= result["epoch"] <= time.time() and 0 <= result["call_s"] < 5
    pid = process.living(where["pid"])
    assert pid is not None and os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 5)
    with Qmp(where["qmp"]) as talk:
        assert talk.command("query-status")["status"] == "running"
    assert _known.why_down({"driver": "qemu", "options": OPTIONS}) is None
    assert qemu.on(OPTIONS) == {"changed": False, "on": True}
    assert qemu.off(OPTIONS)["changed"] and process.living(where["pid"]) is None and start_time(pid) is None
    assert not qemu.off(OPTIONS)["changed"]


@needs_qemu
def test_a_machine_has_a_last_hour(where: dict[str, str], sleeper: subprocess.Popen) -> None:
    made = plan(holder=sleeper.pid, holder_started=start_time(sleeper.pid), max_seconds=2)
    made["argv"] = [*made["argv"], "-qmp", "unix:%s,server=on,wait=off" % where["qmp"]]
    process.start(made, where)
    deadline = time.monotonic() + 10
    while process.living(where["pid"]) is not None and time.monotonic() < deadline:
        time.sleep(0.1)
    assert process.living(where["pid"]) is None


@needs_qemu
def test_why_qemu_did_not_start_is_said(where: dict[str, str], sleeper: subprocess.Popen) -> None:
    made = plan(holder=sleeper.pid, holder_started=start_time(sleeper.pid), argv=["qemu-system-x86_64", "-toaster"])
    with pytest.raises(LabError, match="QEMU ended at once and said: .*toaster"):
        process.start(made, where)
    assert not os.path.exists(where["pid"])


def test_a_machine_without_its_switch_is_not_started(where: dict[str, str], sleeper: subprocess.Popen) -> None:
    process.write(where["plan"], json.dumps(plan(holder=sleeper.pid, holder_started=1)))
    with pytest.raises(PowerError, match="rlp-m cannot be switched on: the switch of the lab is gone"):
        qemu.on(OPTIONS)


def test_what_a_power_driver_is_told(where: dict[str, str]) -> None:
    with pytest.raises(PowerError, match=r"options.machine: is required by driver qemu; options.host: driver qemu has no such option; valid: prefix, machine"):
        qemu.state({"prefix": "rlp", "host": "x"})
    with pytest.raises(PowerError, match="there is no machine rlp-m: build it with module vm_lab"):
        qemu.on(OPTIONS)
    assert _known.why_down(None) is None and _known.why_down({"driver": "lever"}) is None


def test_one_builder_at_a_time_and_no_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setattr(build, "STATE_DIR", str(tmp_path / "lib" / "vm"))
    with build.locked("rlp"):
        with pytest.raises(LabError, match="another run builds or removes this lab"), build.locked("rlp", timeout=0.2):
            pass
        with build.locked("other"):
            pass
    assert list(tmp_path.iterdir()) == []
    with build.locked("rlp"):
        (tmp_path / "run" / "rlp").mkdir()
    assert [path.name for path in sorted((tmp_path / "run").iterdir())] == ["rlp", "rlp.lock"]
