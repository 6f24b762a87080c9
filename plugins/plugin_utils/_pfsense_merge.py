# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the lab says of a router, put into the config.xml that the router has.

Only what the room renders is touched; accounts, certificates, packages, unknown elements, other interfaces with all that
belongs to them stay byte for byte. What says the same already stays, too, in whatever form, so that a second merge changes nothing.
"""

from __future__ import annotations

from typing import Any, Callable, Collection, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._xml_splice import Node, Splice, SpliceError, meaning, read

BOOKKEEPING = ("created", "updated")
MARK = "routerlab: "

Keep = Callable[[Node], bool]
Spec = Mapping[str, Any]


class MergeError(ValueError):
    """Two files that cannot be merged; says why."""


# A spec says of each child what the lab owns:
#   OWN      exactly what is rendered, in its order; nothing when nothing is rendered
#   SET      what is rendered; left alone when nothing is
#   FIRST    what is rendered, unless there is one already
#   a dict   children of it
#   a tuple  (a key's name, a function that says which items nobody renders any more): items of a list, each on its own
OWN, SET, FIRST = "own", "set", "first"

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


def _named_by_us(node: Node) -> bool:
    return node.value("name").startswith("GW_")


def merge(existing: bytes, rendered: bytes, revisions: Collection[str], retired: Collection[str] = ()) -> bytes:
    """The router's file with the lab's part in it.

    ``revisions`` are the numbers of a configuration that have the rendered form. ``retired`` are keys of interfaces (opt3) that the
    lab had once and has no more; they are taken out with their VLAN, DHCP server and rules.
    """
    try:
        old, new = read(existing), read(rendered)
    except SpliceError as error:
        raise MergeError(f"config.xml: {error}") from error
    _check(old, new, revisions)
    splice = Splice(existing)
    keys = {node.tag for node in _children(new, "interfaces")}
    gone = set(retired) - keys
    _Merge(splice, rendered).children(old, new, _spec(old, new, keys, gone))
    changed = splice.result()
    try:
        read(changed)
    except SpliceError as error:
        raise MergeError(f"the merged config.xml would not be XML: {error}") from error
    return changed


def _check(old: Node, new: Node, revisions: Collection[str]) -> None:
    for node, which in ((old, "the router's file"), (new, "the rendered file")):
        if node.tag != "pfsense":
            raise MergeError(f"{which} is no configuration of pfSense: its root is <{node.tag}>")
        for tag in ("system", "interfaces"):
            if len(node.all(tag)) != 1:
                raise MergeError(f"{which} has {len(node.all(tag))} elements <{tag}>, not one")
    version = old.value("version")
    if version not in revisions:
        raise MergeError(f"the router's configuration has revision {version or 'none'}; the rendered one has the form of {', '.join(revisions)}")
    raw = next((node for node in _children(old, "installedpackages") if node.tag == "frrglobalraw"), None)
    config = raw.first("config") if raw else None
    if config and config.value("ospfd") and any(node.tag == "frrospfd" for node in _children(new, "installedpackages")):
        raise MergeError("the router has a raw configuration of ospfd (frrglobalraw), which goes before everything that is rendered; take it out first")


def _children(root: Node, tag: str) -> list[Node]:
    found = root.first(tag)
    return found.children if found else []


def _spec(old: Node, new: Node, keys: set[str], gone: set[str]) -> Spec:
    """What is owned, given the interfaces of the lab."""
    mine = keys | gone
    nics = {node.value("if") for node in _children(old, "interfaces") if node.tag in gone}

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


class _Merge:
    """Walks both trees by a spec and collects edits."""

    def __init__(self, splice: Splice, source: bytes) -> None:
        self.splice = splice
        self.source = source

    def children(self, old: Node, new: Node, spec: Spec) -> None:
        """All children that the spec names."""
        for tag, how in spec.items():
            here, there = old.all(tag), new.all(tag)
            if callable(how):
                self._items(old, [node for node in here if how(node)], there)
            elif isinstance(how, tuple):
                self._keyed(old, here, there, *how)
            elif isinstance(how, dict):
                self._deeper(old, here, there, how)
            elif how == OWN or (there and (how == SET or not here)):
                self._items(old, here, there)

    def _deeper(self, old: Node, here: list[Node], there: list[Node], spec: Spec) -> None:
        nothing = Node(here[0].tag if here else "", 0)
        if not here and there:
            self.splice.insert(old, None, there[0], self.source)
        elif here and there and not here[0].children and there[0].children:
            self.splice.replace(here[0], there[0], self.source)
        elif here:
            self.children(here[0], there[0] if there else nothing, spec)

    def _items(self, parent: Node, here: list[Node], there: list[Node]) -> None:
        """A run of elements as a whole: what is the same at both ends stays."""
        if [meaning(node, BOOKKEEPING) for node in here] == [meaning(node, BOOKKEEPING) for node in there]:
            return
        for old, new in zip(here, there):
            if meaning(old, BOOKKEEPING) != meaning(new, BOOKKEEPING):
                self.splice.replace(old, new, self.source)
        for node in here[len(there) :]:
            self.splice.remove(node)
        last = here[-1] if here else next(iter(parent.all(there[0].tag)[-1:]), None) if there else None
        for node in there[len(here) :]:
            self.splice.insert(parent, last, node, self.source)

    def _keyed(self, parent: Node, here: list[Node], there: list[Node], key: str, stale: Keep) -> None:
        """Items of a list, each known by one of its values; what nobody renders stays, unless it is one of ours."""
        known = {node.value(key): node for node in here}
        wanted = {node.value(key) for node in there}
        for node in here:
            if node.value(key) not in wanted and stale(node):
                self.splice.remove(node)
        last = here[-1] if here else None
        for node in there:
            if node.value(key) not in known:
                self.splice.insert(parent, last, node, self.source)
            elif meaning(known[node.value(key)], BOOKKEEPING) != meaning(node, BOOKKEEPING):
                self.splice.replace(known[node.value(key)], node, self.source)
