# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Suites: the ones we ship, and every mistake that a suite can hold."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import method_names
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError, check_suite, load_suite, narrow, suite_names

CASES = sorted((Path(__file__).parent / "suite_cases").glob("*.yml"))


@pytest.mark.parametrize("name", suite_names())
def test_shipped_suites_are_good(name: str) -> None:
    suite = load_suite(name)
    assert suite["name"] == name
    assert suite["trials"] >= 5
    assert {item["baseline"] for item in suite["scenarios"] if item["role"] == "measure" and item["method"] == "iperf3"} <= {
        item["name"] for item in suite["scenarios"] if item["role"] == "baseline"
    }


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_all_mistakes_at_once(case: Path) -> None:
    with pytest.raises(SuiteError) as caught:
        check_suite(yaml.safe_load(case.read_text()), case.name)
    expected = case.with_suffix(".expected").read_text().replace("{methods}", ", ".join(method_names()))
    assert [str(problem) for problem in caught.value.problems] == expected.splitlines()


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


EATEN = """suite:
  name: on
  trials: 010
  defaults:
    iperf3: {duration: 010, congestion: off}
  scenarios:
    - {name: one, client: lan, server: lan2, params: {duration: 1:30, omit: 02, bitrate: 1e3}}
    - {name: one, client: lan, client: lan2, server: lan2}
"""


def test_what_yaml_reads_otherwise_than_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "eaten.yml"
    path.write_text(EATEN)
    with pytest.raises(SuiteError) as caught:
        load_suite(str(path))
    found = [(problem.path, problem.code, problem.line) for problem in caught.value.problems]
    assert found == [
        ("suite.name", "YAML_BOOLEAN", 2),
        ("suite.trials", "YAML_OCTAL", 3),
        ("suite.defaults.iperf3.duration", "YAML_OCTAL", 5),
        ("suite.defaults.iperf3.congestion", "YAML_BOOLEAN", 5),
        ("suite.scenarios[one].params.duration", "YAML_SEXAGESIMAL", 7),
        ("suite.scenarios[one].params.omit", "YAML_OCTAL", 7),
        ("suite.scenarios[one].client", "YAML_DUPLICATE_KEY", 8),
    ]
    assert "Valid: 10 without the zero in front." in str(caught.value) and "eaten.yml:5" in str(caught.value)
