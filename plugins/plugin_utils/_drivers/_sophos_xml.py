# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Entities of the XML API of Sophos Firewall: what names one, when two are the same, what one becomes; pure.

A firewall answers with more than it was sent: elements that it fills in, keys that it has
encrypted. So what is wanted is looked for in what is there; elements that the room can write and
did not write for this entity (`OPTIONAL`) must not be there.
"""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from typing import Iterator, NamedTuple

# There is one of each, or one per port: what a file does not name stays as it was read.
SINGLE = ("DNS", "AdminSettings", "Time", "SNMPAgentConfiguration")
MERGED = (*SINGLE, "Interface")
RULES = ("FirewallRule", "SecurityPolicy", "NATRule")
NAMES = {"LocalServiceACL": "RuleName", "VPNIPSecConnection": "Configuration/Name", "Interface": "Hardware"}
NETWORK_POLICY = tuple(
    f"NetworkPolicy/{path}"
    for path in ("SourceZones/Zone", "DestinationZones/Zone", "SourceNetworks/Network", "DestinationNetworks/Network", "Services/Service")
)
ADDRESS = ("IPAddress", "Netmask", "GatewayName", "GatewayIP", "GatewayAddress")
SERVICES = ("AdminServices", "AuthenticationServices", "NetworkServices", "OtherServices", "VPNServices")
OPTIONAL = {
    "FirewallRule": NETWORK_POLICY,
    "SecurityPolicy": (*NETWORK_POLICY, "NetworkPolicy/ApplyNAT", "NetworkPolicy/OutboundAddress"),
    "NATRule": ("OriginalSourceNetworks/Network", "OutboundInterfaces/Interface", "OriginalDestinationNetworks/Network", "OriginalServices/Service"),
    "LocalServiceACL": ("Hosts/Host",),
    "Interface": ADDRESS,
    "VLAN": ADDRESS,
    "DHCPServer": ("DomainName", "SecondaryDNSServer", "StaticLease/Lease/HostName", "StaticLease/Lease/MACAddress", "StaticLease/Lease/IPAddress"),
    "UnicastRoute": ("AdministrativeDistance",),
    "DNS": ("IPv4Settings/DNSIPList/DNS2", "IPv4Settings/DNSIPList/DNS3"),
    "Time": ("CustomNTPServer/NTPServer",),
    "IPHost": ("Subnet",),
}
# As good as an element that is not there.
NOTHING = ("", "Any", "None", "0", "0.0.0.0")
# Where an entity stands in its list is not part of it.
PLACE = ("Position", "After/Name", "Before/Name")
CONCEALED = ("hashform", "passwordform")

Key = tuple[str, str]


class Difference(NamedTuple):
    sign: str
    path: str
    value: str


def key_of(entity: ET.Element) -> Key:
    """What tells an entity from others of its kind."""
    tag = entity.tag
    if tag in SINGLE:
        return tag, ""
    if tag == "VLAN":
        return tag, f"{entity.findtext('Interface', '').strip()}.{entity.findtext('VLANID', '').strip()}"
    if tag == "UnicastRoute":
        return tag, f"{entity.findtext('DestinationIP', '').strip()}/{entity.findtext('Netmask', '').strip()}"
    return tag, (entity.findtext(NAMES.get(tag, "Name")) or entity.findtext("Name") or "").strip()


def leaves(entity: ET.Element, prefix: str = "") -> Iterator[tuple[str, str, bool]]:
    """Path, text, and whether the firewall keeps the text to itself, of all elements that hold a text."""
    for child in entity:
        path = f"{prefix}{child.tag}"
        if len(child):
            yield from leaves(child, f"{path}/")
        elif (child.text or "").strip():
            yield path, (child.text or "").strip(), any(name in child.attrib for name in CONCEALED)


def values_of(entity: ET.Element) -> dict[str, list[str]]:
    """The texts by path, without the place in a list and without services that are off."""
    found: dict[str, list[str]] = {}
    for path, text, _concealed in leaves(entity):
        off = text == "Disable" and path.split("/")[0] == "ApplianceAccess"
        if path not in PLACE and not off:
            found.setdefault(path, []).append(text)
    return found


def differences(wanted: ET.Element, found: ET.Element) -> list[Difference]:
    """What an entity has to become."""
    want, have = values_of(wanted), values_of(found)
    concealed = {path for path, _text, hidden in leaves(found) if hidden}
    result: list[Difference] = []
    for path in [*want, *(path for path in have if path not in want)]:
        old, new = have.get(path, []), want.get(path, [])
        if path in concealed or _same(path, old, new) or (path not in want and not _counts(wanted.tag, path, old)):
            continue
        result += [Difference("-", path, text) for text in old if text not in new]
        result += [Difference("+", path, text) for text in new if text not in old]
        if sorted(old) == sorted(new) or set(old) == set(new):
            result += [Difference("-", path, ", ".join(old)), Difference("+", path, ", ".join(new))]
    return result


def _same(path: str, old: list[str], new: list[str]) -> bool:
    if path.rpartition("/")[2] == "Action":
        return [text.lower() for text in old] == [text.lower() for text in new]
    # leases are triples; everything else that stands several times is a set
    return old == new or ("Lease/" not in path and sorted(old) == sorted(new))


def _counts(tag: str, path: str, old: list[str]) -> bool:
    """Whether an element that nobody wants is a difference."""
    if path.split("/")[0] == "ApplianceAccess":
        return True
    return path in OPTIONAL.get(tag, ()) and any(text not in NOTHING for text in old)


def merged(wanted: ET.Element, found: ET.Element) -> ET.Element:
    """What is sent to update an entity."""
    if wanted.tag not in MERGED:
        result = copy.deepcopy(wanted)
        hardware = found.find("Hardware")
        if wanted.tag == "VLAN" and hardware is not None and wanted.find("Hardware") is None:
            result.insert(1, copy.deepcopy(hardware))
        return result
    result = copy.deepcopy(found)
    result.attrib.clear()
    for path in OPTIONAL.get(wanted.tag, ()):
        parent = result.find(path.rpartition("/")[0]) if "/" in path else result
        for child in list(parent if parent is not None else []):
            if child.tag == path.rpartition("/")[2]:
                parent.remove(child)  # type: ignore[union-attr]  # a parent without children has no child to remove
    _put(result, wanted)
    return result


def _put(target: ET.Element, source: ET.Element) -> None:
    for tag in dict.fromkeys(child.tag for child in source):
        new, old = source.findall(tag), target.findall(tag)
        if len(new) == 1 and len(old) == 1 and len(new[0]) and len(old[0]):
            _put(old[0], new[0])
            continue
        at = list(target).index(old[0]) if old else len(target)
        for child in old:
            target.remove(child)
        for offset, child in enumerate(new):
            target.insert(at + offset, copy.deepcopy(child))


def canonical(entity: ET.Element) -> tuple[tuple[str, str], ...]:
    """An entity as it is, for telling whether anything of it changed; only its place is left out."""
    return tuple((path, text) for path, text, _hidden in leaves(entity) if path not in PLACE)


def split(entity: ET.Element) -> list[ET.Element]:
    """IPsec connections come several in one element."""
    if entity.tag != "VPNIPSecConnection":
        return [entity]
    result = []
    for configuration in entity.findall("Configuration"):
        own = ET.Element(entity.tag)
        own.append(configuration)
        result.append(own)
    return result


def text_of(entity: ET.Element) -> str:
    """As it is sent, without the attributes of an answer."""
    own = copy.deepcopy(entity)
    own.attrib.clear()
    for node in own.iter():
        node.tail = None
        node.text = node.text if (node.text or "").strip() else None
    return ET.tostring(own, encoding="unicode")
