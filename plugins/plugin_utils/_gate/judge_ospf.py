# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""OSPF adjacencies over time: Full, not yet, or never. Pure: time is an argument."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Mapping

COMMAND = "vtysh -c 'show ip ospf neighbor json'"
STUCK_STATES = ("ExStart", "Exchange")
STUCK_AFTER = 30.0
STABLE_AFTER = 5.0
FULL, WAIT, STUCK = "full", "wait", "stuck"
MTU_MISMATCH, OSPF_STUCK, NOT_FULL = "OSPF_MTU_MISMATCH", "OSPF_STUCK", "OSPF_NOT_FULL"


def parse_neighbours(text: str) -> list[dict[str, Any]]:
    """Neighbours from FRR's JSON, of every version: address, interface, state, seconds since the last step.

    ValueError when it is something else.
    """
    begin = text.find("{")
    if begin < 0:
        raise ValueError(f"no JSON: {' '.join(text.split())[:160] or 'nothing'}")
    data = json.loads(text[begin:])
    found = []
    for router_id, entries in (data.get("neighbors") or {}).items():
        for entry in entries if isinstance(entries, list) else [entries]:
            steps = entry.get("upTimeInMsec", entry.get("lastPrgrsvChangeMsec"))
            found.append(
                {
                    "router_id": router_id,
                    "address": entry.get("ifaceAddress") or entry.get("address"),
                    "interface": str(entry.get("ifaceName", "")).split(":", maxsplit=1)[0],
                    "state": str(entry.get("nbrState") or entry.get("state") or ""),
                    "since": None if steps is None else steps / 1000,
                }
            )
    return found


@dataclass
class Adjacency:
    """Watches one adjacency. Feed it with what is seen; it answers full, wait or stuck."""

    address: str | None
    multi_access: bool = False
    state: str = "no neighbour seen"
    _stuck_since: float | None = field(default=None, repr=False)

    def see(self, now: float, neighbours: list[dict[str, Any]]) -> str:
        """Judge what one look at the neighbours showed."""
        mine = next((item for item in neighbours if item["address"] == self.address), None)
        if mine is None:
            self.state, self._stuck_since = "no neighbour seen", None
            return WAIT
        self.state = mine["state"]
        word = self.state.partition("/")[0]
        if word == "Full" or (word == "2-Way" and self._between_others(neighbours)):
            self._stuck_since = None
            return FULL if mine["since"] is None or mine["since"] >= STABLE_AFTER else WAIT
        if word not in STUCK_STATES:
            self._stuck_since = None
            return WAIT
        if self._stuck_since is None:
            self._stuck_since = now
        return STUCK if max(mine["since"] or 0, now - self._stuck_since) > STUCK_AFTER else WAIT

    def _between_others(self, neighbours: list[dict[str, Any]]) -> bool:
        """Two routers that are neither DR nor BDR stay in 2-Way, once the DR and the BDR are Full."""
        return self.multi_access and sum(item["state"].startswith("Full/") for item in neighbours) >= 2 and self.state == "2-Way/DROther"


def explain(want: Mapping[str, Any], adjacency: Adjacency, verdict: str, own_mtu: int | None, their_mtu: int | None, waited: float) -> tuple[str, str]:
    """Code and message for an adjacency that is not Full."""
    ends = f"{want['native']} ({want['own']}) and {want['neighbour']} ({want['address']})"
    mtus = f"MTU {_known(own_mtu)} on {want['native']}, MTU {_known(their_mtu)} at {want['neighbour']}"
    if verdict == STUCK and own_mtu is not None and own_mtu == their_mtu:
        return OSPF_STUCK, f"expected the adjacency between {ends} to be Full; it hangs in {adjacency.state} for more than {STUCK_AFTER:g} s ({mtus})"
    if verdict == STUCK:
        return MTU_MISMATCH, f"expected the adjacency between {ends} to be Full; it hangs in {adjacency.state} for more than {STUCK_AFTER:g} s: {mtus}"
    must = f"area {want['area']}, hello {want['hello']} s, dead {want['dead']} s, network type {want['network_type']}"
    return NOT_FULL, f"expected the adjacency between {ends} to be Full within {waited:.0f} s; seen: {adjacency.state} (both ends need {must}; {mtus})"


def _known(mtu: int | None) -> str:
    return "unknown" if mtu is None else str(mtu)
