# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The write-ups' labs: sound on platforms that can do everything, and refused by ours only for a platform or a version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lab_data
import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_hosts import check_hosts
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import inventory_files, read_sources
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import platform_of, render_router

SEEDS = sorted((lab_data.ROOT / "inventories").glob("seed_*"))
NOT_YET = {"UNKNOWN_PLATFORM", "UNKNOWN_VERSION", "UNKNOWN_DEVICE_CLASS"}


def lab_of(seed: Path) -> dict[str, Any]:
    return lab_data.seed_lab(seed.name)


def groups_of(seed: Path) -> dict[str, list[str]]:
    children = yaml.safe_load((seed / "hosts.yml").read_text(encoding="utf-8"))["all"]["children"]
    return {name: list(group["hosts"]) for name, group in children.items()}


def test_all_five_are_there() -> None:
    assert [path.name for path in SEEDS] == [f"seed_00{number}" for number in range(5)]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.name)
def test_a_seed_is_sound(seed: Path) -> None:
    lab = lab_of(seed)
    assert lab["name"] == seed.name
    assert [str(problem) for problem in check_lab(lab, lab_data.ABLE)] == []
    assert check_hosts(lab, groups_of(seed)) == []
    problems, places = read_sources(inventory_files([str(seed)]), seed)
    assert problems == []
    assert "lab.routers" in places


class StrictLoader(yaml.SafeLoader):
    """Ansible's way: a key twice in a mapping, merged ones among them, is a warning in front of whoever renders the lab."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        self.flatten_mapping(node)
        keys = [key.value for key, _value in node.value]
        assert len(keys) == len(set(keys)), f"{node.start_mark}: {sorted(key for key in set(keys) if keys.count(key) > 1)}"
        return super().construct_mapping(node, deep)


@pytest.mark.parametrize("path", sorted((lab_data.ROOT / "inventories").rglob("*.yml")), ids=lambda path: str(path.relative_to(lab_data.ROOT)))
def test_no_key_stands_twice(path: Path) -> None:
    yaml.load(path.read_text(encoding="utf-8"), Loader=StrictLoader)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.name)
def test_a_seed_resolves(seed: Path) -> None:
    lab = lab_of(seed)
    for router in lab["routers"]:
        for profile in [None, *(item["name"] for item in lab["profiles"])]:
            if profile is None or profile in router.get("profiles", [profile]):
                json.dumps(resolve_router(lab, router["name"], profile, lab_data.ABLE), allow_nan=False)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.name)
def test_our_rooms_refuse_a_seed_only_for_what_they_do_not_know_yet(seed: Path) -> None:
    """A room that claims a version and cannot carry its write-up says so with a feature; each such case is listed here."""
    problems = [problem for problem in check_lab(lab_of(seed), platforms()) if problem.code not in NOT_YET]
    assert [str(problem) for problem in problems] == []


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.name)
def test_a_seed_tells_where_it_comes_from(seed: Path) -> None:
    text = (seed / "README.md").read_text(encoding="utf-8")
    for words in (f"inventories/{seed.name}", "printed wrongly", "was chosen here"):
        assert words in text


def test_the_tandem_has_its_tunnel_at_both_ends_or_at_none() -> None:
    lab = lab_of(SEEDS[4])
    for router in ("left-6wind", "left-linux", "right-6wind", "right-linux"):
        assert resolve_router(lab, router, "routing", lab_data.ABLE)["tunnels"]["ipsec"] == []
        (tunnel,) = resolve_router(lab, router, "ipsec", lab_data.ABLE)["tunnels"]["ipsec"]
        assert (tunnel["encryption"], tunnel["integrity"], tunnel["dh_group"]) == ("aes128", "sha1", 14)


def test_the_printed_values_stand_in_the_models() -> None:
    lab = lab_of(SEEDS[2])
    erx = resolve_router(lab, "erx", "routing", lab_data.ABLE)
    assert erx["ospf"]["router_id"] == "172.16.255.2"
    assert [area["id"] for area in erx["ospf"]["areas"]] == ["0.0.0.9"]
    assert [member["prefix"] for member in erx["ospf"]["interfaces"]] == ["10.1.10.0/24", "172.16.3.0/24", "172.16.4.0/24", "172.16.255.2/32"]
    assert [(pool["start"], pool["stop"], pool["lease"], pool["gateway"], pool["dns"]) for pool in erx["dhcp"]["pools"]] == [
        ("172.16.3.1", "172.16.3.10", 600, "172.16.3.254", []),
        ("172.16.4.1", "172.16.4.10", 600, "172.16.4.254", []),
    ]
    openwrt = lab_of(SEEDS[3])
    found = []
    for profile in ("nat_sqm", "wireguard_sqm", "openvpn_sqm"):
        found += [(queue["native"], queue["overhead"]) for queue in resolve_router(openwrt, "mt7628", profile, lab_data.ABLE)["shaper"]["queues"]]
    assert found == [("eth0.2", 22), ("wg0", 82), ("tun0", 95)]


def test_every_interface_of_the_debian_router_has_a_method() -> None:
    """Write-up 000 prints ``iface ens18`` without one."""
    lab = lab_of(SEEDS[0])
    model = resolve_router(lab, "debian", "routing", platforms())
    (text,) = (artifact.text for artifact in render_router(model, platform_of(model, platforms())) if artifact.name == "interfaces")
    lines = [line.split() for line in text.splitlines() if line.startswith("iface ")]
    assert [words[1] for words in lines] == ["ens18", "ens18.500", "ens18.2222", "ens18.2223"]
    assert {tuple(words[2:]) for words in lines} == {("inet", "manual"), ("inet", "static")}
