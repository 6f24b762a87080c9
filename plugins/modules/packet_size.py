#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation of the action plugin of the same name."""

from __future__ import annotations

DOCUMENTATION = r"""
module: packet_size
short_description: Measure the throughput and the packet rate of one packet size
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Searches for the highest rate of packets of one size that arrives with a loss of at most O(loss); or sends as fast as it can, which is how write-up 002
    was measured (O(mode=seed)).
  - Every number says what the size means. The packet rate is given twice, as it follows from rate and size, and as it was counted.
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
  link_bps:
    description: Rate of the slowest link on the path in bit/s. A result above what it can carry is invalid, and no higher rate is tried.
    type: float
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
  streams:
    description: Streams; their rates add up. One stream is one flow, which many routers handle on one core.
    type: int
    default: 1
  reverse:
    description: The server sends.
    type: bool
    default: false
  retries:
    description: Further tries of a run that failed for a reason that may pass.
    type: int
    default: 1
  executable:
    description: The iperf3 to use.
    type: str
    default: iperf3
  offload:
    description: V(off) switches segmentation and receive offloads off at all O(ends) and puts them back afterwards.
    type: str
    choices: [keep, 'off']
    default: 'off'
  ends:
    description:
      - Where offloads are switched, as a list of C(role) (C(client), C(server), C(dut)), C(host) (a name of the inventory; the task's host unless given) and
        C(peers) (addresses; meant are the interfaces towards them).
      - This host alone unless given.
    type: list
    elements: dict
    default: []
  mode:
    description:
      - V(search) is a search by the MLRsearch library with the goal O(loss).
      - V(seed) is one run of O(duration) seconds as fast as possible. Its receiver falls behind by overload, not by capacity; for comparisons with old tables.
    type: str
    choices: [search, seed]
    default: search
  loss:
    description: Loss that is allowed, in percent, with O(mode=search).
    type: float
    default: 0.1
  duration:
    description: Seconds of the run with O(mode=seed).
    type: int
    default: 30
  initial_seconds:
    description: Length of the first runs.
    type: int
    default: 5
  final_seconds:
    description: Length of the runs that decide.
    type: int
    default: 20
  sum_seconds:
    description: How many seconds of runs decide on a rate.
    type: int
    default: 40
  width:
    description: How close the bounds must come, in percent of the upper one.
    type: float
    default: 1.0
  exceed:
    description: Which part of the deciding seconds may have more loss than allowed, in percent. V(0) is RFC 2544; software routers are noisy.
    type: float
    default: 50.0
  min_pps:
    description: Lowest rate that is tried, in datagrams per second.
    type: float
    default: 100.0
  max_pps:
    description: Highest rate that is tried. What O(link_bps) carries unless given, and without it what 10 Gbit/s carry.
    type: float
  max_runs:
    description: Runs after which the search ends without an answer.
    type: int
    default: 80
  max_seconds:
    description: Seconds after which it does.
    type: float
    default: 3600.0
  journal:
    description: File on the controller that keeps every run as it is made. A search that finds its own runs there goes on with them.
    type: path
requirements:
  - MLRsearch (Python library, on the controller)
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: full
    details: Nothing is sent.
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
    details: It measures; offloads are put back.
seealso:
  - module: routerlab.bench.packet_run
  - module: routerlab.bench.rate_search
"""

EXAMPLES = r"""
- name: Frames of 64 bytes
  routerlab.bench.packet_size:
    server: 10.222.222.12
    ports: [5201, 5202]
    size: 64
    size_kind: frame

- name: As in write-up 002
  routerlab.bench.packet_size:
    server: 10.222.222.12
    mode: seed
    size: 1024
    size_kind: payload
    streams: 8
    offload: keep
"""

RETURN = r"""
measurement:
  description: The result, of the same shape as that of M(routerlab.bench.iperf3).
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
    metrics:
      description:
        - C(throughput) is the payload that arrived, C(pps_nominal) that rate divided by the size, C(pps_measured) the packets that were counted; with
          O(mode=search) also the bounds C(lower) and C(upper) in datagrams per second, with O(mode=seed) C(loss_ratio) and the datagrams.
      type: dict
    conditions:
      description: Flat facts; each goal in words (C(goal_pdr_0_1)), the meaning of the size, the offloads in force, how many runs were made.
      type: dict
    raw:
      description: What every run printed, as a list of C(name) and C(text).
      type: list
      elements: dict
"""
