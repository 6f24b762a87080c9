#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One boot of a router, seen from this host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: boot
short_description: Measure how long a router takes from power-on to the first packet that it forwards
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Asks every few milliseconds whether the router does its work, on a monotonic clock, from before its power comes on until it works steadily.
  - Publishes the milestones apart - its address answers, SSH, DHCP, forwarding between connected networks, forwarding by a route learned from OSPF.
  - Forwarding counts from the first answered probe after which 95 % are answered for a second.
  - "Takes two tasks with the power in between: O(state=started), then M(routerlab.bench.router_power), then O(state=collected)."
  - The hosts on the path have to be prepared by M(routerlab.bench.boot_path), or boot times come in steps of a second.
options:
  state:
    description: V(started) begins to probe in the background and returns. V(collected) waits for the end and returns the measurement.
    type: str
    choices: [started, collected]
    required: true
  server:
    description: Address of a host behind the router, in a network that the router is connected to. M(routerlab.bench.boot_path) runs there.
    type: str
    required: true
  far_server:
    description: Address of a host that the router reaches by a route learned from OSPF.
    type: str
  echo_port:
    description: UDP port of the echo servers.
    type: int
    default: 5299
  interval_ms:
    description: Milliseconds between two probes, which is the resolution.
    type: float
    default: 20
  timeout:
    description: Seconds after which a router that does not forward is given up.
    type: float
    default: 300
  milestones:
    description: What else is looked for. Without it a boot takes as long as the slowest of them.
    type: list
    elements: str
    choices: [address, ssh, dhcp, forwarded_ospf]
    default: [address, ssh, dhcp, forwarded_ospf]
  kind:
    description: Whether the power was cut and came back, or the router restarted itself. They are different metrics.
    type: str
    choices: [cold, reboot]
    default: cold
  far:
    description: Name of the endpoint whose address is O(far_server); for suites.
    type: str
  power_epoch:
    description: When the power came on, in seconds since the epoch.
    type: float
  power_event:
    description: Where that time comes from.
    type: str
    default: unknown
  power_call_s:
    description: How long the call took that switched it on.
    type: float
  power_clock:
    description: The C(boot_id) of the kernel whose clock O(power_epoch) is of. Another one than this host's is trusted to be synchronised, and flagged.
    type: str
  bootloader_s:
    description: Seconds that the router's bootloader is configured to wait. A second figure leaves them out.
    type: float
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: full
    details: Sends nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
    details: It measures and changes nothing on the host.
seealso:
  - module: routerlab.bench.boot_path
  - module: routerlab.bench.router_power
"""

EXAMPLES = r"""
- name: Begin to probe
  routerlab.bench.boot:
    state: started
    server: 10.222.222.12

- name: Switch the router on
  routerlab.bench.router_power:
    driver: qemu
    prefix: vm
    machine: dut
    state: "on"
  delegate_to: localhost
  register: power

- name: See when it works
  routerlab.bench.boot:
    state: collected
    server: 10.222.222.12
    power_epoch: "{{ power.epoch }}"
"""

RETURN = r"""
clocks:
  description: This host's clocks, with O(state=started).
  returned: started
  type: dict
measurement:
  description: The result of the boot, as M(routerlab.bench.iperf3) returns its own; metrics are seconds since the power came on.
  returned: collected
  type: dict
  sample: {"valid": true, "metrics": {"boot_time": {"value": 31.42, "unit": "s", "direction": ""}}}
"""

import os

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_daemon import BootError
from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_trial import begin, finish

ARGUMENTS = {
    "state": {"type": "str", "choices": ["started", "collected"], "required": True},
    "server": {"type": "str", "required": True},
    "far_server": {"type": "str"},
    "echo_port": {"type": "int", "default": 5299},
    "interval_ms": {"type": "float", "default": 20},
    "timeout": {"type": "float", "default": 300},
    "milestones": {"type": "list", "elements": "str", "choices": ["address", "ssh", "dhcp", "forwarded_ospf"],
                   "default": ["address", "ssh", "dhcp", "forwarded_ospf"]},
    "kind": {"type": "str", "choices": ["cold", "reboot"], "default": "cold"},
    "far": {"type": "str"},
    "power_epoch": {"type": "float"},
    "power_event": {"type": "str", "default": "unknown"},
    "power_call_s": {"type": "float"},
    "power_clock": {"type": "str"},
    "bootloader_s": {"type": "float"},
}


def main() -> None:
    """The door: parameters in, measurement out."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True, required_if=[("state", "collected", ["power_epoch"])])
    params = module.params
    if not 1 <= params["interval_ms"] <= 1000:
        module.fail_json(msg="interval_ms: %g is outside 1 … 1000" % params["interval_ms"])
    if module.check_mode:
        module.exit_json(changed=False, skipped=True, msg="check mode: nothing is sent")
    if os.geteuid() != 0:
        module.fail_json(msg="boot needs root for its probes (ICMP, DHCP): run as root, or with become: true")
    try:
        if params["state"] == "started":
            module.exit_json(changed=False, **begin(params))
        module.exit_json(changed=False, measurement=finish(params))
    except (BootError, OSError) as error:
        module.fail_json(msg="boot: %s" % error)


if __name__ == "__main__":
    main()
