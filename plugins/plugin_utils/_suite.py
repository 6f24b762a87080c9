# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A suite: read, checked in shape and meaning, narrowed to what a run asks for."""

from __future__ import annotations

import copy
import functools
from pathlib import Path
from typing import Any, Iterable, Mapping

import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import check_shape, fill_defaults
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_yaml import scan
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import method, method_names, param_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite_params import check_params

COLLECTION = Path(__file__).resolve().parents[2]
SUITES = COLLECTION / "roles" / "bench" / "vars"

Suite = dict[str, Any]


class SuiteError(ValueError):
    """A suite that cannot be used, with all its problems."""

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        lines = "\n".join(f"  {problem}" for problem in self.problems)
        super().__init__(f"The suite {source} cannot be used:\n{lines}")


@functools.lru_cache(maxsize=1)
def suite_spec() -> dict[str, Any]:
    """The options of a suite, from roles/bench/meta/argument_specs.yml; which methods there are is seen by their files."""
    path = COLLECTION / "roles" / "bench" / "meta" / "argument_specs.yml"
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    spec: dict[str, Any] = document["argument_specs"]["suite"]["options"]["suite"]["options"]
    spec["scenarios"]["options"]["method"]["choices"] = method_names()
    return spec


def suite_names() -> list[str]:
    """The suites that come with the collection."""
    return sorted(path.stem[len("suite_"):] for path in SUITES.glob("suite_*.yml"))


def load_suite(name: str) -> Suite:
    """A suite by its name or by the path of its file, checked and with defaults. Raises SuiteError."""
    path = Path(name) if name.endswith((".yml", ".yaml")) else SUITES / f"suite_{name}.yml"
    if not path.is_file():
        raise SuiteError(name, [Problem("bench_suite", name, "there is no suite of this name", choices(suite_names(), name) + ", or the path of a .yml file")])
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise SuiteError(str(path), [Problem("file", NOTHING, " ".join(str(exc).split()))]) from exc
    eaten = scan(text, path.name, "suite", written_spec()).problems
    if eaten:
        raise SuiteError(str(path), eaten)
    return check_suite(yaml.safe_load(text), str(path))


@functools.lru_cache(maxsize=1)
def written_spec() -> dict[str, Any]:
    """The options of a suite with those of its methods below C(defaults) and C(params): the type of everything that can be written."""
    spec = copy.deepcopy(suite_spec())
    scenario = spec["scenarios"]["options"]
    methods: dict[str, dict[str, Any]] = {name: {"type": "dict", "options": param_spec(name)} for name in method_names()}
    spec["defaults"]["options"] = methods
    scenario["params"]["options"] = {key: option for method in methods.values() for key, option in method["options"].items()}
    return spec


def check_suite(document: Any, source: str) -> Suite:
    """The suite of a document, with defaults. Raises SuiteError with all problems."""
    suite = document.get("suite") if isinstance(document, Mapping) else None
    if suite is None:
        raise SuiteError(source, [Problem("suite", NOTHING, "is required and missing", "a mapping called suite", "MISSING")])
    problems = check_shape(suite, suite_spec(), "suite")
    if problems:
        raise SuiteError(source, problems)
    filled = fill_defaults(suite, suite_spec())
    problems = _check_counts(filled) + _check_scenarios(filled) + check_params(filled)
    if problems:
        raise SuiteError(source, problems)
    return filled


def _check_counts(suite: Suite) -> list[Problem]:
    counts = ("trials", "visits", "baseline_trials")
    problems = [Problem(f"suite.{key}", suite[key], "is out of range", "1 to 1000", "OUT_OF_RANGE") for key in counts if not 1 <= suite[key] <= 1000]
    if not problems and suite["visits"] > suite["trials"]:
        problems.append(Problem("suite.visits", suite["visits"], f"is more than the {suite['trials']} trials", "at most one visit for each trial"))
    return problems


