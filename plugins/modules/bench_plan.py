#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: bench_plan
short_description: Plan a run, or pick one up again
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Works out every cell and every trial of a run from the variable C(lab), a suite and the group C(routers), in the order in which they will be
    measured, and writes it to C(plan.json) in a new run folder.
  - Runs on the controller and opens no connection.
options:
  results_dir:
    description: Folder that holds the run folders.
    type: path
    default: results
  suite:
    description: Name of a suite of role C(bench), or the path of a file of the same shape.
    type: str
    default: quick
  trials:
    description: Trials for each cell instead of the suite's number.
    type: int
  seed:
    description: Seed of the order. A new one for each run unless given; it is recorded.
    type: int
  profiles:
    description: Only these profiles of the lab.
    type: list
    elements: str
  scenarios:
    description: Only these scenarios and their baselines.
    type: list
    elements: str
  link_mbps:
    description: Speed of the slowest link in the path, Mbit/s.
    type: float
  tier:
    description: What the numbers are measured on.
    type: str
    default: hardware
    choices: [namespace, container, vm, hardware]
  resume:
    description: Name or path of a run folder. Its plan is kept and only what has no valid record is measured.
    type: str
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
    details: Plans and writes nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: none
    details: Every run has a folder of its own.
"""

EXAMPLES = r"""
- name: Plan the quick suite
  routerlab.bench.bench_plan:
    suite: quick
    tier: namespace
  register: plan

- name: Pick up what a killed run has not measured
  routerlab.bench.bench_plan:
    resume: results/20260131T120000Z-lab-quick
  register: plan
"""

RETURN = r"""
text:
  description: The plan for a person - the matrix of cells, the number of trials, the expected time.
  returned: success
  type: str
run:
  description: Name of the run.
  returned: success
  type: str
run_dir:
  description: The run folder; none in check mode.
  returned: success
  type: str
segments:
  description: For each router the segments in order, each with C(kind), C(profile), C(visit) and the trials to measure.
  returned: success
  type: dict
needs:
  description: For each endpoint the methods that it takes part in, each with C(end) and C(params), for M(routerlab.bench.bench_servers).
  returned: success
  type: dict
  sample: {"lan": [{"method": "iperf3", "end": "server", "params": {"streams": 2}}]}
programs:
  description: For each endpoint the programs that the methods need there (C(needed)) and those that they use where they are (C(wanted)).
  returned: success
  type: dict
  sample: {"lan": {"needed": ["iperf3"], "wanted": ["irtt"]}}
congestion:
  description: For each endpoint the TCP congestion controls that it will be asked for.
  returned: success
  type: dict
endpoints:
  description: Endpoints that take part.
  returned: success
  type: list
  elements: str
unmanaged:
  description: Routers that somebody else configured; nothing is rendered for them or deployed to them.
  returned: success
  type: list
  elements: str
seconds:
  description: Expected time in seconds for what is to be measured.
  returned: success
  type: int
"""
