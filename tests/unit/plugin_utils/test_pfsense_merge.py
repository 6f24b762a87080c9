# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's part goes into a config.xml, and nothing else changes: no byte of what is not owned, and nothing at all the second time."""

from __future__ import annotations

import difflib
import re
import xml.etree.ElementTree as ET

import pytest
from golden_cases import Case, cases, expected
from hypothesis import given, settings
from hypothesis import strategies as st
from pfsense_check import LISTS

from ansible_collections.routerlab.bench.plugins.plugin_utils._pfsense_merge import MergeError, merge
from ansible_collections.routerlab.bench.plugins.plugin_utils._xml_splice import meaning, read

REVISION = ["22.2"]
RENDERED = {case: expected(case)["config.xml"] for case, _lab in cases("pfsense") if case.dialect == "2.6"}
TRUNK = RENDERED[Case("pfsense", "trunk", "2.6", None, "dut")]
ROUTING = RENDERED[Case("pfsense", "routing", "2.6", None, "dut")]
RULES = RENDERED[Case("pfsense", "rules", "2.6", "hybrid", "dut")]

# A router that was configured by hand; the shape is that of files which pfSense itself writes, the content was made for this test.
BY_HAND = b"""<?xml version="1.0"?>
<pfsense>
\t<version>22.2</version>
\t<lastchange></lastchange>
\t<system>
\t\t<optimization>normal</optimization>
\t\t<hostname>old</hostname>
\t\t<domain>home.arpa</domain>
\t\t<dnsserver></dnsserver>
\t\t<user>
\t\t\t<name>admin</name>
\t\t\t<descr><![CDATA[System & Administrator]]></descr>
\t\t\t<bcrypt-hash>$2b$10$abcdefghijklmnopqrstuv</bcrypt-hash>
\t\t</user>
\t\t<ssh>
\t\t\t<enable>enabled</enable>
\t\t\t<sshdkeyonly>enabled</sshdkeyonly>
\t\t</ssh>
\t\t<disablechecksumoffloading/>
\t</system>
\t<interfaces>
\t\t<wan>
\t\t\t<enable></enable>
\t\t\t<if>vtnet0.500</if>
\t\t\t<blockpriv></blockpriv>
\t\t\t<spoofmac>02:00:00:00:00:01</spoofmac>
\t\t\t<ipaddr>dhcp</ipaddr>
\t\t</wan>
\t\t<opt9>
\t\t\t<enable></enable>
\t\t\t<if>vtnet9</if>
\t\t\t<descr><![CDATA[MANAGEMENT]]></descr>
\t\t\t<ipaddr>192.168.9.1</ipaddr>
\t\t\t<subnet>24</subnet>
\t\t</opt9>
\t</interfaces>
\t<staticroutes></staticroutes>
\t<dhcpd>
\t\t<opt9>
\t\t\t<enable/>
\t\t</opt9>
\t</dhcpd>
\t<filter>
\t\t<rule>
\t\t\t<tracker>1600000001</tracker>
\t\t\t<interface>opt9</interface>
\t\t\t<descr><![CDATA[keep <me> ]] >]]></descr>
\t\t</rule>
\t\t<rule>
\t\t\t<tracker>1600000002</tracker>
\t\t\t<interface>wan</interface>
\t\t</rule>
\t\t<rule>
\t\t\t<floating>yes</floating>
\t\t\t<interface>wan</interface>
\t\t</rule>
\t\t<separator>
\t\t\t<wan></wan>
\t\t</separator>
\t</filter>
\t<!-- a comment > with <signs> -->
\t<unknown attribute="a > b"><deep>  <![CDATA[ raw \\ ]]>\t</deep></unknown>
\t<vlans></vlans>
\t<cert>
\t\t<refid>5d5f1c2a</refid>
\t\t<crt>LS0tLS1CRUdJTg==</crt>
\t</cert>
\t<installedpackages>
\t\t<package>
\t\t\t<name>frr</name>
\t\t</package>
\t\t<frr>
\t\t\t<config>
\t\t\t\t<password>mine</password>
\t\t\t</config>
\t\t</frr>
\t</installedpackages>
</pfsense>
"""


def lines(old: bytes, new: bytes) -> tuple[list[str], list[str]]:
    """What went and what came, without blanks."""
    found = list(difflib.ndiff(old.decode().splitlines(), new.decode().splitlines()))
    went, came = ([line[2:].strip() for line in found if line.startswith(mark)] for mark in ("- ", "+ "))
    return went, came


