# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of the rooms vyos and edgeos: both forms say the same, each version knows every command, and a commit would pass."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from golden_cases import Case, cases, expected, lab_files, load
from vyos_check import problems

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import render_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import errors, parse_commands, parse_curly, to_curly
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import schema

GOLDEN = [pytest.param(case, id=case.name) for room in ("vyos", "edgeos") for case, _lab in cases(room)]


@pytest.mark.parametrize("case", GOLDEN)
def test_both_forms_say_the_same_and_a_commit_would_pass(case: Case) -> None:
    files = {name: data.decode() for name, data in expected(case).items()}
    paths = parse_commands(files["config.set"] + files.get("secrets.set", ""))
    root = schema(case.room, case.dialect)
    assert len(set(paths)) == len(paths)
    assert set(parse_curly(files["config.boot"])) == set(paths)
    assert files["config.boot"].startswith(to_curly(paths, root) + "\n/")
    assert errors(paths, root) == []
    assert problems(paths, case.room, case.dialect) == []


@pytest.mark.parametrize("room", ["vyos", "edgeos"])
def test_every_dialect_has_a_table_and_a_footer(room: str) -> None:
    for dialect in platforms()[room]["dialects"]:
        assert schema(room, dialect["name"]).children
    footers = {case.dialect: expected(case)["config.boot"].decode().split("config-version: ")[1] for case, _lab in cases(room)}
    for dialect in platforms()[room]["dialects"]:
        for name, numbers in (dialect.get("components") or {}).items():
            assert any(f"{name}@{number}:" in footers[dialect["name"]] for number in numbers), (dialect["name"], name)


def _lab(stem: str, dialect: str, room: str = "vyos") -> dict[str, Any]:
    return load(lab_files(room)[stem], room, dialect)


def rendered(lab: dict[str, Any], profile: str | None = None) -> str:
    return {artifact.file: artifact.text for artifact in render_lab(lab, lab["routers"][0]["name"], profile, platforms())}["config.set"]


def test_one_rule_set_on_a_packet_s_way_accepts_two_return() -> None:
    """Of an in and an out set the second must be asked, too; with one set the packet's way ends there."""
    lab = _lab("dhcp_wan_nat_zones", "1.4")
    two = rendered(lab)
    lab["common"]["firewall"]["bindings"] = [{"name": "wan", "in": "OUTSIDE-IN", "local": "OUTSIDE-LOCAL"}]
    one = rendered(lab)
    assert "rule 10 action return" in two and " action accept" not in two
    assert "rule 10 action accept" in one and "return" not in one


def test_subnet_ids_stay_when_pools_come_go_and_change_places() -> None:
    lab = _lab("trunk", "1.5")
    before = {line for line in rendered(lab).splitlines() if "subnet-id" in line}
    pools = lab["common"]["dhcp"]["pools"]
    pools.reverse()
    assert {line for line in rendered(lab).splitlines() if "subnet-id" in line} == before
    del pools[0]
    assert {line for line in rendered(lab).splitlines() if "subnet-id" in line} < before


# The intent of a public report (nat, DHCP and OSPF of one lab in five syntaxes), and what each release makes of it.
FIVE = {
    "1.2.9": ["dns-server 10.20.0.53", "nat source rule 10 outbound-interface eth0", "protocols ospf passive-interface eth1", "firewall in name"],
    "1.3.8": ["subnet 10.20.0.0/24 name-server 10.20.0.53", "nat source rule 10 outbound-interface eth0", "protocols ospf passive-interface eth1"],
    "1.4.2": ["subnet 10.20.0.0/24 name-server 10.20.0.53", "outbound-interface name eth0", "protocols ospf interface eth1 passive", "jump-target OUT"],
    "1.5-rolling": ["option default-router 10.20.0.1", "option name-server 10.20.0.53", "subnet-id 1", "outbound-interface name eth0", "jump-target OUT"],
    "dhcp-server@10": ["option default-router 10.20.0.1", "option name-server 10.20.0.53", "subnet-id 1", "protocols ospf interface eth1 passive"],
}
FIVE_LAB = """
name: five
networks: [{name: wan, subnet: 192.0.2.0/30}, {name: lan, subnet: 10.20.0.0/24}]
common:
  ports: [{name: wan, native: eth0}, {name: lan, native: eth1}]
  interfaces: [{name: wan, port: wan, address: 192.0.2.2/30}, {name: lan, port: lan, address: 10.20.0.1/24}]
  ospf: {enabled: true, interfaces: [{name: wan}, {name: lan, passive: true}]}
  dhcp: {enabled: true, pools: [{name: lan, id: 1, start: 10.20.0.10, stop: 10.20.0.200, dns: [10.20.0.53]}]}
  nat: {enabled: true, rules: [{name: lan, interface: wan, source: 10.20.0.0/24}]}
  firewall:
    mode: stateful
    rule_sets: [{name: OUT, rules: [{name: "10", action: accept, states: [established]}]}]
    bindings: [{name: wan, in: OUT}]
routers: [{name: r, platform: vyos}]
"""


