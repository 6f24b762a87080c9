# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what iperf3 printed, whatever it printed: text around the object, C(nan), duplicate keys, one object per line, half an object."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

DUPLICATE_KEYS = "DUPLICATE_KEYS"
NON_STANDARD_JSON = "NON_STANDARD_JSON"
JSON_STREAM = "JSON_STREAM"

_STRING_OR_WORD = re.compile(r'"(?:\\.|[^"\\])*"|([-+]?)(nan|infinity|inf)(?:\([a-z0-9]*\))?(?![a-z0-9_])', re.IGNORECASE)
_EVENT_START = re.compile(r'\{\s*"event"\s*:')
_PAIR = {"{": "}", "[": "]"}
_EVENT_NAMES = ("start", "interval", "end", "error", "server_output_json", "server_output_text")


class Document(dict):
    """A JSON object that remembers every value of a key that was given more than once."""

    def __init__(self, pairs: List[Tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: Dict[str, List[Any]] = {}
        if len(self) < len(pairs):
            names = [name for name, dummy in pairs]
            self.repeated = {name: [value for key, value in pairs if key == name] for name in self if names.count(name) > 1}


@dataclass
class Reading:
    """What was found: C(status) is C(ok), C(empty), C(none) (no object at all) or C(truncated) (C(document) then holds what could be saved)."""

    status: str
    document: Dict[str, Any] = field(default_factory=dict)
    noise: str = ""
    notes: List[str] = field(default_factory=list)


def _plain_numbers(text: str, start: int) -> Tuple[str, bool]:
    """C(nan), C(-nan), C(inf) outside of strings become C(NaN) of the same length, which the decoder turns into None."""
    found: List[str] = []

    def replace(match: Any) -> str:
        if match.group(2) is None:
            return str(match.group(0))
        found.append(match.group(0))
        return "NaN".rjust(len(match.group(0)))

    return text[:start] + _STRING_OR_WORD.sub(replace, text[start:]), bool(found)


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=Document, parse_constant=lambda name: None, strict=False)


def _decode(text: str, start: int) -> Tuple[Optional[Any], int]:
    try:
        return _decoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _saved(text: str, start: int) -> Dict[str, Any]:
    """As much as can be read of an object that ends too early: everything up to the last complete inner object or list."""
    stack: List[str] = []
    cuts: List[Tuple[int, str]] = []
    in_string = escaped = False
    for position in range(start, len(text)):
        char = text[position]
        if in_string:
            in_string, escaped = (escaped or char != '"'), (char == "\\" and not escaped)
        elif char == '"':
            in_string = True
        elif char in _PAIR:
            stack.append(_PAIR[char])
        elif char in "}]":
            if not stack or stack.pop() != char:
                break
            cuts.append((position + 1, "".join(reversed(stack))))
    for position, closing in reversed(cuts[-8:]):
        value = _decode(text[start:position] + closing, 0)[0]
        if isinstance(value, dict):
            return value
    return {}


def _is_result(value: Any) -> bool:
    return isinstance(value, dict) and (
        isinstance(value.get("start"), dict) or isinstance(value.get("end"), dict) or isinstance(value.get("error"), str) or "intervals" in value
    )


def _from_events(text: str, start: int) -> Reading:
    """Puts the events of C(--json-stream) together again as the one object that C(--json) prints."""
    events: List[Tuple[str, Any]] = []
    noise: List[str] = [text[:start]]
    position, broken = start, False
    while position < len(text):
        match = _EVENT_START.search(text, position)
        if not match:
            break
        value, end = _decode(text, match.start())
        noise.append(text[position:match.start()])
        broken = not isinstance(value, dict)
        if broken or not isinstance(value, dict):
            position = match.end()
            continue
        events.append((str(value.get("event")), value.get("data")))
        position = end
    if not broken:
        noise.append(text[position:])
    document: Dict[str, Any] = Document([("intervals", [data for name, data in events if name == "interval"])])
    document.update({name: data for name, data in events if name in _EVENT_NAMES and name != "interval"})
    complete = "end" in document or "error" in document
    return Reading("ok" if complete and not broken else "truncated", document, _tidy(noise), [JSON_STREAM])


def _tidy(parts: List[str]) -> str:
    return "\n".join(part.strip() for part in parts if part.strip())


def _has_repeated(value: Any, depth: int = 8) -> bool:
    """Duplicate keys in results; those in C(start) (a socket size printed once per stream) say nothing about the numbers."""
    if isinstance(value, Document) and depth:
        inner = (item for key, item in value.items() if key not in ("start", "server_output_json"))
        return bool(set(value.repeated) - {"error"}) or any(_has_repeated(item, depth - 1) for item in inner)
    return isinstance(value, list) and depth > 0 and any(_has_repeated(item, depth - 1) for item in value)


def _candidates(text: str) -> List[int]:
    """Where the object may begin: the first brace, then every brace at the start of a line (inner ones never stand there)."""
    first = text.find("{")
    return [first] + [match.start() for match in re.finditer(r"^\{", text, re.MULTILINE) if match.start() > first][:20]


def read(text: Any) -> Reading:
    """The result object in C(text). Never raises."""
    source = text if isinstance(text, str) else ""
    source = source.replace("\x00", "")
    if not source.strip():
        return Reading("empty")
    if "{" not in source:
        return Reading("none", noise=source.strip())
    source, changed = _plain_numbers(source, source.find("{"))
    reading = _read_object(source)
    if changed:
        reading.notes.append(NON_STANDARD_JSON)
    if _has_repeated(reading.document):
        reading.notes.append(DUPLICATE_KEYS)
    return reading


def _read_object(source: str) -> Reading:
    candidates = _candidates(source)
    for start in candidates:
        if _EVENT_START.match(source, start):
            return _from_events(source, start)
        value, end = _decode(source, start)
        if _is_result(value) and isinstance(value, dict):
            return Reading("ok", value, _tidy([source[:start], source[end:]]))
    for start in candidates:
        saved = _saved(source, start)
        if _is_result(saved):
            return Reading("truncated", saved, source[:start].strip())
    looks_cut = re.search(r'\{\s*("(start|intervals|end|error)"?|"?$)', source[candidates[0]:]) is not None
    return Reading("truncated" if looks_cut else "none", noise=source.strip())
