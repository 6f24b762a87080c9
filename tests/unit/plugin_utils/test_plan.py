# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan: what is measured, how often, and in which order."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._record import validate_plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._bench import chosen_routers, segments_of, trial_and_cell
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import Trial, method
from ansible_collections.routerlab.bench.plugins.plugin_utils._plan import build_plan, deal, expected_seconds
from ansible_collections.routerlab.bench.plugins.plugin_utils._plan_text import duration, plan_text
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError, load_suite, narrow

LAB = yaml.safe_load((Path(__file__).parents[3] / "inventories/lab/group_vars/all/lab.yml").read_text())["lab"]
RUN = {"run": "r", "created": "2026-01-31T12:00:00Z", "tier": "namespace", "link_bps": None, "harness": {}}
DUT = {"name": "dut", "managed": True, "profiles": None}


def plan_of(suite: Any = None, routers: Any = None, seed: int = 1, lab: Any = LAB) -> dict[str, Any]:
    return build_plan(lab, suite or load_suite("quick"), routers or [DUT], {}, {**RUN, "seed": seed})


@given(trials=st.integers(1, 30), visits=st.integers(1, 30), seed=st.integers(1, 2**31))
@settings(max_examples=40, deadline=None)
def test_every_cell_gets_all_its_trials_once(trials: int, visits: int, seed: int) -> None:
    suite = {**load_suite("quick"), "trials": trials, "visits": min(visits, trials)}
    plan = plan_of(suite, seed=seed)
    assert validate_plan(plan) == []
    assert Counter(trial["cell"] for trial in plan["trials"]) == {cell["id"]: cell["n"] for cell in plan["cells"]}
    assert [trial["seq"] for trial in plan["trials"]] == list(range(1, len(plan["trials"]) + 1))
    segments = [trial["segment"] for trial in plan["trials"]]
    assert segments == sorted(segments), "the trials of a segment stand together"


def test_baseline_stands_at_start_middle_and_end() -> None:
    plan = plan_of()
    places = [segment["place"] for segment in plan["segments"]]
    assert (places[0], places[-1]) == ("start", "end")
    middle = places.index("middle")
    visits = [index for index, place in enumerate(places) if place is None]
    assert len([index for index in visits if index < middle]) == len([index for index in visits if index > middle])


def test_profiles_and_scenarios_are_interleaved() -> None:
    plan = plan_of()
    order = [segment["profile"] for segment in plan["segments"] if segment["place"] is None]
    assert len(order) == 8 and set(order[:4]) == set(order[4:]) == {"routing", "nat", "firewall_stateful", "firewall_zone"}
    routing = [trial["cell"] for trial in plan["trials"] if trial["cell"].startswith("dut/routing/")]
    assert len(set(routing[:3])) == 3, "a round measures each scenario once before it begins again"


def test_the_seed_alone_decides_the_order() -> None:
    assert plan_of(seed=7) == plan_of(seed=7)
    assert [t["id"] for t in plan_of(seed=7)["trials"]] != [t["id"] for t in plan_of(seed=8)["trials"]]


def test_nat_is_measured_only_where_there_is_nat() -> None:
    cells = {cell["id"] for cell in plan_of()["cells"]}
    assert "dut/nat/nat" in cells and "dut/routing/nat" not in cells


def test_a_router_that_nobody_here_configures_has_one_profile() -> None:
    plan = plan_of(routers=[{**DUT, "managed": False}])
    measured = [cell for cell in plan["cells"] if cell["role"] == "measure"]
    assert {cell["profile"] for cell in measured} == {"as_configured"}
    assert all(cell["managed"] is False for cell in measured)
    assert {cell["scenario"] for cell in measured} == {"inter_vlan", "inter_vlan_reverse", "inter_vlan_bidirectional"}


def test_a_router_that_stands_for_a_profile_is_measured_like_it() -> None:
    plan = plan_of(routers=[{**DUT, "managed": False, "stands_for": "nat"}])
    measured = [cell for cell in plan["cells"] if cell["role"] == "measure"]
    assert {(cell["profile"], cell["lab_profile"], cell["scenario"]) for cell in measured} == {("as_configured", "nat", "nat")}
    assert {segment["lab_profile"] for segment in plan["segments"]} == {None, "nat"}


