# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From what the kernel says to facts, and from differing facts to commands.

C(netns_seen/default_lab.json) is what C(ip), C(ethtool) and /proc said inside the built lab of inventories/lab (iproute2 6.1, ethtool 6.1, Linux 6.18),
with the keys that nothing reads taken out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import netns_data
import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._netns_facts import OFF, Wanted, text, wanted
from ansible_collections.routerlab.bench.plugins.module_utils._netns_plan import link_lines, links_to_cut, node_steps
from ansible_collections.routerlab.bench.plugins.module_utils._netns_seen import report, seen_facts

PREFIX = "zq"
SEEN = Path(__file__).parent / "netns_seen/default_lab.json"
OUTSIDE = ("node", "netns", "pidfile")  # facts that are not read inside a namespace


@pytest.fixture()
def lab() -> dict[str, Any]:
    return netns_data.default_lab(PREFIX)


@pytest.fixture()
def want(lab: dict[str, Any]) -> Wanted:
    names = [node["name"] for node in lab["nodes"]] + ["l2"]
    return wanted(lab, dict.fromkeys(names, "print"))


@pytest.fixture()
def raw() -> dict[str, Any]:
    return json.loads(SEEN.read_text(encoding="utf-8"))


def link(raw: dict[str, Any], node: str, ifname: str) -> dict[str, Any]:
    return next(item for item in raw[node]["links"] if item["ifname"] == ifname)


