# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a config.xml of pfSense or OPNsense says, and what another one says differently; pure.

A file is compared by its flat form: one line for each element without children, with its path, in order.
"""

from __future__ import annotations

import difflib
import html
import re
import time
from typing import Any, Iterator, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils import _opnsense_merge, _pfsense_merge
from ansible_collections.routerlab.bench.plugins.plugin_utils._config_merge import MergeError, at, below, parsed
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import ASTERISKS
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._xml_splice import Node, Splice

BOOKKEEPING = ("revision", "lastchange", "created", "updated")
"""What the system writes about a change and what says nothing of the configuration."""
SECRET = re.compile(
    r"passw|secret|hash$|communit|psk|pre-?shared|shared_?key|priv_?key|^prv$|^key$|^tls$|passphrase|authorizedkeys|apikey|otp_seed|auth_?key$",
    re.IGNORECASE,
)
LONGEST = 200


def merged(manifest: Mapping[str, Any], existing: bytes, rendered: bytes) -> bytes:
    """The device's file with the lab's part in it, by the room's own module."""
    dialect = next(item for item in platforms()[manifest["platform"]]["dialects"] if item["name"] == manifest["dialect"])
    try:
        if manifest["platform"] == "opnsense":
            return _opnsense_merge.merge(existing, rendered, dialect["models"])
        return _pfsense_merge.merge(existing, rendered, dialect["revisions"])
    except MergeError as error:
        raise DriverError(f"{error}. Nothing was changed.") from error


def tree(data: bytes) -> Node:
    """The tree of a file that the device has."""
    try:
        return parsed(data)
    except MergeError as error:
        raise DriverError(f"the device's {error}") from error


def _leaves(node: Node, path: str = "") -> Iterator[tuple[str, str, bool]]:
    for child in node.children:
        if child.tag in BOOKKEEPING:
            continue
        where = f"{path}{child.tag}"
        if child.children:
            yield from _leaves(child, where + "/")
        else:
            yield where, child.text, SECRET.search(child.tag) is not None


def flat(data: bytes) -> list[tuple[str, str, bool]]:
    """Path, text, and whether the text is a secret, of every element without children."""
    return list(_leaves(tree(data)))


def secret_values(data: bytes) -> set[str]:
    """Texts that nobody may see."""
    return {text for _path, text, secret in flat(data) if secret and text}


def version_of(data: bytes) -> str:
    """The number of a configuration's form (pfSense)."""
    return tree(data).value("version")


def changes(before: bytes, after: bytes) -> list[str]:
    """Lines with - and +, one for each element that goes or comes, in the order of the file. Secrets are not in them."""
    old, new = flat(before), flat(after)
    known = {text for _path, text, secret in old if secret}
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    lines = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "equal":
            lines += ["-" + _line(*item, known) for item in old[first:last]]
            lines += ["+" + _line(*item, known) for item in new[start:end]]
    return lines


def _line(path: str, text: str, secret: bool, known: set[str]) -> str:
    if not text:
        return path
    shown = (ASTERISKS if text in known else f"{ASTERISKS} (new)") if secret else " ".join(text.split())
    return f"{path} = {shown[:LONGEST]}"


def same(one: bytes, other: bytes) -> bool:
    """Whether two files say the same, whatever form their bytes have."""
    return one == other or [item[:2] for item in flat(one)] == [item[:2] for item in flat(other)]


def signed(data: bytes, words: str) -> bytes:
    """The file with a new revision, as the system's own history shows it; a file without one stays as it is."""
    revision = tree(data).first("revision")
    splice = Splice(data)
    values = {"time": str(int(time.time())), "description": html.escape(words, quote=False)}
    for tag, value in values.items():
        node = revision.first(tag) if revision else None
        if node is not None and node.inner != (node.end, node.end):
            splice.edits.append((*node.inner, value.encode()))
    return splice.result()


def needs(rendered: bytes, packages: Mapping[str, str]) -> dict[str, str]:
    """Of packages (by the element that holds their settings) those that the rendered file has settings for."""
    root = parsed(rendered)
    return {path: file for path, file in packages.items() if at(root, *path.split("/")) is not None}


def access_of(data: bytes, platform: str) -> Access:
    """How the management reaches the device, by its file."""
    root = tree(data)
    addresses, down = {}, set()
    for node in below(root, "interfaces"):
        name = node.value("if")
        own = node.value("ipaddr")
        addresses[name] = [f"{own}/{node.value('subnet')}"] if own and own[0].isdigit() else [own] if own else []
        if not _on(node, "enable", platform) and node.tag != "wan":
            down.add(name)
    for vip in below(root, "virtualip"):
        device = next((node.value("if") for node in below(root, "interfaces") if node.tag == vip.value("interface")), vip.value("interface"))
        addresses.setdefault(device, []).append(f"{vip.value('subnet')}/{vip.value('subnet_bits')}")
    return Access(addresses, frozenset(down), _ports(root, platform), dict(_routes(root)))


def _on(node: Node, tag: str, platform: str) -> bool:
    """A switch of pfSense is on when it is there; one of OPNsense when it says something other than 0."""
    found = node.first(tag)
    return found is not None and (platform == "pfsense" or found.text not in ("", "0"))


def _ports(root: Node, platform: str) -> frozenset[int]:
    system = root.first("system") or Node("", 0)
    ssh = system.first("ssh") or Node("", 0)
    if not (_on(system, "enablesshd", platform) or _on(ssh, "enable", platform) or _on(ssh, "enabled", platform)):
        return frozenset()
    port = ssh.value("port")
    return frozenset({int(port) if port.isdigit() else 22})


def _routes(root: Node) -> Iterator[tuple[str, str]]:
    items = [*below(root, "gateways"), *below(root, "OPNsense", "Gateways")]
    hops = {node.value("name"): node.value("gateway") for node in items if node.tag == "gateway_item" and node.value("ipprotocol") != "inet6"}
    named = next((node.text for node in items if node.tag == "defaultgw4"), "")
    marked: Sequence[str] = [node.value("name") for node in items if node.value("defaultgw") not in ("", "0")]
    default = hops.get(named) or next((hops[name] for name in marked if name in hops), None)
    if default:
        yield "0.0.0.0/0", default
    for node in below(root, "staticroutes"):
        if node.value("network") and node.first("disabled") is None:
            yield node.value("network"), hops.get(node.value("gateway"), node.value("gateway"))
