# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lab as a topology of containerlab: every network is whole, names are those of the images, what has no kind is refused.

SCHEMA says in our own words what containerlab's published schema asks of the keys that are used here; the files of all
cases below were held against that schema itself when this was written (version of August 2026).
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._clab import topology_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._clab_wires import Port, lay, vlan_tags
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import require_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

ROOT = Path(__file__).resolve().parents[3]
KINDS = ["linux", "vyosnetworks_vyos", "mikrotik_ros", "openwrt", "juniper_vsrx", "juniper_vjunosrouter", "6wind_vsr"]
STRINGS = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
NODE = {
    "type": "object",
    "required": ["kind", "image"],
    "additionalProperties": False,
    "properties": {
        "kind": {"enum": KINDS},
        "image": {"type": "string", "pattern": r"^\S+$"},
        "binds": STRINGS,
        "exec": {"type": "array", "items": {"type": "string"}},
        "sysctls": {"type": "object"},
    },
}
LINK = {
    "type": "object",
    "required": ["endpoints"],
    "additionalProperties": False,
    "properties": {
        "endpoints": {"type": "array", "minItems": 2, "maxItems": 2, "uniqueItems": True, "items": {"type": "string", "pattern": r"^\S+:\S+$"}},
        "mtu": {"type": "integer", "minimum": 1, "maximum": 65535},
    },
}
SCHEMA = {
    "type": "object",
    "required": ["name", "topology"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9][a-zA-Z0-9-._]*$"},
        "topology": {
            "type": "object",
            "required": ["nodes", "links"],
            "additionalProperties": False,
            "properties": {"nodes": {"type": "object", "additionalProperties": NODE}, "links": {"type": "array", "items": LINK}},
        },
    },
}
DEVICES = [
    ("debian", "12", None, "linux", "eth1"),
    ("vyos", "1.4.0", None, "vyosnetworks_vyos", "eth1"),
    ("routeros", "7.16", "chr", "mikrotik_ros", "ether2"),
    ("openwrt", "24.10", "x86", "openwrt", "eth1"),
    ("junos", "21.4R3", "srx", "juniper_vsrx", "ge-0/0/0"),
    ("junos", "21.4R3", "mx", "juniper_vjunosrouter", "ge-0/0/0"),
]


def read(name: str) -> dict[str, Any]:
    lab = yaml.safe_load((ROOT / "inventories" / name / "group_vars" / "all" / "lab.yml").read_text(encoding="utf-8"))["lab"]
    lab["routers"][0]["version"] = "12" if name == "lab" else lab["routers"][0]["version"]
    return lab


def of_platform(lab: dict[str, Any], platform: str, version: str, device_class: str | None) -> dict[str, Any]:
    lab = copy.deepcopy(lab)
    lab["profiles"] = []
    lab["routers"][0].update(platform=platform, version=version, device_class=device_class)
    return lab


def networks_of(topology: dict[str, Any]) -> list[set[str]]:
    """Which nodes hear each other: by direct links, and by the VLANs of the switch, read back from its commands."""
    vlans: dict[str, set[str]] = {}
    for command in topology["topology"]["nodes"].get("switch", {}).get("exec", []):
        words = command.split()
        if words[:3] == ["bridge", "vlan", "add"]:
            vlans.setdefault(words[6], set()).add(words[4])
    behind = {}
    found = []
    for link in topology["topology"]["links"]:
        ends = [end.partition(":") for end in link["endpoints"]]
        if ends[1][0] == "switch":
            behind[ends[1][2]] = ends[0][0]
        else:
            found.append({ends[0][0], ends[1][0]})
    return found + [{behind[port] for port in ports} for ports in vlans.values()]


@pytest.mark.parametrize("platform, version, device_class, kind, first", DEVICES)
def test_every_platform_of_containerlab(platform: str, version: str, device_class: str | None, kind: str, first: str) -> None:
    found = topology_of(of_platform(read("lab"), platform, version, device_class), platforms(), {})
    jsonschema.validate(found.topology, SCHEMA)
    assert found.topology["topology"]["nodes"]["dut"]["kind"] == kind
    assert f"dut:{first}" in [end for link in found.topology["topology"]["links"] for end in link["endpoints"]]
    assert found.lab["routers"][0]["ports"][0]["native"] == first
    expected = [{"dut", "upstream"}, {"dut", "lan"}, {"dut", "lan2"}, {"upstream", "wan"}, {"lan", "lan2", "wan"}]
    assert sorted(map(sorted, networks_of(found.topology))) == sorted(map(sorted, expected))


