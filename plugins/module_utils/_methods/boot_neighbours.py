# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Permanent neighbour entries for the next hops of this host.

While a router is off, the kernel gives its neighbour entry up and asks again once a second only, and holds packets back meanwhile: boot times would
come in steps of a second.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any

Entry = dict  # {"address", "dev", "mac"}


def ip(*words: str) -> str:
    return subprocess.run(["ip", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          timeout=10, check=False).stdout


def ip_json(*words: str) -> list[dict[str, Any]]:
    text = ip("-j", *words).strip()
    return [item for item in json.loads(text) if item] if text else []


def next_hops() -> list[tuple[str, str]]:
    """Gateway and interface of every IPv4 route in use, a routing daemon's included."""
    found = set()
    for route in ip_json("-4", "route", "show"):
        for hop in [route, *route.get("nexthops", [])]:
            if hop.get("gateway") and hop.get("dev"):
                found.add((hop["gateway"], hop["dev"]))
    return sorted(found)


def resolved(address: str, dev: str) -> str | None:
    """The MAC address of a neighbour, asked for if it is not known."""
    subprocess.run(["ping", "-c", "2", "-i", "0.2", "-W", "1", "-I", dev, address], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=10, check=False)
    entries = ip_json("-4", "neigh", "show", "to", address, "dev", dev)
    return next((str(item["lladdr"]) for item in entries if item.get("lladdr")), None)


def make_permanent() -> tuple[list[Entry], list[str]]:
    """The entries that are permanent now, and the next hops that did not answer."""
    entries, silent = [], []
    for address, dev in next_hops():
        mac = resolved(address, dev)
        if mac is None:
            silent.append("%s on %s" % (address, dev))
            continue
        ip("neigh", "replace", address, "lladdr", mac, "dev", dev, "nud", "permanent")
        entries.append({"address": address, "dev": dev, "mac": mac})
    return entries, silent


def forget(entries: list[Entry]) -> None:
    """Back to an entry that the kernel looks after."""
    for entry in entries:
        ip("neigh", "replace", entry["address"], "lladdr", entry["mac"], "dev", entry["dev"], "nud", "reachable")
