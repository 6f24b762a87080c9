# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of the room sixwind; what has no public source is written when a router asks for it, and never else."""

from __future__ import annotations

from typing import Any

import lab_data
import pytest
from golden_cases import Case, cases, expected, lab_files, load
from sixwind_check import parse, problems

from ansible_collections.routerlab.bench.plugins.plugin_utils._features import used_features
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import merged_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_report import unconfirmed_warnings
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._sixwind_statements import check_lines, statements

GOLDEN = [pytest.param(case, id=case.name) for case, _lab in cases("sixwind")]
UNCONFIRMED = platforms()["sixwind"]["unconfirmed"]


def lab_of(stem: str, **router: Any) -> dict[str, Any]:
    lab = load(lab_files("sixwind")[stem], "sixwind", "3")
    for item in lab["routers"]:
        item.update(router)
    return lab


def text_of(lab: dict[str, Any], router: str = "dut", profile: str | None = None) -> str:
    return "".join(artifact.text for artifact in render_lab(lab, router, profile, platforms()))


@pytest.mark.parametrize("case", GOLDEN)
def test_the_statements_make_a_whole(case: Case) -> None:
    text = "".join(data.decode() for data in expected(case).values())
    assert problems(text) == []
    assert check_lines(text.splitlines(), unconfirmed=True) == []


# The trunk lab in the words of the vendor's laboratories and guides.
WRITTEN = [
    "/ vrf main ssh-server",
    "/ system fast-path virtual-port infrastructure infra-eth1",
    "/ vrf main interface infrastructure trunk port infra-eth1",
    "/ vrf main interface vlan lan vlan-id 2222",
    "/ vrf main interface vlan lan link-interface trunk",
    "/ vrf main interface vlan lan ipv4 address 10.222.222.1/24",
    "/ vrf main dhcp server subnet 10.222.222.0/24 range 10.222.222.10 10.222.222.200",
    "/ vrf main routing ospf router-id 10.253.253.2",
    "/ vrf main routing ospf network 10.253.253.0/30 area 0.0.0.0",
    "/ vrf main routing ospf redistribute connected",
]


def test_the_trunk_lab() -> None:
    lines = text_of(lab_of("trunk")).splitlines()
    assert [line for line in WRITTEN if line not in lines] == []


@pytest.mark.parametrize("feature", UNCONFIRMED)
def test_every_statement_without_a_source_is_shown_and_says_so(feature: str) -> None:
    shown = [case.name for case, lab in cases("sixwind") if feature in dict(used_features(merged_router(lab, case.router, case.profile)))]
    assert shown, f"no golden file shows {feature}"
    assert "`unconfirmed: true`" in platforms()["sixwind"]["features"][feature]
    assert feature in {statement.feature for statement in statements()}


def test_the_table_and_the_descriptor_agree() -> None:
    assert {statement.feature for statement in statements()} - {None} == set(UNCONFIRMED)


def test_without_the_word_such_a_lab_is_refused_by_name() -> None:
    found = [problem for problem in check_lab(lab_of("trunk", unconfirmed=False), platforms()) if problem.code == "FEATURE_MISSING"]
    assert [str(problem).split("(")[1].split(")")[0] for problem in found] == ["ospf", "ospf_redistribute"]


def test_what_is_published_needs_no_word() -> None:
    lab = lab_of("confirmed")
    lab["routers"] = [router for router in lab["routers"] if router["unconfirmed"] is False]
    lab["profiles"] = []
    assert [str(problem) for problem in check_lab(lab, platforms())] == []
    assert check_lines(text_of(lab).splitlines(), unconfirmed=False) == []


def test_the_table_lets_nothing_through_that_was_not_asked_for() -> None:
    """Whoever renders without the check of the lab meets the same refusal."""
    with pytest.raises(RenderError, match=r"has no public source \(ospf\), and this router has not unconfirmed: true"):
        text_of(lab_of("trunk", unconfirmed=False))


def test_each_use_is_a_warning() -> None:
    (warning,) = unconfirmed_warnings(lab_of("trunk"), platforms())
    assert warning == "dut: no public source confirms how sixwind writes OSPFv2, OSPF redistribution (unconfirmed: true)"
    assert unconfirmed_warnings(lab_of("trunk", unconfirmed=False), platforms()) == []
    other = lab_of("trunk", platform="debian", version="12")
    assert unconfirmed_warnings(other, platforms()) == []


