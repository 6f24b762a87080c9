# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What UCI files say, and what other ones say differently; pure. Other files (FRR's, tunnels') are compared line by line."""

from __future__ import annotations

import difflib
import ipaddress
import re
from dataclasses import dataclass, field
from typing import Any, Collection, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import ASTERISKS, hide_by_word
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import decode

UCI = "/etc/config/"
MARK = b"Written by routerlab.bench"
PIECE = re.compile(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\#;]+)|(\s+)|(#.*)""", re.DOTALL)
SECRET = re.compile(r"(?:^|_)(?:key|psk|password|passphrase|secret|community|auth_pass|private_key|preshared_key)$|^(?:private|preshared)_key")
PUBLIC = ("public_key",)

Files = Mapping[str, "bytes | None"]


@dataclass
class Section:
    """A section of a UCI file; ``name`` is empty for an anonymous one."""

    kind: str
    name: str
    options: list[tuple[str, str, str]] = field(default_factory=list)

    def one(self, key: str) -> str:
        return next((value for _how, name, value in self.options if name == key), "")

    def all(self, key: str) -> list[str]:
        return [word for how, name, value in self.options if name == key for word in ([value] if how == "list" else value.split())]


def _words(line: str) -> list[str]:
    words: list[str] = []
    word: str | None = None
    for single, double, escaped, bare, blank, comment in PIECE.findall(line):
        if blank or comment:
            words += [word] if word is not None else []
            word = None
        else:
            word = (word or "") + (single or re.sub(r"\\(.)", r"\1", double) or escaped or bare)
    return words + ([word] if word is not None else [])


def sections(data: bytes) -> list[Section]:
    """The sections of a file, in order. Lines that libuci would refuse are left to the device's own check."""
    found: list[Section] = []
    for line in decode(data).splitlines():
        words = _words(line)
        if words[:1] == ["config"] and len(words) >= 2:
            found.append(Section(words[1], words[2] if len(words) > 2 else ""))
        elif words[:1] in (["option"], ["list"]) and len(words) == 3 and found:
            found[-1].options.append((words[0], words[1], words[2]))
    return found


def flat(path: str, data: bytes | None) -> list[tuple[str, str, bool]]:
    """Lines that say all of a file: what, its value, whether that is a secret."""
    if data is None:
        return []
    if not path.startswith(UCI):
        return [(f"{path}: {line}", "", False) for line in decode(data).splitlines() if line.strip()]
    package, lines = path[len(UCI) :], []
    for index, section in enumerate(sections(data)):
        head = f"{package}.{section.name or f'@{section.kind}[{index}]'}"
        lines.append((head, section.kind, False))
        # the order of options says nothing, that of a list's items does
        for how, key, value in sorted(section.options, key=lambda item: (item[1], item[0])):
            lines.append((f"{head}.{key}{'+' if how == 'list' else ''}", value, bool(SECRET.search(key)) and key not in PUBLIC))
    return lines


def same(path: str, one: bytes | None, other: bytes | None) -> bool:
    """Whether two states of a file say the same; `uci commit` writes a file in a form of its own."""
    return one == other or ((one is None) == (other is None) and flat(path, one) == flat(path, other))


def changes(path: str, old: bytes | None, new: bytes | None, hidden: bool) -> list[str]:
    """Lines with - and +. Files of secrets that are not UCI show only that they change."""
    if hidden and not path.startswith(UCI):
        return [] if old == new else [f"~{path} (not shown: it holds secrets)"]
    before, after = flat(path, old), flat(path, new)
    known = {value for _what, value, secret in before if secret}
    lines = []
    for kind, first, last, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            lines += ["-" + _line(item, known) for item in before[first:last]] + ["+" + _line(item, known) for item in after[start:end]]
    return lines or ([f"~{path} (its form)"] if old != new else [])


def _line(item: tuple[str, str, bool], known: Collection[str]) -> str:
    what, value, secret = item
    if secret:
        return f"{what}={ASTERISKS if value in known else ASTERISKS + ' (new)'}"
    return hide_by_word(what) if not value else f"{what}='{value}'"


def secret_values(files: Files) -> set[str]:
    return {value for path, data in files.items() for _what, value, secret in flat(path, data) if secret and value}


def kept(existing: bytes | None, rendered: bytes, kinds: Collection[str]) -> bytes:
    """The rendered file with the device's own sections of these kinds, where it has none of them itself."""
    if existing is None or any(section.kind in kinds for section in sections(rendered)):
        return rendered
    blocks = re.split(r"(?m)^(?=\s*config\s)", decode(existing))
    own = [block.rstrip() + "\n" for block in blocks if (_words(block.split("\n")[0])[:1] == ["config"]) and _words(block.split("\n")[0])[1] in kinds]
    return rendered if not own else rendered.rstrip() + b"\n\n" + "\n".join(own).encode()


def services_of(text: str) -> dict[str, bool]:
    """`name on` and `name off`, a line each."""
    found = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _blank, word = line.partition(" ")
            if word not in ("on", "off") or not re.fullmatch(r"[A-Za-z0-9_-]+", name):
                raise DriverError(f"services: {line!r} is not a name with on or off")
            found[name] = word == "on"
    return found


def access_of(files: Files) -> Access:
    """How the management reaches the device, by its files."""
    addresses: dict[str, list[str]] = {}
    down = set()
    routes = {}
    parts = sections(files.get(UCI + "network") or b"")
    for item in parts:
        if item.kind == "interface":
            name = item.one("device") or item.one("ifname") or item.name
            addresses.setdefault(name, []).extend(_addresses(item))
            if item.one("gateway"):
                routes["0.0.0.0/0"] = item.one("gateway")
            if item.one("disabled") == "1" or item.one("auto") == "0":
                down.add(name)
        elif item.kind == "route" and item.one("gateway"):
            routes[_prefix(item.one("target"), item.one("netmask"))] = item.one("gateway")
    return Access(addresses, frozenset(down), _ports(files.get(UCI + "dropbear")), routes)


def _addresses(item: Section) -> list[str]:
    if item.one("proto") == "dhcp":
        return ["dhcp"]
    return [_prefix(address, item.one("netmask")) for address in item.all("ipaddr")]


def _prefix(address: str, netmask: str) -> str:
    try:
        length = ipaddress.ip_network(f"0.0.0.0/{netmask}").prefixlen if netmask else 32
    except ValueError:
        length = 32
    return address if "/" in address else f"{address}/{length}"


def _ports(data: bytes | None) -> frozenset[int] | None:
    if data is None:
        return None
    on = [item for item in sections(data) if item.kind == "dropbear" and item.one("enable") != "0"]
    return frozenset(int(word) if word.isdigit() else 22 for item in on for word in [item.one("Port") or item.one("port")])


def rendered(manifest: Mapping[str, Any], texts: Mapping[str, str]) -> tuple[dict[str, bytes], dict[str, Mapping[str, Any]], dict[str, bool]]:
    """Files by path, what platform.yml says of each, and which services run."""
    files, facts, services = {}, {}, {}
    for item in manifest["artifacts"]:
        if item.get("put") == "services":
            services = services_of(texts[item["name"]])
        else:
            files[item["path"]] = texts[item["name"]].encode()
            facts[item["path"]] = item
    return files, facts, services
