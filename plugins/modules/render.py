# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation of the action render, which does the work on the controller."""

from __future__ import annotations

DOCUMENTATION = r"""
module: render
short_description: Render the configuration of a router
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Writes every file of one router's configuration, from the variable C(lab), in the language of its platform.
  - One step for a router, whatever the number of its files and profiles. Runs on the controller and opens no connection.
  - Files of one configuration are written all or not at all. Files that an earlier rendering wrote and this one does not are removed; other
    files in the folder stay.
  - The base description goes to C(<dest>/<lab>/<router>/), a profile to C(<dest>/<lab>/profiles/<profile>/<router>/), each with a
    C(manifest.json) that says where the files go on the router and what their sums are.
  - The lab must have been checked as a whole by M(routerlab.bench.lab_check).
  - Files that hold secrets have mode 0600 and are not shown in a diff.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
    details: Says what would be written.
  diff_mode:
    support: full
    details: Shows the files' changes, without secrets.
  platform:
    support: full
  idempotent:
    support: full
    details: The same lab gives the same bytes.
options:
  router:
    description: The router's name in the lab. The variable C(router_name), else the inventory's host name, unless given.
    type: str
  platform:
    description: The platform that the router must have; a different one in the lab is an error. The variable C(router_platform) unless given.
    type: str
  dest:
    description:
      - Folder of rendered files, seen from where C(ansible-playbook) was started.
      - The variable C(router_build_dir), else C(build), unless given.
    type: path
  profiles:
    description: The profiles to render; all that the router takes part in unless given.
    type: list
    elements: str
  base:
    description: Whether to render the description without a profile too.
    type: bool
    default: true
"""

EXAMPLES = r"""
- name: Render every router of the lab
  hosts: routers
  gather_facts: false
  tasks:
    - name: Check the lab
      routerlab.bench.lab_check:

    - name: Render this router
      routerlab.bench.render:
"""

RETURN = r"""
files:
  description: Files that differ from what was there.
  returned: success
  type: list
  elements: str
  sample: [build/lab/dut/frr.conf, build/lab/dut/manifest.json]
folders:
  description: The folders of this router, the base description first.
  returned: success
  type: list
  elements: str
  sample: [build/lab/dut, build/lab/profiles/nat/dut]
"""
