# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a router that is being switched on, every few milliseconds, what it can do by now, and writes down when it asked and when it was answered.

This file is handed to the target and run there by its Python as a program of its own: standard library only, no imports from the collection.
Its one argument is a folder with C(config.json); there it writes C(pid.json), C(status.json) every second and C(result.json) at its end. It judges nothing:
it stops when everything was answered for a while after an outage, or when its time is over. All times are of the monotonic clock.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import signal
import socket
import struct
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

MAGIC = b"rlboot"
LAST_ANSWERS = 1.0  # seconds that the last probes get
CONNECT_SECONDS = 0.9  # before the kernel would repeat a SYN, which would give the answer of another moment
BANNER_SECONDS = 20.0
PATIENCE_SECONDS = 90.0  # for what comes after forwarding: OSPF on a broadcast network takes its time
SLOW_SECONDS = 0.1  # between two connections, and two DHCP discoveries
DHCP_MAC = b"\x02rlab\x01"


def checksum(data: bytes) -> int:
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data[: len(data) // 2 * 2])) + (data[-1] << 8 if len(data) % 2 else 0)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def payload(seq: int) -> bytes:
    return MAGIC + struct.pack("!I", seq)


def number_in(data: bytes) -> Optional[int]:
    return struct.unpack("!I", data[len(MAGIC):len(MAGIC) + 4])[0] if data[: len(MAGIC)] == MAGIC and len(data) >= len(MAGIC) + 4 else None


def discover(seq: int, mac: bytes) -> bytes:
    """An Ethernet frame with a DHCP discovery that asks for a broadcast answer."""
    bootp = struct.pack("!BBBBIHH", 1, 1, 6, 0, seq, 0, 0x8000) + bytes(16) + DHCP_MAC.ljust(16, b"\0") + bytes(192)
    bootp += b"\x63\x82\x53\x63" + b"\x35\x01\x01" + b"\x37\x03\x01\x03\x06" + b"\xff"
    udp = struct.pack("!HHHH", 68, 67, 8 + len(bootp), 0) + bootp
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), seq & 0xFFFF, 0, 64, 17, 0, bytes(4), b"\xff" * 4)
    return b"\xff" * 6 + mac + b"\x08\x00" + header[:10] + struct.pack("!H", checksum(header)) + header[12:] + udp


def offer_for(frame: bytes) -> Optional[int]:
    """The transaction of a DHCP offer to our made-up address."""
    if len(frame) < 14 + 20 + 8 + 240 or frame[12:14] != b"\x08\x00" or frame[23] != 17:
        return None
    udp = 14 + (frame[14] & 15) * 4
    bootp = frame[udp + 8:]
    if frame[udp:udp + 4] != b"\x00\x43\x00\x44" or bootp[28:34] != DHCP_MAC or b"\x35\x01\x02" not in bootp[240:]:
        return None
    return struct.unpack("!I", bootp[4:8])[0]


class Series:
    """One kind of probe: when each was sent, and when it was first answered."""

    def __init__(self) -> None:
        self.sent: List[float] = []
        self.answered: Dict[int, float] = {}

    def sends(self) -> int:
        self.sent.append(time.monotonic())
        return len(self.sent) - 1

    def answer(self, seq: Optional[int]) -> None:
        if seq is not None and seq < len(self.sent):
            self.answered.setdefault(seq, time.monotonic())


class Echo:
    """UDP to an echo server: what crosses the router and comes back."""

    def __init__(self, config: Dict[str, Any], target: str) -> None:
        self.series = Series()
        self.every = 0.0
        self.target = (target, config["echo_port"])
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((config["source"], 0))
        self.socket.setblocking(False)

    def send(self) -> None:
        self.socket.sendto(payload(self.series.sends()), self.target)

    def receive(self) -> None:
        self.series.answer(number_in(self.socket.recv(2048)))


class Ping(Echo):
    """ICMP echo to the router's own address."""

    def __init__(self, config: Dict[str, Any], target: str) -> None:
        self.series = Series()
        self.every = 0.0
        self.target = (target, 0)
        self.ident = os.getpid() & 0xFFFF
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
        self.socket.setblocking(False)

    def send(self) -> None:
        seq = self.series.sends()
        header = struct.pack("!BBHHH", 8, 0, 0, self.ident, seq & 0xFFFF)
        packet = header[:2] + struct.pack("!H", checksum(header + payload(seq))) + header[4:] + payload(seq)
        self.socket.sendto(packet, self.target)

    def receive(self) -> None:
        data, source = self.socket.recvfrom(2048)
        icmp = data[(data[0] & 15) * 4:]
        if icmp[:1] == b"\0" and source[0] == self.target[0] and icmp[4:6] == struct.pack("!H", self.ident):
            self.series.answer(number_in(icmp[8:]))


class Dhcp:
    """Discoveries, and the first offer to each."""

    def __init__(self, config: Dict[str, Any], target: str) -> None:
        self.series = Series()
        self.every = SLOW_SECONDS
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
        self.socket.bind((target, 0x0800))
        self.socket.setblocking(False)
        self.mac = self.socket.getsockname()[4]

    def send(self) -> None:
        self.socket.send(discover(self.series.sends(), self.mac))

    def receive(self) -> None:
        self.series.answer(offer_for(self.socket.recv(2048)))


