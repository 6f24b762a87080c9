# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interfaces by role, next hops by name, ways of NAT, and the firewall as a filter with states sees it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_inbound import FIRST_ID, IDS, inbound_model
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_roles import gateways_model, interface_keys, loopback_keys, nat_way, virtual_ports

NAMES = st.lists(
    st.sampled_from(["wan", "lan", "lan1", "lan2", "lan3", "opt1", "opt7", "WAN2", "dmz", "a", "b", "backbone", "lan-4", "x.y"]),
    min_size=1,
    max_size=9,
    unique=True,
)


@pytest.mark.parametrize(
    ("names", "outside", "keys"),
    [
        (["wan", "lan", "lan2"], "wan", ["wan", "lan", "opt1"]),
        (["lan2", "wan"], "wan", ["opt1", "wan"]),
        (["lan", "lan3"], "lan3", ["lan", "wan"]),
        (["wan", "lan3", "opt2"], "wan", ["wan", "opt2", "opt151"]),
        (["uplink", "lan"], "uplink", ["wan", "lan"]),
        (["lan"], None, ["wan"]),
        ([], None, []),
    ],
)
def test_keys_of_interfaces(names: list[str], outside: str | None, keys: list[str]) -> None:
    assert list(interface_keys(names, outside).values()) == keys


@given(names=NAMES)
def test_keys_stay_when_an_interface_goes(names: list[str]) -> None:
    """As long as there is a wan of that name, and nobody else wants the same key."""
    full = interface_keys(["wan", *(name for name in names if name != "wan")], "wan")
    assert len(set(full.values())) == len(full) and set(full.values()) >= {"wan"}
    contested = {"lan2", "opt1", "lan3"} & set(full)
    for gone in set(full) - {"wan"} - contested:
        rest = interface_keys([name for name in full if name != gone], "wan")
        assert rest == {name: key for name, key in full.items() if name != gone}


@given(names=NAMES)
def test_keys_of_loopbacks(names: list[str]) -> None:
    """Beside all interfaces, each from its own name."""
    taken = interface_keys(["wan", "lan", "lan2"], "wan").values()
    full = loopback_keys(names, taken)
    assert list(full) == names and len(set(full.values())) == len(full)
    assert all(key.startswith("opt") and int(key[3:]) >= 1000 for key in full.values())
    assert loopback_keys(names[:1], taken)[names[0]] == full[names[0]]


def test_a_key_that_is_taken_is_not_given_again() -> None:
    key = loopback_keys(["a"], [])["a"]
    assert loopback_keys(["a"], [key]) == {"a": f"opt{int(key[3:]) + 1}"}


def interface(name: str, prefix: str | None = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "prefix": prefix, "dhcp": prefix is None, "gateway": None, "zone": None, **more}


WAN, LAN, DMZ = interface("wan"), interface("lan", "10.0.0.0/24"), interface("dmz", "10.1.0.0/24")


def test_each_next_hop_once() -> None:
    routes = [
        {"gateway": "10.0.0.9", "prefix": "0.0.0.0/0"},
        {"gateway": "10.0.0.9", "prefix": "10.9.0.0/16"},
        {"gateway": "10.1.0.9", "prefix": "0.0.0.0/0"},
        {"gateway": None, "prefix": "10.8.0.0/16"},
        {"gateway": "192.0.2.1", "prefix": "10.7.0.0/16"},
    ]
    found = gateways_model([WAN, LAN, DMZ], routes)
    assert [(hop["name"], hop["interface"], hop["default"], hop["spare"]) for hop in found] == [
        ("GW_10_0_0_9", "lan", True, False),
        ("GW_10_1_0_9", "dmz", False, True),
        ("GW_192_0_2_1", None, False, False),
    ]


@pytest.mark.parametrize(
    ("enabled", "sources", "learns", "way"),
    [
        (False, [], False, "off"),
        (True, [("wan", None)], False, "automatic"),
        (True, [("wan", None)], True, "listed"),
        (True, [("wan", None), ("wan", "10.0.0.0/8")], False, "both"),
        (True, [("wan", "10.0.0.0/8")], False, "listed"),
        (True, [("lan", None)], False, "listed"),
        (True, [("wan", None), ("lan", None)], False, "listed"),
    ],
)
def test_the_way_of_nat(enabled: bool, sources: list[Any], learns: bool, way: str) -> None:
    rules = [{"interface": name, "source": source} for name, source in sources]
    assert nat_way({"enabled": enabled, "rules": rules}, [WAN, LAN], learns) == way


def test_a_hypervisor_s_card_counts_when_it_is_used() -> None:
    ports = [{"native": "ix0", "used": True}, {"native": "vtnet0", "used": False}]
    assert not virtual_ports(ports, ["vtnet*"])
    assert virtual_ports([*ports, {"native": "vtnet1", "used": True}], ["vmx*", "vtnet*"])


def rule(number: int, action: str = "accept", **more: Any) -> dict[str, Any]:
    keys = {"protocol": "any", "icmp_type": None, "source": None, "destination": None, "log": False, "description": None}
    return {"number": number, "action": action, "states": [], "source_ports": [], "destination_ports": [], **keys, **more}


KNOWN = rule(1, states=["established", "related"])


def rule_set(name: str, default: str, *rules: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "default": default, "rules": list(rules)}


def bound(*sets: dict[str, Any], **binding: Any) -> dict[str, Any]:
    one = {"interface": "wan", "in": None, "out": None, "local": None, **binding}
    return {"mode": "stateful", "rule_sets": list(sets), "bindings": [one], "zones": []}


