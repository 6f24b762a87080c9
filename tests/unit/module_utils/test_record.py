# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A record: what goes in, what must never go in, and what may be compared with what."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import jsonschema
import pytest
import run_data
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._record import (
    PLAN_SCHEMA,
    RECORD_SCHEMA,
    build_record,
    coded,
    differing_fields,
    dumps,
    errors,
    fingerprint,
    flat,
    iperf3_class,
    is_setup,
    plain,
    validate_plan,
    validate_record,
)

PLAN = run_data.plan([run_data.cell("dut", "routing", "inter_vlan"), run_data.cell("dut", "baseline", "l2_baseline")])
CELL = "dut/routing/inter_vlan"


def good() -> dict[str, Any]:
    return run_data.record(PLAN, CELL, 1, 5.7e9)


def build(**measured: Any) -> dict[str, Any]:
    return build_record(PLAN, PLAN["trials"][0], run_data.measurement(5.7e9, **measured))


def test_a_good_record_is_good_for_both_validators() -> None:
    record = good()
    assert validate_record(record) == []
    jsonschema.Draft202012Validator(RECORD_SCHEMA).validate(record)
    jsonschema.Draft202012Validator(PLAN_SCHEMA).validate(PLAN)
    assert validate_plan(PLAN) == []
    assert record["metrics"]["throughput"] == {"value": 5.7e9, "unit": "bit/s", "direction": "lan2→lan"}


def test_an_invalid_measurement_keeps_its_numbers_only_as_diagnostics() -> None:
    record = build(valid=False, reasons=["CONTROL_LOST: closed"], partial={"partial_seconds": 2.0})
    assert validate_record(record) == []
    assert record["metrics"]["throughput"]["value"] is None
    assert record["partial"] == {"partial_seconds": 2.0, "metrics": {"throughput": 5.7e9}}
    assert record["reasons"] == [{"code": "CONTROL_LOST", "detail": "closed"}]


@pytest.mark.parametrize(("measurement", "error"), [(None, "endpoint lan vanished"), ({}, None)])
def test_a_method_that_died_leaves_an_invalid_record(measurement: Any, error: str | None) -> None:
    record = build_record(PLAN, PLAN["trials"][0], measurement, error=error)
    assert validate_record(record) == []
    assert not record["valid"]
    assert record["reasons"][0]["code"] == "NO_MEASUREMENT"
    assert record["metrics"] == {"throughput": {"value": None, "unit": "bit/s"}}
    assert record["error"] == error


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_a_finite_number_is_unknown(value: float) -> None:
    record = build(metrics={"throughput": {"value": value, "unit": "bit/s"}})
    assert not record["valid"]
    assert record["reasons"][0]["code"] == "NO_VALUE"
    assert "NaN" not in dumps(record) and "Infinity" not in dumps(record)


def test_unknown_is_null_and_never_zero() -> None:
    record = build(metrics={"throughput": {"value": 1.0, "unit": "bit/s"}, "retransmits": {"value": None, "unit": "1"}})
    assert record["valid"]
    assert record["metrics"]["retransmits"]["value"] is None


def test_a_success_with_reasons_is_no_success() -> None:
    assert not build(valid=True, reasons=["SHORT_RUN: 5 of 100 s"])["valid"]


