# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was seen against what was expected. ``facts/`` was captured from the nodes dut and upstream of the namespace lab (kernel's name shortened)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import judge_inside as inside
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import judge_traffic as traffic
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.facts import NotLinux, interface_with, offloads, parse_facts, public

FOLDER = Path(__file__).parent / "facts"


def facts(name: str) -> dict[str, Any]:
    return parse_facts((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def test_facts_of_a_real_host() -> None:
    found = facts("upstream")
    assert found["kernel"] == "Linux 6.1.0"
    assert found["forwarding"] == "1"
    assert found["release"] == {"PRETTY_NAME": "Debian GNU/Linux 12 (bookworm)", "VERSION_ID": "12", "ID": "debian"}
    assert found["links"]["eth0"]["addresses"] == ["10.253.253.1/30"]
    assert interface_with(found, "10.254.254.1") == "eth1"
    assert interface_with(found, "10.254.254.99") is None
    assert public(found, found["clock"] - 0.25)["clock_offset_s"] == 0.25


@pytest.mark.parametrize("text", ["", "sh: syntax error", "==routerlab==kernel\nFreeBSD 14.1\n==routerlab==clock\n1\n"])
def test_what_is_no_linux_says_what_it_is(text: str) -> None:
    with pytest.raises(NotLinux, match="it answered: "):
        parse_facts(text)


def test_an_ip_without_json_is_no_source() -> None:
    text = (FOLDER / "upstream.txt").read_text(encoding="utf-8").replace("[{", "Option -j is unknown [{")
    with pytest.raises(NotLinux, match="its ip prints no JSON"):
        parse_facts(text)


def test_offloads_by_interface() -> None:
    text = "==routerlab==eth0\ntcp-segmentation-offload: off\ngeneric-receive-offload: on [fixed]\n==routerlab==lo\ntcp-segmentation-offload: on\n"
    assert offloads(text) == {"eth0": {"tso": "off", "gro": "on"}}
    assert offloads("==routerlab==eth0\nsh: 1: ethtool: not found\n") == {}


LINK = {"up": True, "carrier": True, "mtu": 1500, "mac": None, "addresses": ["10.0.0.1/24"]}
WANT = {"native": "eth0", "cidr": "10.0.0.1/24", "dhcp": False, "mtu": 1500}


def one_link(**more: Any) -> dict[str, Any]:
    return {"links": {"eth0": {**LINK, **more}}, "routes": [], "forwarding": "1"}


@pytest.mark.parametrize(
    ("check", "want", "seen", "says"),
    [
        ("interface_present", {}, {}, None),
        ("interface_present", {"native": "eth9"}, {}, "expected interface eth9; there are eth0"),
        ("interface_up", {}, {}, None),
        ("interface_up", {}, {"up": False}, "switched off"),
        ("interface_up", {}, {"carrier": False}, "no carrier"),
        ("interface_up", {"native": "eth9"}, {}, "there is none of that name"),
        ("interface_address", {}, {}, None),
        ("interface_address", {}, {"addresses": ["10.0.0.1/16"]}, "expected 10.0.0.1/24 on eth0; seen 10.0.0.1/16"),
        ("interface_address", {}, {"addresses": []}, "seen none"),
        ("interface_address", {}, {"addresses": ["10.0.0.1/24", "10.9.9.9/24"]}, "and nothing else on eth0; seen 10.0.0.1/24, 10.9.9.9/24"),
        ("interface_address", {"dhcp": True, "cidr": None}, {}, None),
        ("interface_address", {"dhcp": True, "cidr": None}, {"addresses": []}, "expected an address by DHCP on eth0; seen none"),
        ("interface_address", {"cidr": None}, {}, "expected no address on eth0; seen 10.0.0.1/24"),
        ("interface_mtu", {}, {}, None),
        ("interface_mtu", {"mtu": 9000}, {}, "expected MTU 9000 on eth0; seen 1500"),
        ("interface_mtu", {"native": "eth9"}, {}, "there is no such interface"),
        ("loopback_address", {}, {}, None),
        ("loopback_address", {"cidr": "10.0.0.1/32"}, {}, "expected 10.0.0.1/32 on some interface; none has it"),
    ],
)
def test_interfaces(check: str, want: dict[str, Any], seen: dict[str, Any], says: str | None) -> None:
    wrong = getattr(inside, check)({**WANT, **want}, one_link(**seen))
    assert wrong is None if says is None else says in wrong


def test_forwarding() -> None:
    assert inside.ip_forwarding({}, one_link()) is None
    assert "seen 0" in str(inside.ip_forwarding({}, {**one_link(), "forwarding": "0"}))


@pytest.mark.parametrize(
    ("release", "answer"),
    [
        ({"ID": "debian", "VERSION_ID": "12"}, None),
        ({"ID": "debian", "VERSION_ID": "12.7"}, None),
        ({"ID": "debian", "VERSION_ID": "13"}, (True, "expected debian 12; /etc/os-release says 13")),
        ({"ID": "debian", "VERSION_ID": "120"}, (True, "expected debian 12; /etc/os-release says 120")),
        ({"ID": "vyos", "VERSION_ID": "1.4"}, (False, "/etc/os-release says ID=vyos VERSION_ID=1.4: that does not tell the version of debian")),
        ({"ID": "debian"}, (False, "/etc/os-release says ID=debian VERSION_ID=None: that does not tell the version of debian")),
    ],
)
def test_version(release: dict[str, str], answer: Any) -> None:
    assert inside.dut_version({"platform": "debian", "version": "12"}, {"release": release}) == answer


def test_learned_routes_of_a_real_router() -> None:
    found = facts("dut")
    assert inside.route_present({"prefix": "10.254.254.0/24", "protocol": "ospf"}, found) is None
    assert inside.route_present({"prefix": "0.0.0.0/0", "protocol": "ospf"}, found) is None
    wrong = inside.route_present({"prefix": "10.222.222.0/24", "protocol": "ospf"}, found)
    assert wrong == "expected a route to 10.222.222.0/24 by ospf; seen 10.222.222.0/24 dev eth1 (proto kernel)"
    assert inside.route_present({"prefix": "192.0.2.0/24", "protocol": "ospf"}, found) == "expected a route to 192.0.2.0/24 by ospf; seen no route to it"


def route(prefix: str, gateway: str | None = "10.253.253.2", kind: str = "unicast", protocol: str = "ospf") -> dict[str, Any]:
    return {"prefix": prefix, "protocol": protocol, "type": kind, "gateways": [gateway] if gateway else [], "device": "eth0"}


@pytest.mark.parametrize(
    ("routes", "fits"),
    [
        ([], True),
        ([route("10.222.222.0/24")], False),
        ([route("10.222.222.12/32")], False),
        ([route("10.222.0.0/16")], False),
        ([route("10.222.222.0/24", "192.0.2.9")], False),
        ([route("10.222.222.0/24", None, "blackhole")], True),
        ([route("10.223.223.0/24")], True),
        ([route("0.0.0.0/0", "192.0.2.9")], True),
        ([route("0.0.0.0/0")], False),
    ],
)
def test_no_way_back(routes: list[dict[str, Any]], fits: bool) -> None:
    wrong = inside.no_route_back({"prefix": "10.222.222.0/24", "dut": ["10.253.253.2"]}, {"routes": routes})
    assert (wrong is None) is fits


def test_static_routes() -> None:
    table = {"routes": [route("192.0.2.0/24", "10.0.0.1", protocol="static"), route("203.0.113.0/24", None, "blackhole")]}
    assert inside.route_static({"prefix": "192.0.2.0/24", "gateway": "10.0.0.1", "blackhole": False}, table) is None
    assert "seen 192.0.2.0/24 via 10.0.0.1" in str(inside.route_static({"prefix": "192.0.2.0/24", "gateway": "10.0.0.9", "blackhole": False}, table))
    assert inside.route_static({"prefix": "203.0.113.0/24", "gateway": None, "blackhole": True}, table) is None
    assert "seen blackhole" in str(inside.route_static({"prefix": "203.0.113.0/24", "gateway": "10.0.0.1", "blackhole": False}, table))


PATH = {
    "source": "lan", "own": "10.0.0.5", "target": "wan", "address": "192.0.2.9", "because": "default of X", "protocol": "tcp", "port": None,
    "mtu": 1500, "hops": 1,
}


@pytest.mark.parametrize(
    ("seen", "expected", "says"),
    [
        ({"outcome": "connected", "seen": "192.0.2.1"}, "192.0.2.1", None),
        ({"outcome": "connected", "seen": "10.0.0.5"}, "192.0.2.1", "it sees 10.0.0.5: the source was not translated"),
        ({"outcome": "connected", "seen": "192.0.2.7"}, "192.0.2.1", "it sees 192.0.2.7: translated to another address"),
        ({"outcome": "connected", "seen": "192.0.2.7"}, "10.0.0.5", "it sees 192.0.2.7: that is not the client's address"),
        ({"outcome": "connected", "seen": "192.0.2.7"}, None, None),
        ({"outcome": "connected", "seen": "10.0.0.5"}, None, "not translated"),
        ({"outcome": "connected", "detail": "somebody else answered: b'SSH'"}, "192.0.2.1", "somebody else answered"),
        ({"outcome": "timeout", "tries": 3, "seconds": 3.2}, "192.0.2.1", "expected a connection; there was no answer after 3 tries in 3.2 s"),
    ],
)
def test_who_the_far_end_sees(seen: dict[str, Any], expected: str | None, says: str | None) -> None:
    wrong = traffic.source(PATH, {"port": 24061, **seen}, expected)
    assert wrong is None if says is None else says in wrong


@pytest.mark.parametrize(("arrived", "says"), [(63, None), (64, "came past the router"), (62, "which is 2"), (None, "which is 64")])
def test_ttl(arrived: int | None, says: str | None) -> None:
    wrong = traffic.ttl(PATH, {"outcome": "answered", "ttl": arrived, "sent_ttl": 64})
    assert wrong is None if says is None else says in wrong


OUTCOMES = ["connected", "answered", "refused", "timeout", "unreachable", "too_big", "error"]


@pytest.mark.parametrize(
    ("judge", "more", "good"),
    [
        (traffic.mtu_passes, {}, {"answered"}),
        (traffic.mtu_limit, {}, {"timeout", "too_big", "unreachable"}),
        (traffic.passes, {}, {"connected"}),
        (traffic.passes, {"target": None}, {"connected", "refused"}),
        (traffic.passes, {"target": None, "protocol": "icmp"}, {"answered"}),
        (traffic.dropped, {}, {"timeout"}),
        (traffic.rejected, {}, {"refused", "unreachable"}),
    ],
)
def test_which_outcomes_will_do(judge: Any, more: dict[str, Any], good: set[str]) -> None:
    assert {outcome for outcome in OUTCOMES if judge({**PATH, **more}, {"outcome": outcome, "port": 24061}) is None} == good


POOL = {
    "start": "10.0.0.100", "stop": "10.0.0.199", "server": "10.0.0.1", "prefix_len": 24, "gateway": "10.0.0.1", "dns": ["10.0.0.53"],
    "domain": None, "lease": 600, "reserved": ["10.0.0.9"],
}
LEASE = {"address": "10.0.0.100", "server": "10.0.0.1", "prefix_len": 24, "routers": ["10.0.0.1"], "dns": ["10.0.0.53"], "domain": "x.example", "lease": 600}


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        ({}, None),
        ({"address": "10.0.0.199"}, None),
        ({"address": "10.0.0.9"}, None),
        ({"address": "10.0.0.200"}, "the server 10.0.0.1 gave 10.0.0.200"),
        ({"server": "10.0.0.2"}, "another server answered: 10.0.0.2"),
        ({"error": "no lease on eth0"}, "expected a lease from 10.0.0.100 – 10.0.0.199; no lease on eth0"),
    ],
)
def test_lease(seen: dict[str, Any], says: str | None) -> None:
    wrong = traffic.lease(POOL, {**LEASE, **seen})
    assert wrong is None if says is None else says in wrong


def test_all_wrong_options_at_once() -> None:
    assert traffic.options(POOL, LEASE) is None
    wrong = traffic.options({**POOL, "domain": "lan.example", "dns": []}, {**LEASE, "prefix_len": 16, "routers": [], "lease": 60})
    assert wrong == (
        "lease of 10.0.0.100 from 10.0.0.1: prefix_len: expected 24, got 16; routers: expected 10.0.0.1, got none; "
        "dns: expected none, got 10.0.0.53; lease: expected 600, got 60; domain: expected lan.example, got x.example"
    )
