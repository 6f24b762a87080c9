# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A router that lost its power: what the trial says, and what the plan of a boot needs to know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._bench import blame_power, lost, segments_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._plan import build_plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError, load_suite

LAB = yaml.safe_load((Path(__file__).parents[3] / "inventories/vm/group_vars/all/lab.yml").read_text(encoding="utf-8"))["lab"]
RUN = {"run": "r", "created": "2026-01-31T12:00:00Z", "tier": "vm", "link_bps": None, "harness": {}, "seed": 1}
DOWN = {"code": "DUT_DOWN", "detail": "QEMU of vm-dut does not run"}
GOOD = {"measurement": {"valid": True, "reasons": [], "metrics": {"throughput": {"value": 1.0}}}}


def plan_of(suite: dict[str, Any]) -> dict[str, Any]:
    return build_plan(LAB, suite, [{"name": "dut", "managed": True, "profiles": None}], platforms(), RUN)


def test_a_trial_with_a_living_router_is_left_alone() -> None:
    assert blame_power(GOOD, None) == GOOD
    assert blame_power(lost("TIMEOUT", "x"), None)["measurement"]["reasons"] == [{"code": "TIMEOUT", "detail": "x"}]


def test_a_number_of_a_router_that_died_does_not_count() -> None:
    found = blame_power(GOOD, DOWN["detail"])["measurement"]
    assert not found["valid"] and found["reasons"] == [DOWN] and GOOD["measurement"]["valid"]


@pytest.mark.parametrize(("result", "reasons"), [
    (lost("TIMEOUT", "x"), [DOWN, {"code": "TIMEOUT", "detail": "x"}]),
    (lost("DUT_DOWN", DOWN["detail"]), [DOWN]),
    ({"failed": True, "msg": "gone"}, [DOWN, {"code": "METHOD_FAILED", "detail": "gone"}]),
])
def test_its_power_is_the_first_reason(result: dict[str, Any], reasons: list[dict[str, str]]) -> None:
    assert blame_power(result, DOWN["detail"])["measurement"]["reasons"] == reasons


def test_the_suite_of_the_vm_lab_boots_five_times() -> None:
    plan = plan_of(load_suite("vm"))
    cell = next(item for item in plan["cells"] if item["method"] == "boot")
    assert (cell["n"], cell["profile"], cell["metrics"][0]["name"], cell["metrics"][0]["better"]) == (5, "routing", "boot_time", "lower")
    boots = [trial for segments in segments_of(plan, plan["trials"]).values() for item in segments for trial in item["trials"] if trial["method"] == "boot"]
    assert len(boots) == 5
    assert {(trial["client"], trial["server"]) for trial in boots} == {("lan2", "lan")}
    assert all(trial["boot"]["server"] == "10.222.222.12" and trial["boot"]["far_server"] == "10.254.254.10" for trial in boots)
    assert plan["expected_seconds"] > 5 * 60


def test_an_endpoint_behind_ospf_has_to_be_there() -> None:
    suite = load_suite("vm")
    next(item for item in suite["scenarios"] if item["method"] == "boot")["params"] = {"far": "moon"}
    with pytest.raises(SuiteError, match=r"suite.scenarios\[boot\].params.far: 'moon': the lab has no endpoint of this name"):
        plan_of(suite)
