# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The life of a deployment, with a driver that plays a device: every way in which it can go wrong."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Mapping

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError, Plan
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import BETWEEN, NEW, OLD, DeviceDriver, LoginRefused, LostContact, NothingChanged

MANIFEST = {"platform": "vyos", "version": "1.4.2", "dialect": "1.4", "management": {"interfaces": [], "allow": []}, "router": "r1"}


class Toy(DeviceDriver):
    """A device that holds one word. ``wrong`` says what goes wrong at which method, ``unreachable`` for how many connections."""

    def __init__(self, state: str = "old", wrong: Mapping[str, Exception] | None = None, says: str = "VyOS 1.4.2", patience: float = 0.0) -> None:
        device = Device("r1", "192.0.2.1", "lab", password="s3cret!", setting={"router_patience": patience}.get)
        super().__init__({"manifest": MANIFEST, "texts": {}}, {}, device)
        self.state, self.saved, self.wrong, self.says = state, state, dict(wrong or {}), says
        self.calls: list[str] = []
        self.unreachable = 0
        self.cut: tuple[Session, Access, Access] | None = None

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name in self.wrong:
            raise self.wrong.pop(name)

    def connect(self) -> None:
        self._call("connect")
        if self.unreachable:
            self.unreachable -= 1
            raise LostContact("no route to host.")

    def disconnect(self) -> None:
        pass

    def versions(self) -> list[str]:
        return [self.says.replace("VyOS ", "")]

    def plan(self) -> Plan:
        self._call("plan")
        return Plan(self.state != "new", [f"{self.state} -> new"], [{"prepared": "-old\n+new, password s3cret!\n"}], self.state)

    def access(self, plan: Plan) -> tuple[Session, Access, Access] | None:
        return self.cut

    def snapshot(self) -> dict[str, bytes]:
        return {"config": self.state.encode()}

    def apply(self, plan: Plan) -> dict[str, Any]:
        if "refuse" in self.wrong:
            raise self.wrong.pop("refuse")
        self.state = "half"
        self._call("apply")
        self.state = "new"
        self._call("applied")
        return {"minutes": 5}

    def standing(self, plan: Plan) -> str:
        self._call("standing")
        return {"new": NEW, plan.work: OLD}.get(self.state, BETWEEN)

    def confirm(self, plan: Plan) -> None:
        self._call("confirm")
        self.saved = self.state

    def revert(self, plan: Plan) -> None:
        self._call("revert")
        self.state = plan.work

    def by_itself(self) -> str:
        return "It restarts in 5 minutes."


def run(driver: Toy, tmp_path: Path, check: bool = False) -> dict[str, Any]:
    return _deploy.deploy(driver, tmp_path / "backup", check)


def test_first_run_second_run(tmp_path: Path) -> None:
    driver = Toy()
    first = run(driver, tmp_path)
    assert first["changed"] and first["minutes"] == 5 and driver.saved == "new"
    assert driver.calls == ["connect", "plan", "apply", "applied", "connect", "standing", "confirm"]
    folder = Path(first["backup_folder"])
    assert (folder / "config").read_bytes() == b"old"
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "config", folder / "index.json")] == [0o700, 0o600, 0o600]
    index = json.loads((folder / "index.json").read_text())
    assert index["host"] == "r1" and index["reason"] == "deploy" and index["manifest"] == MANIFEST
    assert not run(driver, tmp_path)["changed"]
    assert len(list((tmp_path / "backup").glob("2*"))) == 1


def test_check_mode_reads_and_writes_nothing(tmp_path: Path) -> None:
    driver = Toy()
    assert run(driver, tmp_path, check=True)["changed"]
    assert driver.calls == ["connect", "plan"] and driver.state == "old"
    assert not (tmp_path / "backup").exists()


def test_the_password_is_in_no_result(tmp_path: Path) -> None:
    driver = Toy(wrong={"apply": DriverError("line 3: password s3cret! refused")})
    result = run(driver, tmp_path)
    assert "line 3: password ******** refused" in result["msg"]
    assert "s3cret!" not in json.dumps(result) and "s3cret!" not in repr(driver.device)


