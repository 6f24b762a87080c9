# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a loss-bounded search looks for, and what one run of the generator says to it. Rates are datagrams per second."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping

# A generator that sent less than this share of what it was asked for did not make the load: the run is irregular.
OFFERED_SHARE = 0.98
# Failures that an overloaded path causes: the control connection takes the same way as the packets.
OVERLOAD = frozenset(["CONTROL_LOST", "STREAM_LOST", "RECEIVER_STATS_MISSING", "SHORT_RUN", "TIMEOUT", "TRUNCATED", "NO_JSON", "ZERO_BYTES"])
BELOW_INTENDED = "OFFERED_BELOW_INTENDED"


@dataclass(frozen=True)
class Goals:
    """The goals of a search; all but the loss ratios are common to them."""

    losses: tuple[float, ...] = (0.0, 0.001, 0.005)
    initial_seconds: int = 5
    final_seconds: int = 20
    sum_seconds: int = 40
    width: float = 0.01
    exceed: float = 0.5
    min_pps: float = 100.0
    max_pps: float = 1e7
    max_runs: int = 80
    max_seconds: float = 3600.0

    def problems(self) -> list[str]:
        """What is wrong with them, all at once."""
        found = []
        if not self.losses or len(set(self.losses)) != len(self.losses):
            found.append(f"losses: {list(self.losses)} is empty or names one twice; for example [0, 0.1, 0.5] in percent")
        found += [f"losses: {100 * loss:g} is not a percentage from 0 to below 100" for loss in self.losses if not 0 <= loss < 1]
        if not 1 <= self.initial_seconds <= self.final_seconds <= self.sum_seconds:
            seconds = f"{self.initial_seconds}, {self.final_seconds}, {self.sum_seconds}"
            found.append(f"initial_seconds, final_seconds, sum_seconds: {seconds}; each is 1 or more and not below the one before")
        if not 0 < self.width < 1:
            found.append(f"width: {100 * self.width:g} is not a percentage between 0 and 100")
        if not 0 <= self.exceed < 1:
            found.append(f"exceed: {100 * self.exceed:g} is not a percentage from 0 to below 100")
        if not 0 < self.min_pps < self.max_pps < math.inf:
            found.append(f"min_pps, max_pps: {self.min_pps:g}, {self.max_pps:g}; 0 < min_pps < max_pps is needed")
        found += [f"{name}: {getattr(self, name):g} must be 1 or more" for name in ("max_runs", "max_seconds") if getattr(self, name) < 1]
        return found

    def describe(self, loss: float) -> str:
        """One goal in words, to stand beside its number."""
        return (
            f"loss at most {100 * loss:g} %, trials of {self.final_seconds} s, {self.sum_seconds} s in all, "
            f"{100 * self.exceed:g} % of them may exceed it, bounds {100 * self.width:g} % apart"
        )

    def short(self) -> str:
        """What is common to all goals, in few words."""
        return f"trials {self.final_seconds} s, sum {self.sum_seconds} s, exceed {100 * self.exceed:g} %, width {100 * self.width:g} %"


def goal_name(loss: float) -> str:
    """C(ndr) for no loss, else C(pdr_0_5) and the like, in percent."""
    return "ndr" if loss == 0 else "pdr_" + f"{100 * loss:g}".replace(".", "_").replace("-", "_")


def goal_title(loss: float) -> str:
    """NDR, or PDR with its loss."""
    return "NDR" if loss == 0 else f"PDR {100 * loss:g} %"


class SearchFailed(Exception):
    """The search cannot go on; the codes and details say why."""

    def __init__(self, reasons: Iterable[Mapping[str, str]]) -> None:
        self.reasons = [dict(item) for item in reasons]
        super().__init__("; ".join(f"{item['code']}: {item['detail']}" for item in self.reasons))


@dataclass(frozen=True)
class Entry:
    """One run of the generator as the search sees it. C(irregular) are the codes of what was not as it should be."""

    seconds: int
    intended_pps: float
    sent: int
    lost: int
    offered_pps: float | None = None
    delivered_pps: float | None = None
    pps_measured: float | None = None
    throughput: float | None = None
    irregular: tuple[str, ...] = field(default=())

    @property
    def intended(self) -> int:
        """How many datagrams count as intended: what was sent, unless the generator fell short of its task."""
        return round(self.intended_pps * self.seconds) if self.irregular else self.sent

    @property
    def loss_ratio(self) -> float:
        """Lost and unsent, as a share of what was intended."""
        whole = max(self.intended, self.sent)
        return (self.lost + abs(self.intended - self.sent)) / whole if whole else 1.0


def _value(measurement: Mapping[str, Any], name: str) -> float | None:
    value = ((measurement.get("metrics") or {}).get(name) or {}).get("value")
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) else None


def entry_of(measurement: Mapping[str, Any], seconds: int, pps: float) -> Entry:
    """What a run says. One that failed as an overloaded path makes it fail has lost everything, and is irregular unless simply nothing arrived.

    Raises SearchFailed for a failure that says nothing about the path.
    """
    if measurement.get("valid"):
        sent, lost = _value(measurement, "datagrams_sent"), _value(measurement, "datagrams_lost")
        if sent is None or lost is None or sent <= 0:
            raise SearchFailed([{"code": "LOSS_UNKNOWN", "detail": f"a run at {pps:.0f} datagram/s does not say how much was lost"}])
        numbers = {name: _value(measurement, name) for name in ("offered_pps", "delivered_pps", "pps_measured", "throughput")}
        irregular = () if sent >= OFFERED_SHARE * pps * seconds else (BELOW_INTENDED,)
        return Entry(seconds, pps, round(sent), min(max(0, round(lost)), round(sent)), irregular=irregular, **numbers)
    codes = [str(item.get("code")) for item in measurement.get("reasons") or []]
    if not codes or not set(codes) <= OVERLOAD:
        raise SearchFailed(measurement.get("reasons") or [{"code": "NO_MEASUREMENT", "detail": "a run of the generator returned nothing"}])
    sent = round(pps * seconds)
    return Entry(seconds, pps, sent, sent, irregular=() if codes == ["ZERO_BYTES"] else tuple(codes))
