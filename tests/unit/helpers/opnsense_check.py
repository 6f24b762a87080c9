# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether OPNsense would take a config.xml and do what it says: elements that its models have, their values, versions, references.

The table opnsense_models.yml was made from the models of opnsense/core and opnsense/plugins at the tags of each release, and from what the older code
reads; it does not look at the room's templates.
"""

from __future__ import annotations

import ipaddress
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, Iterator

import yaml

RELEASES = ["19.7", "20.1", "22.7", "23.1", "24.1", "24.7", "25.1", "25.7", "26.1", "26.7"]
KEY = re.compile(r"wan|lan|opt[1-9][0-9]*")
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
TABLE = yaml.safe_load((Path(__file__).parent / "opnsense_models.yml").read_text(encoding="utf-8"))
# Elements that may stand more than once beside one another; of those without children only resolvers may.
ITEMS = {
    *("group", "user", "ca", "cert", "hosts", "dhcp_ranges", "dhcp_options", "staticmap"),
    *("rule", "vlan", "vip", "gateway_item", "route", "phase1", "phase2", "openvpn-server"),
    *("openvpn-client", "loopback", "subnet4", "reservation", "network", "interface", "routemap", "redistribution"),
    *("pipe", "server", "client", "Connection", "local", "remote", "child", "preSharedKey"),
}
# The version of a model that the first release of a dialect has.
MODELS = {
    "vlans": {"22.7": "1.0.0"},
    "staticroutes": {"19.7": "1.0.0", "26.7": "1.0.1"},
    "dnsmasq": {"25.7": "1.0.7", "26.1": "1.0.8", "26.7": "1.0.9"},
    "OPNsense/Gateways": {"24.1": "1.0.0"},
    "OPNsense/Interfaces/loopbacks": {"20.1": "1.0.0"},
    "OPNsense/Interfaces/settings": {"26.1": "1.0.0"},
    "OPNsense/Firewall/Filter": {"26.7": "1.0.5"},
    "OPNsense/Kea/dhcp4": {"24.7": "1.0.0", "25.1": "1.0.3", "25.7": "1.0.4", "26.7": "1.0.5"},
    "OPNsense/quagga/general": {"19.7": "1.0.1", "22.7": "1.0.2", "24.1": "1.0.3"},
    "OPNsense/TrafficShaper": {"19.7": "1.0.3"},
    "OPNsense/quagga/ospf": {"19.7": "1.0.3", "24.1": "1.0.5", "25.1": "1.1.0"},
    "OPNsense/Swanctl": {"23.1": "1.0.0"},
}


def problems(text: str, release: str) -> list[str]:
    """What is wrong with a whole configuration for a dialect's releases."""
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        return [f"not XML: {error}"]
    if root.tag != "opnsense":
        return [f"root <{root.tag}>"]
    return [*_shape(root, "", known(release)), *_models(root, release), *_names(root, release), *_references(root), *_networks(root), *_rules(root)]


def _in(release: str, span: str) -> bool:
    first, _dash, last = span.partition("-")
    here = RELEASES.index(release)
    return (not first or here >= RELEASES.index(first)) and (not last or here <= RELEASES.index(last))


def known(release: str) -> dict[str, dict[str, str]]:
    """Every element of a release with its fields, and the containers with nothing."""
    found: dict[str, dict[str, str]] = {}
    for entry in TABLE:
        if _in(release, entry.get("releases") or ""):
            found.setdefault(entry["path"], {}).update(entry["fields"])
            parts = entry["path"].split("/")
            for depth in range(1, len(parts)):
                found.setdefault("/".join(parts[:depth]), {})
    return found


