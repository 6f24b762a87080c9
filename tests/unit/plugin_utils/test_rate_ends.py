# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interfaces of both ends say about a measurement."""
from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_ends import Ends
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_result import at_the_sink


def seen(packets: int, octets: int) -> dict[str, Any]:
    counters = {"rx_packets": packets, "rx_bytes": octets, "tx_packets": packets // 10, "tx_bytes": packets * 7}
    return {"offloads": {"eth0": {"tso": "off", "gro": "off"}}, "counters": {"eth0": counters}}


def ends_of(packets: int, octets: int, reverse: bool = False) -> Ends:
    ends = Ends(reverse, 1500)
    role = "client" if reverse else "server"
    ends.begin(role, seen(1000, 64000))
    ends.end(role, seen(1000 + packets, 64000 + octets))
    return ends


@pytest.mark.parametrize("reverse", [False, True])
def test_packets_of_the_size_asked_for(reverse: bool) -> None:
    ends = ends_of(5000, 5000 * 526, reverse)
    role = "client" if reverse else "server"
    assert ends.packets(ends.sink, "rx") == 5000 and ends.sink == role
    assert ends.conditions[f"{role}.eth0.rx_bytes_per_packet"] == 526
    assert ends.conditions[f"{role}.eth0.offload.tso"] == "off"
    assert ends.flags(Size("ip", 512)) == []


def test_fragments_and_super_packets_are_flagged() -> None:
    assert [flag["code"] for flag in ends_of(5000, 5000 * 788).flags(Size("payload", 1500))] == ["PACKET_SIZE_NOT_HONOURED"]
    codes = [flag["code"] for flag in ends_of(179000, 7885000000).flags(Size("ip", 1500))]
    assert codes == ["PACKET_SIZE_NOT_HONOURED", "SUPER_PACKETS"]


def test_an_end_that_says_nothing_is_not_known() -> None:
    ends = Ends(False, 1500)
    ends.begin("server", {})
    ends.end("server", {})
    assert ends.packets("server", "rx") is None and ends.conditions == {} and ends.flags(Size("ip", 512)) == []
    ends.begin("dut", {"counters": {"eth0": {}}})
    ends.end("dut", {"counters": {"eth0": {"rx_packets": None}}})
    assert ends.packets("dut", "rx") is None


def test_counters_that_were_reset_are_not_known() -> None:
    ends = Ends(False, 1500)
    ends.begin("server", seen(1000, 64000))
    ends.end("server", seen(10, 640))
    assert ends.packets("server", "rx") is None


def measured(delivered: float) -> dict[str, Any]:
    metrics = {"delivered_pps": {"value": delivered}, "pps_measured": {"value": None, "unit": "packet/s", "direction": "client→server"}}
    return {"valid": True, "metrics": metrics, "flags": [{"code": "COUNTERS_UNKNOWN", "detail": ""}]}


def test_the_sink_counts() -> None:
    size = Size("ip", 512)
    right = at_the_sink(measured(5000), 10010, 2, size)
    assert right["metrics"]["pps_measured"]["value"] == 5005 and right["flags"] == []
    late = at_the_sink(measured(2500), 10010, 2, size)
    assert [flag["code"] for flag in late["flags"]] == ["RECEIVER_OVERLOADED"]
    assert at_the_sink(measured(2500), None, 2, size)["flags"][0]["code"] == "COUNTERS_UNKNOWN"
    assert at_the_sink({"valid": False, "reasons": []}, 5, 2, size) == {"valid": False, "reasons": []}
