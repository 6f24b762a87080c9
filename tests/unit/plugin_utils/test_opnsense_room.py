# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of room opnsense pass a check that does not know the templates; texts arrive; the write-up's router comes out as described."""

from __future__ import annotations

import base64
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
from opnsense_check import MODELS, RELEASES, UUID, known, problems

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import require_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_opnsense import (
    OURS,
    opnsense_identity,
    opnsense_name,
    opnsense_peer,
    opnsense_peer_old,
    opnsense_pem,
    opnsense_refid,
    opnsense_secret,
    opnsense_text,
    opnsense_uuid,
    opnsense_vlan,
    opnsense_word,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = [pytest.param(case, id=case.name) for case, _lab in cases("opnsense")]
NASTY = list("'\"#$&<>;|\\`%=,: \t\n\r\x00\x7f\x85\u2028éßж字\ufffe") + ["]]>", "<![CDATA[", "&amp;", "&#39;", "&lt", "</descr>", "<!--", "<?x", "a"]
TEXTS = st.one_of(
    st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40), st.text("ab&", min_size=250, max_size=260)
)


def rendered(lab: dict[str, Any], profile: str | None = None, router: str | None = None) -> str:
    (artifact,) = render_lab(lab, router or lab["routers"][0]["name"], profile, platforms())
    return artifact.text


@pytest.mark.parametrize("case", GOLDEN)
def test_opnsense_would_take_it(case: Case) -> None:
    assert problems(expected(case)["config.xml"].decode(), case.dialect) == []


def test_the_check_knows_every_dialect() -> None:
    assert sorted(dialect["name"] for dialect in platforms()["opnsense"]["dialects"]) == sorted(RELEASES)
    assert all(known(release) for release in RELEASES)
    assert {path for path in MODELS if "/" in path} >= {path for dialect in platforms()["opnsense"]["dialects"] for path in dialect["models"] if "/" in path}


@pytest.mark.parametrize(
    ("version", "dialect"),
    [
        ("19.7", "19.7"),
        ("22.1.10", "20.1"),
        ("22.7.11", "22.7"),
        ("23.7.12", "23.1"),
        ("25.1", "24.7"),
        ("25.1.3", "24.7"),
        ("25.1.4", "25.1"),
        ("25.1.12", "25.1"),
    ]
    + [("25.7", "25.7"), ("26.1.11", "26.1"), ("26.7.2", "26.7")],
)
def test_a_release_has_its_dialect(version: str, dialect: str) -> None:
    found = find_dialect(platforms()["opnsense"], version)
    assert found and found["name"] == dialect


@pytest.mark.parametrize("version", ["19", "19.1", "20.2", "25.1.13", "25.10", "27.1", "26.70", "2.6", "", None])
def test_a_version_that_nobody_knows(version: str | None) -> None:
    assert find_dialect(platforms()["opnsense"], version) is None


@settings(max_examples=300, deadline=None)
@given(text=TEXTS)
def test_texts_arrive_or_are_refused(text: str) -> None:
    for quote, most in ((opnsense_text, 255), (opnsense_secret, 10**6)):
        try:
            content = quote(text)
        except QuoteError:
            bad = re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]", text)
            assert bad or text != text.strip() or len(text) > most or html.unescape(text) != text
        else:
            read = ET.fromstring(f"<a>{content}</a>").text or ""
            assert read == text == html.unescape(read)


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, dialect=st.sampled_from(["26.7", "24.7", "19.7"]))
def test_a_text_never_becomes_an_element(text: str, dialect: str) -> None:
    lab = copy.deepcopy(load(lab_files("opnsense")["rules"], "opnsense", dialect))
    calm = ET.fromstring(rendered(lab))
    lab["common"]["system"]["snmp"]["location"] = text
    lab["common"]["firewall"]["rule_sets"][0]["rules"][0]["description"] = text
    try:
        root = ET.fromstring(rendered(lab))
    except RenderError as error:
        assert "dut: config (config.xml): " in str(error)
        return
    assert [node.tag for node in root.iter()] == [node.tag for node in calm.iter()]
    assert root.findtext("OPNsense/netsnmp/general/syslocation") == text
    rules = [node.text for path in ("filter/rule/descr", "OPNsense/Firewall/Filter/rules/rule/description") for node in root.iterfind(path)]
    assert f"routerlab: LAN-IN 5: {text}" in rules


