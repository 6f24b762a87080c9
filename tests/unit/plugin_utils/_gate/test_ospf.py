# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adjacencies over time. ``ospf/`` was captured from FRR 8.4.4: the number in a name is the seconds since the MTU became wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.judge_ospf import (
    FULL,
    MTU_MISMATCH,
    NOT_FULL,
    OSPF_STUCK,
    STUCK,
    WAIT,
    Adjacency,
    explain,
    parse_neighbours,
)

FOLDER = Path(__file__).parent / "ospf"
WANT = {
    "native": "eth0", "own": "10.253.253.2", "own_mtu": 1400, "neighbour": "upstream", "address": "10.253.253.1",
    "area": "0.0.0.0", "hello": 10, "dead": 40, "network_type": "point_to_point",
}


def seen(name: str) -> list[dict[str, Any]]:
    return parse_neighbours((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def entry(state: str, since: float | None, address: str = "10.253.253.1") -> dict[str, Any]:
    return {"router_id": address, "address": address, "interface": "eth0", "state": state, "since": since}


def test_a_full_neighbour_of_a_real_router() -> None:
    (neighbour,) = seen("full")
    assert (neighbour["address"], neighbour["interface"], neighbour["state"]) == ("10.253.253.1", "eth0", "Full/-")
    assert Adjacency("10.253.253.1").see(0, seen("full")) == FULL


def test_full_counts_once_it_has_lasted() -> None:
    watch = Adjacency("10.253.253.1")
    assert watch.see(0, [entry("Full/-", 4.9)]) == WAIT
    assert watch.see(1, [entry("Full/-", 5.9)]) == FULL


@pytest.mark.parametrize(
    ("name", "address", "verdict"),
    [
        ("none", "10.253.253.1", WAIT),
        ("init", "10.253.253.2", WAIT),
        ("mtu_dut_3", "10.253.253.1", WAIT),
        ("mtu_dut_24", "10.253.253.1", WAIT),
        ("mtu_dut_33", "10.253.253.1", STUCK),
        ("mtu_upstream_3", "10.253.253.2", WAIT),
        ("mtu_upstream_24", "10.253.253.2", WAIT),
        ("mtu_upstream_33", "10.253.253.2", STUCK),
    ],
)
def test_one_look_is_enough_when_the_router_says_since_when(name: str, address: str, verdict: str) -> None:
    assert Adjacency(address).see(0, seen(name)) == verdict


@pytest.mark.parametrize("state", ["ExStart/-", "Exchange/DR"])
def test_an_old_router_that_does_not_say_since_when_is_timed_from_here(state: str) -> None:
    watch = Adjacency("10.253.253.1")
    assert [watch.see(now, [entry(state, None)]) for now in (100, 115, 130, 130.5)] == [WAIT, WAIT, WAIT, STUCK]


def test_progress_and_loss_begin_the_time_anew() -> None:
    watch = Adjacency("10.253.253.1")
    steps = [(0, "ExStart/-"), (20, "Loading/-"), (21, "ExStart/-"), (45, "ExStart/-")]
    assert [watch.see(now, [entry(state, None)]) for now, state in steps] == [WAIT] * 4
    assert watch.see(46, []) == WAIT
    assert watch.state == "no neighbour seen"
    assert watch.see(47, [entry("Exchange/-", None)]) == WAIT
    assert watch.see(78, [entry("Exchange/-", None)]) == STUCK


def test_another_router_on_the_link_is_not_the_neighbour() -> None:
    assert Adjacency("10.253.253.9").see(0, seen("full")) == WAIT


def test_two_routers_that_are_neither_dr_nor_backup_stay_in_two_way() -> None:
    neighbours = seen("broadcast_drother")
    addresses = {item["state"]: item["address"] for item in neighbours}
    assert sorted(addresses) == ["2-Way/DROther", "Full/Backup", "Full/DR"]
    other = addresses["2-Way/DROther"]
    assert Adjacency(other, multi_access=True).see(0, neighbours) == FULL
    assert Adjacency(other, multi_access=False).see(0, neighbours) == WAIT
    assert Adjacency(other, multi_access=True).see(0, [item for item in neighbours if item["state"] != "Full/DR"]) == WAIT
    assert {Adjacency(item["address"], multi_access=True).see(0, neighbours) for item in neighbours} == {FULL}
    assert all(Adjacency(item["address"], multi_access=True).see(0, seen("broadcast_dr")) == FULL for item in seen("broadcast_dr"))


def test_the_message_names_both_mtus() -> None:
    watch = Adjacency("10.253.253.1")
    code, message = explain(WANT, watch, watch.see(0, seen("mtu_dut_33")), 1400, 1500, 1.0)
    assert code == MTU_MISMATCH
    assert message == (
        "expected the adjacency between eth0 (10.253.253.2) and upstream (10.253.253.1) to be Full; "
        "it hangs in ExStart/- for more than 30 s: MTU 1400 on eth0, MTU 1500 at upstream"
    )
    assert explain(WANT, watch, STUCK, 1400, None, 1.0)[0] == MTU_MISMATCH
    assert "MTU unknown at upstream" in explain(WANT, watch, STUCK, 1400, None, 1.0)[1]


def test_equal_mtus_are_not_blamed() -> None:
    watch = Adjacency("10.253.253.1")
    code, message = explain(WANT, watch, watch.see(0, seen("mtu_dut_33")), 1500, 1500, 1.0)
    assert code == OSPF_STUCK
    assert "MTU 1500 on eth0, MTU 1500 at upstream" in message


def test_no_neighbour_says_what_both_ends_need() -> None:
    watch = Adjacency("10.253.253.1")
    code, message = explain(WANT, watch, watch.see(0, seen("none")), 1500, 1500, 60.2)
    assert code == NOT_FULL
    assert "Full within 60 s; seen: no neighbour seen (both ends need area 0.0.0.0, hello 10 s, dead 40 s, network type point_to_point;" in message


@pytest.mark.parametrize("text", ["", "ospfd is not running", "% Unknown command: show ip ospf neighbor json"])
def test_what_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        parse_neighbours(text)


def test_older_forms_of_the_same_answer() -> None:
    """WRITTEN FOR THIS TEST: one entry instead of a list, and the older names, as FRR 7 has them."""
    text = '% warning\n{"neighbors": {"192.0.2.1": {"state": "Full/DR", "address": "10.0.0.1", "ifaceName": "eth1:10.0.0.2"}}}'
    assert parse_neighbours(text) == [{"router_id": "192.0.2.1", "address": "10.0.0.1", "interface": "eth1", "state": "Full/DR", "since": None}]
