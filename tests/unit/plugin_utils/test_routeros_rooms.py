# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of the room routeros: script and operations say the same, the version knows every command, references lead somewhere."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from golden_cases import Case, cases, expected, lab_files, load
from routeros_check import problems

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation, from_json, parse_script, to_script
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import render_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_schema import errors, schema

GOLDEN = [pytest.param(case, id=case.name) for case, _lab in cases("routeros")]


@pytest.mark.parametrize("case", GOLDEN)
def test_script_and_operations_say_the_same_and_the_router_would_take_them(case: Case) -> None:
    files = {name: data.decode() for name, data in expected(case).items()}
    scripts = [files["lab.rsc"], files.get("secrets.rsc", "")]
    operations = from_json(files["operations.json"])
    assert [item for text in scripts for item in parse_script(text)] == operations
    assert [to_script(parse_script(text)) for text in scripts] == ["".join(text.splitlines(True)[1:]) for text in scripts]
    assert errors(operations, case.dialect.split(".")[0]) == []
    assert problems(operations, case.dialect) == []


@pytest.mark.parametrize("case", GOLDEN)
def test_the_keys_tell_the_items_apart(case: Case) -> None:
    entries = json.loads(expected(case)["operations.json"])["operations"]
    marks = [json.dumps([entry["path"], entry.get("find"), [entry["values"].get(name) for name in entry["key"]]]) for entry in entries]
    assert len(set(marks)) == len(marks)
    assert all(entry["key"] or entry["verb"] == "set" for entry in entries)


def _lab(stem: str, dialect: str) -> dict[str, Any]:
    return load(lab_files("routeros")[stem], "routeros", dialect)


def rendered(lab: dict[str, Any], profile: str | None = None, name: str = "lab.rsc") -> str:
    return {artifact.file: artifact.text for artifact in render_lab(lab, lab["routers"][0]["name"], profile, platforms())}[name]


# A public report: one lab on both majors; on 7 the areas came out and no interface was in them.
R3 = """
name: r3
networks: [{name: backbone, subnet: 10.1.10.0/24}, {name: lan, subnet: 172.16.5.0/24}]
common:
  ports: [{name: backbone, native: ether1}, {name: lan, native: ether2}]
  interfaces: [{name: backbone, address: 10.1.10.2/24}, {name: lan, address: 172.16.5.254/24}]
  ospf: {enabled: true, router_id: 172.16.255.3, area: 0.0.0.9, interfaces: [{name: backbone}, {name: lan}], redistribute: [{name: connected}]}
routers: [{name: r3, platform: routeros}]
"""
OF_6 = [
    "set [ find default=yes ] router-id=172.16.255.3 distribute-default=never redistribute-connected=as-type-2 redistribute-static=no",
    "add name=area9 area-id=0.0.0.9 instance=default",
    "/routing ospf network\nadd area=area9 network=10.1.10.0/24\nadd area=area9 network=172.16.5.0/24",
]
OF_7 = [
    'add chain=ospf-out rule="if (protocol connected) { set ospf-ext-type type2; accept }" disabled=no',
    "add name=default version=2 router-id=172.16.255.3 redistribute=connected out-filter-chain=ospf-out disabled=no",
    "add name=area9 area-id=0.0.0.9 instance=default disabled=no",
    "/routing ospf interface-template\nadd area=area9 networks=10.1.10.0/24 type=broadcast disabled=no\nadd area=area9 networks=172.16.5.0/24 type=broadcast",
]


@pytest.mark.parametrize(
    ("version", "parts", "absent"),
    [("6.47.10", OF_6, "interface-template"), ("7.14.3", OF_7, "/routing ospf network"), ("7.1", OF_7, "/routing ospf network")],
)
def test_ospf_of_both_majors(version: str, parts: list[str], absent: str) -> None:
    lab = yaml.safe_load(R3)
    lab["routers"][0]["version"] = version
    text = rendered(lab)
    assert [part for part in parts if part not in text] == []
    assert absent not in text


@pytest.mark.parametrize("version", ["", "6", "6.44.6", "6.5", "6.50", "7", "7.0", "7.1rc4", "7.25", "7.100", "8.1", None])
def test_a_version_that_is_not_known_is_refused(version: str | None) -> None:
    lab = yaml.safe_load(R3)
    lab["routers"][0]["version"] = version
    assert [problem.code for problem in check_lab(lab, platforms())] == ["UNKNOWN_VERSION"]


