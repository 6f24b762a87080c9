# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parameters of a suite's methods, checked before anything is measured: each trial would fail for the same reason."""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import check_shape
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import method, method_names, param_spec

AT_LEAST = {"duration": 1, "streams": 1, "omit": 0, "retries": 0}
"""Numbers that mean the same in every method that has them."""


def check_params(suite: Mapping[str, Any]) -> list[Problem]:
    """All that is wrong with C(defaults) and with each scenario's C(params); the suite has its defaults filled in."""
    problems = []
    names = method_names()
    for name, values in suite["defaults"].items():
        if name in names:
            problems += _check(values, name, f"suite.defaults.{name}")
        else:
            problems.append(Problem(f"suite.defaults.{name}", values, "there is no method of this name", choices(names, name), "UNKNOWN_KEY"))
    for item in suite["scenarios"]:
        path = f"suite.scenarios[{item['name']}].params"
        found = _check(item["params"], item["method"], path)
        problems += found or _together(item, suite["defaults"].get(item["method"]) or {}, path)
    return problems


def _check(values: Any, name: str, path: str) -> list[Problem]:
    problems = check_shape(values, param_spec(name), path)
    if problems:
        return problems
    low = [(key, least) for key, least in AT_LEAST.items() if values.get(key) is not None and values[key] < least]
    problems = [Problem(f"{path}.{key}", values[key], "is too small", f"{least} or more", "OUT_OF_RANGE") for key, least in low]
    high = [(key, most) for key, most in method(name).at_most.items() if values.get(key) is not None and values[key] > most]
    return problems + [Problem(f"{path}.{key}", values[key], f"is more than {name} takes", f"{most} at most", "OUT_OF_RANGE") for key, most in high]


def _together(item: Mapping[str, Any], defaults: Mapping[str, Any], path: str) -> list[Problem]:
    """What the method itself says of a scenario's parameters, the suite's defaults among them; defaults of a wrong type have their own problem."""
    if check_shape(defaults, param_spec(item["method"]), path):
        return []
    params = {**defaults, **item["params"]}
    return [
        Problem(f"{path}.{key}", params.get(key, NOTHING), what, valid, "OUT_OF_RANGE")
        for key, what, valid in method(item["method"]).problems(params)
    ]
