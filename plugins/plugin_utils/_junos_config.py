# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The language of Junos in its two forms: ``set`` commands, and the curly form of ``show configuration``.

``set`` commands are read into paths, tuples of words; the curly form is printed from the same paths.
Which words take a key or a value says the table in ``_junos_schema``.
"""

from __future__ import annotations

import re
from typing import Any, Iterable, Iterator

from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_schema import Node

Path = tuple[str, ...]
Step = tuple[Node, str, Path]
Tree = dict[tuple[str, Path], tuple[Node, Any]]

INDENT = "    "
_PLAIN = re.compile(r"[A-Za-z0-9_.:/@+,-]+")
_WORD = re.compile(r'"([\x20\x21\x23-\x5b\x5d-\x7e]*)"|([^\s"]+)')


class ConfigError(ValueError):
    """A text that is not a configuration, with the line; a path that is not in the table."""


def parse_commands(text: str) -> list[Path]:
    """The paths of ``set`` commands. Blank lines are passed over."""
    paths = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        words: list[str] = []
        position = 0
        line = line.rstrip()
        while position < len(line):
            match = _WORD.match(line, position)
            if match is None or (match.end() < len(line) and line[match.end()] != " "):
                raise ConfigError(f"line {number}: a word that Junos would not read: {line[position:]!r}")
            words.append(match[1] if match[2] is None else match[2])
            position = match.end() + 1
        if words[0] != "set" or len(words) < 2:
            raise ConfigError(f"line {number}: is not a set command: {line!r}")
        paths.append(tuple(words[1:]))
    return paths


def steps(path: Path, root: Node) -> list[Step]:
    """The statements of a path, outermost first. Raises ConfigError where the table does not know it."""
    found: list[Step] = []
    node, position = root, 0
    while position < len(path):
        name = path[position]
        if name not in node.children:
            raise ConfigError(f"{' '.join(path)}: there is no {name!r} here")
        node = node.children[name]
        given = path[position + 1 : position + 1 + len(node.words)]
        reason = node.wrong(given)
        if reason:
            raise ConfigError(f"{' '.join(path)}: {name} {reason}")
        found.append((node, name, given))
        position += 1 + len(node.words)
    if node.kind in ("container", "joined"):
        raise ConfigError(f"{' '.join(path)}: nothing stands in {path[-1]!r}")
    return found


def errors(paths: Iterable[Path], root: Node) -> list[str]:
    """What is wrong with each path; one statement with two values is wrong, too."""
    found: list[str] = []
    values: dict[Path, str] = {}
    for path in paths:
        try:
            last = steps(path, root)[-1]
        except ConfigError as error:
            found.append(str(error))
            continue
        if last[0].kind == "leaf" and values.setdefault(path[:-1], path[-1]) != path[-1]:
            found.append(f"{' '.join(path)}: has the value {values[path[:-1]]!r} already")
    return found


def word(text: str) -> str:
    """A word in either form, in double quotes where it needs them."""
    return text if _PLAIN.fullmatch(text) else f'"{text}"'


def to_commands(paths: Iterable[Path]) -> str:
    """The ``set`` commands of paths, one to a line."""
    return "".join(f"set {' '.join(map(word, path))}\n" for path in paths)


def to_curly(paths: Iterable[Path], root: Node) -> str:
    """The curly form, statements in the order of their first appearance."""
    tree: Tree = {}
    for path in paths:
        branch = tree
        for node, name, given in steps(path, root):
            branch = branch.setdefault((name, given), (node, {}))[1]
    return "".join(_lines(tree, 0))


def _lines(tree: Tree, depth: int) -> Iterator[str]:
    indent = INDENT * depth
    shown: set[str] = set()
    for (name, given), (node, inner) in tree.items():
        if node.kind in ("values", "braces"):
            if name not in shown:
                shown.add(name)
                yield from _together(name, node, tree, depth)
        elif node.kind == "joined":
            for line in _lines(inner, depth):
                own = line[len(indent)] not in " }"
                yield f"{indent}{name} {line[len(indent) :]}" if own else line
        else:
            yield from _statement(indent, " ".join(map(word, (name, *given))), inner, depth)


def _statement(indent: str, head: str, inner: Tree, depth: int) -> Iterator[str]:
    if not inner:
        yield f"{indent}{head};\n"
        return
    yield f"{indent}{head} {{\n"
    yield from _lines(inner, depth + 1)
    yield f"{indent}}}\n"


def _together(name: str, node: Node, tree: Tree, depth: int) -> Iterator[str]:
    """All keys or values of one statement."""
    indent = INDENT * depth
    entries = [(given, inner) for (own, given), (_node, inner) in tree.items() if own == name]
    if node.kind == "values":
        words = [word(given[0]) for given, _inner in entries]
        yield f"{indent}{name} {words[0] if len(words) == 1 else '[ ' + ' '.join(words) + ' ]'};\n"
        return
    yield f"{indent}{name} {{\n"
    for given, inner in entries:
        yield from _statement(indent + INDENT, word(given[0]), inner, depth + 1)
    yield f"{indent}}}\n"
