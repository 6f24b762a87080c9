# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""CSV, Markdown and HTML: exact, escaped, self-contained."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.csv_text import csv_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.document import document
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.html import html, json_for_script
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.markdown import escape, markdown
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise

PLAN = run_data.bakeoff_plan()
SUMMARY = summarise(PLAN, run_data.bakeoff_records(PLAN))
EVIL = "</script><script>alert('x')</script><img src=x onerror=alert(1)> & \"quoted\" | `code` [link](http://evil.example)"


class Reader(HTMLParser):
    """Tags, attributes and text of a page; complains about a tag that is closed but was never opened."""

    VOID = ("meta", "br", "link", "img", "input", "hr")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)


def page_of(summary: dict[str, Any], charts: dict[str, str] | None = None) -> str:
    return html("Title", document(summary), summary, charts or {})


def evil_summary() -> dict[str, Any]:
    cells = [run_data.cell("dut", "routing", "inter_vlan", title=EVIL, profile_title=EVIL, platform=EVIL, version=EVIL, direction=EVIL,
                           params={"note": EVIL}, metrics=[{**run_data.THROUGHPUT, "title": EVIL}])]
    plan = run_data.plan(cells, lab={"name": "lab", "title": EVIL, "hash": "0" * 64}, suite={"name": "x", "title": EVIL})
    made = [
        run_data.record(plan, "dut/routing/inter_vlan", number, value, conditions={"note": EVIL}, argv=["iperf3", EVIL])
        for number, value in ((1, 5e9), (2, None), (3, 5e9))
    ]
    made[1]["reasons"][0]["detail"] = EVIL
    return summarise(plan, made, problems=[EVIL], events=[{"event": "unreachable", "host": EVIL, "detail": EVIL}])


def test_the_page_is_well_formed_and_loads_nothing() -> None:
    text = page_of(SUMMARY, {"inter_vlan-throughput": "<svg></svg>"})
    reader = Reader(text)
    assert reader.open == []
    assert "svg" in reader.tags
    assert not {"link", "img", "iframe", "object", "embed"} & set(reader.tags)
    assert [value for dummy, name, value in reader.attributes if name in ("src", "href", "srcset", "action") and not value.startswith("#")] == []
    assert not re.search(r"@import|url\((?!#)", text.split("</style>", maxsplit=1)[0])
    assert "default-src 'none'" in text


def test_no_script_runs() -> None:
    reader = Reader(page_of(SUMMARY))
    assert reader.tags.count("script") == 1
    assert ("script", "type", "application/json") in reader.attributes
    assert not [name for dummy, name, dummy_value in reader.attributes if name.startswith("on")]


def test_the_embedded_summary_is_the_summary() -> None:
    assert json.loads("".join(Reader(page_of(SUMMARY)).scripts)) == SUMMARY


def test_hostile_text_stays_text() -> None:
    text = page_of(evil_summary())
    reader = Reader(text)
    assert reader.open == []
    assert reader.tags.count("script") == 1
    assert "img" not in reader.tags
    assert json.loads("".join(reader.scripts))["lab"]["title"] == EVIL
    assert text.count("&lt;img src=x") >= 8


def test_sections_can_be_reached() -> None:
    reader = Reader(page_of(SUMMARY))
    targets = [value[1:] for tag, name, value in reader.attributes if (tag, name) == ("a", "href")]
    assert len(targets) > 6
    assert set(targets) <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_json_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_for_script({"x": value})


def test_json_cannot_end_its_script() -> None:
    text = json_for_script({"x": "</script>\u2028&"})
    assert "<" not in text and "\u2028" not in text
    assert json.loads(text) == {"x": "</script>\u2028&"}


def test_light_dark_and_print() -> None:
    text = page_of(SUMMARY)
    for words in ("prefers-color-scheme: dark", "@media print", "width=device-width", "color-scheme: light dark"):
        assert words in text


def test_markdown_keeps_hostile_text_in_its_cell() -> None:
    text = re.sub(r"^(`{3,})text\n.*?^\1$", "", markdown(document(evil_summary())), flags=re.DOTALL | re.MULTILINE)
    assert "<script>" not in text and "<img" not in text and not re.search(r"(?<!\\)\]\(http", text)
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1


def test_markdown_leaves_names_readable() -> None:
    assert escape("dut/nat/inter_vlan_reverse") == "dut/nat/inter_vlan_reverse"
    assert escape("_x_ a*b\nc") == r"\_x\_ a\*b c"


def test_markdown_with_and_without_charts() -> None:
    assert "![" in markdown(document(SUMMARY), True)
    assert "](charts/inter_vlan-throughput.png)" in markdown(document(SUMMARY), True)
    assert "![" not in markdown(document(SUMMARY), False)


def rows_of(summary: dict[str, Any]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(summary))))


def test_csv_has_exact_values_and_empty_fields_for_the_unknown() -> None:
    rows = rows_of(SUMMARY)
    assert len(rows) == sum(len(cell["metrics"]) for cell in SUMMARY["cells"])
    cell = next(cell for cell in SUMMARY["cells"] if cell["id"] == "dut/nat/inter_vlan")
    row = next(row for row in rows if row["cell"] == cell["id"] and row["metric"] == "throughput")
    assert float(row["median"]) == cell["metrics"][0]["median"]
    assert [float(value) for value in row["values"].split()] == [item["value"] for item in cell["metrics"][0]["values"]]
    assert (row["unit"], row["rank"], row["gate_passed"], row["outlier_trials"]) == ("bit/s", "2", "true", "4")
    base = next(row for row in rows if row["role"] == "baseline")
    assert (base["verdict"], base["rank"], base["of_baseline"]) == ("", "", "")


def test_csv_of_unknown_values_has_no_zero() -> None:
    plan = run_data.plan([run_data.cell("dut", "routing", "inter_vlan")])
    row = rows_of(summarise(plan, [run_data.record(plan, "dut/routing/inter_vlan", 1, None)]))[0]
    assert [row[name] for name in ("median", "min", "max", "cov", "interval_low", "baseline_median", "values")] == [""] * 7
    assert (row["n"], row["n_invalid"], row["reasons"]) == ("0", "1", "CONTROL_LOST:1")


def test_csv_does_not_feed_formulas_to_a_spreadsheet() -> None:
    plan = run_data.plan([run_data.cell("=cmd|' /C calc'!A0", "routing", "inter_vlan")])
    made = [run_data.record(plan, "=cmd|' /C calc'!A0/routing/inter_vlan", 1, 5e9)]
    assert rows_of(summarise(plan, made))[0]["dut"].startswith("'=")


def test_the_page_says_what_a_careful_reader_asks() -> None:
    text = page_of(SUMMARY)
    for words in (
        "compare ratios, not absolute speed", "counted by the receiver", "drawn with seed 7", "n=5: [min, max], 93.75 %", "Mann-Whitney",
        "2 invalid", "iperf 3.12", "ansible-playbook playbooks/report.yml", "bench_resume=", "DUT_LIMITED", "Order of measurement",
    ):
        assert words in text or words in text.replace("&#x27;", "'"), words
