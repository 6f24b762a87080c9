# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The wires of virtual machines on this kernel: real namespaces, a real tap, frames read and written."""

from __future__ import annotations

import fcntl
import os
import select
import socket
import struct
import subprocess
import time
from collections.abc import Iterator

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _vm_trunk as trunk
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError, in_netns, setns

SWITCH, HOST = "rlt-switch", "rlt-host"
NICS = [{"tap": "trunk", "wires": [{"vlan": 10, "port": "p10"}, {"vlan": 20, "port": "p20"}, {"port": "plain"}]}]
GUEST = bytes.fromhex("525400000001")
ETHERTYPE = 0x88B5  # for experiments: no kernel answers it
pytestmark = [pytest.mark.lab, pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces and BPF need root")]


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def in_switch(function):
    return in_netns(f"/run/netns/{SWITCH}", function).result()


@pytest.fixture
def switch() -> Iterator[int]:
    """A switch with three ports, and the guest's end of its tap."""
    for name in (SWITCH, HOST):
        subprocess.run(["ip", "netns", "delete", name], check=False, stderr=subprocess.DEVNULL)
        ip("netns", "add", name)
        for key in ("all", "default"):
            subprocess.run(["ip", "netns", "exec", name, "sh", "-c", f"echo 1 >/proc/sys/net/ipv6/conf/{key}/disable_ipv6"], check=True)
    ip("-n", SWITCH, "tuntap", "add", "dev", "trunk", "mode", "tap")
    for port in ("p10", "p20", "plain"):
        ip("link", "add", port, "netns", SWITCH, "type", "veth", "peer", "name", port, "netns", HOST)
        ip("-n", HOST, "link", "set", port, "up")
        ip("-n", SWITCH, "link", "set", port, "up")
    ip("-n", SWITCH, "link", "set", "trunk", "up")
    try:
        yield in_guest()
    finally:
        for name in (SWITCH, HOST):
            ip("netns", "delete", name)


def in_guest() -> int:
    """The guest's file descriptor, opened as QEMU is given it."""
    here = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{SWITCH}", os.O_RDONLY)
    try:
        setns(f"/proc/self/fd/{there}")
        tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(tap, 0x400454CA, struct.pack("16sH22x", b"trunk", 0x1002))
    finally:
        setns(f"/proc/self/fd/{here}")
        os.close(here)
        os.close(there)
    return tap


def frame(vlan: int | None, text: bytes) -> bytes:
    tag = b"" if vlan is None else struct.pack("!HH", 0x8100, vlan)
    return b"\xff" * 6 + GUEST + tag + struct.pack("!H", ETHERTYPE) + text.ljust(46, b"\0")


def from_host(port: str, text: bytes) -> None:
    def send() -> None:
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as out:
            out.bind((port, 0))
            out.send(frame(None, text))
    in_netns(f"/run/netns/{HOST}", send).result()


def at_guest(tap: int) -> bytes | None:
    return os.read(tap, 2048) if select.select([tap], [], [], 0.5)[0] else None


def at_host(write) -> dict[str, str]:
    """Port → text, of what comes out while something is written."""
    def listen() -> dict[str, str]:
        ports = {}
        for port in ("p10", "p20", "plain"):
            ports[port] = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            ports[port].bind((port, 3))
        found: dict[str, str] = {}
        end = time.monotonic() + 0.8
        while time.monotonic() < end:
            for ready in select.select(list(ports.values()), [], [], 0.1)[0]:
                data = ready.recv(2048)
                if data[12:14] == struct.pack("!H", ETHERTYPE):
                    name = next(port for port, item in ports.items() if item is ready)
                    found[name] = found.get(name, "") + data[14:].rstrip(b"\0").decode()
        return found
    job = in_netns(f"/run/netns/{HOST}", listen)
    time.sleep(0.3)
    write()
    return job.result()


def test_tags_go_on_and_come_off(switch: int) -> None:
    assert in_switch(lambda: trunk.mistakes(NICS)) == [f"{name} carries no program of this wire" for name in ("trunk", "p10", "p20", "plain")]
    in_switch(lambda: trunk.make_wires(NICS))
    assert in_switch(lambda: trunk.mistakes(NICS)) == []
    for port, vlan in (("p10", 10), ("p20", 20), ("plain", None)):
        from_host(port, b"hello")
        assert at_guest(switch) == frame(vlan, b"hello"), port
    sent = [(10, b"ten"), (20, b"twenty"), (None, b"bare"), (30, b"nobody's"), (4094, b"nobody's")]
    assert at_host(lambda: [os.write(switch, frame(vlan, text)) for vlan, text in sent]) == {"p10": "ten", "p20": "twenty", "plain": "bare"}


def test_a_priority_in_the_tag_is_no_other_network(switch: int) -> None:
    in_switch(lambda: trunk.make_wires(NICS))
    assert at_host(lambda: os.write(switch, frame(10 | 5 << 13, b"urgent"))) == {"p10": "urgent"}


def test_without_a_plain_wire_what_has_no_tag_is_dropped(switch: int) -> None:
    nics = [{"tap": "trunk", "wires": [{"vlan": 10, "port": "p10"}]}]
    in_switch(lambda: trunk.make_wires(nics))
    assert at_host(lambda: os.write(switch, frame(None, b"bare"))) == {}


def test_a_changed_wire_is_seen_and_made_again(switch: int) -> None:
    in_switch(lambda: trunk.make_wires(NICS))
    changed = [{"tap": "trunk", "wires": [{"vlan": 11, "port": "p10"}, *NICS[0]["wires"][1:]]}]
    assert in_switch(lambda: trunk.mistakes(changed)) == ["trunk carries no program of this wire", "p10 carries no program of this wire"]
    in_switch(lambda: trunk.make_wires(changed))
    assert at_host(lambda: [os.write(switch, frame(vlan, b"x")) for vlan in (10, 11)]) == {"p10": "x"}
    ip("-n", SWITCH, "link", "set", "p20", "down")
    assert in_switch(lambda: trunk.mistakes(changed)) == ["p20 is down"]
    ip("-n", SWITCH, "link", "delete", "p20")
    assert in_switch(lambda: trunk.mistakes(changed)) == ["p20 is missing"]


def test_a_program_that_the_kernel_refuses_is_explained() -> None:
    with pytest.raises(LabError, match="the kernel takes no BPF program"):
        trunk.load(trunk.instruction(0x95))  # ends without a verdict
