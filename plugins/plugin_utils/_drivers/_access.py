# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan that would cut the way by which the device is reached is refused, before anything is sent.

A driver says how the management stands before and after its plan; what that means is worked
out here, once. What cannot be seen from addresses, ports and routes (a filter, say) is left
to the confirmation over a new connection.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError


@dataclass(frozen=True)
class Session:
    """The connection as the device sees it: our address, its address, its port. None where it does not tell."""

    client: str | None = None
    server: str | None = None
    port: int | None = None


@dataclass(frozen=True)
class Access:
    """What the management needs, at one time."""

    addresses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By interface, with prefix length; a word such as ``dhcp`` stands for an address that somebody else gives."""
    down: frozenset[str] = frozenset()
    """Interfaces that are switched off."""
    ports: frozenset[int] | None = None
    """Where the device listens for us; None when that is not known, empty when it is switched off."""
    routes: Mapping[str, str] = field(default_factory=dict)
    """Static routes: prefix and next hop."""


def refuse_cut(management: Mapping[str, Any], session: Session, before: Access, after: Access) -> None:
    """Raise when the plan would cut the management; every reason is named."""
    reasons = _listed(management["interfaces"], before, after) + _address(session, before, after)
    if session.port and after.ports is not None and session.port not in after.ports and (before.ports is None or session.port in before.ports):
        left = ", ".join(str(port) for port in sorted(after.ports)) or "no port"
        reasons.append(f"this session came in on port {session.port}, and the device would listen on {left}")
    for client in [*([session.client] if session.client else []), *(_some_host(prefix) for prefix in management["allow"])]:
        reasons += _way_back(client, before, after)
    if reasons:
        unique = list(dict.fromkeys(reasons))
        raise DriverError("This would cut the management access: " + "; ".join(unique) + ". Nothing was changed.", refused="management")


def _listed(names: Sequence[str], before: Access, after: Access) -> list[str]:
    reasons = []
    for name in names:
        old, new = sorted(before.addresses.get(name, ())), sorted(after.addresses.get(name, ()))
        if old != new:
            reasons.append(f"interface {name} of management.interfaces would have {', '.join(new) or 'no address'} in place of {', '.join(old) or 'none'}")
        if name in after.down - before.down:
            reasons.append(f"interface {name} of management.interfaces would be switched off")
    return reasons


def _address(session: Session, before: Access, after: Access) -> list[str]:
    """The address that this session goes to stays where it is, and that interface stays up."""
    carrier = _carrier(session.server, before)
    if carrier is None:
        return []
    if _carrier(session.server, after) != carrier:
        return [f"{session.server} on {carrier}, where this session goes to, would be gone"]
    return [f"{carrier}, by which the device is reached, would be switched off"] if carrier in after.down - before.down else []


def _carrier(address: str | None, access: Access) -> str | None:
    for name, own in access.addresses.items():
        if address and any(item.split("/")[0] == address for item in own):
            return name
    return None


def _some_host(prefix: str) -> str:
    network = ipaddress.ip_network(prefix, strict=False)
    return str(network.network_address + (1 if network.num_addresses > 2 else 0))


def _way_back(client: str, before: Access, after: Access) -> list[str]:
    """The next hop towards a client is still the same, unless the client is on one of the device's own networks."""
    old, new = _next_hop(client, before), _next_hop(client, after)
    if old is None or old == new:
        return []
    return [f"the way back to {client} is {old} and would be {new or 'gone'}"]


def _next_hop(client: str, access: Access) -> str | None:
    address = ipaddress.ip_address(client)
    found: list[tuple[int, str]] = []
    for name, own in access.addresses.items():
        for item in own:
            if "/" in item and _holds(item, address):
                found.append((int(item.split("/")[1]) + 1000, f"interface {name}"))
    for prefix, hop in access.routes.items():
        if _holds(prefix, address):
            found.append((ipaddress.ip_network(prefix, strict=False).prefixlen, hop))
    return max(found)[1] if found else None


def _holds(prefix: str, address: Any) -> bool:
    try:
        return address in ipaddress.ip_network(prefix, strict=False)
    except ValueError:
        return False
