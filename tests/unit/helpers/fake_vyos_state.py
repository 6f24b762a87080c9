# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a router that plays VyOS or EdgeOS: active, saved and candidate configurations, commit, timer, restart, faults.

Modelled on: vyatta-cfg (commit by subtrees that fail one by one, its words and its lock), vyatta-config-mgmt (commit-confirm
of 1.2, 1.3 and EdgeOS: a timer that is set before the commit and stays when it fails), vyos-1x sagitta (commit-confirm
of 1.4, `show version`, the footer of config.boot). Which commands it knows, and what a commit refuses, are this project's own
tables (`_vyos_schema`, `vyos_check`) with what a fresh image holds besides. It routes nothing.
"""
from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any, Callable

import vyos_check

from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import Path, natural, parse_commands, parse_curly, to_curly, unique, word
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import Node, explain, heads, read_table, schema

# What a fresh image holds and this project does not render.
MORE = """
interfaces
  ethernet * : eth\\d+
    hw-id =
    duplex =
    speed =
    disable !
    address =+
    description =
system
  host-name =
  config-management
    commit-revisions =
  console
    device * : \\S+
      speed =
  login
    banner
      pre-login =
    user * : \\S+
      level =
      authentication
        encrypted-password =
        plaintext-password =
        public-keys * : \\S+
          key =
          type =
  syslog ?
    global
      facility * : \\S+
        level =
service
  ssh ?
    port =+
    disable-password-authentication !
protocols
  static
    route * : \\S+
      next-hop * : \\S+
        distance =
  bgp * : \\d+
    neighbor * : \\S+
      remote-as =
