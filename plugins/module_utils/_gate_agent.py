# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the gate runs on traffic hosts: listeners that say whom they see, and probes that say what became of them.

The text of this file is sent to the host as it is, so it needs nothing but Python 3.8 and its standard library.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

# Linux's numbers, for Pythons that have no names for them.
IP_TTL, IP_PKTINFO, IP_MTU_DISCOVER, IP_RECVTTL, IP_MTU = 2, 8, 10, 12, 14
PMTUDISC_PROBE = 3
SENT_TTL = 64
UDP_HEADERS = 28
# Marks the routes that a probe lends, so that those of a killed run are recognised.
ROUTE_PROTOCOL = "199"
LINE = 4096

Result = Dict[str, Any]


def listen(ports: List[int]) -> Tuple[socket.socket, socket.socket, int]:
    """A TCP and a UDP socket on the first port that is free for both."""
    busy = []
    for port in ports:
        tcp, udp = socket.socket(socket.AF_INET, socket.SOCK_STREAM), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tcp.bind(("0.0.0.0", port))
            udp.bind(("0.0.0.0", port))
            tcp.listen(32)
            udp.setsockopt(socket.IPPROTO_IP, IP_RECVTTL, 1)
            udp.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
            return tcp, udp, port
        except OSError as error:
            busy.append("%d (%s)" % (port, error.strerror))
            tcp.close()
            udp.close()
    raise OSError("no port is free: " + ", ".join(busy))


def answer_tcp(tcp: socket.socket) -> None:
    """Tell every caller whom the connection seems to come from."""
    while True:
        try:
            link, peer = tcp.accept()
            link.settimeout(5)
            link.sendall(json.dumps({"seen": peer[0], "seen_port": peer[1]}).encode() + b"\n")
            link.close()
        except OSError:
            continue


def answer_udp(udp: socket.socket) -> None:
    """Tell every caller the source, the TTL and the size that arrived, from the address that was called."""
    while True:
        data, extra, dummy, peer = udp.recvmsg(65535, 512)
        ttl, here = None, []
        for level, kind, value in extra:
            if level == socket.IPPROTO_IP and kind == IP_TTL:
                ttl = int.from_bytes(value[:4], sys.byteorder)
            elif level == socket.IPPROTO_IP and kind == IP_PKTINFO:
                here = [(level, kind, b"\0" * 4 + value[4:8] + b"\0" * 4)]
        reply = json.dumps({"seen": peer[0], "ttl": ttl, "bytes": len(data)}).encode()
        try:
            udp.sendmsg([reply], here, 0, peer)
        except OSError:
            continue


def serve(want: Dict[str, Any]) -> Result:
    """Start listening in the background; the listener ends by itself after its lifetime."""
    try:
        tcp, udp, port = listen(want["ports"])
    except OSError as error:
        return {"error": str(error)}
    pid = os.fork()
    if pid:
        return {"port": port, "pid": pid}
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    signal.alarm(int(want["lifetime"]))
    threading.Thread(target=answer_tcp, args=(tcp,), daemon=True).start()
    answer_udp(udp)
    os._exit(0)


def outcome_of(error: OSError) -> Result:
    """What a failed attempt means."""
    if isinstance(error, socket.timeout) or error.errno == errno.ETIMEDOUT:
        return {"outcome": "timeout"}
    if error.errno == errno.ECONNREFUSED:
        return {"outcome": "refused"}
    if error.errno == errno.EMSGSIZE:
        return {"outcome": "too_big"}
    if error.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EACCES, errno.EPERM):
        return {"outcome": "unreachable", "detail": error.strerror}
    return {"outcome": "error", "detail": str(error)}


def try_tcp(probe: Dict[str, Any]) -> Result:
    """Open a connection; a listener of ours then says whom it sees."""
    link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    link.settimeout(probe["timeout"])
    try:
        link.connect((probe["address"], probe["port"]))
        source = link.getsockname()[0]
        said = link.recv(LINE) if probe.get("ours", True) else b"{}"
        return dict(json.loads(said or b"{}"), outcome="connected", source=source)
    except OSError as error:
        return outcome_of(error)
    except ValueError:
        return {"outcome": "connected", "detail": "somebody else answered: %r" % said[:80]}
    finally:
        link.close()


