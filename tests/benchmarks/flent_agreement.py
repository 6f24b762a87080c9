#!/usr/bin/env python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""flent with netperf against this project's own way with iperf3, on one path: do they measure the same?

    tests/benchmarks/flent_agreement.py [RUNS [SECONDS [TEST ...]]]

Builds a client, a router that passes 100 Mbit/s in each direction with a queue of 20 ms, and a server, as network namespaces of the prefix bfa.
Both ways take turns, RUNS times (5) for SECONDS of load (20), with the tests tcp_8down, tcp_8up and rrul; congestion control is cubic.
Printed are median and range of each, their difference, and the exact Mann-Whitney p.
Exits 1 when a rate differs by more than 3 % or its own spread, or a loaded ping by more than 10 % or its own spread, whichever is more.
Needs root, flent, netperf (with netserver), irtt and iperf3. netperf is not free in Debian; a folder that it was unpacked into may stand in PATH.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ansible/collections"))

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_ask import Ask
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_trial import measure
from ansible_collections.routerlab.bench.plugins.plugin_utils._stats import mann_whitney, median

NODES = ("bfa-c", "bfa-r", "bfa-s")
CLIENT, SERVER = "192.0.2.2", "192.0.2.130"
SHAPER = "tbf rate 100mbit burst 32kb latency 20ms"
PORTS = range(5201, 5210)
LIMITS = {"throughput": 0.03, "throughput_reverse": 0.03, "throughput_total": 0.03, "ping_loaded": 0.10}
TOOLS = ("flent", "iperf3")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def inside(node: str, *words: str) -> subprocess.Popen[bytes]:
    """A server in a namespace; it ends with the namespace."""
    return subprocess.Popen(["ip", "netns", "exec", node, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def remove() -> None:
    for node in NODES:
        seen = subprocess.run(["ip", "netns", "pids", node], capture_output=True, text=True, check=False).stdout.split()
        for pid in seen:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), 9)
        subprocess.run(["ip", "netns", "del", node], capture_output=True, check=False)


@contextlib.contextmanager
def path() -> Iterator[None]:
    """The three nodes with their servers."""
    remove()
    try:
        for node in NODES:
            ip("netns", "add", node)
            ip("-n", node, "link", "set", "lo", "up")
        for end, (left, right) in (("bfa-c", (CLIENT, "192.0.2.1")), ("bfa-s", (SERVER, "192.0.2.129"))):
            ip("link", "add", f"{end}0", "netns", end, "type", "veth", "peer", "name", f"to-{end}", "netns", "bfa-r")
            for node, name, address in ((end, f"{end}0", left), ("bfa-r", f"to-{end}", right)):
                ip("-n", node, "address", "add", f"{address}/25", "dev", name)
                ip("-n", node, "link", "set", name, "up")
            ip("-n", end, "route", "add", "default", "via", right)
            subprocess.run(["tc", "-n", "bfa-r", "qdisc", "add", "dev", f"to-{end}", "root", *SHAPER.split()], check=True)
        subprocess.run(["ip", "netns", "exec", "bfa-r", "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"], check=True)
        for words in (["netserver", "-D", "-N"], ["irtt", "server", "-i", "0"], *(["iperf3", "-s", "-J", "-i", "1", "-p", str(port)] for port in PORTS)):
            inside("bfa-s", *words)
        time.sleep(1.0)
        yield
    finally:
        remove()


def one_run(test: str, tool: str, seconds: int) -> dict[str, Any]:
    """A trial in a process of its own, in the client's namespace."""
    words = ["ip", "netns", "exec", "bfa-c", sys.executable, str(Path(__file__).resolve()), "--inside", test, tool, str(seconds)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def inside_run(test: str, tool: str, seconds: str) -> None:
    found = measure(Ask(SERVER, test, CLIENT, int(seconds), delay=2, tool=tool))
    found["raw"] = [item["name"] for item in found["raw"]]
    print(json.dumps(found))


def compared(name: str, runs: dict[str, list[dict[str, Any]]]) -> bool:
    """One metric of both ways; whether they agree."""
    values = {tool: [run["metrics"][name]["value"] for run in runs[tool]] for tool in TOOLS}
    scale, unit = (1e-3, "ms") if name.startswith("ping") else (1e6, "Mbit/s")
    middle = {tool: median(values[tool]) for tool in TOOLS}
    spread = max((max(values[tool]) - min(values[tool])) / middle[tool] for tool in TOOLS)
    change = middle["iperf3"] / middle["flent"] - 1
    allowed = max(LIMITS[name], spread)
    p = mann_whitney(values["flent"], values["iperf3"])
    texts = [f"{tool} {middle[tool] / scale:.2f} [{min(values[tool]) / scale:.2f}, {max(values[tool]) / scale:.2f}]" for tool in TOOLS]
    agreed = abs(change) <= allowed
    p_text = "n/a" if p is None else f"{p:.3f}"
    print(f"  {name:20} {texts[0]}, {texts[1]} {unit}: {change:+.2%}, allowed {allowed:.1%}, p {p_text}{'' if agreed else '  DISAGREES'}")
    return agreed


def main() -> int:
    if sys.argv[1:2] == ["--inside"]:
        inside_run(*sys.argv[2:5])
        return 0
    missing = [name for name in ("ip", "tc", "flent", "netperf", "netserver", "irtt", "iperf3", "ping") if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        print(f"skipped: {', '.join(missing) or 'root'} is needed")
        return 0
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    good = True
    print(f"{count} runs each, taking turns, {seconds} s of load; median [smallest, largest]; router: {SHAPER}")
    with path():
        for test in sys.argv[3:] or ["tcp_8down", "tcp_8up", "rrul"]:
            runs: dict[str, list[dict[str, Any]]] = {tool: [] for tool in TOOLS}
            for number in range(count):
                for tool in TOOLS if number % 2 == 0 else reversed(TOOLS):
                    run = one_run(test, tool, seconds)
                    if run["valid"]:
                        runs[tool].append(run)
                    else:
                        print(f"  invalid: {tool} {run['reasons']}")
            print(f"{test}: {', '.join(f'{tool} {len(runs[tool])} valid' for tool in TOOLS)}")
            if not all(runs.values()):
                return 1
            for name in LIMITS:
                if name in runs["flent"][0]["metrics"]:
                    good &= compared(name, runs)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
