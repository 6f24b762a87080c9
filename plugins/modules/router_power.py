#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Power of a router."""

from __future__ import annotations

DOCUMENTATION = r"""
module: router_power
short_description: Switch a router off and on, and say when exactly
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Cuts the power of a router, or gives it back, through whatever holds its plug. Off is hard - nothing is shut down.
  - Runs where the plug is reached from; for virtual machines of M(routerlab.bench.vm_lab) that is the machine which carries them.
options:
  driver:
    description: Who holds the plug.
    type: str
    choices: [qemu]
    required: true
  options:
    description: What the driver needs to find the router. V(qemu) takes C(prefix) and C(machine), as in M(routerlab.bench.vm_lab).
    type: dict
    required: true
  state:
    description: V(query) only looks.
    type: str
    choices: ["on", "off", query]
    default: query
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.posix
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
"""

EXAMPLES = r"""
- name: Pull the plug
  routerlab.bench.router_power:
    driver: qemu
    options: {prefix: vm, machine: dut}
    state: "off"
"""

RETURN = r"""
"on":
  description: Whether the router has power now.
  type: bool
  returned: success
epoch:
  description: When the power came on, in seconds since the epoch, on the clock of whoever holds the plug.
  type: float
  returned: when it was switched on
event:
  description: Where that time comes from.
  type: str
  returned: when it was switched on
call_s:
  description: How long the call took that switched it on; the time is at most that wrong.
  type: float
  returned: when it was switched on
clock:
  description: Identity of that clock, the C(boot_id) of its kernel.
  type: str
  returned: when it was switched on
detail:
  description: What is known of the router.
  type: str
  returned: when queried
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._power._known import DRIVERS
from ansible_collections.routerlab.bench.plugins.module_utils._power._power import PowerError


def main() -> None:
    """The door: a driver and a state in, what happened out."""
    module = AnsibleModule(
        argument_spec={
            "driver": {"type": "str", "choices": sorted(DRIVERS), "required": True},
            "options": {"type": "dict", "required": True},
            "state": {"type": "str", "choices": ["on", "off", "query"], "default": "query"},
        },
        supports_check_mode=True,
    )
    driver, options, wanted = DRIVERS[module.params["driver"]], module.params["options"], module.params["state"]
    try:
        seen = driver.state(options)
        if wanted == "query":
            module.exit_json(changed=False, **seen)
        if module.check_mode:
            module.exit_json(changed=seen["on"] != (wanted == "on"), on=wanted == "on")
        module.exit_json(**(driver.on(options) if wanted == "on" else driver.off(options)))
    except PowerError as error:
        module.fail_json(msg=str(error))


if __name__ == "__main__":
    main()
