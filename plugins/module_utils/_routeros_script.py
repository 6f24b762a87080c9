# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""RouterOS' configuration in its two forms: a script for ``/import``, and operations for the API.

An operation is a menu, a verb, the item that it is about and the values that it gives::

    /interface vlan add interface=ether1 name=WAN vlan-id=500
    {"path": ["interface", "vlan"], "verb": "add", "values": {"interface": "ether1", "name": "WAN", "vlan-id": "500"}}

    /interface ethernet set [ find default-name=ether1 ] mtu=9000
    {"path": ["interface", "ethernet"], "verb": "set", "find": {"default-name": "ether1"}, "values": {"mtu": "9000"}}

A value of None is a flag, which stands without a value. Anything else that a script can do (variables, loops, commands
in brackets, several commands on a line) is refused, so no text of a lab can become a command.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_text import quote, unquote

SCHEMA = "routerlab.bench/routeros/1"
VERBS = ("add", "set")
OTHER_VERBS = {"remove", "unset", "enable", "disable", "move", "print", "export", "import", "run", "reboot", "shutdown", "reset-configuration"}
_CONTINUED = re.compile(r"\\\r?\n[ \t]*")
_WORD = re.compile(
    r"""[ \t]*(?:
        (?P<open>\[) | (?P<close>\])
      | (?P<key>[a-z0-9][a-z0-9.-]*)=(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[^\s"\[\](){};=$\\]*))(?=[\s\]]|$)
      | (?P<word>/?[^\s"\[\](){};=$\\]+)(?=[\s\]]|$)
    )""",
    re.VERBOSE,
)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
_MENU = re.compile(r"[a-z0-9][a-z0-9-]*")


