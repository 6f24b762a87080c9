# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a room has rendered, put into the XML file that a router has: the walk over both trees, for every platform with such a file.

A specification says what of it is the lab's; nothing else is touched, and what says the same already stays in whatever form.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._xml_splice import Node, Splice, SpliceError, read

MARK = "routerlab: "
"""What descriptions of things begin with that are ours."""

Keep = Callable[[Node], bool]
Same = Callable[[Node, Node], bool]
Spec = Mapping[str, Any]


class MergeError(ValueError):
    """Two files that cannot be merged; says why."""


# A spec says of each child what the lab owns:
#   OWN      exactly what is rendered, in its order; nothing when nothing is rendered
#   SET      what is rendered; left alone when nothing is
#   FIRST    what is rendered, unless there is one already
#   a function  of the children of that name those that it says yes to, as OWN
#   a dict   children of it
#   a tuple  (a key's name, a function that says which items nobody renders any more): items of a list, each on its own
OWN, SET, FIRST = "own", "set", "first"


def at(root: Node, *path: str) -> Node | None:
    """The first element of a path below ``root``."""
    node: Node | None = root
    for tag in path:
        node = node.first(tag) if node else None
    return node


def below(root: Node, *path: str) -> list[Node]:
    """The children of the first element of a path."""
    found = at(root, *path)
    return found.children if found else []


def parsed(data: bytes) -> Node:
    """The tree of a configuration."""
    try:
        return read(data)
    except SpliceError as error:
        raise MergeError(f"config.xml: {error}") from error


def check_root(node: Node, which: str, root: str, title: str) -> None:
    """A configuration of that platform, with what every one has."""
    if node.tag != root:
        raise MergeError(f"{which} is no configuration of {title}: its root is <{node.tag}>")
    for tag in ("system", "interfaces"):
        if len(node.all(tag)) != 1:
            raise MergeError(f"{which} has {len(node.all(tag))} elements <{tag}>, not one")


def spliced(existing: bytes, rendered: bytes, spec: Spec, same: Same) -> bytes:
    """The existing file with what the specification says of the rendered one."""
    splice = Splice(existing)
    Walk(splice, rendered, same).children(parsed(existing), parsed(rendered), spec)
    changed = splice.result()
    try:
        read(changed)
    except SpliceError as error:
        raise MergeError(f"the merged config.xml would not be XML: {error}") from error
    return changed


class Walk:
    """Walks both trees by a spec and collects edits. ``same`` says whether two elements say the same."""

    def __init__(self, splice: Splice, source: bytes, same: Same) -> None:
        self.splice = splice
        self.source = source
        self.same = same

    def children(self, old: Node, new: Node, spec: Spec) -> None:
        """All children that the spec names."""
        for tag, how in spec.items():
            here, there = old.all(tag), new.all(tag)
            if callable(how):
                self._items(old, [node for node in here if how(node)], there)
            elif isinstance(how, tuple):
                self._keyed(old, here, there, *how)
            elif isinstance(how, dict):
                self._deeper(old, here, there, how)
            elif how == OWN or (there and (how == SET or not here)):
                self._items(old, here, there)

    def _deeper(self, old: Node, here: list[Node], there: list[Node], spec: Spec) -> None:
        nothing = Node(here[0].tag if here else "", 0)
        if not here and there:
            self.splice.insert(old, None, there[0], self.source)
        elif here and there and not here[0].children and there[0].children:
            self.splice.replace(here[0], there[0], self.source)
        elif here:
            self.children(here[0], there[0] if there else nothing, spec)

    def _items(self, parent: Node, here: list[Node], there: list[Node]) -> None:
        """A run of elements as a whole: what is the same at both ends stays."""
        for old, new in zip(here, there):
            if not self.same(old, new):
                self.splice.replace(old, new, self.source)
        for node in here[len(there) :]:
            self.splice.remove(node)
        last = here[-1] if here else next(iter(parent.all(there[0].tag)[-1:]), None) if there else None
        for node in there[len(here) :]:
            self.splice.insert(parent, last, node, self.source)

    def _keyed(self, parent: Node, here: list[Node], there: list[Node], key: str, stale: Keep) -> None:
        """Items of a list, each known by one of its values; what nobody renders stays, unless it is one of ours."""
        known = {node.value(key): node for node in here}
        wanted = {node.value(key) for node in there}
        for node in here:
            if node.value(key) not in wanted and stale(node):
                self.splice.remove(node)
        last = here[-1] if here else None
        for node in there:
            if node.value(key) not in known:
                self.splice.insert(parent, last, node, self.source)
            elif not self.same(known[node.value(key)], node):
                self.splice.replace(known[node.value(key)], node, self.source)
