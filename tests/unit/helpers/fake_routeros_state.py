# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a router that plays RouterOS: menus of items with ids, its files, its scheduler, backups, restart, faults.

Which menus, arguments and values it takes are this project's tables (`_routeros_schema`), what it answers beside what was given is
`_routeros_defaults`; both say where they come from. Besides: MikroTik's manual of the API (words of traps, `.id`, `ret`), of the
scheduler (`startup`, an interval repeats) and of backups (loading one restarts), a published report that a backup loads from the
scheduler only with `password`. Times are answered in the router's spelling (24h is 1d, or 1d00:00:00 with `clock`), truth values as
true and false. The words for an item that is there twice differ from menu to menu on a router; here they are one. A reference to an
interface, a pool, a profile or a peer has to lead somewhere. It routes nothing.
"""
from __future__ import annotations

import copy
import re
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_text import duration, seconds
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_defaults import UNSET, defaults
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_schema import MAKERS, Menu, fits, schema

Path = tuple[str, ...]
Row = dict[str, str]

REFERENCES = {
    "interface": "interface", "in-interface": "interface", "out-interface": "interface", "bridge": "interface",
    "address-pool": "ip pool", "profile": "ip ipsec profile", "proposal": "ip ipsec proposal", "peer": "ip ipsec peer",
    "in-interface-list": "interface list", "out-interface-list": "interface list", "instance": "routing ospf instance",
    "area": "routing ospf area", "queue": "queue type", "list": "interface list",
}  # fmt: skip
# Menus of the system that no rendered configuration writes to.
SYSTEM = {
    ("system", "scheduler"): ("name", "interval", "start-time", "start-date", "on-event", "policy", "comment", "disabled"),
    ("file",): (), ("system", "resource"): (), ("system", "license"): (), ("user", "active"): (), ("routing", "ospf", "interface"): (),
    ("user",): (), ("user", "group"): (), ("interface",): (), ("routing", "ospf", "neighbor"): (), ("ip", "firewall", "connection"): (),
}  # fmt: skip
ONE_THING = {("system", "resource"), ("system", "license")}


class Trap(Exception):
    """A command that is refused."""


@dataclass
class Faults:
    """What goes wrong. Hooks are called once, before or after a command; they get the connection that it came over."""

    before: dict[str, Callable[[Any], None]] = field(default_factory=dict)
    after: dict[str, Callable[[Any], None]] = field(default_factory=dict)
    delay: dict[str, float] = field(default_factory=dict)
    refuse: dict[str, str] = field(default_factory=dict)
    disk_full: bool = False
    late_full: bool = False


class Box:
    """One router."""

    def __init__(self, version: str = "7.14.3", licence: str = "p1", clock: bool = False, login: str = "new") -> None:
        self.version, self.licence, self.clock, self.login = version, licence, clock, login
        self.major = version.split(".", maxsplit=1)[0]
        self.users = {"admin": "ros-Pass_1"}
        self.faults = Faults()
        self.minute = 60.0
        self.start_seconds = 0.3
        self.away_seconds = 0.3
        self.restarts = 0
        self.log: list[str] = []
        self.lock = threading.RLock()
        self.kick: Callable[[float], None] = lambda seconds: None
        self.timers: list[threading.Timer] = []
        self.backups: dict[str, dict[Path, list[Row]]] = {}
        self.peer = "192.0.2.9"
        self.policy = "local,telnet,ssh,ftp,reboot,read,write,policy,test,winbox,password,web,sniff,sensitive,api,romon,!dude"
        self._next = 0
        self.menus: dict[Path, list[Row]] = {path: [] for path, _verb in schema(self.major)}
        self.menus.update({path: [] for path in SYSTEM if path not in self.menus})
        self._factory()

    def _factory(self) -> None:
        for number in range(1, 9):
            self._plant("interface ethernet", {"name": f"ether{number}", "default-name": f"ether{number}", "mtu": "1500", "disable-running-check": "true"})
        for name, port in (("telnet", 23), ("ftp", 21), ("www", 80), ("ssh", 22), ("api", 8728), ("winbox", 8291), ("api-ssl", 8729)):
            self._plant("ip service", {"name": name, "port": str(port), "address": "", "disabled": "false", "invalid": "false"})
        self._plant("ip address", {"address": "192.0.2.1/24", "network": "192.0.2.0", "interface": "ether8", "comment": "management"})
        self._plant("snmp community", {"name": "public", "addresses": "::/0", "read-access": "true", "write-access": "false", "default": "true"})
        self._plant("ip ipsec profile", {"name": "default", "default": "true"})
        self._plant("ip ipsec proposal", {"name": "default", "default": "true"})
        self._plant("ip ipsec policy", {"src-address": "::/0", "dst-address": "::/0", "template": "true", "default": "true", "group": "default"})
        for name in ("all", "none", "dynamic", "static"):
            self._plant("interface list", {"name": name, "builtin": "true"})
        if self.major == "6":
            stock = {"name": "default", "default": "true", "router-id": "0.0.0.0", "redistribute-connected": "no", "redistribute-static": "no"}
            self._plant("routing ospf instance", {**stock, "distribute-default": "never", "metric-connected": "20", "metric-static": "20"})
            self._plant("routing ospf area", {"name": "backbone", "area-id": "0.0.0.0", "instance": "default", "default": "true"})
        else:
            for name in ("default", "default-small", "only-hardware-queue"):
                self._plant("queue type", {"name": name, "kind": "pfifo", "default": "true"})
            if tuple(int(part) for part in self.version.split(".")[:2]) >= (7, 14):
                self.menus.setdefault(("interface", "loopback"), []).append({".id": self._id(), "name": "lo", "dynamic": "true"})
        for path, menu in schema(self.major).items():
            if path[1] == "set" and not menu.key:
                names = {name: {"yes|no": "false"}.get(shape or "", "") for name, shape in menu.shapes.items()}
                self.menus[path[0]] = [{**names, **({"name": "MikroTik"} if path[0] == ("system", "identity") else {})}]
        self._plant("ip dhcp-server lease", {"address": "192.0.2.99", "mac-address": "02:00:00:00:00:99", "server": "x", "dynamic": "true"})

    def _plant(self, menu: str, row: Row) -> Row:
        row = {".id": self._id(), **row}
        self.menus.setdefault(tuple(menu.split()), []).append(row)
        return row

    def _id(self) -> str:
        self._next += 1
        return f"*{self._next:X}"

    # what comes in

    def call(self, path: Path, verb: str, words: Row) -> tuple[list[Row], Row]:
        """A command: its rows, and what its last sentence holds."""
        with self.lock:
            if path == ("system", "backup"):
                return self._backup(verb, words)
            if path not in self.menus:
                raise Trap("no such command prefix")
            if verb == "print" and "count-only" in words:
                return [], {"ret": str(len(self._rows(path)))}
            if verb == "print":
                return [self._shown(path, row) for row in self._rows(path)], {}
            if path in SYSTEM and path not in {own for own, _verb in schema(self.major)} and not SYSTEM[path] and (path, verb) != (("file",), "remove"):
                raise Trap("no such command")
            method = getattr(self, f"_do_{verb}", None)
            if method is None:
                raise Trap("no such command")
            self.log.append("/" + " ".join((*path, verb)))
            return [], method(path, dict(words)) or {}

    def _do_add(self, path: Path, words: Row) -> Row:
        menu = self._menu(path, "add")
        before = words.pop("place-before", None)
        row = self._values(path, menu, words)
        missing = [name for name in menu.required if name not in words]
        if missing:
            raise Trap(f"missing value(s) of argument(s) {', '.join(missing)}")
        self._refuse_twice(path, menu, row, None)
        row = {".id": self._id(), **row}
        if path == ("ip", "address"):
            row["network"] = re.sub(r"/.*", "", row["address"])
            row["actual-interface"] = row["interface"]
        rows = self.menus[path]
        rows.insert(rows.index(self._find(path, before)) if before else len(rows), row)
        self._scheduled(path, row)
        return {"ret": row[".id"]}

    def _do_set(self, path: Path, words: Row) -> None:
        menu = self._menu(path, "set") if (path, "set") in schema(self.major) else self._menu(path, "add")
        adding = schema(self.major).get((path, "add"))
        number = words.pop(".id", None)
        if number is None and self.menus[path] and ".id" in self.menus[path][0]:
            raise Trap("missing value(s) of argument(s) numbers")
        row = self._find(path, number) if number else self.menus[path][0]
        gone = [name[1:] for name in words if name.startswith("!")]
        both = Menu(menu.key, {**(adding.shapes if adding else {}), **menu.shapes}, [], menu.lists | (adding.lists if adding else set()))
        given = self._values(path, both, {name: value for name, value in words.items() if not name.startswith("!")})
        self._refuse_twice(path, adding or menu, {**row, **given}, row)
        row.update(given)
        if row.get("comment") == "":
            del row["comment"]
        for name in gone:
            if name not in defaults(self.major).get(path, {}):
                raise Trap(f"unknown parameter !{name}")
            row.pop(name, None)

    def _do_remove(self, path: Path, words: Row) -> None:
        for number in words.get(".id", "").split(","):
            row = self._find(path, number)
            if row.get("default") == "true" or row.get("builtin") == "true" or row.get("dynamic") == "true":
                raise Trap("failure: can not remove default item")
            self.menus[path].remove(row)
            if path == ("file",):
                self.backups.pop(row["name"], None)
            for timer in self.timers:
                if getattr(timer, "row", None) is row:
                    timer.cancel()

    def _do_move(self, path: Path, words: Row) -> None:
        row, target = self._find(path, words.get("numbers")), self._find(path, words.get("destination"))
        self.menus[path].remove(row)
        self.menus[path].insert(self.menus[path].index(target), row)

    # what it knows

    def _menu(self, path: Path, verb: str) -> Menu:
        if path in SYSTEM and SYSTEM[path]:
            return Menu(["name"], dict.fromkeys(SYSTEM[path], "{text}"), ["name"])
        found = schema(self.major).get((path, verb))
        if found is None:
            raise Trap("no such command")
        return found

    def _find(self, path: Path, number: Optional[str]) -> Row:
        for row in self.menus[path]:
            if row.get(".id") == number:
                return row
        raise Trap("no such item")

    def _values(self, path: Path, menu: Menu, words: Row) -> Row:
        row = {}
        for name, value in words.items():
            known = {**dict.fromkeys(defaults(self.major).get(path, {}), "{text}"), **menu.shapes, "comment": "{text}", "disabled": "yes|no"}
            if name not in known:
                raise Trap(f"unknown parameter {name}")
            shape = known[name]
            value = {"true": "yes", "false": "no"}.get(value, value)
            parts = value.split(",") if name in menu.lists else [value]
            if shape is not None and path not in SYSTEM and value not in ("", "::/0") and not all(fits(part, shape) for part in parts):
                raise Trap(f"invalid value for argument {name}")
            row[name] = self._spelt(shape, value)
            self._lead(name, value, path)
        return row

    def _spelt(self, shape: Optional[str], value: str) -> str:
        if shape is None:
            return ""
        if value in ("yes", "no") and shape == "yes|no":
            return {"yes": "true", "no": "false"}[value]
        if shape == "{time}":
            count = seconds(value)
            if self.clock:
                days, rest = divmod(count, 86400)
                return (f"{days}d" if days else "") + f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
            return duration(count)
        return value

    def _lead(self, name: str, value: str, path: Path) -> None:
        target = REFERENCES.get(name)
        if target is None or value == "" or path in SYSTEM or path[:2] == ("system", "ntp"):
            return
        names = self.interfaces() if target == "interface" else {row.get("name") for row in self.menus.get(tuple(target.split()), [])}
        if value not in names:
            raise Trap(f"input does not match any value of {name}")

    def interfaces(self) -> set[str]:
        makers = [*MAKERS, ("interface", "ethernet"), ("interface", "loopback")]
        return {row["name"] for path in makers for row in self.menus.get(path, [])}

    def _refuse_twice(self, path: Path, menu: Menu, row: Row, own: Optional[Row]) -> None:
        rows = [other for other in self.menus[path] if other is not own]
        if path in MAKERS and row.get("name") in self.interfaces() - ({own["name"]} if own else set()):
            raise Trap("failure: already have interface with such name")
        marks = [name for name in menu.key if name != "comment"]
        unique = "comment" not in menu.key and path not in {("ip", "route"), ("routing", "filter", "rule"), ("routing", "ospf", "interface-template")}
        if unique and marks and any(all(other.get(name) == row.get(name) for name in marks) for other in rows):
            raise Trap("failure: already have such entry")

    def _rows(self, path: Path) -> list[Row]:
        if path == ("system", "resource"):
            free = "20480" if self.faults.disk_full else "67108864"
            return [{"uptime": "1w2d3h4m5s", "version": f"{self.version} (stable)", "cpu-load": "3", "free-hdd-space": free, "board-name": "CHR",
                     "cpu": "QEMU", "cpu-count": "2"}]  # fmt: skip
        if path == ("system", "license"):
            return [{"system-id": "abc", "level": self.licence}]
        if path == ("user",):
            return [{".id": "*1", "name": "admin", "group": "full"}]
        if path == ("user", "group"):
            return [{".id": "*1", "name": "read", "policy": "read,!write"}, {".id": "*2", "name": "full", "policy": self.policy}]
        if path == ("user", "active"):
            return [{".id": "*1", "when": "2026-01-02 03:04:05", "name": "admin", "address": self.peer, "via": "api", "group": "full"}]
        if path == ("interface",):
            made = [row for own in [*MAKERS, ("interface", "ethernet"), ("interface", "loopback")] for row in self.menus.get(own, [])]
            return [{"name": row["name"], "mtu": row.get("mtu", "1500"), "actual-mtu": row.get("mtu", "1500"), "running": "true"} for row in made]
        if path == ("routing", "ospf", "neighbor"):
            return [{"router-id": "10.0.0.9", "address": "10.253.253.1", "interface": "ether1", "state": "Full", "dr": "10.253.253.1", "bdr": ""}]
        if path == ("ip", "firewall", "connection"):
            return [{"src-address": "10.222.222.12:5201", "dst-address": "10.254.254.10:80", "srcnat": "true"}]
        if path == ("ip", "route"):
            return [{**row, "active": "true", "static": "true", "immediate-gw": f"{row.get('gateway', '')}%ether1"} for row in self.menus[path]]
        if path == ("routing", "ospf", "interface") and self.major != "6":
            return [{".id": "*1", "area": row["area"], "dynamic": "true"} for row in self.menus[("routing", "ospf", "interface-template")]]
        return self.menus[path]

    def _shown(self, path: Path, row: Row) -> Row:
        more = {name: value for name, value in defaults(self.major).get(path, {}).items() if value not in (None, UNSET)}
        spelt = {name: {"yes": "true", "no": "false"}.get(value or "", value or "") for name, value in more.items()}
        if path == ("ip", "dhcp-server") and self.major == "6":
            spelt.update({"bootp-support": "static", "delay-threshold": "none"})
        if path == ("ip", "ipsec", "identity"):
            spelt.update({"my-id": "auto", "remote-id": "auto"})
        if row.get("action") == "fasttrack-connection" and self.major != "6":
            spelt["hw-offload"] = "true"
        counters = {"bytes": "17", "packets": "3"} if path[:2] == ("ip", "firewall") and ".id" in row else {}
        return {**spelt, **row, **counters}

    # what it does by itself

    def _backup(self, verb: str, words: Row) -> tuple[list[Row], Row]:
        name = words.get("name", "")
        self.log.append(f"/system backup {verb}")
        if verb == "save":
            if self.faults.disk_full or self.faults.late_full:
                raise Trap("failure: not enough space")
            self.backups[f"{name}.backup"] = {path: copy.deepcopy(rows) for path, rows in self.menus.items() if path != ("file",)}
            self._plant("file", {"name": f"{name}.backup", "type": "backup", "size": "33421"})
            return [], {}
        if verb != "load":
            raise Trap("no such command")
        if "password" not in words:
            raise Trap("missing value(s) of argument(s) password")
        self.load(name)
        return [], {}

    def load(self, name: str) -> None:
        kept = self.backups.get(f"{name}.backup")
        if kept is None:
            raise Trap("failure: no such backup")
        self.menus.update({path: copy.deepcopy(rows) for path, rows in kept.items()})
        self.restart()

    def _scheduled(self, path: Path, row: Row) -> None:
        if path != ("system", "scheduler") or row.get("start-time") == "startup":
            return
        row.update(owner="admin", **{"start-date": "2026-01-02", "start-time": row.get("start-time", "03:04:05")})
        self._start(seconds(row["interval"]) / 60 * self.minute, row)

    def _start(self, wait: float, row: Row) -> None:
        timer = threading.Timer(wait, self._event, (row,))
        timer.daemon = True
        timer.row = row  # type: ignore[attr-defined]  # so that removing the item stops it
        self.timers.append(timer)
        timer.start()

    def _event(self, row: Row) -> None:
        match = re.fullmatch(r'/system backup load name=(\S+) password=""', row["on-event"])
        with self.lock:
            if match and row in self.menus[("system", "scheduler")]:
                self.load(match[1])

    def restart(self) -> None:
        """Everything is kept but connections. What is to run at the start runs."""
        with self.lock:
            self.restarts += 1
            self.stop()
            self.kick(self.away_seconds)
            for row in self.menus[("system", "scheduler")]:
                if row.get("start-time") == "startup":
                    self._start(self.start_seconds, row)

    def stop(self) -> None:
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def pending(self) -> bool:
        return bool(self.menus[("system", "scheduler")]) or bool(self.menus[("file",)])

    def configuration(self) -> dict[str, list[Row]]:
        """Everything but ids: what a test compares."""
        out = {}
        for path, rows in self.menus.items():
            if path not in SYSTEM or path == ("routing", "ospf", "interface"):
                own = [{name: value for name, value in row.items() if name != ".id"} for row in rows]
                ordered = path[:2] == ("ip", "firewall") or path == ("routing", "filter", "rule")
                out[" ".join(path)] = own if ordered else sorted(own, key=str)
        return out
