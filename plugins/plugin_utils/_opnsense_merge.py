# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the lab says of an OPNsense router, put into the config.xml that the router has.

Only what the room renders is touched. OPNsense writes every field of a model when it saves it, and gives a uuid to what has none: an element
that says what is rendered, and beside it nothing but empty fields, zeros and defaults, stays as it is.
"""

from __future__ import annotations

import fnmatch
from typing import Callable, Collection, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._config_merge import (
    FIRST,
    MARK,
    OWN,
    SET,
    MergeError,
    Spec,
    at,
    below,
    check_root,
    parsed,
    spliced,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_opnsense import OURS
from ansible_collections.routerlab.bench.plugins.plugin_utils._xml_splice import Node, Splice

BOOKKEEPING = ("created", "updated")
REFERRED = ("pipe", "client", "server", "routemap", "Connection", "subnet4")
"""Elements that others name by their uuid."""
DEFAULTS = {
    **{"enabled": "1", "quick": "1", "match-client-id": "1", "authkey_id": "1", "cost_demoted": "65535", "statetype": "keep", "direction": "in"},
    **{"source_net": "any", "destination_net": "any", "protocol": "any", "domain_type": "range", "mask": "none", "mode": "tunnel"},
}
"""What models write beside what is rendered; any other field is off when it is 0."""
LATER = ("subnet_id",)
"""What the first releases of a dialect do not have, and lose when they save."""
MADE_THERE = ("pubkey",)
"""What OPNsense works out itself from what is rendered."""
TUNNELS = ("wireguard", "openvpn", "enc0")
UNITED = (("system", "firmware", "plugins"), ("dnsmasq", "interface"), ("OPNsense", "Kea", "dhcp4", "general", "interfaces"))
"""Lists in one element, of which the lab has a part."""

INTERFACE: Spec = dict.fromkeys(
    ("enable", "if", "descr", "mtu", "ipaddr", "subnet", "gateway", "blockpriv", "blockbogons", "alias-address", "alias-subnet"), OWN
)
OFFLOADS = ("disablechecksumoffloading", "disablesegmentationoffloading", "disablelargereceiveoffloading")
SYSTEM: Spec = {
    **dict.fromkeys(("hostname", "domain", "timezone"), SET),
    **dict.fromkeys(("dnsserver", "timeservers", "maximumstates", "disablefilter", *OFFLOADS), OWN),
    "ssh": {**dict.fromkeys(("enabled", "port"), OWN), **dict.fromkeys(("permitrootlogin", "passwordauth", "noauto", "group"), SET)},
    "firmware": {"plugins": SET},
}


def merge(existing: bytes, rendered: bytes, models: Mapping[str, str], retired: Collection[str] = ()) -> bytes:
    """The router's file with the lab's part in it.

    ``models`` are a dialect's: paths of elements, and patterns of the versions that they have in it. ``retired`` are keys of
    interfaces (opt3) that the lab had once and has no more; they are taken out with their VLAN, DHCP server and rules.
    """
    old, new = parsed(existing), parsed(rendered)
    for node, which in ((old, "the router's file"), (new, "the rendered file")):
        check_root(node, which, "opnsense", "OPNsense")
    _check_models(old, models)
    keys = {node.tag for node in below(new, "interfaces")}
    gone = set(retired) - keys
    _check_clashes(old, new, keys)
    _check_servers(old, new, keys)
    source = _united(old, new, rendered)
    nics = {node.value("if") for node in below(old, "interfaces") if node.tag in gone}
    return spliced(existing, source, _spec(old, parsed(source), keys, gone, nics), same)


def same(old: Node, new: Node) -> bool:
    """Whether an element says what the rendered one says, and nothing else."""
    if old.tag != new.tag or old.text != new.text or (new.tag in REFERRED and _uuid(old) != _uuid(new)):
        return False
    for tag in {node.tag for node in [*old.children, *new.children]}:
        here, there = old.all(tag), new.all(tag)
        if tag in LATER and not here:
            continue
        if there and (len(here) != len(there) or not all(map(same, here, there))):
            return False
        if not there and not all(map(_says_nothing, here)):
            return False
    return True


def _says_nothing(node: Node) -> bool:
    if node.tag in (*BOOKKEEPING, *MADE_THERE):
        return True
    return all(map(_says_nothing, node.children)) if node.children else node.text in ("", DEFAULTS.get(node.tag, "0"))


def _uuid(node: Node) -> str:
    return dict(node.attributes).get("uuid", "")


def _ours(node: Node) -> bool:
    return _uuid(node).startswith(OURS) or node.value("refid").startswith(OURS)


def _marked(node: Node) -> bool:
    return any(node.value(tag).startswith(MARK) for tag in ("descr", "description"))


def _named_by_us(node: Node) -> bool:
    return node.value("name").startswith("GW_")


def _check_models(old: Node, models: Mapping[str, str]) -> None:
    for path, pattern in models.items():
        node = at(old, *path.split("/"))
        version = dict(node.attributes).get("version", "") if node else None
        if version is not None and not fnmatch.fnmatchcase(version, pattern):
            form = f"version {pattern}" if pattern else "no version"
            raise MergeError(f"the router's file is of another release: {path} has {version or 'no version'} there, and {form} in the rendered form")


def _check_clashes(old: Node, new: Node, keys: set[str]) -> None:
    """Things of others that would stand in the way of ours."""
    wanted = {(node.value("if"), node.value("tag")): node.value("vlanif") for node in below(new, "vlans")}
    for node in below(old, "vlans"):
        name = wanted.get((node.value("if"), node.value("tag")), node.value("vlanif"))
        if name != node.value("vlanif"):
            raise MergeError(f"the router has VLAN {node.value('tag')} on {node.value('if')} as {node.value('vlanif')}; give the interface that name (native)")
    devices = {node.value("if"): node.tag for node in below(new, "interfaces")}
    for node in below(old, "interfaces"):
        if node.tag not in keys and node.value("if") in devices:
            raise MergeError(f"{node.value('if')} is {node.tag} on the router and {devices[node.value('if')]} in the lab; take it out there, or retire it")
    for path, number in (
        (("OPNsense", "wireguard", "server", "servers"), "instance"),
        (("OPNsense", "TrafficShaper", "pipes"), "number"),
        (("OPNsense", "Interfaces", "loopbacks"), "deviceId"),
        (("openvpn",), "vpnid"),
    ):
        taken = {node.value(number) for node in below(old, *path) if not (_ours(node) or _marked(node))}
        for node in below(new, *path):
            if node.value(number) in taken:
                raise MergeError(f"{'/'.join(path)}: the router has another one with {number} {node.value(number)}")


def _check_servers(old: Node, new: Node, keys: set[str]) -> None:
    """What would keep the rendered servers from working."""
    kea = at(old, "OPNsense", "Kea", "dhcp4", "general")
    served = keys & set(kea.value("interfaces").split(",")) if kea and kea.value("enabled") == "1" else set()
    if served and at(new, "OPNsense", "Kea") is None:
        raise MergeError(f"Kea serves {', '.join(sorted(served))} on the router, and the lab has another DHCP server or none; switch it off there first")
    general = at(old, "OPNsense", "quagga", "general")
    if general and general.value("manual_config") == "1" and at(new, "OPNsense", "quagga"):
        raise MergeError("the router's FRR has a configuration by hand (manual_config), so that the plugin's settings do not count; switch that off first")


def _united(old: Node, new: Node, rendered: bytes) -> bytes:
    """The rendered file, in whose lists stands what the router has, too."""
    splice = Splice(rendered)
    for path in UNITED:
        here, there = at(old, *path), at(new, *path)
        if here and there:
            has = [name for name in here.text.split(",") if name]
            every = has + [name for name in there.text.split(",") if name not in has]
            splice.edits.append((*there.inner, ",".join(every).encode()))
    return splice.result()


def _spec(old: Node, new: Node, keys: set[str], gone: set[str], nics: set[str]) -> Spec:
    """What is owned, given the interfaces of the lab."""
    mine = keys | gone

    def on_mine(node: Node) -> bool:
        tunnel = node.value("interface") in TUNNELS and (_marked(node) or _ours(node))
        return tunnel or (node.value("interface") in mine and node.first("floating") is None)

    return {
        "system": SYSTEM,
        "vlans": {"vlan": ("vlanif", lambda node: node.value("vlanif") in nics)},
        "interfaces": {**dict.fromkeys(sorted(keys), INTERFACE), **dict.fromkeys(sorted(gone), OWN)},
        "virtualip": {"vip": _marked},
        "gateways": {"gateway_item": ("name", _named_by_us)},
        "staticroutes": {"route": ("network", _marked)},
        "dhcpd": dict.fromkeys(sorted(mine), OWN),
        "dnsmasq": _dnsmasq(old, mine),
        "unbound": {"enable": SET},
        "nat": {"outbound": {"mode": SET, "rule": on_mine}},
        "filter": {"rule": on_mine},
        **dict.fromkeys(("ca", "cert"), _ours),
        "openvpn": dict.fromkeys(("openvpn-server", "openvpn-client"), _marked),
        "ipsec": {"enable": SET, "phase1": _marked, "phase2": _marked},
        "OPNsense": {
            "Gateways": {"gateway_item": ("name", _named_by_us)},
            "Interfaces": {"loopbacks": {"loopback": ("deviceId", _ours)}, "settings": dict.fromkeys(OFFLOADS, SET)},
            "Firewall": {"Filter": {"rules": {"rule": on_mine}, "snatrules": {"rule": on_mine}}},
            **_services(new),
        },
    }


def _dnsmasq(old: Node, mine: set[str]) -> Spec:
    """The lab's ranges and what goes with them. A server that runs already keeps its port: it may be the router's resolver."""
    runs = (at(old, "dnsmasq") or Node("", 0)).value("enable") == "1"

    def served(node: Node) -> bool:
        return node.value("interface") in mine and ":" not in node.value("start_addr")

    def option(node: Node) -> bool:
        return node.value("interface") in mine and node.value("option") in ("3", "6") and not node.value("tag")

    return {
        **dict.fromkeys(("enable", "interface"), SET),
        **({} if runs else {"port": SET}),
        "dhcp": {"authoritative": SET, "default_fw_rules": SET, **dict.fromkeys(("fqdn", "local", "host_ping"), FIRST)},
        "no_ident": FIRST,
        "hosts": _ours,
        "dhcp_ranges": served,
        "dhcp_options": option,
    }


def _services(new: Node) -> Spec:
    """Plugins and the parts of the core that are models."""
    lists: dict[str, dict[str, dict[str, Callable[[Node], bool]]]] = {
        "TrafficShaper": {"pipes": {"pipe": _ours}, "rules": {"rule": _ours}},
        "Swanctl": {name: {item: _ours} for name, item in (("Connections", "Connection"), ("locals", "local"), ("remotes", "remote"), ("children", "child"))},
        "IPsec": {"preSharedKeys": {"preSharedKey": _ours}},
    }
    return {
        **lists,
        "Kea": {
            "dhcp4": {
                "general": dict.fromkeys(("enabled", "interfaces", "valid_lifetime", "fwrules"), SET),
                "subnets": {"subnet4": _kea_subnet(new)},
                "reservations": {"reservation": _ours},
            }
        },
        "quagga": {
            "general": {**dict.fromkeys(("enabled", "fwrules"), SET), **dict.fromkeys(("profile", "enablesyslog", "sysloglevel"), FIRST)},
            "ospf": OWN,
        },
        "netsnmp": {"general": _snmp(new)},
        "wireguard": {"general": {"enabled": SET}, "server": {"servers": {"server": _ours}}, "client": {"clients": {"client": _ours}}},
    }


def _kea_subnet(new: Node) -> Callable[[Node], bool]:
    prefixes: Iterable[str] = {node.value("subnet") for node in below(new, "OPNsense", "Kea", "dhcp4", "subnets")}
    return lambda node: _ours(node) or node.value("subnet") in prefixes


def _snmp(new: Node) -> Spec:
    if at(new, "OPNsense", "netsnmp") is None:
        return {"enabled": OWN}
    return {**dict.fromkeys(("enabled", "community", "syslocation", "syscontact"), SET), "l3visibility": FIRST}
