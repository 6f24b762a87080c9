# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everybody who has a part in the gate answers, and the router is what the lab says, seen from inside."""

from __future__ import annotations

from typing import Any, Callable

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import judge_inside as judge
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.backends import HostGone
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.facts import NotLinux
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.outcome import Blocked, CheckFailed, NotProvable

LOOK = "ip -j addr show"


def test_host_reachable(gate: Any, item: Any) -> None:
    name, role = item["want"]["host"], item["want"]["role"]
    try:
        gate.facts(name)
    except HostGone as error:
        if role == "router" and gate.specs.get(name, {}).get("kind") is None:
            raise NotProvable(f"{error}: the router is only looked at from outside") from None
        raise CheckFailed(f"{name} ({role}): expected it to answer; {error}") from None
    except NotLinux as error:
        if role == "router":
            raise NotProvable(f"{name} is no Linux that shows itself by iproute2, so it is only looked at from outside: {error}") from None
        raise CheckFailed(f"{name} ({role}): expected a Linux host with iproute2; {error}") from None


def inside(gate: Any, item: Any, verdict: Callable[[Any, Any], str | None], command: str, until: str = "settle") -> None:
    """A check that looks at the router from inside, again and again until its deadline."""
    router = gate.expect["router"]
    try:
        wrong = gate.poll(until, lambda fresh: verdict(item["want"], gate.facts(router, fresh)))
    except HostGone as error:
        if gate.specs.get(router, {}).get("kind") is None:
            raise NotProvable(f"nobody can log in: {error}") from None
        raise Blocked(f"{router} does not answer (see host_reachable)") from None
    except NotLinux as error:
        raise NotProvable(f"{router} is only looked at from outside: {error}") from None
    if wrong:
        raise CheckFailed(f"{router}: {wrong} ({command})")


def test_dut_version(gate: Any, item: Any) -> None:
    def verdict(want: Any, facts: Any) -> str | None:
        seen = judge.dut_version(want, facts)
        if seen is not None and not seen[0]:
            raise NotProvable(seen[1])
        return seen[1] if seen else None

    inside(gate, item, verdict, "cat /etc/os-release")


def test_interface_present(gate: Any, item: Any) -> None:
    inside(gate, item, judge.interface_present, LOOK)


def test_interface_up(gate: Any, item: Any) -> None:
    inside(gate, item, judge.interface_up, LOOK)


def test_interface_address(gate: Any, item: Any) -> None:
    inside(gate, item, judge.interface_address, LOOK, "dhcp" if item["want"]["dhcp"] else "settle")


def test_interface_mtu(gate: Any, item: Any) -> None:
    inside(gate, item, judge.interface_mtu, LOOK)


def test_loopback_address(gate: Any, item: Any) -> None:
    inside(gate, item, judge.loopback_address, LOOK)


def test_ip_forwarding(gate: Any, item: Any) -> None:
    inside(gate, item, judge.ip_forwarding, "cat /proc/sys/net/ipv4/ip_forward")