@pytest.mark.parametrize(
    ("version", "dialect"),
    [
        ("6.45.3", "6"),
        ("6.49.18", "6"),
        ("7.1", "7.1"),
        ("7.1.5", "7.1"),
        ("7.9.2", "7.1"),
        ("7.13.5", "7.1"),
        ("7.14", "7.14"),
        ("7.19.6", "7.14"),
        ("7.24", "7.14"),
    ],
)
def test_a_version_has_its_dialect(version: str, dialect: str) -> None:
    found = find_dialect(platforms()["routeros"], version)
    assert found is not None and found["name"] == dialect


def test_a_loopback_named_lo() -> None:
    assert "/interface bridge\nadd name=lo " in rendered(_lab("routing", "7.1"))
    text = rendered(_lab("routing", "7.14"))
    assert "name=lo " not in text and "add address=172.16.255.1/32 interface=lo\n" in text


def test_only_a_chr_has_a_running_check() -> None:
    lab = _lab("trunk", "7.14")
    assert "disable-running-check=no" in rendered(lab)
    lab["routers"][0]["device_class"] = "routerboard"
    assert "disable-running-check" not in rendered(lab)


def test_accept_is_return_only_where_two_sets_may_be_met() -> None:
    lab = _lab("dhcp_wan_nat_zones", "7.14")
    assert "action=return" in rendered(lab)
    lab["common"]["firewall"]["bindings"] = [{"name": "wan", "in": "OUTSIDE-IN"}]
    text = rendered(lab)
    assert "action=return" not in text and "set-OUTSIDE-IN action=accept" in text


BROKEN = [
    ("/interface vlan add interface=ether99 name=X vlan-id=7", "there is no interface ether99"),
    ("/ip address add address=10.222.222.1/24 interface=ether5", "10.222.222.1/24: stands twice"),
    ("/interface vlan add interface=ether2 name=X vlan-id=7 mtu=9000", "its MTU is more"),
    ("/ip dhcp-server add name=x interface=ether9 address-pool=dhcp_LAN disabled=no", "dhcp x: no network for ether9"),
    ("/ip dhcp-server add name=x interface=LAN address-pool=dhcp_LAN2 disabled=no", "dhcp x: pool"),
    ("/ip dhcp-server add name=x interface=LAN address-pool=dhcp_LAN", "disabled unless"),
    ("/ip dhcp-server network add address=10.9.0.0/24 gateway=10.8.0.1 dns-none=yes", "gateway 10.8.0.1"),
    ("/ip dhcp-server network add address=10.9.0.0/24", "either dns-server or dns-none"),
    ("/ip dhcp-server lease add address=10.9.0.1 mac-address=52:54:00:12:34:56 server=x", "server x"),
    ("/routing ospf area add name=area9 area-id=0.0.0.9 instance=default", "area area9: no interface is in it"),
    ("/routing ospf interface-template add area=area8 networks=10.0.0.0/8", "ospf: area area8"),
    ("/routing ospf instance add name=x version=2", "ospf: runs nowhere"),
    ("/routing ospf instance add name=x version=2 out-filter-chain=none", "chain none"),
    ("/routing ospf instance add name=x version=2 redistribute=static", "redistributes with the default type"),
    ('/routing filter rule add chain=x rule="set ospf-ext-type type2"', "does not accept"),
    ("/ip firewall filter add chain=forward action=jump jump-target=set-X comment=x", "jump to set-X"),
    ("/ip firewall filter add chain=forward action=accept dst-port=22 comment=x", "a port without tcp or udp"),
    ("/ip firewall filter add chain=forward action=accept icmp-options=8:0 comment=x", "icmp-options without"),
    ("/ip firewall filter add chain=to-X action=accept comment=x", "nobody jumps to it"),
    ("/ip firewall filter add chain=input action=accept out-interface-list=zone-X comment=x", "no such direction in input"),
    ("/ip firewall connection tracking set enabled=no", "needs connection tracking"),
    ("/queue tree add name=x parent=ether1 packet-mark=no-mark queue=x max-limit=1", "queue x: type x"),
    ("/queue tree add name=x parent=wg0 packet-mark=m queue=x max-limit=1", "queue x: mark m"),
    ("/ip firewall mangle add chain=prerouting action=mark-packet in-interface=ether1 new-packet-mark=m comment=x", "mark m: no queue"),
    ("/queue type add name=x kind=cake", "queue type x: not used"),
    ("/ip ipsec peer add name=x address=192.0.2.1/32 exchange-mode=ike2 profile=x", "peer x: no identity"),
    ("/ip ipsec policy add src-address=10.0.0.0/8 dst-address=10.0.0.0/8 peer=x proposal=x tunnel=yes", "peer or proposal"),
    ("/interface wireguard add name=wg0 listen-port=1", "wg0: no key"),
    ("/interface bridge add name=lo", "lo is there already"),
]


