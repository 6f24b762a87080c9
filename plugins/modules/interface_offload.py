#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Offloads of a host's interfaces."""

from __future__ import annotations

DOCUMENTATION = r"""
module: interface_offload
short_description: Switch offloads of interfaces off, and put them back
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - A packet rate says something only where a packet of the traffic is a packet of the wire. Segmentation and receive offloads make one of many.
  - The state before the first change is kept on the host, and put back with O(state=restored), also after a play that was killed.
  - Features that the driver does not let be changed stay as they are; RV(offloads) says so.
options:
  state:
    description: V(off) switches O(features) off; V(restored) puts back what was there before; V(present) only reads.
    type: str
    choices: [present, 'off', restored]
    default: present
  peers:
    description: Addresses; meant are the interfaces that packets to them leave by.
    type: list
    elements: str
    default: []
  interfaces:
    description: Names of interfaces.
    type: list
    elements: str
    default: []
  features:
    description: Short names of ethtool.
    type: list
    elements: str
    default: [tso, gso, gro, lro]
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
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
  - module: routerlab.bench.packet_run
"""

EXAMPLES = r"""
- name: Packets of the wire on the interface towards the far host
  routerlab.bench.interface_offload:
    state: 'off'
    peers: [10.222.222.12]

- name: As it was before
  routerlab.bench.interface_offload:
    state: restored
    peers: [10.222.222.12]
"""

RETURN = r"""
offloads:
  description: For each interface the state of each offload now.
  returned: always
  type: dict
  sample: {"eth0": {"tso": "off", "gso": "off", "gro": "off", "lro": "off"}}
fixed:
  description: For each interface the features that were asked for and cannot be changed.
  returned: always
  type: dict
  sample: {"eth0": ["lro"]}
counters:
  description: For each interface its packet counters now; null for one that the kernel does not have.
  returned: always
  type: dict
  sample: {"eth0": {"rx_packets": 1204, "rx_bytes": 602114, "tx_packets": 1310, "tx_bytes": 655001}}
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import EndpointError, interface_towards
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_counters import read_counters
from ansible_collections.routerlab.bench.plugins.module_utils._offload import DEFAULT_FEATURES, OffloadError, Offloads


def _one(name: str, given: dict, dry: bool) -> tuple:
    """Whether the interface was changed, its offloads now, and what cannot be changed."""
    interface = Offloads(name)
    changed = False
    if given["state"] == "off":
        changed = interface.off(given["features"], dry)
    elif given["state"] == "restored":
        changed = interface.restore(dry)
    now = interface.now()
    fixed = [feature for feature in given["features"] if feature in now and not now[feature][1]]
    return changed, {feature: state for feature, (state, _free) in now.items()}, fixed


def main() -> None:
    """The door: interfaces in, their offloads out."""
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["present", "off", "restored"], "default": "present"},
            "peers": {"type": "list", "elements": "str", "default": []},
            "interfaces": {"type": "list", "elements": "str", "default": []},
            "features": {"type": "list", "elements": "str", "default": list(DEFAULT_FEATURES)},
        },
        required_one_of=[("peers", "interfaces")],
        supports_check_mode=True,
    )
    try:
        names = dict.fromkeys(list(module.params["interfaces"]) + [interface_towards(peer) for peer in module.params["peers"]])
        found = {name: _one(name, module.params, module.check_mode) for name in names}
    except (EndpointError, OffloadError, OSError) as error:
        module.fail_json(msg=str(error))
        return
    module.exit_json(
        changed=any(changed for changed, _now, _fixed in found.values()),
        offloads={name: now for name, (_changed, now, _fixed) in found.items()},
        fixed={name: fixed for name, (_changed, _now, fixed) in found.items()},
        counters={name: read_counters(name) for name in found},
    )


if __name__ == "__main__":
    main()
