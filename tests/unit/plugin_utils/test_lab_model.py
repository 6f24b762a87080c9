# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a lab becomes the model of a router: merging, what is worked out, what is left open."""

from __future__ import annotations

import time
from typing import Any

import lab_data
import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import area_id, interface, network
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab, require_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import merge, router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import resolve_router


def model(lab: dict[str, Any], router: str, profile: str | None = None, **platforms: Any) -> dict[str, Any]:
    return resolve_router(lab, router, profile, platforms or lab_data.PLATFORMS)


@pytest.mark.parametrize(
    ("base", "over", "result"),
    [
        ({"a": 1, "b": {"c": 2}}, {"b": {"d": 3}}, {"a": 1, "b": {"c": 2, "d": 3}}),
        ({"a": 1}, {"a": None}, {"a": 1}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ([{"name": "x", "v": 1}, {"name": "y"}], [{"name": "z"}, {"name": "x", "w": 2}], [{"name": "x", "v": 1, "w": 2}, {"name": "y"}, {"name": "z"}]),
        ([{"name": "x"}], [], []),
        ([], [{"name": "x"}], [{"name": "x"}]),
        ([{"name": "x"}], [{"no": "name"}], [{"no": "name"}]),
        (None, {"a": 1}, {"a": 1}),
    ],
)
def test_merging(base: Any, over: Any, result: Any) -> None:
    before = repr((base, over))
    assert merge(base, over) == result
    assert repr((base, over)) == before


def test_common_router_and_profile_are_laid_on_one_another() -> None:
    lab = lab_data.named_lab("small")
    lab["common"]["tuning"] = {"queues": 1, "irqbalance": True}
    lab["routers"][0]["tuning"] = {"queues": 4}
    assert model(lab, "r1")["tuning"]["queues"] == 4
    tuned = model(lab, "r1", "tuned")["tuning"]
    assert (tuned["queues"], tuned["irqbalance"]) == (2, True)


def test_an_interface_is_taken_out_and_put_back() -> None:
    lab = lab_data.named_lab("small")
    lab["routers"][0]["interfaces"].append({"name": "spare", "port": "trunk", "address": "10.9.0.1/24", "enabled": False})
    lab["profiles"].append({"name": "more", "changes": {"interfaces": [{"name": "spare", "enabled": True}]}})
    lab["routers"][1]["profiles"] = []
    assert check_lab(lab, lab_data.PLATFORMS) == []
    assert [item["name"] for item in model(lab, "r1")["interfaces"]] == ["wan", "lan", "lan2"]
    assert [item["name"] for item in model(lab, "r1", "more")["interfaces"]] == ["wan", "lan", "lan2", "spare"]
    assert [item["name"] for item in router_profiles(lab, lab["routers"][1])] == []


def test_what_is_worked_out() -> None:
    made = model(lab_data.named_lab("small"), "r1", "plain")
    lan = made["interfaces"][1]
    assert {key: lan[key] for key in ("native", "vlan", "address", "netmask", "wildcard", "prefix", "label", "mtu")} == {
        "native": "eth1.10", "vlan": 10, "address": "10.1.0.1", "netmask": "255.255.255.0", "wildcard": "0.0.0.255",
        "prefix": "10.1.0.0/24", "label": "LAN", "mtu": 1500,
    }  # fmt: skip
    assert made["ospf"]["router_id"] == "192.0.2.1"
    pools = [(pool["id"], pool["count"], pool["gateway"], pool["lease_minutes"]) for pool in made["dhcp"]["pools"]]
    assert pools == [(10, 101, "10.1.0.1", 10), (20, 101, "10.2.0.1", 10)]
    assert (made["dhcp"]["backend"], made["dialect"], made["profile"], made["system"]["hostname"]) == ("kea", "12", "plain", "r1")
    trunk = next(port for port in made["ports"] if port["name"] == "trunk")
    assert (trunk["trunk"], trunk["vlans"], trunk["untagged"]) == (True, [10, 20], None)


def test_tunnels_and_zones_are_worked_out() -> None:
    made = model(lab_data.named_lab("full"), "left")
    assert made["ospf"]["areas"][0]["id"] == "0.0.0.9"
    assert made["ospf"]["router_id"] == "203.0.113.1"
    assert made["tunnels"]["ipsec"][0]["local_id"] == "192.0.2.1"
    assert {"from": "WAN", "to": "LOCAL", "rule_set": "WAN-LOCAL", "default": "drop"}.items() <= made["firewall"]["zone_pairs"][-1].items()
    assert made["wan"]["name"] == "wan"


def test_what_only_some_platforms_number_or_name() -> None:
    lab = lab_data.named_lab("full")
    ipsec = lab["routers"][0]["tunnels"]["ipsec"]
    ipsec[0]["remote_subnets"].append("10.20.0.0/16")
    ipsec.append({**ipsec[0], "name": "second", "local_subnets": ["10.1.0.0/24"], "remote_subnets": ["10.3.0.0/24"]})
    names = {**lab_data.PLATFORMS["linux"]["interface_names"], "wireguard": "wg{index}", "openvpn": "vtun{index}"}
    made = model(lab, "left", linux={**lab_data.PLATFORMS["linux"], "interface_names": names})
    tunnels = made["tunnels"]
    assert [[pair["number"] for pair in item["pairs"]] for item in tunnels["ipsec"]] == [[1, 2], [3]]
    assert tunnels["ipsec"][0]["pairs"][1] == {"number": 2, "local": "10.1.0.0/24", "remote": "10.20.0.0/16"}
    assert [tunnels[kind][0]["native"] for kind in ("wireguard", "openvpn")] == ["wg0", "vtun0"]
    assert model(lab, "left")["tunnels"]["openvpn"][0]["native"] == "tun0"
    assert tunnels["wireguard"][0]["routes"] == ["10.20.0.0/16"]
    assert [rule["number"] for rule in made["nat"]["rules"]] == [10 * number for number in range(1, len(made["nat"]["rules"]) + 1)]
    assert made["flags"]["secrets"] and not model(lab_data.named_lab("small"), "r1")["flags"]["secrets"]


@pytest.mark.parametrize(("binding", "stacked"), [({"in": "A"}, False), ({"out": "A"}, False), ({"in": "A", "out": "A"}, True), ({"local": "A"}, False)])
def test_whether_a_packet_can_meet_two_rule_sets(binding: dict[str, str], stacked: bool) -> None:
    lab = lab_data.named_lab("small")
    lab["common"]["firewall"] = {"mode": "stateful", "rule_sets": [{"name": "A", "rules": []}], "bindings": [{"name": "wan", **binding}]}
    assert model(lab, "r1")["firewall"]["stacked"] is stacked


def test_a_zone_may_hold_tunnels() -> None:
    lab = lab_data.named_lab("full")
    lab["common"]["firewall"]["zones"].append({"name": "VPN", "interfaces": ["wg0", "tun0"]})
    made = model(lab, "left")
    zone = next(item for item in made["firewall"]["zones"] if item["name"] == "VPN")
    assert (zone["interfaces"], zone["tunnels"], zone["natives"]) == ([], ["wg0", "tun0"], ["wg0", "tun0"])
    assert "hidden-word" in made["secrets"]


def test_the_model_shares_nothing_with_the_lab() -> None:
    lab = lab_data.named_lab("small")
    before = repr(lab)
    made = model(lab, "r1")
    made["system"]["dns"].append("192.0.2.99")
    made["dhcp"]["pools"][0]["dns"].append("x")
    made["interfaces"][0]["address"] = "x"
    assert repr(lab) == before
    assert model(lab, "r2")["system"]["dns"] == ["192.0.2.53"]
    assert model(lab, "r1")["interfaces"][0]["address"] == "192.0.2.1"


def test_a_dialect_may_have_its_own_dhcp_server() -> None:
    lab = lab_data.named_lab("small")
    dialects = [{"name": "new", "versions": ["12"], "dhcp_backend": "dnsmasq"}, {"name": "old", "versions": ["13"]}]
    linux = lab_data.stand_in(dialects=dialects, dhcp_backend="isc")
    assert model(lab, "r1", linux=linux)["dhcp"]["backend"] == "dnsmasq"
    assert model(lab, "r2", linux=linux)["dhcp"]["backend"] == "isc"
    lab["common"]["dhcp"] = {"backend": "kea"}
    assert model(lab, "r1", linux=linux)["dhcp"]["backend"] == "kea"


def test_a_router_of_somebody_else_needs_little() -> None:
    lab = lab_data.named_lab("small")
    lab["common"]["dhcp"] = {"pools": [{"name": "lan"}]}
    interfaces = [{"name": "wan", "network": "backbone"}, {"name": "x", "network": "lan3", "address": "dhcp"}]
    lab["routers"].append({"name": "other", "managed": False, "interfaces": interfaces})
    made = model(lab, "other")
    assert [(item["native"], item["address"]) for item in made["interfaces"]] == [("wan", None), ("x", None)]
    assert (made["managed"], made["dialect"], made["dhcp"]["pools"]) == (False, None, [])


@pytest.mark.parametrize(("router", "profile"), [("r9", None), ("r1", "nothing")])
def test_what_the_lab_does_not_have(router: str, profile: str | None) -> None:
    with pytest.raises(KeyError):
        model(lab_data.named_lab("small"), router, profile)


def test_require_lab_says_everything_at_once() -> None:
    lab = lab_data.named_lab("small")
    require_lab(lab, lab_data.PLATFORMS)
    lab["routers"][0]["platform"] = lab["routers"][1]["version"] = "x"
    with pytest.raises(LabError, match=r"The lab has 2 errors:\n  lab.routers\[r1\].platform.*\n  lab.routers\[r2\].version") as caught:
        require_lab(lab, lab_data.PLATFORMS)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("text", "fine"), [("10.0.0.0/8", True), ("10.0.0.1/8", False), ("10.0.0.0", False), ("10.0.0.0/08", False), ("10.0.0.0/255.0.0.0", False)]
)
def test_prefixes(text: str, fine: bool) -> None:
    if fine:
        assert str(network(text)) == text
        return
    with pytest.raises(ValueError, match="10.0.0"):
        network(text)


@pytest.mark.parametrize("text", ["224.0.0.5/24", "127.0.0.1/8", "0.0.0.0/0", "255.255.255.255/32", "10.1/16", "10.0.0.1"])
def test_addresses_that_no_interface_has(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        interface(text)


def test_areas_are_numbers_or_quads() -> None:
    assert str(area_id("9")) == str(area_id("0.0.0.9")) == "0.0.0.9"
    with pytest.raises(ValueError, match="backbone"):
        area_id("backbone")


@pytest.mark.parametrize(("profiles", "seconds"), [(0, 0.5), (5, 2.5)])
def test_a_hundred_routers_are_quick(profiles: int, seconds: float) -> None:
    """Bounds with room for a loaded machine: it takes about a third of them."""
    lab = lab_data.lab_of(100, profiles)
    best = float("inf")
    for _attempt in range(3):
        start = time.process_time()
        assert check_lab(lab, lab_data.PLATFORMS) == []
        for router in lab["routers"]:
            for profile in [None, *(item["name"] for item in lab["profiles"])]:
                resolve_router(lab, router["name"], profile, lab_data.PLATFORMS)
        best = min(best, time.process_time() - start)
    assert best <= seconds
