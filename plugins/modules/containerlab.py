# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: containerlab
short_description: Write a lab as a topology of containerlab
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Writes a topology file for containerlab from the variable C(lab), and an inventory that points at its nodes.
  - The inventory holds the same lab; only the names of the routers' ports are those of the images.
  - A network with two untagged members becomes a link. Networks with VLAN tags or more members, and the second path of the traffic
    hosts, meet in a node C(switch), a Linux bridge that filters VLANs.
  - Routers that somebody else configures (C(managed=false)) become containers with FRR.
  - Containers and nested machines on one host are no benchmark fabric. The inventory sets C(bench_tier=container), and reports say so.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.controller
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
options:
  dest:
    description: Folder that is written; C(build/LAB/containerlab) unless given.
    type: path
  images:
    description:
      - Container images by node or by platform, and for C(endpoint), C(switch) and C(neighbour).
      - Images of commercial systems have to be made by their users; the names that containerlab's own documentation uses are taken unless given.
    type: dict
    default: {}
  routers:
    description: Which routers take part, where several stand in for one another (C(slot)); the first of each slot unless given.
    type: list
    elements: str
"""

EXAMPLES = r"""
- name: Write the topology
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Write topology and inventory
      routerlab.bench.containerlab:
        images: {vyos: "vyos:1.5-stream", endpoint: "my/iperf3:3.18"}
"""

RETURN = r"""
folder:
  description: The folder that was written.
  returned: success
  type: str
  sample: build/lab/containerlab
files:
  description: The files in it.
  returned: success
  type: list
  elements: str
  sample: [inventory/hosts.yml, lab.clab.yml]
topology:
  description: The topology, as written.
  returned: success
  type: dict
  sample: {name: lab, topology: {nodes: {}, links: []}}
"""
