# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Routers that play Junos, and deployments to them, for tests."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

from fake_junos import FakeJunos

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.pyez import Driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms

TEXT = """\
set system host-name dut
set system name-server 10.53.53.53
set system services ssh
set interfaces ge-0/0/0 unit 0 description WAN
set interfaces ge-0/0/0 unit 0 family inet address 10.253.253.2/30
set interfaces ge-0/0/1 vlan-tagging
set interfaces ge-0/0/1 unit 222 description LAN
set interfaces ge-0/0/1 unit 222 vlan-id 222
set interfaces ge-0/0/1 unit 222 family inet address 10.222.222.1/24
set routing-options static route 0.0.0.0/0 next-hop 10.253.253.1
set protocols ospf area 0.0.0.0 interface ge-0/0/0.0 metric 10
set protocols ospf area 0.0.0.0 interface ge-0/0/1.222 passive
set system services dhcp-local-server group lan interface ge-0/0/1.222
set access address-assignment pool lan family inet network 10.222.222.0/24
set access address-assignment pool lan family inet range r0 low 10.222.222.10
set access address-assignment pool lan family inet range r0 high 10.222.222.200
set security policies from-zone lan to-zone wan policy first match source-address any
set security policies from-zone lan to-zone wan policy first match destination-address any
set security policies from-zone lan to-zone wan policy first match application any
set security policies from-zone lan to-zone wan policy first then permit
set security policies from-zone lan to-zone wan policy second match source-address any
set security policies from-zone lan to-zone wan policy second match destination-address any
set security policies from-zone lan to-zone wan policy second match application any
set security policies from-zone lan to-zone wan policy second then deny
set security zones security-zone wan interfaces ge-0/0/0.0 host-inbound-traffic protocols ospf
set security zones security-zone lan interfaces ge-0/0/1.222 host-inbound-traffic system-services dhcp
"""
SECRET = """\
set snmp community S3cret-comm authorization read-only
set security ike proposal p authentication-method pre-shared-keys
set security ike policy one proposals p
set security ike policy one pre-shared-key ascii-text "S3cret &key <1>"
"""


class Site:
    """One router and the controller's side of it."""

    def __init__(self, folder: Path, router: Optional[FakeJunos] = None, text: str = TEXT, secret: str = SECRET, **settings: Any) -> None:
        self.router = router or FakeJunos()
        self.box = self.router.box
        self.backup = folder / "backup"
        self.text, self.secret = text, secret
        self.hosts = folder / "known_hosts"
        self.hosts.write_text(self.router.known_hosts(), encoding="ascii")
        self.settings = {"router_known_hosts": str(self.hosts), "router_patience": 8, "router_lock_wait": 2, **settings}
        self.password = "junos-Pass_1"
        platform = platforms()["junos"]
        self.manifest: dict[str, Any] = {
            "platform": "junos", "version": self.box.version, "dialect": (find_dialect(platform, self.box.version) or {})["name"], "config_hash": "0",
            "router": "r1", "owned": platform["owned"], "management": {"interfaces": [], "allow": []},
        }  # fmt: skip

    def driver(self) -> Driver:
        texts = {"config": self.text, "secrets": self.secret}
        artifacts = [{"name": name, "put": "commands", "secret": name == "secrets"} for name in texts]
        device = Device("r1", "127.0.0.1", "admin", self.router.port, self.password, setting=self.settings.get)
        return Driver({"manifest": {**self.manifest, "artifacts": artifacts}, "texts": texts}, {}, device)

    def deploy(self, check: bool = False) -> dict[str, Any]:
        return deploy(self.driver(), self.backup, check)

    def restore(self, files: dict[str, bytes]) -> dict[str, Any]:
        driver = self.driver()
        return deploy(driver, self.backup, False, lambda: driver.plan_restore(files), "restore")