@settings(max_examples=60, deadline=None)
@given(secret=TEXTS, dialect=st.sampled_from(["26.7", "22.7"]))
def test_a_secret_arrives_or_is_refused_without_being_shown(secret: str, dialect: str) -> None:
    lab = copy.deepcopy(load(lab_files("opnsense")["tunnels"], "opnsense", dialect))
    (profile,) = (item for item in lab["profiles"] if item["name"] == "ipsec")
    profile["changes"]["tunnels"]["ipsec"][0]["secret"] = secret
    try:
        root = ET.fromstring(rendered(lab, "ipsec"))
    except RenderError as error:
        assert len(secret) < 12 or secret not in str(error)
        return
    assert (root.findtext("ipsec/phase1/pre-shared-key") or root.findtext("OPNsense/IPsec/preSharedKeys/preSharedKey/Key")) == secret


@pytest.mark.parametrize(
    ("quote", "text"),
    [(opnsense_name, "a b"), (opnsense_name, ""), (opnsense_peer, "a b"), (opnsense_peer, "x" * 65), (opnsense_peer_old, "a-b"), (opnsense_identity, 'a"b')]
    + [(opnsense_vlan, "vtnet0.20"), (opnsense_vlan, "vlan01234567890123"), (opnsense_word, "a b"), (opnsense_word, "a#b"), (opnsense_pem, "no PEM")],
)
def test_what_a_field_does_not_take_is_refused(quote: Any, text: str) -> None:
    with pytest.raises(QuoteError):
        quote(text)


def test_names_of_our_own() -> None:
    assert re.fullmatch(UUID, opnsense_uuid("a")) and opnsense_uuid("a") == opnsense_uuid("a") != opnsense_uuid("b")
    assert opnsense_uuid("a").startswith(OURS) and re.fullmatch(r"[0-9a-f]{13}", opnsense_refid("a"))
    assert opnsense_refid("a").startswith(OURS)


def test_certificates_are_pem_in_base64() -> None:
    root = ET.fromstring(expected(Case("opnsense", "tunnels", "26.7", "openvpn", "dut"))["config.xml"])
    for path, kind in (("ca/crt", "CERTIFICATE"), ("cert/crt", "CERTIFICATE"), ("cert/prv", "PRIVATE KEY")):
        text = base64.b64decode(root.findtext(path) or "", validate=True).decode()
        assert text.startswith(f"-----BEGIN {kind}-----\n") and text.endswith(f"-----END {kind}-----\n")


def test_write_up_000_pf_off_nat_off_offloads_off() -> None:
    lab = yaml.safe_load((ROOT / "inventories/seed_000/group_vars/all/lab.yml").read_text(encoding="utf-8"))["lab"]
    require_lab({**lab, "routers": [item for item in lab["routers"] if item["name"] in ("opnsense", "upstream")]}, platforms())
    text = rendered(lab, "routing", "opnsense")
    root = ET.fromstring(text)
    assert problems(text, "19.7") == []
    assert root.findtext("system/disablefilter") == "enabled"
    assert root.findtext("nat/outbound/mode") == "disabled"
    assert [root.findtext(f"system/disable{name}offloading") for name in ("checksum", "segmentation", "largereceive")] == ["1"] * 3
    assert [node.findtext("vlanif") for node in root.iterfind("vlans/vlan")] == ["vtnet0_vlan500", "vtnet0_vlan2222", "vtnet0_vlan2223"]
    assert [(node.tag, node.findtext("ipaddr"), node.findtext("subnet")) for node in root.iterfind("interfaces/*")] == [
        ("wan", "10.253.253.2", "30"),
        ("lan", "10.222.222.1", "24"),
        ("opt1", "10.223.223.1", "24"),
    ]
    ospf = root.find("OPNsense/quagga/ospf")
    assert ospf is not None
    assert [(node.findtext("ipaddr"), node.findtext("netmask"), node.findtext("area")) for node in ospf.iterfind("networks/network")] == [
        ("10.253.253.0", "30", "0.0.0.0")
    ]
    assert (ospf.findtext("redistribute"), ospf.findtext("redistributemap"), ospf.findtext("routerid")) == ("connected", None, "10.253.253.2")
    assert [(node.tag, node.findtext("range/from"), node.findtext("range/to")) for node in root.iterfind("dhcpd/*")] == [
        ("lan", "10.222.222.10", "10.222.222.200"),
        ("opt1", "10.223.223.10", "10.223.223.200"),
    ]


