# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What limited a measurement: the router, the endpoints that measured it, the link, or nothing one could trust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._record_limits import IP_HEADER, UDP_HEADER, sized_limits, tcp_fraction, udp_fraction
from ansible_collections.routerlab.bench.plugins.plugin_utils._stats import median

DUT_LIMITED = "DUT_LIMITED"
HARNESS_LIMITED = "HARNESS_LIMITED"
LINK_LIMITED = "LINK_LIMITED"
BASELINE_STALE = "BASELINE_STALE"

NOISE_FLOOR = 0.02
ENDPOINT_NOISE = 0.05
LINK_SHARE = 0.98
# Methods that measure packets of a size. Their generator loses packets itself at high rates: from 90 % of the baseline on, it may be what was measured.
SIZED_METHODS = ("packet_size", "rate_search")
GENERATOR_NOISE = 0.10
# Beyond this the baseline is so unsteady that a verdict says more about the session than about the router.
TOO_NOISY = 0.20
_SLACK = 1e-9

MEANING = {
    DUT_LIMITED: "the router is slower than the endpoints without it",
    HARNESS_LIMITED: "not told apart from the endpoints without the router: a lower bound, not ranked",
    LINK_LIMITED: "at least 98 % of what the link can carry: a lower bound, not ranked",
    BASELINE_STALE: "faster than the baseline of the same session: measure both again; not ranked",
}


@dataclass(frozen=True)
class Verdict:
    """The verdict, or None and why there is none; with the numbers it rests on."""

    name: str | None
    reason: str
    ratio: float | None = None
    noise: float | None = None
    baseline: float | None = None
    link_limit: float | None = None


def harness_noise(baseline: Sequence[float], endpoint_noise: float = ENDPOINT_NOISE) -> float:
    """Relative noise of the harness: at least 2 %, the spread of the baseline, and what these endpoints are known for (5 % unless told)."""
    spread = 0.0
    if baseline and median(baseline) != 0:
        spread = (max(baseline) - min(baseline)) / median(baseline)
    return max(NOISE_FLOOR, spread, endpoint_noise)


def judge(
    value: float | None,
    baseline: Sequence[float],
    link_limit: float | None = None,
    endpoint_noise: float = ENDPOINT_NOISE,
    no_baseline: str = "no valid baseline trial",
    together: tuple[Sequence[float], Sequence[float]] | None = None,
) -> Verdict:
    """Judge the median of a throughput cell against the same endpoints without the router, and against the link.

    ``together`` holds, for traffic in both directions at once, the sums of both in each trial, with and without the
    router: noise and verdict rest on them, because one direction may starve by chance. The ratio stays that of the direction.
    """
    if value is None:
        return Verdict(None, "no valid trial")
    on_link = link_limit is not None and value >= LINK_SHARE * link_limit
    if not baseline or median(baseline) <= 0:
        if on_link:
            return Verdict(LINK_LIMITED, MEANING[LINK_LIMITED], link_limit=link_limit)
        return Verdict(None, no_baseline, link_limit=link_limit)
    reference, noise = median(baseline), harness_noise(together[1] if together else baseline, endpoint_noise)
    ratio = value / reference
    share = median(together[0]) / median(together[1]) if together else ratio
    if share > 1 + noise + _SLACK:
        name = BASELINE_STALE
    elif on_link:
        name = LINK_LIMITED
    elif share >= 1 - noise - _SLACK:
        name = HARNESS_LIMITED
    else:
        name = DUT_LIMITED
    reason = f"{MEANING[name]} (both directions together: {share:.0%} of the baseline)" if together else MEANING[name]
    return Verdict(name, reason, ratio, noise, reference, link_limit)


def _path(params: dict[str, Any]) -> tuple[int, int, int]:
    """MTU, IP version and tags that the parameters of a cell name."""
    version = 6 if str(params.get("ip_version") or params.get("family") or 4).endswith("6") else 4
    return int(params.get("mtu") or 1500), version, 1 if params.get("vlan") else 0


def payload_share(params: dict[str, Any]) -> float:
    """Payload of one packet divided by what it occupies on an Ethernet wire, for the parameters of a cell."""
    mtu, version, tags = _path(params)
    if str(params.get("protocol") or "tcp").lower() != "udp":
        return tcp_fraction(mtu, version, params.get("timestamps") is not False, tags)
    return udp_fraction(int(params.get("length") or mtu - IP_HEADER[version] - UDP_HEADER), mtu, version, tags)


def is_sized(method: str) -> bool:
    """Whether a method measures packets of a size."""
    return method in SIZED_METHODS


def link_limit(link_bps: float | None, params: dict[str, Any], unit: str = "bit/s", method: str = "iperf3") -> float | None:
    """Highest rate that a link of this line rate carries for these parameters, of payload or of packets; None without a declared link."""
    if not link_bps:
        return None
    if is_sized(method):
        payload, packets = sized_limits(link_bps, str(params.get("size_kind") or "ip"), int(params.get("size") or 0), *_path(params))
        return {"bit/s": payload, "packet/s": packets}.get(unit)
    return link_bps * payload_share(params) if unit == "bit/s" else None
