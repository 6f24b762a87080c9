# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a Junos device answers for its configuration, read without knowing its statements; and its reversible secrets.

The curly form says where a statement ends, which ``display set`` does not: needed to delete whole statements of any kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import ConfigError, Path

_TOKEN = re.compile(r'\s+|/\*.*?\*/|##[^\n]*|#[^\n]*|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<mark>[{};\[\]])|(?P<word>[^\s{};\[\]"]+)', re.DOTALL)
# Whether something stands in it or not: `inactive: protocols { ... }`
_MARKS = ("inactive:", "protect:", "active:")

# The families of letters of secrets of type 9, and the weights of a letter's gaps to the one before; both are Junos' own.
_FAMILIES = ("QzF3n6/9CAtpu0O", "B1IREhcSyrleKvMW8LXx", "7N-dVbwsY2g4oaJZGUDj", "iHkq.mPf5T")
_LETTERS = "".join(_FAMILIES)
_EXTRA = {letter: 3 - index for index, family in enumerate(_FAMILIES) for letter in family}
_WEIGHTS = ((1, 4, 32), (1, 16, 32), (1, 8, 32), (1, 64), (1, 32), (1, 4, 16, 128), (1, 32, 64))


@dataclass
class Running:
    """A configuration as paths of words, in its order; and at which lengths of a path a statement ends."""

    paths: list[Path] = field(default_factory=list)
    ends: dict[Path, tuple[int, ...]] = field(default_factory=dict)
    inactive: list[Path] = field(default_factory=list)

    def add(self, path: Path, ends: tuple[int, ...]) -> None:
        if path not in self.ends:
            self.paths.append(path)
        self.ends[path] = ends


def read(text: str) -> Running:
    """The curly form. Raises ConfigError where it is not one."""
    found = Running()
    stack: list[tuple[Path, tuple[int, ...]]] = [((), ())]
    filled: list[bool] = [True]
    words: list[str] = []
    several: list[str] | None = None
    for mark, word in _tokens(text):
        if word is not None:
            (words if several is None else several).append(word)
        elif mark == "[":
            several = []
        elif mark == "{":
            path, ends = stack[-1]
            inner = (*path, *_plain(path, words, found))
            filled[-1] = True
            stack.append((inner, (*ends, len(inner))))
            filled.append(False)
            words = []
        elif mark == ";":
            _statement(found, stack[-1], words, several)
            filled[-1] = True
            words, several = [], None
        elif mark == "}":
            if words or len(stack) == 1:
                raise ConfigError("a brace too many, or a semicolon is missing")
            path, ends = stack.pop()
            if not filled.pop():
                found.add(path, ends)
    if len(stack) != 1 or words:
        raise ConfigError("something is left open at the end")
    return found


def _tokens(text: str) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ConfigError(f"not readable: {text[position : position + 30]!r}")
        position = match.end()
        if match["quoted"] is not None:
            found.append(("", re.sub(r"\\(.)", r"\1", match["quoted"])))
        elif match["word"] is not None:
            found.append(("", match["word"]))
        elif match["mark"] and match["mark"] != "]":
            found.append((match["mark"], None))
    return found


def _plain(path: Path, words: list[str], found: Running) -> list[str]:
    """Words without marks; what is inactive is noted."""
    while words and words[0] in _MARKS:
        if words.pop(0) == "inactive:":
            found.inactive.append((*path, *(word for word in words if word not in _MARKS)))
    return words


def _statement(found: Running, around: tuple[Path, tuple[int, ...]], words: list[str], several: list[str] | None) -> None:
    path, ends = around
    plain = _plain(path, words, found)
    if several is None:
        whole = (*path, *plain)
        found.add(whole, (*ends, len(whole)))
        return
    for word in several:
        whole = (*path, *plain, word)
        found.add(whole, (*ends, len(whole) - 1, len(whole)))


def body(text: str) -> str:
    """A configuration without the lines that say who changed it when; to see whether it is the same."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines() if not line.startswith("## ")) + "\n"


def reveal(secret: str) -> str | None:
    """The text of a secret that the device shows as ``$9$…``; None for anything else. This form hides nothing: everybody can read it."""
    letters = secret[3:] if secret.startswith("$9$") else ""
    if not letters or any(letter not in _EXTRA for letter in letters):
        return None
    before = letters[0]
    rest = letters[1 + _EXTRA[before] :]
    out = ""
    while rest:
        weights = _WEIGHTS[len(out) % len(_WEIGHTS)]
        if len(rest) < len(weights):
            return None
        code = 0
        for weight, letter in zip(weights, rest):
            code += weight * ((_LETTERS.index(letter) - _LETTERS.index(before)) % len(_LETTERS) - 1)
            before = letter
        out += chr(code % 256)
        rest = rest[len(weights) :]
    return out
