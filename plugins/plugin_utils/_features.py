# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which features a router's description uses, and whether its platform carries them."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import Platform, feature_state, find_dialect, known_versions

Section = Mapping[str, Any]

FEATURES: dict[str, str] = {
    "vlan_trunk": "802.1Q VLANs on a trunk port",
    "plain_ports": "one port for each network",
    "port_members": "several hardware ports joined by a switch",
    "mtu": "MTU other than 1500",
    "loopback": "loopback address",
    "wan_dhcp": "WAN address by DHCP",
    "static_routes": "static routes",
    "ssh": "SSH server",
    "snmp": "SNMP agent",
    "ntp": "time servers",
    "ospf": "OSPFv2",
    "ospf_interface_form": "OSPF by interface",
    "ospf_passive": "OSPF passive interfaces",
    "ospf_point_to_point": "OSPF network types other than broadcast",
    "ospf_timers": "OSPF hello and dead intervals",
    "ospf_redistribute": "OSPF redistribution",
    "ospf_metric_type_1": "OSPF external metric type 1",
    "ospf_default_originate": "OSPF default route",
    "dhcp_server": "DHCPv4 server",
    "dhcp_isc": "ISC DHCP server",
    "dhcp_kea": "Kea DHCP server",
    "dhcp_dnsmasq": "dnsmasq DHCP server",
    "dhcp_hosts": "DHCP fixed addresses",
    "nat_masquerade": "source NAT (masquerade)",
    "firewall_stateful": "stateful rule sets on interfaces",
    "firewall_zones": "zone firewall",
    "packet_filter_off": "packet filter switched off",
    "shaper_cake": "SQM with cake",
    "shaper_fq_codel": "SQM with fq_codel",
    "wireguard": "WireGuard",
    "openvpn": "OpenVPN",
    "ipsec": "IPsec site-to-site",
    "offload_nic": "NIC offloads on or off",
    "offload_flow_software": "software flow offload",
    "offload_flow_hardware": "hardware flow offload",
    "tuning": "host tuning",
}
"""Every feature that a room says yes or no to, with its name in tables."""


def used_features(section: Section, sizes: Mapping[str, int] | None = None) -> Iterator[tuple[str, str]]:
    """The features that a merged section uses, each with the path that uses it. ``sizes`` are the MTUs of networks."""
    yield from _interface_features(section, sizes or {})
    yield from _ospf_features(section["ospf"])
    yield from _service_features(section)
    yield from _filter_features(section)
    yield from _tunnel_features(section)


