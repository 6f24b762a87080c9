# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether Untangle would take a file of network settings: its shape by a JSON Schema, then what Untangle checks before it saves, and what its
sync-settings needs to find.

The schema was made from the properties of the Java classes and does not look at the room's templates or tables.
"""

from __future__ import annotations

import functools
import ipaddress
import json
from typing import Any, Iterator

import jsonschema

NETWORK = "com.untangle.uvm.network."
VERSIONS = {"14": 7, "16": 8, "17.0": 9, "17.1": 10, "17.4": 11, "17.5": 12}
IP = {"type": "string", "pattern": r"^(\d{1,3}\.){3}\d{1,3}$"}
INT, BOOL, TEXT, NUMBER = {"type": "integer"}, {"type": "boolean"}, {"type": "string"}, {"type": "number"}
PREFIX = {"type": "integer", "minimum": 0, "maximum": 32}
PORTS = r"^\d+(-\d+)?(,\d+(-\d+)?)*$"
VALUES = {
    "SRC_INTF": r"^\d+$",
    "DST_INTF": r"^\d+$",
    "SRC_ADDR": r"^[\d./]+(,[\d./]+)*$",
    "DST_ADDR": r"^[\d./]+(,[\d./]+)*$",
    "PROTOCOL": r"^(TCP|UDP|ICMP|OSPF|ESP|AH|GRE)$",
    "SRC_PORT": PORTS,
    "DST_PORT": PORTS,
}


def one_of(*words: Any) -> dict[str, Any]:
    return {"enum": list(words)}


def thing(name: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object of a class, with these properties and no others."""
    own = {"javaClass": {"const": NETWORK + name}, **required}
    return {"type": "object", "properties": {**own, **(optional or {})}, "required": list(own), "additionalProperties": False}


def many(item: dict[str, Any]) -> dict[str, Any]:
    own = {"javaClass": {"const": "java.util.LinkedList"}, "list": {"type": "array", "items": item}}
    return {"type": "object", "properties": own, "required": list(own), "additionalProperties": False}


def nothing() -> dict[str, Any]:
    return many({"not": {}})


def rule(name: str, **own: Any) -> dict[str, Any]:
    kinds = [
        thing(f"{name}Condition", {"conditionType": {"const": kind}, "value": {"type": "string", "pattern": pattern}, "invert": {"const": False}})
        for kind, pattern in VALUES.items()
    ]
    return thing(name, {"ruleId": INT, "enabled": BOOL, "description": TEXT, "conditions": many({"anyOf": kinds}), **own})


def interface_schema(dialect: str) -> dict[str, Any]:
    required = {
        "interfaceId": {"type": "integer", "minimum": 1, "maximum": 248},
        **{key: {"type": "string", "minLength": 1} for key in ("name", "physicalDev", "systemDev", "symbolicDev")},
        **dict.fromkeys(("isWan", "isVlanInterface", "isVirtualInterface", "v4NatEgressTraffic", "v4NatIngressTraffic", "dhcpEnabled"), BOOL),
        "configType": one_of("ADDRESSED", "DISABLED"),
        "v4ConfigType": one_of("STATIC", "AUTO"),
        "v6ConfigType": {"const": "DISABLED"},
        **{key: nothing() for key in ("v4Aliases", "v6Aliases", "vrrpAliases")},
        "dhcpOptions": many(thing("DhcpOption", {"enabled": BOOL, "description": TEXT, "value": {"type": "string", "pattern": r"^\d+,"}})),
        **({"dhcpType": one_of("SERVER", "DISABLED")} if dialect.startswith("17") else {}),
    }
    optional = {
        "imqDev": {"type": "string", "pattern": r"^imq\d+$"},
        "vlanTag": {"type": "integer", "minimum": 1, "maximum": 4094},
        **dict.fromkeys(("vlanParent", "dhcpLeaseDuration", "uploadBandwidthKbps", "downloadBandwidthKbps"), INT),
        "v4StaticPrefix": PREFIX,
        **{f"v4{key}": IP for key in ("StaticAddress", "StaticNetmask", "StaticGateway", "StaticDns1", "StaticDns2", "AutoDns1Override", "AutoDns2Override")},
        **dict.fromkeys(("dhcpRangeStart", "dhcpRangeEnd", "dhcpGatewayOverride"), IP),
        "dhcpDnsOverride": {"type": "string", "pattern": r"^[\d.]+(,[\d.]+)*$"},
        **({"qosEnabled": BOOL} if dialect == "17.5" else {}),
    }
    return thing("InterfaceSettings", required, optional)


