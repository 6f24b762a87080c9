# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What must be true on the router itself, and of the services that it offers. Pure."""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items

Model = Mapping[str, Any]
INSIDE = ("dut_version", "interface_present", "interface_up", "interface_address", "interface_mtu", "loopback_address", "ip_forwarding")


def inside(items: Items, model: Model) -> None:
    """Interfaces and forwarding, as a login on the router shows them."""
    if not model["managed"]:
        for check in INSIDE:
            items.skip(check, "the router is not managed: it is only looked at from outside")
        return
    if model["version"]:
        items.plan("dut_version", f"{model['platform']} {model['version']}", platform=model["platform"], version=model["version"])
    for item in model["interfaces"]:
        instance = f"{item['name']} ({item['native']})"
        items.plan("interface_present", instance, native=item["native"])
        items.plan("interface_up", instance, native=item["native"])
        items.plan("interface_address", instance, native=item["native"], cidr=item["cidr"], dhcp=item["dhcp"])
        items.plan("interface_mtu", instance, native=item["native"], mtu=item["mtu"])
    for item in model["loopbacks"]:
        items.plan("loopback_address", item["name"], cidr=item["cidr"])
    if not model["loopbacks"]:
        items.skip("loopback_address", "the lab gives this router no loopback address")
    items.plan("ip_forwarding", "IPv4")


def leases(items: Items, model: Model, where: Mapping[str, Mapping[str, Any]]) -> None:
    """A real lease for each pool, by the traffic host that sits in its network."""
    interfaces = {item["name"]: item for item in model["interfaces"]}
    if not model["dhcp"]["pools"]:
        for check in ("dhcp_lease", "dhcp_options"):
            items.skip(check, "the lab asks for no DHCP server on this router")
    for pool in model["dhcp"]["pools"]:
        served = interfaces[pool["interface"]]
        client = next((place for place in where.values() if place["network"] == served["network"]), None)
        if client is None:
            items.cannot("dhcp_lease", pool["name"], f"no traffic host sits in network {served['network']}")
            continue
        want = {
            "host": client["host"],
            "own": client["own"],
            "pool": pool["name"],
            "server": served["address"],
            **{key: pool[key] for key in ("start", "stop", "prefix_len", "gateway", "dns", "domain", "lease")},
            "reserved": [host["address"] for host in pool["hosts"]],
        }
        items.plan("dhcp_lease", f"{pool['name']} by {client['host']}", **want)
        items.plan("dhcp_options", f"{pool['name']} by {client['host']}", **want)


def open_points(items: Items, model: Model) -> None:
    """What the lab asks for and the gate has no eye for yet: said, never passed in silence."""
    for kind, tunnels in model["tunnels"].items():
        for tunnel in tunnels:
            items.cannot("tunnel_up", f"{kind} {tunnel['name']}", "the gate does not look into tunnels; their scenarios measure them")
    for queue in model["shaper"]["queues"]:
        items.cannot("shaper_rate", queue["name"], "the gate does not measure rates; the shaper's scenarios do")
