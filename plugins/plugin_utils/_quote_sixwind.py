# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of a 6WIND VSR: a text as a value, ports and pools in its words, statements as one file checked whole."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import SHOWN, QuoteError, one_line
from ansible_collections.routerlab.bench.plugins.plugin_utils._sixwind_statements import check_lines

KINDS = {"infra": "infrastructure", "pci": "physical"}
SHORTEST_LEASE = 180
_PLAIN = re.compile(r"[A-Za-z0-9_.,:@/+=-]+")


def value(text: str) -> str:
    """A value of a statement, in double quotes where it needs them. What the CLI makes of some marks is not published."""
    one_line("the VSR's CLI", text)
    shown = text if len(text) <= SHOWN else text[:SHOWN] + "..."
    for mark in ('"', "\\", "?"):
        if mark in text:
            raise QuoteError(f"{shown!r} cannot be written in the VSR's CLI: what {mark} means in a text is not published")
    if not text.isascii():
        raise QuoteError(f"{shown!r} cannot be written in the VSR's CLI: only ASCII letters are known to arrive")
    if not text:
        raise QuoteError("an empty text cannot be written in the VSR's CLI")
    return text if _PLAIN.fullmatch(text) else f'"{text}"'


def ports(model: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The ports in use, each with the interface that stands for it and its kind."""
    found = []
    taken = {item["native"] for item in model["interfaces"] if item["tagged"]}
    for port in model["ports"]:
        if not port["used"]:
            continue
        kind = KINDS.get(port["native"].split("-")[0])
        if kind is None:
            raise QuoteError(f"ports[{port['name']}].native: a port of the VSR is called infra-eth1 (virtual) or pci-b11s0 (hardware), not {port['native']}")
        own = next((item for item in model["interfaces"] if item["name"] == port["untagged"]), None)
        name = own["native"] if own else port["name"]
        if name in taken:
            raise QuoteError(f"ports[{port['name']}]: the VSR would have two interfaces called {name}: the port and a VLAN; call one of them something else")
        taken.add(name)
        found.append({**port, "kind": kind, "interface": name})
    return found


def pool_options(model: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What all pools have in common, once, as the server's own settings; nothing without a pool."""
    pools = model["dhcp"]["pools"]
    for key in ("lease", "dns", "domain"):
        if any(pool[key] != pools[0][key] for pool in pools):
            raise QuoteError(f"dhcp.pools[].{key}: this room writes it for the server as a whole, and the pools differ in it")
    if pools and pools[0]["lease"] < SHORTEST_LEASE:
        raise QuoteError(f"dhcp.pools[].lease: at least {SHORTEST_LEASE} seconds on the VSR, not {pools[0]['lease']}")
    if pools and not model["dhcp"]["authoritative"]:
        raise QuoteError("dhcp.authoritative: the VSR has no statement for it; only true")
    return [{key: pools[0][key] for key in ("lease", "dns", "domain")}] if pools else []


def statements(text: str, model: Mapping[str, Any]) -> str:
    """Statements, each once and each in the table; every mistake at once."""
    lines = list(dict.fromkeys(line.rstrip() for line in text.split("\n") if line.strip()))
    wrong = check_lines(lines, model["unconfirmed"])
    if wrong:
        raise QuoteError("The VSR does not take this: " + "; ".join(wrong))
    return "".join(f"{line}\n" for line in lines)


QUOTES: dict[str, Callable[..., Any]] = {
    "sixwind": value,
    "sixwind_pool_options": pool_options,
    "sixwind_ports": ports,
    "sixwind_statements": statements,
}
