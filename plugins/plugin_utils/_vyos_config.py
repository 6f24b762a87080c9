# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The language of VyOS and EdgeOS in its two forms: ``set`` commands, and the curly form of config.boot.

Either form is read into the same thing, a list of paths: tuples of words with the value last.
From there the other form is printed. Reading needs no knowledge of the commands; the curly
form needs to know which words take a name or a value, and asks a table (``_vyos_schema``).
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Any, Iterable, Iterator

from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import Node, explain, heads

Path = tuple[str, ...]
Tree = dict[Path, tuple[Node, Any]]

INDENT = "    "
_PLAIN = re.compile(r"[A-Za-z0-9_.:/@+,=-]+")
_DIGITS = re.compile(r"(\d+)")
_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+)
      | (?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<open>\{) | (?P<close>\}) | (?P<newline>\n)
      | "(?P<double>(?:[^"\\]|\\.)*)"
      | '(?P<single>[^']*)'
      | (?P<word>[^\s{}"']+)""",
    re.VERBOSE | re.DOTALL,
)


class ConfigError(ValueError):
    """A text that is not a configuration, with the line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int
    column: int


@dataclass
class _Block:
    """An opened brace: what stands before it, and where."""

    words: list[str]
    line: int
    column: int
    filled: bool = False


def parse_commands(text: str) -> list[Path]:
    """The paths of ``set`` commands. Blank lines and lines that begin with ``#`` are passed over."""
    paths = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise ConfigError(number, f"{error}: {line.strip()!r}") from error
        if words[0] != "set" or len(words) < 2:
            raise ConfigError(number, f"is not a set command: {line.strip()!r}")
        paths.append(tuple(words[1:]))
    return paths


def parse_curly(text: str) -> list[Path]:
    """The paths of a configuration in curly form. A node without content is a path of its own."""
    paths: list[Path] = []
    stack: list[_Block] = []
    words: list[_Token] = []
    suspect = ""
    for token in _tokens(text):
        if token.kind == "word":
            words.append(token)
        elif token.kind == "open":
            stack.append(_open(words, token, stack))
            words = []
        else:
            _leaf(words, stack, paths)
            words = []
        if token.kind == "close":
            suspect = suspect or _shallow(stack, token)
            _close(stack, token, paths)
    _leaf(words, stack, paths)
    if stack:
        names = ", ".join(f"{' '.join(block.words)!r} (line {block.line})" for block in stack)
        raise ConfigError(len(text.splitlines()), f"a closing brace is missing: still open at the end: {names}{suspect}")
    return paths


def _tokens(text: str) -> Iterator[_Token]:
    position, line, start = 0, 1, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ConfigError(line, f"a quoted text is not closed: {text[position:].splitlines()[0]!r}")
        kind = match.lastgroup or ""
        if kind in ("double", "single", "word"):
            value = match[kind]
            yield _Token("word", re.sub(r'\\(["\\])', r"\1", value) if kind == "double" else value, line, position - start)
        elif kind in ("open", "close", "newline"):
            yield _Token(kind, match[0], line, position - start)
        breaks = match[0].count("\n")
        if breaks:
            line += breaks
            start = position + match[0].rindex("\n") + 1
        position = match.end()


def _open(words: list[_Token], token: _Token, stack: list[_Block]) -> _Block:
    if not words:
        raise ConfigError(token.line, "a brace opens without a name before it")
    if len(words) > 2:
        raise ConfigError(token.line, f"more than a name and a value before a brace: {' '.join(word.text for word in words)!r}")
    if stack:
        stack[-1].filled = True
    return _Block([word.text for word in words], words[0].line, words[0].column)


def _leaf(words: list[_Token], stack: list[_Block], paths: list[Path]) -> None:
    if not words:
        return
    if len(words) > 2:
        raise ConfigError(words[0].line, f"more than a name and a value: {' '.join(word.text for word in words)!r}")
    if stack:
        stack[-1].filled = True
    paths.append((*_prefix(stack), *(word.text for word in words)))


def _close(stack: list[_Block], token: _Token, paths: list[Path]) -> None:
    if not stack:
        raise ConfigError(token.line, "a brace closes that was never opened")
    if not stack[-1].filled:
        paths.append(_prefix(stack))
    stack.pop()


def _prefix(stack: list[_Block]) -> Path:
    return tuple(word for block in stack for word in block.words)


def _shallow(stack: list[_Block], token: _Token) -> str:
    """Where indentation says that a brace was lost: one that closes a block which begins further in."""
    if stack and token.column < stack[-1].column:
        block = stack[-1]
        return f"; by the indentation it is missing before line {token.line}, which closes {' '.join(block.words)!r} of line {block.line}"
    return ""


def unique(paths: Iterable[Path]) -> list[Path]:
    """Each path once, in the order of its first appearance; a bare node goes when something stands in it."""
    found = dict.fromkeys(paths)
    inner = {path[:length] for path in found for length in range(1, len(path))}
    return [path for path in found if path not in inner]


def errors(paths: Iterable[Path], root: Node) -> list[str]:
    """What is wrong with each path: a word that the version does not know, a value of the wrong shape."""
    return [f"{' '.join(path)}: {reason}" for path in paths if (reason := explain(path, root))]


def word(text: str) -> str:
    """A word as it stands in a ``set`` command: in single quotes where it needs them."""
    return text if _PLAIN.fullmatch(text) else f"'{text}'"


def to_commands(paths: Iterable[Path]) -> str:
    """The ``set`` commands of paths, one to a line."""
    return "".join(f"set {' '.join(map(word, path))}\n" for path in paths)


def to_curly(paths: Iterable[Path], root: Node) -> str:
    """The curly form, sorted as the router sorts it. Raises PathError for a path that is not in the table."""
    tree: Tree = {}
    for path in paths:
        branch = tree
        for head, node in heads(path, root):
            branch = branch.setdefault(head, (node, {}))[1]
    return "".join(_lines(tree, 0))


def _lines(tree: Tree, depth: int) -> Iterator[str]:
    """Statements by name; those of one name by their number, and the values of a list in the order given."""
    for head, (node, inner) in sorted(tree.items(), key=lambda item: (item[0][0], natural(item[0][-1]) if item[1][0].kind == "tag" else [])):
        text = INDENT * depth + " ".join(map(curly_word, head))
        if node.kind in ("leaf", "multi", "flag"):
            yield f"{text}\n"
        else:
            yield f"{text} {{\n"
            yield from _lines(inner, depth + 1)
            yield f"{INDENT * depth}}}\n"


def curly_word(text: str) -> str:
    """A word as it stands in config.boot: in double quotes where it needs them."""
    if _PLAIN.fullmatch(text) and not text.startswith("//"):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def natural(text: str) -> list[Any]:
    """A key that sorts rule 20 before rule 100."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in _DIGITS.split(text) if part]
