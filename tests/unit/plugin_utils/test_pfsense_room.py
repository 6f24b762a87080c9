# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of room pfsense pass a check that does not know the templates; texts arrive; the write-ups' routers come out as described."""

from __future__ import annotations

import copy
import html
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml
from golden_cases import Case, cases, expected, lab_files, load
from hypothesis import given, settings
from hypothesis import strategies as st
from pfsense_check import problems

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_xml import bsnmpd, pf_label, pfsense_cdata, pfsense_macro, xml
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = [pytest.param(case, id=case.name) for case, _lab in cases("pfsense")]
NASTY = list("'\"#$&<>;|\\`%=,: \t\n\r\x00\x7f\x85\u2028éßж字\ufffe") + ["]]>", "<![CDATA[", "&amp;", "&#39;", "&lt", "</descr>", "<!--", "<?x", "a"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))


def as_pfsense_reads(content: str) -> str:
    """The text of an element: pfSense reads the XML and then resolves the entities of HTML."""
    return html.unescape(ET.fromstring(f"<descr>{content}</descr>").text or "")


def rendered(lab: dict[str, Any], profile: str | None = None, router: str | None = None) -> str:
    (artifact,) = render_lab(lab, router or lab["routers"][0]["name"], profile, platforms())
    return artifact.text


@pytest.mark.parametrize("case", GOLDEN)
def test_pfsense_would_take_it(case: Case) -> None:
    assert problems(expected(case)["config.xml"].decode()) == []


@pytest.mark.parametrize("dialect", platforms()["pfsense"]["dialects"], ids=lambda dialect: dialect["name"])
def test_a_dialect_writes_the_lowest_of_its_revisions(dialect: dict[str, Any]) -> None:
    case = next(case for case, _lab in cases("pfsense") if case.dialect == dialect["name"])
    assert ET.fromstring(expected(case)["config.xml"]).findtext("version") == dialect["revisions"][0]
    for revision in dialect["revisions"]:
        assert find_dialect(platforms()["pfsense"], f"config-{revision}") == dialect


@pytest.mark.parametrize("version", ["2", "2.3.5", "2.4", "2.4.6", "2.7", "2.7.3", "2.9", "23.09", "config-24.5", "config-19", "config-23.31", "", None])
def test_a_version_that_nobody_knows(version: str | None) -> None:
    assert find_dialect(platforms()["pfsense"], version) is None


@settings(max_examples=300, deadline=None)
@given(text=TEXTS)
def test_texts_arrive_or_are_refused(text: str) -> None:
    for quote, read in ((pfsense_cdata, as_pfsense_reads), (xml, lambda content: ET.fromstring(f"<a>{content}</a>").text or "")):
        try:
            content = quote(text)
        except QuoteError:
            assert re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]", text) or text != text.strip()
        else:
            assert read(content) == text


@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_a_text_never_becomes_an_element(text: str) -> None:
    lab = copy.deepcopy(load(lab_files("pfsense")["rules"], "pfsense", "2.6"))
    calm = ET.fromstring(rendered(lab))
    lab["common"]["system"]["snmp"]["location"] = text
    lab["common"]["firewall"]["rule_sets"][0]["rules"][0]["description"] = text
    try:
        root = ET.fromstring(rendered(lab))
    except RenderError as error:
        assert "dut: config (config.xml): " in str(error)
        return
    assert [node.tag for node in root.iter()] == [node.tag for node in calm.iter()]
    assert html.unescape(root.findtext("snmpd/syslocation") or "") == text
    assert f"routerlab: LAN-IN 5: {text}" in [html.unescape(node.text or "") for node in root.iterfind("filter/rule/descr")]


@pytest.mark.parametrize("quote, text", [(bsnmpd, 'a"b'), (bsnmpd, "$(read)"), (bsnmpd, "a\\"), (pf_label, "a\\"), (pfsense_macro, "a b"), (pfsense_macro, "")])
def test_what_pfsense_would_put_into_another_language_unquoted_is_refused(quote: Any, text: str) -> None:
    with pytest.raises(QuoteError):
        quote(text)


def seed(number: str) -> dict[str, Any]:
    return yaml.safe_load((ROOT / f"inventories/seed_{number}/group_vars/all/lab.yml").read_text(encoding="utf-8"))["lab"]


def test_write_up_000_pf_off_nat_off_offloads_off() -> None:
    text = rendered(seed("000"), "routing", "pfsense")
    root = ET.fromstring(text)
    assert problems(text) == []
    assert root.findtext("version") == "18.9"
    assert root.findtext("system/disablefilter") == "enabled"
    assert root.findtext("nat/outbound/mode") == "disabled"
    assert all(root.find(f"system/disable{name}offloading") is not None for name in ("checksum", "segmentation", "largereceive"))
    assert [node.findtext("vlanif") for node in root.iterfind("vlans/vlan")] == ["vtnet0.500", "vtnet0.2222", "vtnet0.2223"]
    assert [(node.tag, node.findtext("if")) for node in root.iterfind("interfaces/*")] == [
        ("wan", "vtnet0.500"),
        ("lan", "vtnet0.2222"),
        ("opt1", "vtnet0.2223"),
    ]
    assert root.findtext("installedpackages/frrospfd/config/redistributeconnectedsubnets_metrictype") == "2"
    assert [node.text for node in root.iterfind("installedpackages/frrospfdinterfaces/config/interface")] == ["wan"]