"""
FACTORY = """
set interfaces ethernet eth0 hw-id 52:54:00:00:00:01
set interfaces ethernet eth7 address 192.0.2.1/24
set interfaces ethernet eth7 description management
set interfaces loopback lo
set service ssh port 22
set system config-management commit-revisions 100
set system host-name router
set system login user vyos authentication encrypted-password $6$rounds=656000$fake$salt
"""
FOOTER = {
    "vyos": '// Warning: Do not remove the following line.\n// vyos-config-version: "%s"\n// Release version: %s\n',
    "edgeos": '/* Warning: Do not remove the following line. */\n/* === vyatta-config-version: "%s" === */\n/* Release version: %s */\n',
}
COMPONENTS = {
    "1.2": "dhcp-server@5:firewall@5:nat@4:qos@1", "1.3": "dhcp-server@6:firewall@5:interfaces@22:nat@5:qos@1",
    "1.4": "dhcp-server@8:firewall@15:nat@8:ospf@2:qos@2", "1.5": "dhcp-server@11:firewall@16:nat@8:ospf@2:qos@2",
    "rolling": "dhcp-server@11:firewall@18:nat@8:ospf@2:qos@2", "2.0": "dhcp-server@4:firewall@5:nat@3:quagga@2:system@5",
}  # fmt: skip
SUBTREE = {"dhcp": "service dhcp-server", "nat": "nat source", "ospf": "protocols ospf", "zone": "firewall", "rule": "firewall"}


class Refused(Exception):
    """A command that the device does not take; the text is what it says."""


@dataclass
class Faults:
    """What goes wrong. Hooks are called with the shell when a typed command begins with their key, before it is carried out."""

    commit_seconds: float = 0.0
    fail_subtree: str = ""
    fail_words: str = "DHCP server has no valid subnet"
    refuse: str = ""
    """A command with these words is refused, as by a value check."""
    warn: str = ""
    disk_full: bool = False
    latin1: bool = False
    before: dict[str, Callable[[Any], None]] = field(default_factory=dict)
    after: dict[str, Callable[[Any], None]] = field(default_factory=dict)


class Box:
    """One router."""

    def __init__(self, platform: str = "vyos", dialect: str = "1.4", version: str = "1.4.2", config: str = FACTORY, minute: float = 60.0) -> None:
        self.platform, self.dialect, self.version, self.minute = platform, dialect, version, minute
        self.users = {"vyos": "vyos-Pass_1"}
        self.root = _with_more(schema(platform, dialect), dialect)
        self.running: list[Path] = unique(parse_commands(config))
        self.files: dict[str, bytes] = {}
        self.saved = self.boot_text().encode()
        self.faults = Faults()
        self.lock = threading.RLock()
        self.committing = threading.Lock()
        self.timer: threading.Timer | None = None
        self.log: list[str] = []
        self.restarts = 0
        self.boot_seconds = 0.3
        self.kick: Callable[[float], None] = lambda seconds: None
        self.ssh_connection = "192.0.2.9 50000 192.0.2.1 22"

    def hostname(self) -> str:
        return next((path[-1] for path in self.running if path[:2] == ("system", "host-name")), self.platform)

    def boot_text(self) -> str:
        return to_curly(self.ordered(), self.root) + "\n" + FOOTER[self.platform] % (COMPONENTS[self.dialect], self.version)

    def ordered(self) -> list[Path]:
        return sorted(self.running, key=lambda path: [natural(part) for part in path])

    def commands(self) -> str:
        """`show configuration commands`: VyOS puts values in quotes, EdgeOS only where they need them."""
        lines = []
        for path in self.ordered():
            valued = list(heads(path, self.root))[-1][1].kind in ("leaf", "multi")
            last = f"'{path[-1]}'" if valued and self.platform == "vyos" else word(path[-1])
            lines.append(" ".join(["set", *map(word, path[:-1]), last]))
        return "\n".join(lines) + "\n"

    def change(self, candidate: list[Path], verb: str, path: Path) -> str:
        """`set` or `delete` in a candidate; returns a warning, or raises with the device's words."""
        text = " ".join(path)
        if self.faults.refuse and self.faults.refuse in text:
            raise Refused(f"\n  Value validation failed\n  {verb.capitalize()} failed\n")
        if verb == "set":
            reason = explain(path, self.root)
            if reason and "says nothing by itself" not in reason:
                raise Refused(f"\n  Configuration path: [{text}] is not valid\n  Set failed\n")
            kind = list(heads(path, self.root))[-1][1].kind if not reason else "node"
            if kind == "leaf":
                candidate[:] = [old for old in candidate if old[:-1] != path[:-1]]
            candidate.append(path)
            candidate[:] = unique(candidate)
        else:
            left = [old for old in candidate if old[: len(path)] != path]
            if len(left) == len(candidate):
                raise Refused("\n  Nothing to delete (the specified node does not exist)\n  Delete failed\n")
            candidate[:] = left
        return self.faults.warn if self.faults.warn and self.faults.warn.split(":", maxsplit=1)[0] in text else ""

    def commit(self, base: list[Path], candidate: list[Path], say: Callable[[str], None]) -> bool:
        """Every subtree by itself: one that fails stays as it was, and the others are in force."""
        if not self.committing.acquire(blocking=False):
            say("Configuration system temporarily locked due to another commit in progress\n")
            return False
        try:
            time.sleep(self.faults.commit_seconds)
            failing = {self.faults.fail_subtree: self.faults.fail_words} if self.faults.fail_subtree else {}
            for problem in [] if self.platform == "edgeos" else vyos_check.problems(candidate, self.platform, self.dialect):
                failing.setdefault(SUBTREE.get(problem.split()[0], "interfaces"), problem)
            added, removed = set(candidate) - set(base), set(base) - set(candidate)
            hit = {name for name in failing if any(" ".join(path).startswith(name) for path in added | removed)}
            with self.lock:
                stays = [path for path in self.running if path not in removed or _in(path, hit)]
                self.running = unique([*stays, *(path for path in candidate if path in added and not _in(path, hit))])
            for name in sorted(hit):
                say(f"[ {name} ]\n{failing[name]}\n\n[[{name}]] failed\n")
            if hit:
                say("Commit failed\n")
            self.log.append("commit failed" if hit else "commit")
            return not hit
        finally:
            self.committing.release()

    def save(self) -> str:
        """1.4 says nothing on success. A full disk leaves the truncated file behind that open('w') made."""
        if self.faults.disk_full:
            self.saved = b""
            return "OSError: [Errno 28] No space left on device\n"
        self.saved = self.boot_text().encode()
        self.log.append("save")
        return "" if self.dialect in ("1.4", "1.5", "rolling") else "Saving configuration to '/config/config.boot'...\nDone\n"

    def start_timer(self, minutes: int) -> None:
        self.timer = threading.Timer(minutes * self.minute, self.restart)
        self.timer.daemon = True
        self.timer.start()

    def pending(self) -> bool:
        return self.timer is not None and self.timer.is_alive()

    def stop_timer(self) -> bool:
        pending = self.pending()
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None
        return pending

    def restart(self) -> None:
        """Everything that was not saved is gone; nobody gets in for a while."""
        self.log.append("restart")
        self.restarts += 1
        self.timer = None
        with self.lock:
            self.running = unique(parse_curly(self.saved.decode(errors="replace")))
            self.files.clear()
        self.kick(self.boot_seconds)


def _in(path: Path, names: set[str]) -> bool:
    return any(" ".join(path).startswith(name) for name in names)


def _with_more(root: Node, dialect: str) -> Node:
    """The project's table with what a fresh image holds besides; the project's own words win."""

    def merged(own: Node, more: Node) -> Node:
        names = [*own.children, *(name for name in more.children if name not in own.children)]
        children = {name: merged(own.children.get(name, Node()), more.children[name]) if name in more.children else own.children[name] for name in names}
        return Node(own.kind if own.kind != "node" else more.kind, own.shape or more.shape, own.bare or more.bare, children)

    return merged(root, read_table(MORE, dialect, (dialect,)))
