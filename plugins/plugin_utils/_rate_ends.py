# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The ends of a path while packets are measured: their offloads, and what their interfaces counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_counters import COUNTED_HEADER, SLACK, Counted, counted
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_run import PACKET_SIZE_NOT_HONOURED, SUPER_PACKETS
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size, honoured


class Ends:
    """Filled with what module interface_offload returned before and after. C(conditions) is what a record says of it."""

    def __init__(self, reverse: bool, mtu: int) -> None:
        self.sink, self.source = ("client", "server") if reverse else ("server", "client")
        self.largest = mtu + COUNTED_HEADER + SLACK
        self.conditions: dict[str, Any] = {}
        self._before: dict[str, Any] = {}
        self._after: dict[str, Any] = {}

    def begin(self, role: str, returned: Mapping[str, Any]) -> None:
        """Before the first packet."""
        self._before[role] = returned.get("counters") or {}
        for name, found in (returned.get("offloads") or {}).items():
            self.conditions.update({f"{role}.{name}.offload.{feature}": state for feature, state in found.items()})

    def end(self, role: str, returned: Mapping[str, Any]) -> None:
        """After the last one."""
        self._after[role] = returned.get("counters") or {}
        for name, after in self._after[role].items():
            for direction in ("rx", "tx"):
                size = self._counted(role, name, after, direction).bytes_per_packet
                if size is not None:
                    self.conditions[f"{role}.{name}.{direction}_bytes_per_packet"] = round(size, 1)

    def _counted(self, role: str, name: str, after: Mapping[str, Any], direction: str) -> Counted:
        return counted(self._before.get(role, {}).get(name, {}), after, direction)

    def packets(self, role: str, direction: str) -> int | None:
        """Packets of all interfaces of an end together; None where one is not known."""
        seen = [self._counted(role, name, after, direction).packets for name, after in self._after.get(role, {}).items()]
        return None if not seen or None in seen else sum(number for number in seen if number is not None)

    def flags(self, size: Size) -> list[dict[str, str]]:
        """Packets of another size than asked for, as the sink counted them; and packets larger than the path takes: there, many were made one."""
        found = []
        sizes = [value for key, value in self.conditions.items() if key.startswith(f"{self.sink}.") and key.endswith(".rx_bytes_per_packet")]
        wanted = size.payload + size.headers + COUNTED_HEADER
        if sizes and honoured(wanted, min(sizes, key=lambda value: abs(value - wanted))) is False:
            detail = f"{size.title()}: the {self.sink}'s interface counted {sizes[0]:g} B in a packet, {wanted:g} would be right"
            found.append({"code": PACKET_SIZE_NOT_HONOURED, "detail": detail})
        words = [f"{key}: {value:g} B" for key, value in sorted(self.conditions.items()) if key.endswith("bytes_per_packet") and value > self.largest]
        if words:
            found.append({"code": SUPER_PACKETS, "detail": f"more than {self.largest} B in a packet at {', '.join(words)}: offloads are on"})
        return found
