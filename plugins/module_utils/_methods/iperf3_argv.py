# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of a trial, made only of options that this version of iperf3 has."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_reasons as codes
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import reason
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_shape import Expected
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import OLDEST, Version

# Linux answers "Invalid argument" to a smaller one.
SMALLEST_MSS = 88
# A datagram that fits, for versions whose own default is 8 kB.
UNFRAGMENTED = 1448
# MAX_STREAMS and MAX_TIME of iperf3, the same in every version
MOST_STREAMS, MOST_SECONDS = 128, 86400
# What a trial may take beyond its traffic before it is stopped.
GRACE_SECONDS = 15


@dataclass
class Trial:
    """What one trial is asked to do."""

    server: str
    ports: List[int] = field(default_factory=lambda: [5201])
    port_index: int = 0
    protocol: str = "tcp"
    duration: int = 10
    omit: int = 0
    interval: float = 1.0
    streams: int = 1
    reverse: bool = False
    bidir: bool = False
    bind: Optional[str] = None
    cport: Optional[int] = None
    congestion: Optional[str] = None
    length: Optional[int] = None
    mss: Optional[int] = None
    bitrate: Optional[str] = None
    connect_timeout_ms: int = 3000
    connect_retry_seconds: float = 3.0
    outer_timeout: Optional[float] = None
    retries: int = 1
    link_bps: Optional[float] = None
    server_output: bool = True
    tos: Optional[int] = None
    program: str = "iperf3"

    @property
    def limit_seconds(self) -> float:
        """When the run is stopped from outside."""
        return self.outer_timeout if self.outer_timeout else self.duration + self.omit + GRACE_SECONDS


@dataclass
class Plan:
    """A trial as it will be run: one command line per port, and what the parser must expect of the report."""

    argv: List[str]
    expected: Expected
    flags: List[Dict[str, str]] = field(default_factory=list)
    reasons: List[Dict[str, str]] = field(default_factory=list)

    def on_port(self, port: int) -> List[str]:
        """The command line with its port filled in."""
        return [str(port) if word == "{port}" else word for word in self.argv]


def problems(trial: Trial, version: Optional[Version]) -> List[str]:
    """What is wrong with a trial, all at once; each names the option, the value and what would do."""
    found = []
    if not trial.ports:
        found.append("ports: the list is empty; give at least one, for example [5201]")
    if trial.protocol == "udp" and not trial.bitrate:
        found.append("bitrate: needed with protocol=udp (iperf3 would send 1 Mbit/s); give one such as 100M, or 0 for as fast as possible")
    if trial.reverse and trial.bidir:
        found.append("reverse, bidir: only one of them can be true")
    if trial.mss is not None and trial.protocol != "tcp":
        found.append("mss: %d is for protocol=tcp only; with udp use length" % trial.mss)
    elif trial.mss is not None and trial.mss < SMALLEST_MSS:
        udp_length = max(trial.mss - 28, 4)
        found.append("mss: %d is refused by Linux, the smallest is %d; for smaller packets use protocol=udp with length=%d (IP size less 28)"
                     % (trial.mss, SMALLEST_MSS, udp_length))
    elif trial.mss is not None and version and trial.mss > version.max_mss:
        found.append("mss: %d is more than iperf %s takes, at most %d" % (trial.mss, version, version.max_mss))
    found.extend(_out_of_bounds(trial))
    found.extend("ports: %d is outside of 1 to 65535" % port for port in trial.ports if not 1 <= port <= 65535)
    if version and not version.at_least(*OLDEST):
        found.append("executable: %s is iperf %s; 3.1 or newer is needed" % (trial.program, version))
    return found


def _out_of_bounds(trial: Trial) -> List[str]:
    found = []
    for name in ("duration", "streams", "interval"):
        if not getattr(trial, name) > 0:
            found.append("%s: %s must be more than 0" % (name, getattr(trial, name)))
    for name, most in (("duration", MOST_SECONDS), ("streams", MOST_STREAMS)):
        if getattr(trial, name) > most:
            found.append("%s: %s is more than iperf3 takes, at most %d" % (name, getattr(trial, name), most))
    for name in ("omit", "retries", "connect_retry_seconds"):
        if getattr(trial, name) < 0:
            found.append("%s: %s must be 0 or more" % (name, getattr(trial, name)))
    return found


def _family(address: str) -> List[str]:
    try:
        return ["-%d" % ipaddress.ip_address(address.split("%")[0]).version]
    except ValueError:
        return []


def _window_by_us(trial: Trial, version: Version, fetch: bool) -> bool:
    """Before 3.14 the statistics of --omit are wrong: then the whole time is run and the start is dropped from the receiver's intervals.

    That needs those intervals; without them --omit is used all the same, and flagged.
    """
    return trial.omit > 0 and not version.omit_is_right and (fetch or trial.reverse)


def _what_is_sent(trial: Trial, version: Version) -> List[str]:
    words = ["-P", str(trial.streams)]
    if trial.protocol == "udp":
        length = trial.length or (UNFRAGMENTED if version.udp_default_fragments else None)
        words += ["-u", "-b", str(trial.bitrate)] + (["-l", str(length)] if length else [])
        return words
    words += ["-C", trial.congestion] if trial.congestion else []
    words += ["-l", str(trial.length)] if trial.length else []
    words += ["-M", str(trial.mss)] if trial.mss else []
    words += ["-b", str(trial.bitrate)] if trial.bitrate else []
    return words


def plan(trial: Trial, version: Version) -> Plan:
    """The command line for this version, and what its report will have to show."""
    fetch = trial.server_output and version.can_fetch_server_output(trial.protocol, trial.streams)
    own = _window_by_us(trial, version, fetch)
    words = [trial.program, "-c", trial.server] + _family(trial.server) + ["-p", "{port}"]
    words += ["-t", str(trial.duration + trial.omit), "-O", "0"] if own else ["-t", str(trial.duration), "-O", str(trial.omit)]
    words += ["-i", "1" if own else "%g" % trial.interval, "-J"] + _what_is_sent(trial, version)
    words += ["-S", str(trial.tos)] if trial.tos else []
    words += ["-R"] if trial.reverse else []
    words += ["--bidir"] if trial.bidir else []
    words += ["-B", trial.bind] if trial.bind else []
    words += ["--cport", str(trial.cport)] if trial.cport else []
    words += ["--connect-timeout", str(trial.connect_timeout_ms)] if version.has_connect_timeout else []
    words += ["--get-server-output"] if fetch else []
    flags, reasons = [], []
    if trial.omit and not own and not version.omit_is_right:
        flags.append(reason(codes.OMIT_STATISTICS_OLD, "iperf %s counts the omitted seconds wrongly, and the receiver's intervals are not asked for" % version))
    if trial.bidir and not version.has_bidir:
        reasons.append(reason(codes.BIDIR_UNSUPPORTED_VERSION, "iperf %s has no --bidir, 3.7 or newer is needed" % version))
    return Plan(words, _expected(trial, own), flags, reasons)


def _expected(trial: Trial, own: bool) -> Expected:
    return Expected(
        protocol=trial.protocol,
        duration=float(trial.duration),
        streams=trial.streams,
        reverse=trial.reverse,
        bidir=trial.bidir,
        length=trial.length,
        congestion=trial.congestion if trial.protocol == "tcp" else None,
        link_bps=trial.link_bps,
        warmup=float(trial.omit) if own else 0.0,
    )


def trial_of(params: Dict[str, Any]) -> Trial:
    """A trial from a module's parameters; those that are None keep their default."""
    return Trial(**{name: params[name] for name in Trial.__dataclass_fields__ if params.get(name) is not None})
