# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial: try, wait for a free server, try again once, and keep everything that was seen."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_reasons as codes
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import Plan, Trial, plan
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_parse import parse
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_process import Outcome, run_bounded
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import merged, reason, worth_a_retry
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version

# A server that has just ended a test is replaced by a fresh one within milliseconds.
_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 0.4
# Failures that come from the server not being there yet: trying again costs no traffic and is not counted as a retry.
_NOT_READY = frozenset((codes.SERVER_BUSY, codes.CONNECT_FAILED))

Runner = Callable[[List[str], float], Outcome]


def stamp() -> str:
    """The time as a record writes it."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


@dataclass
class Attempt:
    """One run that got as far as a server, or gave up on it."""

    argv: List[str]
    outcome: Outcome
    result: Dict[str, Any]
    connects: int = 1


@dataclass
class _Clock:
    started: str = field(default_factory=stamp)
    began: float = field(default_factory=time.monotonic)


def _not_ready(attempt: Attempt) -> bool:
    found = {item["code"] for item in attempt.result["reasons"]}
    return bool(found) and found <= _NOT_READY


def _run_once(planned: Plan, port: int, limit: float, runner: Runner) -> Attempt:
    argv = planned.on_port(port)
    outcome = runner(argv, limit)
    result = parse(outcome.stdout, planned.expected, outcome.stderr, outcome.rc, outcome.timed_out)
    return Attempt(argv, outcome, result)


def _attempt(trial: Trial, planned: Plan, index: int, runner: Runner) -> Attempt:
    """One run; a busy or absent server is asked again for a short while, on the next port of the pool."""
    until = time.monotonic() + trial.connect_retry_seconds
    pause, connects = _FIRST_PAUSE, 0
    while True:
        port = trial.ports[(index + connects) % len(trial.ports)]
        attempt = _run_once(planned, port, trial.limit_seconds, runner)
        connects += 1
        attempt.connects = connects
        if not _not_ready(attempt) or time.monotonic() + pause > until:
            return attempt
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _raw(attempts: List[Attempt]) -> List[Dict[str, str]]:
    """What every attempt printed; the one that counts has the plain name."""
    files = []
    for position, attempt in enumerate(attempts, 1):
        mark = "" if position == len(attempts) else ".failed%d" % position
        if attempt.outcome.rc is not None or attempt.outcome.stdout:  # else it was never run
            files.append({"name": "client%s.json" % mark, "text": attempt.outcome.stdout})
        if attempt.outcome.stderr.strip():
            files.append({"name": "client%s.stderr.txt" % mark, "text": attempt.outcome.stderr})
    return files


def _conditions(trial: Trial, attempts: List[Attempt]) -> Dict[str, Any]:
    last = attempts[-1].result
    own = os.uname()
    conditions = dict(last["conditions"])
    conditions.update({
        "client_kernel": conditions.get("client_kernel") or "%s %s" % (own.sysname, own.release),
        "client_arch": conditions.get("client_arch") or own.machine,
        "server_port": int(attempts[-1].argv[attempts[-1].argv.index("-p") + 1]),
        "connect_attempts": sum(attempt.connects for attempt in attempts),
        "computed": last["computed"],
        "client_class": last["versions"]["client_class"],
        "server_class": last["versions"]["server_class"],
    })
    return conditions


def _measurement(trial: Trial, version: Version, planned: Plan, attempts: List[Attempt], clock: _Clock) -> Dict[str, Any]:
    last = attempts[-1]
    result = last.result
    retried = ["%s (%s)" % (item["code"], item["detail"]) for attempt in attempts[:-1] for item in attempt.result["reasons"][:1]]
    versions = {"iperf3_client": str(version), "iperf3_server": result["versions"]["iperf3_server"]}
    return {
        "valid": result["valid"],
        "reasons": result["reasons"],
        "flags": merged(planned.flags, result["flags"], [reason(codes.RETRIED, "; ".join(retried))] if retried else []),
        "metrics": result["metrics"],
        "partial": result["partial"],
        "attempts": len(attempts),
        "started": clock.started,
        "finished": stamp(),
        "wall_s": round(time.monotonic() - clock.began, 4),
        "traffic_s": round(sum(attempt.result["traffic_s"] or 0.0 for attempt in attempts), 4),
        "argv": last.argv,
        "versions": versions,
        "conditions": _conditions(trial, attempts),
        "raw": _raw(attempts),
    }


def _refused(planned: Plan, port: int, clock: _Clock) -> Attempt:
    """The place of a run that this version cannot do."""
    result = parse("", planned.expected)
    result.update(reasons=planned.reasons, valid=False)
    return Attempt(planned.on_port(port), Outcome(None, "", "", time.monotonic() - clock.began), result)


def measure(trial: Trial, version: Version, runner: Optional[Runner] = None) -> Dict[str, Any]:
    """Runs a trial and returns the measurement; never raises for what a network or a server does."""
    clock, planned = _Clock(), plan(trial, version)
    if planned.reasons:
        return _measurement(trial, version, planned, [_refused(planned, trial.ports[0], clock)], clock)
    attempts: List[Attempt] = []
    index = trial.port_index
    while len(attempts) <= trial.retries:
        attempts.append(_attempt(trial, planned, index, runner or run_bounded))
        index += attempts[-1].connects
        if attempts[-1].result["valid"] or not worth_a_retry(attempts[-1].result["reasons"]):
            break
    return _measurement(trial, version, planned, attempts, clock)
