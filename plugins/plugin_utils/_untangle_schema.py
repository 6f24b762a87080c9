# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The table of Untangle's classes, read, and objects held against it.

``to_java`` gives an object every ``javaClass`` that Java's reader asks for, and wraps lists as it writes them. A property that a version does
not have yet is left out.
"""

from __future__ import annotations

import functools
import ipaddress
from typing import Any, Callable, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._untangle_classes import TABLE

DIALECTS = ("14", "16", "17.0", "17.1", "17.4", "17.5")
PREFIX = "com.untangle."
LIST = "java.util.LinkedList"


class Property(NamedTuple):
    """A property: its kind, and the dialects that have it."""

    kind: str
    dialects: tuple[str, ...]


@functools.lru_cache(maxsize=1)
def classes() -> dict[str, dict[str, Property]]:
    """The table by class and property."""
    found: dict[str, dict[str, Property]] = {}
    name = ""
    for line in TABLE.strip().splitlines():
        words = line.split()
        if not line.startswith(" "):
            name = words[0]
            found[name] = {}
            continue
        have = DIALECTS[DIALECTS.index(words[2][2:]) :] if len(words) > 2 else DIALECTS
        found[name][words[0]] = Property(words[1], have)
    return found


def _is_ip(value: Any) -> bool:
    try:
        ipaddress.IPv4Address(value)
    except ValueError:
        return False
    return isinstance(value, str)


VALUES: dict[str, Callable[[Any], bool]] = {
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "bool": lambda value: isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "ip": _is_ip,
}


def to_java(value: Any, name: str, dialect: str) -> tuple[Any, list[str]]:
    """An object as Java's reader wants it, and all that is wrong with it. What is null is left out, as Java does."""
    problems: list[str] = []
    return _object(value, name, dialect, name.rpartition(".")[2], problems), problems


def _object(value: Any, name: str, dialect: str, path: str, problems: list[str]) -> Any:
    if not isinstance(value, dict):
        problems.append(f"{path}: is no object of {name}")
        return value
    made: dict[str, Any] = {"javaClass": PREFIX + name}
    for key, item in value.items():
        known = classes()[name].get(key)
        if known is None:
            problems.append(f"{path}.{key}: {name} has no such property")
        elif item is not None and dialect in known.dialects:
            made[key] = _value(item, known.kind, dialect, f"{path}.{key}", problems)
    return made


def _value(value: Any, kind: str, dialect: str, path: str, problems: list[str]) -> Any:
    if kind.startswith("["):
        if not isinstance(value, list):
            problems.append(f"{path}: is no list")
            return value
        return {"javaClass": LIST, "list": [_value(item, kind[1:-1], dialect, f"{path}[{index}]", problems) for index, item in enumerate(value)]}
    if kind in classes():
        return _object(value, kind, dialect, path, problems)
    fits = VALUES[kind](value) if kind in VALUES else value in kind.split("|")
    if not fits:
        problems.append(f"{path}: {value!r} is no {kind}")
    return value