def routing_schema() -> dict[str, Any]:
    network = {"ruleId": INT, "enabled": BOOL, "description": TEXT, "network": IP, "prefix": PREFIX, "area": {"type": "integer", "minimum": 1}}
    area = {"ruleId": INT, "description": TEXT, "area": IP, "type": {"const": 0}, "authentication": {"const": 0}, "virtualLinks": nothing()}
    numbers = ("helloInterval", "deadInterval", "retransmitInterval", "transmitDelay", "routerPriority", "interfaceCost", "authentication")
    own = {"ruleId": INT, "enabled": BOOL, "description": TEXT, "dev": TEXT, "autoInterfaceCost": BOOL, **dict.fromkeys(numbers, INT)}
    required = {
        **dict.fromkeys(("enabled", "bgpEnabled", "ospfEnabled", "ospfUseDefaultMetricEnabled"), BOOL),
        **{f"ospfRedist{key}Enabled": BOOL for key in ("Connected", "Static", "Bgp")},
        **dict.fromkeys(("bgpRouterId", "bgpRouterAs", "ospfRouterId"), TEXT),
        **dict.fromkeys(("ospfAutoCost", "ospfAbrType", "ospfDefaultMetric"), INT),
        **{f"ospfDefaultInformationOriginate{key}": INT for key in ("Type", "Metric", "ExternalType")},
        "bgpNeighbors": nothing(),
        "bgpNetworks": nothing(),
        "ospfNetworks": many(thing("DynamicRouteNetwork", network)),
        "ospfAreas": many(thing("DynamicRouteOspfArea", area)),
        "ospfInterfaces": many(thing("DynamicRouteOspfInterface", own)),
    }
    return thing("DynamicRoutingSettings", required, {"ospfRedistConnectedMetric": INT, "ospfRedistConnectedExternalType": one_of(1, 2)})


def qos_schema() -> dict[str, Any]:
    shares = dict.fromkeys(("uploadReservation", "uploadLimit", "downloadReservation", "downloadLimit"), NUMBER)
    priorities = many(thing("QosPriority", {"priorityId": INT, "priorityName": TEXT, **shares}))
    priorities["properties"]["list"].update(minItems=7, maxItems=7)
    numbers = dict.fromkeys(("defaultPriority", "pingPriority", "dnsPriority", "sshPriority", "openvpnPriority"), INT)
    return thing("QosSettings", {"qosEnabled": BOOL, "queueDiscipline": {"const": "fq_codel"}, **numbers, "qosPriorities": priorities, "qosRules": nothing()})


