# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The summary of a whole run, and what it says in words."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.progress import Progress
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.schema import SUMMARY_SCHEMA
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import summarise
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import headline_table
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables_run import (
    baseline_table,
    constant_table,
    invalid_table,
    short_table,
    varying_table,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.text import closing_text, table_text, width

PLAN = run_data.bakeoff_plan()
RECORDS = run_data.bakeoff_records(PLAN)


def texts(rows: Any) -> list[list[str]]:
    return [[cell.text for cell in row] for row in rows]


def test_a_complete_run() -> None:
    summary = summarise(PLAN, RECORDS)
    assert summary["trials"] == {"planned": 69, "recorded": 69, "valid": 67, "invalid": 2, "missing": 0, "retries": 1}
    assert summary["partial"] is False
    assert [item["id"] for item in summary["invalid"]] == ["dut/routing/lan_wan/2", "dut/firewall_zone/inter_vlan/3"]
    assert summary["retried"] == [{"id": next(item["id"] for item in PLAN["trials"] if item["seq"] == 11), "attempts": 2}]
    assert summary["measured"]["overhead_s"] == pytest.approx(0.5)
    assert not any("PARTIAL" in text for text in summary["words"])


def test_the_summary_keeps_its_schema() -> None:
    for count in (0, 1, 20, 69):
        summary = {**summarise(PLAN, RECORDS[:count]), "source": {"plan.json": None}}
        jsonschema.Draft202012Validator(SUMMARY_SCHEMA).validate(json.loads(json.dumps(summary, allow_nan=False)))


@pytest.mark.parametrize("count", [1, 23, 68])
def test_a_partial_run_says_how_much_and_which_cells(count: int) -> None:
    summary = summarise(PLAN, RECORDS[:count])
    assert summary["partial"] is True
    short = sum(item["n_missing"] > 0 for item in summary["short"])
    assert summary["words"][0] == f"PARTIAL: {count} of 69 trials; {short} of 14 cells are short"
    assert "PARTIAL" in closing_text(summary, "page")
    table = texts(short_table(summary).rows)
    assert sum(int(row[4]) for row in table) == 69 - count


def test_no_record_at_all_is_said_plainly() -> None:
    summary = summarise(PLAN, [])
    assert summary["words"][-1] == "No trial gave a valid result, so there is nothing to compare."
    assert summary["measured"] == {"first": None, "last": None, "overhead_s": None}


def test_sentences_name_leader_margin_and_those_left_out() -> None:
    words = summarise(PLAN, RECORDS)["words"]
    leader = "Inter-VLAN, both ways (lan2→lan): Plain routing at 3.39 Gbit/s is shown faster than NAT by 13 %, Stateful firewall by 13 % and "
    assert leader + "Zone firewall by 45 %." in words
    assert "12 of 12 cells are DUT_LIMITED: the router is slower than the endpoints without it." in words
    gate = {"passed": False, "failed": ["ospf_full"]}
    failed = [{**record, "gate": gate} if record["profile"] == "nat" else record for record in RECORDS]
    words = summarise(PLAN, failed)["words"]
    assert any("Not ranked: NAT (gate failed)" in text for text in words)
    assert any(text.startswith("The functional check failed for NAT") for text in words)


def test_baselines_by_segment_and_drift() -> None:
    cells = [run_data.cell("dut", "baseline", "l2", n=6), run_data.cell("dut", "routing", "inter_vlan", n=2, baseline="dut/baseline/l2")]
    plan = run_data.plan(cells)
    order = [0, 2, 1, 4, 5, 3, 6, 7]  # two baselines, a trial, two baselines, a trial, two baselines
    plan["trials"] = [dict(plan["trials"][index], seq=seq) for seq, index in enumerate(order, 1)]
    values = iter([10e9, 10.2e9, 9.9e9, 10.1e9, 9e9, 9.2e9])
    made = [run_data.record(plan, item["cell"], item["trial"], next(values) if "baseline" in item["id"] else 5e9) for item in plan["trials"]]
    found = summarise(plan, made)["baselines"][0]
    assert [(part["name"], part["n"], part["median"]) for part in found["segments"]] == [
        ("start", 2, pytest.approx(10.1e9)), ("middle", 2, pytest.approx(10e9)), ("end", 2, pytest.approx(9.1e9)),
    ]
    assert found["drift"] == pytest.approx(-0.099, abs=1e-3)
    row = texts(baseline_table(summarise(plan, made)).rows)[0]
    assert row[4:] == ["10.1 Gbit/s (n=2)", "10.0 Gbit/s (n=2)", "9.10 Gbit/s (n=2)", "−9.9 %"]
    partial = summarise(plan, made[:4])["baselines"][0]
    assert [part["median"] for part in partial["segments"]][2] is None
    assert partial["drift"] is not None


def test_conditions_that_vary_are_told_apart_from_those_that_do_not() -> None:
    made = [{**record, "conditions": {**record["conditions"], "server_port": 5200 + record["seq"], "offload": record["profile"]}} for record in RECORDS]
    found = summarise(PLAN, made)
    assert found["conditions"]["constant"]["congestion"] == "cubic"
    rows = texts(varying_table(found).rows)
    assert ["server_port", "5201 … 5269", ""] in rows
    assert ["offload", "nat", "dut/nat"] in rows


def test_conditions_are_condensed_for_people() -> None:
    seen = {"client.kernel": "6.18", "server.kernel": "6.18", "dut.kernel": "5.4", "client.eth0.offload.tso": "off", "client.eth0.offload.gro": "off",
            "client.eth0.offload.rx": "on", "client.governor": None, "congestion_sender": "cubic"}
    made = [{**record, "conditions": seen} for record in RECORDS]
    rows = texts(constant_table(summarise(PLAN, made)).rows)
    assert rows == [["congestion_sender", "cubic", ""], ["eth0.offload", "off: gro tso; on: rx", "client"], ["kernel", "6.18", "client, server"],
                    ["kernel", "5.4", "dut"]]


def test_an_unsteady_baseline_is_a_loud_warning() -> None:
    shaken = [{**record, "metrics": {"throughput": {"value": 9e9 + record["seq"] * 8e7, "unit": "bit/s"}}} if record["cell"].endswith("l2_baseline") else record
              for record in RECORDS]
    summary = summarise(PLAN, shaken)
    assert summary["words"][0].startswith("NOISY: without any router the same measurement varied by up to ")
    assert "NOISY" in closing_text(summary, "page")
    assert "NOISY" not in closing_text(summarise(PLAN, RECORDS), "page")


def test_what_happened_besides_is_listed() -> None:
    events = [{"event": "unreachable", "host": "wan", "detail": "timed out"}, {"event": "other"}]
    summary = summarise(PLAN, RECORDS, repeated=[RECORDS[0]], problems=["line 3: torn"], events=events)
    assert summary["unreachable"] == [{"host": "wan", "detail": "timed out"}]
    assert summary["problems"] == ["line 3: torn"]
    assert summary["repeated"][0]["id"] == RECORDS[0]["id"]
    assert texts(invalid_table(summary).rows)[0][3] == "CONTROL_LOST control socket has closed unexpectedly"


def test_headline_marks_are_explained() -> None:
    gate = {"passed": False, "failed": ["x"]}
    made = [{**record, "gate": gate} if record["profile"] == "nat" else record for record in RECORDS]
    table = headline_table(summarise(PLAN, made))
    assert texts(table.rows)[1][2:4] == ["5.35 Gbit/s †", "5.03 Gbit/s †"]
    assert texts(table.rows)[3][2] == "4.15 Gbit/s *"
    assert texts(table.rows)[0][4] == "3.39 Gbit/s / 3.17 Gbit/s"
    assert texts(table.rows)[4][:2] == ["–", "no router (baseline)"]
    assert [note[0] for note in table.notes] == ["†", "*", "a"]


def test_a_router_configured_by_hand_is_labelled() -> None:
    plan = run_data.plan([run_data.cell("mine", "as_configured", "inter_vlan", managed=False)])
    table = headline_table(summarise(plan, [run_data.record(plan, "mine/as_configured/inter_vlan", 1, 5e9)]))
    assert texts(table.rows)[0][0] == "mine (debian 12) §"
    assert "§ configured by hand (not rendered or deployed by this project)" in table.notes


def test_the_terminal_table_is_aligned() -> None:
    lines = table_text(headline_table(summarise(PLAN, RECORDS))).splitlines()
    rule = next(index for index, line in enumerate(lines) if set(line) <= {"-", " "})
    assert {width(line) for line in lines[rule:rule + 6]} == {width(lines[rule])}
    assert max(width(line) for line in lines[:rule]) <= width(lines[rule])
    assert all("\x1b" not in line for line in lines)


def test_names_cannot_move_the_cursor() -> None:
    plan = run_data.plan([run_data.cell("evil\x1b[2J", "routing", "inter_vlan")])
    made = [run_data.record(plan, "evil\x1b[2J/routing/inter_vlan", 1, 5e9)]
    assert "\x1b" not in closing_text(summarise(plan, made), "page")


def test_progress_counts_and_tells_the_time_left() -> None:
    progress = Progress(PLAN, {PLAN["trials"][0]["id"]}, started=100.0)
    line = progress.add(RECORDS[1], clock=104.0)
    assert line == "[ 2/69] dut/baseline/l2_baseline_bidir #1  5.58 Gbit/s / 5.19 Gbit/s  ok   ~4m28s left"
    assert progress.add(RECORDS[16], 108.0).split("  ")[1] == "invalid: CONTROL_LOST control socket has closed unexpectedly"
    assert "ok after 1 retry" in progress.add(RECORDS[10], 112.0)
    for record in RECORDS:
        line = progress.add(record, 200.0)
    assert line.endswith("ok")


def test_a_long_trial_weighs_more_in_the_time_left() -> None:
    cells = [run_data.cell("dut", "a", "short", n=1, params={"duration": 1}), run_data.cell("dut", "a", "long", n=1, params={"duration": 9})]
    plan = run_data.plan(cells)
    line = Progress(plan, set(), 0.0).add(run_data.record(plan, "dut/a/short", 1, 5e9), clock=2.0)
    assert line.endswith("~18s left")
