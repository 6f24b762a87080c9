#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: report
short_description: Make the tables, charts and page of a run
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Makes C(summary.json), C(summary.csv), C(report.md), C(report.html) and C(charts/) from C(plan.json) and C(records.jsonl) of a run folder,
    and from nothing else. It opens no connection and needs no device, so it works on the folder of a run that was interrupted or killed;
    such a report is marked as partial.
  - The same records give the same bytes. Files that would not change are not touched.
  - Fails when the folder holds no record at all.
  - Charts need matplotlib on the controller. Without it everything else is made, with a warning.
options:
  run_dir:
    description: The run folder, as a path or as the name of a folder in O(results_dir). The newest run in O(results_dir) unless given.
    type: str
  results_dir:
    description: Folder that holds the run folders.
    type: path
    default: results
  charts:
    description: Draw charts.
    type: bool
    default: true
  endpoint_noise:
    description:
      - Relative noise that these traffic hosts are known for, as a share (V(0.05) is 5 %).
      - The noise used for verdicts is the largest of this, 2 %, and the spread of the baseline.
    type: float
    default: 0.05
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
    details: Reads the folder and says how much of the plan it holds; writes nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
"""

EXAMPLES = r"""
- name: Make the report of the newest run
  routerlab.bench.report:

- name: Make the report of one run
  routerlab.bench.report:
    run_dir: results/20260131T120000Z-lab-quick
  register: made

- name: Show the result
  ansible.builtin.debug:
    msg: "{{ made.text.split('\n') }}"
"""

RETURN = r"""
run_dir:
  description: The run folder.
  returned: success
  type: str
files:
  description: Names of all files of the report, relative to the run folder.
  returned: success and not in check mode
  type: list
  elements: str
page:
  description: Path of the page.
  returned: success and not in check mode
  type: str
partial:
  description: Whether trials of the plan are missing.
  returned: success and not in check mode
  type: bool
trials:
  description: How many trials were planned and recorded, how many are valid, invalid and missing, and how many retries there were.
  returned: success and not in check mode
  type: dict
  sample: {planned: 46, recorded: 46, valid: 45, invalid: 1, missing: 0, retries: 1}
text:
  description: The result table and the path of the page, for a person.
  returned: success
  type: str
bench_closing:
  description: The same text with the run folder; callback P(routerlab.bench.bench_report#callback) prints it as the last lines of the playbook.
  returned: success and not in check mode
  type: dict
"""
