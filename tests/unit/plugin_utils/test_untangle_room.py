# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of the room untangle, held against a schema of Untangle's classes and what it checks itself; numbers that stay."""

from __future__ import annotations

import copy
import json
from typing import Any, Callable

import lab_data
import pytest
from golden_cases import Case, cases, expected, lab_files, load
from untangle_check import items, problems

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._untangle_schema import DIALECTS, classes, to_java

GOLDEN = [pytest.param(case, id=case.name) for case, _lab in cases("untangle")]
Data = dict[str, Any]


def files_of(stem: str, profile: str | None = None, dialect: str = "14", change: Callable[[Data], None] | None = None) -> dict[str, str]:
    lab = load(lab_files("untangle")[stem], "untangle", dialect)
    if change:
        change(lab)
    assert [str(problem) for problem in check_lab(lab, platforms())] == []
    return {artifact.file: artifact.text for artifact in render_lab(lab, "dut", profile, platforms())}


def data_of(stem: str, profile: str | None = None, dialect: str = "14", change: Callable[[Data], None] | None = None) -> Data:
    found: Data = json.loads(files_of(stem, profile, dialect, change)["network.json"])
    return found


def numbers(data: Data) -> dict[str, int]:
    return {item["systemDev"]: item["interfaceId"] for item in items(data, "interfaces")}


@pytest.mark.parametrize("case", GOLDEN)
def test_untangle_would_take_it(case: Case) -> None:
    files = {name: data.decode() for name, data in expected(case).items()}
    assert problems(files["network.json"], case.dialect) == []
    for name in ("snmp.json", "ipsec.json"):
        assert json.loads(files.get(name, '{"javaClass": "com.untangle."}'))["javaClass"].startswith("com.untangle.")


@pytest.mark.parametrize("case", [param for param in GOLDEN if "/14/" not in str(param.id)])
def test_versions_differ_in_what_they_do_not_have_yet(case: Case) -> None:
    """Everything else is the same in all of them."""
    new, old = (json.loads(expected(one)["network.json"]) for one in (case, case._replace(dialect="14")))
    later = {"dhcpType", "qosEnabled"} if case.dialect == "17.5" else {"dhcpType"}
    for item in items(new, "interfaces"):
        for key in later & set(item):
            del item[key]
    for key in ("version", "virtualInterfaces"):
        del new[key], old[key]
    new.pop("dhcpRelays", None)
    assert new == old


def test_interfaces_in_the_words_of_untangle() -> None:
    wan = next(item for item in items(data_of("trunk"), "interfaces") if item["systemDev"] == "eth0.500")
    printed = {"isWan": True, "isVlanInterface": True, "vlanTag": 500, "vlanParent": 1, "configType": "ADDRESSED", "v4ConfigType": "STATIC"}
    printed |= {"v4StaticAddress": "10.253.253.2", "v4StaticPrefix": 30, "v4StaticNetmask": "255.255.255.252", "v4StaticDns1": "10.53.53.53"}
    assert {key: wan.get(key) for key in printed} == printed


def test_numbers_stay_when_an_interface_goes() -> None:
    before = numbers(data_of("dhcp_wan_nat_zones", "open"))

    def without_lan(lab: Data) -> None:
        lab["profiles"] = [profile for profile in lab["profiles"] if profile["name"] == "open"]
        lab["common"]["interfaces"] = [item for item in lab["common"]["interfaces"] if item["name"] != "lan"]
        lab["common"]["dhcp"]["pools"] = lab["common"]["dhcp"]["pools"][1:]

    after = numbers(data_of("dhcp_wan_nat_zones", "open", change=without_lan))
    assert set(before) - set(after) == {"eth1.2222"}
    assert {name: before[name] for name in after} == after


def test_a_lab_without_firewall_has_no_rules() -> None:
    data = data_of("shaper")
    assert items(data, "accessRules") == items(data, "filterRules") == []
    assert data["blockInvalidPackets"] is False


def test_everything_past_the_program_with_flow_offload_only() -> None:
    assert items(data_of("shaper"), "bypassRules") == []
    (only,) = items(data_of("shaper", "bypass"), "bypassRules")
    assert (only["bypass"], items(only, "conditions")) == (True, [])


def test_write_up_001_has_nat_for_its_source_and_a_closed_outside() -> None:
    data = data_of("dhcp_wan_nat_zones")
    (rule,) = items(data, "natRules")
    assert {item["conditionType"]: item["value"] for item in items(rule, "conditions")} == {"DST_INTF": "1", "SRC_ADDR": "10.0.0.0/8"}
    assert [(entry["blocked"], entry["description"]) for entry in items(data, "accessRules")] == [
        (False, "routerlab: OUTSIDE-LOCAL 20"),
        (False, "routerlab: OUTSIDE-LOCAL 31"),
        (True, "routerlab: OUTSIDE-LOCAL default"),
    ]
    assert items(data, "filterRules")[0]["blocked"] is True
    assert not any(item["v4NatEgressTraffic"] for item in items(data, "interfaces"))


def test_the_untangle_of_write_up_001() -> None:
    """WAN by DHCP on eth0, both LANs as VLANs of eth1 with its pools and leases, NAT for 10/8, the regular firewall."""
    lab = lab_data.seed_lab("seed_001")
    base, regular = ({artifact.file: artifact.text for artifact in render_lab(lab, "untangle", profile, platforms())} for profile in (None, "regular"))
    assert base == regular
    assert problems(base["network.json"], "14") == []
    data = json.loads(base["network.json"])
    printed = ("v4ConfigType", "dhcpRangeStart", "dhcpRangeEnd", "dhcpLeaseDuration", "dhcpDnsOverride")
    assert {item["systemDev"]: [item.get(key) for key in printed] for item in items(data, "interfaces") if item["configType"] == "ADDRESSED"} == {
        "eth0": ["AUTO", None, None, None, None],
        "eth1.2222": ["STATIC", "10.222.222.10", "10.222.222.100", 1200, "10.53.53.53"],
        "eth1.2223": ["STATIC", "10.223.223.10", "10.223.223.100", 1200, "10.53.53.53"],
    }
    assert (len(items(data, "natRules")), len(items(data, "accessRules")), items(data, "bypassRules")) == (1, 3, [])


