# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Data files of flent: read as flent reads them, to the last digit that it prints; whatever is in them, reading never fails."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import DataFile, begin, read
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_numbers import (
    Shape,
    direction_rate,
    metrics_of,
    ping_numbers,
    shape_of,
    stream_means,
    window_of,
)
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_summary import summary, text_rows
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_validity import judged

FIXTURES = Path(__file__).parents[3] / "fixtures" / "flent"
FILES = sorted(path.name.partition(".")[0] for path in FIXTURES.glob("*.flent.gz"))


def load(name: str) -> DataFile:
    return read((FIXTURES / f"{name}.flent.gz").read_bytes())


def changed(name: str, **metadata: Any) -> DataFile:
    """A captured file with some of its metadata changed."""
    document = json.loads(gzip.decompress((FIXTURES / f"{name}.flent.gz").read_bytes()))
    document["metadata"].update(metadata)
    return read(json.dumps(document).encode())


@pytest.mark.parametrize("kind", ["numpy", "plain"])
@pytest.mark.parametrize("name", FILES)
def test_the_summary_is_flents_own(name: str, kind: str) -> None:
    printed = {row["series"]: row for row in text_rows((FIXTURES / f"{name}.{kind}.txt").read_text())}
    ours = {row["series"]: row for row in summary(load(name), numpy=kind == "numpy") if row["avg"] is not None}
    assert set(ours) == set(printed) and ours
    for series, row in ours.items():
        for key in ("avg", "median", "p99"):
            text = None if row[key] is None else f"{row[key]:.2f}"
            assert text == (None if printed[series][key] is None else f"{printed[series][key]:.2f}"), (series, key)
        assert (row["n"], row["units"]) == (printed[series]["n"], printed[series]["units"])


OLD = """
                    avg       median          # data pts
 Ping (ms) ICMP   :         3.07         3.04 ms                349
 TCP download sum :       217.00       217.50 Mbits/s           301
"""
NEW = """
                             avg       median       99th %          # data pts
 Ping (ms) ICMP   :         3.07         3.04         9.80 ms              349
 TCP download sum :       217.00          N/A          N/A Mbits/s         301
"""


@pytest.mark.parametrize("text", [OLD, NEW])
def test_columns_of_a_printed_summary_go_by_their_names(text: str) -> None:
    rows = {row["series"]: row for row in text_rows(text)}
    assert (rows["TCP download sum"]["avg"], rows["Ping (ms) ICMP"]["median"]) == (217.00, 3.04)


@pytest.mark.parametrize(
    ("name", "test", "reasons", "flags"),
    [
        ("tcp_8down", "tcp_8down", [], []),
        ("tcp_8up", "tcp_8up", [], []),
        ("rrul", "rrul", [], []),
        ("ping", "ping", [], []),
        ("own_rrul", "rrul", [], []),
        ("dead_server", "tcp_8down", ["MISSING_STREAMS"], []),
        ("no_ping", "tcp_2up", [], ["PING_MISSING"]),
        ("killed_streams", "tcp_4up", ["MEAN_UNKNOWN"], []),
        ("tcp_8down", "tcp_4down", ["MISSING_STREAMS"], []),
        ("tcp_8down", "rrul", ["MISSING_STREAMS"], []),
    ],
)
def test_what_counts(name: str, test: str, reasons: list[str], flags: list[str]) -> None:
    found = judged(load(name), shape_of(test))
    assert ([item["code"] for item in found[0]], [item["code"] for item in found[1]]) == (reasons, flags)


def test_what_flent_and_the_link_say() -> None:
    shape = shape_of("tcp_8down")
    assert [item["code"] for item in judged(changed("tcp_8down", FAILED_RUNNERS=2), shape)[0]] == ["FAILED_RUNNERS"]
    assert [item["code"] for item in judged(changed("tcp_8down", LENGTH=60), shape)[0]] == ["SHORT_RUN"]
    assert [item["code"] for item in judged(load("tcp_8down"), shape, link_bps=1e7)[0]] == ["ABOVE_LINE_RATE"]
    assert [item["code"] for item in judged(load("tcp_8down"), shape, link_bps=1e8)[0]] == []


def test_the_mean_of_a_sum_of_streams_that_died_is_not_taken() -> None:
    file = load("killed_streams")
    assert file.series["TCP upload sum"].mean == 55.23
    assert direction_rate(file, "upload") is None and metrics_of(file, shape_of("tcp_4up"))["throughput"]["value"] is None


def test_numbers_of_rrul() -> None:
    numbers = metrics_of(load("rrul"), shape_of("rrul"))
    assert numbers["throughput"] == {"value": 94.25e6, "unit": "bit/s", "direction": "server→client"}
    assert numbers["throughput_reverse"]["value"] == pytest.approx(93.3e6)
    assert numbers["throughput_total"]["value"] == pytest.approx(187.55e6)
    assert numbers["ping_median"]["value"] == pytest.approx(0.0134)
    assert {"ping_udp_be", "ping_udp_bk", "ping_udp_ef"} <= set(numbers)
    assert numbers["ping_idle"]["value"] < 0.001 < numbers["ping_loaded"]["value"]
    assert numbers["bloat"]["value"] == pytest.approx(numbers["ping_loaded"]["value"] - numbers["ping_idle"]["value"])
    assert numbers["ping_p99"]["value"] is None, "25 answers under load are too few"


