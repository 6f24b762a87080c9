# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the lab says of a router, put into the config.xml that the router has.

Only what the room renders is touched; accounts, certificates, packages, unknown elements, other interfaces with all that
belongs to them stay byte for byte. What says the same already stays, too, in whatever form, so that a second merge changes nothing.
"""

from __future__ import annotations

from typing import Collection

from ansible_collections.routerlab.bench.plugins.plugin_utils._config_merge import (
    FIRST,
    MARK,
    OWN,
    SET,
    MergeError,
    Spec,
    below,
    check_root,
    parsed,
    spliced,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._xml_splice import Node, meaning

BOOKKEEPING = ("created", "updated")

INTERFACE: Spec = dict.fromkeys(
    ("enable", "if", "descr", "mtu", "ipaddr", "subnet", "gateway", "blockpriv", "blockbogons", "alias-address", "alias-subnet"), OWN
)
SYSTEM: Spec = {
    **dict.fromkeys(("hostname", "domain", "timezone"), SET),
    **dict.fromkeys(("dnsserver", "timeservers", "enablesshd", "maximumstates", "disablefilter"), OWN),
    **dict.fromkeys(("disablechecksumoffloading", "disablesegmentationoffloading", "disablelargereceiveoffloading"), OWN),
    "ssh": {"enable": OWN, "port": OWN},
}


def _marked(node: Node) -> bool:
    return node.value("descr").startswith(MARK)


def _same(old: Node, new: Node) -> bool:
    return meaning(old, BOOKKEEPING) == meaning(new, BOOKKEEPING)


def _named_by_us(node: Node) -> bool:
    return node.value("name").startswith("GW_")


def merge(existing: bytes, rendered: bytes, revisions: Collection[str], retired: Collection[str] = ()) -> bytes:
    """The router's file with the lab's part in it.

    ``revisions`` are the numbers of a configuration that have the rendered form. ``retired`` are keys of interfaces (opt3) that the
    lab had once and has no more; they are taken out with their VLAN, DHCP server and rules.
    """
    old, new = parsed(existing), parsed(rendered)
    _check(old, new, revisions)
    keys = {node.tag for node in below(new, "interfaces")}
    gone = set(retired) - keys
    return spliced(existing, rendered, _spec(old, new, keys, gone), _same)


def _check(old: Node, new: Node, revisions: Collection[str]) -> None:
    check_root(old, "the router's file", "pfsense", "pfSense")
    check_root(new, "the rendered file", "pfsense", "pfSense")
    version = old.value("version")
    if version not in revisions:
        raise MergeError(f"the router's configuration has revision {version or 'none'}; the rendered one has the form of {', '.join(revisions)}")
    raw = next((node for node in below(old, "installedpackages") if node.tag == "frrglobalraw"), None)
    config = raw.first("config") if raw else None
    if config and config.value("ospfd") and any(node.tag == "frrospfd" for node in below(new, "installedpackages")):
        raise MergeError("the router has a raw configuration of ospfd (frrglobalraw), which goes before everything that is rendered; take it out first")


def _spec(old: Node, new: Node, keys: set[str], gone: set[str]) -> Spec:
    """What is owned, given the interfaces of the lab."""
    mine = keys | gone
    nics = {node.value("if") for node in below(old, "interfaces") if node.tag in gone}

    def ours(node: Node) -> bool:
        return node.value("interface") in mine and node.first("floating") is None

    return {
        "system": SYSTEM,
        "vlans": {"vlan": ("vlanif", lambda node: node.value("vlanif") in nics)},
        "interfaces": {**dict.fromkeys(sorted(keys), INTERFACE), **dict.fromkeys(sorted(gone), OWN)},
        "gateways": {"gateway_item": ("name", _named_by_us), "defaultgw4": SET},
        "staticroutes": {"route": ("network", _marked)},
        "virtualip": {"vip": ("uniqid", _marked)},
        "dhcpbackend": SET,
        "dhcpd": dict.fromkeys(sorted(mine), OWN),
        "snmpd": SET if new.first("snmpd") else {"enable": OWN},
        "nat": {"outbound": {"mode": SET, "rule": ours}},
        "filter": {"rule": ours},
        "unbound": {"enable": SET},
        "installedpackages": {
            "frr": {"config": {"enable": SET, "logging": SET, "routerid": SET, "password": FIRST}},
            "frrospfd": OWN,
            "frrospfdinterfaces": OWN,
        },
    }