class ScriptError(ValueError):
    """A text that is no script of plain ``add`` and ``set``, with the line. Says nothing of what stands there: it may be secret."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__("line %d: %s" % (line, message))
        self.line = line


class Operation(NamedTuple):
    """One change of the configuration."""

    path: Tuple[str, ...]
    verb: str
    find: Dict[str, str]
    values: Dict[str, Optional[str]]

    @property
    def where(self) -> str:
        """The operation in short, without its values."""
        item = " ".join("%s=%s" % pair for pair in self.find.items())
        return "/%s %s%s" % (" ".join(self.path), self.verb, " [%s]" % item if item else "")


class _Word(NamedTuple):
    kind: str
    key: str
    text: Optional[str]


def parse_script(text: str) -> List[Operation]:
    """The operations of a script, also of an export. Comments and empty lines are passed over."""
    path: Tuple[str, ...] = ()
    operations = []
    for number, line in _lines(text):
        words = _words(number, line)
        if words[0].kind == "word" and words[0].key.startswith("/"):
            path, words = _menu(number, words)
        if words:
            operations.append(_operation(number, path, words))
    return operations


def _lines(text: str) -> Iterator[Tuple[int, str]]:
    """Logical lines with the number of their first line."""
    number = 1
    for line in _joined(text):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, _CONTINUED.sub("", line)
        number += line.count("\n") + 1


def _joined(text: str) -> Iterator[str]:
    held = ""
    for line in text.split("\n"):
        held += line
        if line.rstrip("\r").endswith("\\") and not held.lstrip().startswith("#"):
            held += "\n"
            continue
        yield held.rstrip("\r")
        held = ""
    if held:
        yield held


def _words(number: int, line: str) -> List[_Word]:
    words = []
    position, end = 0, len(line.rstrip())
    while position < end:
        match = _WORD.match(line, position)
        if match is None:
            raise ScriptError(number, "cannot be read from column %d on" % (position + 1))
        kind = match.lastgroup or ""
        if match["key"] is not None:
            try:
                value = unquote(match["quoted"]) if match["quoted"] is not None else match["bare"]
            except ValueError as error:
                raise ScriptError(number, str(error)) from error
            words.append(_Word("pair", match["key"], value))
        else:
            words.append(_Word(kind, match[kind], None))
        position = match.end()
    return words


def _menu(number: int, words: List[_Word]) -> Tuple[Tuple[str, ...], List[_Word]]:
    """A menu like ``/ip address`` or ``/ip/address``, and what stands behind it."""
    parts: List[str] = []
    for index, word in enumerate(words):
        pieces = [piece for piece in word.key.split("/") if piece] if word.kind == "word" else []
        if word.kind != "word" or (pieces and pieces[0] in VERBS):
            break
        for at, piece in enumerate(pieces):
            if piece in VERBS and at == len(pieces) - 1:
                return tuple(parts), [_Word("word", piece, None), *words[index + 1 :]]
            if not _MENU.fullmatch(piece):
                raise ScriptError(number, "is not a menu")
            if piece in OTHER_VERBS:
                raise ScriptError(number, "is neither add nor set")
            parts.append(piece)
    else:
        return tuple(parts), []
    return tuple(parts), words[index:]


def _operation(number: int, path: Tuple[str, ...], words: List[_Word]) -> Operation:
    verb = words[0].key
    if words[0].kind != "word" or verb not in VERBS:
        raise ScriptError(number, "is neither add nor set")
    if not path:
        raise ScriptError(number, "%s before any menu" % verb)
    rest = words[1:]
    find: Dict[str, str] = {}
    if verb == "set":
        find, rest = _item(number, rest)
    values: Dict[str, Optional[str]] = {}
    for word in rest:
        if word.kind not in ("pair", "word") or not _MENU.fullmatch(word.key.replace(".", "-")):
            raise ScriptError(number, "only names with values may follow %s" % verb)
        if word.key in values:
            raise ScriptError(number, "%s stands twice" % word.key)
        values[word.key] = word.text
    if not values:
        raise ScriptError(number, "%s without values" % verb)
    return Operation(path, verb, find, values)


def _item(number: int, words: List[_Word]) -> Tuple[Dict[str, str], List[_Word]]:
    """Which item is set: ``[ find key=value ]``, a name, or none where a menu is one thing."""
    if words and words[0].kind == "open":
        kinds = [word.kind for word in words]
        end = kinds.index("close") if "close" in kinds else 0
        inner = words[2:end]
        if end < 3 or words[1].key != "find" or any(word.kind != "pair" for word in inner):
            raise ScriptError(number, "only [ find name=value ] may stand in brackets")
        return {word.key: word.text or "" for word in inner}, words[end + 1 :]
    if words and words[0].kind == "word":
        if not _NAME.fullmatch(words[0].key):
            raise ScriptError(number, "an item is named by its name or by find: its number changes")
        return {"name": words[0].key}, words[1:]
    return {}, words


def to_script(operations: Iterable[Operation]) -> str:
    """A script: each menu once for the operations that follow one another in it."""
    lines = []
    path: Tuple[str, ...] = ()
    for item in operations:
        if item.path != path:
            lines.append("/" + " ".join(item.path))
            path = item.path
        words = [item.verb, *_find_words(item.find)]
        words += [key if value is None else "%s=%s" % (key, quote(value)) for key, value in item.values.items()]
        lines.append(" ".join(words))
    return "".join(line + "\n" for line in lines)


def _find_words(find: Dict[str, str]) -> List[str]:
    if list(find) == ["name"] and _NAME.fullmatch(find["name"]):
        return [find["name"]]
    return ["[ find %s ]" % " ".join("%s=%s" % (key, quote(value)) for key, value in find.items())] if find else []


def to_json(operations: Iterable[Operation], key_of: Callable[[Operation], List[str]]) -> str:
    """The operations for the API. ``key_of`` says which values tell an item from its like."""
    lines = []
    for item in operations:
        entry: Dict[str, Any] = {"path": list(item.path), "verb": item.verb}
        if item.find:
            entry["find"] = item.find
        entry["values"] = item.values
        entry["key"] = key_of(item)
        lines.append("  " + json.dumps(entry, ensure_ascii=False))
    return '{"schema": %s, "operations": [\n%s\n]}\n' % (json.dumps(SCHEMA), ",\n".join(lines))


def from_json(text: str) -> List[Operation]:
    """The operations of a JSON file of this schema."""
    data = json.loads(text)
    if data.get("schema") != SCHEMA:
        raise ValueError("schema %r; this reads %s" % (data.get("schema"), SCHEMA))
    return [Operation(tuple(item["path"]), item["verb"], item.get("find", {}), item["values"]) for item in data["operations"]]