def told(
    firewall: dict[str, Any], outside: str | None = "wan", routed: bool = False, interfaces: list[dict[str, Any]] | None = None
) -> tuple[list[Any], list[str]]:
    found = inbound_model(firewall, interfaces or [WAN, LAN], outside, routed)
    assert len({item["id"] for item in found["rules"]}) == len(found["rules"])
    assert all(FIRST_ID <= item["id"] < FIRST_ID + IDS for item in found["rules"])
    return [
        (
            item["interface"],
            item["action"],
            "self" if item["to_self"] else item["destination"] or item["destination_network"] or "any",
            item["destination_port"],
        )
        for item in found["rules"]
    ], found["problems"]


def test_no_rules_let_everything_in() -> None:
    firewall = {"mode": "none", "rule_sets": [], "bindings": [], "zones": []}
    assert told(firewall) == ([("wan", "accept", "any", None), ("lan", "accept", "any", None)], [])


def test_the_router_s_own_rules_come_first() -> None:
    local = rule_set("LOCAL", "drop", KNOWN, rule(2, protocol="tcp", destination_ports=["22", "80-90"]))
    through = rule_set("IN", "reject", KNOWN)
    assert told(bound(local, through, **{"in": "IN", "local": "LOCAL"})) == (
        [
            ("wan", "accept", "self", "22"),
            ("wan", "accept", "self", "80-90"),
            ("wan", "drop", "self", None),
            ("wan", "reject", "any", None),
            ("lan", "accept", "any", None),
        ],
        [],
    )
    assert told(bound(through, **{"in": "IN"}))[0][:2] == [("wan", "accept", "self", None), ("wan", "reject", "any", None)]
    assert told(bound(local, local="LOCAL"))[0][3] == ("wan", "accept", "any", None)


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (rule_set("S", "drop"), "needs a rule that accepts established"),
        (rule_set("S", "drop", rule(1, states=["established"], protocol="tcp")), "needs a rule that accepts established"),
        (rule_set("S", "accept", rule(1, states=["invalid"])), "rules[1].states: a packet without a state"),
        (rule_set("S", "accept", rule(1, "drop", states=["new", "related"])), "rules[1].states: a connection that was accepted"),
    ],
)
def test_what_a_filter_with_states_cannot_say(own: dict[str, Any], words: str) -> None:
    _rules, problems = told(bound(own, **{"in": "S"}))
    assert len(problems) == 1 and words in problems[0]


def test_what_needs_no_rule() -> None:
    own = rule_set("S", "accept", KNOWN, rule(2, "drop", states=["invalid"]), rule(3, "drop", states=["new", "invalid"]))
    assert told(bound(own, **{"in": "S"}))[0][1:3] == [("wan", "drop", "any", None), ("wan", "accept", "any", None)]


def zones(**sets: str) -> dict[str, Any]:
    """Zones OUT (wan), IN (lan, dmz), SELF; sets of the form A_B: the rule set from A to B."""
    made = [rule_set("ALL", "accept"), rule_set("NONE", "drop", KNOWN), rule_set("MAIL", "drop", KNOWN, rule(9, destination="10.0.0.0/16"))]
    found = []
    for name, local in (("OUT", False), ("IN", False), ("SELF", True)):
        pairs = [{"name": pair.split("_")[0], "rule_set": value} for pair, value in sets.items() if pair.endswith(f"_{name}")]
        found.append({"name": name, "local": local, "default": "drop", "intra": "accept", "from": pairs, "tunnels": []})
    return {"mode": "zones", "rule_sets": made, "bindings": [], "zones": found}


ZONED = [{**WAN, "zone": "OUT"}, {**LAN, "zone": "IN"}, {**DMZ, "zone": "IN"}]


def test_zones() -> None:
    rules, problems = told(zones(IN_OUT="ALL", IN_SELF="ALL", OUT_IN="MAIL", OUT_SELF="NONE", SELF_IN="ALL", SELF_OUT="ALL"), interfaces=ZONED)
    assert problems == []
    assert rules[:4] == [("wan", "drop", "self", None), ("wan", "accept", "10.0.0.0/24", None), ("wan", "drop", "lan", None), ("wan", "drop", "dmz", None)]
    lan = [item for item in rules if item[0] == "lan"]
    assert lan == [("lan", "accept", "self", None), ("lan", "accept", "wan", None), ("lan", "accept", "dmz", None), ("lan", "accept", "any", None)]


def test_zones_that_cannot_be_said() -> None:
    rules, problems = told(zones(IN_OUT="ALL", IN_SELF="ALL", SELF_OUT="NONE", OUT_SELF="NONE"), outside=None, routed=True, interfaces=ZONED)
    assert [problem.split(":")[0] for problem in problems] == ["firewall.zones[OUT].from[SELF]", "firewall.zones[IN].from[SELF]", "firewall.zones"]
    assert not any(item[2] == "any" for item in rules)


def test_numbers_of_rules_stay_when_others_come() -> None:
    through = rule_set("IN", "drop", KNOWN, rule(2, protocol="tcp", destination_ports=["22"]))
    more = rule_set("IN", "drop", KNOWN, rule(1, protocol="esp"), rule(2, protocol="tcp", destination_ports=["22"]))
    few, many = ({item["id"] for item in inbound_model(bound(own, **{"in": "IN"}), [WAN, LAN], "wan", False)["rules"]} for own in (through, more))
    assert few < many
