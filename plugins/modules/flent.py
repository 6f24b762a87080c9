#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial of a test of flent from this host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: flent
short_description: Measure throughput and the latency under it with a test of flent
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Runs a test of flent, such as C(tcp_8down), C(tcp_8up) or C(rrul), and reads its data file, which is kept.
  - Where flent, netperf or netserver is missing, C(tcp_*down), C(tcp_*up) and C(rrul) are made by iperf3 with ping and irtt beside it. They leave a data
    file that flent opens and plots as its own.
  - A trial that measured nothing is not a failed task; look at C(measurement.valid).
options:
  server:
    description: Address of the far host, which runs netserver or iperf3 servers, and an irtt server.
    type: str
    required: true
  test:
    description: Name of the test. All that flent knows by name can be run where flent and netperf are.
    type: str
    default: tcp_8down
  bind:
    description: Local address to send from.
    type: str
  duration:
    description: Seconds of load.
    type: int
    default: 60
  delay:
    description: Seconds before and after the load in which only probes are sent.
    type: int
    default: 5
  step:
    description:
      - Seconds between two probes and between two points of the data file. Below 0.2 ping needs to be root.
      - The p99 of the ping needs 100 answers under load.
    type: float
    default: 0.2
  streams:
    description: Streams of C(tcp_ndown) and C(tcp_nup); of no other test.
    type: int
    default: 8
  congestion:
    description: TCP congestion control to ask for; empty means the host's default.
    type: str
    default: cubic
  tool:
    description: V(flent) is flent with netperf, V(iperf3) the same without either. V(auto) is flent where both ends have what it needs.
    type: str
    choices: [auto, flent, iperf3]
    default: auto
  retries:
    description: Further tries after a trial that failed for a reason that may pass. They are counted, and what the failed ones printed is kept.
    type: int
    default: 1
  parameters:
    description: Further test parameters, as flent takes them with C(--test-parameter).
    type: dict
    default: {}
  ports:
    description: Ports of the iperf3 servers. Before iperf 3.16 each stream needs one of its own, C(rrul) eight.
    type: list
    elements: int
    default: [5201, 5202, 5203, 5204, 5205, 5206, 5207, 5208, 5209]
  port_index:
    description: Where in O(ports) to begin.
    type: int
    default: 0
  irtt_port:
    description: Port of the irtt server.
    type: int
    default: 2112
  netperf_port:
    description: Port of netserver.
    type: int
    default: 12865
  link_bps:
    description: Rate of the slowest link on the path in bit/s. A result above what it can carry is invalid.
    type: float
  executable:
    description: The iperf3 to use.
    type: str
    default: iperf3
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.posix
attributes:
  check_mode:
    support: full
    details: Sends nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
    details: It measures and changes nothing on the host.
seealso:
  - module: routerlab.bench.traffic_server
  - module: routerlab.bench.iperf3_server
"""

EXAMPLES = r"""
- name: Eight downloads and ping, as write-up 003 did
  routerlab.bench.flent:
    server: 10.222.222.12
    test: tcp_8down
  register: result

- name: RRUL without netperf, for half a minute
  routerlab.bench.flent:
    server: 10.222.222.12
    test: rrul
    duration: 30
    tool: iperf3
"""

RETURN = r"""
measurement:
  description:
    - The result of the trial, as M(routerlab.bench.iperf3) returns its own.
    - Metrics are C(throughput), with both directions C(throughput) of the downloads, C(throughput_reverse) of the uploads and C(throughput_total);
      C(ping_median), C(ping_idle), C(ping_loaded), C(ping_p99), C(bloat) and C(ping_udp_*) in seconds; C(retransmits).
    - C(streams_mbps) holds the mean of every stream in Mbit/s, C(down) and C(up).
  returned: always
  type: dict
  sample: {"valid": true, "metrics": {"throughput": {"value": 94200000.0, "unit": "bit/s", "direction": "server→client"}}}
"""

from typing import Any, Dict, List

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_ask import Ask
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_trial import measure
from ansible_collections.routerlab.bench.plugins.module_utils._methods.trial_again import with_retries

ARGUMENTS: Dict[str, Dict[str, Any]] = {
    "server": {"type": "str", "required": True},
    "test": {"type": "str", "default": "tcp_8down"},
    "bind": {"type": "str"},
    "duration": {"type": "int", "default": 60},
    "delay": {"type": "int", "default": 5},
    "step": {"type": "float", "default": 0.2},
    "streams": {"type": "int", "default": 8},
    "congestion": {"type": "str", "default": "cubic"},
    "tool": {"type": "str", "choices": ["auto", "flent", "iperf3"], "default": "auto"},
    "retries": {"type": "int", "default": 1},
    "parameters": {"type": "dict", "default": {}},
    "ports": {"type": "list", "elements": "int", "default": list(range(5201, 5210))},
    "port_index": {"type": "int", "default": 0},
    "irtt_port": {"type": "int", "default": 2112},
    "netperf_port": {"type": "int", "default": 12865},
    "link_bps": {"type": "float"},
    "executable": {"type": "str", "default": "iperf3"},
}


def _wrong(given: Dict[str, Any]) -> List[str]:
    """Values that make no trial, all at once."""
    bounds = {"duration": (1, 86400), "delay": (0, 3600), "step": (0.05, 10), "streams": (1, 128)}
    found = ["%s: %g must be %g to %g" % (key, given[key], low, high) for key, (low, high) in bounds.items() if not low <= given[key] <= high]
    if not given["test"].replace("_", "").replace("-", "").isalnum():
        found.append("test: %r is no name of a test; tcp_8down, tcp_8up and rrul are some" % given["test"])
    return found


def main() -> None:
    """The door: parameters in, measurement out."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    wrong = _wrong(module.params)
    if wrong:
        module.fail_json(msg="; ".join(wrong))
    if module.check_mode:
        module.exit_json(changed=False, skipped=True, msg="check mode: nothing is measured")
    given = dict(module.params, parameters={key: str(value) for key, value in module.params["parameters"].items()})
    retries = given.pop("retries")
    ask = Ask(**{name: value for name, value in given.items() if value is not None})
    module.exit_json(changed=False, measurement=with_retries(lambda: measure(ask), retries))


if __name__ == "__main__":
    main()
