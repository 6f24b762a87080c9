#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
module: netns_lab
short_description: Build, repair and remove a lab of network namespaces
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Builds routers, endpoints and the wires between them out of Linux network namespaces on one machine.
  - Every node has network, mount, UTS and PID namespaces of its own. It sees a private copy of C(/etc), its own C(/run), C(/tmp), C(/var/log) and
    daemon state, and behaves like a Debian machine without systemd. When its first process dies, everything inside dies with it.
  - Compares the description with what the kernel has, and changes only what differs. What a killed run left behind is recognised and repaired or removed.
  - Nothing outside the lab's own namespaces changes. A network namespace that somebody else made is refused, never touched.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: Shows what is there and what will be, one fact a line.
  platform:
    support: full
  idempotent:
    support: full
requirements:
  - root
  - iproute2, ethtool, util-linux
  - frr, where a node asks for it
options:
  prefix:
    description:
      - Begins the name of every namespace of this lab, so labs with different prefixes live side by side.
      - Namespaces are called C(<prefix>-<node>), at most 15 characters.
    type: str
    default: lab
  state:
    description: Whether the lab should be there.
    type: str
    choices: [absent, present]
    default: present
  nodes:
    description: The machines of the lab.
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description: Name and host name of the node.
        type: str
        required: true
      role:
        description:
          - A C(router) is under test. Its interfaces are left bare, down and unmanaged unless they are given addresses here.
          - An C(upstream) is a router that belongs to the lab.
          - An C(endpoint) makes or answers traffic. It does not forward.
        type: str
        choices: [router, upstream, endpoint]
        required: true
      tools:
        description: Programs the node needs as if they were installed, though the host has only a private copy of them.
        type: list
        elements: str
        choices: [ifupdown2]
        default: []
      routes:
        description: Static routes. On a node of role C(router) without any, routes are not looked at.
        type: list
        elements: dict
        default: []
        suboptions:
          to:
            description: Destination network, or C(default).
            type: str
            required: true
          via:
            description: Gateway.
            type: str
          dev:
            description: Interface, for a route without a gateway.
            type: str
          metric:
            description: Preference, smaller wins.
            type: int
          type:
            description: What happens to matching packets.
            type: str
            choices: [unicast, blackhole, unreachable, prohibit]
            default: unicast
      sysctls:
        description:
          - Kernel settings below C(net.), as sysctl(8) names them.
          - An endpoint has C(net.ipv4.ip_forward=0) unless this says otherwise.
        type: dict
        default: {}
      frr:
        description: Run FRR in the node with this configuration. C(zebra) and C(staticd) always run with it.
        type: dict
        suboptions:
          daemons:
            description: Further daemons, for example C(ospfd).
            type: list
            elements: str
            default: []
          config:
            description: Text of C(frr.conf). FRR checks it before it is used.
            type: str
            required: true
  segments:
    description: The wires. Two members are a veth pair, more are a bridge in a namespace of its own.
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description: Name of the wire. A bridge's namespace is called C(<prefix>-<name>).
        type: str
        required: true
      bridge:
        description: Use a bridge even for two members.
        type: bool
        default: false
      mtu:
        description: MTU of every end. The interface of a router under test starts with it, and is its own business afterwards.
        type: int
        default: 1500
      offload:
        description:
          - With V(false) segmentation, receive and checksum offload and scatter-gather are off at every end, so that packets are as large as on a real wire.
          - With V(true) they are on, and a veth carries packets of up to 64 kB.
        type: bool
        default: false
      members:
        description: The ends of the wire.
        type: list
        elements: dict
        required: true
        suboptions:
          node:
            description: Name of a node.
            type: str
            required: true
          ifname:
            description: Name of the interface inside the node.
            type: str
            required: true
          addresses:
            description: Addresses with prefix length.
            type: list
            elements: str
            default: []
"""

EXAMPLES = r"""
- name: A router between two endpoints
  routerlab.bench.netns_lab:
    prefix: demo
    nodes:
      - {name: r, role: router}
      - {name: a, role: endpoint, routes: [{to: default, via: 10.1.0.1}]}
      - {name: b, role: endpoint, routes: [{to: default, via: 10.2.0.1}]}
    segments:
      - name: one
        members:
          - {node: r, ifname: eth0}
          - {node: a, ifname: eth0, addresses: [10.1.0.2/24]}
      - name: two
        members:
          - {node: r, ifname: eth1}
          - {node: b, ifname: eth0, addresses: [10.2.0.2/24]}

- name: Remove it with everything inside
  routerlab.bench.netns_lab:
    prefix: demo
    state: absent
