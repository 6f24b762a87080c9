# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's part goes into OPNsense's config.xml, and nothing else changes; what OPNsense adds when it saves a model is no change, either."""

from __future__ import annotations

import difflib
import re
import xml.etree.ElementTree as ET

import pytest
from golden_cases import Case, cases, expected
from hypothesis import given, settings
from hypothesis import strategies as st
from opnsense_check import problems

from ansible_collections.routerlab.bench.plugins.plugin_utils._config_merge import MergeError
from ansible_collections.routerlab.bench.plugins.plugin_utils._opnsense_merge import merge
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._xml_splice import meaning, read

DIALECTS = {dialect["name"]: dialect["models"] for dialect in platforms()["opnsense"]["dialects"]}
RENDERED = {case: expected(case)["config.xml"] for case, _lab in cases("opnsense") if case.dialect in ("26.7", "24.7", "19.7")}
NEW, OLD = DIALECTS["26.7"], DIALECTS["19.7"]
TRUNK = RENDERED[Case("opnsense", "trunk", "26.7", None, "dut")]
ROUTING = RENDERED[Case("opnsense", "routing", "26.7", None, "dut")]
TUNNELS = RENDERED[Case("opnsense", "tunnels", "26.7", "wireguard", "dut")]

# A router that was configured by hand; the shape is that of files which OPNsense itself writes, the content was made for this test.
BY_HAND = b"""<?xml version="1.0"?>
<opnsense>
  <theme>opnsense</theme>
  <system>
    <optimization>normal</optimization>
    <hostname>old</hostname>
    <domain>internal</domain>
    <user uuid="11111111-1111-4111-8111-111111111111">
      <name>root</name>
      <password>$2y$10$abcdefghijklmnopqrstuv</password>
    </user>
    <ssh>
      <group>admins</group>
      <kex/>
    </ssh>
    <firmware version="1.0.1">
      <plugins>os-theme-rebellion,os-frr</plugins>
    </firmware>
  </system>
  <interfaces>
    <wan>
      <enable>1</enable>
      <if>vlan0.500</if>
      <ipaddr>dhcp</ipaddr>
      <ipaddrv6>dhcp6</ipaddrv6>
      <blockpriv>1</blockpriv>
      <blockbogons>1</blockbogons>
      <spoofmac>02:00:00:00:00:01</spoofmac>
    </wan>
    <opt9>
      <enable>1</enable>
      <if>vtnet9</if>
      <descr>MANAGEMENT</descr>
    </opt9>
  </interfaces>
  <vlans version="1.0.0">
    <vlan uuid="22222222-2222-4222-8222-222222222222">
      <if>vtnet7</if>
      <tag>7</tag>
      <pcp>0</pcp>
      <proto/>
      <descr/>
      <vlanif>vlan01</vlanif>
    </vlan>
  </vlans>
  <dnsmasq version="1.0.9">
    <enable>1</enable>
    <port>53053</port>
    <interface>lan,opt9</interface>
    <dhcp>
      <no_interface/>
      <fqdn>1</fqdn>
      <enable_ra>1</enable_ra>
    </dhcp>
    <dhcp_ranges uuid="33333333-3333-4333-8333-333333333333">
      <interface>lan</interface>
      <start_addr>192.168.1.100</start_addr>
      <end_addr>192.168.1.199</end_addr>
    </dhcp_ranges>
    <dhcp_ranges uuid="44444444-4444-4444-8444-444444444444">
      <interface>lan</interface>
      <start_addr>::1000</start_addr>
      <end_addr>::2000</end_addr>
    </dhcp_ranges>
  </dnsmasq>
  <unbound>
    <enable>1</enable>
  </unbound>
  <nat>
    <outbound>
      <mode>automatic</mode>
    </outbound>
  </nat>
  <filter>
    <rule uuid="55555555-5555-4555-8555-555555555555">
      <interface>lan</interface>
      <descr>old rule of lan</descr>
    </rule>
    <rule>
      <interface>opt9</interface>
      <descr><![CDATA[keep <me> ]] >]]></descr>
    </rule>
  </filter>
  <!-- a comment > with <signs> -->
  <cert uuid="66666666-6666-4666-8666-666666666666">
    <refid>5d5f1c2a00000</refid>
  </cert>
  <OPNsense>
    <Firewall>
      <Filter version="1.0.5">
        <rules>
          <rule uuid="77777777-7777-4777-8777-777777777777">
            <interface>lan</interface>
            <description>Default allow LAN to any rule</description>
          </rule>
          <rule uuid="88888888-8888-4888-8888-888888888888">
            <interface>opt9</interface>
            <description>management</description>
          </rule>
          <rule uuid="99999999-9999-4999-8999-999999999999">
            <interface>wan,opt9</interface>
            <description>floating</description>
          </rule>
        </rules>
        <snatrules/>
      </Filter>
    </Firewall>
    <quagga>
      <bgp version="1.1.2">
        <enabled>1</enabled>
        <asnumber>65551</asnumber>
      </bgp>
    </quagga>
    <wireguard>
      <server version="1.0.1">
        <servers>
          <server uuid="aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa">
            <name>mine</name>
            <instance>5</instance>
          </server>
        </servers>
      </server>
    </wireguard>
  </OPNsense>
</opnsense>
"""


