# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What charts show is decided without drawing; what is drawn is read back from the SVG."""

from __future__ import annotations

import struct
import sys
from typing import Any
from xml.etree import ElementTree

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._report import charts
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.picture import GREY, PALETTE, bar_chart, colours, run_order
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise

PLAN = run_data.bakeoff_plan()
RECORDS = run_data.bakeoff_records(PLAN)
SUMMARY = summarise(PLAN, RECORDS)
BASE = "dut/baseline/l2"


def chart(values: dict[str, list[float | None]], baseline: list[float] | None = None, **more: Any) -> Any:
    """The bar chart of one scenario with these values per profile."""
    cells = [run_data.cell("dut", name, "inter_vlan", baseline=BASE) for name in values] + [run_data.cell("dut", "baseline", "l2", n=3)]
    plan = run_data.plan(cells)
    made = [run_data.record(plan, f"dut/{name}/inter_vlan", number, value, **more.get(name, {}))
            for name, row in values.items() for number, value in enumerate(row, 1)]
    made += [run_data.record(plan, BASE, number, value) for number, value in enumerate(baseline or [], 1)]
    summary = summarise(plan, made)
    return bar_chart(summary, summary["boards"][0])


def drawn_text(svg: str) -> str:
    return "\n".join("".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))


def test_bars_dots_whiskers_and_band() -> None:
    picture = chart({"routing": [5e9, 5.1e9, 5.2e9, 5.3e9, 5.4e9]}, [9e9, 9.1e9, 9.2e9])
    item = picture.bars[0]
    assert (item.value, item.low, item.high) == (5.2, 5.0, 5.4)
    assert item.dots == [5.0, 5.1, 5.2, 5.3, 5.4]
    assert picture.bands == [(9.0, 9.1, 9.2, "no router 9.10 Gbit/s (n=3)")]
    assert item.text == "5.20 Gbit/s · 57 % of baseline"
    assert picture.axis == "Throughput, Gbit/s, higher is better"
    assert "n=5 trials" in picture.caption and "93.75 % coverage" in picture.caption
    assert "direction lan2→lan" in picture.caption and "tier namespace" in picture.caption


def test_unknown_is_a_gap_with_words() -> None:
    item = chart({"routing": [5e9] * 5, "nat": [None] * 5}).bars[-1]
    assert (item.value, item.dots, item.text) == (None, [], "n/a (0 of 5 trials valid)")


def test_harness_limited_is_hatched_and_a_lower_bound() -> None:
    picture = chart({"routing": [9e9] * 5, "nat": [5e9] * 5}, [9.1e9] * 3)
    assert [item.hatched for item in picture.bars] == [True, False]
    assert picture.bars[0].text == "≥ 9.00 Gbit/s · 99 % of baseline · harness-limited"
    assert "hatched: a lower bound, not ranked" in picture.caption


def test_a_failed_gate_is_grey_and_says_so() -> None:
    picture = chart({"routing": [5e9] * 5, "nat": [6e9] * 5}, nat={"gate": {"passed": False, "failed": ["nat_proven"]}})
    assert [item.greyed for item in picture.bars] == [False, True]
    assert picture.bars[1].text.endswith("gate failed")
    assert "grey: gate failed" in picture.caption


def test_a_partial_run_says_so_in_the_caption() -> None:
    assert "PARTIAL run: 4 of 8 trials" in chart({"routing": [5e9] * 4}).caption


def test_colours_are_the_same_in_every_chart() -> None:
    seen: dict[str, set[str]] = {}
    for board in SUMMARY["boards"]:
        for item in bar_chart(SUMMARY, board).bars:
            seen.setdefault(item.label, set()).add(item.colour)
    assert all(len(found) == 1 for found in seen.values())
    assert len({colour for found in seen.values() for colour in found}) == len(seen) == 4
    assert colours(SUMMARY)["dut/baseline/l2_baseline"] == GREY
    assert len(set(PALETTE)) == len(PALETTE) >= 8


