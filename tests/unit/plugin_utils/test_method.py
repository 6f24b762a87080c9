# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods as the runner sees them: every one that has a file, held to what the runner asks of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.module_utils._record_schema import PLAN_SCHEMA, errors
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import (
    BY_THE_RUN,
    PLUGINS,
    Pool,
    Trial,
    is_action,
    method,
    method_names,
    needs_of,
    param_spec,
    programs_of,
    servers_of,
)

POOL = Pool(5201, 6, 900.0)
METRICS = PLAN_SCHEMA["properties"]["cells"]["items"]["properties"]["metrics"]


@pytest.mark.parametrize("name", method_names())
class TestEveryMethod:
    def test_its_metrics_are_good_and_told_apart(self, name: str) -> None:
        found = method(name).metrics_of({})
        assert errors(found, METRICS) == []
        names = [item["name"] for item in found]
        assert len(set(names)) == len(names)
        assert found[0]["better"] in ("higher", "lower"), "the first one is what a ranking goes by"

    def test_it_lasts_some_time_with_its_defaults(self, name: str) -> None:
        assert method(name).seconds({}) > 0

    def test_its_defaults_are_no_problem(self, name: str) -> None:
        assert [problem for problem in method(name).problems({}) if "size" not in problem[0]] == []

    def test_what_the_run_sets_are_options_of_its_module(self, name: str) -> None:
        tree = ast.parse((PLUGINS / "modules" / f"{name}.py").read_text())
        assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
        text = next(ast.literal_eval(node.value) for node in assigned if getattr(node.targets[0], "id", "") == "DOCUMENTATION")
        documented = set(yaml.safe_load(text)["options"])
        assert method(name).by_the_run - BY_THE_RUN <= documented
        assert "server" in documented and not set(param_spec(name)) & method(name).by_the_run

    def test_its_servers_are_modules_that_can_be_stopped(self, name: str) -> None:
        for servers in method(name).servers({}, POOL).values():
            for server in servers:
                source = (PLUGINS / "modules" / f"{server.module.rpartition('.')[2]}.py").read_text()
                assert "choices: [started, stopped]" in source and all(f"  {option}:" in source for option in server.options)

    def test_it_is_explained(self, name: str) -> None:
        assert (Path(PLUGINS).parent / "docs" / "methods" / f"{name}.md").is_file(), "docs/methods/<name>.md"

    def test_its_tasks_are_there(self, name: str) -> None:
        tasks = method(name).tasks
        assert not tasks or (Path(PLUGINS).parent / "roles" / "bench" / "tasks" / tasks).is_file()


def test_an_unknown_method() -> None:
    with pytest.raises(KeyError):
        method("iperf2")


def test_methods_on_one_host_share_a_server_and_the_larger_number_counts() -> None:
    needs = [{"method": "iperf3", "end": "server", "params": {}}, {"method": "iperf3", "end": "server", "params": {"streams": 4}}]
    assert [(server.module, server.options["count"]) for server in servers_of(needs, POOL)] == [("routerlab.bench.iperf3_server", 6)]
    assert servers_of([{"method": "iperf3", "end": "client", "params": {}}], POOL) == []


def test_the_servers_of_three_methods_on_one_host() -> None:
    needs = [
        {"method": name, "end": "server", "params": params}
        for name, params in (("iperf3", {}), ("latency", {"load_percent": 50}), ("flent", {"test": "rrul"}), ("flent", {"test": "tcp_2up", "tool": "iperf3"}))
    ]
    found = [(server.module.rpartition(".")[2], server.options.get("program"), server.options.get("count")) for server in servers_of(needs, POOL)]
    assert found == [("iperf3_server", None, 9), ("traffic_server", "irtt", None), ("traffic_server", "netserver", None)]
    netserver = servers_of(needs, POOL)[2]
    assert netserver.options["optional"] is True, "netperf is not free, and nothing stops without it"


def test_netperf_is_wanted_and_never_needed_unless_it_is_asked_for() -> None:
    cells = [{"method": "flent", "client": "b", "server": "a", "params": {}}]
    assert "netperf" not in programs_of(cells)["b"]["needed"] and "netperf" in programs_of(cells)["b"]["wanted"]
    asked = [{"method": "flent", "client": "b", "server": "a", "params": {"tool": "flent"}}]
    assert "netperf" in programs_of(asked)["b"]["needed"] and programs_of(asked)["a"]["needed"] == ["netserver"]


@pytest.mark.parametrize(
    ("name", "params", "direction", "metrics"),
    [
        ("iperf3", {"reverse": True}, ("server", "client"), ["throughput"]),
        ("flent", {}, ("server", "client"), ["throughput"]),
        ("flent", {"test": "tcp_8up"}, ("client", "server"), ["throughput"]),
        ("flent", {"test": "rrul"}, ("server", "client"), ["throughput", "throughput_reverse", "throughput_total"]),
        ("flent", {"test": "ping"}, ("server", "client"), []),
    ],
)
def test_directions(name: str, params: dict[str, object], direction: tuple[str, str], metrics: list[str]) -> None:
    assert method(name).direction(params) == direction
    assert [item["name"] for item in method(name).metrics_of(params) if item["name"].startswith("throughput")] == metrics


def test_ports_for_every_stream() -> None:
    cell = {"server_address": "10.0.0.1", "client_address": "10.0.0.2", "params": {"test": "tcp_12up"}}
    now = Trial({"link_bps": None}, {"seq": 3}, cell, [6000, 6001])
    assert method("flent").arguments(now)["ports"] == list(range(6000, 6013))
    assert method("latency").arguments(now)["ports"] == [6000, 6001]


def test_what_each_endpoint_needs() -> None:
    cells = [{"method": "iperf3", "client": "b", "server": "a", "params": {"streams": 2}}] * 2
    assert needs_of(cells) == {
        "a": [{"method": "iperf3", "end": "server", "params": {"streams": 2}}],
        "b": [{"method": "iperf3", "end": "client", "params": {"streams": 2}}],
    }
    assert programs_of(cells) == {"a": {"needed": ["iperf3"], "wanted": []}, "b": {"needed": ["iperf3"], "wanted": []}}


def test_a_method_with_an_action_plugin_works_from_the_controller() -> None:
    assert is_action("packet_size") and not is_action("iperf3")