# Report: an element was written out in another form, CDATA and blanks were lost.
FRAGMENT = (
    "<pfsense><version>22.2</version><system></system>"
    "<interfaces><opt1><if>vtnet1.2223</if><enable></enable><descr><![CDATA[LAN2]]></descr></opt1></interfaces>"
    "<vlans><vlan><if>vtnet1</if><tag>2223</tag><pcp></pcp><descr></descr><vlanif>vtnet1.2223</vlanif></vlan></vlans></pfsense>"
)
WANTED_VLAN = "<vlan><if>vtnet1</if><tag>2222</tag><pcp></pcp><descr><![CDATA[LAN]]></descr><vlanif>vtnet1.2222</vlanif></vlan>"
WANTED_NAT = "<nat><outbound><mode>hybrid</mode></outbound></nat>"


@pytest.mark.parametrize("empty", ["<enable></enable>", "<enable/>", "<enable />"])
def test_the_reported_fragment(empty: str) -> None:
    existing = FRAGMENT.replace("<enable></enable>", empty)
    same = "\n\t<interfaces>\n\t\t<opt1>\n\t\t\t<if>vtnet1.2223</if>\n\t\t\t<enable></enable>\n\t\t\t<descr>LAN2</descr>\n\t\t</opt1>\n\t</interfaces>"
    wanted = f"<pfsense><version>22.2</version><system></system>{same}\n\t<vlans>\n\t\t{WANTED_VLAN}\n\t</vlans>\n\t{WANTED_NAT}\n</pfsense>"
    merged = merge(existing.encode(), wanted.encode(), REVISION).decode()
    assert merged == existing.replace("</vlan></vlans>", f"</vlan>{WANTED_VLAN}</vlans>{WANTED_NAT}")
    assert merge(merged.encode(), wanted.encode(), REVISION).decode() == merged


def test_only_the_lab_s_part_changes() -> None:
    merged = merge(BY_HAND, TRUNK, REVISION)
    went, came = lines(BY_HAND, merged)
    assert went == [
        "<hostname>old</hostname>",
        "<domain>home.arpa</domain>",
        "<dnsserver></dnsserver>",
        "<blockpriv></blockpriv>",
        "<ipaddr>dhcp</ipaddr>",
        "<tracker>1600000002</tracker>",
        "<vlans></vlans>",
    ]
    for kept in (
        b"<disablechecksumoffloading/>",
        b"<![CDATA[System & Administrator]]>",
        b"<sshdkeyonly>enabled</sshdkeyonly>",
        b"<spoofmac>02:00:00:00:00:01</spoofmac>",
        b'\t<!-- a comment > with <signs> -->\n\t<unknown attribute="a > b"><deep>  <![CDATA[ raw \\ ]]>\t</deep></unknown>\n',
        b"<![CDATA[keep <me> ]] >]]>",
        b"\t\t<opt9>\n\t\t\t<enable/>\n\t\t</opt9>\n",
        b"<password>mine</password>",
        b"<floating>yes</floating>",
        b"<separator>",
    ):
        assert kept in merged
    assert b"<password>routerlab</password>" not in merged
    assert came.count("<vlan>") == 3 and came.count("<tracker>1600000001</tracker>") == 0
    assert all("\r" not in line and not re.match(r"<[a-z0-9]+/>", line) for line in came)


def test_new_lines_are_indented_like_their_neighbours() -> None:
    merged = merge(BY_HAND, TRUNK, REVISION).decode()
    depth = 0
    for line in merged.split("\t<!--", maxsplit=1)[0].splitlines()[1:]:
        body = line.lstrip("\t")
        closes = body.startswith("</")
        assert len(line) - len(body) == depth - closes, line
        depth += 0 if re.search(r"</|/>$", body) and not closes else -1 if closes else 1


def test_line_ends_of_the_file_are_kept() -> None:
    merged = merge(BY_HAND.replace(b"\n", b"\r\n"), TRUNK, REVISION)
    assert b"\n" not in merged.replace(b"\r\n", b"")
    assert merged.replace(b"\r\n", b"\n") == merge(BY_HAND, TRUNK, REVISION)


def test_what_the_lab_no_longer_says_goes() -> None:
    full = merge(BY_HAND, ROUTING, REVISION)
    bare = merge(full, TRUNK, REVISION)
    root = ET.fromstring(bare)
    assert root.findall("staticroutes/route") == root.findall("virtualip/vip") == root.findall("gateways/gateway_item") == []
    assert root.find("system/maximumstates") is None
    assert {node.tag for node in root.find("interfaces") or []} == {"wan", "lan", "opt1", "opt2", "opt9", "opt689"}
    clean = ET.fromstring(merge(bare, TRUNK, REVISION, retired=["opt2", "opt689", "lan"]))
    assert {node.tag for node in clean.find("interfaces") or []} == {"wan", "lan", "opt1", "opt9"}
    assert {node.tag for node in clean.find("dhcpd") or []} == {"lan", "opt1", "opt9"}
    assert [node.text for node in clean.iterfind("vlans/vlan/vlanif") if (node.text or "").startswith("vtnet1")] == ["vtnet1.20"]
    off = merge(full, RULES, REVISION)
    assert b"frrospfd" not in off and b"<password>mine</password>" in off


