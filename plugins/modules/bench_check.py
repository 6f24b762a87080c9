#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: bench_check
short_description: Check that everything planned was measured
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Compares C(plan.json) with C(records.jsonl) of a run folder and fails when trials are missing or invalid, naming each cell with the numbers of
    the trials and the reasons. Fails, too, when the gate of a router failed, naming the checks.
  - A callback cannot fail a play. This can, so a playbook that measured less than it planned exits with an error.
options:
  run_dir:
    description: The run folder, as a path or as the name of a folder in O(results_dir). The newest run in O(results_dir) unless given.
    type: str
  results_dir:
    description: Folder that holds the run folders.
    type: path
    default: results
  allow_invalid:
    description: Count a trial with an invalid record as measured, so that only missing trials fail.
    type: bool
    default: false
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
    details: It only reads, so it does the same.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
"""

EXAMPLES = r"""
- name: Check that everything planned was measured
  routerlab.bench.bench_check:
    run_dir: results/20260131T120000Z-lab-quick
"""

RETURN = r"""
msg:
  description: What is missing, or that nothing is.
  returned: always
  type: str
planned:
  description: Number of planned trials.
  returned: when the folder could be read
  type: int
missing:
  description: Trials without a record.
  returned: when the folder could be read
  type: list
  elements: str
invalid:
  description: Trials whose record is invalid.
  returned: when the folder could be read
  type: list
  elements: str
failed_gates:
  description: For each router and profile whose gate failed, the checks that failed.
  returned: when the folder could be read
  type: dict
  sample: {dut/nat: [dhcp_lease, source_translated]}
problems:
  description: What is wrong with the files of the run, such as a torn last line.
  returned: when the folder could be read
  type: list
  elements: str
run_dir:
  description: The run folder.
  returned: when the folder could be read
  type: str
"""
