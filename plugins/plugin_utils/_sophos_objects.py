# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What rules of a Sophos Firewall refer to by name: networks and services, each once, named after what it is.

A name stays when other objects come and go. All of them begin with ``RL_``, so that they meet none that the firewall has.
"""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._addresses import network

Section = dict[str, Any]
ANY_PORT = "1:65535"
PROTOCOLS = {"esp": "ESP", "ah": "AH", "gre": "GRE", "ospf": "OSPFIGP"}
"""The firewall's names of IP protocols."""
ICMP_TYPES = {
    None: "Any Type",
    "echo_request": "Echo",
    "echo_reply": "Echo Reply",
    "destination_unreachable": "Destination Unreachable",
    "time_exceeded": "Time Exceeded",
}


class Objects:
    """Networks and services as they are asked for."""

    def __init__(self) -> None:
        self.hosts: dict[str, Section] = {}
        self.services: dict[str, Section] = {}

    def host(self, prefix: str | None) -> str | None:
        """The name of a network or an address; None for everything."""
        if prefix is None or network(prefix).prefixlen == 0:
            return None
        net = network(prefix)
        single = net.prefixlen == 32
        name = f"RL_{net.network_address}" if single else f"RL_{net.network_address}_{net.prefixlen}"
        self.hosts[name] = {"name": name, "kind": "IP" if single else "Network", "address": str(net.network_address), "netmask": str(net.netmask)}
        return name

    def service(self, rule: Mapping[str, Any]) -> str | None:
        """The name of what a rule says of protocol, ports and ICMP type; None for everything."""
        protocol = rule["protocol"]
        if protocol == "any":
            return None
        if protocol == "icmp":
            words = ICMP_TYPES[rule["icmp_type"]]
            return self._add(f"RL_ICMP_{words.replace(' ', '_')}", "ICMP", icmp_type=words)
        if protocol in PROTOCOLS:
            return self._add(f"RL_{PROTOCOLS[protocol]}", "IP", protocol=PROTOCOLS[protocol])
        ends = [_port(rule["source_port"]), _port(rule["destination_port"])]
        marks = ["" if end == ANY_PORT else f"_{mark}{end.replace(':', '-')}" for mark, end in zip(("FROM", ""), ends)]
        return self._add(f"RL_{protocol.upper()}{''.join(marks)}", "TCPorUDP", source=ends[0], destination=ends[1], protocol=protocol.upper())

    def _add(self, name: str, kind: str, **details: str) -> str:
        self.services[name] = {"name": name, "kind": kind, **details}
        return name


def _port(port: str | None) -> str:
    return port.replace("-", ":") if port else ANY_PORT
