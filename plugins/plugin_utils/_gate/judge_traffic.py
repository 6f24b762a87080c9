# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What became of probes and leases, against what was expected. Each answers None, or what is wrong. Pure."""

from __future__ import annotations

import ipaddress
from typing import Any, Mapping

Want = Mapping[str, Any]
Seen = Mapping[str, Any]
WORDS = {
    "connected": "the connection was opened",
    "answered": "there was an answer",
    "refused": "the connection was refused",
    "timeout": "there was no answer",
    "unreachable": "it cannot be reached",
    "too_big": "it is too big",
    "error": "the probe failed",
}


def tell(seen: Seen) -> str:
    """An outcome in words, with how often and how long it was tried."""
    detail = f" ({seen['detail']})" if seen.get("detail") else ""
    return f"{WORDS.get(seen['outcome'], seen['outcome'])}{detail} after {seen.get('tries', 1)} tries in {seen.get('seconds', 0):g} s"


def source(want: Want, seen: Seen, expected: str | None) -> str | None:
    """Whom the far end of a TCP connection sees."""
    way = f"{want['source']} ({want['own']}) → {want['target']} ({want['address']}) tcp/{seen.get('port')}"
    if seen["outcome"] != "connected":
        return f"{way}: expected a connection; {tell(seen)}"
    if "seen" not in seen:
        return f"{way}: {seen.get('detail') or 'something on the way answered in place of the listener'}"
    if expected is None:  # the router's address is not known: at least it must not be the client's
        return None if seen["seen"] != want["own"] else f"{way}: expected the far end to see the router's address; it sees {seen['seen']}: not translated"
    if seen["seen"] == expected:
        return None
    reason = "the source was not translated" if seen["seen"] == want["own"] else "that is not the client's address on this path"
    if seen["seen"] != want["own"] and expected != want["own"]:
        reason = "translated to another address"
    return f"{way}: expected the far end to see {expected}; it sees {seen['seen']}: {reason}"


def ttl(want: Want, seen: Seen) -> str | None:
    """How many routers a datagram has passed, by the far end's view of its TTL."""
    way = f"{want['source']} ({want['own']}) → {want['target']} ({want['address']}) udp/{seen.get('port')}"
    if seen["outcome"] != "answered":
        return f"{way}: expected an answer; {tell(seen)}"
    passed = seen["sent_ttl"] - (seen["ttl"] or 0)
    if passed == want["hops"]:
        return None
    hint = " (it came past the router, over another path)" if passed == 0 else ""
    return f"{way}: expected {want['hops']} router(s) on the way; the far end sees TTL {seen['ttl']} of {seen['sent_ttl']}, which is {passed}{hint}"


def mtu_passes(want: Want, seen: Seen) -> str | None:
    way = f"{want['source']} → {want['target']} ({want['address']}) udp/{seen.get('port')}"
    return None if seen["outcome"] == "answered" else f"{way}: expected {want['mtu']} bytes with DF to pass; {tell(seen)}"


def mtu_limit(want: Want, seen: Seen) -> str | None:
    way = f"{want['source']} → {want['target']} ({want['address']}) udp/{seen.get('port')}"
    if seen["outcome"] == "answered":
        return f"{way}: expected {want['mtu'] + 1} bytes with DF not to pass, because the path's MTU is {want['mtu']}; they passed"
    return None if seen["outcome"] in ("timeout", "too_big", "unreachable") else f"{way}: the probe with {want['mtu'] + 1} bytes failed: {tell(seen)}"


def _way(want: Want, seen: Seen) -> str:
    what = "echo request" if want["protocol"] == "icmp" else f"{want['protocol']}/{want['port'] or seen.get('port')}"
    lent = f", with a route via {want['via']} lent for the probe" if want.get("via") else ""
    return f"{want['source']} → {want['target'] or 'the router'} ({want['address']}) {what}{lent}"


def passes(want: Want, seen: Seen) -> str | None:
    """Not held back: for a port of the router itself a refusal will do."""
    good = ("answered",) if want["protocol"] == "icmp" else ("connected",) if want["target"] else ("connected", "refused")
    if seen["outcome"] in good:
        return None
    return f"{_way(want, seen)}: expected to pass ({want['because']}); {tell(seen)}"


def dropped(want: Want, seen: Seen) -> str | None:
    if seen["outcome"] == "timeout":
        return None
    return f"{_way(want, seen)}: expected to be dropped without a word ({want['because']}); {tell(seen)}"


def rejected(want: Want, seen: Seen) -> str | None:
    if seen["outcome"] in ("refused", "unreachable"):
        return None
    return f"{_way(want, seen)}: expected to be refused at once ({want['because']}); {tell(seen)}"


def lease(want: Want, seen: Seen) -> str | None:
    """A lease whose address lies in the pool and comes from this router."""
    if "error" in seen:
        return f"expected a lease from {want['start']} – {want['stop']}; {seen['error']}"
    start, own, stop = (ipaddress.IPv4Address(text) for text in (want["start"], seen["address"], want["stop"]))
    if not start <= own <= stop and seen["address"] not in want["reserved"]:
        return f"expected an address from {want['start']} – {want['stop']}; the server {seen['server']} gave {seen['address']}"
    if want["server"] and seen["server"] != want["server"]:
        return f"expected the lease from {want['server']}; another server answered: {seen['server']}"
    return None


def options(want: Want, seen: Seen) -> str | None:
    """What a lease says beside the address."""
    expected = {
        "prefix_len": want["prefix_len"],
        "routers": [want["gateway"]] if want["gateway"] else [],
        "dns": want["dns"],
        "lease": want["lease"],
    }
    if want["domain"]:
        expected["domain"] = want["domain"]
    wrong = [f"{key}: expected {_shown(value)}, got {_shown(seen[key])}" for key, value in expected.items() if seen[key] != value]
    return None if not wrong else f"lease of {seen['address']} from {seen['server']}: " + "; ".join(wrong)


def _shown(value: Any) -> str:
    return (", ".join(map(str, value)) or "none") if isinstance(value, list) else str(value)