@pytest.mark.parametrize("case", RENDERED, ids=lambda case: case.name)
def test_the_second_merge_changes_nothing(case: Case) -> None:
    new = RENDERED[case]
    assert merge(new, new, REVISION) == new
    once = merge(BY_HAND, new, REVISION)
    assert merge(once, new, REVISION) == once
    after = merge(RULES, new, REVISION)
    assert merge(after, new, REVISION) == after


def as_pfsense_writes(data: bytes) -> bytes:
    """The same configuration in the form in which pfSense writes it back: empty elements in short form, other CDATA, no comments."""
    text = re.sub(r"<!--.*?-->\s*", "", data.decode())
    return re.sub(r"<([a-z0-9_-]+)></\1>", r"<\1/>", text.replace("<descr>WAN</descr>", "<descr><![CDATA[WAN]]></descr>")).encode()


def test_another_form_of_the_same_is_left_as_it_is() -> None:
    written = as_pfsense_writes(merge(BY_HAND, TRUNK, REVISION))
    assert merge(written, TRUNK, REVISION) == written


TAGS = st.sampled_from(["system", "interfaces", "vlans", "gateways", "nat", "outbound", "filter", "rule", "wan", "opt7", "vip", "mode", "config", "frr", "x"])
LEAVES = st.sampled_from(["", "a", "<![CDATA[<b>&]]>", "&lt;", " ", "\n", "<!-- <x> -->", "é"])


@st.composite
def elements(draw: st.DrawFn, depth: int = 4) -> str:
    tag = draw(TAGS)
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([f"<{tag}/>", f"<{tag} />", f"<{tag} a='>'></{tag}>", f"<{tag}>{draw(LEAVES)}</{tag}>"]))
    inside = draw(st.lists(elements(depth - 1), max_size=3))
    gap = draw(st.sampled_from(["", "\n", "\n\t\t", "\r\n  "]))
    return f"<{tag}>{gap}{gap.join(inside)}{gap}</{tag}>"


@settings(max_examples=80, deadline=None)
@given(parts=st.lists(elements(), max_size=5), rendered=st.sampled_from(list(RENDERED.values())))
def test_whatever_the_file_holds(parts: list[str], rendered: bytes) -> None:
    """Well-formed before and after, the lab's part there, the rest in the same order, and nothing to do the second time."""
    kept = [part for part in parts if not part.startswith(("<system", "<interfaces"))]
    existing = f"<pfsense>\n<version>22.2</version><system/>{''.join(kept)}<interfaces></interfaces></pfsense>".encode()
    merged = merge(existing, rendered, REVISION)
    assert merge(merged, rendered, REVISION) == merged
    before, after, wanted = read(existing), read(merged), read(rendered)
    tail = [meaning(node) for node in before.all("x")]
    assert [meaning(node) for node in after.all("x")] == tail
    for path in ("interfaces/wan/if", "system/hostname", "nat/outbound/mode"):
        assert ET.fromstring(merged).findtext(path) == ET.fromstring(rendered).findtext(path)
    vlans = {node.value("vlanif") for node in (wanted.first("vlans") or wanted).all("vlan")}
    assert vlans <= {node.value("vlanif") for node in (after.first("vlans") or after).all("vlan")}


@pytest.mark.parametrize(
    ("existing", "words"),
    [
        (b"<pfsense><version>22.2</version>", "not well-formed"),
        (b"", "not well-formed"),
        (b"\xff\xfe", "UTF-8"),
        (b"\xef\xbb\xbf" + BY_HAND, "byte order mark"),
        (b'<!DOCTYPE pfsense [<!ENTITY a "b">]>' + BY_HAND.split(b"\n", 1)[1], "document type"),
        (b"<opnsense><version>22.2</version></opnsense>", "its root is <opnsense>"),
        (BY_HAND.replace(b"22.2", b"22.9"), "revision 22.9; the rendered one has the form of 22.2"),
        (BY_HAND.replace(b"<version>22.2</version>", b""), "revision none"),
        (BY_HAND.replace(b"interfaces>", b"faces>"), "has 0 elements <interfaces>"),
        (BY_HAND.replace(b"<frr>", b"<frrglobalraw><config><ospfd>cm91dGVy</ospfd></config></frrglobalraw><frr>"), "frrglobalraw"),
    ],
)
def test_what_cannot_be_merged_says_why(existing: bytes, words: str) -> None:
    with pytest.raises(MergeError, match=re.escape(words)):
        merge(existing, TRUNK, REVISION)


def test_no_name_stands_twice_that_may_not() -> None:
    for new in RENDERED.values():
        for node in ET.fromstring(merge(BY_HAND, new, REVISION)).iter():
            tags = [child.tag for child in node if child.tag not in LISTS]
            assert len(tags) == len(set(tags))
