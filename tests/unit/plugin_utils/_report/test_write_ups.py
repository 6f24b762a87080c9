# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The write-ups' published tables go in as records and come out as the same tables."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.csv_text import csv_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import headline_table
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.text import table_text

FILES = sorted((Path(__file__).parents[3] / "fixtures/runs").glob("write_up_*.json"))


def metric(scenario: dict[str, Any]) -> dict[str, Any]:
    name = "throughput" if scenario["unit"] == "bit/s" else scenario["name"]
    return {"name": name, "unit": scenario["unit"], "title": scenario["title"], "better": scenario["better"]}


def run_of(write_up: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A plan with one trial per published number, and its records."""
    values: dict[str, float] = {}
    cells = []
    for name, value in write_up["baseline"].items():
        cells.append(run_data.cell("bench", "baseline", name, n=1))
        values[cells[-1]["id"]] = value
    for dut, profile, row in write_up["rows"]:
        for scenario in write_up["scenarios"]:
            if scenario["name"] in row:
                baseline = f"bench/baseline/{scenario['baseline']}" if scenario["baseline"] else None
                cells.append(run_data.cell(dut, profile, scenario["name"], title=scenario["title"], baseline=baseline, n=1,
                                           metrics=[metric(scenario)], platform="", version="", direction=""))
                values[cells[-1]["id"]] = row[scenario["name"]]
    plan = run_data.plan(cells, tier="hardware", link_bps=write_up.get("link_bps"))
    records = []
    for cell in cells:
        spec = cell["metrics"][0]
        metrics = {spec["name"]: {"value": values[cell["id"]], "unit": spec["unit"]}}
        records.append(run_data.record(plan, cell["id"], 1, values[cell["id"]], metrics=metrics, gate={"passed": None, "failed": []}))
    return plan, records


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def case(request: pytest.FixtureRequest) -> tuple[dict[str, Any], dict[str, Any]]:
    write_up = json.loads(request.param.read_text(encoding="utf-8"))
    return write_up, summarise(*run_of(write_up))


def test_there_are_write_ups() -> None:
    assert len(FILES) == 3


def test_the_headline_table_is_the_published_one(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
    write_up, summary = case
    table = headline_table(summary)
    assert table.columns[2:] == [scenario["title"] for scenario in write_up["scenarios"]]
    rows = [[row[0].text, *[cell.text for cell in row[2:]]] for row in table.rows]
    measured = rows[: len(write_up["rows"])]
    assert measured == write_up["printed"]
    assert [row[1].text for row in table.rows][: len(measured)] == [row[1] for row in write_up["rows"]]
    if "printed_baseline" in write_up:
        assert rows[len(measured)][1:] == write_up["printed_baseline"]
    else:
        assert len(rows) == len(measured)
    assert all(text in table_text(table) for row in write_up["printed"] for text in row)


def test_verdicts_and_ratios(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
    write_up, summary = case
    for dut, name in write_up["verdicts"].items():
        mine = [cell for cell in summary["cells"] if cell["dut"] == dut and cell["metrics"][0]["unit"] == "bit/s"]
        assert {cell["verdict"] for cell in mine} == {name}
    for dut, ratio in write_up.get("of_baseline", {}).items():
        cell = next(cell for cell in summary["cells"] if cell["dut"] == dut)
        assert round(cell["metrics"][0]["of_baseline"], 2) == ratio


def test_the_csv_has_the_exact_numbers(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
    write_up, summary = case
    rows = {(row["dut"], row["profile"], row["scenario"]): row for row in csv.DictReader(io.StringIO(csv_text(summary)))}
    for dut, profile, values in write_up["rows"]:
        for scenario, value in values.items():
            row = rows[dut, profile, scenario]
            assert float(row["median"]) == value
            assert (row["n"], row["interval_low"], row["cov"]) == ("1", "", "")


def test_one_number_each_shows_no_difference(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
    for board in case[1]["boards"]:
        assert all(pair["better"] is None for pair in board["pairs"])
        assert {row["rank"] for row in board["rows"]} <= {1, None}