def test_a_trial_of_a_foreign_plan_is_refused() -> None:
    with pytest.raises(ValueError, match="which the plan does not have"):
        build_record(PLAN, {"id": "x/1", "cell": "x", "seq": 1, "trial": 1}, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "other"}, "schema: 'other' is not 'routerlab.bench/record/1'"),
        ({"seq": 0}, "seq: 0 is less than 1"),
        ({"seq": True}, "seq: True is not integer"),
        ({"tier": "cloud"}, "tier: 'cloud' is not one of namespace, container, vm, hardware"),
        ({"wall_s": -1}, "wall_s: -1 is less than 0"),
        ({"wall_s": math.nan}, "wall_s: nan is not a finite number; use null for unknown"),
        ({"started": "yesterday"}, "started: 'yesterday' does not match"),
        ({"valid": "yes"}, "valid: 'yes' is not boolean"),
        ({"dut": ""}, "dut: must not be empty"),
        ({"metrics": {"throughput": {"unit": "bit/s"}}}, "metrics.throughput.value: missing"),
        ({"metrics": {"throughput": {"value": "5", "unit": "bit/s"}}}, "metrics.throughput.value: '5' is not number or null"),
        ({"conditions": {"a": {"b": 1}}}, "conditions.a: {'b': 1} is not string or number or boolean or null"),
        ({"surprise": 1}, "surprise: unknown; known are argv"),
        ({"reasons": [{"code": "lower case"}]}, "reasons[0].code: 'lower case' does not match"),
    ],
)
def test_wrong_shapes_are_named_with_their_path(change: dict[str, Any], message: str) -> None:
    found = validate_record({**good(), **change})
    assert any(text.startswith(message) for text in found), found


def test_all_errors_at_once() -> None:
    found = errors({**good(), "seq": 0, "tier": "cloud", "surprise": 1}, RECORD_SCHEMA)
    assert len(found) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reasons": [{"code": "SHORT_RUN"}]}, "a valid record has none"),
        ({"metrics": {"throughput": {"value": None, "unit": "bit/s"}}}, "a valid record has at least one number"),
        ({"valid": False}, "an invalid record says why"),
        ({"valid": False, "reasons": [{"code": "X"}]}, "numbers in throughput"),
        ({"id": "dut/other/1"}, "is not 'dut/routing/inter_vlan/1'"),
    ],
)
def test_contradictions_are_found(change: dict[str, Any], message: str) -> None:
    assert any(message in text for text in validate_record({**good(), **change}))


PATHS = [("seq",), ("tier",), ("valid",), ("metrics", "throughput", "value"), ("metrics", "throughput"), ("gate", "passed"), ("gate",), ("argv",),
         ("reasons",), ("started",), ("fingerprint",), ("error",), ("conditions", "congestion"), ("params",)]
JUNK = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.text(max_size=3), st.floats(0, 9), st.just([]), st.just({}), st.just(["a"]))


@given(st.sampled_from(PATHS), JUNK)
@settings(max_examples=250, deadline=None)
def test_our_walker_and_jsonschema_agree(path: tuple[str, ...], junk: Any) -> None:
    record = copy.deepcopy(good())
    place = record
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = junk
    ours = not errors(record, RECORD_SCHEMA)
    theirs = jsonschema.Draft202012Validator(RECORD_SCHEMA).is_valid(record)
    # jsonschema takes 1.0 for an integer, we do not: a sequence number is written as one
    assert ours == theirs or (path == ("seq",) and isinstance(junk, float))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda plan: plan["cells"].append(plan["cells"][0]), "occurs more than once"),
        (lambda plan: plan["trials"].append(plan["trials"][0]), "occurs more than once"),
        (lambda plan: plan["trials"][0].update(cell="x"), "belongs to unknown cell 'x'"),
        (lambda plan: plan["cells"][0].update(baseline="x"), "has unknown baseline 'x'"),
        (lambda plan: plan["cells"][0].update(metrics=[]), "at least 1 are needed"),
        (lambda plan: plan.pop("seed"), "seed: missing"),
    ],
)
def test_bad_plans_are_refused(change: Any, message: str) -> None:
    plan = copy.deepcopy(PLAN)
    change(plan)
    assert any(message in text for text in validate_plan(plan))


class Tagged(str):
    """A string as ansible-core 2.19 hands it over: a subclass with a say of its own."""

    def __str__(self) -> str:
        return "changed"


def test_plain_copies_are_of_plain_types() -> None:
    value = plain({Tagged("k"): [Tagged("v"), (1, 2.0), math.nan, True, None]})
    assert value == {"changed": ["v", [1, 2.0], None, True, None]}
    assert value["changed"][0].__class__ is str
    assert json.loads(dumps(value)) == value