def test_only_the_lab_s_part_changes() -> None:
    merged = merge(BY_HAND, TRUNK, NEW)
    found = list(difflib.ndiff(BY_HAND.decode().splitlines(), merged.decode().splitlines()))
    went = [line[2:].strip() for line in found if line.startswith("- ")]
    for kept in (
        b"$2y$10$abcdefghijklmnopqrstuv",
        b"      <kex/>\n",
        b"<ipaddrv6>dhcp6</ipaddrv6>",
        b"<spoofmac>02:00:00:00:00:01</spoofmac>",
        b"<descr>MANAGEMENT</descr>",
        b"<vlanif>vlan01</vlanif>",
        b"<port>53053</port>",
        b"<enable_ra>1</enable_ra>",
        b"<start_addr>::1000</start_addr>",
        b"<![CDATA[keep <me> ]] >]]>",
        b"  <!-- a comment > with <signs> -->\n",
        b"<refid>5d5f1c2a00000</refid>",
        b"<description>management</description>",
        b"<description>floating</description>",
        b"<asnumber>65551</asnumber>",
        b"<name>mine</name>",
    ):
        assert kept in merged
    for gone in ("<hostname>old</hostname>", "<ipaddr>dhcp</ipaddr>", "<blockpriv>1</blockpriv>", "<descr>old rule of lan</descr>"):
        assert gone in went
    root = ET.fromstring(merged)
    assert root.findtext("system/firmware/plugins") == "os-theme-rebellion,os-frr"
    assert root.findtext("dnsmasq/interface") == "lan,opt9,opt1"
    assert [node.text for node in root.iterfind("dnsmasq/dhcp_ranges/start_addr")] == ["10.222.222.10", "10.223.223.10", "::1000"]
    assert root.findtext("nat/outbound/mode") == "disabled"
    assert [node.text for node in root.iterfind("filter/rule/interface")] == ["opt9"]
    assert [node.text for node in root.iterfind("vlans/vlan/vlanif")] == ["vlan01", "vlan0.500", "vlan0.2222", "vlan0.2223"]


@pytest.mark.parametrize("case", RENDERED, ids=lambda case: case.name)
def test_the_second_merge_changes_nothing(case: Case) -> None:
    new, models = RENDERED[case], DIALECTS[case.dialect]
    assert merge(new, new, models) == new
    other = RENDERED[Case("opnsense", "rules", case.dialect, "listed", "dut")]
    after = merge(other, new, models)
    assert merge(after, new, models) == after
    if case.dialect == "26.7":
        once = merge(BY_HAND, new, models)
        assert merge(once, new, models) == once


