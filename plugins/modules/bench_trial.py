#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: bench_trial
short_description: Measure one trial of a plan and make its record
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Runs the method's module on the host of this task, which is the trial's client, keeps the raw output in the run folder, and returns the record.
  - The callback P(routerlab.bench.bench_report#callback) appends the record to C(records.jsonl). Where that callback is not enabled this action does.
  - A trial that could not be measured gives an invalid record with its reason, and the run goes on.
options:
  run_dir:
    description: The run folder.
    type: path
    required: true
  trial:
    description: Id of the trial in C(plan.json).
    type: str
    required: true
  ports:
    description: Ports that traffic servers listen on.
    type: list
    elements: int
    default: []
  gate:
    description: Result of the gate of this router and profile, with C(passed) and C(failed).
    type: dict
  conditions:
    description: Facts about the router to keep with the record - kernel, offloads, versions, configuration hash.
    type: dict
  hosts:
    description: For each traffic host the facts that M(routerlab.bench.endpoint_info) returned as C(conditions).
    type: dict
  machine:
    description: What carries the router, where it is a virtual machine - hypervisor, processors, memory. Part of what makes results comparable.
    type: dict
  power:
    description:
      - How the router is switched off and on, C(driver) and C(options) of M(routerlab.bench.router_power).
      - A trial during which it lost its power is invalid with the reason C(DUT_DOWN), and so is every later one, at once.
    type: dict
  measurement:
    description: What was measured by tasks before this one. The method is not run then.
    type: dict
  skip_code:
    description: Do not measure, and say this code in the record, such as C(DEPLOY_FAILED).
    type: str
  skip_detail:
    description: Words to go with O(skip_code).
    type: str
    default: ""
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
    details: Measures nothing.
  diff_mode:
    support: none
  platform:
    support: full
    details: The method runs on the host of the task.
  idempotent:
    support: full
    details: It changes nothing on the hosts.
"""

EXAMPLES = r"""
- name: Measure
  routerlab.bench.bench_trial:
    run_dir: results/20260131T120000Z-lab-quick
    trial: "{{ item.id }}"
    ports: [5201, 5202]
  delegate_to: "{{ item.client }}"
  loop: "{{ segment.trials }}"
"""

RETURN = r"""
bench_record:
  description: The run folder and the record, for the callback.
  returned: success
  type: dict
  contains:
    run_dir:
      description: The run folder.
      type: str
    record:
      description: The record, see docs/schema/record-1.schema.json.
      type: dict
"""
