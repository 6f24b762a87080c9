# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""flent itself: whether it can work here, its command line, and the data file that it leaves."""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
import socket
import tempfile
from pathlib import Path
from typing import Callable, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import program_version
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_ask import Ask, Brought
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_numbers import shape_of
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_process import Outcome, run_bounded
from ansible_collections.routerlab.bench.plugins.module_utils._methods.raw_files import kept
from ansible_collections.routerlab.bench.plugins.module_utils._methods.server_programs import where

# flent starts and checks its tools before the test, and computes after it.
GRACE_SECONDS = 45.0
# Tests that need no netperf.
WITHOUT_NETPERF = ("ping",)
_ERRORS = (
    ("NO_DEMO_MODE", r"does not support demo mode|Demo Mode not configured"),
    ("NETPERF_MISSING", r"No netperf binary"),
    # a test that it does not know is taken for the name of a host
    ("UNKNOWN_TEST", r"Found no hostnames on lookup"),
    ("PING_UNREADABLE", r"Cannot parse output of the system ping"),
    ("NO_SERVER", r"establish the control connection|connection check failed|unreachable|refused"),
    ("NO_DATA", r"No data to aggregate"),
)


def why_not(ask: Ask, connect: Optional[Callable[[str, int], Optional[str]]] = None) -> Optional[str]:
    """Why flent with netperf cannot be used from here to there; None if it can."""
    for name in ("flent", "netperf"):
        if where(name) is None and not (name == "netperf" and ask.test in WITHOUT_NETPERF):
            return "%s is not installed on the client" % name
    if ask.test in WITHOUT_NETPERF:
        return None
    return (connect or answers)(ask.server, ask.netperf_port)


def answers(host: str, port: int) -> Optional[str]:
    """Whether netserver listens there: None, or why it does not."""
    try:
        with socket.create_connection((host, port), timeout=2.0):
            return None
    except OSError as error:
        return "no netserver at %s port %d: %s" % (host, port, error)


def _family(address: str) -> List[str]:
    try:
        return ["-%d" % ipaddress.ip_address(address.split("%")[0]).version]
    except ValueError:
        return []


def argv_of(path: str, ask: Ask, folder: str) -> List[str]:
    """No rc file of a user, no extended metadata (names, routes, MAC addresses), a folder of its own."""
    words = [path, ask.test, "-r", os.devnull] + _family(ask.server) + ["-H", ask.server, "-l", str(ask.duration), "-d", str(ask.delay), "-s", "%g" % ask.step]
    words += ["-t", "routerlab", "-D", folder, "-f", "summary"]
    words += ["--local-bind", ask.bind] if ask.bind else []
    words += ["--netperf-control-port", str(ask.netperf_port)] if ask.netperf_port != 12865 else []
    parameters = dict(ask.parameters)
    if ask.congestion:
        parameters.setdefault("tcp_cong_control", ask.congestion)
        shape = shape_of(ask.test, ask.streams)
        # tests whose number of streams can be set take it for each of them
        parameters.setdefault("cc_algos", ",".join([ask.congestion] * max(shape.down or 0, shape.up or 0, 1)))
    if ask.test in ("tcp_ndown", "tcp_nup"):
        parameters.setdefault("download_streams" if ask.test == "tcp_ndown" else "upload_streams", str(ask.streams))
    for key, value in sorted(parameters.items()):
        words += ["--test-parameter", "%s=%s" % (key, value)]
    return words


def classify(outcome: Outcome) -> List[Dict[str, str]]:
    """Why there is no data file, by what flent said."""
    if outcome.timed_out:
        return [{"code": "TIMEOUT", "detail": "flent did not end"}]
    said = (outcome.stdout.strip() + "\n" + outcome.stderr.strip())[-2000:]
    if outcome.rc is not None and outcome.rc < 0:
        return [{"code": "KILLED", "detail": "flent was ended by signal %d" % -outcome.rc}]
    code = next((code for code, pattern in _ERRORS if re.search(pattern, said, re.IGNORECASE)), "TOOL_ERROR")
    return [{"code": code, "detail": " ".join(said.split())[-400:] or "flent printed nothing, exit status %s" % outcome.rc}]


def run(ask: Ask) -> Brought:
    """One run. The folder is gone afterwards, the data file is brought back."""
    path = where("flent") or "flent"
    folder = tempfile.mkdtemp(prefix="routerlab-flent-")
    os.environ.update(MPLBACKEND="Agg", HOME=folder)
    brought = Brought(argv=argv_of(path, ask, "DIR"))
    try:
        outcome = run_bounded(argv_of(path, ask, folder), ask.total + GRACE_SECONDS)
        brought.raw += [kept(name, text) for name, text in (("flent.stdout.txt", outcome.stdout), ("flent.stderr.txt", outcome.stderr)) if text.strip()]
        files = sorted(Path(folder).glob("*.flent.gz"))
        if len(files) == 1:
            brought.data = files[0].read_bytes()
        else:
            brought.reasons += classify(outcome)
    except OSError as error:
        brought.reasons.append({"code": "TOOL_ERROR", "detail": str(error)})
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    names = ["flent"] + [name for name in ("netperf", "irtt", "fping") if where(name)]
    brought.versions = {name: program_version(name) for name in names}
    brought.conditions = {"tool": "flent", "generator": "netperf"}
    return brought