def try_udp(probe: Dict[str, Any]) -> Result:
    """Send one datagram of a given IP length that must not be fragmented."""
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.settimeout(probe["timeout"])
    size = max(0, probe.get("size", 100) - UDP_HEADERS)
    sent = False
    try:
        link.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_PROBE)
        link.setsockopt(socket.IPPROTO_IP, IP_TTL, SENT_TTL)
        link.connect((probe["address"], probe["port"]))
        link.send(b"." * size)
        sent = True
        return dict(json.loads(link.recv(LINE)), outcome="answered", sent_ttl=SENT_TTL, source=link.getsockname()[0])
    except OSError as error:
        result = outcome_of(error)
        if result["outcome"] == "too_big":
            mtu = link.getsockopt(socket.IPPROTO_IP, IP_MTU)
            who = "a router on the way said so" if sent else "the sender's own interface refused it"
            result["detail"] = "%s, MTU %d" % (who, mtu)
        return result
    finally:
        link.close()


def try_ping(probe: Dict[str, Any]) -> Result:
    """One echo request by the host's own ping."""
    wait = str(max(1, int(probe["timeout"])))
    done = subprocess.run(["ping", "-n", "-c", "1", "-W", wait, probe["address"]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0:
        return {"outcome": "answered"}
    said = done.stdout.decode(errors="replace").splitlines()
    telling = [line for line in said if line.strip() and not line.startswith(("PING ", "---")) and "packet loss" not in line]
    return {"outcome": "unreachable", "detail": "; ".join(telling)[:300]} if telling else {"outcome": "timeout"}


TRIES: Dict[str, Callable[[Dict[str, Any]], Result]] = {"tcp": try_tcp, "udp": try_udp, "icmp": try_ping}


def attempt(probe: Dict[str, Any]) -> Result:
    """Try until the outcome is the wished one or the time is over; silence is worth one try only where it is wished."""
    begun = time.monotonic()
    tries = 0
    while True:
        tries += 1
        try:
            result = TRIES[probe["protocol"]](probe)
        except (OSError, ValueError) as error:
            result = {"outcome": "error", "detail": str(error)}
        spent = time.monotonic() - begun
        if result["outcome"] in probe["wish"] or spent >= probe.get("patience", 0):
            return dict(result, tries=tries, seconds=round(spent, 3))
        time.sleep(0.1)


def ip(*words: str) -> Optional[str]:
    """Run ip; its complaint, or None."""
    done = subprocess.run(("ip",) + words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return done.stderr.decode(errors="replace").strip() or "exit status %d" % done.returncode if done.returncode else None


def neighbour(address: str) -> str:
    """A neighbour's hardware address, or 'none': a probe that never left the host proves nothing."""
    done = subprocess.run(("ip", "neigh", "show", "to", address), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    words = done.stdout.decode(errors="replace").split()
    return words[words.index("lladdr") + 1] if "lladdr" in words and "FAILED" not in words else "none"


def stopped(*dummy: Any) -> None:
    """A signal becomes an exception, so that lent routes are taken back."""
    raise SystemExit(1)


def probe_all(want: Dict[str, Any]) -> Result:
    """All probes at once; routes exist only while they run."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, stopped)
    results: Dict[str, Result] = {}
    lent: List[Dict[str, str]] = []
    refused: Dict[str, str] = {}
    if want["routes"]:
        ip("route", "flush", "proto", ROUTE_PROTOCOL)
    try:
        for route in want["routes"]:
            complaint = ip("route", "add", route["to"] + "/32", "via", route["via"], "proto", ROUTE_PROTOCOL)
            if complaint:
                refused[route["to"]] = complaint
            else:
                lent.append(route)

        def one(probe: Dict[str, Any]) -> None:
            results[probe["id"]] = attempt(probe)

        threads = [threading.Thread(target=one, args=(probe,), daemon=True) for probe in want["probes"]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(want["limit"])
        neighbours = {route["via"]: neighbour(route["via"]) for route in lent}
    finally:
        for route in lent:
            ip("route", "del", route["to"] + "/32", "via", route["via"], "proto", ROUTE_PROTOCOL)
    return {"results": results, "routes_refused": refused, "neighbours": neighbours}


def main(text: str) -> None:
    """One request in, one line of JSON out."""
    want = json.loads(text)
    result = serve(want) if want["do"] == "serve" else probe_all(want)
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
