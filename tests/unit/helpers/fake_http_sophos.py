# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A firewall that plays the XML API of Sophos: POST /webconsole/APIController, field reqxml; Get, Set (add, update), Remove.

Modelled on the published pages of the API (frame, tags, codes 200, 500 to 503, 532, 534, what is mandatory), the vendor's Python SDK (login,
`No. of records Zero.`, 502 of a name that is there, HTTP 200 for everything, `Status` of 532 and 534 above the entities), and what users report
(547 of a VLAN that is updated without its Hardware, 501 with InvalidParams for an empty IPv6Assignment). What an entity must have is the table of
`sophos_check`. It fills elements in as a firewall does, encrypts keys (`hashform`), gives rules their place, and forgets nothing at a restart.

Made up, because nothing published has them: the codes and words of removing what is referred to and of changing what is not there.
"""
from __future__ import annotations

import copy
import urllib.parse
import xml.etree.ElementTree as ET
from typing import Any, Iterator, Mapping

import sophos_check
from fake_http import Answer, FakeHttp

RULES = ("FirewallRule", "SecurityPolicy", "NATRule")
ONE = ("DNS", "AdminSettings", "Time", "SNMPAgentConfiguration")
ACCESS = (
    "<ApplianceAccess><AdminServices><HTTPS>Enable</HTTPS><SSH>Enable</SSH></AdminServices>"
    "<NetworkServices><DNS>Enable</DNS><Ping>Enable</Ping></NetworkServices></ApplianceAccess>"
)
PORT = (
    "<Interface><Name>{n}</Name><Hardware>{n}</Hardware><NetworkZone>{zone}</NetworkZone><IPv4Configuration>{on}</IPv4Configuration>"
    "<IPv4Assignment>{how}</IPv4Assignment>{address}<IPv6Configuration>Disable</IPv6Configuration><IPv6Assignment>Static</IPv6Assignment>"
    "<InterfaceSpeed>Auto Negotiate</InterfaceSpeed><AutoNegotiation>Enable</AutoNegotiation><MTU>1500</MTU>"
    "<MSS><OverrideMSS>Disable</OverrideMSS><MSSValue>1460</MSSValue></MSS><MACAddress>Default</MACAddress></Interface>"
)
STATIC = "<IPAddress>{}</IPAddress><Netmask>255.255.255.0</Netmask>"
STOCK = (
    "".join(f"<Zone><Name>{name}</Name><Type>{name}</Type><Description/>{ACCESS if name == 'LAN' else ''}</Zone>" for name in ("LAN", "WAN", "DMZ", "VPN"))
    + PORT.format(n="Port1", zone="LAN", on="Enable", how="Static", address=STATIC.format("172.16.16.16"))
    + PORT.format(n="Port2", zone="WAN", on="Enable", how="DHCP", address="<GatewayName>DHCP_Port2_GW</GatewayName>")
    + "".join(PORT.format(n=f"Port{n}", zone="None", on="Disable", how="Static", address="") for n in (3, 4, 5))
    + PORT.format(n="Port8", zone="MGMT", on="Enable", how="Static", address="<IPAddress>127.0.0.1</IPAddress><Netmask>255.0.0.0</Netmask>")
    + f"<Zone><Name>MGMT</Name><Type>LAN</Type><Description>ours</Description>{ACCESS}</Zone>"
    + "<SNMPAgentConfiguration><Configuration>Disable</Configuration><Name/><AgentPort>161</AgentPort></SNMPAgentConfiguration>"
    + "<DNS><IPv4Settings><ObtainDNSFrom>DHCP</ObtainDNSFrom></IPv4Settings><IPv6Settings><ObtainDNSFrom>DHCP</ObtainDNSFrom></IPv6Settings></DNS>"
    + "<AdminSettings><HostnameSettings><HostName>firewall</HostName></HostnameSettings><WebAdminSettings><HTTPSport>4444</HTTPSport></WebAdminSettings>"
    + "</AdminSettings><Time><TimeZone>Europe/London</TimeZone><PredefinedNTPServer>Enable</PredefinedNTPServer></Time>"
)
STOCK_RULE = (
    "<{tag}><Name>Theirs</Name><IPFamily>IPv4</IPFamily><Status>Enable</Status><Position>Top</Position><PolicyType>Network</PolicyType><NetworkPolicy>"
    "<Action>Accept</Action><LogTraffic>Enable</LogTraffic><Schedule>All The Time</Schedule></NetworkPolicy></{tag}>"
)
STOCK_NAT = (
    "<NATRule><Name>Default SNAT IPv4</Name><IPFamily>IPv4</IPFamily><Status>Enable</Status><Position>Top</Position>"
    "<LinkedFirewallrule>None</LinkedFirewallrule><TranslatedDestination>Original</TranslatedDestination><TranslatedService>Original</TranslatedService>"
    "<OverrideInterfaceNATPolicy>Disable</OverrideInterfaceNATPolicy><TranslatedSource>MASQ</TranslatedSource></NATRule>"
)
FILLED = {
    "FirewallRule": {"NetworkPolicy/SkipLocalDestined": "Disable", "NetworkPolicy/WebFilter": "None", "NetworkPolicy/ScanFTP": "Disable"},
    "SecurityPolicy": {"NetworkPolicy/WebFilter": "None", "NetworkPolicy/PrimaryGateway": "", "NetworkPolicy/RoutethroughGateway": "Rewrite source"},
    "NATRule": {"OriginalDestinationNetworks/Network": "Any", "NATMethod": "RoundRobin"},
    "DHCPServer": {"Status": "1", "DHCPOptions": "", "SendGatewayInfo": "Enable"},
    "VLAN": {"Status": "Connected, Static", "MTU": "1500"},
    "LocalServiceACL": {},
}


class FakeHttpSophos(FakeHttp):
    """One firewall."""

    def __init__(self, dialect: str = "18", number: str = "1800.1") -> None:
        super().__init__()
        self.dialect, self.number = dialect, number
        self.users = {"admin": "admin-Pass_1"}
        self.disabled = self.not_allowed = False
        self.refuse: dict[str, tuple[int, str]] = {}
        """Title of an entity: code and words that it is refused with."""
        self.warn: dict[str, tuple[int, str]] = {}
        stock = STOCK + STOCK_RULE.format(tag="SecurityPolicy" if dialect == "17.5" else "FirewallRule") + ("" if dialect == "17.5" else STOCK_NAT)
        self.entities: list[ET.Element] = list(ET.fromstring(f"<All>{stock}</All>"))
        for entity in self.entities:
            fill(entity)
        self.place()

    def label(self, path: str, body: bytes) -> str:
        request = self._request(body)
        for part in request:
            if part.tag in ("Get", "Set", "Remove"):
                return f"{part.tag} {part.get('operation', '')} {' '.join(f'{child.tag} {name_of(child)}'.strip() for child in part)}".replace("  ", " ")
        return "Login"

    @staticmethod
    def _request(body: bytes) -> ET.Element:
        return ET.fromstring(urllib.parse.parse_qs(body.decode())["reqxml"][0].encode())

    def state(self) -> str:
        """Everything, for comparing: a text a line; rules in their order, the rest by name."""
        ordered = sorted(self.entities, key=lambda entity: (entity.tag, self._rank(entity)))
        return "\n".join(f"{entity.tag} {name_of(entity)} {line}" for entity in ordered for line in sorted(_texts(entity)))

    def _rank(self, entity: ET.Element) -> str:
        same = [other for other in self.entities if other.tag == entity.tag]
        return f"{same.index(entity):04d}" if entity.tag in RULES else name_of(entity)

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        if path != "/webconsole/APIController":
            return 404, {}, b"<html>404</html>"
        request = self._request(body)
        response = ET.Element("Response", APIVersion=self.number, IPS_CAT_VER="1")
        above = (532, "API access is not enabled.") if self.disabled else (534, "API operations are not allowed from the requester IP address.")
        if self.disabled or self.not_allowed:
            status(response, *above)
            return self._xml(response)
        known = self.users.get(request.findtext("Login/Username") or "") == request.findtext("Login/Password")
        ET.SubElement(ET.SubElement(response, "Login"), "status").text = "Authentication Successful" if known else "Authentication Failure"
        for part in request if known else []:
            if part.tag == "Get":
                response.extend(self._get([child.tag for child in part]))
            elif part.tag in ("Set", "Remove"):
                for entity in part:
                    response.append(self._change("remove" if part.tag == "Remove" else part.get("operation") or "", entity))
        return self._xml(response)

    @staticmethod
    def _xml(response: ET.Element) -> Answer:
        return 200, {"Content-Type": "text/xml"}, ET.tostring(response, encoding="utf-8", xml_declaration=True)

    def _get(self, tags: list[str]) -> Iterator[ET.Element]:
        for tag in tags:
            found = [copy.deepcopy(entity) for entity in self.entities if entity.tag == tag]
            for entity in found:
                entity.set("transactionid", "")
                yield entity
            if not found:
                empty = ET.Element(tag, transactionid="")
                ET.SubElement(empty, "Status").text = "No. of records Zero."
                yield empty

    def _change(self, operation: str, entity: ET.Element) -> ET.Element:
        answer = ET.Element(entity.tag, transactionid="")
        title = f"{entity.tag} {name_of(entity)}".strip()
        problem = self.refuse.get(title) or (self._remove(entity) if operation == "remove" else self._set(operation, entity))
        if problem and len(problem) > 2:
            ET.SubElement(ET.SubElement(answer, "InvalidParams"), "Params").text = str(problem[2])
        status(answer, *(problem or self.warn.get(title) or (200, "Configuration applied successfully."))[:2])
        return answer

    def find(self, tag: str, name: str = "") -> ET.Element | None:
        return next((other for other in self.entities if other.tag == tag and name_of(other) == name), None)

    def _set(self, operation: str, entity: ET.Element) -> Any:
        old = self.find(entity.tag, name_of(entity))
        if operation == "add" and old is not None:
            return 502, "Operation failed. Entity having same name already exists."
        if operation == "update" and old is None:
            return 541, "Operation failed. There is no such entity."
        if operation == "add" and entity.tag in (*ONE, "Interface"):
            return 500, "Operation could not be performed on Entity."
        if entity.tag == "UnicastRoute" and operation == "update":
            return 500, "Operation could not be performed on Entity."
        if entity.tag == "VLAN" and operation == "update" and not entity.findtext("Hardware"):
            return 547, "Operation failed."
        problem = self._validate(entity)
        return problem or self._store(entity, old)

    def _validate(self, entity: ET.Element) -> Any:
        must = sophos_check.KNOWN.get(entity.tag)
        if must is None:
            return 529, "Input request module is Invalid."
        words = must.partition("|")[0].split()
        missing = [tag for tag in words if entity.find(tag) is None and entity.tag not in (*ONE, "Zone")]
        if entity.find("IPv6Assignment") is not None and not entity.findtext("IPv6Assignment"):
            missing.append("IPv6Assignment")
        missing += [place for place, _tag, name in references(entity) if not self._there(_tag, name)]
        return (501, "Configuration parameters validation failed.", f"/{entity.tag}/{missing[0]}") if missing else None

    def _there(self, tag: str, name: str) -> bool:
        if tag == "Port":
            ports = [f"{item.findtext('Interface')}.{item.findtext('VLANID')}" for item in self.entities if item.tag == "VLAN"]
            return name in ports or self.find("Interface", name) is not None
        if tag == "Rule":
            return any(self.find(own, name) is not None for own in RULES)
        if tag == "Services" and name in ("HTTPS", "SSH", "DNS", "Ping/Ping6", "SNMP"):
            return True
        return name in ("Any", "None") or self.find(tag, name) is not None

    def _store(self, entity: ET.Element, old: ET.Element | None) -> None:
        new = copy.deepcopy(entity)
        new.attrib.clear()
        fill(new)
        for key in new.iter("PresharedKey"):
            if key.get("hashform") is None:
                key.set("hashform", "mode1")
                key.text = "$sfos$7$0$" + str(sum(map(ord, key.text or "")))
        if new.tag == "VLAN" and new.find("Hardware") is None:
            ET.SubElement(new, "Hardware").text = f"{new.findtext('Interface')}.{new.findtext('VLANID')}"
        at = self.entities.index(old) if old is not None else len(self.entities)
        if old is not None:
            self.entities.remove(old)
        self.entities.insert(self._at(new, at, old is not None), new)
        self.place()

    def _at(self, new: ET.Element, at: int, known: bool) -> int:
        if new.tag not in RULES:
            return at
        same = [index for index, other in enumerate(self.entities) if other.tag == new.tag]
        before = self.find(new.tag, new.findtext("After/Name") or "")
        if new.findtext("Position") == "After" and before is not None:
            return self.entities.index(before) + 1
        if new.findtext("Position") == "Bottom":
            return same[-1] + 1 if same else len(self.entities)
        return same[0] if same else len(self.entities)

    def place(self) -> None:
        """Every rule says where it stands."""
        last: dict[str, str] = {}
        for entity in self.entities:
            if entity.tag in RULES:
                for child in [child for child in entity if child.tag in ("Position", "After")]:
                    entity.remove(child)
                ET.SubElement(entity, "Position").text = "After" if entity.tag in last else "Top"
                if entity.tag in last:
                    ET.SubElement(ET.SubElement(entity, "After"), "Name").text = last[entity.tag]
                last[entity.tag] = name_of(entity)

    def _remove(self, entity: ET.Element) -> Any:
        old = self.find(entity.tag, name_of(entity))
        if old is None:
            return 541, "Operation failed. There is no such entity."
        users = [other for other in self.entities for _place, tag, name in references(other) if (tag, name) == (old.tag, name_of(old)) and other is not old]
        if users:
            return 544, f"Operation failed. Entity is referred to by {name_of(users[0])}."
        self.entities.remove(old)
        self.place()
        return None


def fill(entity: ET.Element) -> None:
    """What a firewall writes beside what it was told."""
    for path, text in FILLED.get(entity.tag, {}).items():
        place, _mark, tag = path.rpartition("/")
        parent = entity.find(place) if place else entity
        if parent is None:
            parent = ET.SubElement(entity, place)
        if parent.find(tag) is None:
            ET.SubElement(parent, tag).text = text


def name_of(entity: ET.Element) -> str:
    if entity.tag in ONE:
        return ""
    if entity.tag == "VLAN":
        return f"{entity.findtext('Interface')}.{entity.findtext('VLANID')}"
    return next(filter(None, map(entity.findtext, ("Hardware", "Name", "RuleName", "DestinationIP", "Configuration/Name"))), "")


def references(entity: ET.Element) -> Iterator[tuple[str, str, str]]:
    """Place, kind and name of what an entity refers to."""
    places = {
        "Zone": ["NetworkZone", "Zone", "SourceZone", "NetworkPolicy/SourceZones/Zone", "NetworkPolicy/DestinationZones/Zone"],
        "IPHost": [f"NetworkPolicy/{end}Networks/Network" for end in ("Source", "Destination")] + ["Hosts/Host", "OriginalSourceNetworks/Network"],
        "Services": ["NetworkPolicy/Services/Service", "Services/Service"],
        "Port": ["OutboundInterfaces/Interface"] + (["Interface"] if entity.tag in ("DHCPServer", "UnicastRoute", "VLAN") else []),
        "Rule": ["After/Name"],
        "VPNProfile": ["Configuration/Policy"],
    }
    for tag, paths in places.items():
        for path in paths:
            for node in entity.iterfind(path):
                if node.text:
                    yield path, tag, node.text


def _texts(entity: ET.Element, path: str = "") -> Iterator[str]:
    for child in entity:
        if (child.text or "").strip():
            yield f"{path}{child.tag}={(child.text or '').strip()} {sorted(child.attrib.items()) or ''}".strip()
        yield from _texts(child, f"{path}{child.tag}/")


def status(parent: ET.Element, code: int, words: str) -> None:
    ET.SubElement(parent, "Status", code=str(code)).text = words
