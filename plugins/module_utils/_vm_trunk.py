# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The far end of a machine's wires, made of small BPF programs: 802.1Q tags are put on and taken off without the kernel's 802.1Q support.

A machine's network card ends in a tap. Each wire of it leads to one port of the same network namespace: frames from the port get the wire's tag and
go to the tap, frames from the tap lose theirs and go to the port. Tagging itself is part of every kernel's core; only VLAN *devices* are an option.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import platform
import socket
import struct
import tempfile
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import (
    CLONE_NEWNS,
    MS_PRIVATE,
    MS_REC,
    LabError,
    detach,
    mount,
    run,
    run_json,
    unshare,
)

# linux/bpf.h
_SYSCALL = {"x86_64": 321, "aarch64": 280}
_PROG_LOAD, _OBJ_PIN = 5, 6
_SCHED_CLS = 3
_VLAN_PUSH, _VLAN_POP, _REDIRECT = 18, 19, 23
_SKB_VLAN_PRESENT, _SKB_VLAN_TCI = 20, 24
_SHOT = 2
_ETH_8021Q = 0x0081  # 0x8100 as the network writes it
_LOG = 65536


def instruction(code: int, dst: int = 0, src: int = 0, off: int = 0, imm: int = 0) -> bytes:
    return struct.pack("<BBhi", code, (src << 4) | dst, off, imm)


def _set(register: int, value: int) -> bytes:
    return instruction(0xB7, register, imm=value)


def _call(helper: int) -> bytes:
    return instruction(0x85, imm=helper)


_EXIT = instruction(0x95)
_DROP = _set(0, _SHOT) + _EXIT


def _unless(register: int, value: int, body: bytes) -> bytes:
    """Run the body only if the register equals the value."""
    return instruction(0x55, register, off=len(body) // 8, imm=value) + body


def _send(ifindex: int) -> bytes:
    return _set(1, ifindex) + _set(2, 0) + _call(_REDIRECT) + _EXIT


def from_port(tap: int, vlan: int | None) -> bytes:
    """What a port does with a frame: tag it, and out of the tap."""
    if vlan is None:
        return _send(tap)
    tag = instruction(0xBF, 6, 1) + _set(2, _ETH_8021Q) + _set(3, vlan) + _call(_VLAN_PUSH)
    return tag + instruction(0x15, 0, off=2, imm=0) + _DROP + _send(tap)


def from_tap(wires: list[tuple[int | None, int]]) -> bytes:
    """What the tap does with a frame: by its tag to the wire's port, without the tag. What belongs to no wire is dropped."""
    untagged = [port for vlan, port in wires if vlan is None]
    program = instruction(0xBF, 6, 1) + instruction(0x61, 7, 6, _SKB_VLAN_PRESENT)
    program += _unless(7, 0, _send(untagged[0]) if untagged else _DROP)
    program += instruction(0x61, 7, 6, _SKB_VLAN_TCI) + instruction(0x57, 7, imm=0x0FFF)
    for vlan, port in wires:
        if vlan is not None:
            program += _unless(7, vlan, instruction(0xBF, 1, 6) + _call(_VLAN_POP) + _send(port))
    return program + _DROP


def name_of(program: bytes) -> str:
    """The name a program is loaded under: equal names are equal programs."""
    return "rl" + hashlib.sha256(program).hexdigest()[:13]


def _bpf(command: int, attributes: bytes) -> int:
    number = _SYSCALL.get(platform.machine())
    if number is None:
        raise LabError("the wires of virtual machines are made on %s only, this is %s" % (" and ".join(sorted(_SYSCALL)), platform.machine()))
    libc = ctypes.CDLL(None, use_errno=True)
    block = ctypes.create_string_buffer(attributes.ljust(128, b"\0"), 128)
    result = int(libc.syscall(ctypes.c_long(number), ctypes.c_int(command), ctypes.byref(block), ctypes.c_uint(128)))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def load(program: bytes) -> int:
    """Hand a program to the kernel; its file descriptor."""
    code = ctypes.create_string_buffer(program, len(program))
    licence = ctypes.create_string_buffer(b"GPL")
    log = ctypes.create_string_buffer(_LOG)
    block = struct.pack("<IIQQIIQII16s", _SCHED_CLS, len(program) // 8, ctypes.addressof(code), ctypes.addressof(licence), 1, _LOG,
                        ctypes.addressof(log), 0, 0, name_of(program).encode())
    try:
        return _bpf(_PROG_LOAD, block)
    except OSError as error:
        said = log.value.decode("ascii", "replace").strip()[-500:]
        raise LabError("the kernel takes no BPF program for the wires (%s)%s" % (error.strerror, ": " + said if said else "")) from error


def _attach(folder: str, device: str, program: bytes) -> None:
    descriptor = load(program)
    path = os.path.join(folder, name_of(program))
    text = ctypes.create_string_buffer(path.encode())
    try:
        if not os.path.exists(path):
            _bpf(_OBJ_PIN, struct.pack("<QII", ctypes.addressof(text), descriptor, 0))
        run(["tc", "qdisc", "replace", "dev", device, "clsact"])
        run(["tc", "filter", "delete", "dev", device, "ingress"], check=False)  # there is none at first
        run(["tc", "filter", "add", "dev", device, "ingress", "prio", "1", "protocol", "all", "bpf", "direct-action", "object-pinned", path])
    finally:
        os.close(descriptor)


def programs(nics: list[dict[str, Any]]) -> dict[str, bytes]:
    """Device → its program, by the interface numbers of this network namespace."""
    wanted = {}
    for nic in nics:
        tap = socket.if_nametoindex(nic["tap"])
        wires = [(wire.get("vlan"), socket.if_nametoindex(wire["port"])) for wire in nic["wires"]]
        wanted[nic["tap"]] = from_tap(wires)
        for wire in nic["wires"]:
            wanted[wire["port"]] = from_port(tap, wire.get("vlan"))
    return wanted


def attached(device: str) -> set[str]:
    """Names of the BPF programs on a device's way in."""
    found = run_json(["tc", "-j", "filter", "show", "dev", device, "ingress"])
    return {str(item["options"]["prog"]["name"]) for item in found if "prog" in item.get("options", {})}


def make_wires(nics: list[dict[str, Any]]) -> None:
    """Runs in a child, within the network namespace in which the wires end. The pins are only for tc and go with the child's mounts."""
    unshare(CLONE_NEWNS)
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    folder = tempfile.mkdtemp(prefix="routerlab-bpf-")
    try:
        mount("bpf", folder, "bpf")
        for device, program in programs(nics).items():
            if name_of(program) not in attached(device):
                _attach(folder, device, program)
    finally:
        with contextlib.suppress(OSError):
            detach(folder)
        os.rmdir(folder)


def mistakes(nics: list[dict[str, Any]]) -> list[str]:
    """What of the wires is not as it should be; runs within their network namespace."""
    there = {link["ifname"]: link for link in run_json(["ip", "-j", "link", "show"])}
    ends = [nic["tap"] for nic in nics] + [wire["port"] for nic in nics for wire in nic["wires"]]
    wrong = ["%s is missing" % name for name in ends if name not in there]
    wrong += ["%s is down" % name for name in ends if name in there and "UP" not in there[name].get("flags", [])]
    if any("missing" in text for text in wrong):
        return wrong
    return wrong + ["%s carries no program of this wire" % device for device, program in programs(nics).items() if name_of(program) not in attached(device)]