def test_the_window_of_the_load() -> None:
    file = load("tcp_8down")
    window = window_of(file)
    first = begin(file)
    assert window is not None and first is not None
    assert (window.start - first, window.end - first) == (1.0, 6.0)


def test_a_time_without_zone_is_fitted_to_the_readings() -> None:
    file = load("tcp_8down")
    local = changed("tcp_8down", T0=file.metadata["T0"].replace("T05:", "T07:").rstrip("Z"))
    assert begin(local) == pytest.approx(begin(file), abs=1e-3)
    assert ping_numbers(local) == ping_numbers(file)


def test_means_of_streams_have_two_decimals() -> None:
    assert stream_means(load("tcp_8down")) == {"down": [12.05, 12.04, 13.95, 12.39, 12.21, 10.68, 11.66, 11.62], "up": []}


@pytest.mark.parametrize(
    ("test", "shape"),
    [
        ("tcp_8down", (8, 0)), ("tcp_12up", (0, 12)), ("rrul", (4, 4)), ("tcp_download", (1, 0)), ("tcp_ndown", (3, 0)), ("rtt_fair", (None, None)),
        ("ping", (0, 0)),
    ],
)
def test_shapes(test: str, shape: tuple[Any, Any]) -> None:
    assert shape_of(test, 3) == Shape(*shape)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "NO_JSON"), (b"{}", "NO_FLENT_FILE"), (b"\x1f\x8bxx", "NOT_READABLE"), (gzip.compress(b"[" * 100000), "NO_JSON"),
        (b'{"version": 3, "metadata": {}}', "FORMAT_VERSION"), (b'{"version": 4, "metadata": {}}', "NO_DATA"), (b'{"metadata": 1}', "NO_FLENT_FILE"),
        ((FIXTURES / "rrul.flent.gz").read_bytes()[:5000], "TRUNCATED"),
    ],
)
def test_files_that_are_none(data: bytes, code: str) -> None:
    file = read(data)
    assert [item["code"] for item in judged(file, shape_of("rrul"))[0]] == [code]
    assert all(item["value"] is None for item in metrics_of(file, shape_of("rrul")).values())


SCALAR = st.none() | st.booleans() | st.integers(-(10**400), 10**400) | st.floats() | st.text(max_size=4)
NAMES = st.sampled_from(["TCP download::1", "TCP upload BE", "Ping (ms) ICMP", "Ping (ms) UDP", "TCP download sum", "x"])
SAMPLE = SCALAR | st.dictionaries(st.sampled_from(["t", "val", "seq"]), SCALAR)
META = st.dictionaries(st.sampled_from(["MEAN_VALUE", "ELAPSED_TIME", "TCP_RETRANSMIT", "UNITS", "COMPUTED_LATE"]), SCALAR)
DOCUMENT = st.fixed_dictionaries({
    "version": st.just(4) | SCALAR,
    "x_values": st.lists(SCALAR, max_size=3) | SCALAR,
    "results": st.dictionaries(NAMES, st.lists(SCALAR, max_size=3) | SCALAR) | SCALAR,
    "raw_values": st.dictionaries(NAMES, st.lists(SAMPLE, max_size=4) | SCALAR) | SCALAR,
    "metadata": st.fixed_dictionaries({}, optional={
        "SERIES_META": st.dictionaries(NAMES, META | SCALAR) | SCALAR, "T0": SCALAR | st.just("2026-01-01T00:00:00.5Z"), "LENGTH": SCALAR,
        "TOTAL_LENGTH": SCALAR, "FAILED_RUNNERS": SCALAR, "NAME": SCALAR,
    }),
})


def usable(file: DataFile, shape: Shape) -> None:
    """Everything that is done with a file, and no number that is none."""
    judged(file, shape, 1e9)
    summary(file)
    stream_means(file)
    for item in metrics_of(file, shape).values():
        assert item["value"] is None or math.isfinite(item["value"])


@given(st.text(), st.sampled_from([OLD, NEW]))
def test_no_printed_summary_makes_it_fail(text: str, head: str) -> None:
    assert isinstance(text_rows(head + text), list) and isinstance(text_rows(text + head), list)


@given(DOCUMENT, st.sampled_from(["tcp_1down", "rrul", "ping", "odd"]))
@settings(max_examples=300, deadline=None)
def test_no_content_makes_it_fail(document: dict[str, Any], test: str) -> None:
    try:
        data = json.dumps(document).encode()
    except ValueError:
        return  # half of a surrogate pair, or an integer of too many digits: not to be written as JSON
    usable(read(data), shape_of(test))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_bytes_make_it_fail(data: Any) -> None:
    content = bytearray((FIXTURES / f"{data.draw(st.sampled_from(FILES))}.flent.gz").read_bytes())
    for _time in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    usable(read(bytes(content[: data.draw(st.integers(0, len(content)))])), shape_of("rrul"))
