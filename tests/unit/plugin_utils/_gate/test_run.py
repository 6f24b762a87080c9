# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks in a pytest of their own: run for real against this machine, without what they need, and beyond their limit."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate import run
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.connections import connection_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import Items
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.result import names_of

ROOT = Path(__file__).resolve().parents[4]
HERE = connection_spec("here", {"ansible_connection": "local"}, {})


def expect(items: Items) -> dict[str, Any]:
    head = {"lab": "lab", "router": "here", "profile": "base", "platform": "x", "version": "1", "dialect": None, "managed": True}
    return {**head, "inside": True, "probe_ports": [24261], "listeners": [], "addresses": {}, "items": items.found}


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def loopback() -> dict[str, Any]:
    items = Items()
    items.plan("host_reachable", "here", host="here", role="router")
    items.plan("interface_present", "lo", native="lo")
    items.plan("interface_mtu", "lo", native="lo", mtu=9)
    items.plan("host_reachable", "gone", host="gone", role="endpoint")
    items.skip("route_static", "none")
    return expect(items)


def test_this_machine_is_looked_at() -> None:
    result = run.run_gate(loopback(), {"here": HERE, "gone": connection_spec("gone", None, {})}, {"settle": 0.1})
    assert [(check["check"], check["status"]) for check in result["checks"]] == [
        ("host_reachable", "passed"), ("interface_present", "passed"), ("interface_mtu", "failed"), ("host_reachable", "failed"), ("route_static", "skipped"),
    ]
    assert result["failed"][0]["message"] == "here: expected MTU 9 on lo; seen 65536 (ip -j addr show)"
    assert result["failed"][1]["message"] == "gone (endpoint): expected it to answer; gone is in the lab and not in the inventory"
    assert names_of(result) == ["interface_mtu", "host_reachable"]
    assert result["hosts"]["here"]["kernel"].startswith("Linux")


def test_settings_of_another_pytest_do_not_get_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no.such.plugin")
    assert names_of(run.run_gate(loopback(), {"here": HERE}, {"settle": 0.1})) == ["interface_mtu", "host_reachable"]


def test_nothing_is_written_beside_the_checks_and_no_connection_is_left_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = sorted(run.CHECKS.rglob("*"))
    run.run_gate(loopback(), {"here": {**HERE, "sudo_password": "hunter2"}}, {"settle": 0.1})
    assert sorted(run.CHECKS.rglob("*")) == before
    assert list(tmp_path.iterdir()) == []


def test_a_broken_check_is_a_failure_with_a_name() -> None:
    items = Items()
    items.plan("interface_mtu", "lo", native="lo")
    result = run.run_gate(expect(items), {"here": HERE}, {"settle": 0.1})
    assert result["failed"][0]["code"] == "CHECK_BROKEN"
    assert "the check itself broke: KeyError: 'mtu' (judge_inside.py:" in result["failed"][0]["message"]


def test_a_check_that_no_test_bears_is_not_passed_over() -> None:
    items = Items()
    items.plan("no_such_check", "x")
    result = run.run_gate(expect(items), {"here": HERE})
    assert not result["passed"]
    assert names_of(result) == ["gate_run"]


def test_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    items = Items()
    items.plan("interface_mtu", "lo", native="lo", mtu=9)
    monkeypatch.setattr(run, "GRACE", -15.0 - 60.0 - 15.0 - 30.0 + 1.5)
    result = run.run_gate(expect(items), {"here": HERE}, {"settle": 30})
    assert result["failed"][0]["message"] == "the checks did not end within 2 s and were stopped"
    assert result["seconds"] < 5


def test_a_gate_whose_play_was_killed_ends_and_leaves_nothing(tmp_path: Path) -> None:
    items = Items()
    items.plan("interface_mtu", "lo", native="lo", mtu=9)
    script = tmp_path / "script.py"
    script.write_text(
        "import json, sys, tempfile\n"
        f"sys.path.insert(0, {str(ROOT / '.ansible/collections')!r})\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.run import run_gate\n"
        "run_gate(*json.load(sys.stdin))\n",
        encoding="utf-8",
    )
    with subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, text=True) as play:
        assert play.stdin is not None
        play.stdin.write(json.dumps([expect(items), {"here": HERE}, {"settle": 20}]))
        play.stdin.close()
        wait_for(lambda: list(tmp_path.glob("routerlab-gate-*/results.jsonl")) != [])
        play.kill()
    wait_for(lambda: list(tmp_path.glob("routerlab-gate-*")) == [])


def test_a_python_without_pytest_says_what_to_install(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    script = tmp_path / "script.py"
    script.write_text(
        "import json, sys\n"
        f"sys.path.insert(0, {str(ROOT / '.ansible/collections')!r})\n"
        "from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.run import run_gate\n"
        "print(json.dumps(run_gate(json.load(sys.stdin), {})))\n",
        encoding="utf-8",
    )
    done = subprocess.run([tmp_path / "venv/bin/python", script], input=json.dumps(loopback()), capture_output=True, text=True, check=False)
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["passed"] is False
    assert result["failed"][0]["check"] == "gate_run"
    assert result["failed"][0]["message"].startswith("pytest and pytest-testinfra missing for ")


def test_the_result_is_kept_with_the_run(tmp_path: Path) -> None:
    result = run.run_gate(loopback(), {"here": HERE}, {"settle": 0.1})
    path = run.keep(result, loopback(), str(tmp_path))
    assert path == str(tmp_path / "gate/here-base.json")
    assert json.loads(Path(path).read_text(encoding="utf-8")) == result
    assert json.loads((tmp_path / "gate/here-base.expectations.json").read_text(encoding="utf-8")) == loopback()