def _check_scenarios(suite: Suite) -> list[Problem]:
    problems = []
    scenarios = {item["name"]: item for item in suite["scenarios"]}
    baselines = [name for name, item in scenarios.items() if item["role"] == "baseline"]
    for name, item in scenarios.items():
        path = f"suite.scenarios[{name}]"
        for key in ("client", "server"):
            if not item[key]:
                problems.append(Problem(f"{path}.{key}", NOTHING, "is required and missing", "the name of an endpoint", "MISSING"))
        if item["client"] and item["client"] == item["server"]:
            problems.append(Problem(f"{path}.server", item["server"], "is the client, too", "another endpoint"))
        if item["role"] == "baseline" and item["path"] != "l2":
            problems.append(Problem(f"{path}.path", item["path"], "a baseline does not cross the router", "l2"))
        if item["baseline"] and item["baseline"] not in baselines:
            problems.append(Problem(f"{path}.baseline", item["baseline"], "there is no baseline scenario of this name", choices(baselines, item["baseline"])))
        if item["baseline"] in baselines:
            problems += _check_baseline(suite, path, item, scenarios[item["baseline"]])
    if not any(item["role"] == "measure" for item in scenarios.values()):
        problems.append(Problem("suite.scenarios", NOTHING, "nothing is measured", "at least one scenario with role: measure", "MISSING"))
    return problems


def _check_baseline(suite: Suite, path: str, item: Mapping[str, Any], baseline: Mapping[str, Any]) -> list[Problem]:
    """A baseline has the same endpoints, and as many directions."""
    problems = []
    if {item["client"], item["server"]} != {baseline["client"], baseline["server"]}:
        problems.append(Problem(f"{path}.baseline", item["baseline"], "has other endpoints", f"a baseline between {item['client']} and {item['server']}"))
    if bool(item["params"].get("bidir")) != bool(baseline["params"].get("bidir")):
        problems.append(Problem(f"{path}.baseline", item["baseline"], "differs in bidir", "a baseline with as many directions"))
    if item["method"] != baseline["method"]:
        problems.append(Problem(f"{path}.baseline", item["baseline"], f"is measured by {baseline['method']}", f"a baseline with method: {item['method']}"))
    elif not problems and ways(suite, item) != ways(suite, baseline):
        problems.append(Problem(f"{path}.baseline", item["baseline"], "has other directions", "a baseline that measures the same ones"))
    return problems


def ways(suite: Suite, item: Mapping[str, Any]) -> int:
    """In how many directions a scenario measures a rate; 0 where its parameters are of the wrong shape, which has a problem of its own."""
    params = {**(suite["defaults"].get(item["method"]) or {}), **item["params"]}
    if check_shape(params, param_spec(item["method"]), "params"):
        return 0
    return sum(metric["name"] in ("throughput", "throughput_reverse") for metric in method(item["method"]).metrics_of(params))


def narrow(suite: Suite, trials: int | None = None, scenarios: Iterable[str] | None = None) -> Suite:
    """The suite with another number of trials, or with only some scenarios and their baselines."""
    wanted = list(scenarios or [])
    names = [item["name"] for item in suite["scenarios"]]
    unknown = [Problem("bench_scenarios", name, "there is no scenario of this name", choices(names, name)) for name in wanted if name not in names]
    if trials is not None and not 1 <= trials <= 1000:
        unknown.append(Problem("bench_trials", trials, "is out of range", "1 to 1000", "OUT_OF_RANGE"))
    if unknown:
        raise SuiteError(suite["name"], unknown)
    kept = list(suite["scenarios"])
    if wanted:
        needed = {item["baseline"] for item in kept if item["name"] in wanted} | set(wanted)
        kept = [item for item in kept if item["name"] in needed]
    count = trials or suite["trials"]
    return {**suite, "trials": count, "visits": min(suite["visits"], count), "scenarios": kept}
