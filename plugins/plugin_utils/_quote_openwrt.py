# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of OpenWrt: texts and names of UCI, the tag in a device's name, time zones, the firewall in UCI's words.

UCI has no escapes inside single quotes; a quote is written between two quoted parts (``'it'\\''s'``), as ``uci export`` does.
"""

from __future__ import annotations

import contextlib
import importlib.resources
import re
from pathlib import Path
from typing import Any, Callable, Mapping

import zoneinfo

from ansible_collections.routerlab.bench.plugins.plugin_utils._openwrt_firewall import FirewallError, firewall
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError, one_line

_SECTION = re.compile(r"[A-Za-z0-9_]+")
# fw3 and fw4 make comments of names of rules; nftables knows no escapes in them and ends at 128 bytes.
LONGEST_RULE_NAME = 100
NETWORK_NAME = 15


def uci(text: Any) -> str:
    """A value of UCI in single quotes."""
    return "'" + one_line("a UCI value", str(text)).replace("'", "'\\''") + "'"


def section(text: str) -> str:
    """The name of a section, which UCI restricts to letters, digits and the underscore."""
    if not _SECTION.fullmatch(text):
        raise QuoteError(f"{text!r} cannot be the name of a UCI section: only letters, digits and _ can stand in one")
    return f"'{text}'"


def network(text: str) -> str:
    """The name of an interface: a section that programs cut at the length of a device's name."""
    if len(text) > NETWORK_NAME:
        raise QuoteError(f"{text!r} cannot be the name of an interface in UCI: it has at most {NETWORK_NAME} characters")
    return section(text)


def rule_name(text: str) -> str:
    """The name of a firewall rule, which becomes a comment of the packet filter."""
    if '"' in text:
        raise QuoteError(f"{text!r} cannot be the name of a firewall rule: fw4 writes another sign for a double quote")
    if len(text.encode()) > LONGEST_RULE_NAME:
        raise QuoteError(f"{text!r} cannot be the name of a firewall rule: it has more than {LONGEST_RULE_NAME} bytes")
    return uci(text)


def zone_name(text: str, longest: int) -> str:
    """The name of a firewall zone, which becomes part of the names of chains."""
    if not re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]*", text) or len(text) > longest:
        raise QuoteError(f"{text!r} cannot be the name of a firewall zone: it begins with a letter and has at most {longest} letters, digits, - and _")
    return uci(text)


def tag(native: str) -> str:
    """The VLAN in the name of a device on a switch: 1 of eth0.1."""
    found = re.fullmatch(r"[^.]+\.([1-9][0-9]{0,3})", native)
    if not found or int(found[1]) > 4094:
        raise QuoteError(f"{native!r}: an untagged network on a switch needs the VLAN that it has inside, in the name of its device (native: eth0.1)")
    return found[1]


def whole_file(text: str) -> str:
    """The sections of a file, unless two have one name: UCI would make one section of them."""
    names = re.findall(r"^config \S+ '(\w+)'$", text, re.MULTILINE)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise QuoteError(f"two UCI sections would have one name ({', '.join(twice)}): call an interface, a peer or a host of the lab something else")
    return text


def posix_zone(name: str) -> str:
    """The rule of a time zone, as OpenWrt wants it beside the name: the last line of the zone's file."""
    if name == "UTC":
        return uci("UTC")
    places = [Path(folder) / name for folder in zoneinfo.TZPATH]
    with contextlib.suppress(ModuleNotFoundError):
        places.append(Path(str(importlib.resources.files("tzdata"))) / "zoneinfo" / name)
    for place in places:
        if place.is_file() and ".." not in name:
            lines = place.read_bytes().rsplit(b"\n", 2)
            if place.read_bytes().startswith(b"TZif") and len(lines) == 3 and lines[1]:
                return uci(lines[1].decode())
    raise QuoteError(f"{name!r}: OpenWrt wants the rule of a time zone, and this controller's tz database has no such zone")


def _firewall(model: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return firewall(model)
    except FirewallError as error:
        raise QuoteError(str(error)) from error


QUOTES: dict[str, Callable[..., Any]] = {
    "openwrt_firewall": _firewall,
    "openwrt_tag": tag,
    "openwrt_zone": posix_zone,
    "uci": uci,
    "uci_file": whole_file,
    "uci_network": network,
    "uci_rule_name": rule_name,
    "uci_section": section,
    "uci_zone_name": zone_name,
}
