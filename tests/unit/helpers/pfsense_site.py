# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Routers that play pfSense and OPNsense, and deployments to them, for tests."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from fake_pfsense import fake
from golden_cases import Case, expected

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.pfsense import Driver

# As the systems themselves write it; made for these tests.
PFSENSE = """<?xml version="1.0"?>
<pfsense>
\t<version>%(form)s</version>
\t<lastchange></lastchange>
\t<system>
\t\t<hostname>old</hostname>
\t\t<domain>home.arpa</domain>
\t\t<user>
\t\t\t<name>admin</name>
\t\t\t<descr><![CDATA[System & Administrator]]></descr>
\t\t\t<bcrypt-hash>$2b$10$abcdefghijklmnopqrstuv</bcrypt-hash>
\t\t</user>
%(ssh)s
\t</system>
\t<interfaces>
\t\t<wan>
\t\t\t<enable></enable>
\t\t\t<if>vtnet0</if>
\t\t\t<spoofmac>02:00:00:00:00:01</spoofmac>
\t\t\t<ipaddr>dhcp</ipaddr>
\t\t</wan>
\t\t<opt9>
\t\t\t<enable></enable>
\t\t\t<if>vtnet9</if>
\t\t\t<descr><![CDATA[MANAGEMENT]]></descr>
\t\t\t<ipaddr>192.168.9.1</ipaddr>
\t\t\t<subnet>24</subnet>
\t\t</opt9>
\t</interfaces>
\t<filter>
\t\t<rule>
\t\t\t<interface>opt9</interface>
\t\t\t<descr><![CDATA[keep <me>]]></descr>
\t\t</rule>
\t</filter>
\t<unknown><deep>  <![CDATA[ /tmp/raw \\ ]]>\t</deep></unknown>
\t<revision>
\t\t<time>1600000000</time>
\t\t<description><![CDATA[admin: by hand]]></description>
\t\t<username><![CDATA[admin]]></username>
\t</revision>
</pfsense>
"""
OPNSENSE = """<?xml version="1.0"?>
<opnsense>
  <theme>opnsense</theme>
  <system>
    <hostname>old</hostname>
    <domain>internal</domain>
    <user uuid="11111111-1111-4111-8111-111111111111">
      <name>root</name>
      <password>$2y$10$abcdefghijklmnopqrstuv</password>
    </user>
    <ssh>
      <group>admins</group>
      <enabled>enabled</enabled>
      <port>22</port>
    </ssh>
  </system>
  <interfaces>
    <wan>
      <enable>1</enable>
      <if>vtnet0</if>
      <ipaddr>dhcp</ipaddr>
    </wan>
    <opt9>
      <enable>1</enable>
      <if>vtnet9</if>
      <descr>MANAGEMENT</descr>
      <ipaddr>192.168.9.1</ipaddr>
      <subnet>24</subnet>
    </opt9>
  </interfaces>
  <revision>
    <username>root@192.168.9.9</username>
    <time>1600000000.12</time>
    <description>by hand</description>
  </revision>
</opnsense>
"""
FORMS = {"2.4.0": "17.0", "2.4.5": "19.1", "2.6": "22.2", "2.7.2": "23.3", "2.8": "24.0"}
OLD_SSH = "\t\t<enablesshd>enabled</enablesshd>\n\t\t<ssh>\n\t\t\t<port>22</port>\n\t\t</ssh>"
SSH = "\t\t<ssh>\n\t\t\t<enable>enabled</enable>\n\t\t\t<port>22</port>\n\t\t</ssh>"
RELEASES = {"2.4.0": "2.4.0", "2.4.5": "2.4.5", "2.6": "2.6.0", "2.7.2": "2.7.2", "2.8": "2.8.0", "26.7": "26.7.2", "24.7": "24.7.1", "19.7": "19.7.10_1"}


class Site:
    """One router and the controller's side of it."""

    def __init__(self, folder: Path, kind: str = "pfsense", dialect: str = "2.6", lab: str = "trunk", profile: str | None = None, **settings: Any) -> None:
        self.dialect, self.kind = dialect, kind
        text = OPNSENSE if kind == "opnsense" else PFSENSE % {"form": FORMS[dialect], "ssh": OLD_SSH if dialect == "2.4.0" else SSH}
        self.first = text.encode()
        self.box = fake(kind, folder / "box", self.first, version=RELEASES[dialect])
        self.backup = folder / "backup"
        self.text = expected(Case(kind, lab, dialect, profile, "dut"))["config.xml"].decode()
        hosts = folder / "known_hosts"
        hosts.write_text(self.box.known_hosts(), encoding="ascii")
        self.settings: dict[str, Any] = {"router_known_hosts": str(hosts), "router_patience": 6, **settings}
        self.password = self.box.password
        self.manifest: dict[str, Any] = {
            "platform": kind, "version": RELEASES[dialect], "dialect": dialect, "config_hash": "0", "router": "dut", "owned": [],
            "management": {"interfaces": [], "allow": []},
            "artifacts": [{"name": "config", "path": self.box.config_path, "put": "merge", "secret": True}],
        }  # fmt: skip

    def driver(self) -> Driver:
        device = Device("r1", "127.0.0.1", self.box.user, self.box.port, self.password, setting=self.settings.get)
        return Driver({"manifest": self.manifest, "texts": {"config": self.text}}, {}, device)

    def deploy(self, check: bool = False) -> dict[str, Any]:
        return deploy(self.driver(), self.backup, check)

    def restore(self, files: dict[str, bytes]) -> dict[str, Any]:
        driver = self.driver()
        return deploy(driver, self.backup, False, lambda: driver.plan_restore(files), "restore")
