# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A gate's result from what its run left behind, whatever that is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.result import gate_result, names_of, plan_table, read_lines, table

WHEN = {"started": "2026-01-01T00:00:00Z", "finished": "2026-01-01T00:00:02Z", "seconds": 2.0}


def expect() -> dict[str, Any]:
    items = Items()
    items.plan("interface_mtu", "wan (eth0)", native="eth0", mtu=1500)
    items.plan("dhcp_lease", "lan by lan", host="lan")
    items.plan("dhcp_options", "lan by lan", host="lan")
    items.skip("route_static", "the lab gives this router no static route")
    items.cannot("no_route_back", "10.0.0.0/24 at upstream", "upstream is not in the inventory")
    head = {"lab": "lab", "router": "dut", "profile": "nat", "platform": "debian", "version": "12", "dialect": "12", "managed": True}
    return {**head, "items": items.found}


def line(check: str, instance: str, status: str = "passed", message: str | None = None, code: str | None = None) -> dict[str, Any]:
    return {"check": check, "instance": instance, "status": status, "message": message, "code": code, "seconds": 0.1}


MTU, LEASE, OPTIONS = ("interface_mtu", "wan (eth0)"), ("dhcp_lease", "lan by lan"), ("dhcp_options", "lan by lan")
END = {"end": 1.0, "exit": 0, "hosts": {"dut": {"kernel": "Linux 6.1.0"}}}


def text(*lines: dict[str, Any]) -> str:
    return "".join(json.dumps(item) + "\n" for item in lines)


def result(content: str, trouble: str | None = None, output: str = "") -> dict[str, Any]:
    return gate_result(expect(), content, trouble, output, WHEN)


def test_all_is_well() -> None:
    found = result(text(line(*MTU), line(*LEASE), line(*OPTIONS), END))
    assert found["passed"] is True
    assert found["failed"] == []
    assert found["counts"] == {"passed": 3, "skipped": 1, "not_provable": 1}
    assert found["hosts"] == END["hosts"]
    assert [check["status"] for check in found["checks"]] == ["passed", "passed", "passed", "skipped", "not_provable"]
    assert found["checks"][4]["message"] == "upstream is not in the inventory"
    assert names_of(found) == []
    json.dumps(found, allow_nan=False)


def test_a_failure_keeps_its_words_and_its_code() -> None:
    found = result(text(line(*MTU, "failed", "expected MTU 1500", "SOME_CODE"), line(*LEASE), line(*OPTIONS), END))
    assert found["passed"] is False
    assert found["failed"] == [{"check": "interface_mtu", "instance": "wan (eth0)", "message": "expected MTU 1500", "code": "SOME_CODE"}]
    assert names_of(found) == ["interface_mtu"]


def test_what_is_blocked_has_not_passed() -> None:
    found = result(text(line(*MTU), line(*LEASE), line(*OPTIONS, "blocked", "there is no lease"), END))
    assert found["passed"] is False
    assert found["failed"] == []
    assert names_of(found) == ["dhcp_options"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param("", "pytest stopped before its end", id="nothing-at-all"),
        pytest.param(text(line(*MTU), line(*LEASE), line(*OPTIONS)), "pytest stopped before its end", id="killed-after-the-last-check"),
        pytest.param(text(line(*MTU), line(*LEASE), END), "1 planned checks did not run", id="a-check-that-never-ran"),
        pytest.param(text(line(*MTU), line(*LEASE)) + '{"check": "dhcp_opt', "pytest stopped before its end", id="torn-line"),
        pytest.param(text(END), "3 planned checks did not run", id="collected-nothing"),
    ],
)
def test_what_did_not_run_is_a_failure_with_a_name(content: str, says: str) -> None:
    found = result(content, output="line one\nE   ImportError: no module\n")
    assert found["passed"] is False
    assert names_of(found) == ["gate_run"]
    assert found["failed"][0]["code"] == "GATE_BROKEN"
    assert found["failed"][0]["message"].startswith(says)
    assert "ImportError: no module" in found["failed"][0]["message"]


def test_trouble_is_told_in_its_own_words() -> None:
    found = result("", trouble="pytest missing for /usr/bin/python3", output="noise")
    assert found["failed"][0]["message"] == "pytest missing for /usr/bin/python3"


def test_nothing_proven_is_not_passed() -> None:
    empty = {**expect(), "items": [item for item in expect()["items"] if item["state"] != "planned"]}
    assert gate_result(empty, text(END), None, "", WHEN)["passed"] is False


def test_lines_that_are_no_objects_are_left_out() -> None:
    assert read_lines('{"a": 1}\n[1]\nnonsense\n\n{"b"') == [{"a": 1}]


def test_the_table_shows_every_check_and_explains_the_failures() -> None:
    content = text(line(*MTU, "failed", "expected MTU 1500", "SOME_CODE"), line(*LEASE), line(*OPTIONS, "blocked", "there is no lease"), END)
    assert table(result(content)) == [
        "Gate of dut, profile nat: FAILED in 2.0 s (1 FAILED, 1 passed, 1 blocked, 1 not provable)",
        "  FAILED        interface_mtu  wan (eth0)",
        "  ok            dhcp_lease     lan by lan",
        "  blocked       dhcp_options   lan by lan",
        "  -             route_static   (the lab gives this router no static route)",
        "  not provable  no_route_back  10.0.0.0/24 at upstream  (upstream is not in the inventory)",
        "FAILED: interface_mtu wan (eth0) SOME_CODE: expected MTU 1500",
        "blocked: dhcp_options lan by lan: there is no lease",
    ]


def test_the_plan_says_what_would_be_proven() -> None:
    assert plan_table(expect()) == [
        "Gate of dut, profile nat: 3 checks",
        "  interface_mtu  wan (eth0)",
        "  dhcp_lease     lan by lan",
        "  dhcp_options   lan by lan",
        "  route_static   (-: the lab gives this router no static route)",
        "  no_route_back  10.0.0.0/24 at upstream (not provable: upstream is not in the inventory)",
    ]
