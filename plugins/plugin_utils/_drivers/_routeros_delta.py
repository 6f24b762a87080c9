# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From what a router's menus hold to what they should hold, in single commands; pure.

What goes is removed first, in menus where order does not count, from what refers to what is referred to. Then everything is added and
changed, the other way round. In a menu of rules, new rules come in from the top, and old ones go from the bottom: at no time is a
rule that drops there without the rule before it that accepts.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Collection, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation, to_script
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import ASTERISKS
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_defaults import UNSET, Path
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_items import (
    FLAG,
    ORDERED,
    Item,
    Menus,
    Row,
    by_the_router,
    enforced,
    is_default,
    is_fixed,
    is_flag,
    rank,
    same_argument,
    settable,
)

SECRET_NAMES = {"private-key", "preshared-key", "secret", "password", "auth-key", "authentication-key", "passphrase"}
ADDRESS = ("ip", "address")
INSTANCE = ("routing", "ospf", "instance")
# In menus that are not owned as a whole: items that stand on something of ours, by the argument that names it.
ON_OURS = {ADDRESS: "interface", ("ip", "dhcp-client"): "interface", ("interface", "bridge", "port"): "bridge"}
# Lists of values that are ours as soon as the lab has one.
LISTS = {("system", "ntp", "client", "servers")}


@dataclass(frozen=True)
class Step:
    """One command. ``row`` is the item that it is about, as it was read; None for one that is added or for a menu that is one thing."""

    verb: str
    path: Path
    values: Mapping[str, str] = field(default_factory=dict)
    row: Row | None = None
    before: Row | None = None
    label: Mapping[str, str] = field(default_factory=dict)

    def command(self) -> str:
        return "/" + "/".join(self.path) + "/" + self.verb

    def words(self, major: str) -> dict[str, str]:
        """What is sent with it. ``!name`` takes an argument away; a flag is sent as yes."""
        words = {name: "yes" if value == FLAG and is_flag(self.path, name, major) else value for name, value in self.values.items()}
        if self.verb == "move":
            words.update(numbers=(self.row or {})[".id"], destination=(self.before or {})[".id"])
        elif self.row is not None and ".id" in self.row:
            words[".id"] = self.row[".id"]
        if self.verb == "add" and self.before is not None:
            words["place-before"] = self.before[".id"]
        return words

    def typed(self, hidden: Collection[tuple[Path, str]] = ()) -> str:
        """The command as a person would type it, without secrets."""
        values = {name: value for name, value in self.values.items() if not name.startswith(UNSET)}
        gone = "".join(f" {name}" for name in self.values if name.startswith(UNSET))
        if self.verb in ("add", "set"):
            shown = {name: ASTERISKS if is_secret(self.path, name, hidden) else value for name, value in values.items()}
            text = _typed(self.path, self.verb, self.label if self.verb == "set" else {}, shown) if shown else ""
            text = text or f"/{' '.join(self.path)} set {_find(self.label)}".rstrip()
        else:
            text = f"/{' '.join(self.path)} {self.verb} {_find(self.label)}"
        where = f" place-before={_find(label_of(self.path, self.before, ()))}" if self.before is not None and self.verb == "add" else ""
        target = f" destination={_find(label_of(self.path, self.before, ()))}" if self.before is not None and self.verb == "move" else ""
        return text + gone + where + target


def is_secret(path: Path, name: str, hidden: Collection[tuple[Path, str]]) -> bool:
    return name in SECRET_NAMES or (path, name) in hidden or (path == ("snmp", "community") and name == "name")


def _typed(path: Path, verb: str, find: Mapping[str, str], values: Mapping[str, str]) -> str:
    script = to_script([Operation(path, verb, dict(find), {name: value if value != FLAG else "" for name, value in values.items()})])
    return " ".join(line for line in script.splitlines()).replace(f'"{ASTERISKS}"', ASTERISKS)