@pytest.mark.parametrize("version", FIVE)
def test_the_same_intent_in_the_syntax_of_each_release(version: str) -> None:
    lab = yaml.safe_load(FIVE_LAB)
    lab["routers"][0]["version"] = version
    text = rendered(lab)
    assert [part for part in FIVE[version] if part not in text] == []


BROKEN = [
    ("set firewall ipv4 forward filter rule 99 action jump", "jump to []"),
    ("set nat source rule 10 outbound-interface name eth7", "outbound interface ['eth0', 'eth7']"),
    ("set nat source rule 30 outbound-interface name eth0", "nat rule 30: neither translates nor excludes"),
    ("set interfaces ethernet eth1 vif 2223 address 10.222.222.1/24", "10.222.222.1/24 is also on eth1.2222"),
    ("set interfaces ethernet eth0 address 192.0.2.1/24", "eth0: a static address beside DHCP"),
    ("set interfaces ethernet eth1 vif 2222 mtu 9000", "MTU 9000 is more than its parent's"),
    ("set interfaces ethernet eth1 redirect ifb3", "redirect to ifb3"),
    ("set interfaces ethernet eth0 speed 1000", "speed and duplex"),
    ("set service dhcp-server shared-network-name x subnet 10.9.0.0/24 range 0 start 10.9.0.1", "no interface has an address in it"),
    ("set service dhcp-server shared-network-name x subnet 10.222.222.0/24 lease 60", "range ('', '')"),
    ("set service dhcp-server shared-network-name lan subnet 10.222.222.0/24 range 1 start 10.9.9.9", "range ('10.9.9.9', '')"),
    ("set firewall ipv4 name OUTSIDE-IN rule 20 protocol tcp", "OUTSIDE-IN rule 20: no action"),
    ("set firewall ipv4 name OUTSIDE-IN rule 10 destination port 22", "a port without tcp or udp"),
    ("set firewall ipv4 name OUTSIDE-IN rule 10 icmp type-name echo-request", "an ICMP type without protocol icmp"),
    ("set firewall ipv4 name OUTSIDE-IN rule 10 source", "['source'] without content"),
    ("set firewall ipv4 input filter rule 10 inbound-interface name eth9", "inbound-interface ['eth0', 'eth9']"),
    ("set firewall flowtable f offload hardware", "flowtable f: interfaces []"),
    ("set firewall zone A from B firewall name OUTSIDE-IN", "zone A: from B"),
    ("set firewall zone A interface eth9", "zone A: interface eth9"),
    ("set protocols ospf interface eth9 area 0.0.0.0", "ospf: interface eth9"),
    ("set qos interface eth0 egress NONE", "eth0: policy NONE"),
    ("set qos policy cake X bandwidth 100kbit", "policy X is not used"),
    ("set interfaces openvpn vtun0 tls certificate c", "vtun0: certificate c"),
    ("set interfaces wireguard wg0 port 1", "wg0: keys"),
    ("set vpn ipsec site-to-site peer p remote-address 192.0.2.9", "peer p: no secret"),
]


@pytest.mark.parametrize(("command", "message"), BROKEN, ids=[command for command, _message in BROKEN])
def test_the_checker_sees_what_is_broken(command: str, message: str) -> None:
    paths = parse_commands(rendered(_lab("dhcp_wan_nat_zones", "1.4")))
    assert problems(paths, "vyos", "1.4") == []
    found = problems([*paths, *parse_commands(command)], "vyos", "1.4")
    assert any(message in line for line in found), found


def test_the_checker_misses_a_subnet_id() -> None:
    text = rendered(_lab("trunk", "1.5"))
    paths = [path for path in parse_commands(text) if path[-2:] != ("subnet-id", "2222")]
    assert problems(paths, "vyos", "1.5") == ["dhcp lan 10.222.222.0/24: subnet-id is missing"]


def test_bf_cbc_where_the_old_ciphers_are_loaded() -> None:
    """1.4 says `providers legacy default`; refused_cases/vyos has what 1.5 answers."""
    lab = _lab("tunnels", "1.4")
    (profile,) = (item for item in lab["profiles"] if item["name"] == "openvpn")
    profile["changes"]["tunnels"]["openvpn"][0]["cipher"] = "BF-CBC"
    assert "openvpn-option '--data-ciphers BF-CBC'" in rendered(lab, "openvpn")
