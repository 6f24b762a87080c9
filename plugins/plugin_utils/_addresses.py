# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""IPv4 arithmetic for the model, so that no template has to calculate."""

from __future__ import annotations

import functools
import ipaddress
from typing import Any

Network = ipaddress.IPv4Network
Address = ipaddress.IPv4Address
Interface = ipaddress.IPv4Interface


@functools.lru_cache(maxsize=8192)
def network(text: str) -> Network:
    """An IPv4 prefix; ValueError when host bits are set or there is no length."""
    if "/" not in text:
        raise ValueError(f"{text} has no prefix length")
    return ipaddress.IPv4Network(text, strict=True)


@functools.lru_cache(maxsize=8192)
def interface(text: str) -> Interface:
    """An IPv4 address with its prefix length; ValueError without one."""
    if "/" not in text:
        raise ValueError(f"{text} has no prefix length")
    return ipaddress.IPv4Interface(text)


@functools.lru_cache(maxsize=8192)
def address(text: str) -> Address:
    """An IPv4 address without a length."""
    return ipaddress.IPv4Address(text)


def area_id(text: str) -> Address:
    """An OSPF area, given as a dotted quad or as a number."""
    return ipaddress.IPv4Address(int(text)) if text.isdigit() else ipaddress.IPv4Address(text)


def prefix_facts(net: Network) -> dict[str, Any]:
    """Every way in which platforms write a prefix."""
    return {
        "prefix": str(net),
        "network_address": str(net.network_address),
        "prefix_len": net.prefixlen,
        "netmask": str(net.netmask),
        "wildcard": str(net.hostmask),
        "broadcast": str(net.broadcast_address),
    }


def address_facts(text: str) -> dict[str, Any]:
    """Every way in which platforms write an interface address."""
    own = interface(text)
    return {"address": str(own.ip), "cidr": str(own), "subnet": str(own.network), **prefix_facts(own.network)}


NO_ADDRESS: dict[str, Any] = dict.fromkeys(
    ("address", "cidr", "subnet", "prefix", "network_address", "prefix_len", "netmask", "wildcard", "broadcast")
)
"""The same keys for an interface whose address is not known in advance."""
