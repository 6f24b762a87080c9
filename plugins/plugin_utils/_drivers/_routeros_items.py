# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Items of RouterOS' menus: as the lab wants them, and as a router has them; pure.

A router answers with its own spellings (``true`` for ``yes``, ``1d`` for ``24h``), with defaults that nobody gave, with counters,
and with items that it made itself. What is left after taking that away is compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Iterable, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation
from ansible_collections.routerlab.bench.plugins.module_utils._routeros_text import same_value
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_defaults import UNSET, Path, defaults
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_schema import key_of, schema

Row = dict[str, str]
Menus = dict[Path, list[Row]]

# What a router may answer for an argument that nobody has set.
AS_IF_UNSET = ("", "no", "false", "none", "never", "auto", "0.0.0.0", "0s")
FLAG = ""
"""The value of an argument that takes none."""
YES = ("yes", "true")
MADE_BY_THE_ROUTER = ("dynamic", "builtin")
# Items that are there from the beginning and cannot be removed. Where the API does not mark them, their names do.
FROM_THE_BEGINNING = {
    ("interface", "list"): {"all", "none", "dynamic", "static"},
    ("ip", "ipsec", "profile"): {"default"},
    ("ip", "ipsec", "proposal"): {"default"},
    ("queue", "type"): {
        "default", "default-small", "ethernet-default", "wireless-default", "synchronous-default", "hotspot-default", "only-hardware-queue",
        "multi-queue-ethernet-default", "pcq-upload-default", "pcq-download-default",
    },
}  # fmt: skip
# Menus where what comes first counts.
ORDERED = {("ip", "firewall", "filter"), ("ip", "firewall", "mangle"), ("ip", "firewall", "nat"), ("ip", "ipsec", "policy"), ("routing", "filter", "rule")}
# Lists that a router may answer in its own order.
UNORDERED_LISTS = {"connection-state", "redistribute", "allowed-address", "enc-algorithms", "auth-algorithms", "addresses", "dh-group", "enc-algorithm"}
# What refers to something comes after it; removing goes the other way. Menus that are not here come first, `ip service` last.
ORDER: list[Path] = [
    tuple(line.split())
    for line in """\
interface bridge
interface bridge port
interface vlan
interface wireguard
interface wireguard peers
interface list
interface list member
ip address
ip dhcp-client
ip pool
ip dhcp-server
ip dhcp-server network
ip dhcp-server lease
ip route
routing filter rule
routing ospf instance
routing ospf area
routing ospf network
routing ospf interface
routing ospf interface-template
ip firewall nat
ip firewall mangle
ip firewall filter
queue type
queue tree
ip ipsec profile
ip ipsec proposal
ip ipsec peer
ip ipsec identity
ip ipsec policy
system ntp client servers
ip service""".splitlines()
]


def rank(path: Path) -> int:
    return ORDER.index(path) if path in ORDER else -1


@dataclass
class Item:
    """One item that should be there (``add``), or values that an item which is there should have (``set``)."""

    path: Path
    verb: str
    find: dict[str, str]
    values: dict[str, str] = field(default_factory=dict)
    key: tuple[str, ...] = ()

    @property
    def marks(self) -> dict[str, str]:
        """What tells the item from its like."""
        return {name: self.values[name] for name in self.key if name in self.values} if self.verb == "add" else self.find


def wanted_items(operations: Iterable[Operation], major: str) -> list[Item]:
    """The items of a rendered configuration. Values that a ``set`` gives to an item of ours go to that item."""
    items: list[Item] = []
    for operation in operations:
        values = {name: FLAG if value is None else value for name, value in operation.values.items()}
        item = Item(operation.path, operation.verb, dict(operation.find), values)
        if operation.verb == "add":
            item.key = tuple(key_of(operation, major))
        owner = next((other for other in items if other.path == item.path and _takes(other, item)), None)
        if owner is not None:
            owner.values.update(values)
        else:
            items.append(item)
    return sorted(items, key=lambda item: rank(item.path))


def _takes(item: Item, more: Item) -> bool:
    """Whether the values of ``more`` belong to ``item``."""
    if more.verb != "set":
        return False
    return item.find == more.find if item.verb == "set" else bool(more.find) and all(item.values.get(name) == value for name, value in more.find.items())


