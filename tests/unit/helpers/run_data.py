# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SYNTHETIC plans and records for tests: invented numbers with the shape of a real run."""

from __future__ import annotations

import random
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


RETRANSMITS = {"name": "retransmits", "unit": "1", "title": "Retransmits", "better": None}
REVERSE = {"name": "throughput_reverse", "unit": "bit/s", "title": "Throughput, other direction", "better": "higher"}
LEVELS = {"routing": 6.1e9, "nat": 5.4e9, "firewall_stateful": 5.3e9, "firewall_zone": 4.2e9}
TITLES = {"routing": "Plain routing", "nat": "NAT", "firewall_stateful": "Stateful firewall", "firewall_zone": "Zone firewall"}


def bakeoff_plan() -> dict[str, Any]:
    """A plan with the shape of the quick suite: four profiles, three scenarios, a baseline at the start, in the middle and at the end."""
    cells = [
        cell("dut", "baseline", "l2_baseline", title="Layer-2 baseline", n=6, profile_title="no router"),
        cell("dut", "baseline", "l2_baseline_bidir", title="Layer-2 baseline, bidirectional", n=3, profile_title="no router",
             direction="lan2↔lan", metrics=[THROUGHPUT, REVERSE]),
    ]
    for profile in LEVELS:
        title = TITLES[profile]
        shared = {"profile_title": title, "metrics": [THROUGHPUT, RETRANSMITS]}
        cells.append(cell("dut", profile, "inter_vlan", title="Inter-VLAN", baseline="dut/baseline/l2_baseline", **shared))
        cells.append(cell("dut", profile, "lan_wan", title="LAN to WAN", baseline="dut/baseline/l2_baseline", direction="lan→wan",
                          client="lan", server="wan", **shared))
        cells.append(cell("dut", profile, "inter_vlan_bidir", title="Inter-VLAN, both ways", baseline="dut/baseline/l2_baseline_bidir",
                          profile_title=title, direction="lan2↔lan", metrics=[THROUGHPUT, REVERSE]))
    result = plan(cells)
    order = _with_baselines_around([t for t in result["trials"] if "/baseline/" not in t["id"]],
                                   [t for t in result["trials"] if "/baseline/" in t["id"]])
    result["trials"] = [dict(trial, seq=number) for number, trial in enumerate(order, 1)]
    return result


def _with_baselines_around(measured: list[dict[str, Any]], baseline: list[dict[str, Any]]) -> list[dict[str, Any]]:
    third, half = len(baseline) // 3, len(measured) // 2
    return [*baseline[:third], *measured[:half], *baseline[third:2 * third], *measured[half:], *baseline[2 * third:]]


def bakeoff_records(run_plan: dict[str, Any], seed: int = 1) -> list[dict[str, Any]]:
    """Invented records for every trial of L(bakeoff_plan): noise, a slow outlier, one retry, two invalid trials, unknown retransmits."""
    draw = random.Random(seed)
    result = []
    for trial in run_plan["trials"]:
        item = next(known for known in run_plan["cells"] if known["id"] == trial["cell"])
        level = 9.8e9 if item["role"] == "baseline" else LEVELS[item["profile"]] * {"lan_wan": 0.93}.get(item["scenario"], 1)
        value = round(level * draw.gauss(1, 0.012), 0)
        more: dict[str, Any] = {"attempts": 2 if trial["seq"] == 11 else 1}
        if trial["seq"] in (17, 40):
            value = None
        if trial["id"] == "dut/nat/inter_vlan/4":
            value = round(level * 0.86)
        result.append(_bakeoff_record(run_plan, item, trial["trial"], value, draw, more))
    return result


def _bakeoff_record(
    run_plan: dict[str, Any], item: dict[str, Any], number: int, value: float | None, draw: random.Random, more: dict[str, Any]
) -> dict[str, Any]:
    scale = 0.56 if "bidir" in item["scenario"] else 1
    forward = None if value is None else round(value * scale)
    metrics = {"throughput": {"value": forward, "unit": "bit/s", "direction": item["direction"].replace("↔", "→")}}
    if scale != 1:
        other = "→".join(reversed(item["direction"].split("↔")))
        back = None if value is None else round(value * 0.52 * draw.gauss(1, 0.02))
        metrics["throughput_reverse"] = {"value": back, "unit": "bit/s", "direction": other}
    elif item["role"] == "measure":
        metrics["retransmits"] = {"value": None if number == 2 or value is None else draw.randrange(40), "unit": "1"}
    return record(run_plan, item["id"], number, value, metrics=metrics, **more)
