#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One run at one packet rate from this host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: packet_run
short_description: Send packets of one size at one rate, and count them
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - One run of UDP packets by iperf3; a search for the highest rate is made of many of them.
  - The packets are counted twice, by the receiver and by the counters of this host's interface. Where both disagree, the packets on the wire were not of
    the size that was asked for, and the run is flagged C(PACKET_SIZE_NOT_HONOURED).
options:
  server:
    description: Address of the host that runs the servers.
    type: str
    required: true
  ports:
    description: Ports of the pool of servers. O(size_kind=imix) needs three or more.
    type: list
    elements: int
    default: [5201]
  port_index:
    description: Where in O(ports) to begin.
    type: int
    default: 0
  bind:
    description: Local address to send from.
    type: str
  size:
    description: Size of the packets in bytes, as O(size_kind) means it. Not for V(imix).
    type: int
    default: 0
  size_kind:
    description:
      - What O(size) means.
      - V(ip) is the length of the IP packet, V(frame) that of the Ethernet frame with its check sequence and without a tag, V(payload) the payload of the
        datagram, V(imix) a mix of frames of 64, 594 and 1518 bytes, 7 to 4 to 1.
    type: str
    choices: [ip, frame, payload, imix]
    default: ip
  mtu:
    description: MTU of the path.
    type: int
    default: 1500
  pps:
    description: Datagrams per second of all streams together. As fast as possible unless given.
    type: float
  duration:
    description: Seconds.
    type: int
    default: 5
  streams:
    description: Streams; their rates add up to O(pps).
    type: int
    default: 1
  reverse:
    description: The server sends.
    type: bool
    default: false
  link_bps:
    description: Rate of the slowest link on the path in bit/s. A result above what it can carry is invalid.
    type: float
  retries:
    description: Further tries after a run that failed for a reason that may pass.
    type: int
    default: 1
  executable:
    description: The iperf3 to use.
    type: str
    default: iperf3
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: full
    details: Returns the command line as C(measurement.argv) and sends nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
    details: It measures and changes nothing on the host.
seealso:
  - module: routerlab.bench.iperf3_server
  - module: routerlab.bench.interface_offload
"""

EXAMPLES = r"""
- name: 20,000 packets of 512 bytes in every second
  routerlab.bench.packet_run:
    server: 10.222.222.12
    size: 512
    pps: 20000
    duration: 5
  register: result
"""

RETURN = r"""
measurement:
  description: The result of the run, of the same shape as that of M(routerlab.bench.iperf3).
  returned: always
  type: dict
  contains:
    valid:
      description: Whether the numbers count.
      type: bool
    metrics:
      description:
        - C(throughput) is the payload that arrived. C(loss_ratio), C(datagrams_sent), C(datagrams_lost), C(offered_pps) and C(delivered_pps) are about
          datagrams.
        - C(pps_nominal) is the rate divided by the size, C(pps_measured) the packets that were counted.
      type: dict
    raw:
      description: What was printed, as a list of C(name) and C(text).
      type: list
      elements: dict
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import EndpointError, interface_towards
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import plan, problems
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_program import installed
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_trial import measure
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_counters import read_counters
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_run import Run, measure_run
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size

ARGUMENTS = {
    "server": {"type": "str", "required": True},
    "ports": {"type": "list", "elements": "int", "default": [5201]},
    "port_index": {"type": "int", "default": 0},
    "bind": {"type": "str"},
    "size": {"type": "int", "default": 0},
    "size_kind": {"type": "str", "choices": ["ip", "frame", "payload", "imix"], "default": "ip"},
    "mtu": {"type": "int", "default": 1500},
    "pps": {"type": "float"},
    "duration": {"type": "int", "default": 5},
    "streams": {"type": "int", "default": 1},
    "reverse": {"type": "bool", "default": False},
    "link_bps": {"type": "float"},
    "retries": {"type": "int", "default": 1},
    "executable": {"type": "str", "default": "iperf3"},
}
SAME = ("server", "ports", "port_index", "bind", "pps", "duration", "streams", "reverse", "link_bps", "retries")


def _interface(server: str) -> str:
    """Where the packets are counted; an empty name has no counters."""
    try:
        return interface_towards(server)
    except EndpointError:
        return ""


def main() -> None:
    """The door: parameters in, measurement out."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    given = module.params
    program, version, trouble = installed(given["executable"])
    size = Size(given["size_kind"], given["size"], given["mtu"], 6 if ":" in given["server"] else 4)
    run = Run(size=size, program=program, **{name: given[name] for name in SAME})
    found = ([trouble] if trouble else []) + run.problems()
    if not found and version:
        found = [text for trial in run.trials() for text in problems(trial, version)]
    if found or version is None:
        module.fail_json(msg="; ".join(dict.fromkeys(found)))
        return
    if module.check_mode:
        trials = run.trials()
        module.exit_json(changed=False, measurement={"argv": [word for trial in trials for word in plan(trial, version).on_port(trial.ports[0])]})
    interface = _interface(given["server"])
    measurement = measure_run(run, lambda trial: measure(trial, version), lambda: read_counters(interface))
    measurement["conditions"]["counted_interface"] = interface or None
    module.exit_json(changed=False, measurement=measurement)


if __name__ == "__main__":
    main()
