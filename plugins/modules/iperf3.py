#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One iperf3 trial from this host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: iperf3
short_description: Measure throughput with one iperf3 trial
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Runs one trial on the client host and returns numbers only if the run passes a validity gate. A run that failed has a machine-readable reason
    and no number, never a 0.
  - Knows the reports of iperf 3.1 to 3.21, uses only options that the installed version has, and says where each number was taken from.
  - Nothing is written to disk, and nothing else is done, while traffic runs.
  - A trial that measured nothing is not a failed task; look at RV(measurement.valid).
options:
  server:
    description: Address or name of the host that runs the servers.
    type: str
    required: true
  ports:
    description:
      - Ports of the pool of servers. A trial takes one; if its server is busy or not back yet, the next one is asked.
    type: list
    elements: int
    default: [5201]
  port_index:
    description: Where in O(ports) to begin; the number of the trial is a good choice, so that the server used before has time to be replaced.
    type: int
    default: 0
  protocol:
    description: Transport protocol.
    type: str
    choices: [tcp, udp]
    default: tcp
  duration:
    description: Seconds that are measured.
    type: int
    default: 10
  omit:
    description:
      - Seconds of traffic before O(duration) that do not count.
      - Versions before 3.14 count them wrongly. There the tool runs O(omit) + O(duration) seconds and the start is dropped from the receiver's intervals,
        see RV(measurement.conditions.computed).
    type: int
    default: 0
  interval:
    description: Seconds between two readings in the report.
    type: float
    default: 1.0
  streams:
    description: Parallel streams (per direction with O(bidir)).
    type: int
    default: 1
  reverse:
    description: The server sends.
    type: bool
    default: false
  bidir:
    description: Both ends send at the same time (iperf 3.7 or newer).
    type: bool
    default: false
  bind:
    description: Local address to send from.
    type: str
  cport:
    description: Local port of the data connection. A fixed one collides with its own TIME_WAIT in repeated trials.
    type: int
  congestion:
    description: TCP congestion control to ask for; what is in force is read back, a difference is flagged. Empty means the host's default.
    type: str
    default: cubic
  length:
    description: With TCP the size of a write, with UDP the payload of a datagram.
    type: int
  mss:
    description: TCP maximum segment size to ask for, at least 88 on Linux.
    type: int
  bitrate:
    description: Target rate per stream as iperf3 takes it (V(100M), V(0) for unlimited). Required with O(protocol=udp).
    type: str
  connect_timeout_ms:
    description: How long to wait for the control connection (iperf 3.2 or newer).
    type: int
    default: 3000
  connect_retry_seconds:
    description: How long to ask again when the server is busy or refuses, which costs no traffic.
    type: float
    default: 3.0
  outer_timeout:
    description: Seconds after which the run is stopped from outside. The default is O(duration) + O(omit) + 15.
    type: float
  retries:
    description: Further tries after a run that failed for a reason that may pass. They are counted, and what the failed runs printed is kept.
    type: int
    default: 1
  link_bps:
    description: Rate of the slowest link on the path in bit/s. A result above what it can carry is invalid.
    type: float
  server_output:
    description: Fetch the server's own report, which holds the receiver's intervals and the client's address as the far end saw it.
    type: bool
    default: true
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
    details: Returns the command line in RV(measurement.argv) and sends nothing.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
    details: It measures and changes nothing on the host.
seealso:
  - module: routerlab.bench.iperf3_server
"""

EXAMPLES = r"""
- name: Two TCP streams for ten seconds, the first three not counted
  routerlab.bench.iperf3:
    server: 10.222.222.12
    ports: [5201, 5202]
    port_index: "{{ trial }}"
    streams: 2
    duration: 10
    omit: 3
  register: result

- name: UDP at 200 Mbit/s with datagrams that fill an IP packet of 512 bytes, towards this host
  routerlab.bench.iperf3:
    server: 10.222.222.12
    protocol: udp
    bitrate: 200M
    length: 484
    reverse: true
