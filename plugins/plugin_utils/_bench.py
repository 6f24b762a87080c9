# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from the controller's side: begun or resumed, its trials handed out, their results made records."""

from __future__ import annotations

import base64
import os
import random
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._record import build_record, now, plain
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import find_named
from ansible_collections.routerlab.bench.plugins.plugin_utils._method import method
from ansible_collections.routerlab.bench.plugins.plugin_utils._plan import BASELINE, build_plan, expected_seconds, lab_hash
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import (
    RunFolderError,
    append_record,
    callback_active,
    find_run,
    load_run,
    pending_trials,
    run_name,
    write_raw,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._suite import SuiteError, load_suite, narrow

Plan = dict[str, Any]


def new_plan(lab: Mapping[str, Any], routers: list[dict[str, Any]], platforms: Mapping[str, Any], wishes: Mapping[str, Any]) -> Plan:
    """The plan of a new run.

    ``wishes`` holds suite, trials, seed, profiles, scenarios, link_mbps, tier and harness.
    Raises SuiteError.
    """
    known = [item["name"] for item in lab.get("profiles") or []]
    unknown = [name for name in wishes.get("profiles") or [] if name not in known]
    if unknown:
        problems = [Problem("bench_profiles", name, "the lab has no profile of this name", choices(known, name), "UNDEFINED") for name in unknown]
        raise SuiteError(str(wishes["suite"]), problems)
    suite = narrow(load_suite(wishes["suite"]), wishes.get("trials"), wishes.get("scenarios"))
    when = datetime.now(timezone.utc)
    seed = wishes.get("seed")
    run = {
        "run": run_name(lab["name"], suite["name"], when),
        "created": now(),
        "seed": random.SystemRandom().randrange(1, 2**31) if seed is None else int(seed),
        "tier": wishes["tier"],
        "link_bps": float(wishes["link_mbps"]) * 1e6 if wishes.get("link_mbps") else None,
        "harness": {**wishes.get("harness", {}), "python": sys.version.split()[0]},
    }
    return plain(build_plan(lab, suite, routers, platforms, run))


def chosen_routers(lab: Mapping[str, Any], names: Iterable[str], managed: Mapping[str, bool | None], profiles: list[str] | None) -> list[dict[str, Any]]:
    """The routers to measure, in the inventory's order; ``managed`` may overrule the lab.

    A router that is not managed stands for the profile when exactly one is asked for, else
    for the base description.
    """
    found = []
    for name in names:
        described = find_named(lab["routers"], name)
        if described is None:
            continue
        overruled = managed.get(name)
        own = described.get("managed", True) if overruled is None else overruled
        taking_part = [item["name"] for item in router_profiles(lab, described)]
        wanted = None if profiles is None else [item for item in profiles if item in taking_part]
        stands_for = wanted[0] if wanted and len(wanted) == 1 and not own else None
        found.append({"name": name, "managed": bool(own), "profiles": wanted, "stands_for": stands_for})
    return found


def resume_run(results_dir: str, name: str, lab: Mapping[str, Any]) -> tuple[Path, Plan, list[dict[str, Any]]]:
    """The folder, the plan and what is still to be measured. Raises RunFolderError."""
    folder = find_run(results_dir, name)
    run = load_run(folder)
    if run.plan["lab"]["hash"] != lab_hash(lab):
        raise RunFolderError(
            f"{folder} was measured on another description of lab {run.plan['lab']['name']} "
            f"(hash {run.plan['lab']['hash'][:12]}, now {lab_hash(lab)[:12]}): begin a new run, or restore the description"
        )
    return folder, run.plan, pending_trials(run.plan, run.records)


def segments_of(plan: Mapping[str, Any], pending: Iterable[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """For each router its segments in order, each with the trials that are still to be measured."""
    cells = {cell["id"]: cell for cell in plan["cells"]}
    todo: dict[int, list[dict[str, Any]]] = {}
    for trial in pending:
        cell = cells[trial["cell"]]
        own = method(cell["method"])
        known = {"id": trial["id"], "client": cell["client"], "server": cell["server"], "method": cell["method"], "tasks": own.tasks}
        todo.setdefault(trial["segment"], []).append({**known, **own.extra(cell)})
    found: dict[str, list[dict[str, Any]]] = {}
    for segment in plan["segments"]:
        if segment["segment"] in todo:
            kind = "baseline" if segment["profile"] == BASELINE else "measure"
            found.setdefault(segment["dut"], []).append({**segment, "kind": kind, "trials": todo[segment["segment"]]})
    return found


def time_left(plan: Mapping[str, Any], pending: Iterable[Mapping[str, Any]]) -> int:
    """Seconds that the trials still to be measured are expected to take."""
    return int(round(expected_seconds(plan, pending)))


def trial_and_cell(plan: Mapping[str, Any], trial_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A trial of a plan with its cell. KeyError when the plan has no such trial."""
    trial = next((item for item in plan["trials"] if item["id"] == trial_id), None)
    if trial is None:
        raise KeyError(trial_id)
    return trial, next(cell for cell in plan["cells"] if cell["id"] == trial["cell"])


def name_directions(measurement: dict[str, Any], cell: Mapping[str, Any]) -> dict[str, Any]:
    """The measurement with the endpoints' names in place of client and server."""
    named = {}
    for key, metric in (measurement.get("metrics") or {}).items():
        direction = metric.get("direction") or ""
        ends = [{"client": cell["client"], "server": cell["server"]}.get(part, part) for part in direction.split("→")]
        named[key] = {**metric, "direction": "→".join(ends)} if direction else metric
    return {**measurement, "metrics": named}


def finish_trial(
    run_dir: Path,
    plan: Plan,
    trial: dict[str, Any],
    cell: Mapping[str, Any],
    result: Mapping[str, Any],
    gate: Mapping[str, Any] | None,
    conditions: Mapping[str, Any] | None,
    hosts: Mapping[str, Any] | None = None,
    machine: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Keep the raw output, then make the record; append it when no callback does.

    ``result`` is what the method module returned, ``conditions`` are those of the router and
    ``hosts`` those of the endpoints by name, ``machine`` what carries the router. Raises RunFolderError when the disk refuses.
    """
    measurement = result.get("measurement")
    raw = [write_raw(run_dir, trial, item["name"], content(item)) for item in (measurement or {}).get("raw") or []]
    error = None if measurement else str(result.get("msg") or "the method returned nothing")
    if measurement:
        measurement = name_directions(measurement, cell)
    facts = {"dut": dict(conditions or {}), **{end: dict((hosts or {}).get(cell[end]) or {}) for end in ("client", "server")}}
    facts.update({"machine": dict(machine)} if machine else {})
    record = build_record(plan, trial, measurement, gate=dict(gate or {}), conditions=facts, raw=raw, error=error)
    if not callback_active():
        append_record(run_dir, record)
    return record


def content(item: Mapping[str, Any]) -> str | bytes:
    """What a method kept of a tool: text, or bytes in base64."""
    return base64.b64decode(item["base64"]) if "base64" in item else str(item["text"])


def lost(reason: str, detail: str) -> dict[str, Any]:
    """The measurement of a trial that could not be made at all."""
    stamp = now()
    return {"measurement": {"valid": False, "reasons": [{"code": reason, "detail": detail}], "started": stamp, "finished": stamp, "wall_s": 0, "traffic_s": 0}}


def blame_power(result: Mapping[str, Any], down: str | None) -> dict[str, Any]:
    """A trial that failed, or that ended without its router, says so first: nothing else that was seen in it means anything."""
    measurement = dict(result.get("measurement") or {"reasons": [{"code": "METHOD_FAILED", "detail": str(result.get("msg") or "")}]})
    reasons = list(measurement.get("reasons") or [])
    if not down or any(item["code"] == "DUT_DOWN" for item in reasons):
        return dict(result)
    return {**result, "measurement": {**measurement, "valid": False, "reasons": [{"code": "DUT_DOWN", "detail": down}, *reasons]}}


def writable(folder: str) -> str | None:
    """Why a results folder cannot be written, or None. Tries it, in what is there of the path, and leaves nothing: root may do more than can be done."""
    path = Path(folder)
    while not path.exists():
        path = path.parent
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".routerlab-", dir=path))
    except OSError as exc:
        return f"{folder}: no folder can be made in {path}: {exc.strerror}"
    return None
