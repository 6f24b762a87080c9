# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Routers that play RouterOS, and deployments to them, for tests."""
from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

from fake_routeros import FakeRouteros

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import parse_script, to_json
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.librouteros import Driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import find_dialect, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_schema import key_of

TEXT = """\
/system identity
set name=dut
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment=WAN
/interface vlan
add interface=ether2 name=LAN vlan-id=222
/interface list
add name=lan-ifs
/interface list member
add interface=LAN list=lan-ifs
/ip address
add address=10.253.253.2/30 interface=ether1
add address=10.222.222.1/24 interface=LAN
/ip pool
add name=dhcp_LAN ranges=10.222.222.10-10.222.222.200
/ip dhcp-server
add name=dhcp_LAN interface=LAN address-pool=dhcp_LAN lease-time=24h authoritative=yes disabled=no
/ip dhcp-server network
add address=10.222.222.0/24 gateway=10.222.222.1 dns-none=yes
/ip route
add dst-address=0.0.0.0/0 gateway=10.253.253.1 comment=default
/ip firewall filter
add chain=input action=accept connection-state=established,related comment="a est"
add chain=input action=accept protocol=tcp dst-port=22 comment="b ssh"
add chain=input action=drop in-interface=ether1 comment="c drop"
/ip firewall nat
add chain=srcnat action=masquerade out-interface=ether1 src-address=10.0.0.0/8 comment="nat lan"
/ip service
set ssh port=22 disabled=no
"""
SECRET = '/snmp community\nset [ find default=yes ] name="S3cret-comm" addresses=10.0.0.0/8 read-access=yes write-access=no\n'


class Site:
    """One router and the controller's side of it."""

    def __init__(self, folder: Path, router: Optional[FakeRouteros] = None, text: str = TEXT, secret: str = SECRET, **settings: Any) -> None:
        self.router = router or FakeRouteros()
        self.box = self.router.box
        self.backup = folder / "backup"
        self.text, self.secret = text, secret
        self.settings = {"router_patience": 8, "router_api_tls": bool(self.router.certificate), **settings}
        self.check_host_key = True
        if self.router.certificate:
            pem = folder / "router.pem"
            pem.write_text(self.router.certificate, encoding="ascii")
            self.settings.setdefault("router_api_certificate", str(pem))
        self.password = "ros-Pass_1"
        platform = platforms()["routeros"]
        dialect = find_dialect(platform, self.box.version)
        self.manifest: dict[str, Any] = {
            "platform": "routeros", "version": self.box.version, "dialect": (dialect or {})["name"], "config_hash": "0", "router": "r1",
            "owned": platform["owned"], "management": {"interfaces": [], "allow": []},
        }  # fmt: skip

    def driver(self) -> Driver:
        operations = to_json(parse_script(self.text + self.secret), lambda item: key_of(item, self.box.major))
        texts = {"config": self.text, "secrets": self.secret, "operations": operations}
        artifacts = [
            {"name": name, "put": "operations" if name == "operations" else "script", "secret": name != "config"} for name in texts
        ]
        device = Device("r1", "127.0.0.1", "admin", self.router.port, self.password, check_host_key=self.check_host_key, setting=self.settings.get)
        return Driver({"manifest": {**self.manifest, "artifacts": artifacts}, "texts": texts}, {}, device)

    def deploy(self, check: bool = False) -> dict[str, Any]:
        return deploy(self.driver(), self.backup, check)

    def restore(self, files: dict[str, bytes]) -> dict[str, Any]:
        driver = self.driver()
        return deploy(driver, self.backup, False, lambda: driver.plan_restore(files), "restore")
