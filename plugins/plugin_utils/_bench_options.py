# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a run, checked before anything is planned: names that nobody reads, values that would be refused later."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any, Collection, Iterable, Mapping

import yaml
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import WORDS
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError, load_suite

COLLECTION = Path(__file__).resolve().parents[2]
_NAME = re.compile(r"(?<!bench\.)\bbench_[a-z0-9_]+")
_DEFINED = re.compile(r"^[ \t]*(?:- )?[\"']?(bench_[a-z0-9_]+)[\"']?[ \t]*:", re.MULTILINE)
OF_THE_PLAYBOOKS = {"bench_keep_lab": {"type": "bool"}}
"""Options that the playbooks read and no role does."""


class OptionError(ValueError):
    """Options that cannot be used, with all their problems."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        lines = "\n".join(f"  {problem}" for problem in self.problems)
        super().__init__(f"The options of this run cannot be used:\n{lines}")


@functools.lru_cache(maxsize=1)
def option_spec() -> dict[str, dict[str, Any]]:
    """What a person may set for a run, with types and choices, from roles/bench/meta/argument_specs.yml."""
    path = COLLECTION / "roles" / "bench" / "meta" / "argument_specs.yml"
    options = yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"]
    keys = ("type", "choices", "elements")
    free = {name: {key: spec[key] for key in keys if key in spec} for name, spec in options.items() if not spec.get("required")}
    return {**free, **OF_THE_PLAYBOOKS}


@functools.lru_cache(maxsize=1)
def _texts() -> tuple[str, ...]:
    """The collection's playbooks and roles."""
    paths = [*(COLLECTION / "playbooks").glob("*.yml"), *(COLLECTION / "roles").glob("*/*/*.yml")]
    return tuple(path.read_text(encoding="utf-8") for path in paths)


def read_by(texts: Iterable[str]) -> set[str]:
    """Names of options that a text reads; one that it only gives a value to is not read there."""
    found: set[str] = set()
    for text in texts:
        found.update(_NAME.findall(_DEFINED.sub("", text)))
    return found


def unknown_options(given: Collection[str], own: Iterable[Path] = ()) -> list[Problem]:
    """A problem for each C(bench_) name that neither the collection nor the files of this lab (``own``) read."""
    texts = _texts()
    own_texts = [path.read_text(encoding="utf-8", errors="replace") for path in own]
    known = {name for text in texts for name in _NAME.findall(text)} | set(option_spec()) | read_by(own_texts)
    defined = {name for text in own_texts for name in _DEFINED.findall(text)}
    wrong = sorted(name for name in {*given, *defined} if name.startswith("bench_") and name not in known)
    settable = [name for name in option_spec() if name.startswith("bench_")]
    problems = [Problem(name, NOTHING, "there is no option of this name, and nobody reads it", choices(settable, name), "UNKNOWN_KEY") for name in wrong]
    if "bench_profile" in given:
        problems.append(Problem("bench_profile", NOTHING, "is read by deploy.yml and verify.yml, not by a run", "bench_profiles, a list", "UNKNOWN_KEY"))
    return problems


def wrong_values(values: Mapping[str, Any]) -> list[Problem]:
    """A problem for each option whose value is not of its type, its choices or its range."""
    problems = []
    good: dict[str, Any] = {}
    for name, spec in option_spec().items():
        if values.get(name) is None:
            continue
        done = ArgumentSpecValidator({name: spec}).validate({name: values[name]})
        if done.error_messages:
            valid = ", ".join(map(str, spec["choices"])) if "choices" in spec else WORDS[spec["type"]]
            problems.append(Problem(name, values[name], "cannot be used", valid, "NOT_A_CHOICE" if "choices" in spec else "WRONG_TYPE"))
        else:
            good[name] = done.validated_parameters[name]
    return problems + _wrong_ports(good)


def _wrong_ports(good: Mapping[str, Any]) -> list[Problem]:
    problems = []
    first, count = good.get("bench_port"), good.get("bench_ports")
    if first is not None and not 1 <= first <= 65535:
        problems.append(Problem("bench_port", first, "is out of range", "1 to 65535", "OUT_OF_RANGE"))
    if count is not None and not 1 <= count <= 100:
        problems.append(Problem("bench_ports", count, "is out of range", "1 to 100", "OUT_OF_RANGE"))
    if not problems and first is not None and count is not None and first + count - 1 > 65535:
        problems.append(Problem("bench_ports", count, f"makes ports beyond 65535 from {first} on", f"1 to {65536 - first}", "OUT_OF_RANGE"))
    return problems


def congestion_of(plan: Mapping[str, Any]) -> dict[str, list[str]]:
    """For each endpoint the congestion controls that it will be asked for: either end may be the sender."""
    found: dict[str, set[str]] = {}
    for cell in plan["cells"]:
        if cell["params"].get("congestion"):
            for end in ("client", "server"):
                found.setdefault(cell[end], set()).add(str(cell["params"]["congestion"]))
    return {name: sorted(asked) for name, asked in sorted(found.items())}


def against_plan(plan: Mapping[str, Any], given: Mapping[str, Any]) -> list[Problem]:
    """A resumed run keeps its plan: a problem for each option that asks for something else than it was planned with.

    ``given`` holds what was asked for, by the names of the module's options.
    """
    measured = [cell for cell in plan["cells"] if cell["role"] == "measure"]
    baselines = {cell["scenario"] for cell in plan["cells"]} - {cell["scenario"] for cell in measured}
    planned = {
        "suite": plan["suite"]["name"],
        "trials": plan["suite"]["trials"],
        "seed": plan["seed"],
        "tier": plan["tier"],
        "link_mbps": None if plan["link_bps"] is None else plan["link_bps"] / 1e6,
        "profiles": sorted({cell["lab_profile"] for cell in measured if cell["lab_profile"]}),
        "scenarios": sorted({cell["scenario"] for cell in measured}),
    }
    asked = {key: value for key, value in given.items() if key in planned and value is not None}
    if "suite" in asked:
        asked["suite"] = _suite_name(asked["suite"])
    if "scenarios" in asked:
        asked["scenarios"] = [name for name in asked["scenarios"] if name not in baselines]
    shape = {key: sorted(value) if isinstance(value, list) else value for key, value in asked.items()}
    message = "a resumed run keeps its plan, which says otherwise; leave this option out, or begin a new run"
    return [
        Problem(f"bench_{key}", given[key], message, _words(planned[key]), "KEEPS_ITS_PLAN") for key, value in shape.items() if value != planned[key]
    ]


def _suite_name(name: str) -> str:
    try:
        return str(load_suite(name)["name"])
    except SuiteError:
        return name


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return "not given" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
