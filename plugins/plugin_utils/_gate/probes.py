# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which packets have to be sent to prove the items of a gate, and the words that send them. Pure."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import PLANNED

# Long enough for a second SYN (after 1 s): a single lost packet is no firewall.
DROP_TIMEOUT = 1.5
PATIENCE = 3.0
LIMIT = 15.0
LISTENER_LIFETIME = 180
LOADER = "import base64,sys,zlib;exec(compile(zlib.decompress(base64.b64decode(sys.argv[2])),'routerlab','exec'))"
AGENT, LEASE = "_gate_agent.py", "_dhcp_lease.py"

# check: what the probe asks for
SHAPES: dict[str, dict[str, Any]] = {
    "source_translated": {"protocol": "tcp", "timeout": DROP_TIMEOUT, "patience": PATIENCE, "wish": ["connected"]},
    "source_unchanged": {"protocol": "tcp", "timeout": DROP_TIMEOUT, "patience": PATIENCE, "wish": ["connected"]},
    "ttl_decreases": {"protocol": "udp", "timeout": 1.0, "patience": PATIENCE, "wish": ["answered"]},
    "path_mtu_passes": {"protocol": "udp", "timeout": 1.0, "patience": PATIENCE, "wish": ["answered"], "more": 0},
    "path_mtu_limit": {"protocol": "udp", "timeout": 0.7, "patience": 0, "wish": ["timeout", "too_big", "unreachable"], "more": 1},
    "ping_dut": {"timeout": 1.0, "patience": PATIENCE, "wish": ["answered"]},
    "firewall_accepts": {"timeout": DROP_TIMEOUT, "patience": PATIENCE, "wish": ["connected", "refused", "answered"]},
    "firewall_drops": {"timeout": DROP_TIMEOUT, "patience": 0, "wish": ["timeout"]},
    "firewall_rejects": {"timeout": DROP_TIMEOUT, "patience": PATIENCE, "wish": ["refused", "unreachable"]},
}


def probe_id(check: str, instance: str) -> str:
    return f"{check}|{instance}"


def self_id(host: str) -> str:
    return probe_id("listener", host)


def probe(item: Mapping[str, Any], ports: Mapping[str, int]) -> dict[str, Any]:
    """The probe that proves one item. ``ports`` are those on which the traffic hosts listen."""
    want = item["want"]
    shape = dict(SHAPES[item["check"]])
    more = shape.pop("more", None)
    if more is not None:
        shape["size"] = want["mtu"] + more
    if want["target"] is not None and item["check"] == "firewall_accepts":
        shape["wish"] = ["connected"]  # somebody listens there, so a refusal is one
    return {
        "id": probe_id(item["check"], item["instance"]),
        "address": want["address"],
        "port": want.get("port") or ports.get(want["target"] or ""),
        "ours": want["target"] is not None,
        "protocol": want.get("protocol"),
        **shape,
    }


def stage_of(item: Mapping[str, Any]) -> int:
    """What needs a lent route, or silence, comes second: a lent route would answer what NAT has left untranslated."""
    return 1 if item["want"].get("via") or item["check"] == "firewall_drops" else 0


def requests(items: list[dict[str, Any]], ports: Mapping[str, int], own: Mapping[str, str]) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Two stages, in each one request for each host that sends probes. Probes to a host that does not listen are left out."""
    stages: tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]] = ({}, {})

    def at(stage: int, host: str) -> dict[str, Any]:
        return stages[stage].setdefault(host, {"do": "probe", "routes": [], "probes": [], "limit": LIMIT})

    for item in items:
        want = item["want"]
        if item["state"] != PLANNED or item["check"] not in SHAPES or (want["target"] is not None and want["target"] not in ports):
            continue
        request = at(stage_of(item), want["source"])
        request["probes"].append(probe(item, ports))
        route = {"to": want["address"], "via": want.get("via")}
        if want.get("via") and route not in request["routes"]:
            request["routes"].append(route)
    for host, port in ports.items():
        shape = {"protocol": "tcp", "timeout": 1.0, "patience": 1.0, "wish": ["connected"]}
        at(0, host)["probes"].append({"id": self_id(host), "address": own[host], "port": port, "ours": True, **shape})
    return stages


def packed(module_utils: Path, name: str) -> str:
    """The text of a program for a host, small enough for a command line."""
    return base64.b64encode(zlib.compress((module_utils / name).read_bytes(), 9)).decode("ascii")


def request_text(request: Mapping[str, Any]) -> str:
    return json.dumps(request, separators=(",", ":"))
