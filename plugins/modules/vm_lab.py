#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: vm_lab
short_description: Build, repair and remove the virtual machines of a lab
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Builds QEMU machines whose network cards lead into a lab made by M(routerlab.bench.netns_lab). One card can carry several networks as an 802.1Q trunk.
  - Builds their disk images from a distribution's packages with mmdebstrap, once for each recipe. Nothing is downloaded but packages.
  - Uses KVM where a guest kernel really gets to its init under it, and QEMU's own translation otherwise.
  - The wires are small BPF programs that put tags on and take them off, so this machine's kernel needs no 802.1Q, no bridge and no switch.
  - Management is a port of 127.0.0.1, apart from the test traffic, by SSH with keys that are made for this lab. The machine reaches nothing through it.
  - What a killed run left behind is found by pid and start time, never by name. A machine dies with the namespaces of its lab, and after
    O(machines[].max_seconds).
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: Names the machines that would be made again.
  platform:
    support: full
  idempotent:
    support: full
requirements:
  - root
  - qemu-system-x86, qemu-utils, mmdebstrap, e2fsprogs, openssh-client, iproute2
  - Linux 5.2 or newer with the traffic control actions and BPF that every distribution has
options:
  prefix:
    description: The lab, as M(routerlab.bench.netns_lab) calls it.
    type: str
    default: vm
  state:
    description: Whether the machines should be there.
    type: str
    choices: [absent, present]
    default: present
  switch:
    description: The namespace node in which the wires end; a node of role C(router) with one port for each network.
    type: str
    default: switch
  owner:
    description: Number of the user who may read the login key; the one who runs the playbook.
    type: int
    default: 0
  cache_dir:
    description: Where images are kept.
    type: path
    default: /var/cache/routerlab/vm
  accel:
    description: V(auto) tries KVM once for each boot of this machine.
    type: str
    choices: [auto, kvm, tcg]
    default: auto
  nice:
    description: How much QEMU steps back for others.
    type: int
    default: 0
  probe_seconds:
    description: How long a guest kernel may take to its init before KVM counts as broken.
    type: float
    default: 15
  boot_timeout:
    description: Seconds within which a machine's SSH server has to answer.
    type: float
    default: 240
  images:
    description:
      - Recipes by name, each with C(suite), C(components), C(packages), C(size) in MiB, C(append) (kernel command line), C(files), C(enable), C(disable),
        C(mask) and optionally C(mirror).
      - A changed recipe is another image. The old one is removed.
    type: dict
    default: {}
  machines:
    description: The machines.
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description: Name of the machine.
        type: str
        required: true
      image:
        description: One of O(images).
        type: str
        required: true
      memory:
        description: MiB. Under translation QEMU takes up to 256 MiB on top.
        type: int
        default: 512
      cpus:
        description: Virtual processors.
        type: int
        default: 2
      persist:
        description:
          - With V(false) what the machine writes vanishes with its QEMU process; it survives a reboot from inside.
          - With V(true) it also survives being switched off, and vanishes with the lab. The image stays clean either way.
        type: bool
        default: false
      management_port:
        description: Port of 127.0.0.1 that leads to the machine's SSH server.
        type: int
        required: true
      max_seconds:
        description: QEMU ends after this time, whatever became of the run.
        type: int
        default: 21600
      nics:
        description: Network cards for test traffic. The first one is the second card of the machine, after management.
        type: list
        elements: dict
        default: []
        suboptions:
          tap:
            description: Name of its other end, in the network namespace of O(switch).
            type: str
            required: true
          mac:
            description: Its address.
            type: str
            required: true
          offload:
            description: With V(false) packets are as large as on a wire and have finished checksums. With V(true) the card may hand over up to 64 kB at once.
            type: bool
            default: false
          wires:
            description: Where it leads.
            type: list
            elements: dict
            required: true
            suboptions:
              vlan:
                description: The wire's 802.1Q tag on this card. Without one its frames are untagged.
                type: int
              port:
                description: The port of O(switch) at the other end, where frames have no tag.
                type: str
                required: true
"""

EXAMPLES = r"""
- name: A router with two networks on one trunk
  routerlab.bench.vm_lab:
    prefix: vm
    images: "{{ vm_lab_images }}"
    machines:
      - name: dut
        image: debian12
        management_port: 2201
        nics:
          - tap: trunk
            mac: "52:54:00:0d:00:01"
            wires:
              - {vlan: 10, port: lan}
              - {vlan: 20, port: lan2}

