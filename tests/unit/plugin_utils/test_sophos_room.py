# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of the room sophos, held against the published entities of the API; what a lab becomes in zones, services and rules."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any, Callable

import lab_data
import pytest
from golden_cases import Case, cases, expected, lab_files, load
from sophos_check import problems

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

GOLDEN = [pytest.param(case, id=case.name) for case, _lab in cases("sophos")]
REQUESTS = ("request.xml", "community.xml", "tunnels.xml")
Change = Callable[[dict[str, Any]], None]


def files_of(stem: str, profile: str | None = None, dialect: str = "18", change: Change | None = None) -> dict[str, str]:
    lab = load(lab_files("sophos")[stem], "sophos", dialect)
    if change:
        change(lab)
    assert [str(problem) for problem in check_lab(lab, platforms())] == []
    return {artifact.file: artifact.text for artifact in render_lab(lab, "dut", profile, platforms())}


def root_of(*args: Any, **kwargs: Any) -> ET.Element:
    return ET.fromstring(files_of(*args, **kwargs)["request.xml"].encode())


def access(root: ET.Element) -> dict[str, list[str]]:
    """The services that each zone reaches."""
    zones = [zone for zone in root.iter("Zone") if zone.find("Name") is not None]
    return {zone.findtext("Name") or "": [node.tag for node in zone.iter() if node.text == "Enable"] for zone in zones}


def rules(root: ET.Element) -> list[tuple[str | None, ...]]:
    """Action, zones, networks, service and NAT of each rule, in the order in which it comes to stand."""
    found: dict[str, tuple[str | None, ...]] = {}
    order: list[str] = []
    for node in [*root.iter("FirewallRule"), *root.iter("SecurityPolicy")]:
        name = node.findtext("Name") or ""
        order.insert(order.index(node.findtext("After/Name") or "") + 1 if node.findtext("Position") == "After" else 0, name)
        paths = ("Action", "SourceZones/Zone", "DestinationZones/Zone", "SourceNetworks/Network", "DestinationNetworks/Network", "Services/Service")
        found[name] = (*(node.findtext(f"NetworkPolicy/{path}") for path in paths), node.findtext("NetworkPolicy/OutboundAddress"))
    return [found[name] for name in order]


@pytest.mark.parametrize("case", GOLDEN)
def test_sophos_could_take_it(case: Case) -> None:
    files = {name: data.decode() for name, data in expected(case).items()}
    assert problems(case.dialect, *(files[name] for name in REQUESTS if name in files)) == []
    assert all("<Login>" not in text for text in files.values())


def test_zones_and_the_services_that_they_reach() -> None:
    assert access(root_of("dhcp_wan_nat_zones")) == {
        "LAN2": ["HTTPS", "SSH", "DNS", "Ping"],
        "WAN": ["SSH", "Ping"],
        "LAN": ["HTTPS", "SSH", "DNS", "Ping"],
    }
    assert access(root_of("trunk"))["WAN_NET"] == ["HTTPS", "DNS", "Ping", "DynamicRouting"]


def test_sources_of_a_service_are_exceptions() -> None:
    found = [
        (node.findtext("SourceZone"), [host.text for host in node.iter("Host")], [service.text for service in node.iter("Service")])
        for node in root_of("rules").iter("LocalServiceACL")
    ]
    assert found == [("WAN", ["RL_192.0.2.0_24"], ["HTTPS"]), ("WAN", ["RL_192.0.2.0_24"], ["SSH"])]


def test_a_zone_firewall_has_the_zones_of_the_lab() -> None:
    assert rules(root_of("dhcp_wan_nat_zones", "zones")) == [
        ("Drop", "WAN", "LAN", None, None, None, None),
        ("Accept", "LAN", "LAN", None, None, None, None),
        ("Accept", "LAN", "WAN", None, None, None, None),
        ("Accept", "LAN", None, None, None, None, None),
        ("Drop", None, None, None, None, None, None),
    ]


