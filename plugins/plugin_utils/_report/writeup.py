# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells and rows of write-ups 002 and 003, made from numbers. What is stored stays unrounded; only these texts are rounded."""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import UNKNOWN, kpps_nominal, round_seed

LIMITED = "L"


@dataclass(frozen=True)
class Figure:
    """Throughput in Mbit/s with the median ping in ms beside it."""

    mbps: float
    ping_ms: float | None = None

    def shown(self) -> tuple[str, str]:
        """Both as they are printed."""
        return str(round_seed(self.mbps)), UNKNOWN if self.ping_ms is None else str(round_seed(self.ping_ms))


def figure_cell(figure: Figure | None, limited: bool = False) -> str:
    """C(1720 (6)): throughput and ping; C(770L (2)) where something other than the target limits."""
    if figure is None:
        return UNKNOWN
    rate, ping = figure.shown()
    return f"{rate}{LIMITED if limited else ''} ({ping})"


def sqm_cell(best: Figure | None, with_ping: Figure | None = None, limited: bool = False) -> str:
    """The answer of a shaper search. C(35 41 (8) (13)): two answers side by side where the one with a ping of 10 ms or less is another one."""
    if best is None or with_ping is None or with_ping == best:
        return figure_cell(best, limited)
    first, second = with_ping.shown(), best.shown()
    return f"{first[0]} {second[0]}{LIMITED if limited else ''} ({first[1]}) ({second[1]})"


def cell_of_search(result: dict[str, object]) -> str:
    """The same from the result of a search."""
    figures = []
    for name in ("best", "with_ping"):
        answer = result.get(name)
        figures.append(Figure(answer["throughput"], answer["ping_ms"]) if isinstance(answer, dict) else None)
    return sqm_cell(figures[0], figures[1], bool(result.get("limited")))


def packet_row(size: int, mbps: str, cpu_percent: str) -> list[str]:
    """A row of write-up 002: size, throughput, packet rate that follows from both, CPU."""
    return [str(size), mbps, kpps_nominal(mbps, size), cpu_percent]
