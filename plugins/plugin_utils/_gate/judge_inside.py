# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a login on a host shows, against what was expected. Each answers None, or what is wrong. Pure."""

from __future__ import annotations

import ipaddress
from typing import Any, Mapping

Facts = Mapping[str, Any]
Want = Mapping[str, Any]


def _there(facts: Facts) -> str:
    return ", ".join(sorted(facts["links"])) or "none"


def interface_present(want: Want, facts: Facts) -> str | None:
    if want["native"] in facts["links"]:
        return None
    return f"expected interface {want['native']}; there are {_there(facts)}"


def interface_up(want: Want, facts: Facts) -> str | None:
    link = facts["links"].get(want["native"])
    if link is None:
        return f"expected interface {want['native']} to be up; there is none of that name"
    if not link["up"]:
        return f"expected interface {want['native']} to be up; it is switched off (no flag UP)"
    return None if link["carrier"] else f"expected interface {want['native']} to be up; it has no carrier (no flag LOWER_UP): the other end of its link is down"


def interface_address(want: Want, facts: Facts) -> str | None:
    link = facts["links"].get(want["native"])
    seen = link["addresses"] if link else []
    shown = ", ".join(seen) or "none"
    if want["dhcp"]:
        return None if seen else f"expected an address by DHCP on {want['native']}; seen none"
    if want["cidr"] is None:
        return None if not seen else f"expected no address on {want['native']}; seen {shown}"
    if want["cidr"] not in seen:
        return f"expected {want['cidr']} on {want['native']}; seen {shown}"
    return None if len(seen) == 1 else f"expected {want['cidr']} and nothing else on {want['native']}; seen {shown}"


def interface_mtu(want: Want, facts: Facts) -> str | None:
    link = facts["links"].get(want["native"])
    if link is None:
        return f"expected MTU {want['mtu']} on {want['native']}; there is no such interface"
    return None if link["mtu"] == want["mtu"] else f"expected MTU {want['mtu']} on {want['native']}; seen {link['mtu']}"


def loopback_address(want: Want, facts: Facts) -> str | None:
    if any(want["cidr"] in link["addresses"] for link in facts["links"].values()):
        return None
    return f"expected {want['cidr']} on some interface; none has it"


def ip_forwarding(_want: Want, facts: Facts) -> str | None:
    seen = facts["forwarding"]
    return None if seen == "1" else f"expected IPv4 forwarding to be on (net.ipv4.ip_forward = 1); seen {seen or 'nothing'}"


def dut_version(want: Want, facts: Facts) -> tuple[bool, str] | None:
    """None when the version fits; else whether that can be told at all, and why."""
    release = facts["release"]
    seen = release.get("VERSION_ID")
    if release.get("ID") != want["platform"] or not seen:
        return False, f"/etc/os-release says ID={release.get('ID')} VERSION_ID={seen}: that does not tell the version of {want['platform']}"
    if _same_version(seen, want["version"]):
        return None
    return True, f"expected {want['platform']} {want['version']}; /etc/os-release says {seen}"


def _same_version(one: str, other: str) -> bool:
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")


def route_present(want: Want, facts: Facts) -> str | None:
    """A route of the wanted protocol in the forwarding table."""
    found = [route for route in facts["routes"] if route["prefix"] == want["prefix"]]
    if any(route["protocol"] == want["protocol"] and route["type"] == "unicast" for route in found):
        return None
    seen = "; ".join(describe(route) for route in found) or "no route to it"
    return f"expected a route to {want['prefix']} by {want['protocol']}; seen {seen}"


def route_static(want: Want, facts: Facts) -> str | None:
    found = [route for route in facts["routes"] if route["prefix"] == want["prefix"]]
    if want["blackhole"]:
        fits = [route for route in found if route["type"] != "unicast"]
        wish = "a route that drops"
    else:
        fits = [route for route in found if want["gateway"] in route["gateways"]]
        wish = f"a route via {want['gateway']}"
    seen = "; ".join(describe(route) for route in found) or "no route to it"
    return None if fits else f"expected {wish} for {want['prefix']}; seen {seen}"


def no_route_back(want: Want, facts: Facts) -> str | None:
    """No route that leads into a hidden network: none below the default route, and no default route to this router."""
    hidden = ipaddress.ip_network(want["prefix"])
    leads = [
        route
        for route in facts["routes"]
        if route["type"] == "unicast"
        and hidden.overlaps(ipaddress.ip_network(route["prefix"]))
        and (route["prefix"] != "0.0.0.0/0" or set(route["gateways"]) & set(want["dut"]))
    ]
    if not leads:
        return None
    return f"expected no route to {want['prefix']}, which NAT hides or the profile does not announce; seen {'; '.join(map(describe, leads))}"


def describe(route: Mapping[str, Any]) -> str:
    """A route in a person's words."""
    way = ", ".join(f"via {hop}" for hop in route["gateways"]) or f"dev {route['device']}"
    kind = "" if route["type"] == "unicast" else route["type"] + " "
    return f"{kind}{route['prefix']} {way} (proto {route['protocol']})"
