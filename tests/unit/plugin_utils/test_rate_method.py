# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the runner is told of the methods that measure packet rates."""
from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import Pool, Trial, is_action, method, param_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_action import GENERATOR, SEARCH
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_result import search_metrics, size_metrics
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import Bounds, Found

CELL: dict[str, Any] = {
    "dut": "dut", "managed": True, "path": "router", "client": "lan2", "server": "lan", "client_address": "10.223.223.11", "server_address": "10.222.222.12",
    "method": "packet_size", "params": {"size": 512},
}
FOUND = Found([Bounds(loss, 100.0, 101.0, 99.0, 99.0, 1e6, False) for loss in (0.0, 0.001, 0.005)], [], [])


@pytest.mark.parametrize("name", ["packet_size", "rate_search"])
def test_they_work_from_the_controller(name: str) -> None:
    assert is_action(name)
    assert {"ends", "journal", "server", "ports"}.isdisjoint(param_spec(name))
    assert {"size", "size_kind", "offload", "streams"} <= set(param_spec(name))
    assert method(name).programs({}) == {"client": ["iperf3"], "server": ["iperf3"]}
    assert [server.module for server in method(name).servers({}, Pool(5201, 6, 60))["server"]] == ["routerlab.bench.iperf3_server"]


@pytest.mark.parametrize("name", ["packet_size", "rate_search"])
def test_the_documented_options_are_those_that_are_taken(name: str) -> None:
    taken = {**GENERATOR, **SEARCH}
    for key, option in param_spec(name).items():
        if key in taken:
            assert option.get("default") == taken[key].get("default"), key
            assert option["type"] == taken[key]["type"], key


def test_the_declared_metrics_are_those_that_are_measured() -> None:
    known = method("rate_search")
    size = known.size({"size": 512})  # type: ignore[attr-defined]  # a rate method's own
    assert {item["name"]: item["unit"] for item in known.metrics_of({"size": 512})} == {
        name: metric["unit"] for name, metric in search_metrics(FOUND, size, "").items()
    }
    measured = {name: metric["unit"] for name, metric in size_metrics(FOUND, size, "").items()}
    assert {item["name"]: item["unit"] for item in method("packet_size").metrics_of({"size": 512})} == measured


def test_goal_and_size_stand_in_the_name_of_a_number() -> None:
    titles = [item["title"] for item in method("rate_search").metrics_of({"size": 64, "size_kind": "frame", "losses": [0.1]})]
    assert titles[0] == "PDR 0.1 %, 64 B frames (trials 20 s, sum 40 s, exceed 50 %, width 1 %)"
    seed = {"size": 99, "size_kind": "payload", "mode": "seed"}
    for params, words in (({"size": 512}, "512 B IP packets"), ({"size_kind": "imix"}, "IMIX"), (seed, "99 B payload")):
        assert all(words in item["title"] for item in method("packet_size").metrics_of(params))


def test_the_ends() -> None:
    now = Trial({"link_bps": 1e9}, {"seq": 7}, CELL, [5201, 5202], "results/run")
    arguments = method("packet_size").arguments(now)
    assert arguments["journal"] == "results/run/raw/0007-search.jsonl" and arguments["size"] == 512 and arguments["link_bps"] == 1e9
    assert [(end["role"], end["host"], end["peers"]) for end in arguments["ends"]] == [
        ("client", "lan2", ["10.222.222.12"]), ("server", "lan", ["10.223.223.11"]), ("dut", "dut", ["10.223.223.11", "10.222.222.12"]),
    ]
    for change in ({"managed": False}, {"path": "l2"}):
        untouched = method("packet_size").arguments(now._replace(cell={**CELL, **change}, run_dir=""))
        assert [end["role"] for end in untouched["ends"]] == ["client", "server"] and "journal" not in untouched


@pytest.mark.parametrize(
    ("name", "params", "keys"),
    [
        ("packet_size", {"size": 512}, []), ("packet_size", {"size_kind": "imix"}, []), ("packet_size", {}, ["size"]),
        ("packet_size", {"size": 512, "mode": "seed", "width": 0}, []), ("packet_size", {"size": 512, "width": 0}, ["width"]),
        ("packet_size", {"size": 512, "loss": 100}, ["loss"]), ("rate_search", {"size": 20, "losses": [0, -1]}, ["size", "losses"]),
        ("rate_search", {"size": 512, "final_seconds": 2}, ["initial_seconds"]),
    ],
)
def test_problems_name_the_parameter(name: str, params: dict[str, Any], keys: list[str]) -> None:
    pytest.importorskip("MLRsearch")
    assert [key for key, _what, _valid in method(name).problems(params)] == keys


def test_the_time_that_is_expected() -> None:
    assert method("packet_size").seconds({"size": 512, "mode": "seed", "duration": 30}) == pytest.approx(37, abs=3)
    assert method("packet_size").seconds({"size": 512}) == pytest.approx(122, abs=5)
    assert method("rate_search").seconds({"size": 512}) == pytest.approx(220, abs=5)
