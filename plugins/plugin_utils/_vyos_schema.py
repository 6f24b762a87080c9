# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which commands VyOS and EdgeOS know, as far as this project uses them: tables read into a tree for each version.

A table (``_vyos_paths``, ``_edgeos_paths``) has one name to a line, its content indented below it::

    ethernet * : {port}          a name follows, of this shape; *? may stand without content
      address =+ : {cidr}|dhcp   a list of values; = is a single value
      disable !                  neither value nor content
      ip ? [1.4+]                a node; ? may stand without content. From 1.4; [-1.3] is up to 1.3
      @common                    the lines that the table has below ``@common``

What is not in a table is refused, although the router may know it.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Callable, Iterator, Sequence

from ansible_collections.routerlab.bench.plugins.plugin_utils._edgeos_paths import EDGEOS_ORDER, EDGEOS_PATHS
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_paths import VYOS_ORDER, VYOS_PATHS

Path = tuple[str, ...]
KINDS = {"": "node", "?": "node", "*": "tag", "*?": "tag", "=": "leaf", "=+": "multi", "!": "flag"}
_LINE = re.compile(r"(\S+)(?: (\*\??|=\+?|!|\?))?(?: : (.*?))?(?: \[([^\]]+)\])?")
_SPAN = re.compile(r"(\d+)-(\d+)")
_QUAD = r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_PORT = r"(?:(?:eth|lan)\d{1,3}|(?:eno|ens|enp|enx)[a-z0-9]+)"
SHAPES = {
    "ip": _QUAD,
    "cidr": _QUAD + r"/(?:3[0-2]|[12]?\d)",
    "number": r"\d{1,10}",
    "text": r".{1,255}",
    "secret": r"\S(?:.*\S)?",  # a blank at an end is a slip, and the readers of config.boot need not keep it
    "mac": r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}",
    "key": r"[A-Za-z0-9+/]{43}=",
    "base64": r"[A-Za-z0-9+/]+=*",
    "host": r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?",
    "ports": r"\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?)*",
    "name": r"[A-Za-z0-9][A-Za-z0-9._-]*",
    "policy": r"[A-Za-z0-9][A-Za-z0-9_-]*",
    "rate": r"\d+kbit",
    "port": _PORT,
    "if": rf"{_PORT}(?:\.\d{{1,4}})?|(?:wg|vtun|ifb)\d{{1,4}}",
    "if_edgeos": r"(?:eth|switch)\d{1,2}(?:\.\d{1,4})?",
    "zone_name": r"[A-Za-z0-9][A-Za-z0-9_.-]{0,17}",
    "set_name": r"(?!VZONE)(?!.*(?:PREROUTING|POSTROUTING|CONNMARK|FORWARD|INPUT|OUTPUT))[A-Za-z0-9][A-Za-z0-9_.-]{0,27}",
    "set_name_1_4": r"[A-Za-z0-9][A-Za-z0-9_.-]*",
    "set_name_edgeos": r"(?!VZONE)[A-Za-z0-9][A-Za-z0-9_.-]{0,27}",
}


class PathError(ValueError):
    """A path that a version does not know."""


@dataclass
class Node:
    """One name of a table and what stands below it."""

    kind: str = "node"
    shape: str | None = None
    bare: bool = False
    children: dict[str, "Node"] = field(default_factory=dict)


def heads(path: Path, root: Node) -> Iterator[tuple[Path, Node]]:
    """The statements that a path goes through: a name, or a name with its value. Raises PathError."""
    node, index = root, 0
    while index < len(path):
        name = path[index]
        if name not in node.children:
            known = ", ".join(sorted(node.children)) or "nothing"
            raise PathError(f"{name!r} is not known here; there is {known}")
        node = node.children[name]
        takes = node.kind in ("tag", "leaf", "multi")
        if takes and index + 1 >= len(path):
            raise PathError(f"{name!r} needs a value")
        if takes:
            _check_shape(name, path[index + 1], node)
        yield path[index : index + 1 + takes], node
        index += 1 + takes
        if node.kind in ("leaf", "multi", "flag") and index < len(path):
            raise PathError(f"nothing may follow {' '.join(path[:index])!r}")
    if node.kind in ("node", "tag") and not node.bare:
        raise PathError(f"{path[-1]!r} says nothing by itself")


