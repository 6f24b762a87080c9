# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which menus and arguments RouterOS 6 and 7 know, as far as this project uses them, and what is wrong with an operation."""

from __future__ import annotations

import functools
import ipaddress
import re
from dataclasses import dataclass, field
from typing import Iterable, Iterator

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_paths import ROUTEROS_PATHS

Place = tuple[tuple[str, ...], str]
MAJORS = ("6", "7")
_LINE = re.compile(r"(\s*)(\S.*?)(?: \[([67])\])?")
_SPAN = re.compile(r"(-?\d+)-(\d+)")
_IP = r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_CIDR = _IP + r"/(?:3[0-2]|[12]?\d)"
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
SHAPES = {
    "text": r"[^\x00-\x1f\x7f]{1,255}",
    "secret": r"[^\x00-\x1f\x7f]{1,255}",
    "ip": _IP,
    "cidr": _CIDR,
    "prefix": _CIDR,
    "mac": r"[0-9A-F]{2}(?::[0-9A-F]{2}){5}",
    "key": r"[A-Za-z0-9+/]{43}=",
    "number": r"\d{1,15}",
    "time": r"(?=\d)(?:\d+w)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?",
    "host": _HOST,
    "chain": r"input|forward|output|(?:set|to)-[A-Za-z0-9][A-Za-z0-9_-]*",
    "protocol": r"tcp|udp|icmp|ospf|ipsec-esp|ipsec-ah|gre",
    "icmp": r"(?:8|0|3|11):0(?:-255)?",
    "ports": r"\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*",
    "group": r"modp(?:1024|1536|2048|3072|4096)|ecp(?:256|384|521)",
    "id": rf"address:{_IP}|fqdn:{_HOST}|user-fqdn:[^\s@]+@{_HOST}",
}
# Menus that make interfaces: their names must differ from one another, whichever menu they come from.
MAKERS = {("interface", "bridge"), ("interface", "vlan"), ("interface", "wireguard")}


@dataclass
class Menu:
    """What one verb takes in one menu."""

    key: list[str]
    shapes: dict[str, str | None] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    lists: set[str] = field(default_factory=set)


@functools.lru_cache(maxsize=len(MAJORS))
def schema(major: str) -> dict[Place, Menu]:
    """The table of one major version."""
    if major not in MAJORS:
        raise ValueError(f"there is no table for RouterOS {major}")
    menus: dict[Place, Menu] = {}
    path: tuple[str, ...] | None = None
    menu: Menu | None = None
    for line in ROUTEROS_PATHS.strip().splitlines():
        indent, text, only = _read(line)
        fits = only in (None, major)
        if indent == 0:
            path, menu = (tuple(text[1:].split()) if fits else None), None
        elif path is not None and indent == 2:
            verb, *key = text.split()
            menu = menus[path, verb] = Menu(key)
        elif menu is not None and fits:
            _argument(menu, text)
    return menus


def _read(line: str) -> tuple[int, str, str | None]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"not a line of the table: {line!r}")
    return len(match[1]), match[2], match[3]


def _argument(menu: Menu, text: str) -> None:
    name, shape = text.split(" ", 1)
    if name.endswith("*"):
        name = name[:-1]
        menu.required.append(name)
    if shape.endswith("+"):
        shape = shape[:-1]
        menu.lists.add(name)
    menu.shapes[name] = None if shape == "!" else shape


def key_of(operation: Operation, major: str) -> list[str]:
    """The arguments that tell an item from its like; those that it does not have are left out."""
    menu = schema(major)[operation.path, operation.verb]
    return [name for name in menu.key if name in operation.values]


def errors(operations: Iterable[Operation], major: str) -> list[str]:
    """What RouterOS would not take, one sentence for each mistake."""
    everything = list(operations)
    found = [f"{_named(operation, major)}: {reason}" for operation in everything for reason in _wrong(operation, major)]
    return found + list(_twice(everything, major))


def _named(operation: Operation, major: str) -> str:
    """An operation in words, with what tells it from its like."""
    menu = schema(major).get((operation.path, operation.verb), Menu([]))
    marks = [f"{name}={operation.values[name]!r}" for name in menu.key if operation.values.get(name)]
    return " ".join([operation.where, *marks])


def _wrong(operation: Operation, major: str) -> Iterator[str]:
    menu = schema(major).get((operation.path, operation.verb))
    if menu is None:
        yield f"RouterOS {major} has no such command here"
        return
    if operation.verb == "set" and list(operation.find) != menu.key:
        yield f"names its item by {', '.join(operation.find) or 'nothing'}, not by {', '.join(menu.key) or 'nothing'}"
    for name in menu.required:
        if name not in operation.values:
            yield f"{name} is missing"
    for name, value in operation.values.items():
        if name not in menu.shapes:
            yield f"there is no argument {name}"
        else:
            yield from _bad_value(name, value, menu)


def _bad_value(name: str, value: str | None, menu: Menu) -> Iterator[str]:
    shape = menu.shapes[name]
    if (shape is None) != (value is None):
        yield f"{name} takes {'no' if shape is None else 'a'} value"
    elif shape is not None and value is not None:
        parts = value.split(",") if name in menu.lists else [value]
        bad = [part for part in parts if not fits(part, shape)]
        if bad:
            yield f"{name} does not take {', '.join(map(repr, bad))}, only {shape.replace('{', '').replace('}', '')}"


def fits(value: str, shape: str) -> bool:
    """Whether a value is of a shape of the table."""
    span = _SPAN.fullmatch(shape)
    if span:
        return re.fullmatch(r"-?[0-9]{1,9}", value) is not None and int(span[1]) <= int(value) <= int(span[2])
    pattern = "|".join(re.sub(r"\{(\w+)\}", lambda match: f"(?:{SHAPES[match[1]]})", part.replace(".", r"\.")) for part in shape.split("|"))
    if re.fullmatch(pattern, value, re.ASCII) is None:
        return False
    return shape != "{prefix}" or _is_prefix(value)


def _is_prefix(value: str) -> bool:
    try:
        ipaddress.IPv4Network(value)
    except ValueError:
        return False
    return True


def _twice(operations: list[Operation], major: str) -> Iterator[str]:
    """Items that could not be told apart, and interfaces of one name."""
    seen: set[tuple[object, ...]] = set()
    names: set[str | None] = set()
    for operation in operations:
        menu = schema(major).get((operation.path, operation.verb))
        if menu is None:
            continue
        mark = (operation.path, operation.verb, *operation.find.items(), *((name, operation.values.get(name)) for name in menu.key))
        if mark in seen:
            yield f"{_named(operation, major)}: stands twice"
        seen.add(mark)
        if operation.verb == "add" and operation.path in MAKERS:
            name = operation.values.get("name")
            if name in names:
                yield f"{_named(operation, major)}: there is another interface of this name"
            names.add(name)
