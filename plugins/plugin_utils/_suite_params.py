# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parameters of a suite's methods, checked before anything is measured: each trial would fail for the same reason."""

from __future__ import annotations

import ast
import functools
from pathlib import Path
from typing import Any, Mapping

import yaml

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import MOST_SECONDS, MOST_STREAMS
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import check_shape

MODULES = Path(__file__).resolve().parents[1] / "modules"

BY_THE_RUN = (
    "server", "ports", "port_index", "bind", "link_bps", "state", "far_server", "echo_port", "power_epoch", "power_event", "power_call_s",
    "power_clock", "bootloader_s",
)
"""What the plan and the inventory say, not the suite."""

AT_LEAST = {"duration": 1, "streams": 1, "omit": 0, "retries": 0}
"""Numbers that mean the same in every method that has them."""

AT_MOST = {"iperf3": {"duration": MOST_SECONDS, "streams": MOST_STREAMS}}
"""Limits of a method's own program."""


@functools.lru_cache(maxsize=None)
def param_spec(method: str) -> dict[str, Any]:
    """The options of a method that a suite may set, from the documentation of its module."""
    tree = ast.parse((MODULES / f"{method}.py").read_text(encoding="utf-8"))
    assigned = (node for node in tree.body if isinstance(node, ast.Assign))
    text = next(ast.literal_eval(node.value) for node in assigned if getattr(node.targets[0], "id", "") == "DOCUMENTATION")
    return {key: option for key, option in yaml.safe_load(text)["options"].items() if key not in BY_THE_RUN}


def check_params(suite: Mapping[str, Any], methods: list[str]) -> list[Problem]:
    """All that is wrong with C(defaults) and with each scenario's C(params); the suite has its defaults filled in."""
    problems = []
    for method, values in suite["defaults"].items():
        if method in methods:
            problems += _check(values, method, f"suite.defaults.{method}")
        else:
            problems.append(Problem(f"suite.defaults.{method}", values, "there is no method of this name", choices(methods, method), "UNKNOWN_KEY"))
    for item in suite["scenarios"]:
        problems += _check(item["params"], item["method"], f"suite.scenarios[{item['name']}].params")
    return problems


def _check(values: Any, method: str, path: str) -> list[Problem]:
    problems = check_shape(values, param_spec(method), path)
    if problems:
        return problems
    low = [(key, least) for key, least in AT_LEAST.items() if values.get(key) is not None and values[key] < least]
    problems = [Problem(f"{path}.{key}", values[key], "is too small", f"{least} or more", "OUT_OF_RANGE") for key, least in low]
    high = [(key, most) for key, most in AT_MOST.get(method, {}).items() if values.get(key) is not None and values[key] > most]
    return problems + [Problem(f"{path}.{key}", values[key], f"is more than {method} takes", f"{most} at most", "OUT_OF_RANGE") for key, most in high]
