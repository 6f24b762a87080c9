#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a router, in one shape for all platforms."""

from __future__ import annotations

DOCUMENTATION = r"""
module: router_info
short_description: Read the state of a router
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Reads platform, version, uptime, licence, processors, interfaces with MTU and offloads, OSPF neighbours, routes, DHCP leases and translated
    connections, in one neutral shape for every platform.
  - What a router does not tell is C(null), never 0 and never an empty list.
  - Changes nothing. Routers with Python are asked by this module, all others by their driver from the controller, over the variables that
    M(routerlab.bench.router_config) uses, too.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.posix
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
options:
  platform:
    description: The router's platform, a name such as V(vyos); it decides which driver asks.
    type: str
    required: true
  driver:
    description: Another driver than the platform's, such as V(vyos_https).
    type: str
"""

EXAMPLES = r"""
- name: What is this router, and what does it do?
  routerlab.bench.router_info:
    platform: vyos
  register: seen

- name: All neighbours are there
  ansible.builtin.assert:
    that: seen.router.ospf_neighbours | selectattr('state', 'equalto', 'Full') | length == 1
"""

RETURN = r"""
router:
  description: The state. Every key is there, with C(null) where the router does not tell.
  returned: success
  type: dict
  contains:
    platform: {description: The platform., type: str, sample: vyos}
    version: {description: What the router says its version is., type: str, sample: 1.4.2}
    hostname: {description: Its own name., type: str, sample: dut}
    kernel: {description: Release of its kernel., type: str, sample: 6.6.32-amd64-vyos}
    uptime_s: {description: Seconds since its start., type: float, sample: 4711.5}
    licence: {description: Name or level of its licence., type: str, sample: free}
    cpu: {description: C(model) and C(count) of its processors., type: dict}
    interfaces: {description: "C(name), C(up), C(mtu), C(addresses), C(offloads) (C(gro), C(gso), C(tso), ... to true or false).", type: list, elements: dict}
    ospf_neighbours: {description: "C(router_id), C(state), C(role), C(address), C(interface).", type: list, elements: dict}
    routes: {description: "C(prefix), C(next_hop), C(interface), C(protocol).", type: list, elements: dict}
    leases: {description: "C(address), C(mac), C(hostname).", type: list, elements: dict}
    nat_sessions: {description: Connections whose source is translated., type: int}
    connections: {description: Connections that are tracked., type: int}
"""

import os
import re
from typing import Dict, Optional

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._command import run

LEASES = ("/var/lib/kea/kea-leases4.csv", "/var/lib/kea/dhcp4.leases", "/var/lib/dhcp/dhcpd.leases")


def _answer(command: str) -> Optional[str]:
    done = run(command, shown=None)
    return done.out if done.good else None


def _leases() -> Optional[str]:
    for path in LEASES:
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as stream:
                return stream.read()
    return None


def main() -> None:
    """Ask everything, read the answers."""
    spec = {"platform": {"type": "str", "required": True}, "driver": {"type": "str"}}
    module = AnsibleModule(argument_spec=spec, supports_check_mode=True)
    answers: Dict[str, Optional[str]] = {section: _answer(command + " 2>/dev/null") for section, command in linux.COMMANDS.items()}
    names = [name for name in re.findall(r"^\d+:\s+([^:@\s]+)", answers["links"] or "", re.MULTILINE) if name != "lo"]
    answers["offloads"] = "".join(_answer("ethtool -k '%s' 2>/dev/null" % name) or "" for name in names)
    answers["leases"] = _leases()
    release = re.search(r'^VERSION_ID="?([^"\n]+)', _answer("cat /etc/os-release") or "", re.MULTILINE)
    known = {"platform": module.params["platform"], "version": release.group(1) if release else None, "hostname": os.uname()[1]}
    module.exit_json(changed=False, router=linux.info_of(answers, **known))


if __name__ == "__main__":
    main()
