# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether pfSense would take a config.xml and do what it says: elements it knows, names that may repeat, flags, references.

The tables were made from pfSense's own sources (listtags in xmlparse.inc, what filter.inc, interfaces.inc and services.inc read) and do not look at
the room's templates.
"""

from __future__ import annotations

import ipaddress
import re
import xml.etree.ElementTree as ET
from typing import Any, Iterator

# Names that may stand more than once beside one another; any other that does makes pfSense refuse the file.
LISTS = {"config", "dnsserver", "gateway_item", "group", "member", "priv", "route", "row", "rule", "staticmap", "user", "vip", "vlan"}
KEY = re.compile(r"wan|lan|opt[1-9][0-9]*")
MODULES = "mibii netgraph pf hostres ucd regex"
REDISTRIBUTE = [f"redistribute{name}{field}" for name in ("connectedsubnets", "kernel") for field in ("", "_metric", "_metrictype")]
KNOWN: dict[str, str] = {
    "": "version lastchange system vlans interfaces gateways staticroutes dhcpbackend dhcpd virtualip snmpd nat filter unbound installedpackages",
    "system": "optimization hostname domain dnsserver timezone timeservers group user nextuid nextgid webgui disablenatreflection "
    "disablechecksumoffloading disablesegmentationoffloading disablelargereceiveoffloading disablefilter maximumstates ssh enablesshd",
    "system/group": "name description scope gid member priv",
    "system/user": "name descr scope groupname uid priv",
    "system/webgui": "protocol",
    "system/ssh": "enable port",
    "vlans": "vlan",
    "vlans/vlan": "if tag pcp descr vlanif",
    "interfaces": "KEY",
    "interfaces/KEY": "enable if descr mtu ipaddr subnet gateway",
    "gateways": "gateway_item defaultgw4",
    "gateways/gateway_item": "interface gateway name weight ipprotocol descr defaultgw",
    "staticroutes": "route",
    "staticroutes/route": "network gateway descr",
    "dhcpd": "KEY",
    "dhcpd/KEY": "enable range gateway dnsserver domain defaultleasetime maxleasetime disableauthoritative staticmap",
    "dhcpd/KEY/range": "from to",
    "dhcpd/KEY/staticmap": "mac ipaddr hostname",
    "virtualip": "vip",
    "virtualip/vip": "mode interface uniqid descr type subnet_bits subnet",
    "snmpd": "enable syslocation syscontact rocommunity pollport modules",
    "snmpd/modules": MODULES,
    "nat": "outbound",
    "nat/outbound": "mode rule",
    "nat/outbound/rule": "interface source sourceport target targetip targetip_subnet target_subnet destination descr",
    "nat/outbound/rule/source": "network",
    "nat/outbound/rule/destination": "any",
    "filter": "rule",
    "filter/rule": "tracker type interface ipprotocol protocol icmptype source destination log disablereplyto descr",
    "filter/rule/source": "any network address port",
    "filter/rule/destination": "any network address port",
    "unbound": "enable",
    "installedpackages": "frr frrospfd frrospfdinterfaces",
    "installedpackages/frr": "config",
    "installedpackages/frr/config": "enable password logging routerid",
    "installedpackages/frrospfd": "config",
    "installedpackages/frrospfd/config": "enable routerid defaultarea defaultareatype redistributedefaultroute row " + " ".join(REDISTRIBUTE),
    "installedpackages/frrospfd/config/row": "routevalue routearea",
    "installedpackages/frrospfdinterfaces": "config",
    "installedpackages/frrospfdinterfaces/config": "interface networktype interfacearea metric passive hellointervalinseconds deadtimer",
}
# On when the element is there, whatever it holds: it must hold nothing.
FLAGS = {
    *(f"system/disable{name}offloading" for name in ("checksum", "segmentation", "largereceive")),
    *("interfaces/KEY/enable", "dhcpd/KEY/enable", "dhcpd/KEY/disableauthoritative", "snmpd/enable", "unbound/enable", "gateways/gateway_item/defaultgw"),
    *("filter/rule/log", "filter/rule/disablereplyto", "filter/rule/source/any", "filter/rule/destination/any", "nat/outbound/rule/destination/any"),
    *(f"snmpd/modules/{name}" for name in MODULES.split()),
}
EMPTY = {"lastchange", "vlans/vlan/pcp", "gateways/gateway_item/descr", "snmpd/syslocation", "snmpd/syscontact"}
EMPTY |= {f"nat/outbound/rule/{name}" for name in ("sourceport", "target", "targetip", "targetip_subnet", "target_subnet")}


def problems(text: str) -> list[str]:
    """What is wrong with a whole configuration."""
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        return [f"not XML: {error}"]
    if root.tag != "pfsense":
        return [f"root <{root.tag}>"]
    revision = tuple(int(part) for part in (root.findtext("version") or "0").split("."))
    return [
        *_shape(root, ""),
        *_interfaces(root, revision),
        *_hops(root, revision),
        *_dhcp(root),
        *_rules(root),
        *_nat(root, revision),
        *_ospf(root),
        *_system(root, revision),
    ]


def _shape(node: ET.Element, path: str) -> Iterator[str]:
    allowed = KNOWN.get(path, "").split()
    seen: set[str] = set()
    for child in node:
        name = "KEY" if allowed == ["KEY"] and KEY.fullmatch(child.tag) else child.tag
        here = f"{path}/{name}".lstrip("/")
        if name not in allowed:
            yield f"{path}: unknown element <{child.tag}>"
            continue
        if child.tag in seen and child.tag not in LISTS:
            yield f"{path}: <{child.tag}> cannot occur more than once"
        seen.add(child.tag)
        content = (child.text or "").strip()
        if here in FLAGS and (content or len(child)):
            yield f"{here}: a flag holds {content!r}"
        if here not in FLAGS | EMPTY and not content and not len(child):
            yield f"{here}: holds nothing"
        if here in KNOWN and content:
            yield f"{here}: text {content!r} beside elements"
        yield from _shape(child, here)


def _nets(root: ET.Element) -> dict[str, Any]:
    """The network of each interface, None with DHCP."""
    found: dict[str, Any] = {}
    for node in root.iterfind("interfaces/*"):
        address = node.findtext("ipaddr")
        found[node.tag] = None if address == "dhcp" else ipaddress.ip_interface(f"{address}/{node.findtext('subnet')}")
    return found


def _interfaces(root: ET.Element, revision: tuple[int, ...]) -> Iterator[str]:
    form = "{}.{}" if revision >= (17, 1) else "{}_vlan{}"
    vlans = {}
    for node in root.iterfind("vlans/vlan"):
        tag = int(node.findtext("tag") or 0)
        if not 1 <= tag <= 4094 or node.findtext("vlanif") != form.format(node.findtext("if"), tag):
            yield f"vlan {node.findtext('vlanif')}: tag {tag} on {node.findtext('if')}"
        vlans[node.findtext("vlanif")] = node
    used, names = [node.findtext("if") for node in root.iterfind("interfaces/*")], [node.findtext("descr") for node in root.iterfind("interfaces/*")]
    if root.find("interfaces/wan") is None:
        yield "interfaces: there is no wan"
    for own in used:
        if re.search(r"[._]", own or "") and own not in vlans:
            yield f"interface on {own}: no such VLAN"
    if len(set(used)) < len(used) or len({str(name).lower() for name in names}) < len(names):
        yield "interfaces: one device or one name twice"
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9_]+", name or ""):
            yield f"interface {name!r}: no macro of pf"
    for node in root.iterfind("virtualip/vip"):
        if node.findtext("interface") != "lo0" or node.findtext("mode") != "ipalias" or not re.fullmatch(r"[a-z0-9]+", node.findtext("uniqid") or ""):
            yield f"vip {node.findtext('subnet')}: interface, mode or uniqid"


def _hops(root: ET.Element, revision: tuple[int, ...]) -> Iterator[str]:
    nets, names = _nets(root), set()
    for node in root.iterfind("gateways/gateway_item"):
        name, key = node.findtext("name") or "", node.findtext("interface") or ""
        net = nets.get(key)
        if not re.fullmatch(r"[A-Za-z0-9_]{1,31}", name) or name in names:
            yield f"gateway {name!r}: name"
        if net is None or ipaddress.ip_address(node.findtext("gateway") or "") not in net.network:
            yield f"gateway {name}: not behind {key}"
        names.add(name)
    default = root.findtext("gateways/defaultgw4")
    flags = root.findall("gateways/gateway_item/defaultgw")
    if len(flags) > 1 or (flags and revision >= (18, 3)) or (default and (revision < (18, 3) or default not in names)):
        yield f"gateways: default {default!r} and {len(flags)} flags in revision {revision}"
    for path, known in (("interfaces/*/gateway", names), ("staticroutes/route/gateway", names | {"Null4"})):
        for node in root.iterfind(path):
            if node.text not in known:
                yield f"{path}: no gateway {node.text}"
    for node in root.iterfind("staticroutes/route/network"):
        if ipaddress.ip_network(node.text or "").prefixlen == 0:
            yield "staticroutes: a default route"


def _dhcp(root: ET.Element) -> Iterator[str]:
    nets = _nets(root)
    for node in root.iterfind("dhcpd/*"):
        net = nets.get(node.tag)
        if net is None:
            yield f"dhcpd/{node.tag}: no interface with an address"
            continue
        inside = [node.findtext("range/from"), node.findtext("range/to"), *(host.findtext("ipaddr") for host in node.iterfind("staticmap"))]
        inside += [node.findtext("gateway")] if node.findtext("gateway") != "none" else []
        for address in inside:
            if ipaddress.ip_address(address or "0.0.0.0") not in net.network:
                yield f"dhcpd/{node.tag}: {address} is not in {net.network}"
        if not 1 <= len(node.findall("dnsserver")) <= 4:
            yield f"dhcpd/{node.tag}: {len(node.findall('dnsserver'))} resolvers"
        if int(node.findtext("maxleasetime") or 0) < int(node.findtext("defaultleasetime") or 0):
            yield f"dhcpd/{node.tag}: lease times"


def _rules(root: ET.Element) -> Iterator[str]:
    keys = {node.tag for node in root.iterfind("interfaces/*")}
    trackers: set[int] = set()
    for node in root.iterfind("filter/rule"):
        tracker = int(node.findtext("tracker") or 0)
        own = f"rule {tracker}"
        if tracker in trackers or not 0 < tracker < 2**32:
            yield f"{own}: tracker"
        trackers.add(tracker)
        if node.findtext("type") not in ("pass", "block", "reject") or node.findtext("interface") not in keys:
            yield f"{own}: type {node.findtext('type')} on {node.findtext('interface')}"
        if node.findtext("icmptype") and (node.findtext("protocol") != "icmp" or node.findtext("icmptype") not in ("echoreq", "echorep", "unreach", "timex")):
            yield f"{own}: icmptype {node.findtext('icmptype')}"
        for end in node.iterfind("source"), node.iterfind("destination"):
            for side in end:
                yield from _side(own, side, node.findtext("protocol"), keys)
        if "\\" in (node.findtext("descr") or ""):
            yield f"{own}: no label of pf"


def _side(own: str, side: ET.Element, protocol: str | None, keys: set[str]) -> Iterator[str]:
    kinds = [child.tag for child in side if child.tag != "port"]
    if len(kinds) != 1:
        yield f"{own}: {side.tag} is {kinds}"
    network, port = side.findtext("network"), side.findtext("port")
    if network is not None and network not in keys | {"(self)"} | {f"{key}ip" for key in keys}:
        yield f"{own}: network {network}"
    if side.findtext("address"):
        ipaddress.ip_network(side.findtext("address") or "")
    if port is not None and (protocol not in ("tcp", "udp") or not re.fullmatch(r"[0-9]{1,5}(-[0-9]{1,5})?", port)):
        yield f"{own}: port {port} with {protocol}"


def _nat(root: ET.Element, revision: tuple[int, ...]) -> Iterator[str]:
    keys = {node.tag for node in root.iterfind("interfaces/*")}
    mode, rules = root.findtext("nat/outbound/mode"), root.findall("nat/outbound/rule")
    if mode not in ("automatic", "hybrid", "advanced", "disabled") or bool(rules) != (mode in ("hybrid", "advanced")):
        yield f"nat: mode {mode} with {len(rules)} rules"
    if root.find("system/disablefilter") is not None and mode != "disabled":
        yield f"nat: mode {mode} while pf is off"
    for node in rules:
        key = node.findtext("interface")
        wanted = f"{key}ip" if revision >= (23, 0) else ""
        if key not in keys or (node.findtext("target") or "") != wanted or (node.find("targetip") is None) != (revision >= (23, 0)):
            yield f"nat: rule on {key} to {node.findtext('target')!r} in revision {revision}"


def _ospf(root: ET.Element) -> Iterator[str]:
    if root.find("installedpackages") is None:
        return
    keys = {node.tag for node in root.iterfind("interfaces/*")}
    for path in ("frr", "frrospfd"):
        if root.findtext(f"installedpackages/{path}/config/enable") != "on":
            yield f"{path}: not enabled"
    members = [node.text for node in root.iterfind("installedpackages/frrospfdinterfaces/config/interface")]
    rows = root.findall("installedpackages/frrospfd/config/row")
    if bool(members) == bool(rows):
        yield f"ospf: {len(members)} interfaces and {len(rows)} networks"
    yield from (f"ospf: interface {name}" for name in members if name not in keys)
    for node in root.iterfind("installedpackages/frrospfdinterfaces/config"):
        if node.findtext("networktype") not in ("broadcast", "non-broadcast", "point-to-multipoint", "point-to-point"):
            yield f"ospf: network type {node.findtext('networktype')}"


def _system(root: ET.Element, revision: tuple[int, ...]) -> Iterator[str]:
    if root.find("dhcpbackend") is not None and (revision < (23, 3) or root.findtext("dhcpbackend") not in ("isc", "kea")):
        yield f"dhcpbackend {root.findtext('dhcpbackend')} in revision {revision}"
    for path, wanted in (("enablesshd", revision < (18, 9)), ("ssh/enable", revision >= (18, 9))):
        if root.find(f"system/{path}") is not None and not wanted:
            yield f"system/{path} in revision {revision}"
    if root.findtext("snmpd/rocommunity") is not None:
        for name in ("syslocation", "syscontact", "rocommunity"):
            if re.search(r'["\\$]', root.findtext(f"snmpd/{name}") or ""):
                yield f"snmpd/{name}: bsnmpd"
