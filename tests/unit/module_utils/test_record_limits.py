# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden numbers of what a link carries."""
from __future__ import annotations

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._record_limits import (
    WIREGUARD_V4,
    frames_per_second,
    most_generous_fraction,
    sized_limits,
    tcp_fraction,
    udp_fraction,
)


@pytest.mark.parametrize("options, share", [
    ({"timestamps": False}, 1460 / 1538),
    ({}, 1448 / 1538),
    ({"timestamps": False, "vlan_tags": 1}, 1460 / 1542),
    ({"vlan_tags": 1}, 1448 / 1542),
    ({"ip_version": 6}, 1428 / 1538),
    ({"ip_version": 6, "vlan_tags": 1}, 1428 / 1542),
    ({"mtu": 1420, "tunnel": WIREGUARD_V4}, 1368 / 1518),
])
def test_tcp(options: dict, share: float) -> None:
    assert tcp_fraction(**options) == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize("share, mbps", [
    (tcp_fraction(timestamps=False), 949.3),
    (tcp_fraction(), 941.5),
    (tcp_fraction(timestamps=False, vlan_tags=1), 946.8),
    (tcp_fraction(vlan_tags=1), 939.0),
    (tcp_fraction(ip_version=6), 928.5),
    (tcp_fraction(ip_version=6, vlan_tags=1), 926.1),
    (udp_fraction(1472), 957.1),
    (udp_fraction(1452, ip_version=6), 944.1),
    (udp_fraction(1500), 923.6),
    (tcp_fraction(mtu=1420, tunnel=WIREGUARD_V4), 901.2),
])
def test_on_a_gigabit_link(share: float, mbps: float) -> None:
    assert round(share * 1000, 1) == mbps


def test_the_write_ups_percentages() -> None:
    assert round(100 * tcp_fraction(timestamps=False, vlan_tags=1), 1) == 94.7
    assert round(100 * 84 / 1542, 1) == 5.4


@pytest.mark.parametrize("frame, rate", [(64, 1488095), (128, 844595), (256, 452899), (512, 234962), (1024, 119732), (1280, 96154), (1518, 81274)])
def test_line_rate(frame: int, rate: int) -> None:
    assert frames_per_second(frame, 1e9) == rate


def test_two_fragments() -> None:
    assert udp_fraction(1500) == pytest.approx(1500 / 1624)
    assert udp_fraction(1472) == pytest.approx(1472 / 1538)
    assert udp_fraction(1473) < udp_fraction(1472)


@pytest.mark.parametrize("real, generous", [
    (tcp_fraction(timestamps=False), most_generous_fraction("tcp", 1460)),
    (tcp_fraction(), most_generous_fraction("tcp", 1448)),
    (tcp_fraction(mtu=9000), most_generous_fraction("tcp", 8948)),
    (udp_fraction(1472), most_generous_fraction("udp", length=1472)),
    (udp_fraction(64), most_generous_fraction("udp", length=64)),
    (udp_fraction(1500), most_generous_fraction("udp", length=1500)),
])
def test_the_gate_never_refuses_line_rate(real: float, generous: float) -> None:
    assert real <= generous <= 1.05 * real


@pytest.mark.parametrize("frame, rate", [(64, 1488095), (512, 234962), (1518, 81274)])
def test_packets_of_a_size(frame: int, rate: int) -> None:
    payload, packets = sized_limits(1e9, "frame", frame)
    assert round(packets) == rate
    assert payload == pytest.approx(packets * 8 * (frame - 46))


def test_the_same_packet_by_any_name() -> None:
    assert sized_limits(1e9, "ip", 512) == sized_limits(1e9, "payload", 484) == sized_limits(1e9, "frame", 530)
    assert sized_limits(1e9, "payload", 1500)[0] == pytest.approx(923.6e6, rel=1e-4)
    assert sized_limits(1e9, "payload", 1500)[1] == pytest.approx(2 * 1e9 / (8 * 1624))
    assert sized_limits(1e9, "imix", 0)[1] == pytest.approx(1e9 / (8 * ((7 * 64 + 4 * 594 + 1518) / 12 + 20)))