def test_run_order_is_relative_to_each_cells_median() -> None:
    picture = run_order(SUMMARY)
    assert picture is not None
    points = [point for *dummy, found in picture.series for point in found]
    assert len(points) == 67
    assert sorted(seq for seq, dummy in points) == sorted(record["seq"] for record in RECORDS if record["valid"])
    assert picture.invalid == [17, 40]
    assert {name for name, *dummy in picture.series} == {"no router (baseline)", *run_data.TITLES.values()}
    assert run_order(summarise(PLAN, [])) is None


@pytest.mark.parametrize("board", SUMMARY["boards"], ids=lambda board: board["id"])
def test_what_is_drawn_says_what_it_is(board: dict[str, Any]) -> None:
    picture = bar_chart(SUMMARY, board)
    drawn = charts.draw(picture)
    text = drawn_text(drawn.svg)
    for words in (picture.title, picture.axis, *picture.caption.split("\n"), *(item.label for item in picture.bars), *(item.text for item in picture.bars)):
        assert words in text
    assert drawn.png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", drawn.png[16:24])
    assert wide >= 1200 and high >= 400


def test_the_axis_begins_at_zero() -> None:
    labels = drawn_text(charts.draw(bar_chart(SUMMARY, SUMMARY["boards"][0])).svg).splitlines()
    assert "0" in labels


def test_hatching_is_drawn() -> None:
    hatched = charts.draw(chart({"routing": [9e9] * 5}, [9.1e9] * 3)).svg
    plain = charts.draw(chart({"routing": [5e9] * 5}, [9.1e9] * 3)).svg
    assert "<pattern" in hatched and "<pattern" not in plain


def test_the_same_picture_is_drawn_in_the_same_bytes() -> None:
    picture = bar_chart(SUMMARY, SUMMARY["boards"][0])
    first, second = charts.draw(picture), charts.draw(picture)
    assert (first.png, first.svg) == (second.png, second.svg)


def test_inline_pictures_do_not_clash_and_follow_the_page() -> None:
    drawn = charts.draw(chart({"routing": [9e9] * 5}, [9.1e9] * 3))
    one, two = drawn.inline("a"), drawn.inline("b")

    def ids(text: str) -> set[str]:
        return {node.attrib["id"] for node in ElementTree.fromstring(text).iter() if "id" in node.attrib}

    assert ids(one) and not ids(one) & ids(two)
    root = ElementTree.fromstring(one)
    assert "viewBox" in root.attrib and "width" not in root.attrib and "height" not in root.attrib
    assert charts.INK not in one and "var(--ink)" in one and "color-mix" in one
    assert "<metadata" not in one and "<?xml" not in one


@pytest.mark.parametrize("label", ["<b>&\"'</b>", "$x^2$ 100 %", "ünï→ç ≥", "a" * 90, ""])
def test_any_label_can_be_drawn(label: str) -> None:
    cells = [run_data.cell("dut", "routing", "inter_vlan", profile_title=label or " ", title=label or " ")]
    plan = run_data.plan(cells)
    summary = summarise(plan, [run_data.record(plan, "dut/routing/inter_vlan", 1, 5e9)])
    drawn = charts.draw(bar_chart(summary, summary["boards"][0]))
    ElementTree.fromstring(drawn.svg)
    assert label in drawn_text(drawn.svg)


@pytest.mark.parametrize("values", [[0.0] * 5, [1.0], [1e-3] * 2, [1e13] * 3])
def test_any_value_can_be_drawn(values: list[float | None]) -> None:
    assert charts.draw(chart({"routing": values})).png


def test_many_bars_still_fit() -> None:
    picture = chart({f"profile_{number}": [1e9 * number] for number in range(1, 80)})
    wide, high = struct.unpack(">II", charts.draw(picture).png[16:24])
    assert high > 5000 > wide


def test_without_matplotlib_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "matplotlib is not installed on the controller" in (charts.available() or "")
