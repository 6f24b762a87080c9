# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of C(summary.json), and all published schemas in one place: C(docs/schema) is generated from here."""

from __future__ import annotations

import json
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._record_schema import (
    BOOLEAN,
    CODED,
    COUNT,
    DRAFT,
    NAME,
    NULLABLE_STRING,
    PARAMS,
    PATH,
    PLAN_SCHEMA,
    RECORD_SCHEMA,
    STRING,
    STRINGS,
    TIER,
    TIME,
    shape,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.summary import SUMMARY_SCHEMA_ID

NULLABLE = {"type": ["number", "null"]}
OBJECT = {"type": "object"}
COUNTS = {"type": "object", "additionalProperties": COUNT}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


INTERVAL = shape({"low": {"type": "number"}, "high": {"type": "number"}, "coverage": {"type": "number", "minimum": 0}})
METRIC = shape({
    "name": NAME, "title": STRING, "unit": NAME, "better": {"type": ["string", "null"], "enum": ["higher", "lower", None]},
    "direction": NULLABLE_STRING, "n": COUNT, "n_unknown": COUNT, "median": NULLABLE, "min": NULLABLE, "max": NULLABLE, "cov": NULLABLE,
    "interval": _nullable(INTERVAL),
    "values": _list(shape({"trial": COUNT, "seq": COUNT, "value": {"type": "number"}})),
    "outliers": _list(COUNT), "verdict": NULLABLE_STRING, "verdict_reason": STRING, "baseline_median": NULLABLE, "of_baseline": NULLABLE,
    "noise": NULLABLE, "link_limit": NULLABLE, "headline": BOOLEAN,
}, optional=("headline",))
CELL = shape({
    "id": NAME, "dut": NAME, "platform": STRING, "version": STRING, "managed": BOOLEAN, "profile": NAME, "profile_title": STRING,
    "scenario": NAME, "title": STRING, "method": NAME, "client": STRING, "server": STRING, "direction": STRING, "path": PATH,
    "params": PARAMS, "role": {"type": "string", "enum": ["measure", "baseline"]}, "baseline": NULLABLE_STRING, "tier": TIER,
    "n_planned": COUNT, "n_recorded": COUNT, "n_ok": COUNT, "n_invalid": COUNT, "n_missing": COUNT, "retries": COUNT,
    "reasons": COUNTS, "flags": COUNTS, "gate": shape({"passed": {"type": ["boolean", "null"]}, "failed": STRINGS}),
    "fingerprints": STRINGS, "setups": STRINGS, "endpoint_cpu": {"type": "object", "additionalProperties": NULLABLE},
    "metrics": {"type": "array", "minItems": 1, "items": METRIC}, "verdict": NULLABLE_STRING,
})
ROW = shape({
    "cell": NAME, "rank": {"type": ["integer", "null"]}, "unranked": NULLABLE_STRING, "gate_failed": BOOLEAN, "median": NULLABLE,
})
PAIR = shape({
    "a": NAME, "b": NAME, "ratio": NULLABLE, "p": {"type": "number"}, "p_holm": {"type": "number"}, "noise": {"type": "number"},
    "better": NULLABLE_STRING, "too_few": BOOLEAN,
})
BOARD = shape({
    "id": NAME, "scenario": NAME, "title": STRING, "method": NAME, "direction": STRING, "params": PARAMS, "metric": NAME,
    "metric_title": STRING, "unit": NAME, "better": NULLABLE_STRING, "rows": _list(ROW), "pairs": _list(PAIR), "note": NULLABLE_STRING,
    "baselines": _list(OBJECT), "facet": COUNT, "facets": COUNT, "differs": OBJECT,
})
SUMMARY_SCHEMA: dict[str, Any] = {
    "$schema": DRAFT,
    "$id": SUMMARY_SCHEMA_ID,
    "title": "What a run shows: summary.json",
    "description": "Made from plan.json and records.jsonl alone. SI units; null means unknown, never 0.",
    **shape({
        "schema": {"const": SUMMARY_SCHEMA_ID}, "run": NAME, "created": TIME, "lab": OBJECT, "suite": OBJECT, "seed": {"type": "integer"},
        "tier": TIER, "link_bps": NULLABLE, "expected_seconds": {"type": "number"}, "harness": OBJECT, "trials": COUNTS,
        "partial": BOOLEAN, "short": _list(OBJECT), "measured": OBJECT, "cells": _list(CELL), "boards": _list(BOARD),
        "headline": shape({"columns": _list(OBJECT), "rows": _list(OBJECT)}), "baselines": _list(OBJECT),
        "conditions": shape({"constant": OBJECT, "varying": OBJECT}), "invalid": _list(shape({"reasons": CODED}, more=True)),
        "retried": _list(OBJECT), "repeated": _list(OBJECT), "unreachable": _list(OBJECT), "problems": STRINGS, "argv": OBJECT,
        "words": STRINGS, "source": {"type": "object", "additionalProperties": NULLABLE_STRING},
    }),
}


def published() -> dict[str, str]:
    """File name to content of everything in C(docs/schema)."""
    schemas = {"record-1": RECORD_SCHEMA, "plan-1": PLAN_SCHEMA, "summary-1": SUMMARY_SCHEMA}
    return {f"{name}.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas.items()}
