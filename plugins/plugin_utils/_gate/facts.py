# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One command that shows everything about a Linux host that the checks ask for, and how to read it. Pure."""

from __future__ import annotations

import json
import re
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import parse_offloads
from ansible_collections.routerlab.bench.plugins.module_utils._programs import not_found

MARK = "==routerlab=="
SECTIONS = {
    "kernel": "uname -sr",
    "clock": "date +%s.%N",
    "release": "cat /etc/os-release",
    "forwarding": "cat /proc/sys/net/ipv4/ip_forward",
    "links": "ip -j addr show",
    "routes": "ip -j -4 route show table main",
}
COMMAND = "; ".join(f"echo {MARK}{name}; {command} 2>&1" for name, command in SECTIONS.items())
# Asked once, for the result: offloads decide whether two results can be compared, and explain some that nobody believes.
OFFLOADS_COMMAND = f"for link in /sys/class/net/*; do echo {MARK}${{link##*/}}; ethtool -k ${{link##*/}} 2>&1; done"
Facts = dict[str, Any]


class NotLinux(Exception):
    """The host has no shell with iproute2; the message says what it answered."""


def parse_facts(text: str) -> Facts:
    """Facts from the output of COMMAND."""
    parts = {}
    for part in text.split(MARK)[1:]:
        name, dummy, body = part.partition("\n")
        parts[name.strip()] = body.strip()
    if set(SECTIONS) - set(parts) or not parts["kernel"].startswith("Linux"):
        raise NotLinux(f"it answered: {' '.join(text.split())[:120] or 'nothing'}")
    try:
        links, routes = json.loads(parts["links"] or "[]"), json.loads(parts["routes"] or "[]")
    except ValueError as error:
        raise NotLinux(not_found(parts["links"]) or f"its ip prints no JSON: {parts['links'][:120]}") from error
    return {
        "kernel": parts["kernel"],
        "clock": float(parts["clock"]) if re.fullmatch(r"\d+\.\d+", parts["clock"]) else None,
        "release": _release(parts["release"]),
        "forwarding": parts["forwarding"],
        "links": {item["ifname"].split("@")[0]: _link(item) for item in links if item},
        "routes": [_route(item) for item in routes if item],
    }


def _release(text: str) -> dict[str, str]:
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line)
    return {key: value.strip().strip("\"'") for key, value in pairs if key in ("ID", "VERSION_ID", "PRETTY_NAME")}


def _link(item: dict[str, Any]) -> dict[str, Any]:
    return {
        "up": "UP" in item["flags"],
        "carrier": "LOWER_UP" in item["flags"],
        "mtu": item["mtu"],
        "mac": item.get("address"),
        "addresses": [f"{own['local']}/{own['prefixlen']}" for own in item["addr_info"] if own["family"] == "inet"],
    }


def _route(item: dict[str, Any]) -> dict[str, Any]:
    hops = [hop.get("gateway") for hop in item.get("nexthops", [])] or [item.get("gateway")]
    prefix = "0.0.0.0/0" if item["dst"] == "default" else item["dst"]
    return {
        "prefix": prefix if "/" in prefix else prefix + "/32",
        "protocol": item.get("protocol", "boot"),
        "type": item.get("type", "unicast"),
        "gateways": [hop for hop in hops if hop],
        "device": item.get("dev"),
    }


def interface_with(facts: Facts, address: str) -> str | None:
    """The interface that holds an address."""
    for name, link in facts["links"].items():
        if any(own.split("/")[0] == address for own in link["addresses"]):
            return name
    return None


def offloads(text: str) -> dict[str, dict[str, str]]:
    """Offloads by interface from the output of OFFLOADS_COMMAND; nothing where there is no ethtool."""
    parts = (part.partition("\n") for part in text.split(MARK)[1:])
    found = {name.strip(): parse_offloads(body) for name, _newline, body in parts}
    return {name: states for name, states in found.items() if states and name != "lo"}


def public(facts: Facts, now: float, features: str = "") -> dict[str, Any]:
    """What the gate's result keeps of a host: its system, how far its clock is off the controller's, MTU and offloads."""
    offset = None if facts["clock"] is None else round(facts["clock"] - now, 3)
    return {
        "kernel": facts["kernel"],
        "release": facts["release"].get("PRETTY_NAME"),
        "clock_offset_s": offset,
        "mtu": {name: link["mtu"] for name, link in facts["links"].items() if name != "lo"},
        "offloads": offloads(features),
    }
