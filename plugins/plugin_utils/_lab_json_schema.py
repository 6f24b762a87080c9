# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The shape of a lab as a JSON Schema, for editors. docs/schema/lab.schema.json is made of it.

It says what a value may be, not whether the lab makes sense: that is what the checks are for.
"""

from __future__ import annotations

import re
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_values import FORMATS, RANGES
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import Spec, lab_spec, section_spec

NAMES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "dict": "object"}
JINJA = {"$ref": "#/$defs/jinja"}
SECTIONS = ("common", "routers", "profiles.changes")
"""Where a router's section may stand; the tables of values leave this part of a path out."""


def lab_json_schema() -> dict[str, Any]:
    """The schema of a variables file that holds ``lab``."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "routerlab.bench lab",
        "description": "A file of variables with the description of a lab.",
        "type": "object",
        "properties": {"lab": _schema_of({"type": "dict", "options": lab_spec(), "description": "The whole lab."}, "")},
        "$defs": {
            "jinja": {"type": "string", "pattern": r"\{[{%]", "description": "Jinja, which is worked out later."},
            **{name: _nullable(_schema_of(option, f"common.{name}"), option) for name, option in section_spec().items()},
        },
    }


def table_key(path: str) -> str:
    """The key of the tables of values for a path of the schema."""
    for section in SECTIONS:
        if path.startswith(f"{section}."):
            return path[len(section) + 1:]
    return path


def _schema_of(spec: Spec, path: str) -> dict[str, Any]:
    """One option. Everything but a text may be Jinja instead, and what is not required may be null."""
    kind = spec["type"]
    key = table_key(path)
    schema: dict[str, Any] = {"type": NAMES[kind]}
    if kind == "dict":
        schema.update(_object(spec["options"], path))
    elif kind == "list":
        schema["items"] = _schema_of({"type": spec["elements"], **{k: spec[k] for k in ("options", "choices") if k in spec}}, path)
    elif "choices" in spec:
        schema = {"enum": spec["choices"]}
    if kind == "int" and key in RANGES:
        schema["minimum"], schema["maximum"] = RANGES[key]
    if kind != "str" or "choices" in spec:
        schema = {"anyOf": [schema, JINJA]}
    return {**_words(spec, key), **schema}


def _object(options: Mapping[str, Spec], path: str) -> dict[str, Any]:
    properties = {}
    for name, option in options.items():
        shared = path in SECTIONS and name in section_spec()
        properties[name] = {"$ref": f"#/$defs/{name}"} if shared else _nullable(_schema_of(option, f"{path}.{name}" if path else name), option)
    required = [name for name, option in options.items() if option.get("required")]
    return {"additionalProperties": False, "properties": properties, **({"required": required} if required else {})}


def _nullable(schema: dict[str, Any], option: Spec) -> dict[str, Any]:
    """``null`` says nothing: the value of ``common`` or of the router stays."""
    if option.get("required"):
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def _words(spec: Spec, key: str) -> dict[str, Any]:
    valid = f" Valid: {FORMATS[key][1]}." if key in FORMATS and spec["type"] == "str" else ""
    text = re.sub(r"C\(([^)]*)\)", r"\1", spec.get("description", "")) + valid
    words: dict[str, Any] = {"description": text} if text else {}
    if "default" in spec:
        words["default"] = spec["default"]
    return words
