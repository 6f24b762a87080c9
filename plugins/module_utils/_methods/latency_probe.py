# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which prober is used, and with what words."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_process import Outcome, run_bounded
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_numbers import Probes
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_parse import parse_irtt, parse_ping
from ansible_collections.routerlab.bench.plugins.module_utils._methods.server_programs import where

IRTT_PORT = 2112
# Without more rights ping sends at most so often.
PING_WITHOUT_RIGHTS_MS = 200
# What a prober may need beyond its time: irtt waits for three times the longest round trip, or four seconds.
GRACE_SECONDS = 20.0
CAP_NET_ADMIN = 12


@dataclass
class Wish:
    """What is to be probed."""

    server: str
    bind: Optional[str] = None
    duration: float = 10.0
    interval_ms: float = 10.0
    size: int = 0
    dscp: int = 0
    probe: str = "auto"
    irtt_port: int = IRTT_PORT

    @property
    def asked(self) -> int:
        """How many probes that makes."""
        return max(1, int(self.duration * 1000 / self.interval_ms))


@dataclass
class Prober:
    """A prober that is there: its command line, and how its output is read."""

    name: str
    argv: List[str]
    parse: Callable[[str, str, bool], Probes]
    raw: str
    asked: int

    def run(self, seconds: float) -> Outcome:
        """Within a bounded time."""
        return run_bounded(self.argv, seconds + GRACE_SECONDS)


def _version_of(address: str) -> Optional[int]:
    try:
        return ipaddress.ip_address(address.split("%")[0]).version
    except ValueError:
        return None


def _bracketed(address: str, port: Optional[int] = None) -> str:
    host = "[%s]" % address if _version_of(address) == 6 else address
    return "%s:%d" % (host, port) if port else host


def irtt_argv(path: str, wish: Wish) -> List[str]:
    """Durations in whole microseconds: irtt reads no exponent."""
    words = [path, "client", "-Q", "-o", "-", "-d", "%dus" % round(wish.duration * 1e6), "-i", "%dus" % max(1, round(wish.interval_ms * 1e3))]
    words += ["-l", str(wish.size)] if wish.size else []
    words += ["--dscp=%d" % (wish.dscp << 2)] if wish.dscp else []
    words += ["--local=" + _bracketed(wish.bind)] if wish.bind else []
    return words + [_bracketed(wish.server, wish.irtt_port)]


def ping_argv(path: str, wish: Wish, interval_ms: float) -> List[str]:
    """So many requests, and two seconds for the last answer. Not -w: with it, ping sends more until so many are answered."""
    count = max(1, int(wish.duration * 1000 / interval_ms))
    words = [path, "-n", "-D", "-i", "%.3f" % (interval_ms / 1000), "-c", str(count), "-W", "2"]
    words += ["-s", str(wish.size)] if wish.size else []
    words += ["-Q", str(wish.dscp << 2)] if wish.dscp else []
    words += ["-I", wish.bind] if wish.bind else []
    return words + [wish.server]


def may_ping_fast(status: Optional[str] = None, uid: Optional[int] = None) -> bool:
    """Whether ping takes intervals below 200 ms from this user."""
    if (os.getuid() if uid is None else uid) == 0:
        return True
    try:
        text = status if status is not None else Path("/proc/self/status").read_text(encoding="ascii")
        return bool(int(text.split("CapEff:")[1].split()[0], 16) >> CAP_NET_ADMIN & 1)
    except (OSError, IndexError, ValueError):
        return False


def irtt_answers(path: str, wish: Wish, runner: Callable[[List[str], float], Outcome] = run_bounded) -> Optional[str]:
    """Asks the server for a test and makes none: None if it says yes, else what was said."""
    words = [path, "client", "-n", "-Q", "--timeouts=200ms,400ms,800ms"] + (["--local=" + _bracketed(wish.bind)] if wish.bind else [])
    outcome = runner(words + [_bracketed(wish.server, wish.irtt_port)], 5.0)
    return None if outcome.rc == 0 else " ".join(outcome.stderr.split())[:200] or "no answer"


def choose(wish: Wish) -> Dict[str, Any]:
    """C(prober), or C(reasons) why there is none; C(flags) if it is the second choice."""
    irtt, ping = where("irtt"), where("ping")
    why = "" if wish.probe != "ping" else "asked for"
    if wish.probe != "ping":
        why = "irtt is not installed on the client" if irtt is None else irtt_answers(irtt, wish) or ""
        if irtt is not None and not why:
            return {"prober": Prober("irtt", irtt_argv(irtt, wish), parse_irtt, "irtt.json", wish.asked), "flags": [], "reasons": []}
        if wish.probe == "irtt":
            return {"prober": None, "flags": [], "reasons": [{"code": "NO_SERVER", "detail": why}]}
    if ping is None:
        return {"prober": None, "flags": [], "reasons": [{"code": "NO_PROBER", "detail": "%s; ping is not installed" % why}]}
    interval = wish.interval_ms if may_ping_fast() else max(wish.interval_ms, PING_WITHOUT_RIGHTS_MS)
    flags = [] if wish.probe == "ping" else [{"code": "PING_INSTEAD_OF_IRTT", "detail": why}]
    if interval > wish.interval_ms:
        flags.append({"code": "INTERVAL_RAISED", "detail": "%g ms instead of %g ms: ping sends no faster for this user" % (interval, wish.interval_ms)})
    asked = max(1, int(wish.duration * 1000 / interval))
    return {"prober": Prober("ping", ping_argv(ping, wish, interval), parse_ping, "ping.txt", asked), "flags": flags, "reasons": []}
