# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lab's rules mean for the first packet of a connection."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.filtering import FIRST_PORT, Packet, named_ports, plain_ports, translated, verdict

RULE = {
    "states": [], "protocol": "any", "icmp_type": None, "source": None, "destination": None, "source_ports": [], "destination_ports": [], "number": 10,
}


def rule(action: str = "accept", **more: Any) -> dict[str, Any]:
    return {**RULE, "action": action, **more}


def stateful(*rules: dict[str, Any], default: str = "drop", place: str = "in", interface: str = "wan") -> dict[str, Any]:
    binding = {"interface": interface, "in": None, "out": None, "local": None, place: "SET"}
    return {"firewall": {"mode": "stateful", "rule_sets": [{"name": "SET", "default": default, "rules": list(rules)}], "bindings": [binding]}}


def packet(enters: str = "wan", leaves: str | None = "lan", **more: Any) -> Packet:
    return Packet(**{"enters": enters, "leaves": leaves, "source": "192.0.2.1", "destination": "10.0.0.5", "port": 24061, **more})


@pytest.mark.parametrize(
    ("rules", "more", "action"),
    [
        ([], {}, "drop"),
        ([rule()], {}, "accept"),
        ([rule(states=["established", "related"])], {}, "drop"),
        ([rule(states=["new"])], {}, "accept"),
        ([rule("drop", states=["invalid"]), rule()], {}, "accept"),
        ([rule(protocol="udp")], {}, "drop"),
        ([rule(protocol="udp")], {"protocol": "udp"}, "accept"),
        ([rule(protocol="icmp", icmp_type="echo_request")], {"protocol": "icmp", "port": None}, "accept"),
        ([rule(protocol="icmp", icmp_type="echo_reply")], {"protocol": "icmp", "port": None}, "drop"),
        ([rule(protocol="icmp")], {"protocol": "icmp", "port": None}, "accept"),
        ([rule(source="192.0.2.0/24")], {}, "accept"),
        ([rule(source="192.0.3.0/24")], {}, "drop"),
        ([rule(destination="10.0.0.5/32")], {}, "accept"),
        ([rule(destination="10.0.1.0/24")], {}, "drop"),
        ([rule(protocol="tcp", destination_ports=["22", "24000-24100"])], {}, "accept"),
        ([rule(protocol="tcp", destination_ports=["22", "24062-24100"])], {}, "drop"),
        ([rule(protocol="tcp", source_ports=["68"])], {}, "drop"),
        ([rule("reject"), rule()], {}, "reject"),
    ],
)
def test_the_first_rule_that_fits_decides(rules: list[dict[str, Any]], more: dict[str, Any], action: str) -> None:
    assert verdict(stateful(*rules), packet(**more)).action == action


def test_the_words_of_the_lab_are_the_reason() -> None:
    assert verdict(stateful(rule(number=30)), packet()).because == "rule 30 of SET"
    assert verdict(stateful(), packet()).because == "default of SET"
    assert verdict({"firewall": {"mode": "none"}}, packet()).because == "there is no firewall"


@pytest.mark.parametrize(
    ("place", "interface", "leaves", "action"),
    [("in", "wan", "lan", "drop"), ("in", "wan", None, "accept"), ("in", "lan", "lan", "accept"), ("local", "wan", None, "drop"),
     ("local", "wan", "lan", "accept"), ("out", "lan", "lan", "drop"), ("out", "wan", "lan", "accept"), ("out", "lan", None, "accept")],
)
def test_a_rule_set_counts_where_it_is_bound(place: str, interface: str, leaves: str | None, action: str) -> None:
    assert verdict(stateful(place=place, interface=interface), packet(leaves=leaves)).action == action


def zones(**more: Any) -> dict[str, Any]:
    def zone(name: str, interfaces: list[str], local: bool = False) -> dict[str, Any]:
        return {"name": name, "interfaces": interfaces, "local": local, "intra": "drop" if name == "GUESTS" else "accept"}

    pairs = [("LAN", "WAN", "OPEN", "drop"), ("WAN", "LAN", None, "reject"), ("WAN", "LOCAL", None, "drop")]
    firewall = {
        "mode": "zones",
        "rule_sets": [{"name": "OPEN", "default": "accept", "rules": []}],
        "zones": [zone("LAN", ["lan", "lan2"]), zone("WAN", ["wan"]), zone("GUESTS", ["g1", "g2"]), zone("LOCAL", [], True)],
        "zone_pairs": [{"from": a, "to": b, "rule_set": name, "default": default} for a, b, name, default in pairs],
    }
    return {"firewall": {**firewall, **more}}


@pytest.mark.parametrize(
    ("enters", "leaves", "action", "because"),
    [
        ("lan", "wan", "accept", "default of OPEN"),
        ("wan", "lan", "reject", "default of zone LAN"),
        ("wan", None, "drop", "default of zone LOCAL"),
        ("lan", "lan2", "accept", "intra of zone LAN"),
        ("g1", "g2", "drop", "intra of zone GUESTS"),
        ("free", "free2", "accept", "neither free nor free2 is in a zone"),
        ("free", "lan", "unknown", "only one of free and lan is in a zone, and platforms differ there"),
    ],
)
def test_zones(enters: str, leaves: str | None, action: str, because: str) -> None:
    found = verdict(zones(), packet(enters, leaves))
    assert (found.action, found.because) == (action, because)


def test_without_a_zone_of_its_own_the_router_is_open() -> None:
    firewall = zones()["firewall"]
    assert verdict(zones(zones=[zone for zone in firewall["zones"] if not zone["local"]]), packet("wan", None)).action == "accept"


def test_probes_use_ports_that_no_rule_names() -> None:
    model = stateful(rule(protocol="tcp", destination_ports=[f"{FIRST_PORT}-{FIRST_PORT + 9}", "22"]), rule("drop", protocol="tcp", destination_ports=["25"]))
    assert plain_ports(model, 2) == [FIRST_PORT + 10, FIRST_PORT + 11]
    assert named_ports(model) == [FIRST_PORT]
    assert plain_ports(stateful(rule(destination_ports=["1-65535"])), 2) == [FIRST_PORT, FIRST_PORT + 1]


def test_nat_hides_what_its_rules_name() -> None:
    model = {"nat": {"rules": [{"interface": "wan", "source": "10.0.0.0/8"}]}}
    assert translated(model, "wan", "10.1.2.3")
    assert not translated(model, "wan", "192.168.1.1")
    assert not translated(model, "lan", "10.1.2.3")
    assert translated({"nat": {"rules": [{"interface": "wan", "source": None}]}}, "wan", "192.168.1.1")
