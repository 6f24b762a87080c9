# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listeners and probes as they run on traffic hosts: real sockets, and real routes in a namespace of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _gate_agent as agent

PROGRAM = Path(agent.__file__)
PORTS = list(range(24161, 24200))


def free_port() -> int:
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        return int(link.getsockname()[1])


def ask(request: dict[str, Any], *before: str) -> dict[str, Any]:
    argv = [*before, sys.executable, "-I", "-S", str(PROGRAM), json.dumps(request)]
    return json.loads(subprocess.run(argv, capture_output=True, check=True, text=True, timeout=20).stdout)


def probe(protocol: str, port: int, wish: list[str], **more: Any) -> dict[str, Any]:
    return {"id": "x", "protocol": protocol, "address": "127.0.0.1", "port": port, "timeout": 0.5, "patience": 0, "wish": wish, **more}


@pytest.fixture
def listener() -> Iterator[dict[str, int]]:
    answer = ask({"do": "serve", "ports": PORTS, "lifetime": 30})
    yield answer
    os.kill(answer["pid"], signal.SIGKILL)


def test_a_listener_says_whom_it_sees(listener: dict[str, int]) -> None:
    tcp = agent.attempt(probe("tcp", listener["port"], ["connected"]))
    assert (tcp["outcome"], tcp["seen"], tcp["source"], tcp["tries"]) == ("connected", "127.0.0.1", "127.0.0.1", 1)
    udp = agent.attempt(probe("udp", listener["port"], ["answered"], size=1500))
    assert (udp["outcome"], udp["seen"], udp["ttl"], udp["sent_ttl"], udp["bytes"]) == ("answered", "127.0.0.1", 64, 64, 1472)


def test_a_datagram_that_is_too_big_is_refused_by_the_sender_itself(listener: dict[str, int]) -> None:
    answer = agent.attempt(probe("udp", listener["port"], ["too_big"], size=65530 + agent.UDP_HEADERS))
    assert answer["outcome"] == "too_big"
    assert answer["detail"].startswith("the sender's own interface refused it, MTU ")


def test_a_busy_port_is_passed_over_and_a_full_house_is_said(listener: dict[str, int]) -> None:
    second = ask({"do": "serve", "ports": [listener["port"], free_port()], "lifetime": 30})
    os.kill(second["pid"], signal.SIGKILL)
    assert second["port"] != listener["port"]
    full = ask({"do": "serve", "ports": [listener["port"]], "lifetime": 30})
    assert full["error"] == "no port is free: %d (Address already in use)" % listener["port"]


def test_a_listener_ends_by_itself() -> None:
    answer = ask({"do": "serve", "ports": PORTS, "lifetime": 1})
    assert agent.attempt(probe("tcp", answer["port"], ["connected"]))["outcome"] == "connected"
    time.sleep(1.3)
    assert agent.attempt(probe("tcp", answer["port"], ["refused"]))["outcome"] == "refused"


def test_a_wish_is_waited_for_and_silence_is_not() -> None:
    port = free_port()
    begun = time.monotonic()
    answer = agent.attempt(probe("tcp", port, ["connected"], patience=0.5))
    assert answer["outcome"] == "refused"
    assert answer["tries"] > 1
    assert 0.5 <= time.monotonic() - begun < 2
    assert agent.attempt(probe("tcp", port, ["timeout"]))["tries"] == 1


def test_somebody_elses_service_is_no_listener_of_ours() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(1)
        port = server.getsockname()[1]
        assert agent.try_tcp(probe("tcp", port, [], timeout=0.2)) == {"outcome": "timeout"}
        assert agent.try_tcp(probe("tcp", port, [], ours=False))["outcome"] == "connected"


ROOM = """
ip link set lo up
ip link add near type veth peer name away
ip addr add 192.0.2.1/30 dev near
ip link set near up
ip link set away up
{before}
'{python}' -I -S '{program}' '{request}' {after}
ip route show
"""


def in_a_namespace(request: dict[str, Any], before: str = "", after: str = "") -> list[str]:
    """The agent's answer and the routes that are there afterwards, in a network namespace of its own."""
    if os.geteuid() != 0:
        pytest.skip("a network namespace needs root")
    text = ROOM.format(before=before, python=sys.executable, program=PROGRAM, request=json.dumps(request), after=after)
    done = subprocess.run(["unshare", "--net", "sh", "-c", text], capture_output=True, check=True, text=True, timeout=20)
    return done.stdout.splitlines()


def lending(timeout: float) -> dict[str, Any]:
    one = {**probe("tcp", 24061, ["timeout"], timeout=timeout), "address": "198.51.100.7"}
    return {"do": "probe", "limit": 10, "routes": [{"to": "198.51.100.7", "via": "192.0.2.2"}], "probes": [one]}


OWN = "192.0.2.0/30 dev near proto kernel scope link src 192.0.2.1 "


def test_a_lent_route_is_gone_afterwards_and_a_dead_gateway_is_seen() -> None:
    answer, *routes = in_a_namespace(lending(0.3))
    assert json.loads(answer) == {
        "results": {"x": {"outcome": "timeout", "tries": 1, "seconds": pytest.approx(0.3, abs=0.2)}}, "routes_refused": {}, "neighbours": {"192.0.2.2": "none"},
    }
    assert routes == [OWN]


def test_a_route_that_a_killed_probe_left_is_taken_away_first() -> None:
    left = "ip route add 203.0.113.1/32 via 192.0.2.2 proto 199; ip route add 198.51.100.7/32 via 192.0.2.2 proto 199"
    answer, *routes = in_a_namespace(lending(0.3), before=left)
    assert json.loads(answer)["routes_refused"] == {}
    assert routes == [OWN]


def test_somebody_elses_route_is_neither_used_nor_taken_away() -> None:
    answer, *routes = in_a_namespace(lending(0.3), before="ip route add 198.51.100.7/32 via 192.0.2.2")
    assert "File exists" in json.loads(answer)["routes_refused"]["198.51.100.7"]
    assert routes == [OWN, "198.51.100.7 via 192.0.2.2 dev near "]


def test_a_stopped_probe_takes_its_route_back() -> None:
    watch = "& agent=$!; sleep 0.5; ip route show proto 199; kill $agent; wait $agent || true"
    first, *routes = in_a_namespace(lending(8), after=watch)
    assert first == "198.51.100.7 via 192.0.2.2 dev near "
    assert routes == [OWN]
