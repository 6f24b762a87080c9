# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables about the run itself: baselines, validity, gate, conditions."""

from __future__ import annotations

import re
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import Cell, Table, number
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.units import UNKNOWN, human, percent, significant

MOST_VALUES = 5
HASH_SHOWN = 12
PLACES = ("client", "server", "dut", "upstream")
KEY_WORDS = {"kernel", "os", "iperf3", "flent", "mtu", "offload", "sender", "cpus", "model", "hypervisor"}


def baseline_table(summary: dict[str, Any]) -> Table:
    """Each baseline by segment, with spread and drift."""
    names: list[str] = []
    for item in summary["baselines"]:
        names.extend(part["name"] for part in item["segments"] if part["name"] not in names)
    table = Table(["Baseline", "Median", "n", "Spread", *[name[:1].upper() + name[1:] for name in names], "Drift"])
    for item in summary["baselines"]:
        parts = {part["name"]: part for part in item["segments"]}
        drift = UNKNOWN if item["drift"] is None else ("+" if item["drift"] >= 0 else "−") + percent(abs(item["drift"]))
        direction = f"{item['direction']}{' ⇄' if item['both_ways'] else ''}"
        table.rows.append([
            Cell(f"{item['cell']} ({direction})"), number(human(item["median"], item["unit"])), number(str(item["n"])),
            number(percent(item["spread"])),
            *[number(_part(parts.get(name), item["unit"])) for name in names],
            Cell(drift, "number warn" if item["drift"] is not None and abs(item["drift"]) > 0.05 else "number"),
        ])
    if any(item["both_ways"] for item in summary["baselines"]):
        table.notes.append("⇄ both directions at once: spread and drift are those of their sum; how it is shared out between them is chance.")
    return table


def _part(part: dict[str, Any] | None, unit: str) -> str:
    return UNKNOWN if part is None or part["median"] is None else f"{human(part['median'], unit)} (n={part['n']})"


def short_table(summary: dict[str, Any]) -> Table:
    """The cells that have fewer valid trials than planned."""
    table = Table(["Cell", "Planned", "Valid", "Invalid", "Missing"])
    for item in summary["short"]:
        numbers = [number(str(item[name])) for name in ("n_planned", "n_ok", "n_invalid", "n_missing")]
        table.rows.append([Cell(item["cell"]), *numbers])
    return table


def invalid_table(summary: dict[str, Any]) -> Table:
    """Each trial that does not count, and why."""
    table = Table(["Trial", "Seq", "Attempts", "Reasons", "Raw"])
    for item in summary["invalid"]:
        reasons = "; ".join(f"{reason['code']} {reason.get('detail', '')}".strip() for reason in item["reasons"])
        table.rows.append([
            Cell(item["id"]), number(str(item["seq"])), number(str(item["attempts"])), Cell(reasons, "bad"), Cell(", ".join(item["raw"]), "muted"),
        ])
    return table


