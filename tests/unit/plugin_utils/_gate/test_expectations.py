# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a gate has to prove, for every profile of the default lab and for small labs of other shapes.

``expectations/lab-<profile>.json`` belongs to the default lab, ``expectations/<case>.json`` to ``<case>.yml`` beside it. With
UPDATE_EXPECTED=1 they are written anew: read the difference before it is committed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import lab_data
import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.expectations import expectations
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import resolve_router

FOLDER = Path(__file__).parent / "expectations"
CASES = sorted(FOLDER.glob("*.yml"))
PROFILES = ["routing", "nat", "firewall_stateful", "firewall_zone"]
SEEDS = sorted(path.name for path in (lab_data.ROOT / "inventories").glob("seed_*"))
PLATFORMS = {**lab_data.ABLE, "linux": lab_data.PLATFORMS["linux"]}


def default_lab() -> dict[str, Any]:
    lab = lab_data.read_lab(lab_data.ROOT / "inventories/lab/group_vars/all/lab.yml")
    lab["routers"][0].update(version="12", platform="linux")
    return lab


def expected(lab: dict[str, Any], router: str, profile: str | None, observers: list[str] | None = None) -> dict[str, Any]:
    assert [str(problem) for problem in check_lab(lab, PLATFORMS)] == []
    return expectations(lab, router, profile, resolve_router(lab, router, profile, PLATFORMS), observers)


def compare(found: dict[str, Any], path: Path) -> None:
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8"))


def of(found: dict[str, Any], check: str) -> list[dict[str, Any]]:
    return [item for item in found["items"] if item["check"] == check]


def states(found: dict[str, Any], check: str) -> set[str]:
    return {item["state"] for item in of(found, check)}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_default_lab(profile: str) -> None:
    compare(expected(default_lab(), "dut", profile), FOLDER / f"lab-{profile}.json")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_lab_of_another_shape(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    compare(expected(case["lab"], case["router"], case.get("profile"), case.get("observers")), path.with_suffix(".json"))


@pytest.mark.parametrize("name", SEEDS)
def test_every_router_of_the_write_ups_has_expectations(name: str) -> None:
    lab = lab_data.seed_lab(name)
    for router in lab["routers"]:
        for profile in [None, *(item["name"] for item in lab["profiles"] if item["name"] in router.get("profiles", [item["name"]]))]:
            found = expectations(lab, router["name"], profile, resolve_router(lab, router["name"], profile, lab_data.ABLE))
            json.dumps(found, allow_nan=False)
            keys = [(item["check"], item["instance"]) for item in found["items"]]
            assert len(keys) == len(set(keys)), "two items of one name would share one result"


def test_nat_must_be_proven_in_both_ways() -> None:
    found = expected(default_lab(), "dut", "nat")
    seen = {check: {item["instance"]: item["want"]["expected"] for item in of(found, check)} for check in ("source_translated", "source_unchanged")}
    assert seen["source_translated"] == {"lan → wan": "10.253.253.2", "lan2 → wan": "10.253.253.2"}
    assert seen["source_unchanged"] == {"lan → lan2": "10.222.222.12", "lan2 → lan": "10.223.223.11"}
    assert [item["want"]["prefix"] for item in of(found, "no_route_back")] == ["10.222.222.0/24", "10.223.223.0/24"]


def test_without_nat_the_real_source_must_be_seen_and_the_way_back_is_wanted() -> None:
    found = expected(default_lab(), "dut", "routing")
    assert states(found, "source_translated") == {"skipped"}
    assert states(found, "no_route_back") == {"skipped"}
    assert {item["instance"] for item in of(found, "route_announced")} == {"10.222.222.0/24 at upstream", "10.223.223.0/24 at upstream"}
    assert {item["instance"] for item in of(found, "source_unchanged")} >= {"lan → wan", "wan → lan"}


@pytest.mark.parametrize("profile", ["firewall_stateful", "firewall_zone"])
def test_the_drop_is_shown_from_where_a_route_can_be_lent_and_never_by_a_missing_route(profile: str) -> None:
    drops = [item["want"] for item in of(expected(default_lab(), "dut", profile), "firewall_drops")]
    through = [want for want in drops if want["target"]]
    assert {(want["source"], want["target"], want["via"], want["control"]) for want in through} == {
        ("upstream", "lan", "10.253.253.2", "lan2"),
        ("upstream", "lan2", "10.253.253.2", "lan"),
    }
    assert [(want["source"], want["address"]) for want in drops if not want["target"]] == [("wan", "10.253.253.2")]


def test_nobody_to_lend_a_route_is_said() -> None:
    found = expected(default_lab(), "dut", "firewall_stateful", observers=[])
    through = [item for item in of(found, "firewall_drops") if item["state"] != "planned"]
    assert {item["state"] for item in through} == {"not_provable"}
    assert "upstream is not in the inventory to lend one" in through[0]["reason"]
    assert states(found, "no_route_back") == {"not_provable"}


def test_an_unmanaged_router_is_only_looked_at_from_outside() -> None:
    lab = default_lab()
    lab["routers"][0]["managed"] = False
    found = expected(lab, "dut", "nat")
    assert not [item for item in of(found, "host_reachable") if item["want"]["host"] == "dut"]
    for check in ("interface_address", "interface_mtu", "ip_forwarding"):
        assert states(found, check) == {"skipped"}
    assert states(found, "route_learned") == {"not_provable"}
    for check in ("ospf_neighbour_full", "dhcp_lease", "source_translated", "ttl_decreases", "no_route_back"):
        assert states(found, check) == {"planned"}


def test_routers_of_one_slot_are_never_up_together() -> None:
    lab = default_lab()
    lab["routers"].append({**lab["routers"][0], "name": "dut2", "slot": "dut"})
    assert expected(lab, "dut", "nat") == expected(default_lab(), "dut", "nat")
