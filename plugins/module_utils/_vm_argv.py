# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""QEMU's command line for one machine. Pure: file descriptors of taps are filled in when it is started."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._vm_accel import KVM, QEMU
from ansible_collections.routerlab.bench.plugins.module_utils._vm_spec import management_mac

# Room for translated code. QEMU would take a gigabyte beside the machine's own memory.
TRANSLATED_MIB = 256
# Packets as large as on a wire, with finished checksums.
NO_OFFLOAD = ",csum=off,guest_csum=off,gso=off,guest_tso4=off,guest_tso6=off,guest_ecn=off,guest_ufo=off,host_tso4=off,host_tso6=off,host_ecn=off,host_ufo=off"


def option(text: str) -> str:
    """A value within QEMU's comma-separated options."""
    return text.replace(",", ",,")


def disks(machine: dict[str, Any], image: dict[str, Any], paths: dict[str, str]) -> list[str]:
    """The system disk (an overlay that outlives QEMU, or writes that vanish with it) and the disk with what the lab gives the machine."""
    root = ("file=%s,format=qcow2" % option(paths["overlay"])) if machine["persist"] else ("file=%s,format=raw,snapshot=on" % option(image["disk"]))
    return [
        "-drive", root + ",if=none,id=root,cache=writeback,discard=unmap", "-device", "virtio-blk-pci,drive=root,serial=root",
        "-drive", "file=%s,format=raw,if=none,id=seed,readonly=on" % option(paths["seed"]), "-device", "virtio-blk-pci,drive=seed,serial=seed",
    ]


def cards(prefix: str, machine: dict[str, Any]) -> list[str]:
    """Management first, so that it is eth0; then one card for each tap. The guest reaches nothing through management."""
    argv = ["-netdev", "user,id=management,restrict=on,hostfwd=tcp:127.0.0.1:%d-:22" % machine["management_port"],
            "-device", "virtio-net-pci,netdev=management,mac=%s" % management_mac(prefix, machine["name"])]
    for nic in machine["nics"]:
        # A tap takes headers for big and half-finished packets or it does not: both ends have to agree.
        argv += ["-netdev", "tap,id=%s,fd={fd:%s}" % (nic["tap"], nic["tap"]),
                 "-device", "virtio-net-pci,netdev=%s,mac=%s%s" % (nic["tap"], nic["mac"], "" if nic["offload"] else NO_OFFLOAD)]
    return argv


def argv_of(prefix: str, machine: dict[str, Any], image: dict[str, Any], paths: dict[str, str], accel: str) -> list[str]:
    argv = [QEMU, "-name", "%s-%s" % (prefix, machine["name"]), "-machine", "q35", "-nodefaults", "-no-user-config", "-display", "none"]
    argv += ["-accel", accel if accel == KVM else "tcg,thread=multi,tb-size=%d" % TRANSLATED_MIB, "-cpu", "host" if accel == KVM else "max"]
    argv += ["-smp", str(machine["cpus"]), "-m", str(machine["memory"])]
    argv += ["-kernel", image["kernel"], "-initrd", image["initrd"], "-append", image["append"]]
    argv += disks(machine, image, paths) + cards(prefix, machine)
    console = "socket,id=serial,path=%s,server=on,wait=off,logfile=%s" % (option(paths["serial"]), option(paths["log"]))
    argv += ["-device", "virtio-rng-pci", "-chardev", console, "-serial", "chardev:serial", "-qmp",
             "unix:%s,server=on,wait=off" % option(paths["qmp"]), "-S"]
    return argv
