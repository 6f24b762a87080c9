# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A DHCP lease by a real client that changes nothing on this host: its script only writes down what the server said.

The lease is given back at once. The client shows an identifier of its own, so the host's own lease, if it has
one, is a different one for the server. Needs nothing but Python 3.8: the gate sends this text to hosts as it is.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from typing import Any, Dict, List, Optional, Tuple

CLIENTS = ("udhcpc", "busybox", "dhclient")
SBIN = ":/usr/local/sbin:/usr/sbin:/sbin"
MARK = "ROUTERLAB_RECORD"
SCRIPT = """#!/bin/sh
# Called by the DHCP client at each event; changes nothing.
{ echo "%s ${1:-$reason}"; env; } >> "%s"
"""
DHCLIENT_CONF = """timeout %d;
retry 1;
send dhcp-client-identifier "%s";
request subnet-mask, routers, domain-name-servers, domain-name, dhcp-lease-time, dhcp-server-identifier;
"""
MAGIC = b"\x63\x82\x53\x63"
RELEASE = 7

Lease = Dict[str, Any]


class LeaseError(Exception):
    """No lease; the message says why and what was seen."""


def find_client(wanted: str) -> Tuple[str, str]:
    """Kind and path of the DHCP client to use."""
    path = os.environ.get("PATH", "/usr/bin:/bin") + SBIN
    for name in CLIENTS if wanted == "auto" else (wanted,):
        found = shutil.which(name, path=path)
        if found:
            return ("dhclient" if name == "dhclient" else "udhcpc"), found
    asked = "udhcpc, busybox or dhclient" if wanted == "auto" else wanted
    raise LeaseError("no DHCP client on this host: %s is missing (Debian packages: udhcpc, busybox, isc-dhcp-client)" % asked)


def hardware_address(interface: str) -> bytes:
    """The MAC of an interface."""
    try:
        with open("/sys/class/net/%s/address" % interface, encoding="ascii") as handle:
            return bytes.fromhex(handle.read().strip().replace(":", ""))
    except (OSError, ValueError) as error:
        raise LeaseError("there is no interface %s with a hardware address on this host (%s)" % (interface, error)) from error


def identifier() -> bytes:
    """A client identifier that no other program of this host uses (type 0: not a hardware address)."""
    return b"\0routerlab-" + socket.gethostname().encode("ascii", "replace")[:40]


def arguments(kind: str, program: str, interface: str, folder: str, timeout: int) -> List[str]:
    """The client's command line."""
    script = os.path.join(folder, "script")
    if kind == "udhcpc":
        words = [program, "udhcpc"] if os.path.basename(program) == "busybox" else [program]
        return words + ["-i", interface, "-f", "-q", "-n", "-t", str(timeout), "-T", "1", "-C", "-x", "0x3d:" + identifier().hex(), "-s", script]
    files = {name: os.path.join(folder, name) for name in ("conf", "leases", "pid")}
    return [program, "-1", "-d", "-v", "-cf", files["conf"], "-lf", files["leases"], "-pf", files["pid"], "-sf", script, interface]


def parse_record(text: str) -> Optional[Dict[str, str]]:
    """The variables of the event that brought the lease; None when there was none."""
    for block in text.split(MARK + " ")[1:]:
        event, dummy, rest = block.partition("\n")
        if event.strip().upper() in ("BOUND", "RENEW", "REBOOT"):
            return dict(line.split("=", 1) for line in rest.splitlines() if "=" in line)
    return None


def prefix_length(mask: str) -> Optional[int]:
    """255.255.255.0 or 24 → 24."""
    if mask.isdigit():
        return int(mask)
    try:
        return bin(struct.unpack("!I", socket.inet_aton(mask))[0]).count("1")
    except OSError:
        return None


