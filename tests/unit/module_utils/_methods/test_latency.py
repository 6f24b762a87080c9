# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Method latency: what irtt and ping print becomes numbers, or a reason."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_numbers import (
    Probes,
    few,
    jitter,
    judged,
    loss,
    metrics_of,
    percentile,
)
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_parse import parse_irtt, parse_ping, ping_version
from ansible_collections.routerlab.bench.plugins.module_utils._methods.latency_probe import Wish, irtt_argv, may_ping_fast, ping_argv

FIXTURES = Path(__file__).parents[3] / "fixtures" / "latency"
CASES = sorted(path for path in FIXTURES.iterdir() if path.name.endswith((".txt", ".json")) and not path.name.endswith(".expected.json"))
READERS = {"irtt": parse_irtt, "ping": parse_ping}


def seen(probes: Probes) -> dict[str, Any]:
    """What a fixture is held to."""
    rounded = {name: item["value"] if item["value"] is None else float(f"{item['value']:.6g}") for name, item in metrics_of(probes).items()}
    return {
        "sent": probes.sent, "answered": len(probes.answers), "reasons": [item["code"] for item in probes.reasons],
        "flags": [item["code"] for item in probes.flags], "metrics": rounded,
    }


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_fixtures(case: Path) -> None:
    stderr = case.with_suffix(".stderr")
    tool = case.name.partition("_")[0]
    probes = READERS[tool](case.read_text(), stderr.read_text() if stderr.exists() else "", False)
    asked = {"irtt_idle": 50, "irtt_loss": 40, "ping_loss": 40, "ping_idle": 30, "ping_busybox": 3, "ping_comma": 30, "ping_unreachable": 5}.get(case.stem, 10)
    assert seen(judged(probes, asked)) == json.loads(case.with_suffix(".expected.json").read_text())


def test_irtts_own_statistics_agree() -> None:
    text = (FIXTURES / "irtt_idle.json").read_text()
    stats = json.loads(text)["stats"]
    metrics = metrics_of(parse_irtt(text))
    assert metrics["rtt_p50"]["value"] == pytest.approx(stats["rtt"]["median"] / 1e9, abs=1e-9)  # irtt rounds to whole nanoseconds
    assert metrics["rtt_max"]["value"] == pytest.approx(stats["rtt"]["max"] / 1e9, rel=1e-9)
    assert metrics["jitter"]["value"] == pytest.approx(stats["ipdv_round_trip"]["mean"] / 1e9, abs=1e-9)


def test_pings_own_statistics_agree() -> None:
    text = (FIXTURES / "ping_idle.txt").read_text()
    low, mean, high = (float(item) / 1000 for item in text.rpartition("= ")[2].split("/")[:3])
    answers = parse_ping(text).answers
    assert (min(answers), max(answers)) == pytest.approx((low, high))
    assert statistics.mean(answers) == pytest.approx(mean, abs=6e-7)


@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=60), st.floats(0, 1))
def test_percentiles_lie_within_and_grow(values: list[float], share: float) -> None:
    found = percentile(values, share)
    assert found is not None and min(values) <= found <= max(values) + 1e-9
    assert percentile(values, 1.0) == max(values) and percentile(values, 0.5) == pytest.approx(statistics.median(values))


def test_percentile_is_numpys() -> None:
    numpy = pytest.importorskip("numpy")
    values = [0.3, 0.1, 0.7, 0.2, 0.9, 0.4]
    for share in (0.5, 0.95, 0.99, 0.999):
        assert percentile(values, share) == pytest.approx(float(numpy.percentile(values, share * 100)))
    assert percentile([], 0.5) is None


def test_a_percentile_needs_enough_answers() -> None:
    probes = Probes(rtts=dict.fromkeys(range(99), 0.001), sent=99)
    metrics = metrics_of(probes)
    assert metrics["rtt_p95"]["value"] == 0.001 and metrics["rtt_p99"]["value"] is None
    assert few(probes)[0]["detail"] == "99 answers: no p99, p999"