def as_opnsense_saves(data: bytes) -> bytes:
    """The same after OPNsense has saved its models: every field is there, empty ones in short form, and items have uuids of its own."""
    root = ET.fromstring(data)
    for node in [*root.iterfind("vlans/vlan"), *root.iterfind(".//Filter/rules/rule"), *root.iterfind("dnsmasq/dhcp_ranges")]:
        node.set("uuid", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
        for tag, text in (("nosync", "0"), ("tagged", ""), ("sched", ""), ("proto", "")):
            ET.SubElement(node, tag).text = text
    for node in root.iterfind("OPNsense/quagga/ospf"):
        ET.SubElement(node, "costreference")
        ET.SubElement(ET.SubElement(node, "neighbors"), "neighbor")
    for node in root.iterfind("OPNsense/wireguard/server/servers/server"):
        ET.SubElement(node, "pubkey").text = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg="
    return b'<?xml version="1.0"?>\n' + ET.tostring(root, short_empty_elements=True)


@pytest.mark.parametrize("new", [TRUNK, ROUTING, TUNNELS], ids=["trunk", "routing", "tunnels"])
def test_what_opnsense_adds_is_no_change(new: bytes) -> None:
    saved = as_opnsense_saves(new)
    assert merge(saved, new, NEW) == saved


def test_another_value_is_a_change() -> None:
    for old, other in ((b"<action>pass", b"<action>block"), (b"<lease_time>600", b"<lease_time>601"), (b"<area>0.0.0.0", b"<area>0.0.0.1")):
        changed = TRUNK.replace(old, other)
        assert changed != TRUNK
        assert merge(changed, TRUNK, NEW) == TRUNK
    off = ROUTING.replace(b"</descr>\n    </route>", b"</descr>\n      <enabled>0</enabled>\n    </route>")
    assert off != ROUTING
    assert merge(off, ROUTING, NEW) == ROUTING
    assert merge(off.replace(b"<enabled>0</enabled>\n    </route>", b"<enabled>1</enabled>\n    </route>"), ROUTING, NEW) != ROUTING
    stricter = TRUNK.replace(b"<log>0</log>", b"<log>0</log>\n            <tagged>mine</tagged>")
    assert merge(stricter, TRUNK, NEW) == TRUNK


def test_what_the_lab_no_longer_says_goes() -> None:
    full = merge(BY_HAND, ROUTING, NEW)
    bare = ET.fromstring(merge(full, TRUNK, NEW, retired=["opt2", "opt689", "opt1049"]))
    assert bare.findall("staticroutes/route") == bare.findall("OPNsense/Gateways/gateway_item") == bare.findall("OPNsense/Interfaces/loopbacks/loopback") == []
    assert {node.tag for node in bare.iterfind("interfaces/*")} == {"wan", "lan", "opt1", "opt9"}
    assert [node.text for node in bare.iterfind("vlans/vlan/if")].count("vtnet1") == 1
    assert bare.find("system/maximumstates") is None
    tunnels = merge(BY_HAND, TUNNELS, NEW)
    without = ET.fromstring(merge(tunnels, RENDERED[Case("opnsense", "rules", "26.7", None, "dut")], NEW))
    assert [node.text for node in without.iterfind(".//servers/server/name")] == ["mine"]
    assert without.findall("OPNsense/TrafficShaper/pipes/pipe") == []
    assert "wireguard" not in [node.text for node in without.iterfind(".//rule/interface")]


def test_the_merged_file_of_a_fresh_one_is_taken() -> None:
    fresh = b"<?xml version='1.0'?>\n<opnsense>\n  <system>\n  </system>\n  <interfaces>\n  </interfaces>\n</opnsense>\n"
    for case, new in RENDERED.items():
        merged = merge(fresh, new, DIALECTS[case.dialect]).decode()
        found = [line for line in problems(merged, case.dialect) if "lacks" not in line]
        assert found == [], case.name


LEAVES = st.sampled_from(["", "a", "<![CDATA[<b>&]]>", "&lt;", " ", "\n", "<!-- <x> -->", "é"])
TAGS = st.sampled_from(["vlans", "nat", "outbound", "filter", "rule", "OPNsense", "quagga", "general", "Firewall", "Filter", "rules", "dnsmasq", "x"])


@st.composite
def elements(draw: st.DrawFn, depth: int = 4) -> str:
    tag = draw(TAGS)
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([f"<{tag}/>", f"<{tag} />", f"<{tag} a='>'></{tag}>", f"<{tag}>{draw(LEAVES)}</{tag}>"]))
    inside = draw(st.lists(elements(depth - 1), max_size=3))
    gap = draw(st.sampled_from(["", "\n", "\n\t\t", "\r\n  "]))
    return f"<{tag}>{gap}{gap.join(inside)}{gap}</{tag}>"


