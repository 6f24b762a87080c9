# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which iperf3 is this, what can it do, and with which others may its numbers be compared.

The years of changes behind each bound are in docs/methods/iperf3.md; all of them were read in the tool's release notes and source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional, Tuple

OLDEST = (3, 1)
# a number of more digits than this is none of a version, and int() refuses very long ones
_PATTERN = re.compile(r"iperf\s+(\d{1,9})\.(\d{1,9})(?!\d)(?:\.(\d{1,9})(?!\d))?(\S*)")
# Bounds between which results are comparable; the last one matters only for UDP (segmentation offload).
_CLASS_BOUNDS = ((3, 5), (3, 11), (3, 16))
_CLASS_BOUND_UDP = (3, 21)


@dataclass(frozen=True)
class Version:
    """A version of iperf3 that compares with tuples: C(Version.parse("iperf 3.12").at_least(3, 11))."""

    numbers: Tuple[int, int, int]
    suffix: str = ""

    @classmethod
    def parse(cls, text: object) -> Optional[Version]:
        """The version in C(iperf 3.12 (cJSON 1.7.15)) or in C(3.12); None if there is none, or if it is iperf 2."""
        source = text if isinstance(text, str) else ""
        match = _PATTERN.search(source if "iperf" in source else "iperf " + source)
        if not match:
            return None
        numbers = tuple(int(part or 0) for part in match.groups()[:3])
        return cls((numbers[0], numbers[1], numbers[2]), match.group(4) or "")

    def __str__(self) -> str:
        major, minor, patch = self.numbers
        return "%d.%d%s%s" % (major, minor, ".%d" % patch if patch else "", self.suffix)

    def at_least(self, *numbers: int) -> bool:
        """Whether this is C(numbers) or newer; a pre-release of a version (3.1b3, 3.13-mt1) counts as older than it."""
        wanted = (tuple(numbers) + (0, 0, 0))[:3]
        if self.numbers == wanted and self.is_prerelease:
            return False
        return self.numbers >= wanted

    @property
    def is_prerelease(self) -> bool:
        """Beta and candidate builds: 3.1b3, 3.2rc1, 3.13-mt1. A plus sign means the opposite: newer than the release."""
        return bool(self.suffix) and not self.suffix.startswith("+")

    @property
    def is_development(self) -> bool:
        """Built from the source between two releases: 3.17.1+."""
        return self.suffix.startswith("+")

    @property
    def has_connect_timeout(self) -> bool:
        return self.at_least(3, 2)

    @property
    def has_bidir(self) -> bool:
        return self.at_least(3, 7)

    @property
    def names_bidir_sums(self) -> bool:
        """C(sum_sent_bidir_reverse) and its like; before, both directions share one key and only one survives."""
        return self.at_least(3, 11)

    @property
    def has_udp_received_sum(self) -> bool:
        return self.at_least(3, 11)

    @property
    def omit_is_right(self) -> bool:
        """The statistics of a run with --omit (fixed in 3.14)."""
        return self.at_least(3, 14)

    @property
    def sends_omitted_counts(self) -> bool:
        """Exchanges the omitted packet counts; a newer client that gets none prints a loss of 0."""
        return self.at_least(3, 14)

    @property
    def max_mss(self) -> int:
        return 32767 if self.at_least(3, 21) else 9216

    @property
    def udp_default_fragments(self) -> bool:
        """Up to 3.1.4 a datagram has 8 kB by default, so that every one is sent in fragments."""
        return not self.at_least(3, 1, 5)

    def can_fetch_server_output(self, protocol: str, streams: int) -> bool:
        """--get-server-output: fails on UDP up to 3.1.2 (the server prints C(nan)), and on some 3.17.1+ builds with several streams."""
        if protocol == "udp" and not self.at_least(3, 1, 3):
            return False
        broken = self.at_least(3, 17) and not self.at_least(3, 18) and self.is_development
        return not (broken and streams > 1)


def version_class(version: Optional[Version], protocol: str = "tcp") -> Optional[str]:
    """The class within which results are comparable, as C(3.11 <= v < 3.16)."""
    if version is None:
        return None
    bounds = _CLASS_BOUNDS + ((_CLASS_BOUND_UDP,) if protocol == "udp" else ())
    low: Optional[Tuple[int, int]] = None
    for bound in bounds:
        if not version.at_least(*bound):
            return ("v < %d.%d" % bound) if low is None else "%d.%d <= v < %d.%d" % (low + bound)
        low = bound
    return "v >= %d.%d" % (low or OLDEST)
