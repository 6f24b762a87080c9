# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deployments to devices that play an API, for tests."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Mapping

from fake_http import FakeHttp

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import DeviceDriver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms


class HttpSite:
    """One device and the controller's side of it. ``texts`` are the rendered files by the artifact's name."""

    driver_class: type[DeviceDriver]
    user = "admin"
    password: str | None = "admin-Pass_1"

    def __init__(self, folder: Path, fake: FakeHttp, platform: str, version: str, dialect: str, texts: Mapping[str, str], **settings: Any) -> None:
        self.fake = fake
        self.backup = folder / "backup"
        self.texts = dict(texts)
        self.settings: dict[str, Any] = {"router_tls_ca": str(fake.certificate), "router_patience": 5, "router_lock_wait": 2, **settings}
        self.room = platforms()[platform]
        self.manifest: dict[str, Any] = {
            "platform": platform, "version": version, "dialect": dialect, "config_hash": "0", "router": "r1", "device_type": None,
            "owned": self.room.get("owned") or [], "management": {"interfaces": [], "allow": []},
        }  # fmt: skip

    def driver(self) -> DeviceDriver:
        specs = [{"secret": False, **spec} for spec in self.room["artifacts"] if spec["name"] in self.texts]
        device = Device("r1", "127.0.0.1", self.user, self.fake.port, self.password, setting=self.settings.get)
        return self.driver_class({"manifest": {**self.manifest, "artifacts": specs}, "texts": self.texts}, {}, device)

    def deploy(self, check: bool = False) -> dict[str, Any]:
        return deploy(self.driver(), self.backup, check)

    def restore(self, result: Mapping[str, Any]) -> dict[str, Any]:
        """Put back what a deployment kept."""
        _index, files = _backup.read(Path(result["backup_folder"]))
        driver = self.driver()
        return deploy(driver, self.backup, False, lambda: driver.plan_restore(files), "restore")

    def info(self) -> dict[str, Any]:
        driver = self.driver()
        driver.connect()
        try:
            return driver.info()
        finally:
            driver.disconnect()


def shown(result: Mapping[str, Any]) -> list[str]:
    """The lines of a diff without its head."""
    text = "".join(item["prepared"] for item in result["diff"])
    return [line for line in text.splitlines() if line[:3] not in ("---", "+++")]
