# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""IPv4 arithmetic for the model, so that no template has to calculate."""

from __future__ import annotations

import functools
import ipaddress
import re
from typing import Any

Network = ipaddress.IPv4Network
Address = ipaddress.IPv4Address
Interface = ipaddress.IPv4Interface


_LENGTH = re.compile(r"[^/]+/(0|[1-9][0-9]?)")


@functools.lru_cache(maxsize=8192)
def network(text: str) -> Network:
    """An IPv4 prefix; ValueError when host bits are set or there is no length."""
    if not _LENGTH.fullmatch(text):
        raise ValueError(f"{text} has no prefix length")
    return ipaddress.IPv4Network(text, strict=True)


@functools.lru_cache(maxsize=8192)
def interface(text: str) -> Interface:
    """A unicast IPv4 address with its prefix length; ValueError without one."""
    if not _LENGTH.fullmatch(text):
        raise ValueError(f"{text} has no prefix length")
    own = ipaddress.IPv4Interface(text)
    _require_unicast(own.ip)
    return own


@functools.lru_cache(maxsize=8192)
def address(text: str) -> Address:
    """An IPv4 address without a length, of any kind: a router id need not be reachable."""
    return ipaddress.IPv4Address(text)


@functools.lru_cache(maxsize=8192)
def host(text: str) -> Address:
    """An IPv4 address that a host can have."""
    own = ipaddress.IPv4Address(text)
    _require_unicast(own)
    return own


def _require_unicast(own: Address) -> None:
    if own.is_multicast or own.is_loopback or own.is_unspecified or own.is_reserved:
        raise ValueError(f"{own} is no address of a host")


def area_id(text: str) -> Address:
    """An OSPF area, given as a dotted quad or as a number."""
    return ipaddress.IPv4Address(int(text)) if text.isascii() and text.isdigit() else ipaddress.IPv4Address(text)


def prefix_facts(net: Network) -> dict[str, Any]:
    """Every way in which platforms write a prefix."""
    return dict(_prefix_facts(net))


@functools.lru_cache(maxsize=8192)
def _prefix_facts(net: Network) -> dict[str, Any]:
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
    return dict(_address_facts(text))


@functools.lru_cache(maxsize=8192)
def _address_facts(text: str) -> dict[str, Any]:
    own = interface(text)
    return {"address": str(own.ip), "cidr": str(own), "subnet": str(own.network), **prefix_facts(own.network)}


NO_ADDRESS: dict[str, Any] = dict.fromkeys(
    ("address", "cidr", "subnet", "prefix", "network_address", "prefix_len", "netmask", "wildcard", "broadcast")
)
"""The same keys for an interface whose address is not known in advance."""
