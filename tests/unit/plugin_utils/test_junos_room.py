# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of the room junos: both forms say the same, the table knows every statement, and a commit would pass."""

from __future__ import annotations

from typing import Any

import pytest
from golden_cases import Case, cases, expected, lab_files, load
from junos_check import problems, read_curly

from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import ConfigError, errors, parse_commands, to_curly
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_schema import schema
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

GOLDEN = [pytest.param(case, id=case.name) for case, _lab in cases("junos")]


def paths_of(files: dict[str, str]) -> list[tuple[str, ...]]:
    return parse_commands(files["config.set"] + files.get("secrets.set", ""))


@pytest.mark.parametrize("case", GOLDEN)
def test_both_forms_say_the_same_and_a_commit_would_pass(case: Case) -> None:
    files = {name: data.decode() for name, data in expected(case).items()}
    paths = paths_of(files)
    assert len(set(paths)) == len(paths)
    assert errors(paths, schema()) == []
    assert problems(paths) == []
    # a statement that only opens what another one fills is not written out in the curly form
    bare = {path for path in paths if any(other[: len(path)] == path and other != path for other in paths)}
    assert read_curly(files["config.conf"]) == set(paths) - bare
    assert files["config.conf"] == to_curly(paths, schema())


def rendered(stem: str, router: str, profile: str | None = None, **section: Any) -> str:
    lab = load(lab_files("junos")[stem], "junos", "17.4")
    lab["common"].update(section)
    return {artifact.file: artifact.text for artifact in render_lab(lab, router, profile, platforms())}["config.set"]


# The trunk lab and the plain-port lab as they were written down from the models: these lines, and in these words.
WRITTEN = [
    "set interfaces ge-0/0/0 vlan-tagging",
    "set interfaces ge-0/0/0 unit 500 vlan-id 500",
    "set interfaces ge-0/0/0 unit 500 family inet address 10.253.253.2/30",
    "set system services dhcp-local-server group lan interface ge-0/0/0.2222",
    "set access address-assignment pool lan family inet network 10.222.222.0/24",
    "set access address-assignment pool lan family inet range r0 low 10.222.222.10",
    "set access address-assignment pool lan family inet range r0 high 10.222.222.200",
    "set access address-assignment pool lan family inet dhcp-attributes maximum-lease-time 600",
    "set access address-assignment pool lan family inet dhcp-attributes name-server 10.53.53.53",
    "set access address-assignment pool lan family inet dhcp-attributes router 10.222.222.1",
    "set policy-options policy-statement ospf-export term connected from protocol direct",
    "set policy-options policy-statement ospf-export term connected then external type 2",
    "set policy-options policy-statement ospf-export term connected then accept",
    "set protocols ospf export ospf-export",
    "set protocols ospf area 0.0.0.0 interface ge-0/0/0.500",
]


def test_the_trunk_lab_in_the_words_of_the_models() -> None:
    lines = rendered("trunk", "dut").splitlines()
    assert [line for line in WRITTEN if line not in lines] == []


def test_each_kind_of_device_has_its_own_way_of_forwarding() -> None:
    flow, packet, mx = (rendered("kinds", name) for name in ("flow", "packet", "mx"))
    assert "set security policies default-policy permit-all" in flow and "packet-based" not in flow
    assert "set security forwarding-options family mpls mode packet-based" in packet and "zones" not in packet
    assert "security" not in mx
    common = set(flow.splitlines()) & set(packet.splitlines()) & set(mx.splitlines())
    assert set(mx.splitlines()) - common == {"set system host-name mx"}


@pytest.mark.parametrize("version", ["17.4", "17.4R1", "18.1R3-S13.6", "21.4R3-S5.4", "23.4R2", "24.4R1.9"])
def test_versions_that_are_known(version: str) -> None:
    assert find_dialect(platforms()["junos"], version)


@pytest.mark.parametrize("version", ["15.1X49-D100", "17.3R3", "18.1X75-D10", "23.3R1", "25.2R1", "21.4R3-S5-EVO", "22.2R1-EVO", "21", "", None])
def test_versions_that_are_not(version: str | None) -> None:
    assert find_dialect(platforms()["junos"], version) is None


