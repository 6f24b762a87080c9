# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of VyOS and EdgeOS: a text as a value, a list of commands as one checked whole, the curly form of it.

The command line of every version refuses quotes and line breaks in a value. What else a version
would damage on its way through a shell or a second reader is refused here.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError, one_line, pem
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import (
    ConfigError,
    Path,
    errors,
    parse_commands,
    to_commands,
    to_curly,
    unique,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import schema

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
TITLES = {"vyos": "VyOS", "edgeos": "EdgeOS"}
# Interface descriptions go through `sh -c "echo \"...\""` in the vyatta-cfg packages.
SHELL_READS = {("vyos", "1.2"), ("vyos", "1.3"), ("edgeos", "1.10"), ("edgeos", "2.0")}
# The configuration reader of VyOS 1.2 writes other letters as decimal escapes; for EdgeOS nothing is published.
ASCII_ONLY = {("vyos", "1.2"), ("edgeos", "1.10"), ("edgeos", "2.0")}


def value(text: str) -> str:
    """A value of a ``set`` command, in single quotes."""
    one_line("a VyOS value", str(text))
    for mark, reason in (
        ("'", "the command line refuses single quotes in a value"),
        ('"', "the command line refuses double quotes in a value"),
        ("\\", "the readers of config.boot disagree about a backslash"),
    ):
        if mark in str(text):
            raise QuoteError(f"{str(text)!r} cannot be written in VyOS: {reason}")
    return f"'{text}'"


def base64_body(text: str, label: str) -> str:
    """The base64 of one PEM block in one word, as ``pki`` wants it."""
    lines = pem(text).split("\n")
    if lines[0] != f"-----BEGIN {label}-----" or lines[-1] != f"-----END {label}-----" or any(":" in line for line in lines[1:-1]):
        raise QuoteError(f"VyOS takes one unencrypted PEM block {label!r} here, not {lines[0].strip('-')!r}")
    body = "".join(lines[1:-1])
    if not _BASE64.fullmatch(body):
        raise QuoteError(f"VyOS takes a PEM block {label!r} of base64; this one holds something else")
    return body


def commands(text: str, model: Mapping[str, Any]) -> str:
    """``set`` commands, each once, each known to the version; every mistake at once."""
    return to_commands(_checked(text, model))


def curly(text: str, model: Mapping[str, Any]) -> str:
    """``set`` commands as config.boot has them."""
    return to_curly(_checked(text, model), schema(model["platform"], model["dialect"]))


def _checked(text: str, model: Mapping[str, Any]) -> list[Path]:
    speech = (model["platform"], model["dialect"].split("-")[0])
    title = f"{TITLES[model['platform']]} {model['dialect']}"
    try:
        paths = unique(parse_commands(text))
    except ConfigError as error:
        raise QuoteError(f"{title}: {error}") from error
    wrong = errors(paths, schema(model["platform"], model["dialect"]))
    wrong += [f"{word!r}: {reason}" for path in paths for word in path if (reason := _damaged(word, speech))]
    if wrong:
        raise QuoteError(f"{title} does not take this: " + "; ".join(wrong))
    return paths


def _damaged(word: str, speech: tuple[str, str]) -> str | None:
    """Why a word would not arrive as it is written."""
    if speech in SHELL_READS and re.search(r"[$`]", word):
        return "a shell on the router would expand $ and `"
    if speech in ASCII_ONLY and not word.isascii():
        return "only ASCII letters arrive unchanged"
    return None


QUOTES: dict[str, Callable[..., str]] = {
    "vyos": value,
    "vyos_base64": base64_body,
    "vyos_commands": commands,
    "vyos_curly": curly,
}
