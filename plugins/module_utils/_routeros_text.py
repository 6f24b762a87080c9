# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""RouterOS' texts: quoted values of scripts, words of the API, what a terminal shows, values that it spells its own way."""

from __future__ import annotations

import re
from typing import Tuple

_BARE = re.compile(r"!?[A-Za-z0-9][A-Za-z0-9._:/,+-]*")
_ESCAPE = re.compile(rb"\\([0-9A-F]{2}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v", b"_": b" "}
_SAME = b'"\\$?'
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[@-Z\\-_])")
_PROMPT = re.compile(r"(?:^|[\r\n])\[[^\[\]@\s]+@[^\r\n]+\] ?(?:/?[a-z0-9][a-z0-9/ -]*)?(?:<SAFE>? ?)?>?[ ]?\Z")
_UNITS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
_TIME = re.compile(r"(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_CLOCK = re.compile(r"(?:(\d+)d)?(\d+):(\d\d):(\d\d)")
_RATE = re.compile(r"(\d+)([kMG]?)")


def quote(text: str) -> str:
    """A value as it stands in a script: bare where that is safe, else in double quotes, all but printable ASCII as bytes."""
    if _BARE.fullmatch(text):
        return text
    out = []
    for byte in text.encode("utf-8"):
        char = chr(byte)
        if char in '"\\$':
            out.append("\\" + char)
        elif 0x20 <= byte < 0x7F and char != "?":
            out.append(char)
        else:
            out.append("\\%02X" % byte)
    return '"' + "".join(out) + '"'


def unquote(inner: str) -> str:
    """What stands between double quotes, its escapes resolved. Raises ValueError for an escape that there is not."""
    return decode(_ESCAPE.sub(_resolve, inner.encode("utf-8")))[0]


def _resolve(match: "re.Match[bytes]") -> bytes:
    mark = match.group(1)
    if len(mark) == 2:
        return bytes([int(mark, 16)])
    if mark in _LETTERS:
        return _LETTERS[mark]
    if mark in _SAME:
        return mark
    raise ValueError("RouterOS has no escape \\%s" % mark.decode("utf-8", "replace"))


def decode(data: bytes) -> Tuple[str, bool]:
    """A text and whether it was UTF-8. What is not, is read as Windows-1252, else as Latin-1: no byte is ever an error."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding), encoding == "utf-8"
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), False


def attribute(word: bytes) -> Tuple[str, str, bool]:
    """Name, value and whether it was UTF-8 of an API word ``=name=value``; the value may hold more ``=``."""
    if word[:1] != b"=" or word.find(b"=", 1) < 2:
        raise ValueError("this is not an attribute word of the RouterOS API: %r" % word[:20])
    name, value = word[1:].split(b"=", 1)
    text, exact = decode(value)
    return decode(name)[0], text, exact


def boolean(text: str) -> bool:
    """``yes`` and ``true``, ``no`` and ``false``. ``bool("false")`` would be true."""
    if text in ("yes", "true"):
        return True
    if text in ("no", "false"):
        return False
    raise ValueError("%r is not yes, no, true or false" % text)


def seconds(text: str) -> int:
    """``1w2d3h``, ``10m``, ``00:10:00``, ``1d00:00:00``, ``600``: seconds."""
    clock = _CLOCK.fullmatch(text)
    if clock:
        days, hours, minutes, rest = (int(part or 0) for part in clock.groups())
        return ((days * 24 + hours) * 60 + minutes) * 60 + rest
    if text.isascii() and text.isdigit():
        return int(text)
    match = _TIME.fullmatch(text)
    if not text or match is None:
        raise ValueError("%r is not a time of RouterOS" % text)
    return sum(int(part or 0) * unit for part, unit in zip(match.groups(), _UNITS.values()))


def duration(count: int) -> str:
    """Seconds as RouterOS writes them: 600 is ``10m``, 3661 is ``1h1m1s``."""
    parts = []
    for unit, size in _UNITS.items():
        number, count = divmod(count, size)
        if number:
            parts.append("%d%s" % (number, unit))
    return "".join(parts) or "0s"


def number(text: str) -> int:
    """``3%`` is 3, ``1 000`` is 1000."""
    digits = re.sub(r"[ %]", "", text)
    if not re.fullmatch(r"-?[0-9]+", digits):
        raise ValueError("%r is not a number" % text)
    return int(digits)


def rate(text: str) -> int:
    """``850M`` as bits per second. The API answers with plain numbers."""
    match = _RATE.fullmatch(text)
    if match is None:
        raise ValueError("%r is not a rate of RouterOS" % text)
    return int(match.group(1)) * {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}[match.group(2)]


def login_name(user: str, width: int = 1024) -> str:
    """The name to log in with over SSH: no colours, no detection of the terminal, lines of ``width`` columns."""
    return "%s+cet%dw" % (user, width)


def at_prompt(received: str) -> bool:
    """Whether the router waits for a command: ``[user@anything] >``, with a menu or ``<SAFE>``."""
    plain = _ANSI.sub("", received)
    return plain.rstrip(" ").endswith(">") and _PROMPT.search(plain) is not None


def answer(received: str, command: str) -> str:
    """What a command printed: control sequences, its echo (wherever the terminal broke it) and the next prompt taken away."""
    plain = _PROMPT.sub("", _ANSI.sub("", received))
    position = 0
    for char in command:
        while position < len(plain) and plain[position] in "\r\n":
            position += 1
        if position >= len(plain) or plain[position] != char:
            position = 0
            break
        position += 1
    return plain[position:].replace("\r\n", "\n").replace("\r", "").strip("\n")


def without_comments(export: str) -> str:
    """An export without its comment lines: they carry the date, the version and the serial number."""
    lines = export.replace("\r\n", "\n").split("\n")
    kept = []
    continued = False
    for line in lines:
        if continued or not line.startswith("#"):
            kept.append(line)
        continued = (continued or not line.startswith("#")) and line.endswith("\\")
    return "\n".join(kept)


def same_value(one: str, other: str) -> bool:
    """Whether two spellings are one value: ``yes`` and ``true``, ``10m`` and ``00:10:00``, ``850M`` and ``850000000``, ``a, b`` and ``a,b``."""
    for read in (boolean, rate, seconds):
        try:
            return read(one) == read(other)
        except ValueError:
            continue
    return re.sub(r",\s+", ",", one) == re.sub(r",\s+", ",", other)