def test_jitter_looks_only_at_neighbours() -> None:
    probes = Probes(rtts={1: 0.001, 2: 0.003, 3: None, 4: 0.010, 5: 0.010}, sent=5)
    assert jitter(probes) == pytest.approx(0.001) and loss(probes) == pytest.approx(0.2)
    assert jitter(Probes(rtts={1: 0.1, 3: 0.1}, sent=3)) is None


@pytest.mark.parametrize(("sent", "answered", "code"), [(4, 4, "SHORT_RUN"), (10, 0, "NO_REPLIES")])
def test_what_does_not_count(sent: int, answered: int, code: str) -> None:
    probes = judged(Probes(rtts=dict.fromkeys(range(answered), 0.1), sent=sent), 10)
    assert [item["code"] for item in probes.reasons] == [code]
    assert {item["value"] for item in metrics_of(probes).values()} == {None}


def test_a_client_that_could_not_keep_up_is_told() -> None:
    probes = judged(Probes(rtts=dict.fromkeys(range(9), 0.1), sent=9), 10)
    assert not probes.reasons and [item["code"] for item in probes.flags] == ["PROBES_MISSED"]


KEYS = st.sampled_from(["stats", "round_trips", "delay", "rtt", "seqno", "lost", "packets_sent"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)


@given(JSON, st.booleans())
@settings(max_examples=200, deadline=None)
def test_no_report_of_irtt_makes_it_fail(document: Any, timed_out: bool) -> None:
    probes = judged(parse_irtt(json.dumps(document), "", timed_out), 10)
    for item in metrics_of(probes).values():
        assert item["value"] is None or math.isfinite(item["value"])


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_damaged_reports(data: Any) -> None:
    name = data.draw(st.sampled_from(["irtt_idle.json", "irtt_loss.json", "ping_idle.txt", "ping_loss.txt"]))
    text = (FIXTURES / name).read_text()
    start, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 200))
    text = text[:start] + data.draw(st.text(max_size=20)) + text[start + length:]
    probes = judged(READERS[name[:4]](text[: data.draw(st.integers(0, len(text)))], "", False), 40)
    for item in metrics_of(probes).values():
        assert item["value"] is None or math.isfinite(item["value"]) and item["value"] >= 0


@given(st.text(), st.text(), st.booleans())
def test_no_text_makes_them_fail(text: str, stderr: str, timed_out: bool) -> None:
    for reader in READERS.values():
        assert judged(reader(text, stderr, timed_out), 10).reasons


def test_command_lines() -> None:
    wish = Wish("10.0.0.2", bind="10.0.0.1", duration=2, interval_ms=2.5, size=100)
    assert irtt_argv("irtt", wish)[5:] == ["-d", "2000000us", "-i", "2500us", "-l", "100", "--local=10.0.0.1", "10.0.0.2:2112"]
    assert ping_argv("ping", wish, 200)[3:] == ["-i", "0.200", "-c", "10", "-W", "2", "-s", "100", "-I", "10.0.0.1", "10.0.0.2"]
    assert irtt_argv("irtt", Wish("2001:db8::2"))[-1] == "[2001:db8::2]:2112"


@pytest.mark.parametrize(("status", "fast"), [("CapEff:\t0000000000001000\n", True), ("CapEff:\t0000000000000400\n", False), ("", False)])
def test_who_may_ping_fast(status: str, fast: bool) -> None:
    assert may_ping_fast(status, uid=1000) is fast and may_ping_fast(status, uid=0)


@pytest.mark.parametrize(("text", "version"), [("ping from iputils 20221126", "20221126"), ("BusyBox v1.35.0 (2022)", "1.35.0"), ("ping", None)])
def test_ping_version(text: str, version: str | None) -> None:
    assert ping_version(text) == version
