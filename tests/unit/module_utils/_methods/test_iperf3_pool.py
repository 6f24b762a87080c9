# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The servers of a host, with the real program."""
from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_pool
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_pool import Pool, PoolError, has_something_to_stop, running, start, stop
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_sockets import busy_ports, listening
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_supervisor import start_ticks

IPERF3 = shutil.which("iperf3") or ""
pytestmark = pytest.mark.skipif(not IPERF3, reason="iperf3 is not installed")


def free_ports(count: int) -> List[int]:
    probes = [socket.socket() for dummy in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "state"
    stop(tmp_path / "state")


def wait(condition: Callable[[], Any], seconds: float = 5) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def status(folder: Path) -> Dict[str, Any]:
    return json.loads((folder / "status.json").read_text())


def pids(folder: Path) -> List[int]:
    return [child["pid"] for child in status(folder)["children"]]


def client(port: int) -> subprocess.CompletedProcess:
    return subprocess.run([IPERF3, "-c", "127.0.0.1", "-p", str(port), "-t", "1", "-J"], capture_output=True, timeout=10, check=False)


def test_start_twice_and_stop_twice(folder: Path) -> None:
    pool = Pool(IPERF3, free_ports(2))
    assert start(folder, pool, dry=True) is True
    assert not folder.exists()
    assert start(folder, pool) is True
    first = json.loads((folder / "pid.json").read_text())
    assert set(pool.ports) <= set(listening())
    assert start(folder, pool) is False
    assert start(folder, pool, dry=True) is False
    assert json.loads((folder / "pid.json").read_text()) == first
    servers = pids(folder)
    assert has_something_to_stop(folder)
    assert stop(folder) is True
    assert not has_something_to_stop(folder)
    assert stop(folder) is False
    assert not folder.exists()
    assert not set(pool.ports) & set(listening())
    assert all(start_ticks(pid) is None for pid in servers)


def test_other_parameters_mean_other_servers(folder: Path) -> None:
    ports = free_ports(3)
    start(folder, Pool(IPERF3, ports[:2]))
    assert start(folder, Pool(IPERF3, ports[1:])) is True
    assert set(ports) & set(listening()) == set(ports[1:])


def test_every_test_has_a_fresh_server(folder: Path) -> None:
    port = free_ports(1)[0]
    start(folder, Pool(IPERF3, [port]))
    seen = set()
    for _round in range(2):
        seen.update(pids(folder))
        before = pids(folder)
        assert b"sum_received" in client(port).stdout
        wait(lambda old=before: pids(folder) != old and port in listening())
    assert len(seen | set(pids(folder))) == 3
    assert status(folder)["children"][0]["tests"] == 2


def test_a_busy_port_is_named_with_its_program(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PoolError, match=r"port %d is in use by .*\(pid %d\)" % (port, os.getpid())):
            start(folder, Pool(IPERF3, free_ports(1) + [port]))
        assert len(busy_ports([port])) == 1
    assert not folder.exists()
    assert busy_ports([port]) == []


def test_the_end_of_the_lease(folder: Path) -> None:
    pool = Pool(IPERF3, free_ports(2), max_seconds=1.0)
    start(folder, pool)
    servers = pids(folder)
    wait(lambda: not running(folder), 4)
    wait(lambda: all(start_ticks(pid) is None for pid in servers))
    assert not set(pool.ports) & set(listening())
    wait(lambda: not folder.exists())


def test_starting_again_renews_the_lease(folder: Path) -> None:
    ports = free_ports(1)
    start(folder, Pool(IPERF3, ports, max_seconds=1.0))
    assert start(folder, Pool(IPERF3, ports, max_seconds=60.0)) is False
    assert start(folder, Pool(IPERF3, ports, max_seconds=1.0)) is False
    time.sleep(1.5)
    assert running(folder)


def test_nothing_outlives_a_killed_supervisor(folder: Path) -> None:
    pool = Pool(IPERF3, free_ports(2))
    start(folder, pool)
    servers = pids(folder)
    os.kill(json.loads((folder / "pid.json").read_text())["pid"], signal.SIGKILL)
    wait(lambda: all(start_ticks(pid) is None for pid in servers))
    assert start(folder, pool) is True


def test_a_recycled_process_number_is_never_ended(folder: Path) -> None:
    folder.mkdir()
    bystander = subprocess.Popen(["sleep", "30"])
    try:
        ticks = start_ticks(bystander.pid)
        assert ticks is not None
        for start_of in (ticks - 1, None):
            entry = {"pid": bystander.pid, "start": start_of}
            (folder / "pid.json").write_text(json.dumps(entry))
            (folder / "status.json").write_text(json.dumps({"children": [entry]}))
            assert stop(folder) is False
            folder.mkdir()
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_test_that_never_ends_is_cut_off(folder: Path) -> None:
    port = free_ports(1)[0]
    start(folder, Pool(IPERF3, [port], test_max_seconds=1.0))
    stuck = pids(folder)
    with socket.create_connection(("127.0.0.1", port)) as silent:
        silent.sendall(b"x" * 37)
        wait(lambda: pids(folder) != stuck)
    wait(lambda: port in listening())
    assert b"sum_received" in client(port).stdout


def test_a_server_that_cannot_start_says_why(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "iperf3"
    program.write_text("#!/bin/sh\necho 'iperf3: error - no listener today'\nexit 1\n")
    program.chmod(0o755)
    began = time.monotonic()
    with pytest.raises(PoolError, match="cannot start: iperf3: error - no listener today"):
        start(folder, Pool(str(program), free_ports(1)))
    assert time.monotonic() - began < iperf3_pool.START_SECONDS
    assert not folder.exists()


def test_a_folder_that_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(PoolError, match="symbolic link"):
        start(tmp_path / "link", Pool(IPERF3, free_ports(1)))


def test_files_of_others_stay(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    start(folder, Pool(IPERF3, free_ports(1)))
    stop(folder)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_the_servers_write_no_file_that_grows(folder: Path) -> None:
    port = free_ports(1)[0]
    start(folder, Pool(IPERF3, [port]))
    size = sum(path.stat().st_size for path in folder.iterdir())
    for tests in (1, 2):
        client(port)
        wait(lambda wanted=tests: status(folder)["children"][0]["tests"] == wanted and port in listening())
    assert abs(sum(path.stat().st_size for path in folder.iterdir()) - size) < 50
