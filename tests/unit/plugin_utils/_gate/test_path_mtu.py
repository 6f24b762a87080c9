# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""That a datagram is too big proves something only where a smaller one passes. Real packets, in namespaces of the test."""

from __future__ import annotations

import os
import subprocess
from typing import Iterator

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import run
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.connections import connection_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="a network namespace needs root")
NEAR, FAR = "10.77.0.1", "10.77.0.2"


@pytest.fixture()
def wire() -> Iterator[tuple[str, str]]:
    """Two namespaces on one wire."""
    names = (f"rlmtu-{os.getpid()}-a", f"rlmtu-{os.getpid()}-b")
    try:
        for name in names:
            subprocess.run(["ip", "netns", "add", name], check=True)
        subprocess.run(["ip", "link", "add", "w0", "netns", names[0], "type", "veth", "peer", "name", "w0", "netns", names[1]], check=True)
        for name, address in zip(names, (NEAR, FAR)):
            subprocess.run(["ip", "-n", name, "address", "add", f"{address}/24", "dev", "w0"], check=True)
            subprocess.run(["ip", "-n", name, "link", "set", "lo", "up"], check=True)
            subprocess.run(["ip", "-n", name, "link", "set", "w0", "up"], check=True)
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def outcomes(wire: tuple[str, str]) -> dict[str, tuple[str, str]]:
    items = Items()
    for check in ("path_mtu_passes", "path_mtu_limit"):
        items.plan(check, "near → far", source="near", target="far", own=NEAR, address=FAR, mtu=1500)
    head = {"lab": "lab", "router": "dut", "profile": "base", "platform": "x", "version": "1", "dialect": None, "managed": True}
    expect = {**head, "inside": False, "probe_ports": [24261], "listeners": ["far"], "addresses": {"far": FAR, "near": NEAR}, "items": items.found}
    variables = {"ansible_connection": "routerlab.bench.netns"}
    hosts = {name: connection_spec(name, {**variables, "ansible_netns_name": space}, {}) for name, space in zip(("near", "far"), wire)}
    result = run.run_gate(expect, hosts, {"settle": 0.1})
    return {check["check"]: (check["status"], check["message"] or "") for check in result["checks"]}


def test_a_limit_where_the_path_works(wire: tuple[str, str]) -> None:
    assert [status for status, _message in outcomes(wire).values()] == ["passed", "passed"]


def test_a_limit_where_nothing_passes(wire: tuple[str, str]) -> None:
    subprocess.run(["ip", "-n", wire[0], "link", "set", "w0", "down"], check=True)
    found = outcomes(wire)
    assert found["path_mtu_passes"][0] == "failed"
    assert found["path_mtu_limit"][0] == "blocked"
    assert found["path_mtu_limit"][1] == "a datagram of the path's MTU does not pass either (see path_mtu_passes), so the silence proves nothing"