@settings(max_examples=60, deadline=None)
@given(parts=st.lists(elements(), max_size=5), rendered=st.sampled_from([TRUNK, ROUTING, TUNNELS]))
def test_whatever_the_file_holds(parts: list[str], rendered: bytes) -> None:
    """Well-formed before and after, the lab's part there, the rest in the same order, and nothing to do the second time."""
    kept = [part for part in parts if not part.startswith("<vlans")]
    existing = f"<opnsense>\n<system/>{''.join(kept)}<interfaces></interfaces></opnsense>".encode()
    merged = merge(existing, rendered, NEW)
    assert merge(merged, rendered, NEW) == merged
    assert [meaning(node) for node in read(merged).all("x")] == [meaning(node) for node in read(existing).all("x")]
    for path in ("interfaces/wan/if", "system/hostname", "nat/outbound/mode"):
        assert ET.fromstring(merged).findtext(path) == ET.fromstring(rendered).findtext(path)


@pytest.mark.parametrize(
    ("existing", "words"),
    [
        (b"<opnsense>", "not well-formed"),
        (b"<pfsense><system/><interfaces/></pfsense>", "its root is <pfsense>"),
        (BY_HAND.replace(b"interfaces>", b"faces>"), "has 0 elements <interfaces>"),
        (BY_HAND.replace(b'<vlans version="1.0.0">', b"<vlans>"), "vlans has no version there, and version 1.* in the rendered form"),
        (BY_HAND.replace(b"<quagga>", b'<quagga><ospf version="1.0.5"/>'), "OPNsense/quagga/ospf has 1.0.5 there, and version 1.1.*"),
        (BY_HAND.replace(b"<if>vtnet7</if>\n      <tag>7<", b"<if>vtnet0</if>\n      <tag>500<"), "the router has VLAN 500 on vtnet0 as vlan01"),
        (BY_HAND.replace(b"<if>vtnet9</if>", b"<if>vlan0.2222</if>"), "vlan0.2222 is opt9 on the router and lan in the lab"),
        (
            BY_HAND.replace(b"<quagga>", b"<Kea><dhcp4><general><enabled>1</enabled><interfaces>lan</interfaces></general></dhcp4></Kea><quagga>"),
            "Kea serves lan on the router",
        ),
        (BY_HAND.replace(b"<quagga>", b"<quagga><general><manual_config>1</manual_config></general>"), "manual_config"),
    ],
)
def test_what_cannot_be_merged_says_why(existing: bytes, words: str) -> None:
    with pytest.raises(MergeError, match=re.escape(words)):
        merge(existing, TRUNK, NEW)


def test_numbers_that_others_have() -> None:
    taken = BY_HAND.replace(b"<instance>5</instance>", b"<instance>1</instance>")
    with pytest.raises(MergeError, match="another one with instance 1"):
        merge(taken, TUNNELS, NEW)


def test_a_file_of_a_newer_release_does_not_take_the_old_form() -> None:
    with pytest.raises(MergeError, match="vlans has 1.0.0 there, and no version in the rendered form"):
        merge(BY_HAND, RENDERED[Case("opnsense", "trunk", "19.7", None, "dut")], OLD)
