# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From a running configuration to another one, in set and delete commands; pure.

Everything works on paths: the words of a ``set`` command without quotes, the value last.
"""

from __future__ import annotations

import fnmatch
import re
import shlex
from dataclasses import dataclass
from typing import Any, Collection, Iterable, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import ASTERISKS, hide_by_word
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import Path, to_commands, unique
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import Node

SECRET_NAME = re.compile(r"community|secret|passw|passphrase|^(?:\w+-)*key$")
# Of an interface that the lab configures, this stays: it belongs to the hardware.
OF_THE_HARDWARE = ("hw-id", "duplex", "speed", "smp-affinity", "mac")


@dataclass(frozen=True)
class Delta:
    """What leads from one configuration to another."""

    before: frozenset[Path]
    gone: tuple[Path, ...]
    new: tuple[Path, ...]
    deletes: tuple[Path, ...]

    @property
    def empty(self) -> bool:
        return not self.gone and not self.new

    def commands(self) -> list[tuple[str, Path]]:
        """What is typed, in order."""
        return [("delete", path) for path in self.deletes] + [("set", path) for path in self.new]

    def after(self) -> frozenset[Path]:
        return (self.before - frozenset(self.gone)) | frozenset(self.new)


def owned_paths(running: Iterable[Path], wanted: Collection[Path], prefixes: Iterable[Path], root: Node) -> set[Path]:
    """The running paths that the lab decides about: below its prefixes, on its interfaces, and in lists that it has values of."""
    roots = set(prefixes)
    interfaces = {path[:5] if path[3:4] == ("vif",) else path[:3] for path in wanted if path[0] == "interfaces"} | {
        path[:3] for path in wanted if path[0] == "interfaces"
    }
    lists = {path[:-1] for path in wanted if _kind(path, root) == "multi"}
    return {path for path in running if _below(path, roots) or path[:-1] in lists or _on_interface(path, interfaces)}


def _below(path: Path, prefixes: set[Path]) -> bool:
    """Whether a path stands below one of the prefixes, whose words may be patterns: ``pki * vtun*``."""
    return any(len(path) >= len(prefix) and all(map(fnmatch.fnmatchcase, path, prefix)) for prefix in prefixes)


def _on_interface(path: Path, interfaces: set[Path]) -> bool:
    if path[:1] != ("interfaces",) or path[:3] not in interfaces or len(path) < 4:
        return False
    if path[3] == "vif":
        return path[:5] in interfaces
    return path[3] not in OF_THE_HARDWARE


def _kind(path: Path, root: Node) -> str:
    """What stands at the end of a path; nothing for a path that the table does not know."""
    node, index = root, 0
    while index < len(path):
        following = node.children.get(path[index])
        if following is None:
            return ""
        node = following
        index += 2 if node.kind in ("tag", "leaf", "multi") else 1
    return node.kind


def delta(running: Sequence[Path], wanted: Sequence[Path], owned: Collection[Path], root: Node) -> Delta:
    """What has to be typed. A single value is replaced by setting it; what goes is deleted as high up as nothing else stands there."""
    before, target = frozenset(running), unique(wanted)
    bare = _inner(running)
    new = tuple(path for path in target if path not in before and path not in bare)
    replaced = {path[:-1] for path in new if _kind(path, root) == "leaf"}
    kept_inner = _inner(target) | set(target)
    gone = [path for path in running if path not in kept_inner and (path in owned or (path[:-1] in replaced and _kind(path, root) == "leaf"))]
    staying = (set(running) - set(gone)) | set(target)
    standing = _inner(staying) | staying
    deletes = []
    for path in gone:
        if path[:-1] in replaced and _kind(path, root) in ("leaf", ""):
            continue
        length = next(length for length in range(1, len(path) + 1) if path[:length] not in standing)
        deletes.append(path[:length])
    return Delta(before, tuple(gone), new, tuple(dict.fromkeys(deletes)))


def standing_of(change: Delta, running: Collection[Path]) -> str:
    """How a configuration that was read again stands to a change."""
    now, inner = set(running), _inner(running)
    if all(path in now or path in inner for path in change.new) and not now & set(change.gone):
        return NEW
    gone_back = all(path in now or path in inner for path in change.gone)
    return OLD if gone_back and not (now & set(change.new)) - change.before else BETWEEN


def way_back(change: Delta, running: Sequence[Path], root: Node) -> Delta:
    """What undoes a change, whatever of it is in force; what others changed meanwhile stays."""
    touched = set(change.gone) | set(change.new)
    return delta(running, [path for path in running if path not in touched] + list(change.gone), touched, root)


def _inner(paths: Iterable[Path]) -> set[Path]:
    return {path[:length] for path in paths for length in range(1, len(path))}


def script(commands: Sequence[tuple[str, Path]]) -> str:
    """The file that is run in configuration mode: it stops at the first line that is refused, and says which."""
    lines = [SCRIPT_HEAD]
    lines += ["s %s %s" % (verb, " ".join(map(shlex.quote, path))) for verb, path in commands]
    return "\n".join([*lines, "echo routerlab-done $n", ""])


# my_set and my_delete are what the commands `set` and `delete` of the configuration mode call in the end.
SCRIPT_HEAD = """\
sbin=${vyatta_sbindir:-/opt/vyatta/sbin}
n=0
s() {
  n=$((n + 1))
  out=$("$sbin/my_$1" "${@:2}" 2>&1); rc=$?
  case $out in *"Set failed"*|*"Delete failed"*) rc=1 ;; esac
  [ $rc = 0 ] || { echo "routerlab-refused $n"; echo "$out"; exit 1; }
  [ -z "$out" ] || { echo "routerlab-said $n"; echo "$out"; }
}"""


def shown(verb: str, path: Path, secrets: Collection[Path]) -> str:
    """A command as a person may see it. ``secrets`` are paths whose values nobody may see."""
    hidden = secret_words(path) if path in secrets else set()
    words = [ASTERISKS if index in hidden else to_commands([(item,)])[4:].rstrip() for index, item in enumerate(path)]
    return hide_by_word(" ".join([verb, *words]))


def secret_words(path: Path) -> set[int]:
    """Which words of a secret path are the secret: what follows a word such as ``community``, or else the last one."""
    found = {index + 1 for index, item in enumerate(path[:-1]) if SECRET_NAME.search(item)}
    return found or {len(path) - 1}


def diff(change: Delta, name: str, secrets: Collection[Path], target: str) -> str:
    """What differs, line by line, as configuration commands."""
    order = {path: index for index, path in enumerate(change.new)}
    lines = [(path, "-") for path in change.gone] + [(path, "+") for path in order]
    text = "".join(f"{sign}{shown('set', path, secrets)}\n" for path, sign in sorted(lines))
    return f"--- {name} as it is\n+++ {name} as {target}\n{text}"


def access_of(paths: Iterable[Path]) -> Access:
    """How the management stands in a configuration."""
    addresses: dict[str, list[str]] = {}
    down, ports, routes, listens = set(), set(), {}, False
    for path in paths:
        if path[:1] == ("interfaces",) and len(path) >= 4:
            name, rest = (f"{path[2]}.{path[4]}", path[5:]) if path[3:4] == ("vif",) and len(path) > 5 else (path[2], path[3:])
            if rest[:1] == ("address",):
                addresses.setdefault(name, []).append(rest[1])
            elif rest == ("disable",):
                down.add(name)
        elif path[:2] == ("service", "ssh"):
            listens = True
            if path[2:3] == ("port",):
                ports.add(int(path[3]))
        elif path[:3] == ("protocols", "static", "route") and "next-hop" in path:
            routes[path[3]] = path[path.index("next-hop") + 1]
    return Access(addresses, frozenset(down), frozenset(ports or ({22} if listens else ())), routes)


def secret_values(paths: Iterable[Path]) -> set[str]:
    return {path[index] for path in paths for index in secret_words(path)}


def commands_of(manifest: Mapping[str, Any], texts: Mapping[str, str]) -> list[tuple[bool, str]]:
    """The rendered files that hold commands: whether each is secret, and its text."""
    return [(bool(item["secret"]), texts[item["name"]]) for item in manifest["artifacts"] if item.get("put") == "commands"]