def test_reasons_in_short_form() -> None:
    assert coded(["short run: 5 of 100 s", {"code": "X", "detail": None}, ""]) == [
        {"code": "SHORT_RUN", "detail": "5 of 100 s"}, {"code": "X", "detail": ""}, {"code": "UNKNOWN", "detail": ""},
    ]


def test_conditions_become_flat() -> None:
    assert flat({"a": {"b": 1, "c": {"d": True}}, "e": [1, "x"]}) == {"a.b": 1, "a.c.d": True, "e": "1, x"}


@pytest.mark.parametrize(
    ("version", "name"),
    [("iperf 3.1.3", "iperf3 < 3.5"), ("3.9", "iperf3 >= 3.5 < 3.11"), ("iperf 3.12", "iperf3 >= 3.11 < 3.16"), ("3.15", "iperf3 >= 3.11 < 3.16"),
     ("3.16", "iperf3 >= 3.16 < 3.21"), ("3.21", "iperf3 >= 3.21"), ("unknown", "unknown")],
)
def test_version_classes(version: str, name: str) -> None:
    assert iperf3_class(version) == name


@pytest.mark.parametrize("key", ["client_kernel", "client.offloads", "versions.iperf3_client", "congestion_sender", "mtu", "server_arch", "lan.cpu_model"])
def test_what_belongs_to_the_setup(key: str) -> None:
    assert is_setup(key)


@pytest.mark.parametrize("key", ["dut.kernel", "router_mtu", "config_hash", "cpu_client_percent", "server_port", "far_end_source", "client.cores.load"])
def test_what_does_not(key: str) -> None:
    assert not is_setup(key)


def test_router_profile_and_config_may_differ_on_one_axis() -> None:
    one = good()
    other = {**one, "dut": "vyos", "version": "1.4", "profile": "nat", "cell": "x", "conditions": {**one["conditions"], "config_hash": "abc"}}
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"params": {"streams": 8}}, "params.streams"),
        ({"direction": "lan→lan2"}, "direction"),
        ({"tier": "vm"}, "tier"),
        ({"conditions": {"client.kernel": "6.1"}}, "conditions.client.kernel"),
        ({"conditions": {"client.offloads": "gso=off"}}, "conditions.client.offloads"),
    ],
)
def test_different_setup_is_named(change: dict[str, Any], field: str) -> None:
    one = good()
    other = {**one, **{key: {**one[key], **value} if isinstance(value, dict) else value for key, value in change.items()}}
    assert fingerprint(one) != fingerprint(other)
    assert list(differing_fields([one, other])) == [field]


def test_offloads_and_mtu_of_the_router_count_whatever_its_interfaces_are_called() -> None:
    def with_router(**values: Any) -> dict[str, Any]:
        return {**good(), "conditions": {**good()["conditions"], **{key.replace("__", "."): value for key, value in values.items()}}}

    one = with_router(dut__eth0__offload__tso="off", dut__eth1__offload__tso="off", dut__eth0__mtu=1500)
    renamed = with_router(dut__vtnet0__offload__tso="off", dut__vtnet0__mtu=1500, dut__kernel="FreeBSD 12")
    offloaded = with_router(dut__eth0__offload__tso="on", dut__eth0__mtu=1500)
    assert fingerprint(one) == fingerprint(renamed) != fingerprint(offloaded)
    assert differing_fields([one, offloaded]) == {"conditions.dut.offload.tso": ["off", "on"]}
    # within one run the variants of a router are what is compared
    assert fingerprint(one, with_router=False) == fingerprint(offloaded, with_router=False)


def test_versions_of_one_class_are_alike() -> None:
    one = good()
    near = {**one, "conditions": {**one["conditions"], "versions.iperf3": "iperf 3.14"}}
    far = {**one, "conditions": {**one["conditions"], "versions.iperf3": "iperf 3.17"}}
    assert fingerprint(one) == fingerprint(near) != fingerprint(far)
