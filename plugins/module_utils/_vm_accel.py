# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether KVM truly works: a guest kernel must reach its init. `/dev/kvm` alone says nothing; under some hosts ordinary kernels hang there.

The probe boots the lab's own kernel with an init of a few bytes, which ends QEMU with an exit status that nothing else gives.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
import tempfile
from typing import Any

QEMU = "qemu-system-x86_64"
TCG, KVM = "tcg", "kvm"
REACHED = 42
# iopl(3); out 0xf4, 42; for ever
_CODE = bytes.fromhex("b8ac000000 bf03000000 0f05 66baf400 b82a000000 ef ebfe")


def version() -> str:
    """QEMU's own words for what it is: C(QEMU 7.2.22)."""
    try:
        done = subprocess.run([QEMU, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "QEMU"
    words = done.stdout.decode("utf-8", "replace").split()
    return "QEMU %s" % words[words.index("version") + 1] if "version" in words else "QEMU"


def tiny_init() -> bytes:
    """A static x86-64 program that tells QEMU's exit device that it runs."""
    base, start = 0x400000, 64 + 56
    size = start + len(_CODE)
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base + start, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return header + struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 4096) + _CODE


def cpio(files: dict[str, bytes]) -> bytes:
    """An initramfs of executable files."""
    archive = b""
    for number, (name, data) in enumerate([*sorted(files.items()), ("TRAILER!!!", b"")]):
        fields = (number + 1, 0o100755 if data else 0, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        entry = b"070701" + b"".join(b"%08x" % value for value in fields) + name.encode() + b"\0"
        archive += entry.ljust(-(-len(entry) // 4) * 4, b"\0") + data.ljust(-(-len(data) // 4) * 4, b"\0")
    return archive


def reaches_init(accel: str, kernel: str, seconds: float) -> str | None:
    """Nothing when a kernel under this accelerator gets to its init in time, else why not."""
    with tempfile.NamedTemporaryFile(prefix="routerlab-init-") as initrd:
        initrd.write(cpio({"init": tiny_init()}))
        initrd.flush()
        argv = [QEMU, "-machine", "q35", "-accel", accel, "-cpu", "host" if accel == KVM else "max", "-m", "256", "-nodefaults", "-no-user-config",
                "-display", "none", "-no-reboot", "-device", "isa-debug-exit,iobase=0xf4,iosize=0x04", "-kernel", kernel, "-initrd", initrd.name,
                "-append", "quiet panic=-1"]
        try:
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return "a guest kernel did not reach its init within %g s" % seconds
        except OSError as error:
            return str(error)
    if done.returncode == (REACHED << 1 | 1):
        return None
    words = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return words[-1] if words else "QEMU ended with exit status %d before the guest kernel reached its init" % done.returncode


def _key(kernel: str) -> str:
    """What an answer holds for: this boot of this host, this QEMU, this kernel."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as handle:
        parts = [handle.read().strip(), kernel]
    program = next((path for path in ("/usr/bin/" + QEMU, "/usr/local/bin/" + QEMU) if os.path.exists(path)), "")
    parts.append(str(os.stat(program).st_mtime_ns) if program else "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def choose(wanted: str, kernel: str, cache: str, seconds: float) -> dict[str, Any]:
    """The accelerator to use and why. `auto` tries KVM once for each boot of this machine."""
    if wanted != "auto":
        return {"accel": wanted, "why": "asked for"}
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return {"accel": TCG, "why": "there is no usable /dev/kvm"}
    path = os.path.join(cache, "accel.json")
    key = _key(kernel)
    try:
        with open(path, encoding="utf-8") as handle:
            known = json.load(handle)
    except (OSError, ValueError):
        known = {}
    if known.get("key") != key:
        trouble = reaches_init(KVM, kernel, seconds)
        known = {"key": key, "accel": TCG, "why": "KVM does not work: " + trouble} if trouble else {"key": key, "accel": KVM, "why": "KVM works"}
        with open(path + ".new", "w", encoding="utf-8") as handle:
            json.dump(known, handle)
        os.rename(path + ".new", path)
    return {"accel": known["accel"], "why": known["why"]}