def _shape(node: ET.Element, path: str, table: dict[str, dict[str, str]]) -> Iterator[str]:
    seen: dict[str, int] = {}
    fields = table.get(path, {})
    for child in node:
        name = "KEY" if path in ("interfaces", "dhcpd") and KEY.fullmatch(child.tag) else child.tag
        here = f"{path}/{name}".lstrip("/")
        seen[child.tag] = seen.get(child.tag, 0) + 1
        pattern = fields.get(name, fields.get(f"{name}!"))
        content = child.text or ""
        if here in table:
            if content.strip():
                yield f"{here}: text {content.strip()!r} beside elements"
            yield from _shape(child, here, table)
        elif pattern is None:
            yield f"{path}: unknown element <{child.tag}>"
        elif len(child) or not re.fullmatch(pattern, content):
            yield f"{here}: {content!r} does not fit"
    for tag, count in seen.items():
        if count > 1 and tag != "dnsserver" and not (tag in ITEMS and f"{path}/{tag}".lstrip("/") in table):
            yield f"{path}: <{tag}> cannot occur more than once"
    for name in fields:
        if name.endswith("!") and name[:-1] not in seen:
            yield f"{path}: lacks <{name[:-1]}>"


def _models(root: ET.Element, release: str) -> Iterator[str]:
    for path, versions in MODELS.items():
        node = root.find(path)
        newest = next((versions[own] for own in reversed(RELEASES[: RELEASES.index(release) + 1]) if own in versions), "")
        own = node.get("version", "") if node is not None else ""
        if own and (not newest or [int(part) for part in own.split(".")] > [int(part) for part in newest.split(".")]):
            yield f"{path}: version {own} is newer than {newest or 'none'} of {release}"
    uuids = [node.get("uuid", "") for node in root.iter() if "uuid" in node.attrib]
    yield from (f"uuid {own}" for own in uuids if not re.fullmatch(UUID, own))
    if len(set(uuids)) < len(uuids):
        yield "one uuid twice"


def _names(root: ET.Element, release: str) -> Iterator[str]:
    vlans = [node.findtext("vlanif") or "" for node in root.iterfind("vlans/vlan")]
    older = not _in(release, "22.7-")
    for node in root.iterfind("vlans/vlan"):
        tag = int(node.findtext("tag") or 0)
        name = node.findtext("vlanif") or ""
        if not 1 <= tag <= 4094 or len(name) > 15 or (older and name != f"{node.findtext('if')}_vlan{tag}"):
            yield f"vlan {name}: tag {tag} on {node.findtext('if')} in {release}"
    loops = [f"lo{node.text}" for node in root.iterfind("OPNsense/Interfaces/loopbacks/loopback/deviceId")]
    used = [node.text or "" for node in root.iterfind("interfaces/*/if")]
    for own in used:
        if (re.search(r"[._]", own) and own not in vlans) or (re.fullmatch(r"lo[0-9]+", own) and own not in loops):
            yield f"interface on {own}: there is no such device"
    for names in (vlans, used, [str(node.text).lower() for node in root.iterfind("interfaces/*/descr")]):
        if len(set(names)) < len(names):
            yield f"one name twice in {names}"
    if root.find("interfaces/wan") is None:
        yield "interfaces: there is no wan"


