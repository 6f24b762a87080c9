# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What YAML 1.1 changed in silence, found in the text, where it can still be seen.

``vlan: 0100`` arrives as 64 and ``mac: 52:54:00:12:34:56`` as a number: the loaded lab
does not show what was written. ``scan`` reads the file itself and says so, with the line.
Values under ``!vault`` and Jinja are left alone.
"""

from __future__ import annotations

import re
from typing import Any, Iterator, NamedTuple

import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import HIDDEN, NOTHING, Problem, is_secret
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import Spec, lab_spec

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ROOT = "lab"
_TAG = "tag:yaml.org,2002:"
_OCTAL = re.compile(r"[-+]?0[0-7_]+")


class Place(NamedTuple):
    """One scalar of a file: where it stands, what its type should be, and whether it is a key."""

    path: str
    node: Any
    want: Spec
    key: bool = False


class Scan(NamedTuple):
    """What a file holds: its problems, and the line of every path of the lab."""

    problems: list[Problem]
    lines: dict[str, int]


def scan(text: str, file: str, root_name: str = ROOT, options: Spec | None = None) -> Scan:
    """Everything in a file of variables that YAML reads otherwise than it is written.

    Below the variable ``root_name`` (with its ``options``; the lab unless given) the types are known.
    """
    if text.startswith("$ANSIBLE_VAULT;"):
        return Scan([], {})
    try:
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError as error:
        return Scan([_syntax(error, file)], {})
    walk = _Walk(file, root_name, options)
    if root is not None:
        walk.visit(root, "", None)
    return Scan(walk.problems, walk.lines)


def _syntax(error: yaml.YAMLError, file: str) -> Problem:
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else 0
    words = getattr(error, "problem", None) or str(error).splitlines()[0]
    return Problem("(file)", NOTHING, f"is not YAML: {words}", "", "YAML_SYNTAX", file, line)


class _Walk:
    """Goes through the nodes of one file; ``spec`` is None outside the variable that is looked for."""

    def __init__(self, file: str, root_name: str, options: Spec | None) -> None:
        self.file = file
        self.root_name, self.options = root_name, options
        self.problems: list[Problem] = []
        self.lines: dict[str, int] = {}
        self._seen: set[int] = set()

    def visit(self, node: Any, path: str, spec: Spec | None) -> None:
        inside = spec is not None
        if inside:
            self.lines.setdefault(path, node.start_mark.line + 1)
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            self._mapping(node, path, spec)
        elif isinstance(node, yaml.SequenceNode):
            element = {"type": (spec or {}).get("elements"), **{k: v for k, v in (spec or {}).items() if k in ("options", "choices")}}
            for index, item in enumerate(node.value):
                self.visit(item, f"{path}[{_name_of(item) or index}]", element if inside else None)
        else:
            self._scalar(Place(path, node, spec or {}), inside)

    def _mapping(self, node: Any, path: str, spec: Spec | None) -> None:
        first: dict[tuple[str, str], int] = {}
        for key, value in node.value:
            if key.tag == _TAG + "merge":
                self._merged(value, path, spec)
                continue
            name = str(key.value)
            here = f"{path}.{name}" if path else name
            line = key.start_mark.line + 1
            if (key.tag, name) in first:
                message = f"stands twice in this mapping (first in line {first[key.tag, name]}); YAML keeps only the last"
                self.problems.append(Problem(here, NOTHING, message, "one of the two", "YAML_DUPLICATE_KEY", self.file, line))
            first.setdefault((key.tag, name), line)
            if spec is not None:
                self._scalar(Place(here, key, {"type": "str"}, key=True), True)
                self.lines.setdefault(here, line)
            below = self._below(name, path, spec)
            self.visit(value, self.root_name if spec is None and below is not None else here, below)

    def _merged(self, value: Any, path: str, spec: Spec | None) -> None:
        for node in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            self.visit(node, path, spec)

    def _below(self, name: str, path: str, spec: Spec | None) -> Spec | None:
        if spec is None:
            at_top = path == "" or path.endswith("vars")
            return {"type": "dict", "options": self.options or lab_spec()} if name == self.root_name and at_top else None
        return (spec.get("options") or {}).get(name, {})

    def _scalar(self, place: Place, inside: bool) -> None:
        if place.node.tag == _TAG + "str" or getattr(place.node, "style", None):
            return
        for code, read, valid in _changes(place, inside):
            written = HIDDEN if is_secret(place.path) else place.node.value
            what = "has a key that is" if place.key else "is"
            message = f"{what} written {written}, which YAML reads as {read}"
            if is_secret(place.path):
                message, valid = f"{what} written without quotes, and YAML does not read it as text", "the same text in quotes"
            self.problems.append(Problem(place.path, NOTHING, message, valid, code, self.file, place.node.start_mark.line + 1))


def _changes(place: Place, inside: bool) -> Iterator[tuple[str, str, str]]:
    """What YAML made of a scalar without quotes, when that is not what was meant: code, what it reads, what to write."""
    text, kind = place.node.value, place.node.tag.replace(_TAG, "")
    want = place.want.get("type")
    choices = place.want.get("choices")
    quoted = ", ".join(map(str, choices)) if choices else f'"{text}" in quotes'
    if kind in ("int", "float") and ":" in text:
        yield "YAML_SEXAGESIMAL", f"the number {_made(place.node)} (base 60)", quoted
    elif not inside:
        return
    elif kind == "int" and _OCTAL.fullmatch(text):
        decimal = text.lstrip("+-0_").replace("_", "") or "0"
        yield "YAML_OCTAL", f"the octal number {_made(place.node)}", f"{decimal} without the zero in front" if want in ("int", "bool") else quoted
    elif kind == "bool" and want != "bool":
        if want == "str" or text.lower() not in ("true", "false"):
            yield "YAML_BOOLEAN", str(_made(place.node)).lower(), quoted
    elif kind in ("int", "float") and want == "str":
        yield "YAML_NUMBER", f"the number {_made(place.node)}", quoted
    elif kind == "timestamp":
        yield "YAML_DATE", "a date", quoted


def _made(node: Any) -> Any:
    return yaml.safe_load(node.value)


def _name_of(node: Any) -> str | None:
    """The name of a list item, as paths show it."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "name" and isinstance(value, yaml.ScalarNode) and value.tag == _TAG + "str":
                return value.value
    return None
