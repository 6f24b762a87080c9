# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands, daemons and devices: what they say, and that nobody waits for a daemon."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _command, _services
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._command import Done, alive, environment, find, run
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._services import Service
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._steps import wrong_links


def test_a_command_says_what_it_says() -> None:
    done = run("echo out; echo err >&2; exit 3")
    assert (done.rc, done.out, done.good) == (3, "out\nerr\n", False)


def test_a_daemon_that_keeps_the_output_open_is_not_waited_for() -> None:
    begin = time.monotonic()
    assert run("sleep 5 & echo started").out == "started\n"
    assert time.monotonic() - begin < 2


def test_a_command_that_does_not_end_is_ended() -> None:
    begin = time.monotonic()
    done = run("echo begun; sleep 60", timeout=0.3)
    assert done.rc is None and "begun" in done.words() and "time limit" in done.words()
    assert time.monotonic() - begin < 5


def test_silence_and_noise() -> None:
    assert Done("x", 2, " \n").words() == "(it said nothing, rc 2)"
    assert len(run("yes | head -c 100000").out) < 5000


def test_commands_speak_english_and_find_what_lies_in_sbin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_NUMERIC", "fi_FI.UTF-8")
    monkeypatch.setenv("LANG", "fi_FI.UTF-8")
    monkeypatch.setenv("PATH", "/bin")
    assert environment()["LC_ALL"] == "C" and "LC_NUMERIC" not in environment() and "LANG" not in environment()
    assert run("echo $PATH").out.strip() == _command.SEARCH
    assert find("sh") and find("/bin/sh") and find("no-such-program") is None and find("/etc/passwd") is None


def service(folder: Path, **more: Any) -> Service:
    return Service({"unit": "u", "pidfile": str(folder / "pid"), "process": "sleep", **more}, False)


def test_a_pid_file_is_not_trusted_alone(tmp_path: Path) -> None:
    mine = service(tmp_path, start="true")
    assert mine.pid() is None
    for text in ("", "junk", "0", "-1", "999999999", str(os.getpid())):
        (tmp_path / "pid").write_text(text)
        assert mine.pid() is None, text
    process = subprocess.Popen(["sleep", "30"])
    (tmp_path / "pid").write_text(f"{process.pid}\n")
    while alive(process.pid) != "sleep":
        time.sleep(0.01)
    assert mine.running() and mine.pid() == process.pid
    process.kill()
    while Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
        time.sleep(0.01)
    running = mine.running()
    process.wait()
    assert not running  # nobody has buried it, and it does not run


def test_a_daemon_starts_stops_and_starts_again(tmp_path: Path) -> None:
    mine = service(tmp_path, start=f"sleep 60 & echo $! >{tmp_path}/pid")
    assert mine.start().good and mine.running()
    first = mine.pid()
    assert mine.restart().good and mine.pid() != first
    assert mine.stop().good and not mine.running()


def test_a_daemon_that_goes_away_again_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_services, "PATIENCE", 0.3)
    done = service(tmp_path, start=f"true & echo $! >{tmp_path}/pid").start()
    assert not done.good and "did not stay up" in done.out


def test_a_unit_of_systemd_is_left_alone_without_systemd() -> None:
    mine = Service({"unit": "systemd-timesyncd", "systemd": True}, False)
    assert not mine.manageable and not mine.running() and not mine.present()


def test_a_reload_without_a_way_is_a_restart(tmp_path: Path) -> None:
    mine = service(tmp_path, start=f"sleep 60 & echo $! >{tmp_path}/pid")
    mine.start()
    first = mine.pid()
    assert mine.reload().good and mine.pid() != first
    mine.stop()


@pytest.mark.parametrize(
    ("link", "good"),
    [
        ({"name": "lo", "mtu": None, "addresses": []}, True),
        ({"name": "lo", "mtu": 65536, "addresses": None}, True),
        ({"name": "lo", "mtu": 1500, "addresses": None}, False),
        ({"name": "lo", "mtu": None, "addresses": ["192.0.2.1/32"]}, False),
        ({"name": "nosuch0", "mtu": None, "addresses": None}, False),
    ],
)
def test_devices_are_compared_with_what_they_should_be(link: dict[str, Any], good: bool) -> None:
    assert wrong_links([link]) == ([] if good else [link["name"]])