def lease_from(seen: Dict[str, str]) -> Lease:
    """A lease from what udhcpc or dhclient give their script. Lists are empty, values None where the server said nothing."""
    def one(udhcpc: str, dhclient: str) -> str:
        return seen.get(udhcpc) or seen.get("new_" + dhclient) or ""

    lease = one("lease", "dhcp_lease_time")
    mask = one("subnet", "subnet_mask")
    return {
        "address": one("ip", "ip_address"),
        "prefix_len": prefix_length(mask) if mask else None,
        "routers": one("router", "routers").split(),
        "dns": one("dns", "domain_name_servers").split(),
        "domain": one("domain", "domain_name") or None,
        "lease": int(lease) if lease.isdigit() else None,
        "server": one("serverid", "dhcp_server_identifier") or None,
    }


def release_packet(lease: Lease, mac: bytes, client_id: bytes, transaction: int) -> bytes:
    """A DHCPRELEASE (RFC 2131, table 5)."""
    head = struct.pack("!BBBBIHH4s12s", 1, 1, len(mac), 0, transaction, 0, 0, socket.inet_aton(lease["address"]), b"\0" * 12)
    options = bytes((53, 1, RELEASE, 54, 4)) + socket.inet_aton(lease["server"]) + bytes((61, len(client_id))) + client_id + b"\xff"
    return head + mac.ljust(16, b"\0") + b"\0" * 192 + MAGIC + options.ljust(60, b"\0")


def release(lease: Lease, interface: str, mac: bytes) -> bool:
    """Give the lease back; the client itself cannot, because the host never took the address."""
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode() + b"\0")
        link.sendto(release_packet(lease, mac, identifier(), int(time.time()) & 0xFFFFFFFF), (lease["server"], 67))
    except (OSError, TypeError):
        return False
    finally:
        link.close()
    return True


def run_client(argv: List[str], record: str, timeout: int) -> Tuple[str, str]:
    """Run the client until the lease is there or the time is over; what it said, and what its script wrote."""
    log = record + ".log"
    with open(log, "wb") as handle:
        client = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=handle, stderr=subprocess.STDOUT, env=dict(os.environ, LC_ALL="C"))
    deadline = time.monotonic() + timeout + 2
    written = ""
    try:
        while True:
            ended = client.poll() is not None
            if os.path.exists(record):
                with open(record, encoding="utf-8", errors="replace") as text:
                    written = text.read()
            if ended or time.monotonic() > deadline or (parse_record(written) and written.endswith("\n") and "-d" in argv):
                break
            time.sleep(0.02)
    finally:
        if client.poll() is None:
            client.kill()
        client.wait()
    with open(log, encoding="utf-8", errors="replace") as text:
        return text.read(), written


def obtain(interface: str, client: str = "auto", timeout: int = 15, give_back: bool = True) -> Lease:
    """A lease on an interface. LeaseError where there is none."""
    mac = hardware_address(interface)
    kind, program = find_client(client)
    folder = tempfile.mkdtemp(prefix="routerlab-lease-")
    record = os.path.join(folder, "record")
    begun = time.monotonic()
    try:
        for name, text, mode in (("script", SCRIPT % (MARK, record), 0o755), ("conf", DHCLIENT_CONF % (timeout, "\\000" + identifier()[1:].decode()), 0o644)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as handle:
                handle.write(text)
            os.chmod(os.path.join(folder, name), mode)
        argv = arguments(kind, program, interface, folder, timeout)
        said, written = run_client(argv, record, timeout)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    seen = parse_record(written)
    if seen is None:
        lines = list(dict.fromkeys(line.strip() for line in said.splitlines() if line.strip()))
        raise LeaseError("no lease on %s within %d s; %s said: %s" % (interface, timeout, os.path.basename(program), "; ".join(lines[-4:])[-400:] or "nothing"))
    lease = lease_from(seen)
    released = give_back and release(lease, interface, mac)
    return dict(lease, interface=interface, client=os.path.basename(program), released=released, argv=argv, seconds=round(time.monotonic() - begun, 3))


def main(text: str) -> None:
    """One request in, one line of JSON out."""
    want = json.loads(text)
    try:
        sys.stdout.write(json.dumps(obtain(**want)) + "\n")
    except (LeaseError, OSError) as error:
        sys.stdout.write(json.dumps({"error": str(error)}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
