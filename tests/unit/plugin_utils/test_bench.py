# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from the controller's side: begun, filled with records, resumed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._bench import finish_trial, lost, name_directions, new_plan, resume_run, trial_and_cell, writable
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError, append_record, create_run, load_run
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError

LAB = yaml.safe_load((Path(__file__).parents[3] / "inventories/lab/group_vars/all/lab.yml").read_text())["lab"]
ROUTERS = [{"name": "dut", "managed": True, "profiles": None}]
WISHES = {"suite": "quick", "tier": "namespace", "seed": 5}
GOOD = {
    "measurement": {
        "valid": True,
        "reasons": [],
        "flags": [],
        "metrics": {"throughput": {"value": 5e9, "unit": "bit/s", "direction": "client→server"}},
        "partial": None,
        "attempts": 1,
        "started": "2026-01-31T12:00:01.000Z",
        "finished": "2026-01-31T12:00:02.100Z",
        "wall_s": 1.1,
        "traffic_s": 1.0,
        "argv": ["iperf3", "-c", "10.222.222.12"],
        "raw": [{"name": "client.json", "text": "{}"}],
    }
}


@pytest.fixture(autouse=True)
def without_callback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUTERLAB_BENCH_REPORT", raising=False)


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    plan = new_plan(LAB, ROUTERS, {}, WISHES)
    return create_run(tmp_path, plan), plan


def test_new_plan_draws_a_seed_and_keeps_a_given_one() -> None:
    assert new_plan(LAB, ROUTERS, {}, WISHES)["seed"] == 5
    drawn = {new_plan(LAB, ROUTERS, {}, {**WISHES, "seed": None})["seed"] for _time in range(3)}
    assert len(drawn) == 3


def test_new_plan_refuses_an_unknown_profile() -> None:
    with pytest.raises(SuiteError, match="'firewall_zones'.*did you mean firewall_zone"):
        new_plan(LAB, ROUTERS, {}, {**WISHES, "profiles": ["firewall_zones"]})


def test_a_good_trial_becomes_a_record_with_its_raw_file(run: tuple[Path, dict[str, Any]]) -> None:
    folder, plan = run
    trial, cell = trial_and_cell(plan, "dut/nat/nat/1")
    record = finish_trial(folder, plan, trial, cell, GOOD, {"passed": True, "failed": []}, {"dut.kernel": "6.1"})
    assert record["valid"] and record["metrics"]["throughput"] == {"value": 5e9, "unit": "bit/s", "direction": "lan→wan"}
    assert (folder / record["raw"][0]).read_text() == "{}"
    assert load_run(folder).records == [record]


def test_a_lost_trial_has_a_reason_and_no_number(run: tuple[Path, dict[str, Any]]) -> None:
    folder, plan = run
    trial, cell = trial_and_cell(plan, "dut/nat/nat/1")
    record = finish_trial(folder, plan, trial, cell, lost("DEPLOY_FAILED", "nft -c said no"), None, None)
    assert record["reasons"] == [{"code": "DEPLOY_FAILED", "detail": "nft -c said no"}]
    assert {metric["value"] for metric in record["metrics"].values()} == {None}


def test_a_method_that_died_is_named(run: tuple[Path, dict[str, Any]]) -> None:
    folder, plan = run
    trial, cell = trial_and_cell(plan, "dut/nat/nat/1")
    record = finish_trial(folder, plan, trial, cell, {"msg": "no python"}, None, None)
    assert not record["valid"] and record["error"] == "no python"


def test_with_the_callback_only_the_callback_writes(run: tuple[Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, plan = run
    monkeypatch.setenv("ROUTERLAB_BENCH_REPORT", str(os.getpid()))
    trial, cell = trial_and_cell(plan, "dut/nat/nat/1")
    finish_trial(folder, plan, trial, cell, GOOD, None, None)
    assert not (folder / "records.jsonl").exists()


def test_directions_keep_the_arrow() -> None:
    cell = {"client": "lan2", "server": "lan"}
    measurement = {"metrics": {"a": {"direction": "server→client"}, "b": {"direction": None}, "c": {}}}
    assert name_directions(measurement, cell)["metrics"] == {"a": {"direction": "lan→lan2"}, "b": {"direction": None}, "c": {}}


def test_resume_gives_what_has_no_valid_record(run: tuple[Path, dict[str, Any]]) -> None:
    folder, plan = run
    for number, result in enumerate([GOOD, lost("TIMEOUT", "")]):
        trial = plan["trials"][number]
        cell = trial_and_cell(plan, trial["id"])[1]
        finish_trial(folder, plan, trial, cell, result, None, None)
    found, again, pending = resume_run(str(folder.parent), folder.name, LAB)
    assert (found, again) == (folder, plan)
    assert [trial["id"] for trial in pending] == [trial["id"] for trial in plan["trials"][1:]]


def test_resume_refuses_another_description(run: tuple[Path, dict[str, Any]]) -> None:
    folder, _plan = run
    with pytest.raises(RunFolderError, match="another description"):
        resume_run(str(folder.parent), folder.name, {**LAB, "title": "changed"})


def test_resume_after_kill_in_the_middle_of_a_line(run: tuple[Path, dict[str, Any]]) -> None:
    folder, plan = run
    trial, cell = trial_and_cell(plan, plan["trials"][0]["id"])
    record = finish_trial(folder, plan, trial, cell, GOOD, None, None)
    with (folder / "records.jsonl").open("a") as stream:
        stream.write(json.dumps(record)[:50])
    pending = resume_run(str(folder), str(folder), LAB)[2]
    assert len(pending) == len(plan["trials"]) - 1
    other = trial_and_cell(plan, plan["trials"][1]["id"])
    append = finish_trial(folder, plan, *other, GOOD, None, None)
    assert append_record(folder, append) is False, "the same record twice is one record"
    assert len(load_run(folder).records) == 2


def test_writable(tmp_path: Path) -> None:
    assert writable(str(tmp_path / "a" / "b")) is None
    (tmp_path / "file").write_text("")
    assert "no folder can be made in" in (writable(str(tmp_path / "file" / "results")) or "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("folder", ["/proc/x", "/sys/results"])
def test_what_root_may_and_nobody_can(folder: str) -> None:
    assert (writable(folder) or "").startswith(f"{folder}: no folder can be made in /{folder.split('/')[1]}: ")
