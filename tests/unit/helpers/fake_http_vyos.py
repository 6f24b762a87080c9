# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A router that plays the HTTPS API of VyOS: /retrieve, /configure, /config-file and /show, on the state of `fake_vyos_state`.

Modelled on vyos-1x, src/services/vyos-http-api-server of equuleus and sagitta and src/services/api/rest of October 2024: one session and one
lock for all requests, a list of commands is one commit, what fails is discarded, HTTP 400 with the words of the command line, 401 for a wrong
key, an unknown operation is refused once the lock is had. A change of `service https` is committed after the answer. Commit-confirm as in
pull request 4533 of May 2025 where the dialect is rolling; older ones pass `confirm_time` over in silence. The API of 1.2 (crux) has no /show.

Not there: forms (the driver sends JSON), /configure-section, /config-file load, /generate, /reset, GraphQL.
"""
from __future__ import annotations

import json
import threading
from typing import Any, Mapping

import fake_vyos_show
from fake_http import Answer, FakeHttp, json_answer
from fake_vyos_state import Box, Refused

from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import Path, to_curly

INTERFACES = """\
Codes: S - State, L - Link, u - Up, D - Down, A - Admin Down
Interface    IP Address         MAC                VRF        MTU  S/L    Description
-----------  -----------------  -----------------  -------  -----  -----  -------------
eth0         10.253.253.2/30    52:54:00:00:00:01  default   1500  u/u    WAN
eth1         10.222.222.1/24    52:54:00:00:00:02  default   9000  u/D
lo           127.0.0.1/8        00:00:00:00:00:00  default  65536  u/u
             10.0.0.1/32
"""
ROUTES = """\
Codes: K - kernel route, C - connected, S - static, O - OSPF,
       > - selected route, * - FIB route, q - queued, r - rejected, b - backup

O   10.253.253.0/30 [110/1] is directly connected, eth0, weight 1, 00:10:00
C>* 10.253.253.0/30 is directly connected, eth0, 00:10:22
O>* 0.0.0.0/0 [110/20] via 10.253.253.1, eth0, weight 1, 00:09:30
  *                    via 10.9.9.1, eth1, weight 1, 00:09:30
"""
LEASES = """\
IP Address      MAC address        State    Lease start          Lease expiration     Remaining    Pool    Hostname    Origin
--------------  -----------------  -------  -------------------  -------------------  -----------  ------  ----------  --------
10.222.222.100  52:54:00:00:00:0c  active   2026/01/06 10:00:00  2026/01/06 10:10:00  0:07:12      lan     lan         local
"""
STORAGE = """\
Filesystem      Size  Used Avail Use% Mounted on
/dev/sda3        16G   16G  {free} {used}% /usr/lib/live/mount/persistence
tmpfs           1.9G     0     0   0% /run
"""


class FakeHttpVyos(FakeHttp):
    """One router."""

    def __init__(self, box: Box | None = None, key: str = "api-Key_1") -> None:
        super().__init__()
        self.box = box or Box()
        self.key = key
        self.lock = threading.Lock()
        self.box.kick = self.away
        self.box.root.children["service"].children.setdefault("https", _node())
        self.own = [("service", "https", "api", "keys", "id", "lab", "key", key), ("service", "https", "port", str(self.port))]
        self.box.running += self.own
        self.box.saved = self.box.boot_text().encode()

    def label(self, path: str, body: bytes) -> str:
        data = json.loads(body)
        commands = data.get("commands") or [data]
        return f"{path} {commands[0].get('op', '')}" if commands else path

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        data = json.loads(body)
        if data.get("key") not in [item[-1] for item in self.box.running if item[:4] == ("service", "https", "api", "keys")]:
            return error(401, "Valid API key is required")
        door = {"/retrieve": self._retrieve, "/configure": self._configure, "/config-file": self._file, "/show": self._show}.get(path)
        if door is None or (path == "/show" and self.box.dialect == "1.2"):
            return 404, {"Content-Type": "text/html"}, b"<html><body><h1>404</h1>Not Found</body></html>"
        return door(data)

    def _retrieve(self, data: Mapping[str, Any]) -> Answer:
        if data["op"] != "showConfig" or data.get("configFormat") != "raw" or data["path"]:
            return error(400, f"'{data['op']}' is not a valid operation")
        return success(to_curly(self.box.ordered(), self.box.root))

    def _show(self, data: Mapping[str, Any]) -> Answer:
        words = " ".join(data["path"])
        known = {"interfaces": INTERFACES, "ip route": ROUTES, "dhcp server leases": LEASES, "host name": self.box.hostname() + "\n"}
        known["ip ospf neighbor"] = fake_vyos_show.TEXTS["vtysh -c 'show ip ospf neighbor'"]
        full = self.box.faults.disk_full
        known["system storage"] = STORAGE.format(free="0" if full else "7.3G", used=100 if full else 51)
        if words in known:
            return success(known[words])
        text = fake_vyos_show.show(self.box, ["show", *data["path"]])
        return error(400, text) if "Invalid command" in text else success(text)

    def _file(self, data: Mapping[str, Any]) -> Answer:
        if data["op"] == "confirm":
            return self._confirm()
        if data["op"] != "save":
            return error(400, f"'{data['op']}' is not a valid operation")
        words = self.box.save()
        return error(400, words) if "Error" in words else success(words)

    def _confirm(self) -> Answer:
        if self.box.dialect != "rolling":
            return error(400, "Malformed command: missing 'path' field")
        self.box.log.append("confirm")
        return success("Reload timer stopped\n" if self.box.stop_timer() else "No confirm pending\n")

    def _configure(self, data: Mapping[str, Any]) -> Answer:
        if data.get("op") == "confirm":
            return self._confirm()
        said: list[str] = []
        with self.lock:
            base, candidate = list(self.box.running), list(self.box.running)
            try:
                for command in data.get("commands") or [data]:
                    if command["op"] not in ("set", "delete"):
                        raise Refused(f"'{command['op']}' is not a valid operation")
                    said.append(self.box.change(candidate, command["op"], tuple(command["path"])))
            except Refused as refused:
                return error(400, str(refused))
            if self._own(base) != self._own(candidate):
                threading.Timer(0.1, self.box.commit, (base, candidate, said.append)).start()
                return success("Requested HTTP API server configuration change; commit will be called in the background")
            if not self.box.commit(base, candidate, said.append):
                return error(400, "".join(said))
        minutes = int(data.get("confirm_time") or 0)
        if minutes and self.box.dialect == "rolling":
            if self.box.pending():
                return error(400, "Another confirm is pending")
            self.box.start_timer(minutes)
            said.append(f"Initialized commit-confirm; {minutes} minutes to confirm before reload\n")
        return success("".join(said) or None)

    @staticmethod
    def _own(paths: list[Path]) -> list[Path]:
        return sorted(path for path in paths if path[:2] == ("service", "https"))


def error(code: int, words: str) -> Answer:
    return json_answer({"success": False, "error": words, "data": None}, code)


def success(data: Any) -> Answer:
    return json_answer({"success": True, "data": data, "error": None})


def _node() -> Any:
    from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import read_table

    table = "service\n  https ?\n    port =\n    api\n      keys\n        id * : \\S+\n          key =\n"
    return read_table(table, "1.4", ("1.4",)).children["service"].children["https"]