BROKEN = [
    ("set interfaces ge-0/0/1 unit 7 family inet address 10.9.9.1/24", "only unit 0 without a tag"),
    ("set interfaces ge-0/0/1 unit 0 vlan-id 7", "vlan-id and vlan-tagging go together"),
    ("set interfaces ge-0/0/1 unit 0 family inet address 192.0.2.2/24", "192.0.2.2/24 is on ge-0/0/0.0, too"),
    ("set interfaces ge-0/0/1 unit 0 family inet dhcp", "an address and DHCP"),
    ("set protocols ospf area 0.0.0.0 interface ge-0/0/9.0", "there is no interface ge-0/0/9.0"),
    ("set protocols ospf area 0.0.0.1 interface ge-0/0/0.0", "ge-0/0/0.0 is in two areas"),
    ("set protocols ospf export nothing", "there is no policy nothing"),
    ("set policy-options policy-statement p term t then metric 1", "neither accepts nor rejects"),
    ("set system services dhcp-local-server group g interface ge-0/0/9.0", "dhcp: there is no interface ge-0/0/9.0"),
    ("set access address-assignment pool p family inet network 10.7.0.0/24", "pool p: no listening interface"),
    ("set access address-assignment pool lan2 family inet host h ip-address 10.7.0.1", "10.7.0.1 is not in 192.168.2.0/24"),
    ("set security zones security-zone other interfaces ge-0/0/0.0", "ge-0/0/0.0 is in untrust, too"),
    ("set interfaces ge-0/0/5 unit 0 family inet address 10.5.5.1/24", "ge-0/0/5.0 is in no zone"),
    ("set system services dhcp-local-server group g interface ge-0/0/0.0", "a DHCP server that its zone does not let in"),
    ("set security policies from-zone trust to-zone void policy p then permit", "there is no zone void"),
    ("set security policies from-zone trust to-zone trust policy intra match application tcp-99", "application ['any', 'tcp-99']"),
    ("set security policies from-zone trust to-zone trust policy intra then deny", "not one action"),
    ("set security nat source rule-set wan from zone void", "nat wan: there is no zone void"),
    ("set security nat source rule-set wan rule x then source-nat interface", "nat wan rule x: match or then"),
    ("set security ike policy p proposals none", "ike policy p: no key"),
    ("set security ike gateway g ike-policy none", "ike gateway g: policy or interface"),
    ("set security ipsec vpn v ike gateway none", "vpn v: gateway or policy"),
]


@pytest.mark.parametrize(("command", "message"), BROKEN, ids=[command for command, _message in BROKEN])
def test_the_checker_sees_what_is_broken(command: str, message: str) -> None:
    paths = parse_commands(rendered("zones", "dut"))
    assert problems(paths) == []
    found = problems([*paths, *parse_commands(command)])
    assert any(message in line for line in found), found


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("set interfaces ge-0/0/0 unit x vlan-id 1", "'x' is no number"),
        ("set system hostname r1", "there is no 'hostname' here"),
        ("set protocols ospf redistribute connected", "there is no 'redistribute' here"),
        ("set routing-options static route 10.0.0.0/33 discard", "is no prefix"),
        ("set security zones", "nothing stands in 'zones'"),
        ("set routing-options router-id 1.2.3.4 5", "there is no '5' here"),
        ("set security policies from-zone a zone b policy p then permit", "'zone' is no to-zone"),
        ("set system host-name", "needs word after it"),
    ],
)
def test_the_table_knows_what_is_no_statement(command: str, message: str) -> None:
    assert message in "; ".join(errors(parse_commands(command), schema()))


@pytest.mark.parametrize("name", ["any", "Global", "junos-host"])
def test_zones_that_junos_has_itself_are_refused(name: str) -> None:
    lab = load(lab_files("junos")["zones"], "junos", "17.4")
    for zone in lab["common"]["firewall"]["zones"]:
        zone["name"] = {"guest": name}.get(zone["name"], zone["name"])
        for entry in zone["from"]:
            entry["name"] = {"guest": name}.get(entry["name"], entry["name"])
    with pytest.raises(RenderError, match="Junos has its own meaning for this name"):
        render_lab(lab, "dut", None, platforms())


def test_dhcp_is_let_in_where_it_is_spoken() -> None:
    text = rendered("dhcp_wan_nat_zones", "dut", "zones")
    inbound = [line.split()[-1] for line in text.splitlines() if "interfaces ge-0/0/0.0 host-inbound-traffic" in line]
    assert inbound == ["dhcp", "ping", "ssh"]


def test_two_values_of_one_statement_are_seen() -> None:
    text = "set system host-name a\nset system host-name b\n"
    assert errors(parse_commands(text), schema()) == ["system host-name b: has the value 'a' already"]


@pytest.mark.parametrize("line", ['set snmp location "a', 'set snmp location "a"b', "set  snmp", "delete snmp", "set", 'set x "a\\"b"'])
def test_what_is_no_set_command(line: str) -> None:
    with pytest.raises(ConfigError):
        parse_commands(line)


@pytest.mark.parametrize("text", ["a { b; ", "a { b } ", "b; }", 'a "x;', "a"])
def test_a_broken_curly_form_is_seen(text: str) -> None:
    with pytest.raises(ValueError):
        read_curly(text)
