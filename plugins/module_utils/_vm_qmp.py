# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""QEMU's machine protocol: one command, one answer, and events with the time at which QEMU says they happened."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError


class Qmp:
    """A conversation; use it in a `with`."""

    def __init__(self, path: str, timeout: float = 10.0) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        self._buffer = b""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(path)
            self._message()  # the greeting
            self.command("qmp_capabilities")
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self) -> Qmp:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._socket.close()

    def _message(self) -> dict[str, Any]:
        while b"\n" not in self._buffer:
            piece = self._socket.recv(65536)
            if not piece:
                raise ConnectionError("QEMU closed the connection")
            self._buffer += piece
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def command(self, name: str, **arguments: Any) -> Any:
        text = json.dumps({"execute": name, **({"arguments": arguments} if arguments else {})})
        self._socket.sendall(text.encode() + b"\n")
        while True:
            message = self._message()
            if "event" in message:
                self.events.append(message)
            elif "error" in message:
                raise LabError("QEMU refused '%s': %s" % (name, message["error"].get("desc", "no reason given")))
            elif "return" in message:
                return message["return"]

    def wait_event(self, name: str, timeout: float) -> float:
        """Seconds since the epoch at which the event happened, as QEMU says (to the microsecond)."""
        deadline = time.monotonic() + timeout
        while True:
            for event in self.events:
                if event["event"] == name:
                    return event["timestamp"]["seconds"] + event["timestamp"]["microseconds"] / 1e6
            self._socket.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                message = self._message()
            except socket.timeout as error:
                raise LabError("QEMU did not say '%s' within %g s" % (name, timeout)) from error
            if "event" in message:
                self.events.append(message)


def quit_machine(path: str) -> None:
    """Ask QEMU to end at once, as if the power were cut; it flushes its images first. Whoever asks makes sure of it by other means."""
    with contextlib.suppress(OSError, ValueError, LabError), Qmp(path, 5.0) as talk:
        talk.command("quit")