@pytest.mark.parametrize("router", ["left-6wind", "right-6wind"])
def test_write_up_004(router: str) -> None:
    """AES-CBC-128, HMAC-SHA1 and DH group 14 at both ends, and none of it in the profile that only routes."""
    lab = lab_data.seed_lab("seed_004")
    assert [str(problem) for problem in check_lab(lab, platforms())] == []
    plain, tunnel = (text_of(lab, router, profile) for profile in ("routing", "ipsec"))
    assert problems(plain) == problems(tunnel) == []
    assert "ike" not in {word for path in parse(plain) for word in path}
    for words in ("enc-alg aes128-cbc", "auth-alg hmac-sha1", "dh-group modp2048"):
        assert tunnel.count(words) == 2
    assert set(plain.splitlines()) <= set(tunnel.splitlines())


@pytest.mark.parametrize("version", ["3.0", "3.3.3", "3.5.10", "3.10", "3.10.2"])
def test_versions_that_are_known(version: str) -> None:
    assert find_dialect(platforms()["sixwind"], version)


@pytest.mark.parametrize("version", ["2.3", "3", "3.11", "3.12.1", "4.0", "3.x", "", None])
def test_versions_that_are_not(version: str | None) -> None:
    assert find_dialect(platforms()["sixwind"], version) is None


BROKEN = [
    ("/ vrf main interface vlan lan link-interface other", "vrf main interface vlan lan link-interface: has two values"),
    ("/ vrf main interface vlan x link-interface lans", "x: vlan-id 0"),
    ("/ vrf main interface vlan x vlan-id 7", "x: there is no interface '' below it"),
    ("/ vrf main interface physical x port pci-b0s9", "x: port 'pci-b0s9'"),
    ("/ vrf main interface loopback wan ipv4 address 10.0.0.1/32", "wan: two kinds of interfaces"),
    ("/ vrf main interface loopback a-name-that-is-too-long ipv4 address 10.0.0.1/32", "at most 15 characters"),
    ("/ vrf main interface loopback x ipv4 address 192.168.1.1/24", "an address stands twice"),
    ("/ system fast-path port pci-b0s9", "pci-b0s9: no interface"),
    ("/ vrf main routing static ipv4-route 10.8.0.0/16 next-hop 203.0.113.1", "route 10.8.0.0/16"),
    ("/ vrf main routing static ipv4-route 192.168.1.0/24 next-hop 192.0.2.1", "route 192.168.1.0/24"),
    ("/ vrf main routing ospf network 10.8.0.0/16 area 0.0.0.0", "ospf: 10.8.0.0/16"),
    ("/ vrf main routing ospf router-id 1.1.1.1", "networks and router-id go together"),
    ("/ vrf main nat source-rule 30 outbound-interface nowhere translate-to output-address", "nat 30"),
    ("/ vrf main dhcp server subnet 192.168.1.0/24 range 192.168.9.1 192.168.9.2", "pool 192.168.1.0/24: an address outside of it"),
    ("/ vrf main dhcp server subnet 10.7.0.0/24 interface lan", "pool 10.7.0.0/24: its interface"),
    ("/ vrf main ike vpn x ike-policy template none", "vpn x: ike-policy"),
    ("/ vrf main ike vpn x local-address 203.0.113.1", "vpn x: its own address"),
    ("/ vrf main ike vpn x security-policy x local-ts subnet 10.0.0.0/8", "vpn x: traffic of one side only"),
    ("/ vrf main ike vpn x version 2", "vpn: no key"),
]


@pytest.mark.parametrize(("line", "message"), BROKEN, ids=[line for line, _message in BROKEN])
def test_the_checker_sees_what_is_broken(line: str, message: str) -> None:
    text = text_of(lab_of("confirmed"))
    assert problems(text) == []
    found = problems(f"{text}{line}\n")
    assert any(message in entry for entry in found), found


@pytest.mark.parametrize("line", ["vrf main ssh-server", "/", '/ a "b', '/ a "b"c', "/  a"])
def test_what_is_no_statement(line: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        parse(line)


@pytest.mark.parametrize(
    "line",
    [
        "/ vrf other ssh-server",
        "/ vrf main ssh-server port 22",
        "/ vrf main interface vlan lan vlan-id x",
        "/ vrf main interface lag lag0 mtu 9000",
        "/ vrf main nat source-rule 1 translate-to output-address",
        "/ vrf main routing ospf redistribute bgp",
        '/ vrf main interface vlan lan description "a" b',
        "/ del /",
        "vrf main ssh-server",
        "",
    ],
)
def test_the_table_knows_what_is_no_statement(line: str) -> None:
    assert check_lines([line], unconfirmed=True) == [f"{line!r} is no statement of the VSR"]