"""

RETURN = r"""
measurement:
  description: The result of the trial.
  returned: always
  type: dict
  contains:
    valid:
      description: Whether the numbers count.
      type: bool
    reasons:
      description: Why they do not, as a list of C(code) and C(detail).
      type: list
      elements: dict
      sample: [{"code": "CONTROL_LOST", "detail": "control socket has closed unexpectedly"}]
    flags:
      description: What a reader of the numbers should know, as a list of C(code) and C(detail).
      type: list
      elements: dict
    metrics:
      description:
        - Each with C(value), C(unit) and C(direction). An unknown value, and every value of an invalid run, is null.
        - TCP has C(throughput), C(retransmits), C(sent_bytes), C(received_bytes); UDP has C(throughput), C(loss_ratio), C(jitter_s), C(packets),
          C(packet_rate), C(sent_bytes), C(received_bytes); O(bidir) adds each with C(_reverse).
      type: dict
      sample: {"throughput": {"value": 941500000.0, "unit": "bit/s", "direction": "client→server"}}
    partial:
      description: What an invalid run did show, per direction, for diagnosis only.
      type: dict
    attempts:
      description: 1 + the number of retries.
      type: int
    started:
      description: Begin of the first attempt, ISO 8601, UTC.
      type: str
    finished:
      description: End of the last attempt.
      type: str
    wall_s:
      description: Seconds from begin to end.
      type: float
    traffic_s:
      description: Seconds in which data was sent.
      type: float
    argv:
      description: The command line of the attempt that counts.
      type: list
      elements: str
    versions:
      description: Versions of both ends.
      type: dict
      sample: {"iperf3_client": "3.12", "iperf3_server": "3.12"}
    conditions:
      description: Flat facts about the run - kernels, congestion control in force, MSS, CPU of the iperf3 processes in percent of one core, the client's
        address as the server saw it.
      type: dict
      contains:
        computed:
          description: The part of the report that the number was taken from.
          type: str
          sample: end.sum_received
        far_end_source:
          description: The client's address as the server saw it.
          type: str
    raw:
      description: What was printed, as a list of C(name) and C(text).
      type: list
      elements: dict
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import plan, problems, trial_of
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_program import installed
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_trial import measure

ARGUMENTS = {
    "server": {"type": "str", "required": True},
    "ports": {"type": "list", "elements": "int", "default": [5201]},
    "port_index": {"type": "int", "default": 0},
    "protocol": {"type": "str", "choices": ["tcp", "udp"], "default": "tcp"},
    "duration": {"type": "int", "default": 10},
    "omit": {"type": "int", "default": 0},
    "interval": {"type": "float", "default": 1.0},
    "streams": {"type": "int", "default": 1},
    "reverse": {"type": "bool", "default": False},
    "bidir": {"type": "bool", "default": False},
    "bind": {"type": "str"},
    "cport": {"type": "int"},
    "congestion": {"type": "str", "default": "cubic"},
    "length": {"type": "int"},
    "mss": {"type": "int"},
    "bitrate": {"type": "str"},
    "connect_timeout_ms": {"type": "int", "default": 3000},
    "connect_retry_seconds": {"type": "float", "default": 3.0},
    "outer_timeout": {"type": "float"},
    "retries": {"type": "int", "default": 1},
    "link_bps": {"type": "float"},
    "server_output": {"type": "bool", "default": True},
    "executable": {"type": "str", "default": "iperf3"},
}


def main() -> None:
    """The door: parameters in, measurement out."""
    module = AnsibleModule(
        argument_spec=ARGUMENTS,
        supports_check_mode=True,
    )
    program, version, trouble = installed(module.params["executable"])
    trial = trial_of(dict(module.params, program=program))
    found = ([trouble] if trouble else []) + problems(trial, version)
    if found or version is None:
        module.fail_json(msg="; ".join(found))
        return
    if module.check_mode:
        planned = plan(trial, version)
        argv = planned.on_port(trial.ports[trial.port_index % len(trial.ports)])
        module.exit_json(changed=False, measurement={"argv": argv, "versions": {"iperf3_client": str(version)}, "flags": planned.flags})
    module.exit_json(changed=False, measurement=measure(trial, version))


if __name__ == "__main__":
    main()
