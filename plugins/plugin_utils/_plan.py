# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan: every cell and every trial of a run, in the order in which they will be measured.

The order is random blocks: each visit of a profile measures all its scenarios in rounds,
every round shuffled, so that a drift of the machine does not sit on one cell. The same
seed gives the same order.
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import find_named, resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import method
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError

Plan = dict[str, Any]
Cell = dict[str, Any]

PLAN_SCHEMA = "routerlab.bench/plan/1"
BASELINE = "baseline"
AS_CONFIGURED = "as_configured"
NO_ROUTER = {"name": BASELINE, "title": "Baseline", "lab_profile": None}
PLACES = ("start", "middle", "end")
SECONDS = {"trial": 0.4, "deploy": 2.0, "gate": 3.0, "session": 12.0}
"""What the harness needs beside the traffic, for the estimate: measured on two cores."""


def lab_hash(lab: Mapping[str, Any]) -> str:
    """SHA-256 of the whole description."""
    return hashlib.sha256(json.dumps(lab, sort_keys=True, default=str).encode("utf-8")).hexdigest()


def build_plan(
    lab: Mapping[str, Any],
    suite: Mapping[str, Any],
    routers: Iterable[Mapping[str, Any]],
    platforms: Mapping[str, Any],
    run: Mapping[str, Any],
) -> Plan:
    """The plan of a run.

    ``routers`` are C({name, managed, profiles}) in the order in which they are measured;
    ``profiles`` None means all. ``run`` holds run, created, seed, tier, link_bps, harness.
    Raises SuiteError when the suite asks for an endpoint that the lab does not have, or
    when nothing is left to measure.
    """
    _check_endpoints(lab, suite)
    order = _Order(suite, random.Random(run["seed"]))
    cells: list[Cell] = []
    for router in routers:
        own = _router_cells(lab, suite, router, platforms)
        cells += own
        order.add_session(own)
    if not any(cell["role"] == "measure" for cell in cells):
        raise SuiteError(suite["name"], [Problem("suite.scenarios", suite["name"], "no profile of this lab and run is measured by any of its scenarios")])
    plan = {
        "schema": PLAN_SCHEMA,
        **run,
        "lab": {"name": lab["name"], "title": lab.get("title") or lab["name"], "hash": lab_hash(lab)},
        "suite": {"name": suite["name"], "title": suite["title"] or suite["name"], "trials": suite["trials"], "visits": suite["visits"]},
        "cells": cells,
        "segments": order.segments,
        "trials": [{"seq": index, **trial} for index, trial in enumerate(order.trials, start=1)],
    }
    plan["expected_seconds"] = round(expected_seconds(plan, plan["trials"]))
    return plan


def _check_endpoints(lab: Mapping[str, Any], suite: Mapping[str, Any]) -> None:
    known = {item["name"]: item for item in lab.get("endpoints") or []}
    problems = []
    for item in suite["scenarios"]:
        for key in ("client", "server"):
            path = f"suite.scenarios[{item['name']}].{key}"
            endpoint = known.get(item[key])
            field = "l2_address" if item["path"] == "l2" else "address"
            if endpoint is None:
                problems.append(Problem(path, item[key], "the lab has no endpoint of this name", choices(known, item[key]), "UNDEFINED"))
            elif not endpoint.get(field):
                problems.append(Problem(path, item[key], f"lab.endpoints[{item[key]}] has no {field}", f"{field}: A.B.C.D/L", "MISSING"))
        far = item["params"].get("far")
        if far and far not in known:
            path = f"suite.scenarios[{item['name']}].params.far"
            problems.append(Problem(path, far, "the lab has no endpoint of this name", choices(known, far), "UNDEFINED"))
    if problems:
        raise SuiteError(suite["name"], problems)


def _router_cells(lab: Mapping[str, Any], suite: Mapping[str, Any], router: Mapping[str, Any], platforms: Mapping[str, Any]) -> list[Cell]:
    described = find_named(lab["routers"], router["name"]) or {}
    base = {
        "dut": router["name"],
        "platform": described.get("platform") or "unknown",
        "version": described.get("version") or "unknown",
        "managed": router["managed"],
    }
    cells = []
    for scenario in suite["scenarios"]:
        if scenario["role"] == "baseline":
            cells.append(_cell(lab, suite, scenario, base, NO_ROUTER, len(PLACES) * suite["baseline_trials"]))
    for profile in _profiles(lab, described, router):
        model = resolve_router(lab, router["name"], profile["lab_profile"], platforms)
        for scenario in suite["scenarios"]:
            if scenario["role"] == "measure" and _wanted(scenario, profile, model):
                cells.append(_cell(lab, suite, scenario, base, profile, suite["trials"]))
    used = {cell["baseline"] for cell in cells}
    return [cell for cell in cells if cell["role"] == "measure" or cell["id"] in used]


