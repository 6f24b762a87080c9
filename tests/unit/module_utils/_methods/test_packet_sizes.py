# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a packet size means, and what counters say."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_counters import NAMES, Counted, counted, difference, read_counters
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_run import Run, combine
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import FRAME_SIZES, IP_SIZES, Size, honoured, pps_nominal, rates
from ansible_collections.routerlab.bench.plugins.module_utils._record_limits import frames_per_second


@pytest.mark.parametrize("size", IP_SIZES)
def test_an_ip_size_is_one_packet(size: int) -> None:
    flow = Size("ip", size)
    assert flow.payload == size - 28
    assert flow.packets_per_datagram == 1
    assert Size("ip", size, ip_version=6).payload == size - 48


@pytest.mark.parametrize("frame", FRAME_SIZES)
def test_a_frame_size_has_its_line_rate(frame: int) -> None:
    size = Size("frame", frame)
    assert size.payload == frame - 46
    assert size.problems() == []
    assert round(1e9 / size.wire_bits) == frames_per_second(frame, 1e9)


def test_a_payload_of_1500_is_two_packets() -> None:
    size = Size("payload", 1500)
    assert size.packets_per_datagram == 2
    assert round(1e9 / size.wire_bits * 1500 * 8 / 1e6, 1) == 923.6
    assert Size("payload", 1472).packets_per_datagram == 1


def test_the_mix() -> None:
    size = Size("imix")
    assert [(flow.payload, round(flow.share * 12)) for flow in size.flows] == [(18, 7), (548, 4), (1472, 1)]
    assert size.nominal_bytes == pytest.approx((7 * 64 + 4 * 594 + 1518) / 12)
    assert "7 : 4 : 1" in size.title()
    shares = [bps / (flow.payload * 8) for flow, bps in rates(size, 1200)]
    assert shares == pytest.approx([700, 400, 100])


def test_the_size_says_what_it_means() -> None:
    assert Size("ip", 512).title() == "512 B (length of the IP packet)"
    assert "frame" in Size("frame", 64).title() and "payload" in Size("payload", 64).title()


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (Size("ip", 43), "44 to"), (Size("frame", 61), "62 to"), (Size("payload", 15), "16 to"), (Size("payload", 65508), "16 to 65507"),
        (Size("imix", 64), "makes no sense"), (Size("mss", 5), "not one of"),
    ],
)
def test_sizes_that_are_not_possible(size: Size, words: str) -> None:
    assert len(size.problems()) == 1 and words in size.problems()[0]


def test_the_formula_of_write_up_002() -> None:
    assert pps_nominal(Size("payload", 128), 178e6) == pytest.approx(173828.125)
    assert pps_nominal(Size("payload", 1500), 909e6) == pytest.approx(75750)
    # the same packets, whatever the size is called: 1000 datagrams of 100 bytes
    for size in (Size("payload", 100), Size("ip", 128), Size("frame", 146)):
        assert pps_nominal(size, 800e3) == pytest.approx(1000)
    assert pps_nominal(Size("ip", 128), None) is None


@pytest.mark.parametrize(
    ("nominal", "measured", "right"),
    [(1000, 1000, True), (1000, 1099, True), (1000, 1120, False), (1000, 900, False), (None, 1, None), (1, 0, None)],
)
def test_honoured(nominal: float | None, measured: float | None, right: bool | None) -> None:
    assert honoured(nominal, measured) is right


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        (5, 9, 4), (5, 5, 0), (2**32 - 10, 20, 30), (2**64 - 10, 20, 30), (1000, 5, None), (2**31 - 5, 3, None),
        (None, 5, None), (5, None, None), ("5", 9, None), (-1, 4, None),
    ],
)
def test_counters_that_wrap_or_were_reset(before: Any, after: Any, moved: int | None) -> None:
    assert difference(before, after) == moved


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_difference_is_never_negative(before: int, after: int) -> None:
    moved = difference(before, after)
    assert moved is None or moved >= 0


def test_counters_are_read_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "eth0" / "statistics"
    folder.mkdir(parents=True)
    (folder / "tx_packets").write_text("12\n")
    (folder / "tx_bytes").write_text("what\n")
    found = read_counters("eth0", str(tmp_path))
    assert found["tx_packets"] == 12 and found["tx_bytes"] is None and set(found) == set(NAMES)
    assert set(read_counters("", str(tmp_path)).values()) == {None}


