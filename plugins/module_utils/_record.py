# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial as one record: built here, checked here, and given the fingerprint that says what it may be compared with."""

from __future__ import annotations

import hashlib
import json
import math
import re
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, Iterable

from ansible_collections.routerlab.bench.plugins.module_utils._record_schema import (
    PLAN_SCHEMA,
    PLAN_SCHEMA_ID,
    RECORD_SCHEMA,
    RECORD_SCHEMA_ID,
    errors,
)

# The router, its configuration and its variant are what a bake-off compares; they are stated, and not part of the fingerprint, except for
# the router's offloads and MTU: a result without them cannot be read at all.
SUBJECT_WORDS = frozenset(["dut", "router", "subject", "config", "hash", "profile", "nat", "firewall", "conntrack"])
ROUTER_PREFIX = "dut"
# What must be equal before two numbers may share an axis (methodology: "what makes two results comparable").
SETUP_WORDS = frozenset([
    "kernel", "os", "arch", "machine", "hardware", "hypervisor", "virt", "virtualization", "model", "cpus", "cores", "vcpu",
    "vcpus", "ram", "memory", "pinning", "governor", "iperf3", "flent", "netperf", "irtt", "ping", "fping", "mtu", "mss", "vlan",
    "offload", "offloads", "tso", "gso", "gro", "lro", "ufo", "checksum", "nic", "driver", "queues", "rps", "rss", "irqbalance",
    "congestion", "cc", "qdisc", "rmem", "wmem", "sysctl", "topology", "hops", "licence", "license",
])
# Words of a reading that changes from trial to trial: never part of the fingerprint.
READING_WORDS = frozenset([
    "percent", "util", "utilization", "usage", "load", "freq", "mhz", "temperature", "uptime", "seconds", "time", "port", "ports",
    "pid", "rtt", "bytes", "packets", "retransmits", "cwnd", "free", "used", "available",
])
_VERSION_CLASSES = ((3, 5), (3, 11), (3, 16), (3, 21))


