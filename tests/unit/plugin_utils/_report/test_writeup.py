# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of write-ups 002 and 003, made again from their numbers."""
from __future__ import annotations

import csv
import random
import re
from decimal import Decimal
from pathlib import Path

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import round_seed
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.writeup import Figure, cell_of_search, figure_cell, packet_row, sqm_cell

FOLDER = Path(__file__).resolve().parents[3] / "fixtures" / "writeups"
TESTS = ("8dn", "8up", "rrul", "8dn_sqm", "8up_sqm", "rrul_sqm")


def rows(name: str) -> list[dict[str, str]]:
    with open(FOLDER / name, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


PACKETS = [row for row in rows("002_packet_sizes.tsv") if row["device"] != "baseline"]
CELLS = [(row["soc"], test, row[test]) for row in rows("003_tables.tsv") for test in TESTS]


@pytest.mark.parametrize("row", PACKETS, ids=lambda row: f"{row['device']}-{row['size']}")
def test_every_row_of_write_up_002(row: dict[str, str]) -> None:
    assert packet_row(int(row["size"]), row["mbps"], row["cpu_percent"]) == [row["size"], row["mbps"], row["kpps"], row["cpu_percent"]]


def numbers(cell: str) -> tuple[list[int], list[int], bool]:
    """Throughputs, pings, and whether the cell has the mark."""
    match = re.fullmatch(r"(\d+)(L?)(?: (\d+)(L?))? \((\d+)\)(?: \((\d+)\))?", cell)
    assert match, cell
    rates, pings = ([int(text) for text in match.group(*which) if text] for which in ((1, 3), (5, 6)))
    assert len(rates) == len(pings)
    return rates, pings, bool(match.group(2) or match.group(4))


def make(rates: list[float], pings: list[float], limited: bool) -> str:
    figures = [Figure(*pair) for pair in zip(rates, pings)]
    return sqm_cell(figures[-1], figures[0], limited)


def test_the_tables_are_whole() -> None:
    assert len(PACKETS) == 15
    assert len(CELLS) == 258
    assert sum(len(numbers(cell)[0]) == 2 for _soc, _test, cell in CELLS) == 25
    assert sum(numbers(cell)[2] for _soc, _test, cell in CELLS) == 6


@pytest.mark.parametrize(("soc", "test", "cell"), CELLS)
def test_every_cell_of_write_up_003(soc: str, test: str, cell: str) -> None:
    rates, pings, limited = numbers(cell)
    assert make(list(rates), list(pings), limited) == cell
    dice = random.Random(f"{soc}{test}{cell}")
    for _number in range(20):  # and from unrounded numbers that round to what was printed
        assert make([unrounded(rate, dice) for rate in rates], [unrounded(ping, dice) for ping in pings], limited) == cell


def unrounded(printed: int, dice: random.Random) -> float:
    """A number that is printed as this one."""
    return dice.uniform(printed - (0.499 if printed <= 200 else 4.99), printed + (0.499 if printed < 200 else 4.99))


def test_two_significant_digits_is_not_what_the_write_up_does() -> None:
    printed = [value for _soc, _test, cell in CELLS for column in numbers(cell)[:2] for value in column]
    assert all(round_seed(value) == value for value in printed)
    strict = [value for value in printed if Decimal(value).quantize(Decimal(1).scaleb(Decimal(value).adjusted() - 1)) != value]
    assert {151, 196, 1720} & set(printed) == {151, 196, 1720}
    assert len(strict) > 20


@pytest.mark.parametrize(("value", "rounded"), [(1724, 1720), (94.3, 94), (199.6, 200), (204.9, 200), (215, 220), (7.4, 7), (150.5, 151), (0.4, 0), (196, 196)])
def test_round_seed(value: float, rounded: int) -> None:
    assert round_seed(value) == rounded


def test_cells_of_what_is_not_known() -> None:
    assert figure_cell(None) == "n/a"
    assert figure_cell(Figure(941.2)) == "940 (n/a)"
    assert sqm_cell(Figure(206.4, 3.1), None, True) == "210L (3)"
    assert sqm_cell(Figure(13.6, 69.8), Figure(10.2, 9.9)) == "10 14 (10) (70)"


def test_the_cell_of_a_search() -> None:
    answer = {"target": 445.0, "throughput": 418.3, "ping_ms": 13.1, "cov": 0.001, "sd": 0.1}
    assert cell_of_search({"best": answer, "with_ping": answer, "limited": False}) == "420 (13)"
    assert cell_of_search({"best": answer, "with_ping": {**answer, "throughput": 359.1, "ping_ms": 8.0}, "limited": False}) == "360 420 (8) (13)"
    assert cell_of_search({"best": None, "with_ping": None}) == "n/a"
