# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Suites: the ones we ship, and every mistake that a suite can hold."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError, check_suite, load_suite, narrow, suite_names

CASES = sorted((Path(__file__).parent / "suite_cases").glob("*.yml"))


@pytest.mark.parametrize("name", suite_names())
def test_shipped_suites_are_good(name: str) -> None:
    suite = load_suite(name)
    assert suite["name"] == name
    assert suite["trials"] >= 5
    assert {item["baseline"] for item in suite["scenarios"] if item["role"] == "measure"} <= {
        item["name"] for item in suite["scenarios"] if item["role"] == "baseline"
    }


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_all_mistakes_at_once(case: Path) -> None:
    with pytest.raises(SuiteError) as caught:
        check_suite(yaml.safe_load(case.read_text()), case.name)
    assert [str(problem) for problem in caught.value.problems] == case.with_suffix(".expected").read_text().splitlines()


def test_unknown_suite_names_the_known_ones() -> None:
    with pytest.raises(SuiteError, match=r"'quik'.*quick.*did you mean quick"):
        load_suite("quik")


def test_a_file_that_is_no_yaml(tmp_path: Path) -> None:
    path = tmp_path / "broken.yml"
    path.write_text("suite: [")
    with pytest.raises(SuiteError, match="broken.yml"):
        load_suite(str(path))


def test_narrow_keeps_the_baseline_of_what_is_kept() -> None:
    suite = narrow(load_suite("quick"), trials=1, scenarios=["nat"])
    assert [item["name"] for item in suite["scenarios"]] == ["l2_baseline_wan", "nat"]
    assert (suite["trials"], suite["visits"]) == (1, 1)


def test_narrow_refuses_what_is_not_there() -> None:
    with pytest.raises(SuiteError) as caught:
        narrow(load_suite("quick"), trials=0, scenarios=["nta"])
    assert [problem.path for problem in caught.value.problems] == ["bench_scenarios", "bench_trials"]