def _find(label: Mapping[str, str]) -> str:
    words = _typed(("x",), "set", label, {"x": "y"})
    return words[len("/x set ") : -len(" x=y")] if label else ""


def label_of(path: Path, row: Row | None, key: Sequence[str]) -> dict[str, str]:
    """What a person knows an item by."""
    row = row or {}
    names = list(key) or [name for name in ("name", "chain", "address", "dst-address", "interface", "list", "comment", "rule", "peer") if row.get(name)]
    found = {name: row[name] for name in names if row.get(name)}
    return found or {".id": row.get(".id", "?")}


def steps(now: Menus, wanted: Sequence[Item], owned: Collection[Path], major: str) -> list[Step]:
    """What has to be done, in order."""
    matched = _matched(now, wanted, major)
    gone = _leftover(now, wanted, matched, owned)
    removing = [Step("remove", path, row=row, label=label_of(path, row, ())) for path, row in gone if path not in ORDERED]
    removing.sort(key=lambda step: -rank(step.path))
    found = removing
    for path in dict.fromkeys(item.path for item in wanted):
        pairs = [(item, row) for item, row in matched if item.path == path]
        found += _in_order(pairs, now, major) if path in ORDERED else [step for item, row in pairs for step in _one(item, row, None, major)]
        found += _old_rules(gone, path)
    untouched = {path for path, _row in gone} & ORDERED - {item.path for item in wanted}
    for path in sorted(untouched):
        found += _old_rules(gone, path)
    return found


def _old_rules(gone: Sequence[tuple[Path, Row]], path: Path) -> list[Step]:
    """Rules that go, from the bottom."""
    rows = [row for own, row in gone if own == path and path in ORDERED]
    return [Step("remove", path, row=row, label=label_of(path, row, ())) for row in reversed(rows)]


def _matched(now: Menus, wanted: Sequence[Item], major: str) -> list[tuple[Item, Row | None]]:
    """Each item with its row: one that is as wanted already, else one with the same key."""
    rows: dict[int, Row] = {}
    taken: set[int] = set()
    for exact in (True, False):
        for index, item in enumerate(wanted):
            if index in rows:
                continue
            for row in now.get(item.path, []):
                if id(row) not in taken and _fits(item, row, exact, major):
                    rows[index] = row
                    taken.add(id(row))
                    break
    return [(item, rows.get(index)) for index, item in enumerate(wanted)]


def _fits(item: Item, row: Row, exact: bool, major: str) -> bool:
    if item.verb == "add" and is_fixed(item.path, row):
        return False
    if exact:
        return item.verb == "add" and not _difference(item, row, major)
    if item.verb == "add" and (not item.key or (item.path in ORDERED and "comment" not in item.key)):
        return False
    return all(same_argument(item.path, name, value, row, major) for name, value in item.marks.items())


def _difference(item: Item, row: Row, major: str) -> dict[str, str]:
    """The values that have to be given to a row. An item that is ours has no other values than ours, nor has RouterOS 6's one instance of OSPF."""
    wrong = {name: value for name, value in item.values.items() if not same_argument(item.path, name, value, row, major)}
    if item.verb == "add" or item.path == INSTANCE:
        for name, default in enforced(item.path, major).items():
            if name in item.values or name not in row or default is None or is_default(item.path, name, row[name], major):
                continue
            wrong[UNSET + name if default == UNSET else name] = "" if default == UNSET else default
    return wrong


