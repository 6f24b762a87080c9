# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A router that plays Junos over NETCONF on 127.0.0.1: a real SSH server (paramiko) with a host key and the subsystem `netconf`.

Modelled on RFC 4742 (SSH), RFC 4741 (hello, rpc, rpc-error, `]]>]]>` between messages) and Juniper's guide of the Junos XML protocol:
the operations that PyEZ sends. What they do is `fake_junos_state`. An operation that it does not know is refused as Junos refuses it.

    python tests/unit/helpers/fake_junos.py --state FOLDER [--version 21.4R3.15]

starts one until it is killed, and writes FOLDER/router.json (router_port, router_user, router_password) and FOLDER/known_hosts.
FOLDER/running.set shows after each commit what became of it.
"""
from __future__ import annotations

import argparse
import contextlib
import json
import logging
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any, Optional
from xml.sax.saxutils import escape

import paramiko
from lxml import etree

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / ".ansible/collections")]

from fake_junos_state import Box, Wrong

END = b"]]>]]>"
BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
HELLO = (
    f'<hello xmlns="{BASE}"><capabilities><capability>{BASE}</capability><capability>urn:ietf:params:netconf:base:1.0</capability>'
    "<capability>urn:ietf:params:netconf:capability:candidate:1.0</capability>"
    "<capability>urn:ietf:params:netconf:capability:confirmed-commit:1.0</capability>"
    "<capability>http://xml.juniper.net/netconf/junos/1.0</capability></capabilities><session-id>%d</session-id></hello>"
)


class Gone(Exception):
    """The session is over."""


class _Door(paramiko.ServerInterface):
    """Who gets in, and for what."""

    def __init__(self, server: "FakeJunos") -> None:
        self.server = server
        self.user = ""

    def check_auth_password(self, username: str, password: str) -> int:
        self.user = username
        return paramiko.AUTH_SUCCESSFUL if self.server.box.users.get(username) == password else paramiko.AUTH_FAILED

    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return paramiko.OPEN_SUCCEEDED if kind == "session" else paramiko.OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_channel_subsystem_request(self, channel: paramiko.Channel, name: str) -> bool:
        if name != "netconf":
            return False
        threading.Thread(target=Session(self.server, channel, self.user).run, daemon=True).start()
        return True


class Session:
    """One NETCONF session."""

    numbers = iter(range(4711, 10**9))

    def __init__(self, server: "FakeJunos", channel: paramiko.Channel, user: str) -> None:
        self.server, self.box, self.channel, self.user = server, server.box, channel, user
        self.number = next(self.numbers)
        self.private: Optional[list[tuple[str, ...]]] = None

    def run(self) -> None:
        with contextlib.suppress(OSError, EOFError, Gone, paramiko.SSHException):
            self.channel.sendall((HELLO % self.number).encode() + END)
            buffer = b""
            while True:
                data = self.channel.recv(65536)
                if not data:
                    break
                buffer += data
                while END in buffer:
                    message, _end, buffer = buffer.partition(END)
                    self._message(etree.fromstring(message))
        self.box.drop(self.number)
        with contextlib.suppress(Exception):
            self.channel.close()

    def _message(self, root: Any) -> None:
        for item in root.iter():
            if isinstance(item.tag, str):
                item.tag = etree.QName(item).localname
        if root.tag != "rpc":
            return
        operation = root[0]
        name = self._name(operation)
        self._hook(self.box.faults.before, name)
        told: list[Wrong] = []
        body = ""
        try:
            method = getattr(self, "_" + operation.tag.replace("-", "_"), None)
            if method is None:
                raise Wrong("syntax error", bad=operation.tag)
            body = method(operation, told) or ("" if told else "<ok/>")
        except Wrong as error:
            told.append(error)
        self.server.show()
        self._hook(self.box.faults.after, name)
        errors = "".join(_error(item) for item in told)
        message = f'message-id="{root.get("message-id", "")}"'
        reply = f'<rpc-reply xmlns="{BASE}" xmlns:junos="http://xml.juniper.net/junos/{self.box.version[:4]}R0/junos" {message}>{errors}{body}</rpc-reply>'
        self.channel.sendall(reply.encode() + END)
        if operation.tag == "close-session":
            raise Gone

    def _hook(self, hooks: dict[str, Any], name: str) -> None:
        hook = hooks.pop(name, None)
        if hook:
            hook(self)

    @staticmethod
    def _name(operation: Any) -> str:
        if operation.tag != "commit-configuration":
            return str(operation.tag)
        return "commit-check" if operation.find("check") is not None else "commit-confirmed" if operation.find("confirmed") is not None else "commit"

    def _candidate(self) -> list[tuple[str, ...]]:
        return self.box.candidate if self.private is None else self.private

    def _get_system_information(self, _operation: Any, _told: list[Wrong]) -> str:
        box = self.box
        facts = {"hardware-model": box.model, "os-name": "junos", "os-version": box.version, "serial-number": "ABC", "host-name": "router"}
        return "<system-information>" + "".join(f"<{name}>{value}</{name}>" for name, value in facts.items()) + "</system-information>"

    def _get_configuration(self, operation: Any, _told: list[Wrong]) -> str:
        if operation.get("compare") == "rollback":
            difference = escape(self.box.compare(self._candidate()))
            return f"<configuration-information><configuration-output>{difference}</configuration-output></configuration-information>"
        paths = self.box.active if operation.get("database") == "committed" else self._candidate()
        head = f"\n## Last commit: 2026-01-02 03:04:{self.box.commits:02} UTC by admin\n"
        text = self.box.curly(paths)
        for path in self.box.inactive:  # outermost statements only
            text = text.replace(f"\n{path[0]} {{", f"\ninactive: {path[0]} {{", 1)
        return f"<configuration-text>{escape(head + text)}</configuration-text>"

    def _lock_configuration(self, _operation: Any, _told: list[Wrong]) -> None:
        self.box.lock(self.number, self.user)

    def _unlock_configuration(self, _operation: Any, _told: list[Wrong]) -> None:
        self.box.unlock(self.number)

    def _open_configuration(self, _operation: Any, _told: list[Wrong]) -> None:
        if self.box.holder not in (None, self.number):
            raise Wrong(f"configuration database locked by:\n  {self.box.holder_words}\n")
        self.private = list(self.box.active)

    def _close_configuration(self, _operation: Any, _told: list[Wrong]) -> None:
        self.private = None

    def _load_configuration(self, operation: Any, told: list[Wrong]) -> str:
        if self.private is None and self.box.holder not in (None, self.number):
            raise Wrong(f"configuration database locked by:\n  {self.box.holder_words}\n")
        candidate = self._candidate()
        if operation.get("rollback") is not None:
            number = int(operation.get("rollback"))
            candidate[:] = self.box.active if number == 0 else self.box.rollbacks[number - 1]
        elif operation.get("action") == "set":
            told += self.box.edit(candidate, operation.findtext("configuration-set") or "")
        elif operation.get("action") == "override":
            candidate[:] = self.box.override(operation.findtext("configuration-text") or "")
        else:
            raise Wrong("syntax error", bad="load-configuration")
        count = sum(item.severity == "error" for item in told)
        return f"<load-configuration-results>{f'<load-error-count>{count}</load-error-count>' if count else '<ok/>'}</load-configuration-results>"

    def _commit_configuration(self, operation: Any, told: list[Wrong]) -> str:
        box = self.box
        if operation.find("check") is not None:
            box.check(self._candidate())
            return "<commit-results><routing-engine><name>re0</name><commit-check-success/></routing-engine></commit-results>"
        if self.private is not None:
            raise Wrong("cannot perform confirmed commit on private copy")
        minutes = float(operation.findtext("confirm-timeout") or 10) if operation.find("confirmed") is not None else 0
        with box.committing:
            time.sleep(box.faults.commit_seconds)
            box.commit(self.user, operation.findtext("log") or "", minutes)
        if box.faults.commit_warning:
            told.append(Wrong(box.faults.commit_warning, "warning"))
        return "<commit-results><routing-engine><name>re0</name><commit-success/></routing-engine></commit-results>"

    def _get_commit_information(self, _operation: Any, _told: list[Wrong]) -> str:
        out = ""
        for number, entry in enumerate(self.box.history):
            out += f"<commit-history><sequence-number>{number}</sequence-number><user>{entry['user']}</user><client>netconf</client>"
            out += "<date-time>2026-01-02 03:04:05 UTC</date-time>" + (f"<comment>{entry['confirm']}</comment>" if "confirm" in entry else "")
            out += (f"<log>{escape(entry['log'])}</log>" if entry["log"] else "")
            out += ("<commit-confirmed>rollback pending</commit-confirmed>" if "pending" in entry else "") + "</commit-history>"
        return f"<commit-information>{out}</commit-information>"

    # after PyEZ's tables of these commands; not captured from a device

    def _get_system_uptime_information(self, _operation: Any, _told: list[Wrong]) -> str:
        length = '<time-length junos:seconds="4711">1:18</time-length>'
        return f"<system-uptime-information><system-booted-time>{length}</system-booted-time></system-uptime-information>"

    def _get_interface_information(self, _operation: Any, _told: list[Wrong]) -> str:
        address = "<interface-address><ifa-destination>127/8</ifa-destination><ifa-local>127.0.0.1</ifa-local></interface-address>"
        family = f"<address-family><address-family-name>inet</address-family-name><mtu>1500</mtu>{address}</address-family>"
        unit = f"<logical-interface><name>\nfxp0.0\n</name>{family}</logical-interface>"
        port = f"<physical-interface><name>fxp0</name><oper-status>up</oper-status><mtu>1514</mtu>{unit}</physical-interface>"
        return f"<interface-information>{port}</interface-information>"

    def _get_ospf_neighbor_information(self, _operation: Any, _told: list[Wrong]) -> str:
        if not any(path[:2] == ("protocols", "ospf") for path in self.box.active):
            raise Wrong("OSPF instance is not running")
        facts = {"neighbor-address": "10.253.253.1", "interface-name": "ge-0/0/0.0", "ospf-neighbor-state": "Full", "neighbor-id": "10.0.0.9"}
        inner = "".join(f"<{name}>{value}</{name}>" for name, value in facts.items())
        return f"<ospf-neighbor-information><ospf-neighbor>{inner}</ospf-neighbor></ospf-neighbor-information>"

    def _get_route_information(self, _operation: Any, _told: list[Wrong]) -> str:
        entry = "<rt-entry><active-tag>*</active-tag><current-active/><protocol-name>Static</protocol-name>"
        entry += "<nh><to>10.253.253.1</to><via>ge-0/0/0.0</via></nh></rt-entry>"
        return f"<route-information><route-table><rt><rt-destination>0.0.0.0/0</rt-destination>{entry}</rt></route-table></route-information>"

    def _get_flow_session_information(self, _operation: Any, _told: list[Wrong]) -> str:
        summary = "<flow-session-summary-information><active-sessions>7</active-sessions></flow-session-summary-information>"
        return f"<flow-session-information>{summary}</flow-session-information>"

    def _close_session(self, _operation: Any, _told: list[Wrong]) -> None:
        return


def _error(item: Wrong) -> str:
    bad = f"<error-info><bad-element>{escape(item.bad)}</bad-element></error-info>" if item.bad else ""
    kind = "protocol" if item.tag != "operation-failed" or item.bad else "application"
    head = f"<error-type>{kind}</error-type><error-tag>{item.tag}</error-tag><error-severity>{item.severity}</error-severity>"
    return f"<rpc-error>{head}<error-message>\n{escape(item.message)}\n</error-message>{bad}</rpc-error>"


class FakeJunos:
    """A router that listens. ``box`` is its state; ``close`` ends it."""

    def __init__(self, box: Optional[Box] = None, key: Optional[paramiko.PKey] = None, folder: Optional[Path] = None) -> None:
        self.box = box or Box()
        self.box.kick = self.away
        self.key = key or paramiko.ECDSAKey.generate()
        self.folder = folder
        self.up_at = 0.0
        self.transports: list[paramiko.Transport] = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def known_hosts(self) -> str:
        return f"[127.0.0.1]:{self.port} {self.key.get_name()} {self.key.get_base64()}\n"

    def _serve(self) -> None:
        while True:
            try:
                connection, _peer = self.listener.accept()
            except OSError:
                return
            if time.monotonic() < self.up_at:
                connection.close()
                continue
            threading.Thread(target=self._welcome, args=(connection,), daemon=True).start()

    def _welcome(self, connection: socket.socket) -> None:
        transport = paramiko.Transport(connection)
        transport.add_server_key(self.key)
        self.transports.append(transport)
        with contextlib.suppress(paramiko.SSHException, EOFError, OSError):
            transport.start_server(server=_Door(self))

    def show(self) -> None:
        if self.folder is not None:
            (self.folder / "running.set").write_text("".join(sorted(f"{line}\n" for line in self.box.commands())), encoding="utf-8")

    def cut(self) -> None:
        """Every connection breaks, without a good-bye."""
        for transport in self.transports:
            with contextlib.suppress(Exception):
                transport.sock.close()
            transport.close()
        self.transports.clear()

    def away(self, seconds: float) -> None:
        """Nobody gets in for some time."""
        self.up_at = time.monotonic() + seconds
        self.cut()

    def close(self) -> None:
        self.box.stop()
        self.listener.close()
        self.cut()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--version", default="21.4R3.15")
    options = parser.parse_args()
    logging.getLogger("paramiko").addHandler(logging.NullHandler())
    router = FakeJunos(Box(options.version), folder=options.state)
    (options.state / "known_hosts").write_text(router.known_hosts(), encoding="ascii")
    facts = {"router_port": router.port, "router_user": "admin", "router_password": router.box.users["admin"]}
    (options.state / "router.json").write_text(json.dumps(facts), encoding="ascii")
    threading.Event().wait()


if __name__ == "__main__":
    main()