def test_write_up_001_wan_by_dhcp_nat_offloads_off_and_on() -> None:
    lab = seed("001")
    files = {name: ET.fromstring(rendered(lab, name, "pfsense")) for name in ("regular", "offload_off", "offload_on")}
    flags = {name: [node.tag for node in root.iterfind("system/*") if node.tag.endswith("offloading")] for name, root in files.items()}
    assert flags == {
        "regular": ["disablesegmentationoffloading", "disablelargereceiveoffloading"],
        "offload_off": ["disablechecksumoffloading", "disablesegmentationoffloading", "disablelargereceiveoffloading"],
        "offload_on": [],
    }
    root = files["regular"]
    assert problems(rendered(lab, "regular", "pfsense")) == []
    assert (root.findtext("interfaces/wan/ipaddr"), root.findtext("interfaces/wan/if")) == ("dhcp", "ix0")
    assert root.findtext("nat/outbound/mode") == "advanced"
    assert root.findtext("nat/outbound/rule/source/network") == "10.0.0.0/8"
    wan = [
        (node.findtext("type"), node.findtext("protocol"), node.findtext("destination/port"))
        for node in root.iterfind("filter/rule")
        if node.findtext("interface") == "wan"
    ]
    assert wan == [("pass", "icmp", None), ("pass", "tcp", "22"), ("block", None, None), ("block", None, None)]
    assert {node.text for node in root.iterfind("dhcpd/*/defaultleasetime")} == {"1200"}


@pytest.mark.parametrize(
    ("dialect", "native", "state", "there"),
    [
        ("2.6", "vtnet0", "default", True),
        ("2.6", "vmx0", "default", True),
        ("2.6", "vmx0", "enabled", False),
        ("2.6", "ix0", "default", False),
        ("2.6", "ix0", "disabled", True),
        ("2.6", "ix0", "enabled", False),
        ("2.4.5", "vtnet0", "default", True),
        ("2.4.5", "vtnet0", "enabled", False),
    ],
)
def test_checksum_offload_of_virtual_and_real_cards(dialect: str, native: str, state: str, there: bool) -> None:
    lab = copy.deepcopy(load(lab_files("pfsense")["trunk"], "pfsense", dialect))
    lab["common"]["ports"][0]["native"] = native
    lab["common"]["offload"] = {"checksum": state}
    assert (ET.fromstring(rendered(lab)).find("system/disablechecksumoffloading") is not None) is there


BROKEN = [
    ("<if>vtnet1.20</if>\n\t\t\t<descr>LAN</descr>", "<if>vtnet1.21</if>\n\t\t\t<descr>LAN</descr>", "no such VLAN"),
    ("<tag>20</tag>", "<tag>4095</tag>", "tag 4095"),
    ("<vlanif>vtnet1.20</vlanif>", "<vlanif>vtnet1_vlan20</vlanif>", "vtnet1_vlan20"),
    ("<enable></enable>\n\t\t\t<if>", "<enable>0</enable>\n\t\t\t<if>", "a flag holds '0'"),
    ("<hostname>dut</hostname>", "<hostname>dut</hostname><hostname>two</hostname>", "cannot occur more than once"),
    ("<frrospfd>", "<frrospf>", "not XML"),
    ("frrospfd>", "frrospf>", "unknown element <frrospf>"),
    ("<defaultgw4>GW_192_0_2_1<", "<defaultgw4>WANGW<", "default 'WANGW'"),
    ("<gateway>GW_10_20_0_9</gateway>", "<gateway>GW</gateway>", "no gateway GW"),
    ("<gateway>10.20.0.9</gateway>", "<gateway>10.21.0.9</gateway>", "not behind lan"),
    ("<to>10.20.0.200</to>", "<to>10.21.0.200</to>", "is not in 10.20.0.0/24"),
    ("<network>10.9.0.0/16</network>", "<network>0.0.0.0/0</network>", "a default route"),
    ("<type>pass</type>\n\t\t\t<interface>wan<", "<type>allow</type>\n\t\t\t<interface>wan<", "type allow"),
    ("<interface>opt2</interface>", "<interface>opt3</interface>", "on opt3"),
    ("<mode>disabled</mode>", "<mode>off</mode>", "mode off"),
    ("<mode>disabled</mode>", "<mode>advanced</mode>", "mode advanced with 0 rules"),
    ("<maximumstates>", "<disablefilter>enabled</disablefilter><maximumstates>", None),
    ("<networktype>broadcast<", "<networktype>ptp<", "network type ptp"),
    ("<version>18.9<", "<version>17.0<", "revision (17, 0)"),
    ("<descr>SERVERS_1</descr>", "<descr>SERVERS-1</descr>", "no macro of pf"),
    ("<descr>SERVERS_1</descr>", "<descr>lan</descr>", "one name twice"),
    ("<dnsserver>10.20.0.1</dnsserver>", "<dnsserver></dnsserver>", "holds nothing"),
]


@pytest.mark.parametrize(("old", "new", "words"), BROKEN)
def test_the_check_sees_what_is_broken(old: str, new: str, words: str | None) -> None:
    case = Case("pfsense", "routing", "2.4.5", None, "dut")
    text = expected(case)["config.xml"].decode()
    assert old in text
    found = problems(text.replace(old, new))
    assert any(words in line for line in found) if words else found == []