def test_super_packets_are_seen() -> None:
    # E13: a sweep by -M on a virtual path
    seen = counted({"rx_packets": 0, "rx_bytes": 0}, {"rx_packets": 179000, "rx_bytes": 7885000000}, "rx")
    assert seen.bytes_per_packet == pytest.approx(44050, abs=1)
    assert Counted(0, 0).bytes_per_packet is None


def result(packets: int, loss: float, payload: int, **more: Any) -> dict[str, Any]:
    values = {"throughput": packets * (1 - loss) * payload * 8 / 2, "packets": packets, "loss_ratio": loss, "packet_rate": packets * (1 - loss) / 2}
    return {
        "valid": True, "reasons": [], "flags": [], "metrics": {name: {"value": value} for name, value in values.items()}, "partial": None, "attempts": 1,
        "started": "2026-01-01T00:00:00.000Z", "finished": "2026-01-01T00:00:02.000Z", "wall_s": 2.1, "traffic_s": 2.0, "argv": ["iperf3"],
        "versions": {}, "conditions": {}, "raw": [{"name": "client.json", "text": "{}"}], **more,
    }


def value(measurement: dict[str, Any], name: str) -> Any:
    return measurement["metrics"][name]["value"]


def test_a_run_of_two_counts() -> None:
    run = Run("192.0.2.2", Size("ip", 512), 5000, 2)
    seen = combine(run, [result(10000, 0.01, 484)], {"tx_packets": 0, "tx_bytes": 0}, {"tx_packets": 10010, "tx_bytes": 10010 * 526})
    assert seen["valid"] and seen["flags"] == []
    assert value(seen, "pps_nominal") == pytest.approx(4950)
    assert value(seen, "pps_measured") == pytest.approx(4955, abs=1)
    assert value(seen, "datagrams_lost") == 100 and value(seen, "loss_ratio") == pytest.approx(0.01)
    assert seen["conditions"]["counted_bytes_per_packet"] == 526


def test_fragments_and_unknown_counters_are_flagged() -> None:
    run = Run("192.0.2.2", Size("payload", 1500), None, 2)
    twice = combine(run, [result(10000, 0, 1500)], {"tx_packets": 0}, {"tx_packets": 20000})
    assert [flag["code"] for flag in twice["flags"]] == ["PACKET_SIZE_NOT_HONOURED"] and value(twice, "pps_measured") == 10000
    unknown = combine(run, [result(10000, 0, 1500)], {}, {})
    assert [flag["code"] for flag in unknown["flags"]] == ["COUNTERS_UNKNOWN"] and value(unknown, "pps_measured") is None


def test_no_nominal_rate_where_packets_are_made_of_many() -> None:
    run = Run("192.0.2.2", Size("ip", 128), None, 2)
    seen = combine(run, [result(10000, 0, 100)], {"tx_packets": 0, "tx_bytes": 0}, {"tx_packets": 30, "tx_bytes": 30 * 44050})
    assert {flag["code"] for flag in seen["flags"]} == {"SUPER_PACKETS", "PACKET_SIZE_NOT_HONOURED"} and value(seen, "pps_nominal") is None


def test_one_client_that_failed_fails_the_run() -> None:
    run = Run("192.0.2.2", Size("imix"), 1200, 2, ports=[1, 2, 3])
    bad = result(400, 0, 548, valid=False, reasons=[{"code": "CONTROL_LOST", "detail": "x"}])
    bad["metrics"] = {name: {"value": None} for name in bad["metrics"]}
    seen = combine(run, [result(700, 0, 18), bad, result(100, 0, 1472)], {}, {})
    assert not seen["valid"] and seen["reasons"][0]["code"] == "CONTROL_LOST"
    assert {metric["value"] for metric in seen["metrics"].values()} == {None}
    assert [item["name"] for item in seen["raw"]] == ["18.client.json", "548.client.json", "1472.client.json"]


def test_what_a_run_starts() -> None:
    run = Run("192.0.2.2", Size("ip", 128), 1000, 2, streams=4)
    assert [(trial.length, trial.bitrate, trial.streams) for trial in run.trials()] == [(100, "200000", 4)]
    assert Run("192.0.2.2", Size("payload", 128), None).trials()[0].bitrate == "0"
    mix = Run("192.0.2.2", Size("imix"), 1200, ports=[5201, 5202, 5203, 5204])
    assert [trial.ports for trial in mix.trials()] == [[5201, 5204], [5202], [5203]]
    assert Run("192.0.2.2", Size("imix"), 1200, ports=[5201]).problems() == ["ports: 1 for 3 sizes at the same time; one for each is needed"]
    assert Run("192.0.2.2", Size("ip", 128), float("nan")).problems() == ["pps: nan must be more than 0"]
