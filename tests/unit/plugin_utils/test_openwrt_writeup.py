# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write-up 003 printed no configuration; it said what was set. Every router and profile of its lab says the same."""

from __future__ import annotations

import functools
from typing import Any

import lab_data
import pytest
from uci_check import Section, complaints, parse

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import render_lab

Files = dict[str, str]


@functools.lru_cache(maxsize=1)
def lab() -> dict[str, Any]:
    return lab_data.seed_lab("seed_003")


def files_of(router: str, profile: str | None) -> Files:
    return {artifact.file: artifact.text for artifact in render_lab(lab(), router, profile, platforms())}


def section(files: Files, package: str, name: str) -> Section:
    return next(item for item in parse(files[package]) if item.name == name)


@pytest.mark.parametrize("router", [item["name"] for item in lab()["routers"]])
def test_every_router_carries_every_profile(router: str) -> None:
    for profile in [None, *(item["name"] for item in lab()["profiles"])]:
        files = files_of(router, profile)
        assert complaints(files) == []


@pytest.mark.parametrize(
    ("profile", "queue", "device", "overhead"),
    [
        ("nat_sqm", "queue_wan", "eth1", "22"),
        ("wireguard_sqm", "queue_wg0", "wg0", "82"),
        ("openvpn_sqm", "queue_tun0", "tun0", "95"),
        ("flow_sqm", "queue_wan", "eth1", "22"),
    ],
)
def test_the_shaper(profile: str, queue: str, device: str, overhead: str) -> None:
    """piece_of_cake on the WAN or on the tunnel, the same rate both ways, the overhead of what carries the packets."""
    found = section(files_of("j4105", profile), "sqm", queue)
    assert (found.one("script"), found.one("interface"), found.one("overhead")) == ("piece_of_cake.qos", device, overhead)
    assert found.one("upload") == found.one("download") != "0"


@pytest.mark.parametrize("profile", ["nat", "flow", "wireguard", "wireguard_flow", "openvpn_flow_sqm"])
def test_flow_offload_is_off_unless_named(profile: str) -> None:
    found = section(files_of("w8964", profile), "firewall", "defaults")
    assert found.one("flow_offloading") == ("1" if "flow" in profile else "0")
    assert found.one("flow_offloading_hw") == "0"


def test_the_firewall_is_what_openwrt_comes_with() -> None:
    files = files_of("qca9563", "nat")
    wan, lan = section(files, "firewall", "zone_WAN"), section(files, "firewall", "zone_LAN")
    assert (wan.one("input"), wan.one("output"), wan.one("masq")) == ("REJECT", "ACCEPT", "1")
    assert (lan.one("input"), lan.one("output"), lan.one("forward")) == ("ACCEPT", "ACCEPT", "ACCEPT")
    forwardings = [(item.one("src"), item.one("dest")) for item in parse(files["firewall"]) if item.kind == "forwarding"]
    assert forwardings == [("LAN", "WAN")]


@pytest.mark.parametrize(("profile", "cipher"), [("openvpn", "AES-256-CBC"), ("openvpn_bf_cbc", "BF-CBC")])
def test_openvpn_is_udp_with_one_cipher_and_no_compression(profile: str, cipher: str) -> None:
    lines = files_of("ipq4019", profile)["openvpn-tun0.conf"].splitlines()
    assert "proto udp4" in lines
    assert f"cipher {cipher}" in lines
    assert "ncp-disable" in lines
    assert not [line for line in lines if line.startswith("comp")]
