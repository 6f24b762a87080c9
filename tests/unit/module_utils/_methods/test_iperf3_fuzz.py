# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a program prints, the parser returns a result, and never a number for a run that does not count."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_parse import parse

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "iperf3"
TEXTS = [path.read_text() for path in sorted(FIXTURES.glob("*.json")) if not path.name.endswith(".expected.json")]
SNIPPETS = ["{", "}", "[", "]", '"', "nan", "-inf", "1e999", "-1", "null", "true", "\x00", "\\", '"error":"x",', '"end":{},', "9" * 5000, "é\ud800"]
EXPECTED = st.one_of(
    st.none(),
    st.fixed_dictionaries({}, optional={
        "protocol": st.sampled_from(["tcp", "udp", "TCP"]), "duration": st.integers(0, 100), "streams": st.integers(0, 9), "reverse": st.booleans(),
        "bidir": st.booleans(), "warmup": st.integers(0, 3), "link_bps": st.sampled_from([0, 1, 1e9, 1e15]), "congestion": st.sampled_from(["cubic", ""]),
    }),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "x", "iperf 3.7", "iperf 3.21", "UDP"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["start", "end", "intervals", "sum", "streams", "sender", "receiver", "udp", "sum_sent", "sum_received", "sum_bidir_reverse", "bytes", "seconds",
         "bits_per_second", "packets", "lost_packets", "jitter_ms", "error", "event", "data", "test_start", "num_streams", "duration", "omitted",
         "server_output_json", "version", "connected", "accepted_connection", "remote_host", "retransmits", "cpu_utilization_percent", "system_info"]
    ), inner, max_size=6),
    max_leaves=40,
)
PATIENT = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(text: Any, expected: Any, **more: Any) -> None:
    result = parse(text, expected, **more)
    json.dumps(result, allow_nan=False, default=None)
    values = [metric["value"] for metric in result["metrics"].values()]
    if result["valid"]:
        assert not result["reasons"]
        rates = [metric["value"] for name, metric in result["metrics"].items() if name.startswith("throughput")]
        assert all(rate is not None and rate >= 0 for rate in rates)
        loss = result["metrics"].get("loss_ratio", {}).get("value")
        assert loss is None or 0 <= loss <= 1
    else:
        assert result["reasons"]
        assert set(values) == {None}


@PATIENT
@given(st.sampled_from(TEXTS), st.data(), EXPECTED)
def test_cut_anywhere(text: str, data: st.DataObject, expected: Any) -> None:
    check(text[: data.draw(st.integers(0, len(text)))], expected)


@PATIENT
@given(st.sampled_from(TEXTS), st.data(), EXPECTED)
def test_damaged_anywhere(text: str, data: st.DataObject, expected: Any) -> None:
    for _round in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 30))
        text = text[:at] + data.draw(st.sampled_from(SNIPPETS)) + text[at + gone:]
    check(text, expected)


@PATIENT
@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.data())
def test_two_reports_mixed(first: str, second: str, data: st.DataObject) -> None:
    check(first[: data.draw(st.integers(0, len(first)))] + second[data.draw(st.integers(0, len(second))):], None)


@PATIENT
@given(VALUES, EXPECTED, st.booleans())
def test_any_json(value: Any, expected: Any, timed_out: bool) -> None:
    check(json.dumps(value), expected, timed_out=timed_out, rc=0)


@PATIENT
@given(st.dictionaries(st.sampled_from(["start", "end", "intervals", "error", "server_output_json"]), VALUES, min_size=1), EXPECTED)
def test_any_report(value: Any, expected: Any) -> None:
    check(json.dumps(value), expected)


@PATIENT
@given(st.one_of(st.text(), st.binary(), st.none(), st.integers()), st.one_of(st.text(), st.none()))
def test_any_input(text: Any, stderr: Any) -> None:
    check(text, None, stderr=stderr)


def test_deeply_nested() -> None:
    check('{"end":' * 5000, None)
    check('{"end":' + "[" * 100000, None)
    check('{"start":{},"intervals":' + "[" * 900 + "]" * 900 + "}", None)