def items_of(menus: Mapping[Path, Sequence[Row]], major: str) -> list[Item]:
    """The items of a router's own menus, to lead back to them."""
    items = []
    for path in sorted(menus, key=rank):
        adding, setting = schema(major).get((path, "add")), schema(major).get((path, "set"))
        for row in menus[path]:
            if adding and not is_fixed(path, row):
                values = {name: row[name] for name in settable(path, major) if name in row and not is_default(path, name, row[name], major)}
                items.append(Item(path, "add", {}, values, tuple(name for name in adding.key if name in values)))
            elif setting and all(name in row for name in setting.key):
                values = {name: row.get(name, "") for name in setting.shapes if name in row or name == "comment"}
                items.append(Item(path, "set", {name: row[name] for name in setting.key}, values))
    return items


def settable(path: Path, major: str) -> dict[str, str | None]:
    """The arguments of a menu and their defaults; for a menu without a table those that the project sets."""
    table = defaults(major).get(path)
    if table is not None:
        return table
    menu = schema(major).get((path, "set"))
    return dict.fromkeys(menu.shapes) if menu else {}


def enforced(path: Path, major: str) -> dict[str, str | None]:
    """The arguments that an item of ours has only when the lab gives them. Elsewhere than in the firewall these are those that the room writes: what else
    a router shows without being asked (``bootp-support=static``) differs from version to version."""
    menus = [menu for verb in ("add", "set") if (menu := schema(major).get((path, verb)))]
    known = {"comment", "disabled", *(name for menu in menus for name in menu.shapes)}
    return {name: default for name, default in settable(path, major).items() if name in known or path[:2] == ("ip", "firewall")}


def is_default(path: Path, name: str, value: str, major: str) -> bool:
    """Whether an argument with this value is as if nobody had given it."""
    default = settable(path, major).get(name)
    if default != UNSET:
        return default is not None and same(name, default, value)
    if name == "comment" or is_flag(path, name, major):
        return value in ("no", "false") if name != "comment" else value == ""
    return value in AS_IF_UNSET


def is_flag(path: Path, name: str, major: str) -> bool:
    menu = schema(major).get((path, "add"))
    return menu is not None and name in menu.shapes and menu.shapes[name] is None


def same(name: str, one: str, other: str) -> bool:
    """Whether two spellings are one value of an argument."""
    if same_value(one, other):
        return True
    parts = [sorted(text.replace(" ", "").split(",")) for text in (one, other)]
    return name in UNORDERED_LISTS and parts[0] == parts[1]


def same_argument(path: Path, name: str, wanted: str, row: Mapping[str, str], major: str) -> bool:
    """Whether a row has an argument as wanted. The API answers a flag that is set with an empty text, with yes, or with true."""
    flag = is_flag(path, name, major)
    if name not in row:
        return not flag and (wanted == "" or is_default(path, name, wanted, major))
    return (row[name] in (FLAG, *YES)) if flag else same(name, wanted, row[name])


def by_the_router(row: Mapping[str, str]) -> bool:
    return any(row.get(name) in YES for name in MADE_BY_THE_ROUTER)


def is_fixed(path: Path, row: Mapping[str, str]) -> bool:
    """Whether an item was there from the beginning and cannot be removed."""
    if row.get("default") in YES or row.get("template") in YES:
        return True
    return "default" not in row and row.get("name") in FROM_THE_BEGINNING.get(path, ())


def standing_of(menus: Mapping[Path, Sequence[Row]], major: str) -> dict[Path, list[tuple[tuple[str, str], ...]]]:
    """The configuration of menus, comparable: without ids, counters and defaults; in order only where order counts."""
    found = {}
    for path, rows in menus.items():
        own = [_configured(path, row, major) for row in rows]
        found[path] = own if path in ORDERED else sorted(own)
    return found


def _configured(path: Path, row: Mapping[str, str], major: str) -> tuple[tuple[str, str], ...]:
    flat = {}
    for name in settable(path, major):
        if name in row and not is_default(path, name, row[name], major):
            flat[name] = {"true": "yes", "false": "no"}.get(row[name], row[name])
    return tuple(sorted(flat.items()))