def _leftover(now: Menus, wanted: Sequence[Item], matched: Sequence[tuple[Item, Row | None]], owned: Collection[Path]) -> list[tuple[Path, Row]]:
    """Rows that nobody wants, where the lab decides."""
    kept = {id(row) for _item, row in matched if row is not None}
    ours = {item.values.get("name", item.find.get("default-name", "")) for item in wanted if item.path[0] == "interface"}
    ours |= {item.values["interface"] for item in wanted if item.path == ADDRESS}
    deciding = {*owned, *(LISTS & {item.path for item in wanted})}
    found = []
    for path, rows in now.items():
        for row in rows:
            standing_on = row.get(ON_OURS[path]) in ours if path in ON_OURS else False
            in_another_table = row.get("routing-table", "main") != "main" or bool(row.get("routing-mark"))
            if id(row) in kept or is_fixed(path, row) or by_the_router(row) or in_another_table:
                continue
            if path in deciding or standing_on:
                found.append((path, row))
    return found


def _one(item: Item, row: Row | None, before: Row | None, major: str) -> list[Step]:
    """What makes one row as wanted."""
    if row is None and not item.values:
        return []
    if row is None:
        return [Step("add" if item.verb == "add" else "set", item.path, item.values, before=before, label=item.marks)]
    wrong = _difference(item, row, major)
    label = item.marks or ({} if ".id" not in row else label_of(item.path, row, ()))
    return [Step("set", item.path, wrong, row=row, label=label)] if wrong else []


def _in_order(pairs: Sequence[tuple[Item, Row | None]], now: Menus, major: str) -> list[Step]:
    """Rules: those that stand in the right order among themselves stay where they are, the others come before the next one that stays."""
    path = pairs[0][0].path
    place = {id(row): index for index, row in enumerate(now.get(path, []))}
    staying = _longest([place[id(row)] if row is not None else None for _item, row in pairs])
    found: list[Step] = []
    for index, (item, row) in enumerate(pairs):
        following = next((pairs[later][1] for later in range(index + 1, len(pairs)) if later in staying), None)
        if row is None:
            found += _one(item, None, following, major)
        elif index in staying:
            found += _one(item, row, None, major)
        elif following is None:
            # there is no command that moves a rule to the end
            found += [Step("add", path, item.values, label=item.marks), Step("remove", path, row=row, label=label_of(path, row, ()))]
        else:
            found += [*_one(item, row, None, major), Step("move", path, row=row, before=following, label=item.marks or label_of(path, row, ()))]
    return found


def _longest(places: Sequence[int | None]) -> set[int]:
    """Which of the numbers stay when as few as possible are moved: the longest run that rises."""
    ends: list[int] = []
    chain: list[int] = []
    back: dict[int, int | None] = {}
    for index, place in enumerate(places):
        if place is None:
            continue
        at = bisect_left(ends, place)
        back[index] = chain[at - 1] if at else None
        ends[at:at + 1], chain[at:at + 1] = [place], [index]
    found: set[int] = set()
    last: int | None = chain[-1] if chain else None
    while last is not None:
        found.add(last)
        last = back[last]
    return found


def lines(found: Sequence[Step], hidden: Collection[tuple[Path, str]]) -> list[str]:
    return [step.typed(hidden) for step in found]


def diff(found: Sequence[Step], name: str, target: str, major: str, hidden: Collection[tuple[Path, str]]) -> str:
    """What differs, item by item, as commands."""
    out = [f"--- {name} as it is", f"+++ {name} as {target}"]
    for step in found:
        row = step.row or {}
        if step.verb == "remove":
            own = {key: row[key] for key in settable(step.path, major) if key in row and not is_default(step.path, key, row[key], major)}
            out.append("-" + Step("add", step.path, own, label=step.label).typed(hidden))
        elif step.verb == "set":
            old = {key.lstrip(UNSET): row[key.lstrip(UNSET)] for key in step.values if row.get(key.lstrip(UNSET))}
            new = {key: value for key, value in step.values.items() if not key.startswith(UNSET)}
            out += ["-" + Step("set", step.path, old, label=step.label).typed(hidden)] if old else []
            out += ["+" + Step("set", step.path, new, label=step.label).typed(hidden)] if new else []
        else:
            out.append(("+" if step.verb == "add" else " ") + step.typed(hidden))
    return "\n".join(out) + "\n"
