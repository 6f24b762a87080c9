# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts on the write-ups' own numbers, and link limits on the published ones."""

from __future__ import annotations

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.verdicts import harness_noise, judge, link_limit

# write-up 002: Mbit/s at 128, 256, 512, 1024 and 1500 bytes
BENCHMARK = [185.5, 419.0, 693.5, 868.0, 903.5]
FITLET2 = [178.0, 437.5, 727.5, 875.0, 909.0]
RB450GX4 = [179.5, 430.5, 707.0, 883.0, 919.0]
ER_X = [36.3, 103.0, 228.5, 484.5, 709.0]


@pytest.mark.parametrize(
    ("measured", "ratios", "name"),
    [
        (FITLET2, [0.960, 1.044, 1.049, 1.008, 1.006], "HARNESS_LIMITED"),
        (RB450GX4, [0.968, 1.027, 1.019, 1.017, 1.017], "HARNESS_LIMITED"),
        (ER_X, [0.196, 0.246, 0.329, 0.558, 0.785], "DUT_LIMITED"),
    ],
)
def test_write_up_002(measured: list[float], ratios: list[float], name: str) -> None:
    verdicts = [judge(value, [baseline]) for value, baseline in zip(measured, BENCHMARK)]
    assert [round(verdict.ratio or 0, 3) for verdict in verdicts] == ratios
    assert {verdict.name for verdict in verdicts} == {name}


@pytest.mark.parametrize(("value", "ratio"), [(12.3, 0.61), (3.01, 0.15), (2.65, 0.13), (2.57, 0.13)])
def test_write_up_000(value: float, ratio: float) -> None:
    verdict = judge(value, [20.1])
    assert round(verdict.ratio or 0, 2) == ratio
    assert verdict.name == "DUT_LIMITED"


def test_noise_is_the_largest_of_three() -> None:
    assert harness_noise([10.0, 10.0, 10.0]) == 0.05  # what endpoints are known for unless told
    assert harness_noise([10.0, 10.0, 10.0], endpoint_noise=0.01) == 0.02  # never below 2 %
    assert harness_noise([9.0, 10.0, 10.5], endpoint_noise=0.01) == pytest.approx(0.15)  # the spread of the baseline
    assert harness_noise([]) == 0.05


@pytest.mark.parametrize(
    ("value", "name"),
    [(94.9, "DUT_LIMITED"), (95.0, "HARNESS_LIMITED"), (100.0, "HARNESS_LIMITED"), (105.0, "HARNESS_LIMITED"), (105.1, "BASELINE_STALE")],
)
def test_edges(value: float, name: str) -> None:
    assert judge(value, [100.0, 100.0, 100.0]).name == name


def test_without_a_baseline_there_is_no_verdict_but_a_reason() -> None:
    verdict = judge(5.0, [], no_baseline="baseline x has no valid trial")
    assert (verdict.name, verdict.reason) == (None, "baseline x has no valid trial")
    assert judge(None, [1.0]).reason == "no valid trial"
    assert judge(5.0, [0.0]).name is None


def test_a_full_link_is_told_even_without_a_baseline() -> None:
    limit = link_limit(1e9, {})
    assert limit is not None
    assert judge(0.981 * limit, [], limit).name == "LINK_LIMITED"
    assert judge(0.979 * limit, [], limit).name is None
    assert judge(0.981 * limit, [0.99 * limit], limit).name == "LINK_LIMITED"
    assert judge(0.981 * limit, [0.8 * limit], limit).name == "BASELINE_STALE"


@pytest.mark.parametrize(
    ("params", "mbps"),
    [
        ({"timestamps": False}, 949.3),
        ({}, 941.5),
        ({"timestamps": False, "vlan": 2222}, 946.8),
        ({"vlan": 2222}, 939.0),
        ({"ip_version": 6}, 928.5),
        ({"ip_version": 6, "vlan": 2222}, 926.1),
        ({"protocol": "udp"}, 957.1),
        ({"protocol": "udp", "ip_version": 6}, 944.1),
        ({"protocol": "udp", "length": 1500}, 923.6),
    ],
)
def test_link_limits_at_one_gigabit(params: dict[str, object], mbps: float) -> None:
    assert round((link_limit(1e9, params) or 0) / 1e6, 1) == mbps


def test_no_declared_link_no_limit() -> None:
    assert link_limit(None, {}) is None


def test_the_limit_of_packets_of_a_size() -> None:
    params = {"size": 64, "size_kind": "frame"}
    assert link_limit(1e9, params, "packet/s", "packet_size") == pytest.approx(1488095, abs=1)
    assert link_limit(1e9, params, "bit/s", "rate_search") == pytest.approx(1488095 * 18 * 8, rel=1e-6)
    assert link_limit(1e9, params, "datagram/s", "rate_search") is None
    assert link_limit(1e9, {}, "packet/s", "iperf3") is None
    assert link_limit(None, params, "packet/s", "packet_size") is None