def _interface_features(section: Section, sizes: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for port in section["ports"]:
        if port["members"]:
            yield "port_members", f"ports[{port['name']}].members"
    for item in section["interfaces"]:
        path = f"interfaces[{item['name']}]"
        yield ("vlan_trunk" if item["tagged"] else "plain_ports"), f"{path}.tagged"
        if (item["mtu"] or sizes.get(item["network"] or item["name"])) not in (None, 1500):
            yield "mtu", f"{path}.mtu"
        if item["address"] == "dhcp":
            yield "wan_dhcp", f"{path}.address"
    for item in section["loopbacks"]:
        yield "loopback", f"loopbacks[{item['name']}]"
    for item in section["static_routes"]:
        yield "static_routes", f"static_routes[{item['name']}]"


def _ospf_features(ospf: Section) -> Iterator[tuple[str, str]]:
    if not ospf["enabled"]:
        return
    yield "ospf", "ospf.enabled"
    if ospf["form"] == "interfaces":
        yield "ospf_interface_form", "ospf.form"
    for item in ospf["interfaces"]:
        path = f"ospf.interfaces[{item['name']}]"
        if item["passive"]:
            yield "ospf_passive", f"{path}.passive"
        if item["network_type"] != "broadcast":
            yield "ospf_point_to_point", f"{path}.network_type"
        if (item["hello"], item["dead"]) != (10, 40):
            yield "ospf_timers", f"{path}.hello"
    for item in ospf["redistribute"]:
        yield "ospf_redistribute", f"ospf.redistribute[{item['name']}]"
        if item["metric_type"] == 1:
            yield "ospf_metric_type_1", f"ospf.redistribute[{item['name']}].metric_type"
    if ospf["default_originate"] != "never":
        yield "ospf_default_originate", "ospf.default_originate"


def _service_features(section: Section) -> Iterator[tuple[str, str]]:
    system = section["system"]
    for key in ("ssh", "snmp"):
        if system[key]["enabled"]:
            yield key, f"system.{key}.enabled"
    if system["ntp"]:
        yield "ntp", "system.ntp"
    dhcp = section["dhcp"]
    if dhcp["enabled"]:
        yield "dhcp_server", "dhcp.enabled"
        if dhcp["backend"] != "default":
            yield f"dhcp_{dhcp['backend']}", "dhcp.backend"
        for pool in dhcp["pools"]:
            if pool["hosts"]:
                yield "dhcp_hosts", f"dhcp.pools[{pool['name']}].hosts"


def _filter_features(section: Section) -> Iterator[tuple[str, str]]:
    if section["nat"]["enabled"]:
        yield "nat_masquerade", "nat.enabled"
    firewall = section["firewall"]
    if firewall["mode"] != "none":
        yield f"firewall_{firewall['mode']}", "firewall.mode"
    if not firewall["packet_filter"]:
        yield "packet_filter_off", "firewall.packet_filter"
    for queue in section["shaper"]["queues"] if section["shaper"]["enabled"] else []:
        yield f"shaper_{queue['discipline']}", f"shaper.queues[{queue['name']}]"


def _tunnel_features(section: Section) -> Iterator[tuple[str, str]]:
    for kind in ("wireguard", "openvpn", "ipsec"):
        for item in section["tunnels"][kind]:
            yield kind, f"tunnels.{kind}[{item['name']}]"
    offload = section["offload"]
    for key in ("checksum", "tso", "gro", "lro"):
        if offload[key] != "default":
            yield "offload_nic", f"offload.{key}"
    if offload["flow"] != "none":
        yield f"offload_flow_{offload['flow']}", "offload.flow"
    for key, value in section["tuning"].items():
        if value is not None:
            yield "tuning", f"tuning.{key}"


def check_platform(router: Section, path: str, platforms: Mapping[str, Platform], sizes: Mapping[str, int] | None = None) -> list[Problem]:
    """Platform and version are known, and the platform carries what the lab asks for. ``sizes`` are the MTUs of networks."""
    if not router["managed"]:
        return []
    name = router["platform"]
    if name not in platforms:
        message = "is required and missing" if name is None else "there is no platform of this name"
        return [Problem(f"{path}.platform", NOTHING if name is None else name, message, choices(platforms, name), "UNKNOWN_PLATFORM")]
    platform = platforms[name]
    dialect = find_dialect(platform, router["version"])
    if dialect is None:
        value, message = (router["version"], f"is not a version that {name} knows") if router["version"] else (NOTHING, "is required and missing")
        return [Problem(f"{path}.version", value, message, known_versions(platform), "UNKNOWN_VERSION")]
    classes = platform.get("device_classes")
    if router["device_class"] and router["device_class"] not in (classes or []):
        return [Problem(f"{path}.device_class", router["device_class"], f"is not a device class of {name}", choices(classes or []), "UNKNOWN_DEVICE_CLASS")]
    problems = []
    seen: set[str] = set()
    for feature, where in used_features(router, sizes):
        state = feature_state(platform, dialect, feature)
        if state is not True and feature not in seen and not (router["unconfirmed"] and feature in platform.get("unconfirmed", [])):
            seen.add(feature)
            reason = state if isinstance(state, str) else f"it has no {FEATURES[feature]}"
            message = f"{name} {router['version']} cannot carry this ({feature}): {reason.rstrip('.')}"
            problems.append(Problem(f"{path}.{where}", NOTHING, message, "another platform, or a lab without it", "FEATURE_MISSING"))
    return problems


def unconfirmed_uses(router: Section, platforms: Mapping[str, Platform]) -> list[str]:
    """What a router uses that its platform's room writes without a public source for it, as words of tables."""
    platform = platforms.get(router["platform"] or "", {})
    if not router["managed"] or not router["unconfirmed"]:
        return []
    return list(dict.fromkeys(FEATURES[feature] for feature, _path in used_features(router) if feature in platform.get("unconfirmed", [])))