# at which method what happens: whether the play fails, what is in force, what the person reads
BROKE = LostContact("the connection broke.")
FORCE = "The old configuration is in force."
COURSES = [
    pytest.param({"refuse": NothingChanged("locked by another. Nothing was changed.")}, True, "old", ["locked by another"], ["apply", "revert"], id="locked"),
    pytest.param({"apply": DriverError("150: Set failed")}, True, "old", ["r1 (192.0.2.1:22): 150: Set failed", FORCE], [], id="refused-line"),
    pytest.param({"apply": BROKE}, True, "old", ["the connection broke.", FORCE], [], id="cut-half-way"),
    pytest.param({"applied": BROKE}, False, "new", [], ["revert"], id="cut-after-the-commit"),
    pytest.param({"standing": BROKE}, False, "new", [], ["revert"], id="cut-when-read-again"),
    pytest.param({"confirm": BROKE}, False, "new", [], ["revert"], id="cut-when-confirmed"),
    pytest.param({"confirm": DriverError("save: No space left on device")}, True, "old", ["No space left on device", FORCE], [], id="disk-full"),
    pytest.param(
        {"apply": DriverError("line 7: Set failed"), "revert": DriverError("cannot load")}, True, "half",
        ["line 7: Set failed", "Going back failed, too: cannot load", "It restarts in 5 minutes."], [], id="no-way-back",
    ),
    pytest.param({"connect": LoginRefused("wrong password.")}, True, "old", ["wrong password."], ["plan", "apply"], id="wrong-password"),
]


@pytest.mark.parametrize(("wrong", "failed", "state", "words", "never"), COURSES)
def test_courses(tmp_path: Path, wrong: dict[str, Exception], failed: bool, state: str, words: list[str], never: list[str]) -> None:
    driver = Toy(wrong=wrong, patience=0.3)
    result = run(driver, tmp_path)
    assert bool(result.get("failed")) is failed, result
    assert driver.state == state
    assert not [word for word in words if word not in result["msg"]], result["msg"]
    assert not set(never) & set(driver.calls)
    if failed and state == "old":
        assert not result["changed"]


def test_a_device_that_stays_away(tmp_path: Path) -> None:
    class Gone(Toy):
        def apply(self, plan: Plan) -> dict[str, Any]:
            self.unreachable = 10**6
            raise LostContact("the connection broke.")

    result = run(Gone(patience=0.2), tmp_path)
    assert result["failed"] and result["lost_contact"] and result["changed"]
    assert "No way back in for 0.2 s" in result["msg"] and "It restarts in 5 minutes." in result["msg"]


def test_a_device_that_comes_back_old(tmp_path: Path) -> None:
    class Restarts(Toy):
        def apply(self, plan: Plan) -> dict[str, Any]:
            self.unreachable = 3
            raise LostContact("the connection broke.")

    driver = Restarts(patience=5)
    result = run(driver, tmp_path)
    assert result["failed"] and result["rolled_back"] and "The old configuration is in force." in result["msg"]


@pytest.mark.parametrize("says", ["1.3.8", "1.5-rolling-202503010007", "something"])
def test_another_version_is_refused(tmp_path: Path, says: str) -> None:
    driver = Toy(says=says)
    result = run(driver, tmp_path)
    assert result["failed"] and "The inventory says vyos 1.4.2 (dialect 1.4)" in result["msg"] and says in result["msg"]
    assert driver.calls == ["connect"]


@pytest.mark.parametrize("says", ["1.4.2", "1.4.0", "v1.4.2"])
def test_the_same_dialect_is_taken(tmp_path: Path, says: str) -> None:
    assert run(Toy(says=says), tmp_path)["changed"]


@pytest.mark.parametrize("check", [True, False])
def test_a_plan_that_cuts_the_management_is_refused(tmp_path: Path, check: bool) -> None:
    driver = Toy()
    driver.cut = (Session("192.0.2.9", "192.0.2.1", 22), Access({"eth0": ["192.0.2.1/24"]}), Access({"eth0": []}))
    result = run(driver, tmp_path, check)
    assert result["failed"] and "would cut the management access" in result["msg"] and driver.state == "old"
    assert "apply" not in driver.calls and not list(tmp_path.glob("backup/2*"))
