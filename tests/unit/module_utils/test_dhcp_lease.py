# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases by real clients. ``lease_records/`` is what the script of udhcpc 1.35 and of dhclient 4.4.3 wrote for the same server."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _dhcp_lease as lease

RECORDS = Path(__file__).parent / "lease_records"


@pytest.mark.parametrize(("client", "address"), [("udhcpc", "10.222.222.107"), ("dhclient", "10.222.222.108")])
def test_both_clients_say_the_same(client: str, address: str) -> None:
    seen = lease.parse_record((RECORDS / f"{client}.txt").read_text(encoding="utf-8"))
    assert seen is not None
    assert lease.lease_from(seen) == {
        "address": address, "prefix_len": 24, "routers": ["10.222.222.1"], "dns": ["10.53.53.53"], "domain": None, "lease": 600, "server": "10.222.222.1",
    }


@pytest.mark.parametrize("text", ["", "ROUTERLAB_RECORD deconfig\ninterface=eth0\n", "ROUTERLAB_RECORD PREINIT\nreason=PREINIT\n", "ROUTERLAB_RECORD FAIL\n"])
def test_other_events_are_no_lease(text: str) -> None:
    assert lease.parse_record(text) is None


def test_what_the_server_does_not_say_is_not_made_up() -> None:
    assert lease.lease_from({"ip": "192.0.2.5"}) == {
        "address": "192.0.2.5", "prefix_len": None, "routers": [], "dns": [], "domain": None, "lease": None, "server": None,
    }


@pytest.mark.parametrize(("mask", "length"), [("255.255.255.0", 24), ("255.255.255.252", 30), ("24", 24), ("0.0.0.0", 0), ("nonsense", None)])
def test_masks(mask: str, length: int | None) -> None:
    assert lease.prefix_length(mask) == length


def test_the_release_names_the_lease_and_the_same_client() -> None:
    own = {"address": "10.0.0.7", "server": "10.0.0.1"}
    packet = lease.release_packet(own, bytes.fromhex("525400123456"), b"\0routerlab-x", 0x01020304)
    head = struct.unpack("!BBBBIHH4s4s4s4s16s", packet[:44])
    assert head[:5] == (1, 1, 6, 0, 0x01020304)
    assert socket.inet_ntoa(head[7]) == "10.0.0.7"
    assert head[11][:6].hex() == "525400123456"
    assert packet[236:240] == lease.MAGIC
    assert packet[240:].rstrip(b"\0") == b"\x35\x01\x07\x36\x04\x0a\x00\x00\x01\x3d\x0c\x00routerlab-x\xff"
    assert len(packet) >= 300


def test_the_client_never_runs_the_systems_own_script() -> None:
    for kind, program in (("udhcpc", "/usr/sbin/udhcpc"), ("udhcpc", "/bin/busybox"), ("dhclient", "/sbin/dhclient")):
        argv = lease.arguments(kind, program, "eth0", "/tmp/x", 7)
        option = "-sf" if kind == "dhclient" else "-s"
        assert argv[argv.index(option) + 1] == "/tmp/x/script"
        assert ("udhcpc" in argv[1:2]) is program.endswith("busybox")


def test_a_missing_client_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lease, "SBIN", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(lease.LeaseError, match="no DHCP client on this host: udhcpc, busybox or dhclient is missing"):
        lease.find_client("auto")
    with pytest.raises(lease.LeaseError, match="dhclient is missing"):
        lease.find_client("dhclient")


def test_a_missing_interface_is_named() -> None:
    with pytest.raises(lease.LeaseError, match="there is no interface nosuch0"):
        lease.obtain("nosuch0")
