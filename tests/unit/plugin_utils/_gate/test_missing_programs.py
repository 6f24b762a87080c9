# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that a host lacks is named with the Debian package that brings it, wherever it is first needed."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _endpoint, _netns_sys
from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _command
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._checks import check_candidate
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._files import FileChange
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import backends, run
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.connections import connection_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.facts import MARK, SECTIONS, NotLinux, parse_facts
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.outcome import NotProvable


def few(folder: Path, *names: str) -> str:
    """A PATH that holds these programs and no others."""
    folder.mkdir()
    for name in names:
        (folder / name).symlink_to(shutil.which(name) or name)
    return str(folder)


def test_a_host_without_python() -> None:
    items = Items()
    items.plan("dhcp_lease", "lan", host="here", pool="lan", own="127.0.0.1", start="127.0.0.1", stop="127.0.0.2", reserved=[], server=None)
    head = {"lab": "lab", "router": "here", "profile": "base", "platform": "x", "version": "1", "dialect": None, "managed": True}
    expect = {**head, "inside": True, "probe_ports": [24261], "listeners": [], "addresses": {}, "items": items.found}
    here = connection_spec("here", {"ansible_connection": "local", "ansible_python_interpreter": "/nowhere/python3"}, {})
    check = run.run_gate(expect, {"here": here}, {"settle": 0.1})["checks"][0]
    assert check["status"] == "failed"
    assert "_dhcp_lease.py on here: /nowhere/python3 (Debian package python3) is not installed" in check["message"]


def test_a_router_without_vtysh() -> None:
    spec = importlib.util.spec_from_file_location("routes_of_the_gate", run.CHECKS / "test_2_routes.py")
    assert spec and spec.loader
    checks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checks)
    here = SimpleNamespace(
        expect={"router": "here", "inside": True}, specs={"here": {}}, answers=lambda host: True, run=lambda host, command: SimpleNamespace(rc=127)
    )
    with pytest.raises(NotProvable, match=r"none of here, gone can be asked: vtysh \(Debian package frr\) is not there"):
        checks.view(here, {"neighbour": "gone", "own": "10.0.0.1", "address": "10.0.0.2"})


def test_a_host_without_iproute2() -> None:
    said = {**dict.fromkeys(SECTIONS, ""), "kernel": "Linux 6.1", "links": "/bin/sh: 1: ip: not found", "routes": "/bin/sh: 1: ip: not found"}
    with pytest.raises(NotLinux, match=r"ip \(Debian package iproute2\) is not installed"):
        parse_facts("".join(f"{MARK}{name}\n{words}\n" for name, words in said.items()))


def test_a_program_of_the_controller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "path_variable", lambda path: "/nowhere")
    host = backends.open_host(connection_spec("x", {"ansible_connection": "local"}, {}), "/run/x")
    with pytest.raises(backends.HostGone, match=r"^sshpass \(Debian package sshpass\) is not installed on the controller$"):
        host.backend.start(["sshpass"], "true")


def test_a_candidate_whose_program_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_command, "SEARCH", few(tmp_path / "bin", "sh"))
    change = FileChange("frr", "/etc/frr/frr.conf", None, None, b"x", 0o644, 0, 0, False, {"check": "vtysh -C -f {file}"})
    with pytest.raises(DriverError, match=r"/etc/frr/frr.conf cannot be checked .*: vtysh \(Debian package frr\) is not installed on this device"):
        check_candidate(change, str(tmp_path / "frr.conf"), [])


def test_an_endpoint_without_ip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_endpoint, "run", lambda argv: (127, ""))
    with pytest.raises(_endpoint.EndpointError, match=r"ip \(Debian package iproute2\) is not installed"):
        _endpoint.interface_towards("192.0.2.1")


def test_a_host_of_the_namespace_lab_without_a_program() -> None:
    with pytest.raises(_netns_sys.LabError, match="no-such-program is not installed"):
        _netns_sys.run(["no-such-program"])
