# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import (
    duration,
    human,
    human_range,
    kpps_nominal,
    percent,
    round_seed,
    significant,
)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (5.71e9, "bit/s", "5.71 Gbit/s"),
        (12.3e9, "bit/s", "12.3 Gbit/s"),
        (2.7e9, "bit/s", "2.70 Gbit/s"),
        (941.5e6, "bit/s", "942 Mbit/s"),
        (437.5e6, "bit/s", "438 Mbit/s"),
        (36.3e6, "bit/s", "36.3 Mbit/s"),
        (999.6e6, "bit/s", "1.00 Gbit/s"),
        (999.4e6, "bit/s", "999 Mbit/s"),
        (64e3, "bit/s", "64.0 kbit/s"),
        (12.0, "bit/s", "12.0 bit/s"),
        (0.0, "bit/s", "0 bit/s"),
        (173828.0, "packet/s", "174 kpps"),
        (0.00123, "s", "1.23 ms"),
        (37.0, "s", "37.0 s"),
        (3.0, "1", "3"),
        (16.5, "1", "16.5"),
        (1448.0, "B", "1.45 kB"),
        (55.5, "%", "55.5 %"),
        (None, "bit/s", "n/a"),
    ],
)
def test_human(value: float | None, unit: str, text: str) -> None:
    assert human(value, unit) == text


def test_ranges_share_one_unit() -> None:
    assert human_range(981e6, 1.02e9, "bit/s") == "0.981 – 1.02 Gbit/s"
    assert human_range(3.0, 12.0, "1") == "3 – 12"
    assert human_range(None, 1.0, "s") == "n/a"


@given(st.floats(1e-9, 1e15, allow_nan=False))
def test_three_significant_digits_are_never_more_than_half_a_digit_off(value: float) -> None:
    text = significant(value)
    assert abs(float(text) - value) <= value * 0.005 + 1e-12
    digits = text.replace(".", "").lstrip("0")
    assert len(digits) == 3 or value >= 1000


@pytest.mark.parametrize(("ratio", "text"), [(0.6119, "61.2 %"), (1.0, "100.0 %"), (None, "n/a")])
def test_percent(ratio: float | None, text: str) -> None:
    assert percent(ratio) == text


@pytest.mark.parametrize(("seconds", "text"), [(-1, "0s"), (45.4, "45s"), (100, "1m40s"), (3725, "1h02m")])
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


# write-up 002, all fifteen rows: Mbit/s, bytes, printed kpps
ROWS = [
    ("178", 128, "173.8"), ("437.5", 256, "213.6"), ("727.5", 512, "177.6"), ("875", 1024, "106.8"), ("909", 1500, "75.7"),
    ("36.3", 128, "35.4"), ("103", 256, "50.3"), ("228.5", 512, "55.8"), ("484.5", 1024, "59.1"), ("709", 1500, "59.1"),
    ("179.5", 128, "175.3"), ("430.5", 256, "210.2"), ("707", 512, "172.6"), ("883", 1024, "107.8"), ("919", 1500, "76.6"),
]


@pytest.mark.parametrize(("mbps", "size", "printed"), ROWS)
def test_kpps_nominal_is_the_write_ups_column(mbps: str, size: int, printed: str) -> None:
    assert kpps_nominal(mbps, size) == printed


@pytest.mark.parametrize(("value", "rounded"), [(1724, 1720), (94.3, 94), (199.6, 200), (204.9, 200), (215, 220), (7.4, 7)])
def test_round_seed(value: float, rounded: int) -> None:
    assert round_seed(value) == rounded
