# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trials over the loopback with the real program, and with programs that misbehave in ways the real one cannot be asked for."""
from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import Trial
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_process import run_bounded
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_program import installed
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_sockets import listening
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_trial import measure
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "iperf3"
V3_16 = Version((3, 16, 0))
needs_iperf3 = pytest.mark.skipif(not shutil.which("iperf3"), reason="iperf3 is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def server() -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen(["iperf3", "-s", "-1", "-J", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 5
        while port not in listening():
            assert time.monotonic() < until
            time.sleep(0.01)
        yield port
    finally:
        process.kill()
        process.wait()


def codes(measurement: Dict[str, Any]) -> List[str]:
    return [item["code"] for item in measurement["reasons"]]


def trial(**options: Any) -> Trial:
    return Trial(**{"server": "127.0.0.1", "duration": 1, "connect_retry_seconds": 0.3, **options})


def real(**options: Any) -> Dict[str, Any]:
    program, version, trouble = installed("iperf3")
    assert version is not None, trouble
    return measure(trial(program=program, **options), version)


def script(folder: Path, text: str) -> str:
    path = folder / "iperf3"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


def alive_in_group(group: int) -> List[str]:
    """Processes of a group that still run; those that only wait to be reaped do not count."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rsplit(")", 1)[1].split()
            if int(fields[2]) == group and fields[0] not in "ZX":
                found.append(path.parent.name)
    return found


@needs_iperf3
def test_a_real_trial() -> None:
    with server() as port:
        result = real(ports=[port], streams=2)
    assert result["valid"], result["reasons"]
    assert result["metrics"]["throughput"]["value"] > 1e6
    assert result["attempts"] == 1
    assert result["conditions"]["far_end_source"] == "127.0.0.1"
    assert result["versions"]["iperf3_server"] == result["versions"]["iperf3_client"]
    assert [item["name"] for item in result["raw"]] == ["client.json"]
    assert 0.9 < result["traffic_s"] < result["wall_s"] < result["traffic_s"] + 1.0


@needs_iperf3
def test_nobody_listens() -> None:
    began = time.monotonic()
    result = real(ports=[free_port()])
    assert codes(result) == ["CONNECT_FAILED"]
    assert result["metrics"]["throughput"]["value"] is None
    assert result["attempts"] == 2
    assert result["conditions"]["connect_attempts"] > 2
    assert [item["name"] for item in result["raw"]] == ["client.failed1.json", "client.json"]
    assert time.monotonic() - began < 5


@needs_iperf3
def test_the_next_port_of_the_pool_is_asked() -> None:
    with server() as port:
        result = real(ports=[free_port(), port])
    assert result["valid"], result["reasons"]
    assert result["conditions"]["server_port"] == port
    assert (result["attempts"], result["conditions"]["connect_attempts"]) == (1, 2)


@needs_iperf3
def test_a_server_that_accepts_and_never_answers() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        began = time.monotonic()
        result = real(ports=[silent.getsockname()[1]], outer_timeout=1, retries=0)
        seconds = time.monotonic() - began
    assert codes(result) == ["TIMEOUT"]
    assert 1 <= seconds < 4


def test_a_program_that_ignores_being_asked_to_stop(tmp_path: Path) -> None:
    program = script(tmp_path, "trap '' TERM INT HUP\necho $$ > %s/pid\nwhile :; do sleep 60; done\n" % tmp_path)
    began = time.monotonic()
    result = measure(trial(program=program, outer_timeout=0.5, retries=0), V3_16)
    assert codes(result) == ["TIMEOUT"]
    assert time.monotonic() - began < 4
    assert not alive_in_group(int((tmp_path / "pid").read_text()))


def test_a_child_that_keeps_the_pipe_open(tmp_path: Path) -> None:
    """The child leaves the process group, so that it cannot be ended with it."""
    program = script(tmp_path, "setsid sleep 30 &\necho $! > %s/pid\nsleep 60\n" % tmp_path)
    began = time.monotonic()
    outcome = run_bounded([program], 0.5)
    assert outcome.timed_out
    assert time.monotonic() - began < 6
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def test_the_child_dies_with_its_parent(tmp_path: Path) -> None:
    program = script(tmp_path, "echo $$ > %s/pid.new && mv %s/pid.new %s/pid\nexec sleep 60\n" % ((tmp_path,) * 3))
    code = "from %s import run_bounded; run_bounded(['%s'], 60)" % (run_bounded.__module__, program)
    parent = subprocess.Popen([sys.executable, "-c", code], env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    until = time.monotonic() + 10
    while not (tmp_path / "pid").exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    pid = int((tmp_path / "pid").read_text())
    until = time.monotonic() + 3
    while Path("/proc/%d" % pid).exists() and "State:\tZ" not in Path("/proc/%d/status" % pid).read_text():
        assert time.monotonic() < until, "traffic outlived the module"
        time.sleep(0.02)


def test_the_c_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fi_FI.UTF-8")
    monkeypatch.setenv("LANGUAGE", "fi")
    assert run_bounded([script(tmp_path, 'echo "$LC_ALL $LANG $LANGUAGE"\n')], 5).stdout.strip() == "C C C"


def test_a_failure_is_tried_again_once_and_counted(tmp_path: Path) -> None:
    failed, good = FIXTURES / "v3_16_server_killed.json", FIXTURES / "above_line_rate.json"
    program = script(tmp_path, "if [ -e %s/once ]; then cat %s; else touch %s/once; cat %s; fi\n" % (tmp_path, good, tmp_path, failed))
    result = measure(trial(program=program, duration=10, streams=2), V3_16)
    assert result["valid"], result["reasons"]
    assert result["attempts"] == 2
    assert [flag["code"] for flag in result["flags"] if flag["code"] == "RETRIED"] == ["RETRIED"]
    assert "CONTROL_LOST" in result["flags"][-1]["detail"]
    assert [item["name"] for item in result["raw"]] == ["client.failed1.json", "client.json"]
    assert result["raw"][0]["text"] == failed.read_text()


@pytest.mark.parametrize("options, reason", [
    ({"link_bps": 9e8}, "ABOVE_LINE_RATE"),
    ({"streams": 2, "duration": 10, "link_bps": 1e6}, "ABOVE_LINE_RATE"),
])
def test_a_wrong_number_is_not_tried_again(tmp_path: Path, options: Dict[str, Any], reason: str) -> None:
    """Trying until the number fits would choose the result."""
    program = script(tmp_path, "cat %s\n" % (FIXTURES / "above_line_rate.json"))
    result = measure(trial(**{"program": program, "duration": 10, "streams": 2, **options}), V3_16)
    assert codes(result) == [reason]
    assert result["attempts"] == 1


def test_bidir_is_refused_without_a_run() -> None:
    result = measure(trial(program="/nonexistent", bidir=True), Version((3, 6, 0)))
    assert codes(result) == ["BIDIR_UNSUPPORTED_VERSION"]
    assert set(result["metrics"]) >= {"throughput", "throughput_reverse"}
    assert result["raw"] == []


def test_no_program() -> None:
    assert "not installed" in str(installed("no-such-iperf3")[2])
    assert "not an iperf 3.x" in str(installed("cat")[2])
