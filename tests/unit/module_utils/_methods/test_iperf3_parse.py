# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every report in tests/fixtures/iperf3 gives what the file beside it says."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_parse import parse

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "iperf3"
CASES = sorted(path.name[: -len(".expected.json")] for path in FIXTURES.glob("*.expected.json"))
# What the paths of the captures were limited to (400 and 100 Mbit/s, one direction each), as payload.
CAPTURED_BOUNDS = {"client→server": (3.4e8, 3.9e8), "server→client": (0.9e8, 0.99e8)}


def result_of(name: str) -> Dict[str, Any]:
    wanted = json.loads((FIXTURES / (name + ".expected.json")).read_text())
    return parse(
        (FIXTURES / (name + ".json")).read_text(),
        wanted["given"],
        wanted.get("stderr", ""),
        wanted.get("rc"),
        wanted.get("timed_out", False),
    )


def test_every_report_has_its_expectation() -> None:
    reports = {path.stem for path in FIXTURES.glob("*.json") if not path.name.endswith(".expected.json")}
    assert reports == set(CASES)
    assert len(CASES) > 100


@pytest.mark.parametrize("name", CASES)
def test_fixture(name: str) -> None:
    wanted = json.loads((FIXTURES / (name + ".expected.json")).read_text())["result"]
    result = result_of(name)
    assert [item["code"] for item in result["reasons"]] == wanted["reasons"]
    assert result["valid"] is wanted["valid"]
    if "flags" in wanted:
        assert [item["code"] for item in result["flags"]] == wanted["flags"]
    if "computed" in wanted:
        assert result["computed"] == wanted["computed"]
    for metric, value in wanted["metrics"].items():
        got = result["metrics"][metric]["value"]
        assert got == (None if value is None else pytest.approx(value, rel=1e-9)), metric
    for side in ("versions", "conditions"):
        for field, value in wanted.get(side, {}).items():
            assert result[side][field] == value, field
    for direction, seen in wanted.get("partial", {}).items():
        for field, value in seen.items():
            assert result["partial"][direction][field] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-9)), field


@pytest.mark.parametrize("name", CASES)
def test_what_does_not_count_has_no_number_and_says_why(name: str) -> None:
    result = result_of(name)
    values = [metric["value"] for metric in result["metrics"].values()]
    if result["valid"]:
        assert result["metrics"]["throughput"]["value"] > 0
        assert result["partial"] is None
    else:
        assert result["reasons"]
        assert set(values) == {None}
    json.dumps(result, allow_nan=False)


def at_full_rate(name: str) -> bool:
    """Captured TCP runs with full-sized packets that went well."""
    plain = name.startswith("v3_") and "udp" not in name and "mss" not in name
    return plain and json.loads((FIXTURES / (name + ".expected.json")).read_text())["result"]["valid"]


@pytest.mark.parametrize("name", [name for name in CASES if at_full_rate(name)])
def test_directions_of_captured_runs(name: str) -> None:
    """The two directions had different rates, so a number from the wrong one is seen."""
    result = result_of(name)
    for metric in ("throughput", "throughput_reverse"):
        if metric in result["metrics"]:
            low, high = CAPTURED_BOUNDS[result["metrics"][metric]["direction"]]
            assert low < result["metrics"][metric]["value"] < high


def test_far_end_sees_the_client() -> None:
    assert result_of("v3_12_tcp")["conditions"]["far_end_source"] == "192.0.2.1"
    assert result_of("v3_12_text_server")["conditions"]["far_end_source"] == "192.0.2.1"
    assert result_of("v3_12_no_server_output")["conditions"]["far_end_source"] is None


def test_loss_of_a_new_client_with_an_old_server_is_not_zero() -> None:
    """The report itself says that nothing was lost; the server counted otherwise."""
    text = (FIXTURES / "v3_21_to_3_12_udp.json").read_text()
    assert json.loads(text)["end"]["sum_received"]["lost_packets"] == 0
    assert result_of("v3_21_to_3_12_udp")["metrics"]["loss_ratio"]["value"] == pytest.approx(0.0942, abs=1e-4)
    without = json.loads(text)
    without["server_output_json"]["intervals"] = []
    result = parse(json.dumps(without), {"protocol": "udp"})
    assert result["metrics"]["loss_ratio"]["value"] is None
    assert "LOSS_UNKNOWN" in [item["code"] for item in result["flags"]]


def test_warm_up_without_the_receivers_intervals_is_refused() -> None:
    document = json.loads((FIXTURES / "v3_12_to_3_21_tcp.json").read_text())
    del document["server_output_json"]
    result = parse(json.dumps(document), {"protocol": "tcp", "duration": 2, "warmup": 1, "streams": 2})
    assert [item["code"] for item in result["reasons"]] == ["RECEIVER_STATS_MISSING"]


def test_a_code_is_listed_once_with_all_that_is_said() -> None:
    document = json.loads((FIXTURES / "v3_12_udp_bidir.json").read_text())
    for name in ("sum_received", "sum_received_bidir_reverse"):
        document["end"][name]["lost_packets"] = -3
    flags = parse(json.dumps(document), {"protocol": "udp", "bidir": True})["flags"]
    assert [flag["code"] for flag in flags] == ["LOSS_CLAMPED"]
    assert "forward: -3 of" in flags[0]["detail"]
    assert "reverse: -3 of" in flags[0]["detail"]