BROKEN = [
    ("26.7", "<if>vlan0.20</if>", "<if>vlan0.21</if>", "there is no such device"),
    ("26.7", "<tag>20</tag>", "<tag>4095</tag>", "tag 4095"),
    ("22.7", "<vlanif>vlan0.20</vlanif>", "<vlanif>vtnet1.20</vlanif>", "'vtnet1.20' does not fit"),
    ("19.7", "<vlanif>vtnet1_vlan20</vlanif>", "<vlanif>vlan0.20</vlanif>", "vlan vlan0.20"),
    ("26.7", "<hostname>dut</hostname>", "<hostname>dut</hostname><hostname>two</hostname>", "cannot occur more than once"),
    ("26.7", "<enabled>1</enabled>\n        <routerid>", "<enabled>yes</enabled>\n        <routerid>", "'yes' does not fit"),
    ("26.7", "<redistributions>", "<redistribute>connected</redistribute><redistributions>", "unknown element <redistribute>"),
    ("24.7", "<redistribute>connected,kernel</redistribute>", "<redistributions/>", "unknown element <redistributions>"),
    ("25.7", "<Interfaces>", "<Interfaces><settings/>", "unknown element <settings>"),
    ("26.7", "<maximumstates>", "<disablechecksumoffloading>1</disablechecksumoffloading><maximumstates>", "unknown element <disablechecksumoffloading>"),
    ("23.1", '<ospf version="1.0.3">', '<ospf version="1.1.0">', "version 1.1.0 is newer"),
    ("26.7", '<ospf version="1.1.0">', '<ospf version="1.2.0">', "version 1.2.0 is newer"),
    ("26.7", "<gateway>GW_10_20_0_9</gateway>", "<gateway>GW</gateway>", "no gateway GW"),
    ("26.7", "<gateway>10.20.0.9</gateway>", "<gateway>10.21.0.9</gateway>", "10.21.0.9 is not in"),
    ("26.7", "<end_addr>10.20.0.200</end_addr>", "<end_addr>10.21.0.200</end_addr>", "10.21.0.200 is not in"),
    ("26.7", "<network>10.9.0.0/16</network>", "<network>0.0.0.0/0</network>", "a default route"),
    ("26.7", "</route>", "<disabled>0</disabled></route>", "unknown element <disabled>"),
    ("26.7", "<action>pass</action>", "<action>allow</action>", "'allow' does not fit"),
    ("26.7", "<interface>opt2</interface>", "<interface>opt3</interface>", "no interface opt3"),
    ("26.7", "<mode>disabled</mode>", "<mode>advanced</mode>", "mode advanced with 0 rules"),
    ("26.7", "<deviceId>1</deviceId>", "<deviceId>2</deviceId>", "interface on lo1"),
    ("26.7", "726c6162-4c6e", "726c6162-4c6f", "linkedRoutemap: no routemap"),
    ("26.7", "726c6162-", "726c-", "uuid 726c-"),
    ("26.7", "  <unbound>", "  <dhcpd><lan/></dhcpd>\n  <unbound>", "more than one DHCP server"),
    ("26.7", "<dnsmasq ", "<dnsmask ", "not XML"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "old", "new", "words"), BROKEN)
def test_the_check_sees_what_is_broken(dialect: str, old: str, new: str, words: str) -> None:
    case = Case("opnsense", "routing", dialect, None, "dut")
    text = expected(case)["config.xml"].decode()
    assert old in text
    found = problems(text.replace(old, new, 1), dialect)
    assert any(words in line for line in found)
