# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From a Junos device's configuration to what the lab wants, in one load of delete and set commands; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Collection, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_text import Running, reveal
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import ASTERISKS
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import ConfigError, Path, steps, word
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_schema import Node, schema

# Lists of values that are ours as soon as the lab has one.
LISTS: tuple[Path, ...] = (("system", "name-server"), ("system", "ntp", "server"))
# Lists whose order counts: the words up to an element's key, ``*`` for any word.
ORDERED: tuple[Path, ...] = (
    ("policy-options", "policy-statement", "*", "term"),
    ("security", "policies", "from-zone", "*", "to-zone", "*", "policy"),
    ("security", "nat", "source", "rule-set", "*", "rule"),
)
# What stands behind these words is a secret.
SECRET_WORDS = ("community", "ascii-text", "authentication-key", "encrypted-password", "simple-password", "key", "secret")
NETCONF_PORT = 830
_CRYPTED = re.compile(r"\$(?:1|5|6|8|9)\$[^\s\";]+")


@dataclass(frozen=True)
class Delta:
    """What leads from one configuration to another."""

    before: tuple[Path, ...]
    gone: tuple[Path, ...]
    new: tuple[Path, ...]
    commands: tuple[str, ...]

    def after(self) -> list[Path]:
        left = set(self.gone)
        return [path for path in self.before if path not in left] + list(self.new)


def own_secrets(wanted: Sequence[Path], running: Sequence[Path]) -> list[Path]:
    """Secrets in the device's own spelling where they are the same: it shows another one each time that it is given the text."""
    shown = {path[:-1]: path[-1] for path in running if path[-1].startswith("$9$")}
    return [(*path[:-1], shown[path[:-1]]) if reveal(shown.get(path[:-1], "")) == path[-1] else path for path in wanted]


def delta(running: Running, wanted: Sequence[Path], owned: Collection[Path]) -> Delta:
    """What has to be loaded. A statement goes as high up as nothing else stands there, but not higher than what is owned."""
    root = schema()
    target = list(dict.fromkeys(own_secrets(wanted, running.paths)))
    present, within = set(running.paths), _inner(running.paths)
    new = [path for path in target if path not in present and path not in within]
    staying = set(target) | _inner(target)
    replaced = {path[:-1] for path in new if _kind(path, root) == "leaf"}
    deciding = _Owner(target, owned, root)
    gone = [path for path in running.paths if path not in staying and (path[:-1] in replaced or deciding.owns(path))]
    kept = (present - set(gone)) | staying
    standing = kept | _inner(kept)
    deletes = [_deleted(path, running.ends[path], standing, deciding.floor(path), root) for path in gone if path[:-1] not in replaced]
    mixed = _out_of_order(running.paths, set(gone), target)
    again = [path for path in target if path in present and (item := element(path)) and item[:-1] in mixed]
    rebuilt = [item for path in running.paths if (item := element(path)) and item[:-1] in mixed]
    active = [f"activate {_text(path)}" for path in running.inactive if deciding.owns(path) and path in standing]
    removed = list(dict.fromkeys([*deletes, *rebuilt]))
    removed = [path for path in removed if not any(other != path and path[: len(other)] == other for other in removed)]
    setting = [path for path in target if path in set(new) | set(again)]
    commands = [f"delete {_text(path)}" for path in removed] + active + [f"set {_text(path)}" for path in setting]
    return Delta(tuple(running.paths), tuple(gone), tuple(new), tuple(commands))


class _Owner:
    """What the lab decides about: below its prefixes, in its lists, and of its interfaces what the room knows."""

    def __init__(self, wanted: Sequence[Path], owned: Collection[Path], root: Node) -> None:
        self._root = root
        self._lists = [name for name in LISTS if any(path[: len(name)] == name for path in wanted)]
        self._owned = sorted(owned, key=len)
        self._ports = {path[:2] for path in wanted if path[0] == "interfaces"}
        self._units = {path[:4] for path in wanted if path[0] == "interfaces" and path[2:3] == ("unit",)}

    def owns(self, path: Path) -> bool:
        if self.floor(path):
            return True
        if path[:2] not in self._ports or len(path) < 3 or (path[2] == "unit" and path[:4] not in self._units):
            return False
        return _kind(path, self._root) != ""

    def floor(self, path: Path) -> int:
        """The length of the prefix that is owned."""
        return next((len(own) for own in [*self._lists, *self._owned] if path[: len(own)] == own), 0)