def _profiles(lab: Mapping[str, Any], described: Mapping[str, Any], router: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The profiles to measure; a router that nobody here configures has one, as it stands."""
    if not router["managed"]:
        return [{"name": AS_CONFIGURED, "title": "As configured", "lab_profile": router.get("stands_for")}]
    chosen = router.get("profiles")
    found = [
        {"name": item["name"], "title": item.get("title") or item["name"], "lab_profile": item["name"]}
        for item in router_profiles(lab, described)
        if chosen is None or item["name"] in chosen
    ]
    if not found and chosen is None:
        return [{"name": "base", "title": "As described", "lab_profile": None}]
    return found


def _wanted(scenario: Mapping[str, Any], profile: Mapping[str, Any], model: Mapping[str, Any]) -> bool:
    if scenario["requires"] and not model["flags"].get(scenario["requires"]):
        return False
    restricted = scenario["profiles"] and profile["lab_profile"] is not None
    return not restricted or profile["lab_profile"] in scenario["profiles"]


def _cell(
    lab: Mapping[str, Any], suite: Mapping[str, Any], scenario: Mapping[str, Any], base: Mapping[str, Any], variant: Mapping[str, Any], count: int
) -> Cell:
    params = {**suite["defaults"].get(scenario["method"], {}), **scenario["params"]}
    profile = variant["name"]
    field = "l2_address" if scenario["path"] == "l2" else "address"
    addresses = {item["name"]: (item.get(field) or "").partition("/")[0] for item in lab["endpoints"]}
    ends = [scenario["client"], scenario["server"]]
    known = method(scenario["method"])
    names = dict(zip(("client", "server"), ends, strict=True))
    arrow = "→".join(names[end] for end in known.direction(params))
    return {
        "id": f"{base['dut']}/{profile}/{scenario['name']}",
        **base,
        "profile": profile,
        "lab_profile": variant["lab_profile"],
        "profile_title": variant["title"],
        "scenario": scenario["name"],
        "title": scenario["title"] or scenario["name"],
        "method": scenario["method"],
        "client": scenario["client"],
        "server": scenario["server"],
        "client_address": addresses[scenario["client"]],
        "server_address": addresses[scenario["server"]],
        **({"far_address": addresses[params["far"]]} if params.get("far") else {}),
        "path": scenario["path"],
        "direction": arrow,
        "params": params,
        "baseline": f"{base['dut']}/{BASELINE}/{scenario['baseline']}" if scenario["baseline"] else None,
        "role": scenario["role"],
        "metrics": known.metrics_of(params),
        "seconds": known.seconds(params),
        "n": count,
    }


class _Order:
    """Grows the segments and trials of a run, router by router."""

    def __init__(self, suite: Mapping[str, Any], rng: random.Random) -> None:
        self.suite = suite
        self.rng = rng
        self.segments: list[dict[str, Any]] = []
        self.trials: list[dict[str, Any]] = []
        self._counts: dict[str, int] = {}

    def add_session(self, cells: list[Cell]) -> None:
        """One router: baseline, half of the visits, baseline, the rest, baseline."""
        measured = [cell for cell in cells if cell["role"] == "measure"]
        baselines = [cell for cell in cells if cell["role"] == "baseline"]
        visits = self._visits(list(dict.fromkeys(cell["profile"] for cell in measured)))
        half = (len(visits) + 1) // 2
        for number, part in enumerate((visits[:half], visits[half:], [])):
            self._add_segment(baselines, self.suite["baseline_trials"], number, PLACES[number])
            for visit, profile in part:
                members = [cell for cell in measured if cell["profile"] == profile]
                self._add_segment(members, deal(self.suite["trials"], self.suite["visits"], visit), visit)

    def _visits(self, profiles: list[str]) -> list[tuple[int, str]]:
        visits = []
        for visit in range(self.suite["visits"]):
            order = list(profiles)
            self.rng.shuffle(order)
            visits += [(visit, profile) for profile in order]
        return visits

    def _add_segment(self, members: list[Cell], rounds: int, visit: int, place: str | None = None) -> None:
        if not members or not rounds:
            return
        number = len(self.segments)
        same = {key: members[0][key] for key in ("dut", "profile", "lab_profile")}
        self.segments.append({"segment": number, **same, "visit": visit, "place": place})
        for _round in range(rounds):
            order = list(members)
            self.rng.shuffle(order)
            for cell in order:
                trial = self._counts[cell["id"]] = self._counts.get(cell["id"], 0) + 1
                self.trials.append({"id": f"{cell['id']}/{trial}", "cell": cell["id"], "trial": trial, "visit": visit, "segment": number})


def deal(trials: int, visits: int, visit: int) -> int:
    """How many of the trials fall to a visit: as even as possible, the first visits get the rest."""
    return trials // visits + (1 if visit < trials % visits else 0)


def expected_seconds(plan: Mapping[str, Any], trials: Iterable[Mapping[str, Any]]) -> float:
    """How long these trials will take, with deployments and gates."""
    cells = {cell["id"]: cell for cell in plan["cells"]}
    trials = list(trials)
    traffic = sum(cells[trial["cell"]].get("seconds", 0.0) for trial in trials)
    used = {trial["segment"] for trial in trials}
    visits = [item for item in plan["segments"] if item["segment"] in used and item["profile"] != BASELINE]
    gates = {(item["dut"], item["profile"]) for item in visits}
    duts = {item["dut"] for item in visits}
    return traffic + SECONDS["trial"] * len(trials) + SECONDS["deploy"] * len(visits) + SECONDS["gate"] * len(gates) + SECONDS["session"] * len(duts)
