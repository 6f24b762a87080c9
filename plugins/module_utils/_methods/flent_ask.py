# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a trial of flent is asked to do, and what a way to do it brings back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

NETPERF_PORT = 12865
TOOLS = ("auto", "flent", "iperf3")


@dataclass
class Ask:
    """A trial. C(duration) seconds of load, C(delay) before and after it."""

    server: str
    test: str = "tcp_8down"
    bind: Optional[str] = None
    duration: int = 60
    delay: int = 5
    step: float = 0.2
    streams: int = 8
    congestion: Optional[str] = "cubic"
    tool: str = "auto"
    ports: List[int] = field(default_factory=lambda: list(range(5201, 5210)))
    port_index: int = 0
    irtt_port: int = 2112
    netperf_port: int = NETPERF_PORT
    link_bps: Optional[float] = None
    executable: str = "iperf3"
    parameters: Dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How long the probes run."""
        return self.duration + 2 * self.delay


@dataclass
class Brought:
    """What a way to make the test brings back: the bytes of the data file, or reasons why there is none."""

    data: Optional[bytes] = None
    argv: List[str] = field(default_factory=list)
    reasons: List[Dict[str, str]] = field(default_factory=list)
    flags: List[Dict[str, str]] = field(default_factory=list)
    raw: List[Dict[str, str]] = field(default_factory=list)
    versions: Dict[str, Any] = field(default_factory=dict)
    conditions: Dict[str, Any] = field(default_factory=dict)
