# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The prober against a real router: three namespaces, the middle one is switched off and on, and the time is known."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods import boot_echo, boot_neighbours, boot_prober
from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_result import judged
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import in_netns

CLIENT, ROUTER, SERVER = "rlb-client", "rlb-router", "rlb-server"
PORT = 5299
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def enter(name: str, *argv: str) -> str:
    """What a command prints there."""
    return subprocess.run(["ip", "netns", "exec", name, *argv], check=True, stdout=subprocess.PIPE, text=True).stdout


def spawn(name: str, *argv: str) -> None:
    subprocess.run(["ip", "netns", "exec", name, *argv], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Path]:
    """client 10.81.1.2 - router - server 10.81.2.2, with an echo server."""
    for name in (CLIENT, ROUTER, SERVER):
        subprocess.run(["ip", "netns", "delete", name], check=False, stderr=subprocess.DEVNULL)
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")
    for number, name in ((1, CLIENT), (2, SERVER)):
        ip("link", "add", f"r{number}", "netns", ROUTER, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("-n", ROUTER, "address", "add", f"10.81.{number}.1/24", "dev", f"r{number}")
        ip("-n", name, "address", "add", f"10.81.{number}.2/24", "dev", "eth0")
        ip("-n", ROUTER, "link", "set", f"r{number}", "up")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "route", "add", "default", "via", f"10.81.{number}.1")
    forward(True)
    (tmp_path / "echo").mkdir()
    spawn(SERVER, sys.executable, boot_echo.__file__, str(tmp_path / "echo"), str(PORT), "60")
    try:
        yield tmp_path
    finally:
        for name in ("echo", "probe"):
            path = tmp_path / name / "pid.json"
            if path.exists():
                pid = json.loads(path.read_text())
                if boot_started(pid["pid"]) == pid["start"]:
                    os.kill(pid["pid"], 9)
        for name in (CLIENT, ROUTER, SERVER):
            ip("netns", "delete", name)


def boot_started(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19])
    except OSError:
        return None


def forward(on: bool) -> None:
    enter(ROUTER, "sh", "-c", f"echo {int(on)} >/proc/sys/net/ipv4/ip_forward")


def probe(folder: Path, **changes: Any) -> Path:
    path = folder / "probe"
    path.mkdir()
    targets = {"forwarded": "10.81.2.2", "address": "10.81.1.1"}
    config = {"interval": 0.02, "timeout": 30, "window": 1.0, "echo_port": PORT, "source": "10.81.1.2", "targets": targets, **changes}
    (path / "config.json").write_text(json.dumps(config))
    spawn(CLIENT, sys.executable, boot_prober.__file__, str(path))
    return path


def wait(path: Path, seconds: float) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while not (path / "result.json").exists() and time.monotonic() < end:
        time.sleep(0.05)
    return json.loads((path / "result.json").read_text())


@pytest.mark.lab
@needs_root
def test_the_moment_is_found(lab: Path) -> None:
    for name in (CLIENT, SERVER):
        entries, silent = in_netns(f"/run/netns/{name}", boot_neighbours.make_permanent).result()
        assert len(entries) == 1 and silent == []
        assert "PERMANENT" in enter(name, "ip", "neigh", "show")
    ip("-n", ROUTER, "link", "set", "r1", "down")
    forward(False)
    path = probe(lab)
    time.sleep(0.5)
    power = time.monotonic()
    time.sleep(1.5)
    ip("-n", ROUTER, "link", "set", "r1", "up")
    address = time.monotonic()
    time.sleep(1.0)
    forward(True)
    forwarded = time.monotonic()
    result = wait(path, 15)
    found = judged(result, power, 0.02, None)
    assert found["valid"], found
    assert found["metrics"]["boot_time"]["value"] == pytest.approx(forwarded - power, abs=0.15)
    assert found["metrics"]["address_time"]["value"] == pytest.approx(address - power, abs=0.15)
    assert result["monotonic"] - forwarded < 8, "it ends by itself when all is well"


@pytest.mark.lab
@needs_root
def test_a_router_that_never_comes_is_given_up(lab: Path) -> None:
    forward(False)
    result = wait(probe(lab, timeout=3), 10)
    found = judged(result, result["series"]["forwarded"]["sent"][0] + 0.1, 0.02, None)
    assert [item["code"] for item in found["reasons"]] == ["NO_FORWARDING"]
    assert 140 <= len(result["series"]["forwarded"]["sent"]) <= 160


def test_discoveries_and_offers() -> None:
    mac = bytes.fromhex("0200000000aa")
    frame = boot_prober.discover(7, mac)
    assert frame[:6] == b"\xff" * 6 and frame[6:12] == mac and boot_prober.offer_for(frame) is None
    assert boot_prober.checksum(frame[14:34]) == 0, "the header's checksum is right"
    bootp = bytearray(frame[42:])
    bootp[0] = 2
    bootp[bootp.index(b"\x35\x01\x01") + 2] = 2
    offer = frame[:34] + struct.pack("!HHHH", 67, 68, 8 + len(bootp), 0) + bytes(bootp)
    assert boot_prober.offer_for(offer) == 7
    stranger = offer[:70] + b"\0\0\0\0\0\0" + offer[76:]
    assert boot_prober.offer_for(stranger) is None and boot_prober.offer_for(offer[:100]) is None


def test_strange_answers_are_no_answers() -> None:
    one = boot_prober.Series()
    one.sends()
    for data in (b"", b"rlboot", b"other0000", boot_prober.payload(9)):
        one.answer(boot_prober.number_in(data))
    assert one.answered == {}
    one.answer(boot_prober.number_in(boot_prober.payload(0)))
    assert list(one.answered) == [0]
