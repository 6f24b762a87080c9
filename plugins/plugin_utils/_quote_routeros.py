# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of RouterOS: a text as a value, a script as one checked whole, the same script as operations for the API."""

from __future__ import annotations

import ipaddress
import re
from typing import Any, Callable, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation, ScriptError, parse_script, to_json, to_script
from ansible_collections.routerlab.bench.plugins.module_utils._routeros_text import duration, quote
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError, one_line
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_schema import errors, key_of


def value(text: object) -> str:
    """A value of a command: bare, or in double quotes with the escapes that RouterOS resolves."""
    return quote(one_line("RouterOS", str(text)))


def time(seconds: int) -> str:
    """Seconds as RouterOS writes them."""
    return duration(seconds)


def identity(text: str) -> str:
    """An IKE identity with its kind in front, told by its look: an address, a name (with or without ``@``), ``user@name``."""
    if _is_address(text):
        return value(f"address:{text}")
    if "@" in text[1:]:
        return value(f"user-fqdn:{text}")
    return value(f"fqdn:{text.removeprefix('@')}")


def addresses(items: Sequence[str]) -> list[str]:
    """Those of a list that are IPv4 addresses."""
    return [item for item in items if _is_address(item)]


def names(items: Sequence[str]) -> list[str]:
    """Those of a list that are names of hosts."""
    return [item for item in items if not _is_address(item)]


def _is_address(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


def script(text: str, model: Mapping[str, Any]) -> str:
    """Commands as a script for ``/import``, each known to the version; every mistake at once."""
    return to_script(_checked(text, model))


def operations(text: str, model: Mapping[str, Any]) -> str:
    """The same commands as operations for the API."""
    major = _major(model)
    return to_json(_checked(text, model), lambda operation: key_of(operation, major))


def _major(model: Mapping[str, Any]) -> str:
    return re.split(r"\D", model["dialect"], maxsplit=1)[0]


def _checked(text: str, model: Mapping[str, Any]) -> list[Operation]:
    try:
        found = parse_script(text)
    except ScriptError as error:
        raise QuoteError(f"RouterOS {model['dialect']}: {error}") from error
    wrong = errors(found, _major(model))
    if wrong:
        raise QuoteError(f"RouterOS {model['dialect']} does not take this: " + "; ".join(wrong))
    return found


QUOTES: dict[str, Callable[..., Any]] = {
    "routeros": value,
    "routeros_addresses": addresses,
    "routeros_id": identity,
    "routeros_names": names,
    "routeros_operations": operations,
    "routeros_script": script,
    "routeros_time": time,
}
