# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A second try after a trial that failed for a reason that may pass, counted and kept; never after a number that somebody did not like."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import RETRIED, WORTH_A_RETRY, merged, reason

# Beside those of iperf3: a stream or a load that was lost on its way.
MAY_PASS = WORTH_A_RETRY | frozenset(("MISSING_STREAMS", "MEAN_UNKNOWN", "FAILED_RUNNERS", "NO_DATA", "LOAD_FAILED", "LOAD_ENDED_EARLY", "CAPACITY_UNKNOWN"))


def may_pass(measurement: Dict[str, Any]) -> bool:
    """Whether nothing speaks against a second try."""
    return bool(measurement["reasons"]) and all(item["code"] in MAY_PASS for item in measurement["reasons"])


def with_retries(once: Callable[[], Dict[str, Any]], retries: int) -> Dict[str, Any]:
    """The first measurement that is valid or that no further try would help; what the ones before it printed is kept under other names."""
    tries: List[Dict[str, Any]] = [once()]
    while len(tries) <= retries and may_pass(tries[-1]):
        tries.append(once())
    last = tries[-1]
    if len(tries) == 1:
        return last
    failed = ["%s (%s)" % (item["code"], item["detail"]) for measurement in tries[:-1] for item in measurement["reasons"][:1]]
    raw = list(last["raw"])
    for number, measurement in enumerate(tries[:-1], 1):
        raw += [dict(item, name="failed%d-%s" % (number, item["name"])) for item in measurement["raw"]]
    return dict(
        last, attempts=len(tries), started=tries[0]["started"], flags=merged(last["flags"], [reason(RETRIED, "; ".join(failed))]), raw=raw,
        wall_s=round(sum(item["wall_s"] for item in tries), 4), traffic_s=round(sum(item["traffic_s"] for item in tries), 4),
    )
