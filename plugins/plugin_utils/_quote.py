# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Free text made safe for each language, or refused.

Every function takes a text and returns it as it stands in that language, with its quotes
where the language has them. What cannot be said there raises ``QuoteError`` with the reason.
Templates use them as filters: ``{{ item.description | ifupdown }}``.
"""

from __future__ import annotations

import base64
import functools
import importlib
import json
import re
from pathlib import Path
from typing import Callable

_CONTROL = re.compile(r"[\x00-\x1f\x7f\x80-\x9f\u2028\u2029\ud800-\udfff]")
SHOWN = 57
"""So much of a long text stands in a message."""


class QuoteError(ValueError):
    """A text that a language cannot hold."""


def _refuse(language: str, text: str, what: str) -> QuoteError:
    shown = repr(text if len(text) <= SHOWN + 3 else text[:SHOWN] + "...")
    return QuoteError(f"{shown} cannot be written in {language}: {what}")


def one_line(language: str, text: str) -> str:
    """The text itself, unless it holds a line break or another control character."""
    if _CONTROL.search(text):
        raise _refuse(language, text, "it holds a line break or another control character")
    return text


def comment(text: str) -> str:
    """A comment that runs to the end of its line."""
    return one_line("a comment", text)


def json_text(text: str) -> str:
    """A JSON string."""
    return json.dumps(one_line("JSON", text), ensure_ascii=False)


def shell(text: str) -> str:
    """One word of a POSIX shell."""
    return "'" + one_line("a shell script", text).replace("'", "'\"'\"'") + "'"


def ifupdown(text: str) -> str:
    """A comment of /etc/network/interfaces.

    ifupdown2 joins lines at a backslash wherever it stands, and runs the file through Mako.
    """
    one_line("/etc/network/interfaces", text)
    for mark in ("\\", "${", "<%", "</%"):
        if mark in text:
            raise _refuse("/etc/network/interfaces", text, f"ifupdown2 gives {mark} a meaning even in a comment")
    return text


def nft(text: str) -> str:
    """A quoted string of nftables, at most 128 bytes long; it knows no escapes."""
    one_line("nftables", text)
    if '"' in text:
        raise _refuse("nftables", text, "a string there cannot hold a double quote")
    if len(text.encode()) > 127:
        raise _refuse("nftables", text, "a string there has at most 127 bytes")
    return f'"{text}"'


def isc(text: str) -> str:
    """A quoted string of ISC dhcpd."""
    one_line("dhcpd.conf", text)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def snmpd(text: str) -> str:
    """The rest of a line in snmpd.conf; net-snmp drops blanks at both ends and has no escapes."""
    one_line("snmpd.conf", text)
    if text != text.strip():
        raise _refuse("snmpd.conf", text, "blanks at its ends would be lost")
    if len(text.encode()) > 255:
        raise _refuse("snmpd.conf", text, "a DisplayString has at most 255 bytes")
    return text


def swanctl(text: str) -> str:
    """A quoted string of swanctl.conf."""
    one_line("swanctl.conf", text)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def swanctl_secret(text: str) -> str:
    """A secret of swanctl.conf, which takes 0x and 0s at the beginning for a notation."""
    return "0s" + base64.b64encode(text.encode()).decode() if text[:2].lower() in ("0x", "0s") else swanctl(text)


def pem(text: str) -> str:
    """A PEM block without blank lines around it; nothing that could close an inline file."""
    body = text.strip("\r\n \t").replace("\r\n", "\n")
    lines = body.split("\n")
    if not re.fullmatch(r"-----BEGIN [A-Z0-9 ]+-----", lines[0]) or not re.fullmatch(r"-----END [A-Z0-9 ]+-----", lines[-1]):
        raise QuoteError("this is not a PEM block: it must begin with -----BEGIN ...----- and end with -----END ...-----")
    for line in lines:
        if not re.fullmatch(r"[A-Za-z0-9+/=:, -]*", line):
            raise QuoteError("this PEM block holds a line that is neither base64 nor a header")
    return body


def refuse(text: str) -> str:
    """Stop with this sentence: a template has met what its platform cannot say."""
    raise QuoteError(text)


QUOTES: dict[str, Callable[[str], str]] = {
    "comment": comment,
    "ifupdown": ifupdown,
    "isc": isc,
    "json": json_text,
    "nft": nft,
    "pem": pem,
    "refuse": refuse,
    "shell": shell,
    "snmpd": snmpd,
    "swanctl": swanctl,
    "swanctl_secret": swanctl_secret,
}
"""The filters of this file."""


@functools.lru_cache(maxsize=1)
def all_quotes() -> dict[str, Callable[..., str]]:
    """The filters that templates have beside Jinja's own: ``QUOTES`` of this file and of every ``_quote_<language>.py`` beside it."""
    found: dict[str, Callable[..., str]] = dict(QUOTES)
    package = __name__.rpartition(".")[0]
    for path in sorted(Path(__file__).parent.glob("_quote_*.py")):
        found.update(importlib.import_module(f"{package}.{path.stem}").QUOTES)
    return found
