# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a Sophos Firewall could take requests of its API: elements that it knows, what is mandatory, lengths and ranges, and that everything is there
before something refers to it.

The tables were made from the published pages of the API and do not look at the room's templates.
"""

from __future__ import annotations

import ipaddress
import re
import xml.etree.ElementTree as ET
from typing import Iterator

# Entity: what it must have, then what it may have; a word with / is a child with children of its own.
RULE = "Name Description IPFamily Status Position PolicyType NetworkPolicy | After"
POLICY = "Action LogTraffic Schedule | SourceZones DestinationZones SourceNetworks DestinationNetworks Services"
ADDRESS = "IPv4Configuration IPv4Assignment IPv6Configuration IPv6Assignment | IPAddress Netmask GatewayName"
PHASE = "EncryptionAlgorithm1 AuthenticationAlgorithm1 KeyLife"
KNOWN = {
    "IPHost": "Name IPFamily HostType IPAddress | Subnet",
    "Services": "Name Type ServiceDetails",
    "Services/ServiceDetails": "ServiceDetail",
    "Services/ServiceDetails/ServiceDetail": "| ICMPType ICMPCode ProtocolName SourcePort DestinationPort Protocol",
    "Zone": "Name Type Description ApplianceAccess",
    "Zone/ApplianceAccess": "AdminServices NetworkServices OtherServices | VPNServices",
    "Zone/ApplianceAccess/AdminServices": "HTTPS SSH",
    "Zone/ApplianceAccess/NetworkServices": "DNS Ping",
    "Zone/ApplianceAccess/OtherServices": "DynamicRouting SNMP",
    "Zone/ApplianceAccess/VPNServices": "IPsec",
    "LocalServiceACL": "RuleName Description Position IPFamily SourceZone Services Action | Hosts",
    "LocalServiceACL/Hosts": "Host",
    "LocalServiceACL/Services": "Service",
    "Interface": f"Name Hardware NetworkZone MTU MSS {ADDRESS} GatewayIP",
    "Interface/MSS": "OverrideMSS MSSValue",
    "VLAN": f"Name Interface Zone VLANID {ADDRESS} GatewayAddress",
    "UnicastRoute": "IPFamily DestinationIP Netmask Gateway Interface Distance | AdministrativeDistance",
    "DHCPServer": "Name Interface IPLease ConflictDetection SubnetMask DefaultLeaseTime MaxLeaseTime UseApplianceDNSSettings PrimaryDNSServer Gateway "
    "| StaticLease DomainName SecondaryDNSServer UseInterfaceIPasGateway",
    "DHCPServer/IPLease": "IP",
    "DHCPServer/StaticLease": "Lease",
    "DHCPServer/StaticLease/Lease": "HostName MACAddress IPAddress",
    "FirewallRule": RULE,
    "FirewallRule/After": "Name",
    "FirewallRule/NetworkPolicy": POLICY,
    "SecurityPolicy": RULE,
    "SecurityPolicy/After": "Name",
    "SecurityPolicy/NetworkPolicy": f"RewriteSourceAddress {POLICY} ApplyNAT OutboundAddress",
    "NATRule": "Name IPFamily Status Position LinkedFirewallrule TranslatedDestination TranslatedService OverrideInterfaceNATPolicy TranslatedSource "
    "| Description After OriginalSourceNetworks OutboundInterfaces",
    "NATRule/After": "Name",
    "NATRule/OriginalSourceNetworks": "Network",
    "NATRule/OutboundInterfaces": "Interface",
    "VPNProfile": "Name KeyingMethod AllowReKeying KeyNegotiationTries AuthenticationMode PassDataInCompressedFormat Phase1 Phase2 sha2_96_truncate "
    "keyexchange",
    "VPNProfile/Phase1": f"{PHASE} SupportedDHGroups ReKeyMargin RandomizeRe-KeyingMarginBy DeadPeerDetection",
    "VPNProfile/Phase1/SupportedDHGroups": "DHGroup",
    "VPNProfile/Phase2": f"{PHASE} PFSGroup",
    "SNMPAgentConfiguration": "Configuration Name Location ContactPerson",
    "DNS": "IPv4Settings",
    "DNS/IPv4Settings": "ObtainDNSFrom DNSIPList",
    "DNS/IPv4Settings/DNSIPList": "DNS1 | DNS2 DNS3",
    "AdminSettings": "HostnameSettings",
    "AdminSettings/HostnameSettings": "HostName",
    "Time": "TimeZone | PredefinedNTPServer CustomNTPServer",
    "Time/CustomNTPServer": "NTPServer",
    "SNMPCommunity": "Name Description IPAddress Supportv1ProtocolVersion Supportv2cProtocolVersion",
    "VPNIPSecConnection": "Configuration",
    "VPNIPSecConnection/Configuration": "Name Description ConnectionType Policy ActionOnVPNRestart AuthenticationType PresharedKey SubnetFamily EndpointFamily "
    "LocalWANPort AliasLocalWANPort RemoteHost LocalSubnet LocalIDType LocalID RemoteNetwork RemoteIDType RemoteID UserAuthenticationMode Status",
    "VPNIPSecConnection/Configuration/RemoteNetwork": "Network",
}
for _rule in ("FirewallRule", "SecurityPolicy"):
    KNOWN.update({f"{_rule}/NetworkPolicy/{end}Zones": "Zone" for end in ("Source", "Destination")})
    KNOWN.update({f"{_rule}/NetworkPolicy/{end}Networks": "Network" for end in ("Source", "Destination")})
    KNOWN[f"{_rule}/NetworkPolicy/Services"] = "Service"
MANY = {"Host", "Service", "Zone", "Network", "Lease", "NTPServer", "LocalSubnet"}
KEYS = ("Name", "RuleName", "DestinationIP", "Configuration/Name")
UPDATED = {"Interface", "DNS", "AdminSettings", "Time", "SNMPAgentConfiguration"}
STOCK_ZONES = {"LAN": "LAN", "WAN": "WAN", "DMZ": "DMZ"}
LENGTHS = {"Name": 60, "RuleName": 60, "Description": 255, "Location": 100, "ContactPerson": 100, "PresharedKey": 64, "GatewayName": 50, "DomainName": 250}
WORDS = {
    "Action": {"Accept", "Drop", "Reject", "accept"},
    "Position": {"Top", "Bottom", "After"},
    "Type": {"LAN", "WAN", "DMZ", "TCPorUDP", "IP", "ICMP"},
    "HostType": {"IP", "Network"},
    "IPv4Assignment": {"Static", "DHCP"},
    "ICMPType": {"Any Type", "Echo", "Echo Reply", "Destination Unreachable", "Time Exceeded"},
    "ProtocolName": {"ESP", "AH", "GRE", "OSPFIGP"},
    "DHGroup": {"2(DH1024)", "5(DH1536)", "14(DH2048)", "15(DH3072)", "16(DH4096)", "19(ecp256)", "20(ecp384)", "21(ecp521)"},
}
NUMBERS = {"VLANID": (2, 4094), "DefaultLeaseTime": (1, 43200), "MaxLeaseTime": (1, 43200), "MSSValue": (536, 8960), "KeyLife": (120, 86400)}
NUMBERS.update(AdministrativeDistance=(1, 255), Distance=(0, 255))


def problems(dialect: str, *texts: str) -> list[str]:
    """What is wrong with requests that are sent one after the other."""
    entities: list[tuple[str, ET.Element]] = []
    for text in texts:
        try:
            root = ET.fromstring(text.encode())
        except ET.ParseError as error:
            return [f"not XML: {error}"]
        if root.tag != "Request" or {child.tag for child in root} != {"Set"}:
            return [f"<{root.tag}> with {sorted({child.tag for child in root})}"]
        if not all(len(child) for child in root):
            return ["an empty <Set>"]
        entities += [(child.get("operation") or "", entity) for child in root for entity in child]
    return [*_shapes(entities), *_versions(entities, dialect), *_order(entities), *_addresses(entities)]


def _shapes(entities: list[tuple[str, ET.Element]]) -> Iterator[str]:
    for operation, entity in entities:
        name = entity.findtext("Name") or ""
        stock = (entity.tag == "Zone" and name in STOCK_ZONES) or name == "Default SNAT IPv4"
        if operation != ("update" if entity.tag in UPDATED or stock else "add"):
            yield f"{entity.tag} {name}: operation {operation!r}"
        yield from _shape(entity, entity.tag)


def _shape(node: ET.Element, path: str) -> Iterator[str]:
    if path not in KNOWN:
        if len(node):
            yield f"{path}: unknown"
        yield from _value(node, path)
        return
    must, _bar, may = KNOWN[path].partition("|")
    tags = [child.tag for child in node]
    yield from (f"{path}: no <{tag}>" for tag in must.split() if tag not in tags)
    yield from (f"{path}: unknown element <{tag}>" for tag in tags if tag not in [*must.split(), *may.split()])
    yield from (f"{path}: <{tag}> twice" for tag in sorted(set(tags)) if tags.count(tag) > 1 and tag not in MANY)
    for child in node:
        yield from _shape(child, f"{path}/{child.tag}")


def _value(node: ET.Element, path: str) -> Iterator[str]:
    own = node.text or ""
    if not own.strip():
        yield f"{path}: holds nothing"
    if len(own) > LENGTHS.get(node.tag, 255):
        yield f"{path}: {len(own)} characters"
    if node.tag in ("Name", "RuleName") and ("," in own or own.startswith("#")):
        yield f"{path}: {own!r} is no name"
    if node.tag in WORDS and own not in WORDS[node.tag]:
        yield f"{path}: {own!r}"
    low, high = NUMBERS.get(node.tag, (None, None))
    if low is not None and high is not None and not (own.isdigit() and low <= int(own) <= high):
        yield f"{path}: {own} is not from {low} to {high}"


def _versions(entities: list[tuple[str, ET.Element]], dialect: str) -> Iterator[str]:
    tags = {entity.tag for _operation, entity in entities}
    old = dialect == "17.5"
    for tag in tags & ({"FirewallRule", "NATRule"} if old else {"SecurityPolicy"}):
        yield f"{tag} in {dialect}"
    if dialect != "20" and any(entity.find("ApplianceAccess/VPNServices") is not None for _operation, entity in entities):
        yield f"VPNServices in {dialect}"
    if old and any(entity.find("AdministrativeDistance") is not None for _operation, entity in entities):
        yield f"AdministrativeDistance in {dialect}"
    if not old and not any(entity.findtext("Name") == "Default SNAT IPv4" and entity.findtext("Status") == "Disable" for _operation, entity in entities):
        yield "the firewall's own NAT rule is left on"


def _order(entities: list[tuple[str, ET.Element]]) -> Iterator[str]:
    """Everything that is referred to is there by then."""
    there = {"Zone": {*STOCK_ZONES, "VPN", "Any"}, "Network": {"Any"}, "Service": set(), "Rule": set(), "NATRule": set(), "Port": set(), "Policy": set()}
    seen: set[tuple[str, str]] = set()
    for _operation, entity in entities:
        kind, name = entity.tag, next(filter(None, map(entity.findtext, KEYS)), "")
        if (kind, name) in seen:
            yield f"{kind} {name}: twice"
        seen.add((kind, name))
        yield from _references(entity, there)
        if kind in ("IPHost", "Services", "Zone"):
            there[{"IPHost": "Network", "Services": "Service", "Zone": "Zone"}[kind]].add(name)
        elif kind in ("Interface", "VLAN"):
            there["Port"].add(f"{entity.findtext('Interface')}.{entity.findtext('VLANID')}" if kind == "VLAN" else entity.findtext("Hardware") or "")
        elif kind in ("FirewallRule", "SecurityPolicy", "NATRule", "VPNProfile"):
            there[{"NATRule": "NATRule", "VPNProfile": "Policy"}.get(kind, "Rule")].add(name)


def _references(entity: ET.Element, there: dict[str, set[str]]) -> Iterator[str]:
    kind = entity.tag
    paths = {
        "Zone": [".//Zone", "NetworkZone", "SourceZone"],
        "Network": [".//Network", ".//Host", ".//LocalSubnet"],
        "Service": ["NetworkPolicy/Services/Service"],
    }
    paths["Policy"] = ["Configuration/Policy"]
    paths["Port"] = ["OutboundInterfaces/Interface", "Configuration/LocalWANPort", "Configuration/AliasLocalWANPort"]
    paths["Port"] += ["Interface"] if kind in ("DHCPServer", "UnicastRoute") else []
    paths["NATRule" if kind == "NATRule" else "Rule"] = ["After/Name"]
    for what, places in paths.items():
        for place in places:
            for node in entity.iterfind(place):
                if node.text not in there[what]:
                    yield f"{kind} {entity.findtext('Name')}: {what} {node.text} is not there yet"
    if (entity.findtext("Position") == "After") != (entity.find("After") is not None):
        yield f"{kind} {entity.findtext('Name')}: position {entity.findtext('Position')}"


def _addresses(entities: list[tuple[str, ET.Element]]) -> Iterator[str]:
    nets: dict[str, ipaddress.IPv4Interface] = {}
    zones: dict[str, str] = {}
    for _operation, entity in entities:
        if entity.tag in ("Interface", "VLAN"):
            port = f"{entity.findtext('Interface')}.{entity.findtext('VLANID')}" if entity.tag == "VLAN" else entity.findtext("Hardware") or ""
            zones[port] = entity.findtext("NetworkZone") or entity.findtext("Zone") or ""
            static = entity.findtext("IPv4Assignment") == "Static"
            if static == (entity.find("IPAddress") is None):
                yield f"{port}: {entity.findtext('IPv4Assignment')} and address {entity.findtext('IPAddress')}"
            if static:
                nets[port] = ipaddress.IPv4Interface(f"{entity.findtext('IPAddress')}/{entity.findtext('Netmask')}")
            gateway = entity.findtext("GatewayIP") or entity.findtext("GatewayAddress")
            if (zones[port] == "WAN") != (entity.find("GatewayName") is not None) or bool(gateway) != (static and zones[port] == "WAN"):
                yield f"{port}: gateway {entity.findtext('GatewayName')} {gateway} in zone {zones[port]}"
        if entity.tag == "DHCPServer":
            yield from _pool(entity, nets, zones)
        if entity.tag == "Services" and not re.fullmatch(r"\d+(:\d+)?", entity.findtext(".//DestinationPort") or "1"):
            yield f"Services {entity.findtext('Name')}: port {entity.findtext('.//DestinationPort')}"


def _pool(entity: ET.Element, nets: dict[str, ipaddress.IPv4Interface], zones: dict[str, str]) -> Iterator[str]:
    port = entity.findtext("Interface") or ""
    if zones.get(port) == "WAN" or port not in nets:
        yield f"DHCPServer on {port}: zone {zones.get(port)}"
        return
    inside = [
        *(entity.findtext("IPLease/IP") or "").split("-"),
        entity.findtext("Gateway") or "",
        *(node.text or "" for node in entity.iterfind(".//IPAddress")),
    ]
    yield from (f"DHCPServer on {port}: {address} is outside" for address in inside if ipaddress.ip_address(address) not in nets[port].network)
    if (entity.findtext("Gateway") == str(nets[port].ip)) != (entity.find("UseInterfaceIPasGateway") is not None):
        yield f"DHCPServer on {port}: UseInterfaceIPasGateway"
    if entity.findtext("SubnetMask") != str(nets[port].netmask):
        yield f"DHCPServer on {port}: mask"