"""

RETURN = r"""
prefix:
  description: The lab's prefix.
  type: str
  returned: always
nodes:
  description: Every node with its network namespace, the process that holds it, and its interfaces as read back from the kernel.
  type: dict
  returned: always
  sample:
    lan:
      netns: lab-lan
      pid: 4242
      interfaces:
        eth0: {peer: "dut:eth1", mtu: 1500, mac: "9a:11:24:4a:26:7e", offload: "off", features: {tx-checksumming: false}}
seconds:
  description: How long it took.
  type: float
  returned: always
"""

import os
import shutil
import time
from typing import Any

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils import _netns_build as build
from ansible_collections.routerlab.bench.plugins.module_utils._netns_root import IFUPDOWN2_CACHE, TOOLS, find_tool
from ansible_collections.routerlab.bench.plugins.module_utils._netns_spec import SILENT_ROUTES, check, check_prefix
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError

PACKAGES = {"ip": "iproute2", "ethtool": "ethtool", "nsenter": "util-linux"}
SBIN = "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin"


def _list(options: dict[str, Any], required: bool = False) -> dict[str, Any]:
    common: dict[str, Any] = {"type": "list", "elements": "dict", "options": options}
    return dict(common, required=True) if required else dict(common, default=[])


def argument_spec() -> dict[str, Any]:
    name = {"type": "str", "required": True}
    names = {"type": "list", "elements": "str", "default": []}
    route = {
        "to": name, "via": {"type": "str"}, "dev": {"type": "str"}, "metric": {"type": "int"},
        "type": {"type": "str", "choices": ["unicast", *SILENT_ROUTES], "default": "unicast"},
    }
    node = {
        "name": name, "role": {"type": "str", "choices": ["router", "upstream", "endpoint"], "required": True},
        "tools": dict(names, choices=list(TOOLS)), "routes": _list(route), "sysctls": {"type": "dict", "default": {}},
        "frr": {"type": "dict", "options": {"daemons": names, "config": name}},
    }
    segment = {
        "name": name, "bridge": {"type": "bool", "default": False}, "mtu": {"type": "int", "default": 1500},
        "offload": {"type": "bool", "default": False}, "members": _list({"node": name, "ifname": name, "addresses": names}, True),
    }
    return {
        "prefix": {"type": "str", "default": "lab"}, "state": {"type": "str", "choices": ["absent", "present"], "default": "present"},
        "nodes": _list(node), "segments": _list(segment),
    }


def missing(params: dict[str, Any]) -> list[str]:
    """What this machine lacks, each with the way to get it."""
    lacks = ["program '%s' is missing: install Debian package %s" % (program, package)
             for program, package in sorted(PACKAGES.items()) if shutil.which(program, path=SBIN) is None]
    if any(node["frr"] for node in params["nodes"]) and not os.path.exists("/usr/lib/frr/frrinit.sh"):
        lacks.append("/usr/lib/frr/frrinit.sh is missing: install Debian package frr")
    tools = {tool for node in params["nodes"] for tool in node["tools"]}
    lacks += ["%s is neither installed nor unpacked in %s: run the set-up, or 'apt-get download %s && dpkg-deb -x %s_*.deb %s'"
              % (tool, IFUPDOWN2_CACHE, tool, tool, IFUPDOWN2_CACHE) for tool in sorted(tools) if find_tool(tool) is None]
    return lacks


def main() -> None:
    module = AnsibleModule(argument_spec=argument_spec(), supports_check_mode=True)
    params = module.params
    started = time.monotonic()
    if os.geteuid() != 0:
        module.fail_json(msg="netns_lab needs root to make network namespaces: run as root, or with become: true")
    present = params["state"] == "present"
    errors = check(params) if present else check_prefix(params["prefix"])
    if errors:
        module.fail_json(msg="the description of the lab has %d mistake(s):\n- %s" % (len(errors), "\n- ".join(errors)), errors=errors)
    errors = missing(params) if present else []
    if errors:
        module.fail_json(msg="this machine cannot carry the lab:\n- %s" % "\n- ".join(errors), errors=errors)
    try:
        with build.locked():
            result = build.present(params, module.check_mode) if present else build.absent(params["prefix"], module.check_mode)
    except (LabError, OSError) as error:
        module.fail_json(msg="lab '%s': %s" % (params["prefix"], error))
    for name in result.get("foreign", []):
        module.warn("network namespace %s was not made by this lab and stays" % name)
    module.exit_json(changed=result["changed"], diff={"before": result["before"], "after": result["after"]}, prefix=params["prefix"],
                     nodes=result["nodes"], seconds=round(time.monotonic() - started, 3))


if __name__ == "__main__":
    main()