- name: Remove it
  routerlab.bench.vm_lab:
    prefix: vm
    state: absent
"""

RETURN = r"""
machines:
  description: For each machine its accelerator (and why that one), image, size and cards.
  type: dict
  returned: always
  sample:
    dut: {accel: tcg, accel_why: "KVM does not work: a guest kernel did not reach its init within 15 s", cpus: 2, memory: 512, port: 2201}
  contains:
    conditions:
      description: What of it belongs into records - hypervisor, processors, memory, card.
      type: dict
built:
  description: Images that were built now.
  type: list
  elements: str
  returned: always
seconds:
  description: How long it took.
  type: float
  returned: always
"""

import os
import platform
import shutil
import time
from typing import Any

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils import _vm_build as build
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError
from ansible_collections.routerlab.bench.plugins.module_utils._vm_spec import check, check_images, check_prefix

PACKAGES = {"qemu-system-x86_64": "qemu-system-x86", "qemu-img": "qemu-utils", "mmdebstrap": "mmdebstrap", "mkfs.ext4": "e2fsprogs",
            "ssh-keygen": "openssh-client", "tc": "iproute2"}
SBIN = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def argument_spec() -> dict[str, Any]:
    text = {"type": "str", "required": True}
    wire = {"vlan": {"type": "int"}, "port": text}
    nic = {"tap": text, "mac": text, "offload": {"type": "bool", "default": False},
           "wires": {"type": "list", "elements": "dict", "required": True, "options": wire}}
    machine = {
        "name": text, "image": text, "memory": {"type": "int", "default": 512}, "cpus": {"type": "int", "default": 2},
        "persist": {"type": "bool", "default": False}, "management_port": {"type": "int", "required": True},
        "max_seconds": {"type": "int", "default": 21600}, "nics": {"type": "list", "elements": "dict", "default": [], "options": nic},
    }
    return {
        "prefix": {"type": "str", "default": "vm"}, "state": {"type": "str", "choices": ["absent", "present"], "default": "present"},
        "switch": {"type": "str", "default": "switch"}, "owner": {"type": "int", "default": 0},
        "cache_dir": {"type": "path", "default": "/var/cache/routerlab/vm"},
        "accel": {"type": "str", "choices": ["auto", "kvm", "tcg"], "default": "auto"}, "nice": {"type": "int", "default": 0},
        "probe_seconds": {"type": "float", "default": 15},
        "boot_timeout": {"type": "float", "default": 240}, "images": {"type": "dict", "default": {}},
        "machines": {"type": "list", "elements": "dict", "default": [], "options": machine},
    }


def missing() -> list[str]:
    """What this machine lacks, each with the way to get it."""
    lacks = ["program '%s' is missing: install Debian package %s" % (program, package)
             for program, package in sorted(PACKAGES.items()) if shutil.which(program, path=SBIN) is None]
    if platform.machine() != "x86_64":
        lacks.append("images are built for x86_64 only, this is %s" % platform.machine())
    if not os.path.exists("/dev/net/tun"):
        lacks.append("/dev/net/tun is missing: load the kernel module tun")
    return lacks


def main() -> None:
    module = AnsibleModule(argument_spec=argument_spec(), supports_check_mode=True)
    lab = module.params
    started = time.monotonic()
    if os.geteuid() != 0:
        module.fail_json(msg="vm_lab needs root for taps and images: run as root, or with become: true")
    present = lab["state"] == "present"
    errors = check(lab) + check_images(lab["images"]) if present else check_prefix(lab["prefix"])
    if errors:
        module.fail_json(msg="the description of the machines has %d mistake(s):\n- %s" % (len(errors), "\n- ".join(errors)), errors=errors)
    errors = missing() if present else []
    if errors:
        module.fail_json(msg="this machine cannot carry virtual machines:\n- %s" % "\n- ".join(errors), errors=errors)
    try:
        with build.locked(lab["prefix"]):
            result = build.present(lab, module.check_mode) if present else build.absent(lab["prefix"], module.check_mode)
    except (LabError, OSError) as error:
        module.fail_json(msg="machines of lab '%s': %s" % (lab["prefix"], error))
    module.exit_json(changed=result["changed"], diff={"before": result["before"], "after": result["after"]}, machines=result["machines"],
                     built=result["built"], seconds=round(time.monotonic() - started, 3))


if __name__ == "__main__":
    main()
