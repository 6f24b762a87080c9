# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people read them. Tables and charts print three significant digits; CSV and JSON keep the exact SI value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

UNKNOWN = "n/a"
SHARE = "share"
"""How a ratio is shown, as a percentage; in records and files its unit is 1."""
_RATIO = re.compile(r"(^|_)(loss|ratio)(_|$)")
_PREFIXED = {"bit/s": "bit/s", "packet/s": "pps", "B": "B", "connection/s": "conn/s"}
_STEPS = ((Decimal("1e12"), "T"), (Decimal("1e9"), "G"), (Decimal("1e6"), "M"), (Decimal("1e3"), "k"), (Decimal(1), ""))


def shown_unit(item: Mapping[str, Any]) -> str:
    """The unit in which a metric, or the metric of a board, is shown."""
    name = str(item.get("metric") or item.get("name") or "")
    return SHARE if item["unit"] == "1" and _RATIO.search(name) else str(item["unit"])


def significant(value: float | Decimal, digits: int = 3) -> str:
    """Half-up to so many significant digits, trailing zeros kept: 9.19, 2.70, 941, 0.0312."""
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if number == 0:
        return "0"
    places = digits - 1 - number.adjusted()
    rounded = number.quantize(Decimal(1).scaleb(-max(places, 0)), rounding=ROUND_HALF_UP)
    if rounded.adjusted() > number.adjusted():
        rounded = number.quantize(Decimal(1).scaleb(-max(places - 1, 0)), rounding=ROUND_HALF_UP)
    return f"{rounded:f}"


def scale_for(value: float | None, unit: str) -> tuple[Decimal, str]:
    """Divisor and printed unit in which this value reads well."""
    if value is None:
        return Decimal(1), unit
    number = abs(Decimal(repr(float(value))))
    if unit == "s":
        return (Decimal("0.001"), "ms") if 0 < number < 1 else (Decimal(1), "s")
    if unit == SHARE:
        return Decimal("0.01"), "%"
    if unit not in _PREFIXED:
        return Decimal(1), "" if unit == "1" else unit
    for size, prefix in _STEPS:
        if number >= size * Decimal("0.9995"):
            return size, prefix + _PREFIXED[unit]
    return Decimal(1), _PREFIXED[unit]


def human(value: float | None, unit: str) -> str:
    """A value with its unit: C(5.71 Gbit/s), C(941 Mbit/s), C(n/a) when unknown."""
    if value is None:
        return UNKNOWN
    size, name = scale_for(value, unit)
    if unit == "1" and float(value).is_integer():
        return f"{int(value)}"
    text = significant(Decimal(repr(float(value))) / size)
    return f"{text} {name}".strip()


def human_range(low: float | None, high: float | None, unit: str) -> str:
    """An interval in one unit, that of its upper end: C(5.60 – 5.80 Gbit/s)."""
    if low is None or high is None:
        return UNKNOWN
    size, name = scale_for(max(abs(low), abs(high)), unit)
    if unit == "1" and float(low).is_integer() and float(high).is_integer():
        return f"{int(low)} – {int(high)}"
    texts = [significant(Decimal(repr(float(value))) / size) for value in (low, high)]
    return f"{texts[0]} – {texts[1]} {name}".strip()


def percent(ratio: float | None, digits: int = 1) -> str:
    """A ratio as a percentage: 0.6119 is C(61.2 %)."""
    if ratio is None:
        return UNKNOWN
    number = (Decimal(repr(float(ratio))) * 100).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return f"{number} %"


def duration(seconds: float) -> str:
    """45s, 1m40s, 1h02m."""
    whole = max(0, int(round(seconds)))
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02d}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02d}m"


def kpps_nominal(mbps: float | str, size_bytes: int) -> str:
    """The packet rate that follows from rate and size, in thousands per second, one decimal; derived, never counted."""
    exact = Decimal(str(mbps)) * 1000 / (8 * Decimal(size_bytes))
    return str(exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_DOWN))


def round_seed(value: float | str) -> int:
    """As write-up 003 rounds in practice, halves up: whole numbers below 200, tens from there on: 94, 151, 220, 1720."""
    number = Decimal(str(value))
    step = Decimal(1) if number < 200 else Decimal(10)
    return int((number / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step)