@functools.lru_cache(maxsize=None)
def schema(dialect: str) -> dict[str, Any]:
    """The schema of a file of network settings."""
    reserved = {"type": "integer", "minimum": 249, "maximum": 253}
    virtual = thing("InterfaceSettings", {"interfaceId": reserved, "name": TEXT, "isVirtualInterface": {"const": True}})
    required = {
        "version": {"const": VERSIONS[dialect]},
        "hostName": {"type": "string", "pattern": r"^[A-Za-z0-9-]+$"},
        "httpPort": INT,
        "httpsPort": INT,
        "interfaces": many(interface_schema(dialect)),
        "virtualInterfaces": many(virtual),
        "devices": many(thing("DeviceSettings", {"deviceName": TEXT}, {"mtu": INT})),
        **{key: many(rule("FilterRule", ipv6Enabled=BOOL, blocked=BOOL)) for key in ("accessRules", "filterRules")},
        "natRules": many(rule("NatRule", auto={"const": True})),
        "bypassRules": many(rule("BypassRule", bypass=BOOL)),
        "portForwardRules": nothing(),
        "staticRoutes": many(thing("StaticRoute", {"ruleId": INT, "description": TEXT, "network": IP, "prefix": PREFIX, "nextHop": IP})),
        "staticDhcpEntries": many(thing("DhcpStaticEntry", {"macAddress": TEXT, "address": IP, "description": TEXT})),
        **dict.fromkeys(("dhcpAuthoritative", "blockInvalidPackets", "blockReplayPackets"), BOOL),
        "qosSettings": qos_schema(),
        "dynamicRoutingSettings": routing_schema(),
        "dnsSettings": thing("DnsSettings", {"staticEntries": nothing(), "localServers": nothing()}),
        "upnpSettings": thing("UpnpSettings", {"upnpEnabled": {"const": False}, "secureMode": BOOL, "listenPort": INT, "upnpRules": nothing()}),
        **({"dhcpRelays": nothing()} if dialect.startswith("17") else {}),
    }
    return thing("NetworkSettings", required, {"domainName": TEXT})


def problems(text: str, dialect: str) -> list[str]:
    """What is wrong with a file: its shape, else its meaning."""
    data = json.loads(text)
    shape = [f"{error.json_path}: {error.message[-200:]}" for error in jsonschema.Draft202012Validator(schema(dialect)).iter_errors(data)]
    return shape or [*_interfaces(data), *_services(data), *_rules(data), *_routing(data)]


