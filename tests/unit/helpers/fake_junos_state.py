# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a router that plays Junos: active and candidate configurations, lock, commits with a time to confirm, restart, faults.

Which statements it takes are this project's table (`_junos_schema`) with what a fresh device holds besides; what a commit refuses is
`junos_check`. Modelled on: Juniper's guides of the Junos XML protocol and NETCONF (lock, load, compare, commit confirmed, the confirming
commit, the warning for a deleted statement that is not there) and published answers (the words of a lock, `rollback pending` in the
commit history). Secrets of IKE come back as `$9$` with another salt each time that they are given as text. Its compare is a plain list
of statements by place, not the real one's hunks. After a restart the time to confirm goes on; what a device does then is not confirmed.
It routes nothing.
"""
from __future__ import annotations

import random
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

import junos_check

from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import ConfigError, parse_commands, steps, to_curly, word
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_schema import KINDS, TABLE, Node

Path = tuple[str, ...]

MORE = """
version = word
system
  root-authentication
    encrypted-password = text
  login
    user * name
      class = word
      authentication
        encrypted-password = text
  services
    netconf
      ssh !
        port = number
interfaces {} port
  disable !
  gigether-options
    auto-negotiation !
  unit * number
    family +
      inet !
        filter
          input = name
protocols
  bgp
    group * name
      neighbor * ip
        peer-as = number
security
  zones
    security-zone * name
      description = text
