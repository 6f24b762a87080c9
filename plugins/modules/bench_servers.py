#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: bench_servers
short_description: Start and stop the traffic servers that the methods of a run need on a host
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Each method says which servers it needs on which end; M(routerlab.bench.bench_plan) collects that for each traffic host.
  - Methods that need the same server share it.
  - One that cannot be stopped does not keep the others from being stopped.
options:
  state:
    description: Whether the servers shall run.
    type: str
    choices: [started, stopped]
    default: started
  needs:
    description: What M(routerlab.bench.bench_plan) returned for this host in C(needs) - a list of C(method), C(end) and C(params).
    type: list
    elements: dict
    required: true
  port:
    description: First port of servers that need several.
    type: int
    default: 5201
  ports:
    description: How many ports they listen on at least.
    type: int
    default: 6
  max_seconds:
    description: Seconds after which all servers end by themselves.
    type: float
    default: 3600.0
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
seealso:
  - module: routerlab.bench.iperf3_server
"""

EXAMPLES = r"""
- name: Start what this run needs
  routerlab.bench.bench_servers:
    needs: "{{ bench_plan.needs[inventory_hostname] }}"
    max_seconds: 1800
"""

RETURN = r"""
servers:
  description: For each server its module and what that returned.
  returned: always
  type: list
  elements: dict
  sample: [{"module": "routerlab.bench.iperf3_server", "changed": true, "ports": [5201, 5202]}]
"""
