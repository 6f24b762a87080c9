#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A host on the path of a boot measurement."""

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_path
short_description: Prepare a host on the path of a boot measurement
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Makes the neighbour entries of this host's next hops permanent, and answers the probes of M(routerlab.bench.boot) on a UDP port.
  - Without that the kernel gives up on a router that is off and asks again once a second, which shows as boot times in steps of a second.
  - Runs while the router works, before its power is cut.
options:
  state:
    description: V(absent) gives the neighbour entries back to the kernel and ends the echo server.
    type: str
    choices: [present, absent]
    default: present
  echo_port:
    description: UDP port of the echo server.
    type: int
    default: 5299
  max_seconds:
    description: After this time the echo server ends by itself.
    type: float
    default: 7200
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: full
    details: Changes nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: partial
    details: With O(state=present) the neighbours are asked anew each time.
seealso:
  - module: routerlab.bench.boot
"""

EXAMPLES = r"""
- name: Prepare the hosts on both sides of the router
  routerlab.bench.boot_path:
  delegate_to: "{{ item }}"
  loop: [lan, lan2, wan, upstream]
"""

RETURN = r"""
neighbours:
  description: The permanent entries.
  returned: success
  type: list
  elements: dict
  sample: [{"address": "10.222.222.1", "dev": "eth0", "mac": "52:54:00:0d:00:01"}]
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._methods import boot_echo
from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_daemon import BootError, alive, folder_of, read_json, start, stop
from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_neighbours import forget, make_permanent


def main() -> None:
    """The door: parameters in, neighbours out."""
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "echo_port": {"type": "int", "default": 5299},
            "max_seconds": {"type": "float", "default": 7200},
        },
        supports_check_mode=True,
    )
    if os.geteuid() != 0 and not module.check_mode:
        module.fail_json(msg="boot_path needs root for neighbour entries: run as root, or with become: true")
    folder = folder_of("path")
    before = read_json(folder / "neighbours.json").get("entries", [])
    if module.check_mode:
        module.exit_json(changed=(alive(folder) is None) == (module.params["state"] == "present"), neighbours=before)
    try:
        forget(before)
        if module.params["state"] == "absent":
            module.exit_json(changed=stop(folder), neighbours=[])
        entries, silent = make_permanent()
        start(folder, boot_echo, {"neighbours.json": json.dumps({"entries": entries})}, [str(module.params["echo_port"]), str(module.params["max_seconds"])])
    except (BootError, OSError) as error:
        module.fail_json(msg="boot_path: %s" % error)
    for hop in silent:
        module.warn("next hop %s did not answer: its neighbour entry is not permanent" % hop)
    module.exit_json(changed=True, neighbours=entries)


if __name__ == "__main__":
    main()