def differences(lab: dict[str, Any], want: Wanted, raw: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Missing and surplus facts, as lines."""
    seen = seen_facts(lab, want, raw)
    inside = {fact for fact in want.facts if fact[0] not in OUTSIDE}
    return text(inside - seen).splitlines(), text(seen - inside).splitlines()


def test_a_built_lab_is_what_was_asked_for(lab: dict[str, Any], want: Wanted, raw: dict[str, Any]) -> None:
    assert differences(lab, want, raw) == ([], [])


def test_the_router_under_test_may_do_what_it_likes(lab: dict[str, Any], want: Wanted, raw: dict[str, Any]) -> None:
    raw["dut"]["routes"]["4"] = [{"dst": "default", "gateway": "10.253.253.1", "dev": "eth0", "flags": []}]
    link(raw, "dut", "eth0").update(mtu=1400, flags=["UP"], addr_info=[{"local": "10.253.253.2", "prefixlen": 30, "scope": "global"}])
    assert differences(lab, want, raw) == ([], [])


def test_routes_of_a_daemon_are_not_ours(lab: dict[str, Any], want: Wanted, raw: dict[str, Any]) -> None:
    raw["upstream"]["routes"]["4"].append({"dst": "10.222.222.0/24", "gateway": "10.253.253.2", "dev": "eth0", "protocol": "188", "flags": []})
    assert differences(lab, want, raw) == ([], [])


def test_damage_is_seen_as_it_is(lab: dict[str, Any], want: Wanted, raw: dict[str, Any]) -> None:
    raw["wan"]["routes"]["4"] = [{"type": "6", "dst": "192.0.2.0/24", "dev": "lo", "protocol": "4", "flags": []}]
    raw["lan"]["features"]["eth0"]["tcp-segmentation-offload"] = True
    raw["upstream"]["sysctls"]["net.ipv4.ip_forward"] = "0\n"
    raw["upstream"]["frr"]["running"].remove("ospfd")
    link(raw, "lan2", "eth0").update(mtu=9000, addr_info=[])
    link(raw, "l2", "wan")["flags"].remove("UP")
    link(raw, "l2", "lan")["linkinfo"]["info_slave_data"]["state"] = "disabled"
    missing, surplus = differences(lab, want, raw)
    assert [line for line in surplus if not line.startswith("frr upstream ")] == [
        "mtu lan2 eth0 9000",
        "offload lan eth0 mixed",
        "route wan blackhole 192.0.2.0/24",
        "sysctl upstream net.ipv4.ip_forward 0",
    ]
    assert [line for line in missing if not line.startswith("frr")] == [
        "address lan2 eth0 10.223.223.11/24",
        "forwarding l2 lan",
        "mtu lan2 eth0 1500",
        "offload lan eth0 off",
        "route wan default via 10.254.254.1",
        "sysctl upstream net.ipv4.ip_forward 1",
        "up l2 wan",
    ]


def test_a_wire_to_the_wrong_place_is_cut_and_laid_again(lab: dict[str, Any], want: Wanted, raw: dict[str, Any]) -> None:
    one, two = link(raw, "dut", "eth1"), link(raw, "dut", "eth2")
    one["ifname"], two["ifname"] = "eth2", "eth1"  # crossed
    seen = seen_facts(lab, want, raw)
    missing, extra = want.facts - seen, seen - want.facts
    assert text({fact for fact in extra if fact[0] == "link"}) == "link dut:eth1 lan2:eth0\nlink dut:eth2 lan:eth0\n"
    present = {(name, item["ifname"]) for name, inside in raw.items() for item in inside["links"]}
    assert set(links_to_cut(missing, extra, present)) == {("dut", "eth1"), ("dut", "eth2"), ("lan", "eth0"), ("lan2", "eth0")}
    assert link_lines(PREFIX, want, missing) == [
        "link add name eth1 index 1002 mtu 1500 netns zq-dut type veth peer name eth0 index 1007 mtu 1500 netns zq-lan",
        "link add name eth2 index 1003 mtu 1500 netns zq-dut type veth peer name eth0 index 1009 mtu 1500 netns zq-lan2",
    ]


def test_a_wire_into_another_lab_is_not_one_of_ours(lab: dict[str, Any], want: Wanted, raw: dict[str, Any]) -> None:
    for entry in raw["lan"]["nsids"]:
        entry["name"] = entry["name"].replace("zq-dut", "other-dut")
    missing, _surplus = differences(lab, want, raw)
    assert missing == []  # the router's end still knows it
    raw["dut"]["nsids"] = []
    missing, _surplus = differences(lab, want, raw)
    assert "link dut:eth1 lan:eth0" in missing


def test_steps_of_an_empty_endpoint(want: Wanted) -> None:
    steps = node_steps("lan", want.facts, set(), want.facts)
    assert steps.first == [
        "address add 10.222.222.12/24 dev eth0", "address add 10.250.250.12/24 dev l2", "link set dev eth0 mtu 1500", "link set dev l2 mtu 1500",
    ]
    assert steps.ethtool == [
        ["ethtool", "-K", name, "rx", "off", "tx", "off", "sg", "off", "tso", "off", "gso", "off", "gro", "off"] for name in ("eth0", "l2")
    ]
    assert steps.sysctls == {"net.ipv4.ip_forward": "0"}
    assert steps.last == ["link set dev eth0 up", "link set dev l2 up", "route replace default via 10.222.222.1"]


def test_steps_of_a_bridge_and_of_a_bare_router(want: Wanted) -> None:
    steps = node_steps("l2", want.facts, set(), want.facts)
    assert steps.first[0] == "link add name br0 type bridge forward_delay 0 stp_state 0"
    assert "link set dev lan master br0" in steps.first
    assert "link set dev br0 up" in steps.last
    bare = node_steps("dut", want.facts, set(), want.facts)
    assert (bare.first, bare.last, bare.sysctls) == ([], [], {})
    assert len(bare.ethtool) == 3


def test_surplus_goes_away_routes_first(want: Wanted) -> None:
    extra = {("address", "lan", "eth0", "192.0.2.1/24"), ("route", "lan", "198.51.100.0/24 via 192.0.2.9"), ("master", "lan", "eth0", "br9")}
    steps = node_steps("lan", set(), extra, want.facts)
    assert steps.first == ["route del 198.51.100.0/24 via 192.0.2.9", "address del 192.0.2.1/24 dev eth0", "link set dev eth0 nomaster"]


def test_nothing_to_do_is_nothing(want: Wanted) -> None:
    assert not node_steps("lan", set(), set(), want.facts)


def test_what_was_read_back_is_reported(want: Wanted, raw: dict[str, Any]) -> None:
    raw["lan"]["features"]["eth0"]["tx-checksumming"] = True
    nodes = report(want, raw, PREFIX)
    assert sorted(nodes) == ["dut", "lan", "lan2", "upstream", "wan"]
    eth0 = nodes["lan"]["interfaces"]["eth0"]
    assert (eth0["peer"], eth0["mtu"], eth0["offload"]) == ("dut:eth1", 1500, "mixed")
    assert sorted(eth0["features"]) == sorted(OFF)
    assert nodes["dut"]["interfaces"]["eth0"]["offload"] == "off"
