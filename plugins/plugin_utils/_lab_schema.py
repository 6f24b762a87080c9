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
TYPES: dict[str, Any] = {"str": str, "int": int, "float": (int, float), "bool": bool, "list": list, "dict": dict}
WORDS = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false", "list": "a list", "dict": "a mapping"}
PEM_FIELDS = ("ca", "certificate", "private_key")
# control characters, line separators, and halves of surrogate pairs, which no file can hold
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


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
    return f"{path}[{name if isinstance(name, str) and name and name.isprintable() else index}]"


def check_shape(value: Any, options: Spec, path: str) -> list[Problem]:
    """All shape errors of a mapping against its options."""
    if not isinstance(value, dict):
        return [_wrong_type(path, value, "dict")]
    problems = []
    for key in value:
        if key not in options:
            word = key if isinstance(key, str) and key.isprintable() else repr(key)
            problems.append(Problem(f"{path}.{word}", NOTHING, "unknown key", choices(options, key), "UNKNOWN_KEY"))
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
    if not isinstance(value, TYPES[kind]) or (kind != "bool" and isinstance(value, bool)):
        return [_wrong_type(path, value, kind)]
    if kind == "dict":
        return check_shape(value, spec["options"], path) if "options" in spec else []
    if kind == "list":
        return _check_list(value, spec, path)
    return _check_scalar(value, spec, path)


def _check_list(value: list[Any], spec: Spec, path: str) -> list[Problem]:
    problems: list[Problem] = []
    seen: set[str] = set()
    element: Spec = {"type": spec["elements"], **{key: spec[key] for key in ("options", "choices") if key in spec}}
    for index, item in enumerate(value):
        here = item_path(path, index, item)
        problems += _check_value(item, element, here)
        name = item.get("name") if isinstance(item, dict) else None
        if isinstance(name, str):
            if name in seen:
                problems.append(Problem(f"{here}.name", name, "this name stands twice in the list", "a name of its own", "DUPLICATE_NAME"))
            seen.add(name)
    return problems


def _check_scalar(value: Any, spec: Spec, path: str) -> list[Problem]:
    allowed = spec.get("choices")
    if allowed and value not in allowed:
        return [Problem(path, value, "is not a choice", ", ".join(map(str, allowed)), "NOT_A_CHOICE")]
    if isinstance(value, str) and _CONTROL.search(value.replace("\n", "") if _is_pem(path, value) else value):
        return [Problem(path, value, "holds a line break or another control character", "one line of text", "CONTROL_CHARACTER")]
    return []


def _is_pem(path: str, value: str) -> bool:
    return path.rsplit(".", 1)[-1] in PEM_FIELDS and value.startswith("-----BEGIN ")


def _wrong_type(path: str, value: Any, kind: str) -> Problem:
    message = f"must be {WORDS[kind]}, not {_kind_of(value)}"
    valid = WORDS[kind]
    if kind == "str" and isinstance(value, (bool, int, float)):
        eaten = "on/off/yes/no as a boolean" if isinstance(value, bool) else "this text as a number (an octal, a MAC address, a time or a version)"
        message += f"; YAML has read {eaten}"
        valid = "the same text in quotes"
    # a text where a list or a mapping should be may be a secret that has lost its key
    shown = NOTHING if kind in ("list", "dict") and isinstance(value, str) else value
    return Problem(path, shown, message, valid, "WRONG_TYPE")


def _kind_of(value: Any) -> str:
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "a boolean"),
        (int, "a number"),
        (float, "a number with a point"),
        (str, "text"),
        (list, "a list"),
        (dict, "a mapping"),
        (type(None), "nothing"),
    )
    return next((words for kind, words in kinds if isinstance(value, kind)), type(value).__name__)


def fill_defaults(value: dict[str, Any], options: Spec) -> dict[str, Any]:
    """A copy in which every option is there: its value, its default, or None."""
    filled: dict[str, Any] = {}
    for key, spec in options.items():
        given = value.get(key)
        if spec["type"] == "dict":
            filled[key] = fill_defaults(given or {}, spec["options"]) if "options" in spec else dict(given or {})
        elif spec["type"] == "list" and "options" in spec:
            filled[key] = [fill_defaults(item, spec["options"]) for item in (given or [])]
        else:
            value_of = given if given is not None else spec.get("default", [] if spec["type"] == "list" else None)
            filled[key] = list(value_of) if isinstance(value_of, list) else value_of
    return filled
