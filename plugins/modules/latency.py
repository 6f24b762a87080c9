#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial of the latency from this host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: latency
short_description: Measure round trips, their jitter and their loss, without and under a set load
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Sends probes at a constant rate with irtt, or with ping where irtt or its server is not there, and returns percentiles of the round trips.
  - With O(load_percent) the path carries so much of what it was found to carry at the same time.
  - A percentile is published only if there are enough answers for it; a load that failed makes the trial invalid.
  - A trial that measured nothing is not a failed task; look at C(measurement.valid).
options:
  server:
    description: Address of the far host.
    type: str
    required: true
  bind:
    description: Local address to send from.
    type: str
  duration:
    description: Seconds in which probes are sent.
    type: int
    default: 10
  interval_ms:
    description: Milliseconds between two probes. Percentiles need 20 (p95), 100 (p99), 1000 (p99.9) answers.
    type: float
    default: 10.0
  size:
    description: Payload of a probe in bytes; 0 is the tool's own, 60 with irtt and 56 with ping.
    type: int
    default: 0
  probe:
    description: The tool. V(auto) is irtt where it is installed and its server answers, else ping, which is flagged.
    type: str
    choices: [auto, irtt, ping]
    default: auto
  irtt_port:
    description: Port of the irtt server.
    type: int
    default: 2112
  load_percent:
    description: How much of the capacity the path carries beside the probes. V(0) is an unloaded path, V(100) is TCP without a limit.
    type: float
    default: 0.0
  capacity_mbps:
    description: What O(load_percent) is a share of. Unless given, it is found before the probes, by a TCP run at full speed in the same directions.
    type: float
  capacity_seconds:
    description: How long that run takes.
    type: int
    default: 3
  streams:
    description: Streams of the load, in each direction.
    type: int
    default: 2
  load_protocol:
    description: What the load is made of. TCP fills the queues that are there; UDP is paced.
    type: str
    choices: [tcp, udp]
    default: tcp
  reverse:
    description: The load flows from the server.
    type: bool
    default: false
  bidir:
    description: The load flows in both directions.
    type: bool
    default: false
  congestion:
    description: TCP congestion control of the load.
    type: str
    default: cubic
  retries:
    description: Further tries after a trial that failed for a reason that may pass. They are counted, and what the failed ones printed is kept.
    type: int
    default: 1
  ports:
    description: Ports of the iperf3 servers.
    type: list
    elements: int
    default: [5201]
  port_index:
    description: Where in O(ports) to begin.
    type: int
    default: 0
  link_bps:
    description: Rate of the slowest link on the path in bit/s. A load above what it can carry is invalid.
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
"""

EXAMPLES = r"""
- name: Ten seconds without load
  routerlab.bench.latency:
    server: 10.222.222.12
  register: idle

- name: Under half of what the path carries
  routerlab.bench.latency:
    server: 10.222.222.12
    load_percent: 50
    ports: [5201, 5202, 5203]
"""

RETURN = r"""
measurement:
  description:
    - The result of the trial, as M(routerlab.bench.iperf3) returns its own.
    - Metrics are C(rtt_p50), C(rtt_p95), C(rtt_p99), C(rtt_p999), C(rtt_min), C(rtt_max) and C(jitter) in seconds, C(loss_ratio), C(loss_up) and
      C(loss_down) as shares, and C(load) and C(capacity) in bit/s under load.
  returned: always
  type: dict
  sample: {"valid": true, "metrics": {"rtt_p50": {"value": 0.000102, "unit": "s", "direction": null}}}
"""

from typing import Any, Dict, List, Optional

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import problems, trial_of
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_program import installed
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_load import Load
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_probe import Wish
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_trial import measure
from ansible_collections.routerlab.bench.plugins.module_utils._methods.trial_again import with_retries

ARGUMENTS: Dict[str, Dict[str, Any]] = {
    "server": {"type": "str", "required": True},
    "bind": {"type": "str"},
    "duration": {"type": "int", "default": 10},
    "interval_ms": {"type": "float", "default": 10.0},
    "size": {"type": "int", "default": 0},
    "probe": {"type": "str", "choices": ["auto", "irtt", "ping"], "default": "auto"},
    "irtt_port": {"type": "int", "default": 2112},
    "load_percent": {"type": "float", "default": 0.0},
    "capacity_mbps": {"type": "float"},
    "capacity_seconds": {"type": "int", "default": 3},
    "streams": {"type": "int", "default": 2},
    "load_protocol": {"type": "str", "choices": ["tcp", "udp"], "default": "tcp"},
    "reverse": {"type": "bool", "default": False},
    "bidir": {"type": "bool", "default": False},
    "congestion": {"type": "str", "default": "cubic"},
    "retries": {"type": "int", "default": 1},
    "ports": {"type": "list", "elements": "int", "default": [5201]},
    "port_index": {"type": "int", "default": 0},
    "link_bps": {"type": "float"},
    "executable": {"type": "str", "default": "iperf3"},
}


def _wrong(given: Dict[str, Any]) -> List[str]:
    """Values that make no trial, all at once."""
    bounds = {"duration": (1, 86400), "interval_ms": (1, 60000), "load_percent": (0, 100), "capacity_seconds": (1, 3600), "size": (0, 65000)}
    return ["%s: %g must be %g to %g" % (key, given[key], low, high) for key, (low, high) in bounds.items() if not low <= given[key] <= high]


def _load(module: AnsibleModule) -> Optional[Load]:
    """What is to run beside the probes; the module fails here if it cannot."""
    given = module.params
    if not given["load_percent"]:
        return None
    program, version, trouble = installed(given["executable"])
    trial = trial_of(dict(given, program=program, protocol=given["load_protocol"], bitrate="1M" if given["load_protocol"] == "udp" else None))
    found = ([trouble] if trouble else []) + problems(trial, version)
    if found or version is None:
        module.fail_json(msg="; ".join(found))
        return None
    capacity = given["capacity_mbps"] * 1e6 if given["capacity_mbps"] else None
    return Load(trial, version, given["load_percent"], capacity, given["capacity_seconds"])


def main() -> None:
    """The door: parameters in, measurement out."""
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    wrong = _wrong(module.params)
    if wrong:
        module.fail_json(msg="; ".join(wrong))
    load = _load(module)
    if module.check_mode:
        module.exit_json(changed=False, skipped=True, msg="check mode: nothing is measured")
    wish = Wish(**{name: module.params[name] for name in Wish.__dataclass_fields__ if module.params.get(name) is not None})
    module.exit_json(changed=False, measurement=with_retries(lambda: measure(wish, load), module.params["retries"]))


if __name__ == "__main__":
    main()