def gate_table(summary: dict[str, Any]) -> Table:
    """Per router and profile: did the functional check pass, and what failed."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for cell in summary["cells"]:
        if cell["role"] == "baseline":
            continue
        row = rows.setdefault((cell["dut"], cell["profile_title"] or cell["profile"]), {"passed": [], "failed": set()})
        row["passed"].append(cell["gate"]["passed"])
        row["failed"].update(cell["gate"]["failed"])
    table = Table(["Router", "Profile", "Gate", "Failed checks"])
    for (dut, profile), row in rows.items():
        known = [value for value in row["passed"] if value is not None]
        state = Cell("not run", "muted") if not known else Cell("passed", "good") if all(known) else Cell("failed", "bad")
        table.rows.append([Cell(dut), Cell(profile), state, Cell(", ".join(sorted(row["failed"])))])
    return table


def routers_table(summary: dict[str, Any], unmanaged: str) -> Table:
    """Who was measured."""
    table = Table(["Router", "Platform", "Version", "Configured"])
    seen = set()
    for cell in summary["cells"]:
        if cell["dut"] not in seen:
            seen.add(cell["dut"])
            how = "rendered and deployed by this project" if cell["managed"] else unmanaged
            table.rows.append([Cell(cell["dut"]), Cell(cell["platform"]), Cell(cell["version"]), Cell(how, "" if cell["managed"] else "warn")])
    return table


def condensed(values: dict[str, Any]) -> dict[tuple[str, str], list[str]]:
    """(condition, value) to the places where it holds: one row for client and server alike, one for all offloads of an interface."""
    offloads: dict[str, dict[str, list[str]]] = {}
    rows: dict[tuple[str, str], list[str]] = {}
    for key, value in values.items():
        where, dummy, rest = key.rpartition(".") if ".offload." in key else key.partition(".")
        if value is None:
            continue
        if ".offload." in key:
            offloads.setdefault(where, {}).setdefault(str(value), []).append(rest)
        else:
            place, name = (where, rest) if rest and where in PLACES else ("", key)
            rows.setdefault((name, _scalar(value)), []).append(place)
    for prefix, states in offloads.items():
        place, dummy, name = prefix.partition(".")
        text = "; ".join(f"{state}: {' '.join(names)}" for state, names in sorted(states.items()))
        rows.setdefault((name, text), []).append(place)
    return dict(sorted(rows.items(), key=lambda item: item[0][0]))


def constant_table(summary: dict[str, Any], key_only: bool = False) -> Table:
    """Conditions that were the same in every trial; with C(key_only) those that a reader looks for first."""
    table = Table(["Condition", "Value", "Where"])
    for (name, value), places in condensed(summary["conditions"]["constant"]).items():
        words = set(re.split(r"[^a-z0-9]+", name.lower()))
        if not key_only or words & KEY_WORDS:
            table.rows.append([Cell(name), Cell(value), Cell(", ".join(place for place in places if place), "muted")])
    return table


def varying_table(summary: dict[str, Any]) -> Table:
    """Conditions that were not, and where they had which value."""
    table = Table(["Condition", "Value", "Where"])
    for key, values in summary["conditions"]["varying"].items():
        if len(values) > MOST_VALUES:
            table.rows.append([Cell(key), Cell(_range([item["value"] for item in values])), Cell("", "muted")])
            continue
        for item in values:
            table.rows.append([Cell(key), Cell(_scalar(item["value"])), Cell(_where(item["where"], summary))])
    return table


def outlier_table(summary: dict[str, Any], names: dict[str, str]) -> Table:
    """Trials flagged by modified z; they count like all others."""
    table = Table(["Cell", "Metric", "Trials flagged"])
    for cell in summary["cells"]:
        for metric in cell["metrics"]:
            if metric["outliers"] and metric["unit"] != "B":
                table.rows.append([
                    Cell(f"{names[cell['id']]}, {cell['title']}"), Cell(metric["title"]), Cell(", ".join(f"#{item}" for item in metric["outliers"])),
                ])
    return table


def _range(values: list[Any]) -> str:
    """A reading that differs from trial to trial: its range; else how many values there are."""
    known = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(known) == len([value for value in values if value is not None]):
        return " … ".join(f"{value}" if isinstance(value, int) else significant(value) for value in (min(known), max(known)))
    return f"{len(values)} different values"


def _where(where: list[str], summary: dict[str, Any]) -> str:
    """Names as they stand, or how many of how many when that is shorter."""
    everywhere = len({(cell["dut"], cell["profile"]) for cell in summary["cells"]})
    return ", ".join(where) if len(where) <= 6 else f"{len(where)} of {everywhere} router profiles"


def _scalar(value: Any) -> str:
    if value is None:
        return UNKNOWN
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return text[:HASH_SHOWN] + "…" if re.fullmatch("[0-9a-f]{40,}", text) else text
