#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A DHCP lease by a real client."""

from __future__ import annotations

DOCUMENTATION = r"""
module: dhcp_lease
short_description: Ask for a DHCP lease and give it back
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Runs a real DHCP client on an interface, says what the server offered, and gives the lease back.
  - Addresses, routes and resolvers of the host stay as they are, because the client's script only writes down what it is told. The client shows an
    identifier of its own, so a lease that the host itself holds is another one for the server.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: partial
    details: Sends nothing and says so.
  diff_mode:
    support: none
    details: Changes nothing on the host.
  platform:
    support: full
    details: Needs root, because DHCP clients use raw sockets.
  idempotent:
    support: full
    details: The lease is given back, unless O(release) says otherwise.
requirements:
  - udhcpc, busybox or dhclient
options:
  interface:
    description: Interface to ask on.
    type: str
    required: true
  client:
    description: DHCP client to use. V(auto) takes the first that is installed.
    type: str
    choices: [auto, udhcpc, busybox, dhclient]
    default: auto
  timeout:
    description: Seconds to wait for a lease.
    type: int
    default: 15
  release:
    description: Whether the lease is given back.
    type: bool
    default: true
"""

EXAMPLES = r"""
- name: Ask the router for a lease
  routerlab.bench.dhcp_lease:
    interface: eth0
  register: answer

- name: The server hands out the router's own address as gateway
  ansible.builtin.assert:
    that: answer.lease.routers == ['10.222.222.1']
"""

RETURN = r"""
lease:
  description: What the server said. Lists are empty and values are null where it said nothing.
  returned: success
  type: dict
  contains:
    address:
      description: The address.
      type: str
      sample: 10.222.222.100
    prefix_len:
      description: Length of the subnet's prefix.
      type: int
      sample: 24
    routers:
      description: Gateways.
      type: list
      elements: str
    dns:
      description: Resolvers.
      type: list
      elements: str
    domain:
      description: DNS domain.
      type: str
    lease:
      description: Seconds that the lease is good for.
      type: int
      sample: 600
    server:
      description: The server that gave it.
      type: str
    released:
      description: Whether it was given back.
      type: bool
    client:
      description: Program that asked.
      type: str
    argv:
      description: Its command line.
      type: list
      elements: str
    seconds:
      description: How long it took.
      type: float
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._dhcp_lease import CLIENTS, LeaseError, obtain


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "interface": {"type": "str", "required": True},
            "client": {"type": "str", "default": "auto", "choices": ["auto"] + list(CLIENTS)},
            "timeout": {"type": "int", "default": 15},
            "release": {"type": "bool", "default": True},
        },
        supports_check_mode=True,
    )
    if module.check_mode:
        module.exit_json(changed=False, skipped=True, msg="check mode: no server is asked")
    if module.params["timeout"] < 1:
        module.fail_json(msg="timeout: %d is not valid; at least 1 second" % module.params["timeout"])
    try:
        lease = obtain(module.params["interface"], module.params["client"], module.params["timeout"], module.params["release"])
    except LeaseError as error:
        module.fail_json(msg=str(error))
    except OSError as error:
        module.fail_json(msg="the DHCP client could not be run: %s" % error)
    else:
        module.exit_json(changed=False, lease=lease)


if __name__ == "__main__":
    main()