def now() -> str:
    """The time as a record writes it: ISO 8601, UTC, milliseconds."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def plain(value: Any) -> Any:
    """A copy made of plain dict, list, str, int, float, bool and None; what is not a finite number becomes None."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return "".join(value)  # a plain copy, also of a subclass with a say of its own
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {plain(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return str(value)


def dumps(value: Any) -> str:
    """One line of strict JSON: no NaN, no Infinity, no line breaks."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def iperf3_class(version: str) -> str:
    """The class within which iperf3 results are comparable: C(iperf 3.12) is in C(3.11 .. <3.16)."""
    match = re.search(r"(\d+)\.(\d+)", version)
    if not match:
        return version
    number = (int(match.group(1)), int(match.group(2)))
    bounds = ((0, 0),) + _VERSION_CLASSES + ((9999, 0),)
    for low, high in zip(bounds, bounds[1:]):
        if low <= number < high:
            lower = f"iperf3 >= {low[0]}.{low[1]}" if low > (0, 0) else "iperf3"
            return lower + (f" < {high[0]}.{high[1]}" if high < (9999, 0) else "")
    return version


def flat(value: Any, prefix: str = "") -> dict[str, Any]:
    """Nested conditions as one flat mapping with dotted keys; a list of scalars becomes one comma-joined string."""
    if isinstance(value, dict):
        result: dict[str, Any] = {}
        for key, item in value.items():
            result.update(flat(item, f"{prefix}.{key}" if prefix else str(key)))
        return result
    if isinstance(value, (list, tuple)):
        return {prefix: ", ".join(str(item) for item in value)}
    return {prefix: value}


def _words(key: str) -> list[str]:
    return [word for word in re.split(r"[^a-z0-9]+", key.lower()) if word]


@lru_cache(maxsize=8192)
def is_setup(key: str) -> bool:
    """Whether a condition belongs to the test set-up (must be equal) and not to the router (is compared) or to a reading."""
    words = set(_words(key))
    return bool(words & SETUP_WORDS) and not words & SUBJECT_WORDS and not words & READING_WORDS


def fingerprint_fields(record: dict[str, Any]) -> dict[str, Any]:
    """The comparability fields of a record or of a record to be: flat name to value."""
    fields = {name: record.get(name) for name in ("method", "path", "direction", "tier")}
    fields.update(flat(record.get("params") or {}, "params"))
    for key, value in (record.get("conditions") or {}).items():
        if is_setup(key):
            is_iperf3 = "iperf3" in _words(key) and value is not None
            fields["conditions." + key] = iperf3_class(str(value)) if is_iperf3 else value
    fields.update(_router_fields(record.get("conditions") or {}))
    return fields


def _router_fields(conditions: dict[str, Any]) -> dict[str, str]:
    """Offloads and MTU of the router over all its interfaces, whatever these are called there."""
    seen: dict[str, set] = {}
    for key, value in conditions.items():
        parts = key.split(".")
        if parts[0] == ROUTER_PREFIX and value is not None and (parts[-1] == "mtu" or "offload" in parts[:-1]):
            name = parts[-1] if parts[-1] == "mtu" else "offload." + parts[-1]
            seen.setdefault(f"conditions.{ROUTER_PREFIX}.{name}", set()).add(str(value))
    return {key: ", ".join(sorted(values)) for key, values in seen.items()}


def fingerprint(record: dict[str, Any], with_router: bool = True) -> str:
    """SHA-256 over L(fingerprint_fields): equal means that two results may share an axis.

    Without the router's own fields it is that of the set-up alone: within one run the variants of a router are what is compared.
    """
    fields = {key: value for key, value in fingerprint_fields(record).items() if with_router or not key.startswith(f"conditions.{ROUTER_PREFIX}.")}
    text = json.dumps(plain(fields), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def differing_fields(records: Iterable[dict[str, Any]]) -> dict[str, list[Any]]:
    """The comparability fields in which records differ, each with the values seen."""
    rows = [fingerprint_fields(record) for record in records]
    names = sorted({name for row in rows for name in row})
    result = {}
    for name in names:
        values: list[Any] = []
        for row in rows:
            if row.get(name) not in values:
                values.append(row.get(name))
        if len(values) > 1:
            result[name] = values
    return result


def coded(items: Any) -> list[dict[str, str]]:
    """Reasons or flags as a list of code and detail, whatever short form they came in."""
    result = []
    for item in items or []:
        if isinstance(item, dict):
            code, detail = item.get("code", "UNKNOWN"), item.get("detail", "")
        else:
            code, dummy, detail = str(item).partition(":")
        code = re.sub(r"[^A-Z0-9]+", "_", str(code).strip().upper()).strip("_") or "UNKNOWN"
        result.append({"code": code, "detail": str(detail if detail is not None else "").strip()})
    return result


def _outcome(measurement: dict[str, Any], error: str | None, cell: dict[str, Any]) -> dict[str, Any]:
    """Validity, reasons, metrics and diagnostics. What is invalid loses its numbers here and nowhere else."""
    reasons = coded(measurement.get("reasons"))
    metrics = plain(measurement.get("metrics") or {})
    partial = plain(measurement.get("partial"))
    flags = coded(measurement.get("flags"))
    valid = bool(measurement.get("valid")) and not reasons and not error
    if not valid and not reasons:
        reasons = [{"code": "NO_MEASUREMENT", "detail": error or "the method returned no measurement"}]
    if valid and all((metric or {}).get("value") is None for metric in metrics.values()):
        valid, reasons = False, [{"code": "NO_VALUE", "detail": "the method reported success without a single number"}]
    if not valid:
        numbers = {name: metric["value"] for name, metric in metrics.items() if metric and metric.get("value") is not None}
        if numbers:
            partial = dict(partial or {}, metrics=numbers)
        metrics = metrics or {metric["name"]: {"unit": metric["unit"]} for metric in cell.get("metrics", [])}
        metrics = {name: dict(metric or {}, value=None) for name, metric in metrics.items()}
    return {"valid": valid, "reasons": reasons, "flags": flags, "metrics": metrics, "partial": partial}


def build_record(
    plan: dict[str, Any],
    trial: dict[str, Any],
    measurement: dict[str, Any] | None,
    gate: dict[str, Any] | None = None,
    conditions: dict[str, Any] | None = None,
    raw: Iterable[str] | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """The record of one trial.

    C(plan) is the content of plan.json and C(trial) one item of its C(trials); C(measurement) is what a method module returned under that
    key, or None when it died (say why in C(error)). C(raw) are the names of the raw files, relative to the run folder.
    """
    cell = next((item for item in plan["cells"] if item["id"] == trial["cell"]), None)
    if cell is None:
        raise ValueError("trial {} belongs to cell {!r}, which the plan does not have".format(trial.get("id"), trial["cell"]))
    measured = measurement or {}
    seen = flat(plain(conditions or {}))
    seen.update({"versions." + key: value for key, value in flat(plain(measured.get("versions") or {})).items()})
    seen.update(flat(plain(measured.get("conditions") or {})))
    stamp = now()
    record = {"schema": RECORD_SCHEMA_ID, "run": plan["run"], "seq": trial["seq"], "id": trial["id"], "cell": cell["id"]}
    record.update({name: cell[name] for name in ("dut", "platform", "version", "managed", "profile", "scenario", "method")})
    record.update({
        "trial": trial["trial"],
        "attempts": int(measured.get("attempts") or 1),
        "started": measured.get("started") or stamp,
        "finished": measured.get("finished") or stamp,
        "wall_s": measured.get("wall_s") or 0,
        "traffic_s": measured.get("traffic_s") or 0,
    })
    record.update({name: cell[name] for name in ("client", "server", "path", "direction", "params")})
    record.update({"argv": [str(word) for word in measured.get("argv") or []], "tier": plan["tier"]})
    record.update(_outcome(measured, error, cell))
    record.update({
        "gate": {"passed": (gate or {}).get("passed"), "failed": [str(name) for name in (gate or {}).get("failed") or []]},
        "conditions": seen,
        "fingerprint": "",
        "raw": list(raw or []),
        "error": error,
    })
    record = plain(record)
    record["fingerprint"] = fingerprint(record)
    return record


def validate_record(record: Any) -> list[str]:
    """All that is wrong with a record, one sentence each; an empty list means that it is good."""
    found = errors(record, RECORD_SCHEMA)
    if found:
        return found
    numbers = [name for name, metric in record["metrics"].items() if metric["value"] is not None]
    if record["valid"] and record["reasons"]:
        found.append("reasons: a valid record has none, this one has {}".format(", ".join(item["code"] for item in record["reasons"])))
    if record["valid"] and not numbers:
        found.append("metrics: a valid record has at least one number")
    if not record["valid"] and not record["reasons"]:
        found.append("reasons: an invalid record says why")
    if not record["valid"] and numbers:
        found.append("metrics: an invalid record has only null, this one has numbers in {}".format(", ".join(numbers)))
    wanted = "{}/{}".format(record["cell"], record["trial"])
    if record["id"] != wanted:
        found.append("id: {!r} is not {!r}".format(record["id"], wanted))
    return found


def validate_plan(plan: Any) -> list[str]:
    """All that is wrong with a plan, one sentence each."""
    found = errors(plan, PLAN_SCHEMA)
    if found:
        return found
    cells = [cell["id"] for cell in plan["cells"]]
    found.extend(f"cells: {name!r} occurs more than once" for name in sorted({name for name in cells if cells.count(name) > 1}))
    ids = [trial["id"] for trial in plan["trials"]]
    if len(set(ids)) != len(ids):
        found.extend(f"trials: {name!r} occurs more than once" for name in sorted({name for name in ids if ids.count(name) > 1}))
    known = set(cells)
    found.extend("trials: {} belongs to unknown cell {!r}".format(t["id"], t["cell"]) for t in plan["trials"] if t["cell"] not in known)
    for cell in plan["cells"]:
        if cell["baseline"] is not None and cell["baseline"] not in known:
            found.append("cells: {} has unknown baseline {!r}".format(cell["id"], cell["baseline"]))
    return found


def record_key(record: dict[str, Any]) -> tuple[str, str, str]:
    """What makes a record the same record when it arrives twice (from a loop's item and from the loop itself)."""
    return (str(record.get("run")), str(record.get("id")), str(record.get("started")))


__all__ = [
    "PLAN_SCHEMA", "PLAN_SCHEMA_ID", "RECORD_SCHEMA", "RECORD_SCHEMA_ID", "build_record", "coded", "differing_fields", "dumps",
    "errors", "fingerprint", "fingerprint_fields", "flat", "iperf3_class", "is_setup", "now", "plain", "record_key",
    "validate_plan", "validate_record",
]