def test_until_17_5_rules_say_nat() -> None:
    root = root_of("dhcp_wan_nat_zones", "zones", "17.5")
    assert rules(root)[2:4] == [("Accept", "LAN", "WAN", "RL_10.0.0.0_8", None, None, "MASQ"), ("Accept", "LAN", "WAN", None, None, None, None)]
    assert not list(root.iter("NATRule"))
    narrow = [rule for rule in rules(root_of("rules", dialect="17.5")) if rule[3] == "RL_10.30.0.128_25"]
    assert [(rule[2], rule[6]) for rule in narrow] == [("WAN", "MASQ"), (None, None)] * 2
    assert not [rule for rule in rules(root_of("rules", "off", "17.5")) if rule[6]]


def test_from_18_on_nat_is_apart_and_the_stock_rule_is_off() -> None:
    found = [(node.findtext("Name"), node.findtext("Status"), node.findtext("OutboundInterfaces/Interface")) for node in root_of("rules").iter("NATRule")]
    assert found == [("RL_NAT_servers", "Enable", "Port2"), ("RL_NAT_guests", "Enable", "Port2"), ("Default SNAT IPv4", "Disable", None)]


@pytest.mark.parametrize("case", [param for param in GOLDEN if "/20/" in str(param.id)])
def test_18_and_20_differ_in_the_service_for_ipsec(case: Case) -> None:
    new, old = expected(case), expected(case._replace(dialect="18"))
    lines = {line.strip() for line in new["request.xml"].decode().splitlines()} - {line.strip() for line in old["request.xml"].decode().splitlines()}
    assert lines == ({"<VPNServices>", "</VPNServices>", "<IPsec>Enable</IPsec>"} if case.profile == "ipsec" else set())


def test_leases_are_whole_minutes() -> None:
    assert [node.text for node in root_of("plain").iter("DefaultLeaseTime")] == ["10", "21"]


def test_ospf_is_for_the_console() -> None:
    assert files_of("trunk")["ospf.txt"].splitlines() == [
        "enable",
        "configure terminal",
        "router ospf",
        " ospf router-id 10.253.253.2",
        " redistribute connected metric-type 2",
        " network 10.253.253.0/30 area 0.0.0.0",
        "end",
        "write",
    ]


def test_names_stay_when_rules_come_and_go() -> None:
    def more(lab: dict[str, Any]) -> None:
        lab["common"]["firewall"]["rule_sets"][0]["rules"].insert(0, {"name": "1", "action": "drop", "protocol": "udp", "destination_ports": ["9"]})

    before, after = ({node.findtext("Name") for node in root_of("rules", change=change).iter("FirewallRule")} for change in (None, more))
    assert before < after and len(after) == len(before) + 1


def test_the_write_up() -> None:
    """Write-up 001: the LANs as VLANs on the first port, the WAN by DHCP on the second one, NAT, SSH and ping from outside."""
    lab = lab_data.seed_lab("seed_001")
    assert [str(problem) for problem in check_lab(lab, platforms())] == []
    for profile in (None, "regular"):
        text = {artifact.file: artifact.text for artifact in render_lab(lab, "sophos", profile, platforms())}["request.xml"]
        root = ET.fromstring(text.encode())
        assert problems("17.5", text) == []
        assert [(node.findtext("Hardware"), node.findtext("NetworkZone"), node.findtext("IPv4Assignment")) for node in root.iter("Interface") if len(node)] == [
            ("Port2", "WAN", "DHCP")
        ]
        assert [(node.findtext("Interface"), node.findtext("VLANID"), node.findtext("IPAddress")) for node in root.iter("VLAN")] == [
            ("Port1", "2222", "10.222.222.1"),
            ("Port1", "2223", "10.223.223.1"),
        ]
        assert access(root)["WAN"] == ["SSH", "Ping"]
        assert [rule for rule in rules(root) if rule[6]] == [("Accept", zone, "WAN", "RL_10.0.0.0_8", None, None, "MASQ") for zone in ("LAN", "LAN2")]
        assert [node.text for node in root.iter("DefaultLeaseTime")] == ["20", "20"]