def _kind(path: Path, root: Node) -> str:
    try:
        return steps(path, root)[-1][0].kind
    except ConfigError:
        return ""


def _inner(paths: Collection[Path]) -> set[Path]:
    return {path[:length] for path in paths for length in range(1, len(path))}


def _deleted(path: Path, ends: tuple[int, ...], standing: set[Path], floor: int, root: Node) -> Path:
    least = floor or (4 if path[0] == "interfaces" and path[2:3] == ("unit",) else 3 if path[0] == "interfaces" else 1)
    short = next((path[:end] for end in ends if end >= least and path[:end] not in standing), path)
    return short[:-1] if short == path and _kind(path, root) == "leaf" else short


def element(path: Path) -> Path | None:
    """The element of an ordered list that a path belongs to: the words up to its key."""
    for pattern in ORDERED:
        if len(path) > len(pattern) and all(mark in ("*", own) for mark, own in zip(pattern, path)):
            return path[: len(pattern) + 1]
    return None


def _out_of_order(running: Sequence[Path], gone: set[Path], target: Sequence[Path]) -> set[Path]:
    """The lists that would be in another order if new elements came to their end, as they do."""
    lists: dict[Path, list[Path]] = {}
    for path in [*(path for path in running if path not in gone), *target]:
        item = element(path)
        if item and item not in lists.setdefault(item[:-1], []):
            lists[item[:-1]].append(item)
    wanted: dict[Path, list[Path]] = {}
    for path in target:
        item = element(path)
        if item and item not in wanted.setdefault(item[:-1], []):
            wanted[item[:-1]].append(item)
    return {name for name, items in wanted.items() if [item for item in lists[name] if item in items] != items}


def _text(path: Path) -> str:
    return " ".join(map(word, path))


def secrets_in(paths: Sequence[Path]) -> set[str]:
    """What nobody may see."""
    found = {path[index + 1] for path in paths for index, name in enumerate(path[:-1]) if name in SECRET_WORDS and path[index + 1] not in SECRET_WORDS}
    return found | {name for path in paths for name in path if name.startswith(("$9$", "$1$", "$5$", "$6$", "$8$"))}


def hide(text: str) -> str:
    """A comparison without secrets: the device shows a new one in a spelling that was nowhere before."""
    return _CRYPTED.sub(ASTERISKS, text)


def diff(change: Delta, name: str, target: str) -> str:
    """What differs, as commands: for a device that does not compare at the moment."""
    lines = [f"-set {_text(path)}" for path in change.gone] + [f"+set {_text(path)}" for path in change.new]
    return "\n".join([f"--- {name} as it is", f"+++ {name} as {target}", *lines]) + "\n"


def access_of(paths: Sequence[Path]) -> Access:
    """How the management stands in a configuration."""
    addresses: dict[str, list[str]] = {}
    down, ports, routes = set(), set(), {}
    netconf = False
    for path in paths:
        if path[0] == "interfaces" and len(path) > 2:
            unit = f"{path[1]}.{path[3]}" if path[2] == "unit" and len(path) > 3 else ""
            if path[4:7] == ("family", "inet", "address") and unit:
                addresses.setdefault(unit, []).append(path[7])
            elif path[4:] == ("family", "inet", "dhcp") and unit:
                addresses.setdefault(unit, []).append("dhcp")
            elif path[-1] == "disable":
                down.add(unit or path[1])
        elif path[:4] == ("system", "services", "netconf", "ssh"):
            netconf = True
            ports.add(int(path[5]) if path[4:5] == ("port",) else NETCONF_PORT)
        elif path[:3] == ("routing-options", "static", "route") and "next-hop" in path:
            routes[path[3]] = path[path.index("next-hop") + 1]
    if netconf and any(path[:3] == ("system", "services", "ssh") for path in paths):
        ports.add(22)
    down |= {name for name in addresses if name.split(".")[0] in down}
    return Access(addresses, frozenset(down), frozenset(ports), routes)


def commands_of(manifest: Mapping[str, object], texts: Mapping[str, str]) -> list[tuple[bool, str]]:
    """The rendered files that hold commands: whether each is secret, and its text."""
    artifacts: list[dict[str, object]] = manifest["artifacts"]  # type: ignore[assignment]  # JSON
    return [(bool(item["secret"]), texts[str(item["name"])]) for item in artifacts if item.get("put") == "commands"]
