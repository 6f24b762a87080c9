# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Routers that play VyOS and EdgeOS, and deployments to them, for tests."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from fake_vyos import FakeVyos

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.netmiko import Driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

TEXT = """\
set system host-name dut
set service ssh port 22
set interfaces ethernet eth0 description WAN
set interfaces ethernet eth0 address 10.253.253.2/30
set interfaces ethernet eth1 address 10.222.222.1/24
set protocols ospf parameters router-id 10.253.253.2
set protocols ospf area 0.0.0.0 network 10.253.253.0/30
set service dhcp-server shared-network-name lan authoritative
set service dhcp-server shared-network-name lan subnet 10.222.222.0/24 default-router 10.222.222.1
set service dhcp-server shared-network-name lan subnet 10.222.222.0/24 lease 600
set service dhcp-server shared-network-name lan subnet 10.222.222.0/24 range 0 start 10.222.222.10
set service dhcp-server shared-network-name lan subnet 10.222.222.0/24 range 0 stop 10.222.222.200
"""


class Site:
    """One router and the controller's side of it."""

    def __init__(self, folder: Path, router: FakeVyos | None = None, text: str = TEXT, secret: str = "", **settings: Any) -> None:
        self.router = router or FakeVyos()
        self.box = self.router.box
        self.backup = folder / "backup"
        self.text, self.secret = text, secret
        hosts = folder / "known_hosts"
        hosts.write_text(self.router.known_hosts(), encoding="ascii")
        self.settings = {"router_known_hosts": str(hosts), "router_patience": 6, "router_lock_wait": 3, **settings}
        self.password = "vyos-Pass_1"
        self.manifest: dict[str, Any] = {
            "platform": self.box.platform, "version": self.box.version, "dialect": self.box.dialect, "config_hash": "0", "router": "r1",
            "device_type": platforms()[self.box.platform]["device_type"], "owned": platforms()[self.box.platform]["owned"],
            "management": {"interfaces": [], "allow": []},
        }  # fmt: skip

    def driver(self) -> Driver:
        texts = {"config": self.text, "secrets": self.secret}
        artifacts = [{"name": name, "put": "commands", "secret": name == "secrets"} for name in texts]
        device = Device("r1", "127.0.0.1", "vyos", self.router.port, self.password, setting=self.settings.get)
        return Driver({"manifest": {**self.manifest, "artifacts": artifacts}, "texts": texts}, {}, device)

    def deploy(self, check: bool = False) -> dict[str, Any]:
        return deploy(self.driver(), self.backup, check)

    def restore(self, files: dict[str, bytes]) -> dict[str, Any]:
        driver = self.driver()
        return deploy(driver, self.backup, False, lambda: driver.plan_restore(files), "restore")

    def commands(self) -> set[str]:
        """The active configuration as set commands without quotes."""
        return {"set " + " ".join(path) for path in self.box.running}