def _references(root: ET.Element) -> Iterator[str]:
    keys = {node.tag for node in root.iterfind("interfaces/*")}
    gateways = {node.text or "" for path in ("gateways", "OPNsense/Gateways") for node in root.iterfind(f"{path}/gateway_item/name")}
    for path, targets in (("interfaces/*/gateway", gateways), ("staticroutes/route/gateway", gateways | {"Null4"})):
        yield from (f"{path}: no gateway {node.text}" for node in root.iterfind(path) if node.text not in targets)
    uuids = {node.get("uuid"): node.tag for node in root.iter()}
    for tag, target in (("peers", "client"), ("target", "pipe"), ("linkedRoutemap", "routemap"), ("redistributemap", "routemap"), ("connection", "Connection")):
        for node in root.iter(tag):
            yield from (f"{tag}: no {target} {own}" for own in (node.text or "").split(",") if own and uuids.get(own) != target)
    yield from (f"reservation: no subnet {node.text}" for node in root.iterfind(".//reservation/subnet") if uuids.get(node.text) != "subnet4")
    for tag in ("interface", "interfaces", "interfacename", "passiveinterfaces"):
        for node in root.iter(tag):
            yield from (f"{tag}: no interface {own}" for own in (node.text or "").strip().split(",") if KEY.fullmatch(own) and own not in keys)
    for kind, tag in (("ca", "caref"), ("cert", "certref")):
        known_ids = {node.text for node in root.iterfind(f"{kind}/refid")}
        yield from (f"{tag}: no {kind} {node.text}" for node in root.iter(tag) if node.text not in known_ids)
    ikes = {node.text for node in root.iterfind("ipsec/phase1/ikeid")}
    yield from (f"phase2: no phase1 {node.text}" for node in root.iterfind("ipsec/phase2/ikeid") if node.text not in ikes)


def _networks(root: ET.Element) -> Iterator[str]:
    nets: dict[str, Any] = {}
    for node in root.iterfind("interfaces/*"):
        own = node.findtext("ipaddr")
        nets[node.tag] = None if own == "dhcp" else ipaddress.ip_interface(f"{own}/{node.findtext('subnet')}").network
    inside = [(node.tag, node.findtext(f"range/{end}")) for node in root.iterfind("dhcpd/*") for end in ("from", "to")]
    inside += [(node.findtext("interface") or "", node.findtext(end)) for node in root.iterfind("dnsmasq/dhcp_ranges") for end in ("start_addr", "end_addr")]
    inside += [
        (node.findtext("interface") or "", node.findtext("gateway"))
        for path in ("gateways", "OPNsense/Gateways")
        for node in root.iterfind(f"{path}/gateway_item")
    ]
    for key, address in inside:
        if nets.get(key) is None or ipaddress.ip_address(address or "0.0.0.0") not in nets[key]:
            yield f"{address} is not in {nets.get(key)} ({key})"
    for node in root.iterfind(".//subnet4"):
        own_net = ipaddress.ip_network(node.findtext("subnet") or "")
        if any(ipaddress.ip_address(end) not in own_net for end in (node.findtext("pools") or "0.0.0.0").split("-")):
            yield f"pool {node.findtext('pools')} is not in {own_net}"
    for node in root.iterfind("staticroutes/route/network"):
        if ipaddress.ip_network(node.text or "").prefixlen == 0:
            yield "staticroutes: a default route"


def _rules(root: ET.Element) -> Iterator[str]:
    mode = root.findtext("nat/outbound/mode")
    rules = [*root.iterfind("nat/outbound/rule"), *root.iterfind(".//snatrules/rule")]
    if bool(rules) != (mode in ("hybrid", "advanced")):
        yield f"nat: mode {mode} with {len(rules)} rules"
    if root.find("system/disablefilter") is not None and mode != "disabled":
        yield f"nat: mode {mode} while pf is off"
    for node in [*root.iterfind("filter/rule"), *root.iterfind(".//Filter/rules/rule")]:
        protocol = (node.findtext("protocol") or "any").lower()
        ports = [child for child in node.iter() if child.tag in ("port", "source_port", "destination_port")]
        if (ports and protocol not in ("tcp", "udp")) or (node.find("icmptype") is not None and protocol != "icmp"):
            yield f"rule {node.findtext('descr') or node.findtext('description')}: ports or a type with {protocol}"
    servers = [root.find(path) is not None for path in ("dhcpd", "dnsmasq", "OPNsense/Kea")]
    if sum(servers) > 1:
        yield "more than one DHCP server"
    members = root.findall("OPNsense/quagga/ospf/interfaces/interface/area")
    if members and root.find("OPNsense/quagga/ospf/networks/network") is not None:
        yield "ospf: networks, and areas of interfaces"