def change_text(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


BROKEN: list[tuple[str, Callable[[str], str], str]] = [
    ("18", change_text("</Request>", ""), "not XML"),
    ("18", change_text("<Request>", "<Request><Login/>"), "<Request> with"),
    ("18", change_text(' <Set operation="update">', ' <Set operation="add"></Set><Set operation="update">'), "an empty <Set>"),
    ("17.5", lambda text: text, "FirewallRule in 17.5"),
    ("18", change_text("<Status>Disable</Status>", "<Status>Enable</Status>"), "own NAT rule is left on"),
    ("18", change_text("<Hardware>Port2</Hardware>", ""), "Interface: no <Hardware>"),
    ("18", change_text("<MTU>1500</MTU>", "<MTU>1500</MTU><Speed>1</Speed>"), "unknown element <Speed>"),
    ("18", change_text("<MTU>1500</MTU>", "<MTU></MTU>"), "holds nothing"),
    ("18", change_text("<MTU>1500</MTU>", "<MTU>1500</MTU><MTU>1500</MTU>"), "<MTU> twice"),
    ("18", change_text("<NetworkZone>LAN<", "<NetworkZone>LANS<"), "Zone LANS is not there yet"),
    ("18", change_text("<Network>RL_10.20.0.0_25<", "<Network>RL_1<"), "Network RL_1 is not there yet"),
    ("18", change_text("<Service>RL_ESP<", "<Service>ESP<"), "Service ESP is not there yet"),
    ("18", change_text("<Interface>Port2</Interface>", "<Interface>Port9</Interface>"), "Port Port9 is not there yet"),
    ("18", change_text("<Position>Top</Position>\n   <PolicyType>", "<Position>After</Position>\n   <PolicyType>"), "position After"),
    ("18", change_text("<Action>Drop<", "<Action>Deny<"), "'Deny'"),
    ("18", change_text("<Name>RL_GRE<", "<Name>RL,GRE<"), "is no name"),
    ("18", change_text("<Name>RL_GRE<", f"<Name>{'x' * 61}<"), "61 characters"),
    ("18", change_text("<MSSValue>1460<", "<MSSValue>9000<"), "is not from 536 to 8960"),
    ("18", change_text("<GatewayIP>198.51.100.1</GatewayIP>", ""), "Port2: gateway"),
    ("18", change_text("<IPv4Assignment>Static<", "<IPv4Assignment>DHCP<"), "Port2: DHCP and address"),
    ("18", change_text('<Set operation="update">', '<Set operation="add">'), "operation 'add'"),
]


@pytest.mark.parametrize(("dialect", "change", "message"), BROKEN, ids=[message for _dialect, _change, message in BROKEN])
def test_the_checker_sees_what_is_broken(dialect: str, change: Callable[[str], str], message: str) -> None:
    text = files_of("rules")["request.xml"]
    assert problems("18", text) == []
    found = problems(dialect, change(text))
    assert any(message in line for line in found), found


POOLS = [
    (change_text("<Gateway>172.16.1.254<", "<Gateway>172.16.9.9<"), "172.16.9.9 is outside"),
    (change_text("<UseInterfaceIPasGateway>UseInterfaceIPAsGateway</UseInterfaceIPasGateway>", ""), "UseInterfaceIPasGateway"),
    (change_text("<DefaultLeaseTime>10<", "<DefaultLeaseTime>0<"), "is not from 1 to 43200"),
    (change_text("<SubnetMask>255.255.255.0<", "<SubnetMask>255.255.0.0<"), "mask"),
]


@pytest.mark.parametrize(("change", "message"), POOLS, ids=[message for _change, message in POOLS])
def test_the_checker_sees_a_broken_pool(change: Callable[[str], str], message: str) -> None:
    found = problems("18", change(files_of("plain")["request.xml"]))
    assert any(message in line for line in found), found


@pytest.mark.parametrize("version", ["17.5", "17.5.8", "18.0", "18.5.3", "19.0.1", "19.5", "20.0.2", "21", "21.5.0"])
def test_versions_that_are_known(version: str) -> None:
    assert find_dialect(platforms()["sophos"], version)


@pytest.mark.parametrize("version", ["17", "17.1", "18.1", "22.0", "9.7", "", None])
def test_versions_that_are_not(version: str | None) -> None:
    assert find_dialect(platforms()["sophos"], version) is None


def test_all_reasons_are_told_at_once() -> None:
    def change(lab: dict[str, Any]) -> None:
        lab["common"]["system"]["ssh"] = {"port": 2222}
        lab["common"]["dhcp"]["pools"][0]["gateway"] = "none"

    with pytest.raises(RenderError) as caught:
        files_of("trunk", change=change)
    assert "system.ssh.port: only 22" in str(caught.value) and "dhcp.pools[lan].gateway" in str(caught.value)
