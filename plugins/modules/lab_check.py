# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation of the action lab_check, which does the work on the controller."""

from __future__ import annotations

DOCUMENTATION = r"""
module: lab_check
short_description: Check the lab before anything is written
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Checks the variable C(lab) as a whole and fails with all its errors at once, each with its path, its value, what would be valid, and the
    file and line where it is written.
  - It looks at the shape (role P(routerlab.bench.lab#role)), at the meaning (addresses, links, references, what each platform can carry), at
    the inventory (groups C(routers) and C(endpoints) name the same hosts as the lab), and at the text of the inventory's files, where YAML 1.1
    reads an octal number, a number of base 60 or a boolean that nobody meant.
  - Runs on the controller, once for all hosts of the play, and opens no connection.
  - Secrets are never shown.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
    details: It only reads, so it does the same.
  diff_mode:
    support: none
    details: There is nothing to compare.
  platform:
    support: full
  idempotent:
    support: full
options:
  scan:
    description:
      - Whether to read the YAML files of the inventory, the C(group_vars) and C(host_vars) beside the playbook, and C(-e @file).
      - Files under Ansible Vault are left out.
    type: bool
    default: true
  hosts:
    description: Whether to compare the lab with the inventory's groups C(routers) and C(endpoints).
    type: bool
    default: true
"""

EXAMPLES = r"""
- name: Check the lab
  routerlab.bench.lab_check:

- name: Check a lab whose hosts are in no inventory
  routerlab.bench.lab_check:
    hosts: false
"""

RETURN = r"""
problems:
  description: Every error that was found.
  returned: always
  type: list
  elements: dict
  contains:
    path:
      description: Where in the lab, with list items by name.
      type: str
      sample: lab.routers[dut].interfaces[lan].address
    value:
      description: What is there, as text; none where something is missing.
      type: str
      sample: "'10.222.223.1/24'"
    message:
      description: What is wrong.
      type: str
      sample: is not in network lan
    valid:
      description: What would be valid.
      type: str
      sample: an address of 10.222.222.0/24
    code:
      description: A word for programs.
      type: str
      sample: OUTSIDE_NETWORK
    file:
      description: File in which it is written, where that is known.
      type: str
      sample: inventories/lab/group_vars/all/lab.yml
    line:
      description: Line in that file.
      type: int
      sample: 24
routers:
  description: Names of the lab's routers.
  returned: success
  type: list
  elements: str
  sample: [dut, upstream]
profiles:
  description: Names of the lab's profiles.
  returned: success
  type: list
  elements: str
  sample: [routing, nat]
"""