def items(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data[key]["list"]
    return found


def _doubles(words: list[Any], what: str) -> Iterator[str]:
    for word in sorted({word for word in words if words.count(word) > 1}, key=str):
        yield f"{what} {word} stands twice"


def net_of(item: dict[str, Any]) -> ipaddress.IPv4Network:
    return ipaddress.IPv4Network(f"{item['v4StaticAddress']}/{item['v4StaticPrefix']}", strict=False)


def _interfaces(data: dict[str, Any]) -> Iterator[str]:
    interfaces = items(data, "interfaces")
    by_id = {item["interfaceId"]: item for item in interfaces}
    yield from _doubles([item["interfaceId"] for item in interfaces + items(data, "virtualInterfaces")], "interface id")
    yield from _doubles([item["systemDev"] for item in interfaces], "device")
    if not any(item["isWan"] and item["configType"] == "ADDRESSED" for item in interfaces):
        yield "no WAN"
    if data["httpPort"] == data["httpsPort"]:
        yield "one port for HTTP and HTTPS"
    for item in interfaces:
        name = item["name"]
        if item["isVlanInterface"]:
            parent = by_id.get(item.get("vlanParent"))
            if parent is None or parent["isVlanInterface"]:
                yield f"{name}: no parent"
            elif item["systemDev"] != f"{parent['systemDev']}.{item.get('vlanTag')}" or item["physicalDev"] != parent["physicalDev"]:
                yield f"{name}: its device is not that of its parent"
        elif item["systemDev"] != item["physicalDev"] or "vlanTag" in item:
            yield f"{name}: a device of its own"
        static = item["configType"] == "ADDRESSED" and item["v4ConfigType"] == "STATIC"
        if static and ("v4StaticAddress" not in item or str(net_of(item).netmask) != item.get("v4StaticNetmask")):
            yield f"{name}: address or netmask"
        if item["isWan"] != ("imqDev" in item):
            yield f"{name}: an IMQ device belongs to a WAN"
    static = [item for item in interfaces if "v4StaticAddress" in item]
    yield from _doubles([str(net_of(item)) for item in static], "network")
    yield from _doubles([item.get("v4StaticGateway") for item in static if item["isWan"]], "gateway")


def _services(data: dict[str, Any]) -> Iterator[str]:
    for item in items(data, "interfaces"):
        name = item["name"]
        serves = item.get("dhcpType", "SERVER" if item["dhcpEnabled"] else "DISABLED") == "SERVER"
        if serves != item["dhcpEnabled"]:
            yield f"{name}: dhcpType and dhcpEnabled differ"
        if serves and (item["isWan"] or "v4StaticAddress" not in item):
            yield f"{name}: DHCP is served on interfaces with an address that are no WANs"
        elif serves and not all(ipaddress.IPv4Address(item[key]) in net_of(item) for key in ("dhcpRangeStart", "dhcpRangeEnd")):
            yield f"{name}: range outside of its network"
        if data["qosSettings"]["qosEnabled"] and item["isWan"] and not (item.get("uploadBandwidthKbps") and item.get("downloadBandwidthKbps")):
            yield f"{name}: QoS needs both rates of every WAN"
    entries = items(data, "staticDhcpEntries")
    yield from _doubles([entry["macAddress"] for entry in entries] + [entry["address"] for entry in entries], "reservation")
    devices = {device["deviceName"] for device in items(data, "devices")}
    if {item["physicalDev"] for item in items(data, "interfaces")} != devices:
        yield f"devices: {sorted(devices)}"


def _rules(data: dict[str, Any]) -> Iterator[str]:
    known = {str(item["interfaceId"]) for item in items(data, "interfaces")}
    for key in ("accessRules", "filterRules", "natRules", "bypassRules"):
        if [entry["ruleId"] for entry in items(data, key)] != list(range(1, len(items(data, key)) + 1)):
            yield f"{key}: ids are not in order"
        for entry in items(data, key):
            conditions = {condition["conditionType"]: condition["value"] for condition in items(entry, "conditions")}
            if len(conditions) != len(items(entry, "conditions")):
                yield f"{key} {entry['ruleId']}: a condition stands twice"
            if not {conditions[end] for end in ("SRC_INTF", "DST_INTF") if end in conditions} <= known:
                yield f"{key} {entry['ruleId']}: there is no such interface"
            if {"SRC_PORT", "DST_PORT"} & set(conditions) and conditions.get("PROTOCOL") not in ("TCP", "UDP"):
                yield f"{key} {entry['ruleId']}: ports without TCP or UDP"
            if key == "natRules" and "DST_INTF" not in conditions:
                yield f"natRules {entry['ruleId']}: to everywhere"


def _routing(data: dict[str, Any]) -> Iterator[str]:
    routing = data["dynamicRoutingSettings"]
    areas = [area["ruleId"] for area in items(routing, "ospfAreas")]
    for name in ("ospfAreas", "ospfNetworks", "ospfInterfaces"):
        yield from _doubles([entry["ruleId"] for entry in items(routing, name)], name)
    connected = [net_of(item) for item in items(data, "interfaces") if "v4StaticAddress" in item]
    for entry in items(routing, "ospfNetworks"):
        if entry["area"] not in areas:
            yield f"ospf: there is no area with id {entry['area']}"
        if ipaddress.IPv4Network(f"{entry['network']}/{entry['prefix']}") not in connected:
            yield f"ospf: {entry['network']} is not connected"
    devices = {item["symbolicDev"] for item in items(data, "interfaces")}
    for entry in items(routing, "ospfInterfaces"):
        if entry["dev"] not in devices or not entry["helloInterval"] < entry["deadInterval"]:
            yield f"ospf: interface {entry['dev']}"
    if routing["ospfEnabled"] and not (routing["enabled"] and routing["ospfRouterId"] and items(routing, "ospfNetworks")):
        yield "ospf: enabled and not complete"
    if routing["ospfRedistConnectedEnabled"] and "ospfRedistConnectedMetric" not in routing:
        yield "ospf: redistribution without a metric"
    routes = [ipaddress.IPv4Network(f"{route['network']}/{route['prefix']}") for route in items(data, "staticRoutes")]
    yield from _doubles([str(route) for route in routes] + [str(net) for net in connected], "route")
    for route in items(data, "staticRoutes"):
        if not any(ipaddress.IPv4Address(route["nextHop"]) in net for net in connected):
            yield f"route {route['description']}: its next hop is not connected"
