# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of a run: every slip is told before the lab is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._bench import new_plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._bench_options import against_plan, congestion_of, option_spec, unknown_options, wrong_values

ROOT = Path(__file__).resolve().parents[3]
LAB = yaml.safe_load((ROOT / "inventories/lab/group_vars/all/lab.yml").read_text())["lab"]
PLAN = new_plan(LAB, [{"name": "dut", "managed": True, "profiles": ["nat", "routing"]}], {}, {"suite": "quick", "tier": "namespace", "seed": 5})


def test_a_name_that_nobody_reads_is_refused_with_the_nearest() -> None:
    (problem,) = unknown_options(["bench_trails", "other_name", "bench_trials"])
    assert problem.path == "bench_trails"
    assert problem.valid.endswith("(did you mean bench_trials?)") and "bench_suite" in problem.valid


def test_every_option_of_the_documentation_is_known() -> None:
    text = (ROOT / "docs/bench.md").read_text(encoding="utf-8")
    names = {word for word in text.replace('"', " ").replace("=", " ").replace("`", " ").split() if word.startswith("bench_")}
    assert {"bench_suite", "bench_keep_lab", "bench_resume"} <= names
    assert unknown_options(names) == []


def test_names_of_the_runner_and_of_other_playbooks_are_left_alone() -> None:
    assert unknown_options(["bench_plan", "bench_hosts", "bench_run", "bench_charts", "bench_force"]) == []


def test_names_that_the_lab_or_its_own_playbook_reads_are_left_alone(tmp_path: Path) -> None:
    book, lab = tmp_path / "site.yml", tmp_path / "lab.yml"
    book.write_text("- debug: {msg: '{{ bench_note }}'}\n")
    lab.write_text("bench_mtu_wanted: 9000\nlab: {mtu: '{{ bench_mtu_wanted }}'}\nbench_link_mpbs: 10\n")
    assert unknown_options(["bench_note", "bench_mtu_wanted"]) != []
    assert [problem.path for problem in unknown_options(["bench_note", "bench_mtu_wanted"], [book, lab])] == ["bench_link_mpbs"]


def test_an_option_of_another_playbook_that_looks_like_ours() -> None:
    (problem,) = unknown_options(["bench_profile"])
    assert "bench_profiles" in problem.valid


@pytest.mark.parametrize(
    ("name", "value", "valid"),
    [
        ("bench_on_gate_failure", "foo", "measure, skip"),
        ("bench_tier", "moon", ", ".join(option_spec()["bench_tier"]["choices"])),
        ("bench_port", "http", "a whole number"),
        ("bench_port", "0", "1 to 65535"),
        ("bench_ports", "many", "a whole number"),
        ("bench_ports", -1, "1 to 100"),
        ("bench_trials", "nine", "a whole number"),
        ("bench_seed", 1.5, "a whole number"),
        ("bench_link_mbps", "fast", "a number"),
        ("bench_keep_lab", "perhaps", "true or false"),
        ("router_managed", "flase", "true or false"),
    ],
)
def test_a_value_that_would_stop_the_run_later(name: str, value: Any, valid: str) -> None:
    (problem,) = wrong_values({name: value})
    assert (problem.path, problem.value, problem.valid) == (name, int(value) if valid.startswith("1 ") else value, valid)


def test_what_a_command_line_gives_is_text_and_good() -> None:
    given = {"bench_port": "5201", "bench_ports": "6", "bench_trials": "9", "bench_link_mbps": "1000", "bench_keep_lab": "true"}
    given["bench_profiles"] = "nat,routing"
    assert wrong_values(given) == []
    assert set(given) <= set(option_spec())


def test_ports_beyond_the_last_one() -> None:
    (problem,) = wrong_values({"bench_port": 65533, "bench_ports": 6})
    assert (problem.path, problem.valid) == ("bench_ports", "1 to 3")


def test_all_mistakes_at_once() -> None:
    assert len(wrong_values({"bench_port": "x", "bench_on_gate_failure": "y", "bench_tier": "z"})) == 3


def test_who_is_asked_for_which_congestion_control() -> None:
    cells = [
        {"client": "lan", "server": "wan", "params": {"congestion": "bbr"}},
        {"client": "lan", "server": "lan2", "params": {"congestion": "cubic"}},
        {"client": "lan2", "server": "lan", "params": {}},
    ]
    assert congestion_of({"cells": cells}) == {"lan": ["bbr", "cubic"], "lan2": ["cubic"], "wan": ["bbr"]}


def test_a_resumed_run_takes_what_its_plan_says() -> None:
    given = {
        "suite": "quick", "trials": 5, "seed": 5, "tier": "namespace", "profiles": ["routing", "nat"],
        "scenarios": sorted({cell["scenario"] for cell in PLAN["cells"]}), "resume": "x", "link_mbps": None,
    }
    assert against_plan(PLAN, given) == []


def test_a_resumed_run_names_every_option_that_it_would_ignore() -> None:
    given = {
        "suite": "standard", "trials": 9, "seed": 6, "tier": "vm", "profiles": ["nat"], "scenarios": ["nat"], "link_mbps": 1000.0,
        "resume": "x", "results_dir": "y",
    }
    found = against_plan(PLAN, given)
    assert [problem.path for problem in found] == [f"bench_{name}" for name in given if name not in ("resume", "results_dir")]
    valid = {problem.path: problem.valid for problem in found}
    assert valid["bench_seed"] == "5" and valid["bench_profiles"] == "nat, routing" and valid["bench_link_mbps"] == "not given"
