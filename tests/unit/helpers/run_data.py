# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SYNTHETIC plans and records for tests: invented numbers with the shape of a real run."""

from __future__ import annotations

from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._record import build_record

THROUGHPUT = {"name": "throughput", "unit": "bit/s", "title": "Throughput", "better": "higher"}


def cell(dut: str, profile: str, scenario: str, **more: Any) -> dict[str, Any]:
    """One cell of a plan; a baseline when the profile says so."""
    base = profile == "baseline"
    result = {
        "id": f"{dut}/{profile}/{scenario}", "dut": dut, "platform": "debian", "version": "12", "managed": True,
        "profile": profile, "profile_title": profile.replace("_", " "), "scenario": scenario, "title": scenario.replace("_", " "),
        "method": "iperf3", "client": "lan2", "server": "lan", "path": "l2" if base else "router", "direction": "lan2→lan",
        "params": {"protocol": "tcp", "streams": 2, "duration": 3, "omit": 1}, "baseline": None, "role": "baseline" if base else "measure",
        "metrics": [THROUGHPUT], "n": 5,
    }
    result.update(more)
    return result


def plan(cells: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A plan that visits the cells in turn, trial after trial."""
    trials = []
    for number in range(1, max(item["n"] for item in cells) + 1):
        for item in cells:
            if number <= item["n"]:
                trials.append({
                    "seq": len(trials) + 1, "id": f"{item['id']}/{number}", "cell": item["id"], "trial": number,
                    "visit": number, "segment": 1,
                })
    result = {
        "schema": "routerlab.bench/plan/1", "run": "20260131T120000Z-lab-quick", "created": "2026-01-31T12:00:00Z",
        "lab": {"name": "lab", "title": "Synthetic lab", "hash": "0" * 64}, "suite": {"name": "quick", "title": "Quick suite"},
        "seed": 7, "tier": "namespace", "link_bps": None, "expected_seconds": 5 * len(trials),
        "harness": {"ansible_core": "2.19.0", "collection": "0.1.0", "python": "3.11.7"}, "cells": cells, "trials": trials,
    }
    result.update(more)
    return result


def measurement(value: float | None, **more: Any) -> dict[str, Any]:
    """What a method module would have returned for this throughput; None is a failed run."""
    result = {
        "valid": value is not None,
        "reasons": [] if value is not None else [{"code": "CONTROL_LOST", "detail": "control socket has closed unexpectedly"}],
        "flags": [], "metrics": {"throughput": {"value": value, "unit": "bit/s", "direction": "lan2→lan"}}, "partial": None, "attempts": 1,
        "started": "2026-01-31T12:00:00.000Z", "finished": "2026-01-31T12:00:04.500Z", "wall_s": 4.5, "traffic_s": 4.0,
        "argv": ["iperf3", "-c", "10.222.222.12", "-J"], "versions": {"iperf3": "iperf 3.12"},
        "conditions": {"client.kernel": "6.18.0", "client.offloads": "gso=on gro=on", "congestion": "cubic"},
    }
    result.update(more)
    return result


def record(run_plan: dict[str, Any], cell_id: str, number: int, value: float | None, **more: Any) -> dict[str, Any]:
    """The record of one trial of the plan."""
    gate = more.pop("gate", {"passed": True, "failed": []})
    trial = next(item for item in run_plan["trials"] if item["cell"] == cell_id and item["trial"] == number)
    stamp = f"2026-01-31T12:{trial['seq'] // 60 % 60:02d}:{trial['seq'] % 60:02d}.000Z"
    return build_record(run_plan, trial, measurement(value, started=stamp, finished=stamp, **more), gate=gate)