def test_a_baseline_that_nothing_refers_to_is_not_measured() -> None:
    suite = narrow(load_suite("quick"), scenarios=["inter_vlan"])
    assert {cell["scenario"] for cell in plan_of(suite)["cells"]} == {"l2_baseline", "inter_vlan"}


def test_directions_and_metrics() -> None:
    cells = {cell["scenario"]: cell for cell in plan_of()["cells"]}
    assert cells["inter_vlan"]["direction"] == "lan2→lan"
    assert cells["inter_vlan_reverse"]["direction"] == "lan→lan2"
    assert [item["name"] for item in cells["inter_vlan_bidirectional"]["metrics"]] == ["throughput", "throughput_reverse"]
    assert (cells["nat"]["client_address"], cells["nat"]["server_address"]) == ("10.222.222.12", "10.254.254.10")
    assert (cells["l2_baseline"]["client_address"], cells["l2_baseline"]["server_address"]) == ("10.250.250.11", "10.250.250.12")


def test_an_endpoint_that_the_lab_lacks() -> None:
    lab = {**LAB, "endpoints": [item for item in LAB["endpoints"] if item["name"] != "wan"] + [{"name": "wam"}]}
    with pytest.raises(SuiteError, match=r"scenarios\[nat\].server: 'wan'.*did you mean wam"):
        plan_of(lab=lab)


def test_an_endpoint_without_the_address_that_a_path_needs() -> None:
    lab = {**LAB, "endpoints": [{key: value for key, value in item.items() if key != "l2_address"} for item in LAB["endpoints"]]}
    with pytest.raises(SuiteError, match=r"lab.endpoints\[lan2\] has no l2_address"):
        plan_of(lab=lab)


def test_nothing_left_to_measure_is_an_error() -> None:
    with pytest.raises(SuiteError, match="no profile of this lab and run"):
        plan_of(routers=[{**DUT, "profiles": []}])


def test_segments_of_a_resumed_run_hold_only_what_is_pending() -> None:
    plan = plan_of()
    pending = [trial for trial in plan["trials"] if trial["segment"] in (0, 3)][3:]
    found = segments_of(plan, pending)["dut"]
    assert [segment["segment"] for segment in found] == [0, 3]
    assert [trial["id"] for segment in found for trial in segment["trials"]] == [trial["id"] for trial in pending]
    assert expected_seconds(plan, pending) < expected_seconds(plan, plan["trials"])


def test_method_arguments() -> None:
    plan = {**plan_of(), "link_bps": 1e9}
    trial, cell = trial_and_cell(plan, "dut/nat/nat/2")
    arguments = method("iperf3").arguments(Trial(plan, trial, cell, [5201, 5202]))
    assert arguments["server"] == "10.254.254.10" and arguments["bind"] == "10.222.222.12"
    assert arguments["link_bps"] == 1e9 and arguments["streams"] == 2 and arguments["port_index"] == trial["seq"]
    with pytest.raises(KeyError):
        trial_and_cell(plan, "dut/nat/nat/99")


def test_chosen_routers_may_overrule_the_lab() -> None:
    found = chosen_routers(LAB, ["dut", "stranger", "upstream"], {"dut": False}, ["nat"])
    assert found == [
        {"name": "dut", "managed": False, "profiles": ["nat"], "stands_for": "nat"},
        {"name": "upstream", "managed": False, "profiles": [], "stands_for": None},
    ]


@pytest.mark.parametrize(("trials", "visits", "expected"), [(5, 2, [3, 2]), (5, 5, [1] * 5), (7, 3, [3, 2, 2]), (1, 1, [1])])
def test_deal(trials: int, visits: int, expected: list[int]) -> None:
    assert [deal(trials, visits, visit) for visit in range(visits)] == expected


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (130, "2 min 10 s"), (3900, "1 h 05 min")])
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_plan_text_shows_matrix_and_total() -> None:
    text = plan_text(plan_of(), done=8)
    assert "dut / firewall_zone" in text and "11 cells, 58 trials, 50 of them still to be measured" in text
