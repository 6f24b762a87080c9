#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The conditions of a traffic host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: endpoint_info
short_description: Record what a traffic host is
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Reads the facts of a traffic host that decide whether two results may be compared - kernel, processors, governor, TCP defaults, and per interface MTU,
    driver, offloads, queues and queueing discipline - and the versions of the programs that make traffic.
  - Changes nothing, and reads nothing that names the machine.
options:
  interfaces:
    description: Interfaces to describe. Without O(interfaces) and O(peers) all that are up, the loopback left out.
    type: list
    elements: str
    default: []
  peers:
    description: Addresses; the interface that leads to each is described.
    type: list
    elements: str
    default: []
  congestion:
    description: Congestion controls of TCP that are tried on a socket.
    type: list
    elements: str
    default: []
  programs:
    description: Programs to ask for their versions.
    type: list
    elements: str
    default: [iperf3, ethtool, ip]
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
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
- name: What is this host, on the way to the far end?
  routerlab.bench.endpoint_info:
    peers: [10.254.254.10]
  register: host
"""

RETURN = r"""
conditions:
  description: Flat facts; what the host does not say is null.
  returned: always
  type: dict
  sample:
    kernel: Linux 6.1.0-18-amd64
    governor: performance
    congestion_default: cubic
    eth0.mtu: 1500
    eth0.driver: virtio_net
    eth0.offload.gro: "on"
    program.iperf3: "3.12"
missing:
  description: Programs of O(programs) that are not installed.
  returned: always
  type: list
  elements: str
missing_named:
  description: The same with the Debian package of each, where it is known.
  returned: always
  type: list
  elements: str
  sample: [ethtool (Debian package ethtool)]
congestion_refused:
  description: Algorithms of O(congestion) that this host does not give to a program, each with the reason and those that it offers.
  returned: always
  type: dict
  sample: {cubicc: "No such file or directory; net.ipv4.tcp_available_congestion_control: reno cubic"}
os_family:
  description: The distribution and those it descends from, as C(/etc/os-release) names them.
  returned: always
  type: list
  elements: str
  sample: [ubuntu, debian]
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import EndpointError, gather, parse_os, refused_congestion
from ansible_collections.routerlab.bench.plugins.module_utils._programs import named


def main() -> None:
    """The door: facts out."""
    module = AnsibleModule(
        argument_spec={
            "interfaces": {"type": "list", "elements": "str", "default": []},
            "peers": {"type": "list", "elements": "str", "default": []},
            "congestion": {"type": "list", "elements": "str", "default": []},
            "programs": {"type": "list", "elements": "str", "default": ["iperf3", "ethtool", "ip"]},
        },
        supports_check_mode=True,
    )
    given = module.params
    try:
        conditions, missing = gather(given["interfaces"], given["peers"], given["programs"])
    except EndpointError as error:
        module.fail_json(msg=str(error))
    release = Path("/etc/os-release")
    system = parse_os(release.read_text() if release.exists() else "")
    family = [name for name in [system.get("ID", "")] + system.get("ID_LIKE", "").split() if name]
    refused = refused_congestion(given["congestion"])
    module.exit_json(
        changed=False, conditions=conditions, missing=missing, missing_named=[named(name) for name in missing], os_family=family, congestion_refused=refused
    )


if __name__ == "__main__":
    main()
