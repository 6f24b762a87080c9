#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation of the action plugin of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: verify
short_description: Prove that a router does what the lab asks for
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - The gate. Works out from the variable C(lab) what must be true of one router under one profile, and looks whether it is, from the router
    itself, from the traffic hosts and from the neighbouring routers, over the connections that the play uses.
  - Interfaces, addresses and MTU, OSPF adjacencies, learned routes and the routes that must not be there, a real DHCP lease for each pool,
    the source that the far end of a connection sees (translated by NAT, or not), what the firewall drops and what it lets pass,
    the TTL and the size of packets that cross the router.
  - The checks are run by pytest with pytest-testinfra on the controller.
  - By default a failed gate is a result and not an error; see O(fail).
  - A router that is not managed (O(managed)), or that has no Linux shell, is only looked at from outside.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: partial
    details: Returns what would be proven, and sends nothing.
  diff_mode:
    support: none
    details: Changes nothing.
  platform:
    support: full
    details: Traffic hosts and neighbours need Linux with iproute2, Python 3.8 or later, ping, and a DHCP client.
  idempotent:
    support: full
    details: Changes nothing that lasts. Leases are given back, and a route that a probe lends is gone when the probe has ended.
requirements:
  - pytest and pytest-testinfra on the controller
options:
  router:
    description: Name of the router in the lab. The play's host unless given.
    type: str
  profile:
    description: Name of the profile that the router has been brought into. The base description unless given.
    type: str
  managed:
    description: V(false) looks at the router from outside only, whatever the lab says.
    type: bool
  run_dir:
    description: Folder of a run. The result is written there as C(gate/<router>-<profile>.json), what was expected beside it.
    type: path
  fail:
    description: Whether a failed gate fails the task.
    type: bool
    default: false
  ospf_timeout:
    description: Seconds that adjacencies may take, counted from the start of the gate.
    type: float
    default: 60
  routes_timeout:
    description: Seconds that routes may take to come and go, counted from the moment when the adjacencies are Full.
    type: float
    default: 15
  dhcp_timeout:
    description: Seconds that a lease may take.
    type: float
    default: 15
"""

EXAMPLES = r"""
- name: Prove that the router works
  routerlab.bench.verify:
    profile: nat
    fail: true

- name: Prove it and keep the result with the run
  routerlab.bench.verify:
    profile: "{{ router_profile }}"
    run_dir: "{{ bench_plan.run_dir }}"
  register: result

- name: What failed
  ansible.builtin.debug:
    var: result.failed_checks
"""

RETURN = r"""
passed:
  description: Whether everything that the lab asks for, and that can be seen, was seen.
  returned: always
  type: bool
failed_checks:
  description: Names of the failed checks, each once.
  returned: always
  type: list
  elements: str
  sample: [ospf_neighbour_full, source_translated]
gate:
  description: The whole result, as it is written to the run folder.
  returned: always
  type: dict
  contains:
    passed:
      description: As RV(passed).
      type: bool
    failed:
      description: The failed checks, with C(check), C(instance), C(message) and, where the cause is known, C(code).
      type: list
      elements: dict
    checks:
      description: >-
        Every check with its C(status): C(passed); C(failed); C(blocked), because what it builds on has failed; C(not_provable), asked for by the
        lab and not to be seen from anywhere; C(skipped), because the lab does not ask for it.
      type: list
      elements: dict
    counts:
      description: How many checks ended in which status.
      type: dict
    hosts:
      description: System of each host, how many seconds its clock is off the controller's, and MTU and offloads of its interfaces.
      type: dict
    started:
      description: When the gate began, UTC.
      type: str
    finished:
      description: When it ended, UTC.
      type: str
    seconds:
      description: How long it took.
      type: float
table:
  description: The result, or in check mode what would be proven, as lines for a person.
  returned: always
  type: list
  elements: str
seconds:
  description: How long the gate took.
  returned: always
  type: float
file:
  description: Where the result was written.
  returned: when O(run_dir) is given
  type: str
expectations:
  description: What would be proven.
  returned: in check mode
  type: dict
"""
