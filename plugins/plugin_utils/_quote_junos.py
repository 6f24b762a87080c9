# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of Junos: a text as a value, a list of commands as one checked whole, the curly form of it, and the zones of an SRX."""

from __future__ import annotations

from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import (
    ConfigError,
    Path,
    errors,
    parse_commands,
    to_commands,
    to_curly,
    word,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_schema import schema
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_zones import ZoneError, security
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError, one_line


def value(text: str) -> str:
    """A value of a ``set`` command, in double quotes where it needs them."""
    one_line("a Junos value", str(text))
    for mark, reason in (('"', "a double quote would close it"), ("\\", "what a backslash means there is not published")):
        if mark in str(text):
            raise QuoteError(f"{str(text)!r} cannot be written in Junos: {reason}")
    if not str(text).isascii():
        raise QuoteError(f"{str(text)!r} cannot be written in Junos: only ASCII letters are known to arrive")
    if not str(text):
        raise QuoteError("an empty text cannot be written in Junos")
    return word(str(text))


def secret(text: str) -> str:
    """A secret; Junos would take one that begins with $8$ or $9$ for a scrambled one."""
    if text[:3] in ("$8$", "$9$"):
        raise QuoteError(f"{text!r} cannot be written in Junos: it would take a secret that begins with {text[:3]} for a scrambled one")
    return value(text)


def commands(text: str) -> str:
    """``set`` commands, each once and each in the table; every mistake at once."""
    return to_commands(_checked(text))


def curly(text: str) -> str:
    """``set`` commands in the form of ``show configuration``."""
    return to_curly(_checked(text), schema())


def zones(model: Mapping[str, Any]) -> dict[str, Any]:
    """Zones, policies, applications and addresses of an SRX in flow mode, or what it cannot say."""
    try:
        return security(model)
    except ZoneError as error:
        raise QuoteError(str(error)) from error


def _checked(text: str) -> list[Path]:
    try:
        paths = list(dict.fromkeys(parse_commands(text)))
    except ConfigError as error:
        raise QuoteError(f"Junos: {error}") from error
    wrong = errors(paths, schema())
    if wrong:
        raise QuoteError("Junos does not take this: " + "; ".join(wrong))
    return paths


QUOTES: dict[str, Callable[..., Any]] = {
    "junos": value,
    "junos_secret": secret,
    "junos_commands": commands,
    "junos_curly": curly,
    "junos_zones": zones,
}