"""
FACTORY = """
set version 21.4R3.15
set system host-name router
set system root-authentication encrypted-password "$6$abc$def"
set system login user admin class super-user
set system login user admin authentication encrypted-password "$6$ghi$jkl"
set system services ssh
set system services netconf ssh
set interfaces fxp0 unit 0 description management
set interfaces fxp0 unit 0 family inet address 127.0.0.1/8
"""
LETTERS = "QzF3n6/9CAtpu0OB1IREhcSyrleKvMW8LXx7N-dVbwsY2g4oaJZGUDjiHkq.mPf5T"
FAMILY = {letter: 3 - index for index, family in enumerate((15, 20, 20, 10)) for letter in LETTERS[sum((15, 20, 20, 10)[:index]):][:family]}
WEIGHTS = ((1, 4, 32), (1, 16, 32), (1, 8, 32), (1, 64), (1, 32), (1, 4, 16, 128), (1, 32, 64))


class Wrong(Exception):
    """An rpc-error."""

    def __init__(self, message: str, severity: str = "error", bad: str = "", tag: str = "operation-failed") -> None:
        super().__init__(message)
        self.message, self.severity, self.bad, self.tag = message, severity, bad, tag


def conceal(text: str) -> str:
    """A secret of type 9, with a salt of its own."""
    salt = random.choice(LETTERS)
    filler = "".join(random.choice(LETTERS) for _number in range(FAMILY[salt]))
    before, out = salt, "$9$" + salt + filler
    for index, letter in enumerate(text):
        weights, code, gaps = WEIGHTS[index % 7], ord(letter), []
        for weight in reversed(weights):
            gaps.insert(0, code // weight)
            code %= weight
        for gap in gaps:
            before = LETTERS[(LETTERS.index(before) + gap + 1) % len(LETTERS)]
            out += before
    return out


def statements() -> Node:
    """The table of the room and what a fresh device holds."""
    root = Node()
    for table in (TABLE, MORE):
        stack = [root]
        for line in table.strip("\n").splitlines():
            name, *rest = line.split()
            depth = (len(line) - len(line.lstrip())) // 2
            node = stack[depth].children.get(name) or Node(KINDS[rest[0]] if rest else "container", tuple(rest[1:]))
            stack[depth].children[name] = node
            stack[depth + 1:] = [node]
    root.children["interfaces"].words = ("text",)
    root.children["interfaces"].kind = "braces"
    return root


@dataclass
class Faults:
    """What goes wrong. Hooks are called once, before or after a command; they get the session that it came over."""

    before: dict[str, Callable[[Any], None]] = field(default_factory=dict)
    after: dict[str, Callable[[Any], None]] = field(default_factory=dict)
    commit_seconds: float = 0.0
    commit_error: str = ""
    commit_warning: str = ""
    unlock_error: bool = False
    disk_full: bool = False


class Box:
    """One router."""

    def __init__(self, version: str = "21.4R3.15", model: str = "vsrx") -> None:
        self.version, self.model = version, model
        self.users = {"admin": "junos-Pass_1"}
        self.root = statements()
        self.faults = Faults()
        self.minute = 60.0
        self.active: list[Path] = parse_commands(FACTORY.replace("21.4R3.15", version))
        self.candidate = list(self.active)
        self.rollbacks: list[list[Path]] = []
        self.inactive: list[Path] = []
        self.history: list[dict[str, str]] = []
        self.holder: Optional[int] = None
        self.holder_words = ""
        self.committing = threading.RLock()
        self.timer: Optional[threading.Timer] = None
        self.log: list[str] = []
        self.commits = 0
        self.restarts = 0
        self.kick: Callable[[float], None] = lambda seconds: None

    def curly(self, paths: list[Path]) -> str:
        return to_curly(paths, self.root)

    def pending(self) -> bool:
        return self.timer is not None

    # the candidate

    def lock(self, session: int, user: str) -> None:
        if self.holder is not None:
            raise Wrong(f"configuration database locked by:\n  {self.holder_words}\n", tag="lock-denied")
        if self.candidate != self.active:
            raise Wrong("configuration database modified")
        self.holder = session
        self.holder_words = f"{user} terminal  (pid {session}) on since 2026-01-02 03:04:05 UTC\n      exclusive "

    def unlock(self, session: int) -> None:
        if self.holder != session:
            raise Wrong("Configuration database is not open")
        self.holder, self.candidate = None, list(self.active)
        if self.faults.unlock_error:  # seen after a commit that went well
            raise Wrong("Configuration database is not open")

    def drop(self, session: int) -> None:
        """A session has ended: its lock goes, and what it did not commit."""
        with self.committing:
            if self.holder == session:
                self.holder, self.candidate = None, list(self.active)

    def edit(self, paths: list[Path], text: str) -> list[Wrong]:
        """Commands, into a candidate. Every wrong line is told, the others are taken."""
        told: list[Wrong] = []
        for line in text.splitlines():
            if line.strip():
                try:
                    self._line(paths, line)
                except ConfigError as error:
                    told.append(Wrong("syntax error", bad=_bad(str(error), line)))
                except Wrong as error:
                    told.append(error)
        return told

    def _line(self, paths: list[Path], line: str) -> None:
        verb, _space, rest = line.strip().partition(" ")
        path = parse_commands(f"set {rest}")[0]
        if verb == "set":
            self._set(paths, path)
        elif verb == "delete":
            self._delete(paths, path)
        elif verb == "activate":
            self.inactive = [item for item in self.inactive if item != path]
        else:
            raise Wrong("syntax error", bad=verb)

    def _set(self, paths: list[Path], path: Path) -> None:
        last = steps(path, self.root)[-1][0]
        if path[-2:-1] == ("ascii-text",) and not path[-1].startswith("$9$"):
            path = (*path[:-1], conceal(path[-1]))
        if last.kind == "leaf":
            for old in [item for item in paths if item[:-1] == path[:-1] and item != path]:
                paths[paths.index(old)] = path
        if path in paths or any(item[:len(path)] == path for item in paths):
            return
        for old in [item for item in paths if path[:len(item)] == item]:
            paths.remove(old)
        paths.append(path)

    def _delete(self, paths: list[Path], path: Path) -> None:
        found = [item for item in paths if item[:len(path)] == path]
        if not found:
            raise Wrong("statement not found", "warning")
        ends, length = set(), 0
        for node, _name, given in steps(found[0], self.root):
            length += 1 + len(given)
            ends |= {length, length - 1} if node.kind in ("leaf", "values") else {length}
            ends |= {length - len(given)} if node.kind == "braces" else set()
        if len(path) not in ends:
            raise Wrong("syntax error", bad=path[-1])
        for item in found:
            paths.remove(item)

    def override(self, text: str) -> list[Path]:
        return _ordered(text)

    def compare(self, paths: list[Path]) -> str:
        """Statements that went and came, by place."""
        lines: list[str] = []
        changed = [(path, "-") for path in self.active if path not in paths] + [(path, "+") for path in paths if path not in self.active]
        for path, sign in changed:
            own = steps(path, self.root)[-1]
            length = len(path) - 1 - len(own[2])
            lines += [f"[edit {' '.join(path[:length])}]".replace("[edit ]", "[edit]"), f"{sign}   {' '.join(map(word, path[length:]))};"]
        if not changed and paths != self.active:
            lines = ["[edit]", "!   (order)"]
        return "\n".join(lines) + "\n"

    # commits

    def problems(self, paths: list[Path]) -> list[str]:
        own = [path for path in paths if path[:2] != ("interfaces", "fxp0") and path[:1] != ("version",)]
        return [] if self.model == "none" else junos_check.problems(own)

    def check(self, paths: list[Path]) -> None:
        wrong = self.problems(paths)
        if wrong:
            raise Wrong("\n".join(wrong))

    def commit(self, user: str, comment: str, minutes: float = 0) -> None:
        with self.committing:
            if self.faults.disk_full:
                raise Wrong("could not write /config/juniper.conf+: No space left on device")
            if self.faults.commit_error:
                raise Wrong(self.faults.commit_error)
            self.check(self.candidate)
            self._confirmed()
            before = list(self.active)
            self._activate(list(self.candidate), user, comment)
            if minutes:
                self.history[0]["confirm"] = f"commit confirmed, rollback in {minutes:g}mins"
                self.history[0]["pending"] = "yes"
                self._start(before, minutes)

    def _activate(self, paths: list[Path], user: str, comment: str) -> None:
        self.rollbacks.insert(0, self.active)
        self.active = paths
        self.commits += 1
        self.log.append(f"commit {comment}".strip())
        self.history.insert(0, {"user": user, "log": comment})

    def _start(self, before: list[Path], minutes: float) -> None:
        def back() -> None:
            with self.committing:
                self.timer = None
                for entry in self.history:
                    entry.pop("pending", None)
                self._activate(before, "root", "")
                self.candidate = list(before)

        self.timer = threading.Timer(minutes * self.minute, back)
        self.timer.daemon = True
        self.timer.start()

    def _confirmed(self) -> None:
        self.stop()
        for entry in self.history:
            entry.pop("pending", None)

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def restart(self) -> None:
        self.restarts += 1
        self.holder, self.candidate = None, list(self.active)
        self.kick(0.3)

    def commands(self) -> set[str]:
        return {f"set {' '.join(path)}" for path in self.active}


def _bad(message: str, line: str) -> str:
    """The word that is wrong."""
    quoted = message.split("'")
    return quoted[1] if len(quoted) > 2 else line.split()[-1]


def _ordered(text: str) -> list[Path]:
    """The paths of the curly form, in its order: `junos_check.read_curly` has them without."""
    stack: list[Path] = [()]
    words: list[str] = []
    several: Optional[list[str]] = None
    found: list[Path] = []
    position = 0
    text = "\n".join(line for line in text.splitlines() if not line.startswith("##"))
    while position < len(text):
        match = junos_check.TOKEN.match(text, position)
        if match is None:
            raise Wrong("syntax error", bad=text[position:position + 10])
        position = match.end()
        mark = match["mark"]
        if match["quoted"] is not None or match["word"] is not None:
            (words if several is None else several).append(match["quoted"] if match["word"] is None else match["word"])
        elif mark == "[":
            several = []
        elif mark == "{":
            stack.append((*stack[-1], *words))
            words = []
        elif mark == ";":
            found += [(*stack[-1], *words, *tail) for tail in ([(item,) for item in several] if several is not None else [()])]
            words, several = [], None
        elif mark == "}":
            stack.pop()
    return found
