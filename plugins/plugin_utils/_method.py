# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the runner has to know of a measuring method. A method is found by its files; nothing lists them.

``plugins/plugin_utils/_methods/NAME.py`` holds a class C(Method), made from the one here; ``plugins/modules/NAME.py`` holds its parameters and measures.
How to add one is in docs/methods/README.md.
"""

from __future__ import annotations

import ast
import functools
import importlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Mapping, NamedTuple

import yaml

PLUGINS = Path(__file__).resolve().parents[1]
FOLDER = PLUGINS / "plugin_utils" / "_methods"
PACKAGE = "ansible_collections.routerlab.bench.plugins.plugin_utils._methods"
ENDS = ("client", "server")
BY_THE_RUN = frozenset({"server", "ports", "port_index", "bind", "link_bps"})
"""Options of a method's module that the plan and the inventory set, not the suite."""

Params = Mapping[str, Any]


@dataclass(frozen=True)
class Server:
    """A server program that runs on an endpoint while trials of a method do: the module that starts and stops it, with its options but C(state)."""

    module: str
    options: dict[str, Any] = field(default_factory=dict)


class Pool(NamedTuple):
    """What the run gives to servers: the first of so many ports, and the time after which everything ends by itself."""

    port: int
    ports: int
    max_seconds: float


class Trial(NamedTuple):
    """All that is known when a trial is about to be made."""

    plan: Mapping[str, Any]
    trial: Mapping[str, Any]
    cell: Mapping[str, Any]
    ports: list[int]
    run_dir: str = ""


def metric(name: str, unit: str, title: str, better: str | None = None, headline: bool = False) -> dict[str, Any]:
    """A declared metric. One that is better in a direction has tables and charts of its own; C(headline) ones stand beside the first in the summary."""
    return {"name": name, "unit": unit, "title": title, "better": better, **({"headline": True} if headline else {})}


class BaseMethod:
    """The defaults: a method that measures for C(duration) seconds after C(omit), from the client, and needs no server."""

    name = ""
    metrics: list[dict[str, Any]] = []
    by_the_run: frozenset[str] = BY_THE_RUN
    at_most: dict[str, float] = {}
    tasks = ""
    """A file in roles/bench/tasks that makes all trials of this method in a segment, where one module on the client is not enough."""

    def metrics_of(self, params: Params) -> list[dict[str, Any]]:
        """What these parameters measure; the first is the one that is compared with the baseline."""
        return self.metrics

    def direction(self, params: Params) -> tuple[str, str]:
        """From which end to which the main number counts."""
        return ("server", "client") if params.get("reverse") else ("client", "server")

    def seconds(self, params: Params) -> float:
        """How long one trial takes, but for the fraction of a second that the runner needs."""
        return float(self.value(params, "duration") or 0) + float(self.value(params, "omit") or 0)

    def servers(self, params: Params, pool: Pool) -> dict[str, list[Server]]:
        """For C(client) and C(server) the servers that have to run there."""
        return {}

    def programs(self, params: Params) -> dict[str, list[str]]:
        """For C(client) and C(server) the programs that have to be there."""
        return {}

    def wanted(self, params: Params) -> dict[str, list[str]]:
        """The same for programs that are used if they are there."""
        return {}

    def problems(self, params: Params) -> list[tuple[str, str, str]]:
        """What is wrong with parameters whose types are right: key, what, and what would be valid."""
        return []

    def extra(self, cell: Mapping[str, Any]) -> dict[str, Any]:
        """What the tasks of this method find in each of their trials."""
        return {}

    def arguments(self, now: Trial) -> dict[str, Any]:
        """What the module is called with."""
        cell = now.cell
        arguments = {"server": cell["server_address"], "bind": cell["client_address"], "ports": now.ports, "port_index": now.trial["seq"], **cell["params"]}
        return {**arguments, "link_bps": now.plan["link_bps"]} if now.plan["link_bps"] else arguments

    def value(self, params: Params, key: str) -> Any:
        """A parameter, or its default."""
        found = params.get(key)
        return param_spec(self.name).get(key, {}).get("default") if found is None else found


def method_names() -> list[str]:
    """All methods that there are."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


@functools.lru_cache(maxsize=None)
def method(name: str) -> BaseMethod:
    """A method by its name. KeyError when there is none."""
    if name not in method_names():
        raise KeyError(name)
    made = importlib.import_module(f"{PACKAGE}.{name}").Method()
    made.name = name
    return made


@functools.lru_cache(maxsize=None)
def param_spec(name: str) -> dict[str, Any]:
    """The options of a method that a suite may set, from the documentation of its module."""
    tree = ast.parse((PLUGINS / "modules" / f"{name}.py").read_text(encoding="utf-8"))
    assigned = (node for node in tree.body if isinstance(node, ast.Assign))
    text = next(ast.literal_eval(node.value) for node in assigned if getattr(node.targets[0], "id", "") == "DOCUMENTATION")
    return {key: option for key, option in yaml.safe_load(text)["options"].items() if key not in method(name).by_the_run}


def is_action(name: str) -> bool:
    """Whether a method works from the controller, with an action plugin, instead of with a module on the client alone."""
    return (PLUGINS / "action" / f"{name}.py").is_file()


def needs_of(cells: Iterable[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """For each endpoint the methods with their parameters that it takes part in, each once: what M(routerlab.bench.bench_servers) is given."""
    found: dict[str, list[dict[str, Any]]] = {}
    for cell in cells:
        for end in ENDS:
            need = {"method": cell["method"], "end": end, "params": dict(cell["params"])}
            if need not in found.setdefault(cell[end], []):
                found[cell[end]].append(need)
    return dict(sorted(found.items()))


def servers_of(needs: Iterable[Mapping[str, Any]], pool: Pool) -> list[Server]:
    """The servers of one endpoint. Methods that need the same module share it; of each number the larger counts."""
    merged: dict[str, dict[str, Any]] = {}
    for need in needs:
        for server in method(need["method"]).servers(need["params"], pool).get(need["end"], []):
            key = f"{server.module} {server.options.get('program', '')}"
            known = merged.setdefault(key, dict(server.options))
            numbers = {name: value for name, value in server.options.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}
            known.update({name: max(value, known.get(name, value)) for name, value in numbers.items()})
    return [Server(key.split()[0], options) for key, options in merged.items()]


def programs_of(cells: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """For each endpoint the programs that it must have (C(needed)) and that it is good to have (C(wanted))."""
    found: dict[str, dict[str, set[str]]] = {}
    for cell in cells:
        known = method(cell["method"])
        for end in ENDS:
            here = found.setdefault(cell[end], {"needed": set(), "wanted": set()})
            here["needed"].update(known.programs(cell["params"]).get(end, []))
            here["wanted"].update(known.wanted(cell["params"]).get(end, []))
    return {host: {"needed": sorted(each["needed"]), "wanted": sorted(each["wanted"] - each["needed"])} for host, each in sorted(found.items())}