@pytest.mark.parametrize(("command", "message"), BROKEN, ids=[command for command, _message in BROKEN])
def test_the_checker_sees_what_is_broken(command: str, message: str) -> None:
    operations = parse_script(rendered(_lab("dhcp_wan_nat_zones", "7.14")))
    assert problems(operations, "7.14") == []
    found = problems([*operations, *parse_script(command)], "7.14")
    assert any(message in line for line in found), found


UNKNOWN = [
    ("7", "/routing ospf network add network=10.0.0.0/8 area=backbone", "RouterOS 7 has no such command here"),
    ("6", "/routing ospf interface-template add area=backbone networks=10.0.0.0/8", "RouterOS 6 has no such command here"),
    ("7", "/routing ospf interface-template add area=backbone network=10.0.0.0/8", "there is no argument network"),
    ("7", "/routing ospf area add name=backbone area-id=0.0.0.0", "instance is missing"),
    ("7", "/routing ospf interface-template add area=backbone networks=10.0.0.0/8 passive=yes", "passive takes no value"),
    ("7", "/routing ospf interface-template add area=backbone networks=10.0.0.1/8", "networks does not take '10.0.0.1/8'"),
    ("7", "/routing ospf instance set [ find default=yes ] router-id=10.0.0.1", "has no such command"),
    ("7", "/ip route add dst-address=10.0.0.0/8 type=blackhole", "there is no argument type"),
    ("6", "/ip route add dst-address=10.0.0.0/8 blackhole", "there is no argument blackhole"),
    ("6", "/interface wireguard add name=wg0 listen-port=51820", "has no such command"),
    ("6", "/queue type add name=x kind=cake", "has no such command"),
    ("7", "/system ntp client set enabled=yes primary-ntp=10.0.0.1", "there is no argument primary-ntp"),
    ("7", "/ip address add address=10.0.0.1 interface=ether1", "address does not take '10.0.0.1'"),
    ("7", "/ip address add address=10.0.0.300/24 interface=ether1", "address does not take"),
    ("7", "/interface vlan add name=X interface=ether1 vlan-id=4095", "vlan-id does not take '4095', only 1-4094"),
    ("7", "/interface vlan add name=X interface=ether1 vlan-id", "vlan-id takes a value"),
    ("7", "/ip dns set servers=10.0.0.1,dns.example", "servers does not take 'dns.example'"),
    ("7", "/ip service set [ find port=22 ] disabled=yes", "names its item by port, not by name"),
    ("7", "/ip firewall filter add chain=input action=fast-track comment=x", "action does not take 'fast-track'"),
    ("7", "/system console add x=y", "has no such command"),
]


@pytest.mark.parametrize(("major", "command", "reason"), UNKNOWN)
def test_what_a_version_does_not_know_is_refused(major: str, command: str, reason: str) -> None:
    found = errors(parse_script(command), major)
    assert any(reason in line for line in found), found


def test_items_that_cannot_be_told_apart_are_refused() -> None:
    twice = "/ip firewall nat\n" + "add chain=srcnat action=masquerade out-interface=ether1 comment=x\n" * 2
    assert errors(parse_script(twice), "7") == ["/ip firewall nat add chain='srcnat' comment='x': stands twice"]
    names = "/interface bridge\nadd name=X\n/interface vlan\nadd name=X interface=ether1 vlan-id=1\n"
    assert errors(parse_script(names), "6") == ["/interface vlan add name='X': there is another interface of this name"]


def test_the_table_is_whole() -> None:
    for major in ("6", "7"):
        for (path, verb), menu in schema(major).items():
            assert re.fullmatch(r"[a-z-]+( [a-z-]+)*", " ".join(path)) and verb in ("add", "set")
            missing = set(menu.key) - set(menu.shapes)
            assert not missing or verb == "set", (path, missing)
    with pytest.raises(ValueError, match="no table for RouterOS 8"):
        schema("8")


def test_an_operation_says_what_it_is_about_and_no_values() -> None:
    assert Operation(("snmp", "community"), "set", {"default": "yes"}, {"name": "secret"}).where == "/snmp community set [default=yes]"
