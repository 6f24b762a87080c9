# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""flent's tests made by iperf3, ping and irtt, all at once on one clock, and written as a data file of flent."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import program_version
from ansible_collections.routerlab.bench.plugins.module_utils._methods import flent_series as series
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_ask import Ask, Brought
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_design import ICMP, Design, Stream, design_of, groups
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import written
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_series import Made
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_write import About, document
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import Trial
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_process import run_bounded
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import merged
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_trial import measure
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_probe import (
    PING_WITHOUT_RIGHTS_MS,
    Wish,
    irtt_answers,
    irtt_argv,
    may_ping_fast,
    ping_argv,
)
from ansible_collections.routerlab.bench.plugins.module_utils._methods.raw_files import kept
from ansible_collections.routerlab.bench.plugins.module_utils._methods.server_programs import where

# Between two clients that connect to fresh servers; all of them must be there long before the load begins.
GRACE_SECONDS = 15.0
THREADED = (3, 16)
# What iperf3 says of one process of many, where it is no news that it happened.
_EXPECTED_FLAGS = ("RETRANSMITS_UNKNOWN",)


class Job(threading.Thread):
    """One tool, started at its moment on the common clock. Its child dies with this thread."""

    def __init__(self, begin: float, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._begin, self._work = begin, work
        self.result: Any = None
        self.error = ""
        self.began = 0.0

    def run(self) -> None:
        """Waits, works, keeps what came of it."""
        time.sleep(max(0.0, self._begin - time.monotonic()))
        self.began = time.time()
        try:
            self.result = self._work()
        except (OSError, ValueError) as error:
            self.error = str(error)


class _Own:
    """One run."""

    def __init__(self, ask: Ask, version: Version, program: str) -> None:
        self.ask, self.version, self.program = ask, version, program
        self.design: Design = design_of(ask.test, ask.streams)
        self.brought = Brought(conditions={"tool": "iperf3", "generator": "iperf3"})
        self.made: List[Made] = []
        self.failed = 0

    def _trial(self, group: List[Stream], port: int) -> Trial:
        ask = self.ask
        return Trial(
            server=ask.server, ports=[port], bind=ask.bind, duration=ask.duration, interval=max(0.1, ask.step), streams=len(group),
            reverse=group[0].download, congestion=ask.congestion, retries=0, link_bps=ask.link_bps, tos=group[0].tos or None, program=self.program,
        )

    def _probes(self) -> List[Tuple[str, List[str], Callable[[str, str, List[str]], Made]]]:
        """Name, command line and reader of each probe that can be sent."""
        ask = self.ask
        wish = Wish(ask.server, ask.bind, float(ask.total), ask.step * 1000, irtt_port=ask.irtt_port)
        ping, irtt = where("ping"), where("irtt")
        found: List[Tuple[str, List[str], Callable[[str, str, List[str]], Made]]] = []
        if ping:
            interval = wish.interval_ms if may_ping_fast() else max(wish.interval_ms, PING_WITHOUT_RIGHTS_MS)
            found.append((ICMP, ping_argv(ping, wish, interval), series.of_ping))
        if self.design.udp:
            why = "irtt is not installed on the client" if irtt is None else irtt_answers(irtt, wish)
            if irtt is None or why:
                self.brought.flags.append({"code": "UDP_PROBES_MISSING", "detail": str(why)})
            else:
                found += [(name, _marked(irtt_argv(irtt, wish), tos), series.of_irtt) for name, tos in self.design.udp]
        return found

    def run(self) -> Brought:
        """All tools at once; then everything that they printed becomes one file."""
        ask = self.ask
        teams = groups(self.design, self.version.at_least(*THREADED))
        if len(teams) > len(ask.ports):
            detail = "%d servers are needed at the same time, there are %d ports" % (len(teams), len(ask.ports))
            self.brought.reasons.append({"code": "TOO_FEW_PORTS", "detail": detail})
            return self.brought
        probes = self._probes()
        begin, wall = time.monotonic() + 0.2, time.time() + 0.2
        limit = ask.total + GRACE_SECONDS
        probing = [(name, argv, reader, Job(begin, _runs(argv, limit))) for name, argv, reader in probes]
        ports = [ask.ports[(ask.port_index + number) % len(ask.ports)] for number in range(len(teams))]
        loading = [
            (team, Job(begin + ask.delay, _measures(self._trial(team, port), self.version)))
            for team, port in zip(teams, ports)
        ]
        jobs = [job for dummy, dummy2, dummy3, job in probing] + [job for dummy, job in loading]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join(limit + 10)
        for team, job in loading:
            self._take_load(team, job)
        for name, argv, reader, job in probing:
            self._take_probe(name, argv, reader, job)
        return self._finish(wall, loading)

    def _take_load(self, team: List[Stream], job: Job) -> None:
        """The streams of one iperf3, or why there are none."""
        names = ", ".join(stream.name for stream in team)
        result: Dict[str, Any] = job.result or {"valid": False, "reasons": [{"code": "TIMEOUT", "detail": job.error or "iperf3 did not end"}], "raw": []}
        text = next((item["text"] for item in result["raw"] if item["name"] == "client.json"), "")
        for item in result["raw"]:
            self.brought.raw.append(kept("%s.%s" % (team[0].name.replace(" ", "-").replace("::", "-"), item["name"]), item["text"]))
        self.brought.flags = merged(self.brought.flags, [item for item in result.get("flags", []) if item["code"] not in _EXPECTED_FLAGS])
        if result["valid"]:
            self.made += series.of_iperf3(team, text, job.began, result["argv"])
            self.brought.versions["iperf3_server"] = result["versions"].get("iperf3_server")
            self.brought.argv = self.brought.argv or list(result["argv"])
            return
        self.failed += 1
        details = ["%s: %s" % (names, item["detail"]) for item in result["reasons"]]
        codes = [item["code"] for item in result["reasons"]]
        self.brought.reasons = merged(self.brought.reasons, [{"code": code, "detail": text} for code, text in zip(codes, details)])

    def _take_probe(self, name: str, argv: List[str], reader: Callable[[str, str, List[str]], Made], job: Job) -> None:
        text = job.result.stdout if job.result is not None else ""
        stem = "ping.txt" if name == ICMP else "irtt-%s.json" % name.rpartition(" ")[2]
        self.brought.raw.append(kept(stem, text))
        made = reader(name, text, argv)
        self.failed += not made.raw
        self.made.append(made)

    def _finish(self, wall: float, loading: List[Any]) -> Brought:
        ask = self.ask
        note = "made by iperf3 %s, not by netperf" % self.version
        about = About(ask.server, ask.duration, ask.delay, ask.step, wall, "routerlab", note, 6 if ":" in ask.server else 4, self.failed)
        self.brought.data = written(document(self.design, self.made, about))
        self.brought.versions["iperf3_client"] = str(self.version)
        for name in ("ping", "irtt"):
            if where(name) and (name == "ping" or self.design.udp):
                self.brought.versions[name] = program_version(name)
        self.brought.conditions["iperf3_processes"] = len(loading)
        return self.brought


def _marked(argv: List[str], tos: int) -> List[str]:
    """irtt with random payload and its mark, which it takes as the whole byte."""
    more = ["--fill=rand"] + (["--dscp=0x%02x" % tos] if tos else [])
    return argv[:-1] + more + argv[-1:]


def _runs(argv: List[str], limit: float) -> Callable[[], Any]:
    return lambda: run_bounded(argv, limit)


def _measures(trial: Trial, version: Version) -> Callable[[], Any]:
    return lambda: measure(trial, version)


def run(ask: Ask, version: Optional[Version], program: str, trouble: Optional[str]) -> Brought:
    """The test without netperf, or why it cannot be made."""
    if trouble or version is None:
        return Brought(reasons=[{"code": "TOOL_ERROR", "detail": trouble or "iperf3 has no version"}])
    return _Own(ask, version, program).run()