class Ssh:
    """Fresh connections until one of them brings the server's name. Each waits for one SYN's answer only."""

    def __init__(self, config: Dict[str, Any], target: str) -> None:
        self.series = Series()
        self.every = SLOW_SECONDS
        self.target = (target, 22)
        self.open: Dict[socket.socket, Tuple[int, bool]] = {}

    def send(self) -> None:
        now = time.monotonic()
        for talk, (seq, connected) in list(self.open.items()):
            if now - self.series.sent[seq] > (BANNER_SECONDS if connected else CONNECT_SECONDS):
                self.drop(talk)
        if self.series.answered and now - max(self.series.answered.values()) < 1.0:
            return  # it is there: once a second is enough to see it stay
        talk = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        talk.setblocking(False)
        self.open[talk] = (self.series.sends(), False)
        if talk.connect_ex(self.target) not in (0, errno.EINPROGRESS):
            self.drop(talk)

    def drop(self, talk: socket.socket) -> None:
        self.open.pop(talk, None)
        talk.close()

    def writable(self, talk: socket.socket) -> None:
        if talk.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            self.drop(talk)
        else:
            self.open[talk] = (self.open[talk][0], True)

    def readable(self, talk: socket.socket) -> None:
        seq = self.open[talk][0]
        try:
            if talk.recv(64).startswith(b"SSH-"):
                self.series.answer(seq)
        except OSError:
            pass
        self.drop(talk)


KINDS = {"forwarded": Echo, "forwarded_ospf": Echo, "address": Ping, "dhcp": Dhcp, "ssh": Ssh}


class Prober:
    """The loop: on every tick ask, between the ticks listen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = json.loads((folder / "config.json").read_text())
        self.interval = self.config["interval"]
        self.kinds: Dict[str, Any] = {name: KINDS[name](self.config, target) for name, target in self.config["targets"].items()}
        self.latest = 0.0
        self.steady_since: Optional[float] = None
        self.forwards_since: Optional[float] = None
        self.outage = False

    def write(self, name: str, value: Any) -> None:
        path = self.folder / name
        path.with_name(name + ".new").write_text(json.dumps(value))
        path.with_name(name + ".new").replace(path)

    def tick(self, number: int) -> None:
        for kind in self.kinds.values():
            steps = max(1, round(kind.every / self.interval))
            if number % steps == 0:
                with contextlib.suppress(OSError):  # no route, no carrier: a probe without an answer
                    kind.send()

    def listen(self, until: float) -> None:
        ssh: Any = self.kinds.get("ssh")
        plain = {kind.socket: kind for kind in self.kinds.values() if kind is not ssh}
        while True:
            talks = dict(ssh.open) if ssh else {}
            waiting = [talk for talk, (_seq, connected) in talks.items() if not connected]
            named = [talk for talk, (_seq, connected) in talks.items() if connected]
            left = until - time.monotonic()
            ready, written, _none = select.select([*plain, *named], waiting, [], max(0.0, left))
            for item in ready:
                with contextlib.suppress(OSError):
                    if item in plain:
                        plain[item].receive()
                    else:
                        ssh.readable(item)
            for talk in written:
                ssh.writable(talk)
            if left <= 0:
                return

    def finished(self, now: float) -> bool:
        """Whether everything has been answered, for a while, since the router was away."""
        window = self.config["window"]
        fast = [kind.series for kind in self.kinds.values() if not kind.every]
        count, late = round(window / self.interval), round(LAST_ANSWERS / self.interval)  # the newest may still be answered
        recent = [sum(1 for seq in range(max(0, len(series.sent) - late - count), len(series.sent) - late) if seq in series.answered) for series in fast]
        if not any(recent):
            self.outage = True
        slow = all(kind.series.answered for kind in self.kinds.values() if kind.every)
        steady = [self.outage and answered >= 0.9 * count for answered in recent]
        self.steady_since = (self.steady_since or now) if slow and all(steady) else None
        self.forwards_since = self.forwards_since or (now if steady[0] else None)
        patient = self.forwards_since is None or now - self.forwards_since < PATIENCE_SECONDS
        return not patient or (self.steady_since is not None and now - self.steady_since > 0.5)

    def run(self) -> None:
        begin = time.monotonic()
        number = 0
        while time.monotonic() - begin < self.config["timeout"]:
            planned = begin + number * self.interval
            self.latest = max(self.latest, time.monotonic() - planned)
            self.tick(number)
            self.listen(begin + (number + 1) * self.interval)
            number += 1
            if number * self.interval > 2.0 and number % max(1, round(0.25 / self.interval)) == 0:
                self.write("status.json", {"ticks": number, "outage": self.outage})
                if self.finished(time.monotonic()):
                    break
        self.listen(time.monotonic() + LAST_ANSWERS)
        self.write("result.json", {
            "epoch": time.time(), "monotonic": time.monotonic(), "latest": self.latest, "ticks": number, "wall_s": time.monotonic() - begin,
            "series": {name: {"sent": kind.series.sent, "answered": sorted(kind.series.answered.items())} for name, kind in self.kinds.items()},
        })


def main() -> None:
    """Goes to the background; SIGTERM ends it."""
    if os.fork():  # the task that starts us waits for this process only
        os._exit(0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(-10)  # it must not be late because the machine is busy starting the router
    prober = Prober(Path(sys.argv[1]))
    prober.write("pid.json", {"pid": os.getpid(), "start": int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])})
    prober.run()


if __name__ == "__main__":
    main()