def breaks(**changes: Any) -> Callable[[Data], None]:
    """Change the first WAN."""

    def change(data: Data) -> None:
        next(item for item in items(data, "interfaces") if item["isWan"]).update(changes)

    return change


BROKEN: list[tuple[Callable[[Data], None], str]] = [
    (lambda data: data.update(version=8), "7 was expected"),
    (lambda data: data.update(adminPort=1), "Additional properties"),
    (lambda data: data.pop("qosSettings"), "is a required property"),
    (lambda data: data.update(interfaces=[]), "is not of type 'object'"),
    (breaks(vrrpAliases=[]), "is not of type 'object'"),
    (breaks(javaClass="com.untangle.uvm.network.Interface"), "was expected"),
    (breaks(vlanParent=7), "no parent"),
    (breaks(vlanTag=501), "its device is not that of its parent"),
    (breaks(isWan=False, imqDev="imq0"), "no WAN"),
    (breaks(v4StaticNetmask="255.255.255.0"), "address or netmask"),
    (breaks(dhcpEnabled=True, dhcpRangeStart="10.253.253.1", dhcpRangeEnd="10.253.253.2"), "DHCP is served"),
    (breaks(v4StaticAddress="10.222.222.9", v4StaticPrefix=24, v4StaticNetmask="255.255.255.0"), "network 10.222.222.0/24 stands twice"),
    (lambda data: items(data, "interfaces")[1].update(interfaceId=1), "interface id 1 stands twice"),
    (lambda data: items(data, "interfaces")[1].update(dhcpRangeEnd="10.9.9.9"), "range outside"),
    (lambda data: items(data, "accessRules")[0].update(ruleId=9), "ids are not in order"),
    (lambda data: items(items(data, "accessRules")[0], "conditions").pop(0), "ports without TCP or UDP"),
    (lambda data: items(items(data, "accessRules")[0], "conditions")[0].update(conditionType="SRC_INTF", value="77"), "no such interface"),
    (lambda data: items(items(data, "accessRules")[0], "conditions")[1].update(value="ssh"), "is not valid under any of the given schemas"),
    (lambda data: items(data["dynamicRoutingSettings"], "ospfNetworks")[0].update(area=0), "less than the minimum"),
    (lambda data: items(data["dynamicRoutingSettings"], "ospfNetworks")[0].update(area=2), "there is no area with id 2"),
    (lambda data: items(data["dynamicRoutingSettings"], "ospfNetworks")[0].update(prefix=29), "is not connected"),
    (lambda data: data["dynamicRoutingSettings"].update(enabled=False), "not complete"),
    (lambda data: data["qosSettings"].update(qosEnabled=True), "QoS needs both rates"),
    (lambda data: items(data["qosSettings"], "qosPriorities").pop(), "is too short"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=[message for _change, message in BROKEN])
def test_the_checker_sees_what_is_broken(change: Callable[[Data], None], message: str) -> None:
    data = data_of("trunk")
    assert problems(json.dumps(data), "14") == []
    broken = copy.deepcopy(data)
    change(broken)
    found = problems(json.dumps(broken), "14")
    assert any(message in line for line in found), found


def test_the_table_of_classes_is_whole() -> None:
    table = classes()
    kinds = {prop.kind.strip("[]") for props in table.values() for prop in props.values()}
    named = {kind for kind in kinds if "." in kind}
    assert named <= set(table)
    roots = {"uvm.network.NetworkSettings", "uvm.SnmpSettings", "app.ipsec_vpn.IpsecVpnSettings"}
    assert set(table) - named == roots


def test_every_mistake_is_told_at_once_and_with_its_place() -> None:
    given = {"version": "7", "hostname": "x", "interfaces": [{"interfaceId": True}, {"configType": "ON"}], "devices": {}}
    _made, found = to_java(given, "uvm.network.NetworkSettings", "14")
    assert found == [
        "NetworkSettings.version: '7' is no int",
        "NetworkSettings.hostname: uvm.network.NetworkSettings has no such property",
        "NetworkSettings.interfaces[0].interfaceId: True is no int",
        "NetworkSettings.interfaces[1].configType: 'ON' is no ADDRESSED|BRIDGED|DISABLED",
        "NetworkSettings.devices: is no list",
    ]


@pytest.mark.parametrize("version", ["14.0", "14.2.2", "15.1.0", "16.6.2", "17.0.0", "17.3.1", "17.5", "17.5.0"])
def test_versions_that_are_known(version: str) -> None:
    found = find_dialect(platforms()["untangle"], version)
    assert found and found["name"] in DIALECTS


@pytest.mark.parametrize("version", ["13.2.1", "14", "14.3", "15.2", "16.7", "17.6", "18.0", "14.2.22", "", None])
def test_versions_that_are_not(version: str | None) -> None:
    assert find_dialect(platforms()["untangle"], version) is None


def test_all_reasons_are_told_at_once() -> None:
    def change(lab: Data) -> None:
        lab["common"]["system"]["ssh"] = {"port": 2222}
        lab["common"]["dhcp"]["pools"][0]["gateway"] = "none"

    with pytest.raises(RenderError) as caught:
        files_of("trunk", change=change)
    assert "system.ssh.port: only 22" in str(caught.value) and "dhcp.pools[lan].gateway" in str(caught.value)