def test_the_lab_that_is_written_is_a_lab() -> None:
    found = topology_of(read("lab"), platforms(), {})
    require_lab(found.lab, platforms())
    assert found.lab["networks"] == read("lab")["networks"]


def test_a_trunk_keeps_its_tags_and_its_slot_one_router() -> None:
    lab = of_platform(read("seed_000"), "vyos", "1.2.2", None)
    found = topology_of(lab, platforms(), {"vyos": "own/vyos:1"})
    jsonschema.validate(found.topology, SCHEMA)
    nodes = found.topology["topology"]["nodes"]
    assert set(nodes) == {"vyos", "upstream", "lan", "lan2", "switch"} and nodes["vyos"]["image"] == "own/vyos:1"
    tagged = [command for command in nodes["switch"]["exec"] if command.startswith("bridge vlan add dev eth1 ")]
    assert tagged == [f"bridge vlan add dev eth1 vid {vlan}" for vlan in (500, 2222, 2223)]
    assert {"vyos", "upstream"} in networks_of(found.topology)


def test_a_router_of_a_slot_can_be_chosen_and_only_one() -> None:
    lab = read("seed_000")
    chosen = topology_of(lab, platforms(), {}, ["chr"])
    assert "chr" in chosen.topology["topology"]["nodes"] and "vyos" not in chosen.topology["topology"]["nodes"]
    with pytest.raises(LabError, match="routers: 'chr': stands in for vyos"):
        topology_of(lab, platforms(), {}, ["vyos", "chr"])
    with pytest.raises(LabError, match="did you mean chr"):
        topology_of(lab, platforms(), {}, ["chrr"])


def test_what_containerlab_cannot_run_is_refused() -> None:
    with pytest.raises(LabError, match=r"lab.routers\[dut\].platform: 'pfsense': containerlab has no kind"):
        topology_of(of_platform(read("lab"), "pfsense", "2.7.2", None), platforms(), {})
    with pytest.raises(LabError, match=r"device_class: 'routerboard': containerlab has no kind"):
        topology_of(of_platform(read("lab"), "routeros", "7.16", "routerboard"), platforms(), {})


def test_the_neighbour_is_frr_with_its_own_ports() -> None:
    found = topology_of(read("lab"), platforms(), {})
    text = found.files["upstream/frr.conf"]
    assert "interface eth1\n ip ospf network point-to-point" in text and "network 10.253.253.0/30 area 0.0.0.0" in text
    assert found.topology["topology"]["nodes"]["upstream"]["binds"] == ["upstream/daemons:/etc/frr/daemons", "upstream/frr.conf:/etc/frr/frr.conf"]


def test_two_members_are_one_link_and_tags_never_meet() -> None:
    ports = [Port("a", "eth1", "x", (), 1500), Port("b", "eth1", "x", (), 9000), Port("c", "eth1", "y", ("z",), 1500)]
    wires = lay(ports, {"z": 4094})
    assert wires.links[0] == (("a:eth1", "b:eth1"), 1500)
    assert vlan_tags(ports, {"z": 4094}) == {"x": 4093, "y": 4092, "z": 4094}
    assert lay(ports[:2], {}).commands == []


def test_the_inventory_reaches_every_node() -> None:
    found = topology_of(of_platform(read("lab"), "vyos", "1.4.0", None), platforms(), {})
    children = found.inventory["all"]["children"]
    assert children["routers"]["hosts"] == {"dut": {"ansible_host": "clab-lab-dut", "ansible_user": "admin"}}
    assert children["endpoints"]["hosts"]["lan2"] == {"ansible_netns_name": "clab-lab-lan2"}
    assert found.inventory["all"]["vars"] == {"bench_tier": "container"}