def _check_shape(name: str, value: str, node: Node) -> None:
    if node.shape and not _fits(value, node.shape):
        simple = _SPAN.fullmatch(node.shape) or re.fullmatch(r"[a-z0-9|-]+", node.shape)
        raise PathError(f"{name!r} does not take {value!r}" + (f", only {node.shape}" if simple else ""))


def _fits(value: str, shape: str) -> bool:
    """A shape is a range of numbers, or a regular expression for the whole value."""
    span = _SPAN.fullmatch(shape)
    if span:
        return value.isascii() and value.isdigit() and int(span[1]) <= int(value) <= int(span[2])
    return re.fullmatch(shape, value, re.ASCII) is not None


def explain(path: Path, root: Node) -> str | None:
    """Why a path is not valid; None when it is."""
    try:
        for _head, _node in heads(path, root):
            pass
    except PathError as error:
        return str(error)
    return None


def read_table(text: str, version: str, order: Sequence[str]) -> Node:
    """The tree of one version."""
    blocks = _blocks(text)
    root = Node()
    _grow(root, blocks[""], blocks, lambda rule: _holds(rule, version, order))
    return root


def _blocks(text: str) -> dict[str, list[tuple[int, str]]]:
    """The table's lines with their depth; those below ``@name`` at the margin are a block of that name."""
    blocks: dict[str, list[tuple[int, str]]] = {"": []}
    current = ""
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        depth = (len(line) - len(line.lstrip())) // 2
        if depth == 0:
            current = stripped if stripped.startswith("@") else ""
            blocks.setdefault(current, [])
        if depth or not current:
            blocks[current].append((depth - (1 if current else 0), stripped))
    return blocks


def _grow(node: Node, lines: list[tuple[int, str]], blocks: dict[str, list[tuple[int, str]]], holds: Callable[[str], bool]) -> None:
    """Put lines of a table below a node, as far as they hold in the version."""
    parents: list[Node | None] = [node]
    for depth, text in lines:
        del parents[depth + 1 :]
        parent = parents[depth]
        if text.startswith("@"):
            if parent is not None:
                _grow(parent, blocks[text], blocks, holds)
            continue
        match = _LINE.fullmatch(text)
        if match is None:
            raise ValueError(f"not a line of a table: {text!r}")
        name, kind, shape, rule = match.groups()
        child = None
        if parent is not None and holds(rule or ""):
            shape = re.sub(r"\{([a-z]\w*)\}", lambda found: f"(?:{SHAPES[found[1]]})", shape) if shape else None
            child = Node(KINDS[kind or ""], shape, "?" in (kind or ""))
            # a name may stand twice, once for each of its forms; what holds later lies over what held before
            earlier = parent.children.get(name)
            if earlier is not None:
                child.children = earlier.children
            parent.children[name] = child
        parents.append(child)


def _holds(rule: str, version: str, order: Sequence[str]) -> bool:
    """Whether ``1.4+``, ``-1.3`` or a list of versions holds in a version."""
    if not rule:
        return True
    here = order.index(version)
    for part in rule.split():
        if part.endswith("+"):
            holds = here >= order.index(part[:-1])
        elif part.startswith("-"):
            holds = here <= order.index(part[1:])
        else:
            holds = part == version
        if holds:
            return True
    return False


@functools.lru_cache(maxsize=16)
def schema(platform: str, dialect: str) -> Node:
    """The tree of a platform's dialect; a dialect ``1.5-any`` speaks as ``1.5``."""
    tables = {"vyos": (VYOS_ORDER, VYOS_PATHS), "edgeos": (EDGEOS_ORDER, EDGEOS_PATHS)}
    order, text = tables[platform]
    return read_table(text, dialect.split("-")[0], order)
