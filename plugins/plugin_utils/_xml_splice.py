# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Parts of an XML file replaced in place: every byte that is not replaced stays as it was.

A file is never written out by an XML library, which would change the form of empty elements, CDATA, blanks and order.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Iterable
from xml.parsers import expat


class SpliceError(ValueError):
    """A file that is not what it should be."""


@dataclass(eq=False)
class Node:
    """An element with the place of its bytes: all of it, and what is between its tags."""

    tag: str
    start: int
    end: int = 0
    inner: tuple[int, int] = (0, 0)
    attributes: tuple[tuple[str, str], ...] = ()
    text: str = ""
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    def all(self, tag: str) -> list[Node]:
        """The children of that name."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Node | None:
        """The first child of that name."""
        return next(iter(self.all(tag)), None)

    def value(self, tag: str) -> str:
        """The text of a child, or nothing."""
        found = self.first(tag)
        return found.text if found else ""


class _Reader:
    """Builds nodes from expat's events. Declarations of a document type, and with them entities, are refused."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.root: Node | None = None
        self.open: list[Node] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype

    def read(self) -> Node:
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            raise SpliceError(f"not well-formed XML: {error}") from error
        if self.root is None:
            raise SpliceError("there is no element in it")
        return self.root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        node = Node(tag, self.parser.CurrentByteIndex, attributes=tuple(sorted(attributes.items())), parent=self.open[-1] if self.open else None)
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        closed = self._tag_end(node.start)
        node.inner = (closed, closed)
        self.open.append(node)

    def _end(self, _tag: str) -> None:
        node = self.open.pop()
        here = self.parser.CurrentByteIndex
        empty = self.data[node.inner[0] - 2 : node.inner[0]] == b"/>"
        node.end = node.inner[0] if empty else self.data.index(b">", here) + 1
        node.inner = (node.inner[0], node.inner[0] if empty else here)
        node.text = html.unescape(node.text).strip(" \t\r\n") if not node.children else ""

    def _text(self, text: str) -> None:
        if self.open:
            self.open[-1].text += text

    def _doctype(self, *_ignored: object) -> None:
        raise SpliceError("a document type declaration has no place in this file")

    def _tag_end(self, start: int) -> int:
        """Behind the tag that begins here; a > in a quoted attribute does not end it."""
        found = re.compile(rb"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>").match(self.data, start)
        if found is None:
            raise SpliceError(f"the tag at byte {start} does not end")
        return found.end()


def read(data: bytes) -> Node:
    """The tree of a file in UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SpliceError(f"not a text in UTF-8: {error}") from error
    if data.startswith(b"\xef\xbb\xbf"):
        raise SpliceError("a byte order mark stands before the XML")
    return _Reader(data).read()


def meaning(node: Node, ignored: Iterable[str] = ()) -> object:
    """What an element says, whatever form its bytes have; order counts."""
    return (node.tag, node.attributes, node.text, tuple(meaning(child, ignored) for child in node.children if child.tag not in ignored))


@dataclass
class Splice:
    """Edits of one file, collected and then done at once."""

    data: bytes
    edits: list[tuple[int, int, bytes]] = field(default_factory=list)

    def result(self) -> bytes:
        """The file with all edits; those at one place in the order in which they came."""
        parts, here = [], 0
        for start, end, new in sorted(self.edits, key=lambda edit: (edit[0], edit[1])):
            parts += [self.data[here:start], new]
            here = max(here, end)
        return b"".join([*parts, self.data[here:]])

    def replace(self, old: Node, new: Node, source: bytes) -> None:
        """An element in the place of another."""
        self.edits.append((old.start, old.end, self._shaped(new, source, self._blanks(old))))

    def remove(self, node: Node) -> None:
        """Take out an element and the blanks before it."""
        self.edits.append((node.start - len(self._blanks(node)), node.end, b""))

    def insert(self, parent: Node, after: Node | None, new: Node, source: bytes) -> None:
        """Put an element behind a child of ``parent``, or behind its last one."""
        last = after or (parent.children[-1] if parent.children else None)
        if last is None:
            self._fill(parent, new, source)
            return
        blanks = self._blanks(last)
        self.edits.append((last.end, last.end, blanks + self._shaped(new, source, blanks)))

    def _fill(self, parent: Node, new: Node, source: bytes) -> None:
        """The first child of an element that had none. Two of them at one place join: each opens on a line of its own."""
        before = self._blanks(parent)
        line = before + b"\t" if b"\n" in before else b""
        body = line + self._shaped(new, source, line)
        inside = self.data[slice(*parent.inner)]
        if self.data[parent.inner[0] - 2 : parent.inner[0]] == b"/>":
            raise SpliceError(f"<{parent.tag}/> has no inside")
        keep = inside if inside.strip() else b""
        self.edits.append((parent.inner[0], parent.inner[1], keep + body + (before if b"\n" in before else b"")))

    def _blanks(self, node: Node) -> bytes:
        """The blanks between an element and what stands before it."""
        siblings = node.parent.children if node.parent else []
        place = siblings.index(node) if siblings else 0
        begin = siblings[place - 1].end if place else (node.parent.inner[0] if node.parent else node.start)
        between = self.data[begin : node.start]
        return between[len(between.rstrip(b" \t\r\n")) :]

    def _shaped(self, node: Node, source: bytes, blanks: bytes) -> bytes:
        """An element's bytes with the line ends and the depth of its new place; all in one line where its neighbours are."""
        own = source[node.start : node.end]
        if b"\n" not in blanks:
            return _compact(node, source)
        depth = source[: node.start].rpartition(b"\n")[2]
        end = b"\r\n" if b"\r\n" in blanks else b"\n"
        indent = blanks.rpartition(b"\n")[2]
        return own.replace(b"\n" + depth, b"\n" + indent).replace(b"\n", end)


def _compact(node: Node, source: bytes) -> bytes:
    if not node.children:
        return source[node.start : node.end]
    inside = b"".join(_compact(child, source) for child in node.children)
    return source[node.start : node.inner[0]] + inside + source[node.inner[1] : node.end]
