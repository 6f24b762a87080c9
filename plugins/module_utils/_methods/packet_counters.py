# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The packet counters of an interface, and what two readings say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Mapping, Optional

NAMES = ("rx_packets", "rx_bytes", "tx_packets", "tx_bytes", "rx_dropped", "tx_dropped", "rx_errors", "tx_errors")
WIDTHS = (2 ** 32, 2 ** 64)
# Headers that an interface counts around an IP packet; the check sequence is not among them.
COUNTED_HEADER = 14
# A tag, and what a driver may count beside it.
SLACK = 8


def read_counters(interface: str, root: str = "/sys/class/net") -> Dict[str, Optional[int]]:
    """The counters of an interface; None for one that the kernel does not have."""
    found: Dict[str, Optional[int]] = {}
    for name in NAMES:
        try:
            found[name] = int((Path(root) / interface / "statistics" / name).read_text())
        except (OSError, ValueError):
            found[name] = None
    return found


def difference(before: Any, after: Any) -> Optional[int]:
    """How far a counter went. One that went back has wrapped at 32 or 64 bits, or was reset: then nothing is known.

    It has wrapped only if it was in the upper half before and is in the lower one now.
    """
    if isinstance(before, bool) or isinstance(after, bool) or not isinstance(before, int) or not isinstance(after, int) or before < 0 or after < 0:
        return None
    if after >= before:
        return after - before
    for width in WIDTHS:
        if before < width:
            return after + width - before if before > width // 2 > after else None
    return None


@dataclass(frozen=True)
class Counted:
    """What went through an interface in one direction."""

    packets: Optional[int]
    octets: Optional[int]

    @property
    def bytes_per_packet(self) -> Optional[float]:
        """Mean size as the interface counts it: with the Ethernet header, without the check sequence."""
        return self.octets / self.packets if self.packets and self.octets is not None else None


def counted(before: Mapping[str, Any], after: Mapping[str, Any], direction: str) -> Counted:
    """Packets and bytes between two readings; C(direction) is tx or rx."""
    return Counted(*(difference(before.get(direction + name), after.get(direction + name)) for name in ("_packets", "_bytes")))


def super_packets(bytes_per_packet: Optional[float], mtu: int) -> bool:
    """Whether the mean packet is larger than the path takes: many were made one, and no packet rate means anything."""
    return bytes_per_packet is not None and bytes_per_packet > mtu + COUNTED_HEADER + SLACK
