# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The shape of a lab: types and names, read from roles/lab/meta/argument_specs.yml.

Stricter than Ansible's own validator, on the same file: nothing is converted in
silence, because a converted value is how YAML turns a MAC address into a number.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices

Spec = dict[str, Any]

COLLECTION = Path(__file__).resolve().parents[2]
TYPES = {"str": str, "int": int, "bool": bool, "list": list, "dict": dict}
PEM_FIELDS = ("ca", "certificate", "private_key")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u0085]")


@functools.lru_cache(maxsize=1)
def lab_spec() -> Spec:
    """The specification of the variable ``lab``, as a mapping of its options."""
    path = COLLECTION / "roles" / "lab" / "meta" / "argument_specs.yml"
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document["argument_specs"]["main"]["options"]["lab"]["options"]


@functools.lru_cache(maxsize=1)
def section_spec() -> Spec:
    """The options that ``common``, a router and ``changes`` of a profile share."""
    return lab_spec()["common"]["options"]


def item_path(path: str, index: int, item: Any) -> str:
    """The path of a list item: by its name where it has one."""
    name = item.get("name") if isinstance(item, dict) else None
    return f"{path}[{name if isinstance(name, str) and name else index}]"


def check_shape(value: Any, options: Spec, path: str) -> list[Problem]:
    """All shape errors of a mapping against its options."""
    if not isinstance(value, dict):
        return [_wrong_type(path, value, "dict")]
    problems = []
    for key in value:
        if key not in options:
            problems.append(Problem(f"{path}.{key}", NOTHING, "unknown key", choices(options, key), "UNKNOWN_KEY"))
    for key, spec in options.items():
        here = f"{path}.{key}"
        if value.get(key) is None:
            if spec.get("required"):
                problems.append(Problem(here, NOTHING, "is required and missing", spec["description"].rstrip("."), "MISSING"))
            continue
        problems += _check_value(value[key], spec, here)
    return problems


def _check_value(value: Any, spec: Spec, path: str) -> list[Problem]:
    kind = spec["type"]
    if not isinstance(value, TYPES[kind]) or (kind == "int" and isinstance(value, bool)):
        return [_wrong_type(path, value, kind)]
    if kind == "dict":
        return check_shape(value, spec["options"], path) if "options" in spec else []
    if kind == "list":
        return _check_list(value, spec, path)
    return _check_scalar(value, spec, path)


def _check_list(value: list[Any], spec: Spec, path: str) -> list[Problem]:
    problems: list[Problem] = []
    seen: set[str] = set()
    element = {"type": spec["elements"], **{key: spec[key] for key in ("options", "choices") if key in spec}}
    for index, item in enumerate(value):
        here = item_path(path, index, item)
        problems += _check_value(item, element, here)
        name = item.get("name") if isinstance(item, dict) else None
        if isinstance(name, str) and name in seen:
            problems.append(Problem(f"{here}.name", name, "this name stands twice in the list", "a name of its own", "DUPLICATE_NAME"))
        seen.add(str(name))
    return problems


def _check_scalar(value: Any, spec: Spec, path: str) -> list[Problem]:
    allowed = spec.get("choices")
    if allowed and value not in allowed:
        return [Problem(path, value, "is not a choice", ", ".join(map(str, allowed)), "NOT_A_CHOICE")]
    pem = path.rsplit(".", 1)[-1] in PEM_FIELDS and str(value).startswith("-----BEGIN ")
    if isinstance(value, str) and not pem and _CONTROL.search(value):
        return [Problem(path, value, "holds a line break or another control character", "one line of text", "CONTROL_CHARACTER")]
    return []


def _wrong_type(path: str, value: Any, kind: str) -> Problem:
    words = {"str": "text", "int": "a whole number", "bool": "true or false", "list": "a list", "dict": "a mapping"}
    message = f"must be {words[kind]}, not {type(value).__name__}"
    valid = words[kind]
    if kind == "str" and isinstance(value, (bool, int, float)):
        eaten = "on/off/yes/no as a boolean" if isinstance(value, bool) else "this text as a number (an octal, a MAC address, a time or a version)"
        message += f"; YAML has read {eaten}"
        valid = "the same text in quotes"
    return Problem(path, value, message, valid, "WRONG_TYPE")


def fill_defaults(value: dict[str, Any], options: Spec) -> dict[str, Any]:
    """A copy in which every option is there: its value, its default, or None."""
    filled: dict[str, Any] = {}
    for key, spec in options.items():
        given = value.get(key)
        if spec["type"] == "dict":
            filled[key] = fill_defaults(given or {}, spec["options"]) if "options" in spec else dict(given or {})
        elif spec["type"] == "list" and "options" in spec:
            filled[key] = [fill_defaults(item, spec["options"]) for item in (given or [])]
        elif given is not None:
            filled[key] = given
        else:
            default = spec.get("default", [] if spec["type"] == "list" else None)
            filled[key] = list(default) if isinstance(default, list) else default
    return filled


def json_schema() -> dict[str, Any]:
    """The same shape as a JSON Schema (2020-12), for editors."""
    lab = _schema_of({"type": "dict", "options": lab_spec(), "description": "The neutral description of a lab."})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "routerlab.bench lab",
        "type": "object",
        "properties": {"lab": lab},
        "required": ["lab"],
    }


def _schema_of(spec: Spec) -> dict[str, Any]:
    names = {"str": "string", "int": "integer", "bool": "boolean", "list": "array", "dict": "object"}
    schema: dict[str, Any] = {"type": names[spec["type"]]}
    for source, target in (("description", "description"), ("default", "default"), ("choices", "enum")):
        if source in spec and spec["type"] != "list":
            schema[target] = spec[source]
    if spec["type"] == "list":
        schema["description"] = spec.get("description", "")
        schema["items"] = _schema_of({"type": spec["elements"], **{k: spec[k] for k in ("options", "choices") if k in spec}})
    if spec["type"] == "dict":
        schema["additionalProperties"] = False
        schema["properties"] = {key: _schema_of(option) for key, option in spec["options"].items()}
        required = [key for key, option in spec["options"].items() if option.get("required")]
        if required:
            schema["required"] = required
    return schema
