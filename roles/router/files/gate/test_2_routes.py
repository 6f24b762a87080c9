# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Neighbours are Full, routes are where they must be, and nowhere else."""

from __future__ import annotations

import time
from typing import Any, Callable

from ansible_collections.routerlab.bench.plugins.module_utils._programs import named
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import judge_inside, judge_ospf
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.backends import HostGone
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.facts import NotLinux, interface_with
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.outcome import Blocked, CheckFailed, NotProvable

ROUTES = "ip -j -4 route show table main"
POLL = 0.5


def view(gate: Any, want: Any) -> tuple[str, str]:
    """Who is asked about an adjacency, and for which neighbour's address: the router itself, or else the other end.

    A router that has vtysh answers for itself, even if only to say that OSPF does not run: the other end
    goes on believing in a dead neighbour for a while.
    """
    ends = [(gate.expect["router"], want["address"])] if gate.expect["inside"] else []
    ends.append((want["neighbour"], want["own"]))
    for host, address in ends:
        if host in gate.specs and gate.answers(host) and gate.run(host, "command -v vtysh").rc == 0:
            return host, address
    raise NotProvable(f"none of {', '.join(host for host, _address in ends)} can be asked: {named('vtysh')} is not there")


def neighbours(gate: Any, host: str) -> tuple[list[dict[str, Any]], str | None]:
    """A router's neighbours, or none and why they cannot be read."""
    done = gate.run(host, judge_ospf.COMMAND)
    try:
        return judge_ospf.parse_neighbours(done.stdout), None
    except ValueError:
        said = " ".join((done.stderr or done.stdout).split())[:200] or "nothing"
        return [], f"unknown, because vtysh ended with exit status {done.rc} and said: {said}"


def mtu_of(gate: Any, host: str, address: str) -> int | None:
    """The MTU at one end of a link, where one can look."""
    try:
        facts = gate.facts(host, True)
    except (HostGone, NotLinux):
        return None
    name = interface_with(facts, address)
    return facts["links"][name]["mtu"] if name else None


def test_ospf_neighbour_full(gate: Any, item: Any) -> None:
    want = item["want"]
    host, address = view(gate, want)
    watch = judge_ospf.Adjacency(address, multi_access=want["network_type"] in ("broadcast", "non_broadcast"))
    while True:
        seen, complaint = neighbours(gate, host)
        verdict = watch.see(time.monotonic(), seen)
        watch.state = complaint or watch.state
        if verdict == judge_ospf.FULL:
            gate.count_from_now("routes")
            return
        if verdict == judge_ospf.STUCK or gate.left("ospf") <= 0:
            break
        time.sleep(POLL)
    gate.give_up("routes")
    mtus = mtu_of(gate, gate.expect["router"], want["own"]), mtu_of(gate, want["neighbour"], want["address"])
    code, message = judge_ospf.explain(want, watch, verdict, *mtus, time.monotonic() - gate.begun)
    raise CheckFailed(f"{message} (on {host}: {judge_ospf.COMMAND})", code)


def table(gate: Any, item: Any, host: str, verdict: Callable[[Any, Any], str | None]) -> None:
    """A check of a routing table, until the routes' shared deadline."""
    try:
        wrong = gate.poll("routes", lambda fresh: verdict(item["want"], gate.facts(host, fresh)))
    except HostGone as error:
        if gate.specs.get(host, {}).get("kind") is None:
            raise NotProvable(f"nobody can log in: {error}") from None
        raise Blocked(f"{host} does not answer (see host_reachable)") from None
    except NotLinux as error:
        raise NotProvable(f"the routing table of {host} is not read: {error}") from None
    if wrong:
        raise CheckFailed(f"{host}: {wrong} ({ROUTES})")


def test_route_learned(gate: Any, item: Any) -> None:
    table(gate, item, gate.expect["router"], judge_inside.route_present)


def test_route_static(gate: Any, item: Any) -> None:
    table(gate, item, gate.expect["router"], judge_inside.route_static)


def test_route_announced(gate: Any, item: Any) -> None:
    table(gate, item, item["want"]["host"], judge_inside.route_present)


def test_no_route_back(gate: Any, item: Any) -> None:
    table(gate, item, item["want"]["host"], judge_inside.no_route_back)
