# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Packets do what the lab says: seen by those who send and by those who receive them."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import judge_traffic as judge
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.backends import HostGone
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.facts import NotLinux
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.outcome import Blocked, CheckFailed, NotProvable
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.probes import probe_id, self_id, stage_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.session import HostFailed


def seen_by(gate: Any, source: str, name: str, stage: int = 0) -> dict[str, Any]:
    """What one probe has seen."""
    try:
        answer = gate.answer(source, stage)
    except (HostGone, NotLinux):
        raise Blocked(f"{source} does not answer (see host_reachable)") from None
    except HostFailed as error:
        raise CheckFailed(str(error)) from None
    if name not in answer["results"]:
        raise CheckFailed(f"{source}: the probe did not end in time")
    return dict(answer["results"][name])


def seen(gate: Any, item: Any) -> dict[str, Any]:
    """What the probe of an item has seen, once its target is known to listen."""
    want = item["want"]
    gate.start_traffic()
    target = want["target"]
    if target is not None and target not in gate.ports:
        reason = gate.listener_error(target) if gate.answers(target) else "it does not answer (see host_reachable)"
        raise Blocked(f"{target} does not listen: {reason}")
    result = seen_by(gate, want["source"], probe_id(item["check"], item["instance"]), stage_of(item))
    result["port"] = want.get("port") or gate.ports.get(target or "")
    return result


def verify(wrong: str | None) -> None:
    if wrong:
        raise CheckFailed(wrong)


def test_dhcp_lease(gate: Any, item: Any) -> None:
    verify(judge_lease(gate, item, judge.lease))


def test_dhcp_options(gate: Any, item: Any) -> None:
    verify(judge_lease(gate, item, judge.options))


def judge_lease(gate: Any, item: Any, verdict: Any) -> str | None:
    host = item["want"]["host"]
    try:
        lease = gate.lease(item["want"]["pool"])
        if item["check"] == "dhcp_options" and "error" in lease:
            raise Blocked("there is no lease to look into")
        wrong = verdict(item["want"], lease)
        if "error" in lease:
            wrong = f"{wrong}{server_sockets(gate)}"
    except (HostGone, NotLinux):
        raise Blocked(f"{host} does not answer (see host_reachable)") from None
    except HostFailed as error:
        raise CheckFailed(str(error)) from None
    return f"{host}, pool {item['want']['pool']}: {wrong}" if wrong else None


def server_sockets(gate: Any) -> str:
    """Where the router listens for DHCP, for the message of a lease that did not come."""
    router = gate.expect["router"]
    if not gate.expect["inside"] or not gate.answers(router):
        return ""
    done = gate.run(router, "ss -Hlun 'sport = :67'")
    places = [line.split()[3] for line in done.stdout.splitlines() if len(line.split()) > 3]
    return f" ({router} listens on {', '.join(places) or 'no UDP port 67'}: ss -Hlun 'sport = :67')" if done.rc == 0 else ""


def router_address(gate: Any, want: Any) -> str | None:
    """The address of the router's outside interface, where DHCP gives it."""
    try:
        link = gate.facts(gate.expect["router"], True)["links"].get(want["native"])
    except (HostGone, NotLinux):
        return None
    return link["addresses"][0].split("/")[0] if link and link["addresses"] else None


def test_ping_dut(gate: Any, item: Any) -> None:
    verify(judge.passes(item["want"], seen(gate, item)))


def test_source_unchanged(gate: Any, item: Any) -> None:
    verify(judge.source(item["want"], seen(gate, item), item["want"]["expected"]))


def test_source_translated(gate: Any, item: Any) -> None:
    want = item["want"]
    verify(judge.source(want, seen(gate, item), want["expected"] or router_address(gate, want)))


def test_ttl_decreases(gate: Any, item: Any) -> None:
    verify(judge.ttl(item["want"], seen(gate, item)))


def test_path_mtu_passes(gate: Any, item: Any) -> None:
    verify(judge.mtu_passes(item["want"], seen(gate, item)))


def test_path_mtu_limit(gate: Any, item: Any) -> None:
    result = seen(gate, item)
    verify(judge.mtu_limit(item["want"], result))
    smaller = seen_by(gate, item["want"]["source"], probe_id("path_mtu_passes", item["instance"]))
    if smaller["outcome"] != "answered":
        raise Blocked("a datagram of the path's MTU does not pass either (see path_mtu_passes), so the silence proves nothing")


def lent(gate: Any, want: Any) -> None:
    """A probe over a lent route counts only if the route was there and the router's hardware address was found."""
    if not want.get("via"):
        return
    answer = gate.answer(want["source"], 1)
    if want["address"] in answer["routes_refused"]:
        raise NotProvable(f"{want['source']} cannot lend a route to {want['address']} via {want['via']}: {answer['routes_refused'][want['address']]}")
    if answer["neighbours"].get(want["via"]) == "none":
        raise CheckFailed(f"{want['source']}: {want['via']} does not answer ARP, so the probe to {want['address']} never left (ip neigh show to {want['via']})")


def test_firewall_accepts(gate: Any, item: Any) -> None:
    result = seen(gate, item)
    lent(gate, item["want"])
    verify(judge.passes(item["want"], result))


def test_firewall_rejects(gate: Any, item: Any) -> None:
    result = seen(gate, item)
    lent(gate, item["want"])
    verify(judge.rejected(item["want"], result))


def test_firewall_drops(gate: Any, item: Any) -> None:
    want = item["want"]
    result = seen(gate, item)
    lent(gate, want)
    verify(judge.dropped(want, result))
    if want["target"] is not None:
        shown(gate, want)


def shown(gate: Any, want: Any) -> None:
    """Silence proves nothing unless the target listens: somebody else has just talked to it."""
    control, target = want["control"], want["target"]
    asked = control or target
    names = [probe_id(check, f"{control} → {target}") for check in ("source_unchanged", "source_translated")] if control else [self_id(target)]
    try:
        results = gate.answer(asked, 0)["results"]
    except (HostGone, NotLinux, HostFailed):
        raise Blocked(f"nothing shows that {target} listens: {asked} does not answer") from None
    if not any(results.get(name, {}).get("outcome") == "connected" for name in names):
        raise Blocked(f"nothing shows that {target} listens: {asked} could not talk to it either, so the silence proves nothing")
