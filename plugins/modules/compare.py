#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: compare
short_description: Put two or more runs side by side
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Compares the cells of one run with those of others - the same profile of the same router where the runs share one, the same profile of different
    routers otherwise - by the same rules as within a run, and makes C(comparison.json), C(summary.csv), C(report.md), C(report.html) and C(charts/).
  - Two numbers may share an axis only when they were measured alike. Runs whose comparability fields differ (parameters, endpoints' kernels and tool
    versions, MTU, offloads, congestion control, tier) are refused, every differing field named. With O(force) they are drawn apart instead.
  - The router, its version and its configuration are what is compared; they are stated, and never a reason to refuse.
  - Opens no connection.
options:
  runs:
    description: Two or more run folders, as paths or as names of folders in O(results_dir), the earlier one first.
    type: list
    elements: str
    required: true
  results_dir:
    description: Folder that holds the run folders.
    type: path
    default: results
  output:
    description: Folder for the comparison. A folder named after the runs in O(results_dir) unless given.
    type: path
  force:
    description: Draw runs that were not measured alike in charts apart from each other, instead of refusing.
    type: bool
    default: false
  charts:
    description: Draw charts.
    type: bool
    default: true
  endpoint_noise:
    description: Relative noise that these traffic hosts are known for, as a share.
    type: float
    default: 0.05
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
    details: Compares and writes nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
"""

EXAMPLES = r"""
- name: What did the new version change
  routerlab.bench.compare:
    runs:
      - results/20260131T120000Z-lab-quick
      - results/20260207T120000Z-lab-quick
"""

RETURN = r"""
output:
  description: Folder of the comparison.
  returned: success
  type: str
page:
  description: Path of the page.
  returned: success
  type: str
files:
  description: Names of all files of the comparison.
  returned: success
  type: list
  elements: str
changes:
  description: One item for each compared pair, with both medians, their ratio, the adjusted p and which one is shown to be better.
  returned: success
  type: list
  elements: dict
incomparable:
  description: For each scenario that was not measured alike the differing fields with their values.
  returned: success
  type: dict
text:
  description: The table of changes, for a person.
  returned: success
  type: str
bench_closing:
  description: The same text with the folder; callback P(routerlab.bench.bench_report#callback) prints it as the last lines of the playbook.
  returned: success and not in check mode
  type: dict
"""
