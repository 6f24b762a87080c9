# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of C(plan.json) and of one line of C(records.jsonl), written once.

C(docs/schema/*.schema.json) is generated from here; L(errors) walks the same dictionaries, so that a target without the
C(jsonschema) package checks exactly what the published files say.
"""

from __future__ import annotations

import math
import re
from typing import Any

RECORD_SCHEMA_ID = "routerlab.bench/record/1"
PLAN_SCHEMA_ID = "routerlab.bench/plan/1"
TIERS = ("namespace", "container", "vm", "hardware")
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TIME_PATTERN = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$"

STRING: dict[str, Any] = {"type": "string"}
NAME: dict[str, Any] = {"type": "string", "minLength": 1}
NULLABLE_STRING: dict[str, Any] = {"type": ["string", "null"]}
BOOLEAN: dict[str, Any] = {"type": "boolean"}
SECONDS: dict[str, Any] = {"type": "number", "minimum": 0}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
POSITIVE: dict[str, Any] = {"type": "integer", "minimum": 1}
TIME: dict[str, Any] = {"type": "string", "pattern": TIME_PATTERN}
SHA256: dict[str, Any] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TIER: dict[str, Any] = {"type": "string", "enum": list(TIERS)}
STRINGS: dict[str, Any] = {"type": "array", "items": STRING}
PARAMS: dict[str, Any] = {"type": "object"}
PATH: dict[str, Any] = {"type": "string", "enum": ["router", "l2"]}


def shape(properties: dict[str, Any], optional: tuple = (), more: Any = False) -> dict[str, Any]:
    """An object with these properties; all are required except those named optional."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": more,
    }


CODE: dict[str, Any] = {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"}
CODED: dict[str, Any] = {"type": "array", "items": shape({"code": CODE, "detail": STRING}, optional=("detail",))}
METRIC_VALUE = shape({"value": {"type": ["number", "null"]}, "unit": NAME, "direction": NULLABLE_STRING}, optional=("direction",))

RECORD_SCHEMA: dict[str, Any] = {
    "$schema": DRAFT,
    "$id": RECORD_SCHEMA_ID,
    "title": "One trial: one line of records.jsonl",
    "description": "SI units: bit/s, s, 1. A value of null means unknown, never 0. An invalid record has no metric value.",
    **shape({
        "schema": {"const": RECORD_SCHEMA_ID},
        "run": NAME,
        "seq": POSITIVE,
        "id": NAME,
        "cell": NAME,
        "dut": NAME,
        "platform": STRING,
        "version": STRING,
        "managed": BOOLEAN,
        "profile": NAME,
        "scenario": NAME,
        "method": NAME,
        "trial": POSITIVE,
        "attempts": POSITIVE,
        "started": TIME,
        "finished": TIME,
        "wall_s": SECONDS,
        "traffic_s": SECONDS,
        "client": STRING,
        "server": STRING,
        "path": PATH,
        "direction": STRING,
        "params": PARAMS,
        "argv": STRINGS,
        "tier": TIER,
        "valid": BOOLEAN,
        "reasons": CODED,
        "flags": CODED,
        "metrics": {"type": "object", "additionalProperties": METRIC_VALUE},
        "partial": {"type": ["object", "null"]},
        "gate": shape({"passed": {"type": ["boolean", "null"]}, "failed": STRINGS}),
        "conditions": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "null"]}},
        "fingerprint": SHA256,
        "raw": STRINGS,
        "error": NULLABLE_STRING,
    }),
}

CELL = shape({
    "id": NAME,
    "dut": NAME,
    "platform": STRING,
    "version": STRING,
    "managed": BOOLEAN,
    "profile": NAME,
    "profile_title": STRING,
    "scenario": NAME,
    "title": STRING,
    "method": NAME,
    "client": STRING,
    "server": STRING,
    "path": PATH,
    "direction": STRING,
    "params": PARAMS,
    "baseline": NULLABLE_STRING,
    "role": {"type": "string", "enum": ["measure", "baseline"]},
    "metrics": {"type": "array", "minItems": 1, "items": shape({
        "name": NAME, "unit": NAME, "title": STRING, "better": {"type": ["string", "null"], "enum": ["higher", "lower", None]},
    }, more=True)},
    "n": POSITIVE,
}, more=True)

TRIAL = shape({
    "seq": POSITIVE, "id": NAME, "cell": NAME, "trial": POSITIVE, "visit": COUNT, "segment": COUNT,
}, optional=("visit", "segment"), more=True)

PLAN_SCHEMA: dict[str, Any] = {
    "$schema": DRAFT,
    "$id": PLAN_SCHEMA_ID,
    "title": "What a run set out to measure: plan.json",
    **shape({
        "schema": {"const": PLAN_SCHEMA_ID},
        "run": NAME,
        "created": TIME,
        "lab": shape({"name": NAME, "title": STRING, "hash": STRING}, more=True),
        "suite": shape({"name": NAME, "title": STRING}, more=True),
        "seed": {"type": "integer"},
        "tier": TIER,
        "link_bps": {"type": ["number", "null"]},
        "expected_seconds": SECONDS,
        "harness": {"type": "object"},
        "cells": {"type": "array", "items": CELL},
        "trials": {"type": "array", "items": TRIAL},
    }, more=True),
}

_TYPES = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, (list, tuple)),
}


def errors(value: Any, schema: dict[str, Any], path: str = "") -> list[str]:
    """Every disagreement of C(value) with C(schema): path, value, and what would be valid."""
    where = path or "(top)"
    wanted = schema.get("type")
    if wanted is not None:
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        if not any(_TYPES[kind](value) for kind in kinds):
            return ["{}: {!r} is not {}".format(where, value, " or ".join(kinds))]
    found = _scalar_errors(value, schema, where)
    if isinstance(value, dict):
        found.extend(_object_errors(value, schema, path))
    if isinstance(value, (list, tuple)):
        if len(value) < schema.get("minItems", 0):
            found.append("{}: holds {} items, at least {} are needed".format(where, len(value), schema["minItems"]))
        for index, item in enumerate(value):
            found.extend(errors(item, schema.get("items", {}), f"{path}[{index}]"))
    return found


def _scalar_errors(value: Any, schema: dict[str, Any], where: str) -> list[str]:
    if isinstance(value, float) and not math.isfinite(value):
        return [f"{where}: {value!r} is not a finite number; use null for unknown"]
    found = []
    if "const" in schema and value != schema["const"]:
        found.append("{}: {!r} is not {!r}".format(where, value, schema["const"]))
    if "enum" in schema and value not in schema["enum"]:
        found.append("{}: {!r} is not one of {}".format(where, value, ", ".join(str(item) for item in schema["enum"])))
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            found.append("{}: {!r} does not match {}".format(where, value, schema["pattern"]))
        if len(value) < schema.get("minLength", 0):
            found.append(f"{where}: must not be empty")
    if "minimum" in schema and _TYPES["number"](value) and value < schema["minimum"]:
        found.append("{}: {!r} is less than {!r}".format(where, value, schema["minimum"]))
    return found


def _object_errors(value: dict[str, Any], schema: dict[str, Any], path: str) -> list[str]:
    found = []
    known = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    for name in schema.get("required", []):
        if name not in value:
            found.append(f"{_join(path, name)}: missing")
    for name, item in value.items():
        if name in known:
            found.extend(errors(item, known[name], _join(path, name)))
        elif more is False:
            found.append("{}: unknown; known are {}".format(_join(path, name), ", ".join(sorted(known))))
        elif isinstance(more, dict):
            found.extend(errors(item, more, _join(path, name)))
        else:
            found.extend(errors(item, {}, _join(path, name)))
    return found


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else str(name)
