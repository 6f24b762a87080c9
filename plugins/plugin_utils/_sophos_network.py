# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ports, VLANs, DHCP servers, routes and tunnels in the words of a Sophos Firewall, and what of a lab it cannot say there."""

from __future__ import annotations

import re
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_roles import gateway_name
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_objects import Objects
from ansible_collections.routerlab.bench.plugins.plugin_utils._sophos_zones import WAN, ways_out

Section = dict[str, Any]
TCP_IP_HEADERS = 40
MINUTES = 43200
RESOLVERS = {"pool": 2, "system": 3}
ENCRYPTION = {"aes128": "AES128", "aes256": "AES256", "aes128gcm128": "AES128GCM16", "aes256gcm128": "AES256GCM16"}
INTEGRITY = {"sha1": "SHA1", "sha256": "SHA2_256", "sha512": "SHA2_512"}
GROUPS = {2: "2(DH1024)", 5: "5(DH1536)", 14: "14(DH2048)", 15: "15(DH3072)", 16: "16(DH4096)", 19: "19(ecp256)", 20: "20(ecp384)", 21: "21(ecp521)"}


def interface_list(model: Mapping[str, Any], names: Mapping[str, str], problems: list[str]) -> list[Section]:
    """Interfaces of the lab with their zones and gateways."""
    outside = ways_out(model)
    if len(outside) > 1:
        problems.append(f"interfaces: Sophos parts connections among gateways, and here are several ways out, {', '.join(outside)}; one only")
    found = []
    for item in model["interfaces"]:
        path = f"interfaces[{item['name']}]"
        wanted = f"{item['port_native']}.{item['vlan']}" if item["tagged"] else item["port_native"]
        if item["native"] != wanted:
            problems.append(f"{path}.native: Sophos names it after its port and VLAN, {wanted}, not {item['native']}")
        if item["tagged"] and item["mtu"] != 1500:
            problems.append(f"{path}.mtu: Sophos has an MTU for a port only, not for a VLAN")
        if item["vlan"] == 1:
            problems.append(f"{path}: Sophos has VLANs from 2 on")
        gateway = gateway_name(item["gateway"]) if item["gateway"] else f"GW_{item['name']}"[:50]
        name = f"{item['label']}_{item['vlan']}"[-58:]
        own = {"zone": names[item["name"]], "gateway_name": gateway if item["name"] in outside else None, "mss": item["mtu"] - TCP_IP_HEADERS}
        found.append({**item, **own, "title": name})
    return found


def pool_list(model: Mapping[str, Any], names: Mapping[str, str], problems: list[str]) -> list[Section]:
    """DHCP servers, one for an interface."""
    found = []
    served: set[str] = set()
    addresses = {item["name"]: item["address"] for item in model["interfaces"]}
    if model["dhcp"]["enabled"] and not model["dhcp"]["authoritative"]:
        problems.append("dhcp.authoritative: Sophos has no setting for it")
    for pool in model["dhcp"]["pools"]:
        path = f"dhcp.pools[{pool['name']}]"
        if names[pool["interface"]] == WAN:
            problems.append(f"{path}: Sophos serves no DHCP in its zone WAN, where interfaces with a gateway are")
        if pool["interface"] in served:
            problems.append(f"{path}: Sophos has one DHCP server on an interface")
        if not pool["gateway"]:
            problems.append(f"{path}.gateway: Sophos always hands out a gateway")
        if not 1 <= len(pool["dns"]) <= RESOLVERS["pool"]:
            problems.append(f"{path}.dns: Sophos hands out one or two resolvers, and where none is given its own; here are {len(pool['dns'])}")
        if pool["lease_minutes"] > MINUTES:
            problems.append(f"{path}.lease: Sophos has leases of {MINUTES} minutes at most, not {pool['lease_minutes']}")
        served.add(pool["interface"])
        found.append({**pool, "own_gateway": pool["gateway"] == addresses[pool["interface"]]})
    return found


def route_list(model: Mapping[str, Any], problems: list[str]) -> list[Section]:
    """Static routes; a gateway of an interface is said there."""
    natives = {item["name"]: item["native"] for item in model["interfaces"]}
    found = []
    for route in model["static_routes"]:
        path = f"static_routes[{route['name']}]"
        if route["implied"]:
            continue
        if route["blackhole"]:
            problems.append(f"{path}.blackhole: the API has it in its newest edition only, and no public source says from which version on")
        elif route["interface"] is None:
            problems.append(f"{path}.gateway: {route['gateway']} is in no connected subnet that is known in advance")
        if route["distance"] != 1 and model["dialect"] == "17.5":
            problems.append(f"{path}.distance: Sophos 17.5 has a metric only, no distance; only 1")
        found.append({**route, "native": natives.get(route["interface"])})
    return found


def tunnel_list(model: Mapping[str, Any], names: Mapping[str, str], objects: Objects, problems: list[str]) -> list[Section]:
    """IPsec connections, each with a profile of its own."""
    found = []
    for item in model["tunnels"]["ipsec"]:
        path = f"tunnels.ipsec[{item['name']}]"
        if names[item["interface"]] != WAN:
            problems.append(f"{path}.interface: Sophos has tunnels on interfaces with a gateway only")
        if not 5 <= len(item["secret"]) <= 64:
            problems.append(f"{path}.secret: Sophos has preshared keys of 5 to 64 characters")
        words: Section = {"title": "RL_" + re.sub(r"[^A-Za-z0-9_]", "_", item["name"]), "group": GROUPS[item["dh_group"]]}
        words.update(cipher=ENCRYPTION[item["encryption"]], hash=INTEGRITY[item["integrity"]])
        words.update({f"{end}_kind": _id_kind(item[f"{end}_id"]) for end in ("local", "remote")})
        words.update({f"{end}_hosts": [objects.host(prefix) or "Any" for prefix in item[f"{end}_subnets"]] for end in ("local", "remote")})
        found.append({**item, **words})
    return found


def _id_kind(name: str) -> str:
    if re.fullmatch(r"[0-9.]+", name):
        return "IP Address"
    return "Email" if "@" in name else "DNS"


def system_problems(model: Mapping[str, Any]) -> list[str]:
    """What is no matter of one list alone."""
    found = []
    system, snmp, ospf = model["system"], model["system"]["snmp"], model["ospf"]
    if system["ssh"]["enabled"] and system["ssh"]["port"] != 22:
        found.append(f"system.ssh.port: only 22 on Sophos, not {system['ssh']['port']}")
    if len(system["dns"]) > RESOLVERS["system"]:
        found.append(f"system.dns: Sophos has {RESOLVERS['system']} resolvers at most")
    if snmp["enabled"] and [prefix[-3:] for prefix in snmp["allow"]] != ["/32"]:
        found.append("system.snmp.allow: a community of Sophos is for one manager: name its address, and no other, with /32")
    found += [f"system.snmp.{key}: Sophos needs one" for key in ("location", "contact") if snmp["enabled"] and not snmp[key]]
    if not model["unconfirmed"]:
        costly = [item["name"] for item in ospf["interfaces"] if item["cost"]]
        found += [f"ospf.interfaces[{name}].cost: no public source has the command; only with unconfirmed: true" for name in costly]
    return found
