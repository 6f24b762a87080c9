# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver openwrt against a router that plays OpenWrt: what changes, what does not, and everything that can go wrong."""
from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

pytest.importorskip("paramiko")

import paramiko
from fake_openwrt import FakeOpenwrt
from golden_cases import Case, expected

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _openwrt_files as uci
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.openwrt import Driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

FORCE = "The old configuration is in force."
NOTHING = "Nothing was changed."
FIRST = {
    "/etc/config/network": """
config interface 'loopback'
\toption device 'lo'
\toption proto 'static'
\toption ipaddr '127.0.0.1'
\toption netmask '255.0.0.0'

config interface 'lan'
\toption device 'eth0.2222'
\toption proto 'static'
\toption ipaddr '10.222.222.1'
\toption netmask '255.255.255.0'
""",
    "/etc/config/system": "config system\n\toption hostname 'OpenWrt'\n",
    "/etc/config/dropbear": "config dropbear\n\toption PasswordAuth 'on'\n\toption Port '22'\n",
    "/etc/config/firewall": "config defaults\n\toption input 'ACCEPT'\n\toption output 'ACCEPT'\n",
    "/etc/config/dhcp": "config dnsmasq\n\toption domainneeded '1'\n",
    "/etc/config/uhttpd": "config uhttpd 'main'\n",
    "/etc/openvpn/theirs.conf": "dev tun\n",
}


class Site:
    """One router and the controller's side of it."""

    def __init__(self, folder: Path, lab: str = "trunk", dialect: str = "22.03", version: str = "22.03.5") -> None:
        self.box = FakeOpenwrt(folder / "box", FIRST, version)
        self.backup = folder / "backup"
        room = platforms()["openwrt"]
        texts = {name: data.decode() for name, data in expected(Case("openwrt", lab, dialect, None, "dut")).items()}
        artifacts = [dict(item) for item in room["artifacts"] if item["file"] in texts]
        self.texts = {item["name"]: texts[item["file"]] for item in artifacts}
        absent = [{"name": item["name"], "path": item["path"].replace("{name}", "*")} for item in room["artifacts"] if item["file"] not in texts]
        hosts = folder / "known_hosts"
        hosts.write_text(self.box.known_hosts(), encoding="ascii")
        self.settings: dict[str, Any] = {"router_known_hosts": str(hosts), "router_patience": 6}
        self.password = self.box.password
        self.manifest: dict[str, Any] = {
            "platform": "openwrt", "version": version, "dialect": dialect, "config_hash": "0", "router": "dut", "owned": [], "artifacts": artifacts,
            "absent": absent, "management": {"interfaces": [], "allow": []},
        }  # fmt: skip
        self.first, self.on = self.box.files(), self.box.on()

    def driver(self) -> Driver:
        device = Device("r1", "127.0.0.1", self.box.user, self.box.port, self.password, setting=self.settings.get)
        return Driver({"manifest": self.manifest, "texts": self.texts}, {}, device)

    def deploy(self, check: bool = False) -> dict[str, Any]:
        return deploy(self.driver(), self.backup, check)

    def restore(self, files: dict[str, bytes]) -> dict[str, Any]:
        driver = self.driver()
        return deploy(driver, self.backup, False, lambda: driver.plan_restore(files), "restore")


@pytest.fixture()
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.box.close()


def failed(site: Site, result: dict[str, Any], *words: str) -> None:
    """The play fails, says why, and the router is as it was, now and after a restart."""
    assert result.get("failed"), result
    missing = [word for word in ("r1 (127.0.0.1:", *words) if word not in result["msg"]]
    assert not missing, (missing, result["msg"])
    assert not result["changed"], result["msg"]
    as_before(site)


def as_before(site: Site) -> None:
    for _time in range(2):
        assert site.box.files() == site.first and site.box.on() == site.on
        assert not site.box.left_behind()
        network = site.box.running("network")
        assert network is not None and uci.same("/etc/config/network", network, site.first["/etc/config/network"])
        site.box.restart(0.0)


def deployed(site: Site) -> None:
    """All that was rendered is there and was read."""
    assert site.box.path("/etc/config/network").read_text() == site.texts["network"] == (site.box.running("network") or b"").decode()
    assert "frr" in site.box.on() and "sysntpd" not in site.box.on() and not site.box.left_behind()


def test_twice_outside_edit_restore(site: Site) -> None:
    box = site.box
    checked = site.deploy(check=True)
    assert checked["changed"] and box.files() == site.first and not box.log and not box.left_behind() and not site.backup.exists()
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == checked["plan"] and first["diff"] == checked["diff"]
    deployed(site)
    assert box.log[-1] == "network.reload" and "firewall.reload" in box.log and "frr.start" in box.log and "sysntpd.stop" in box.log
    assert box.files()["/etc/openvpn/theirs.conf"] == b"dev tun\n" and box.path("/etc/config/uhttpd").exists()
    log = box.log
    again = site.deploy()
    assert not again["changed"] and again["plan"] == [] and again["diff"] == [] and box.log == log
    # somebody else, with `uci commit`: the whole file loses its comments, one value is another one
    box.edit("/etc/config/network", "option vid '2223'", "option vid '99'")
    third = site.deploy()
    assert third["plan"] == ["-network.vlan_lan2.vid='99'", "+network.vlan_lan2.vid='2223'"]
    assert third["diff"][0]["prepared"].splitlines()[2:] == third["plan"] and box.log[len(log):] == ["network.reload"]
    _index, files = _backup.read(Path(first["backup_folder"]))
    assert files["sysupgrade.tar.gz"][:2] == b"\x1f\x8b" and files["etc/config/network"] == site.first["/etc/config/network"]
    back = site.restore(files)
    assert back["changed"] and not back.get("failed"), back
    as_before(site)
    assert not site.restore(files)["changed"]


@pytest.mark.parametrize(("dialect", "version"), [("19.07", "19.07.10"), ("main", "SNAPSHOT")])
def test_other_dialects(tmp_path: Path, dialect: str, version: str) -> None:
    site = Site(tmp_path, "trunk", dialect, version)
    site.box.path("/bin/fw4").unlink()
    try:
        result = site.deploy()
        assert result["changed"] and not result.get("failed"), result
        assert not site.deploy()["changed"]
    finally:
        site.box.close()


def test_what_nobody_renders_any_more_goes(site: Site) -> None:
    site.box.write("/etc/openvpn/old.conf", "# x. Written by routerlab.bench; changes here are lost.\n")
    assert site.deploy()["changed"]
    assert not site.box.path("/etc/openvpn/old.conf").exists() and site.box.path("/etc/openvpn/theirs.conf").exists()


def test_the_switch_of_a_board_stays(site: Site) -> None:
    site.box.write("/etc/config/network", FIRST["/etc/config/network"] + "\nconfig switch\n\toption name 'switch0'\n")
    assert site.deploy()["changed"]
    assert "option name 'switch0'" in site.box.path("/etc/config/network").read_text()
    assert not site.deploy()["changed"]


def test_no_secret_is_shown(site: Site) -> None:
    site.texts["network"] += "\nconfig interface 'wg0'\n\toption private_key 'hunter2hunter2'\n"
    result = site.deploy()
    assert "+network.wg0.private_key=******** (new)" in result["plan"]
    site.box.edit("/etc/config/network", "hunter2hunter2", "hunter3hunter3")
    assert "hunter" not in json.dumps([result, site.deploy(check=True), site.deploy()])


def test_wrong_password_and_host_key(site: Site) -> None:
    site.password = "not-it"
    failed(site, site.deploy(), "the device refuses user 'root' with this password")
    other = paramiko.ECDSAKey.generate()
    Path(site.settings["router_known_hosts"]).write_text(f"[127.0.0.1]:{site.box.port} {other.get_name()} {other.get_base64()}\n", encoding="ascii")
    failed(site, site.deploy(), "the host key is not the known one")
    assert site.box.scripts == []


def test_other_version_on_the_box(site: Site) -> None:
    site.manifest.update(dialect="24.10", version="24.10.2")
    failed(site, site.deploy(), "the device says 22.03.5", NOTHING)


def test_locked_by_another_deployment(site: Site) -> None:
    site.box.write("/etc/routerlab/owner", "eve on elsewhere\n")
    result = site.deploy()
    assert result["failed"] and "locked by another deployment (eve on elsewhere)" in result["msg"] and site.box.files() == site.first


def test_a_service_is_missing(site: Site) -> None:
    site.box.path("/etc/init.d/frr").unlink()
    failed(site, site.deploy(), "frr: the device has no such service", NOTHING)


def test_disk_full(site: Site) -> None:
    site.box.full()
    failed(site, site.deploy(), "the disk is full: 0 KiB", NOTHING)


def test_disk_full_in_the_middle(site: Site) -> None:
    site.box.before["/new.3 <<"] = site.box.full
    failed(site, site.deploy(), "No space left on device", NOTHING)


@pytest.mark.parametrize(("name", "bad", "words"), [
    ("network", "\nconfig interface 'x\n", "uci: Parse error (invalid command)"), ("frr", "bogus line\n", "% Unknown command: bogus"),
])  # fmt: skip
def test_the_device_refuses_a_file(site: Site, name: str, bad: str, words: str) -> None:
    site.texts[name] += bad
    failed(site, site.deploy(), "the device does not take /etc/", words, NOTHING)


def test_a_firewall_that_would_stop(site: Site) -> None:
    """fw4 check comes before any service has read its file."""
    site.texts["firewall"] = site.texts["firewall"].replace("'ACCEPT'", "'ALLOW'").replace("'REJECT'", "'ALLOW'")
    failed(site, site.deploy(), "the reload failed with status 1", "Reference error", FORCE)
    assert not any(line.endswith(".restart") and line.startswith("dropbear") for line in site.box.log[:1])


def test_a_service_does_not_start(site: Site) -> None:
    site.box.path("/.break.frr").write_text("frr: no daemon starts\n")
    failed(site, site.deploy(), "the reload failed with status 1", "frr: no daemon starts", FORCE)


@pytest.mark.parametrize("words", ["prepare()", "swap()"])
def test_another_admin_in_between(site: Site, words: str) -> None:
    def edit() -> None:
        site.box.edit("/etc/config/system", "'OpenWrt'", "'theirs'")
        site.first = site.box.files()

    site.box.before[words] = edit
    failed(site, site.deploy(), "Somebody else changed", "hostname='theirs'", NOTHING)


@pytest.mark.parametrize("words", ["prepare()", "undo.sh 300", "new.2 <<", "swap()", "/reload.rc", "/confirmed ] || mv"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_connection_breaks_on_the_way(site: Site, words: str, when: str) -> None:
    getattr(site.box, when)[words] = site.box.cut
    result = site.deploy()
    if result.get("failed"):
        failed(site, result, FORCE)
    else:
        deployed(site)


def test_services_that_take_long_while_the_connection_breaks(site: Site) -> None:
    site.box.hold()
    site.box.after["swap()"] = site.box.cut
    threading.Timer(1.5, site.box.hold, [False]).start()
    result = site.deploy()
    assert result["changed"] and not result.get("failed") and "connection was lost" in result["warnings"][0], result
    deployed(site)


def test_restart_in_the_middle(site: Site) -> None:
    def restart() -> None:
        site.box.hold(False)
        site.box.restart()

    site.box.hold()
    site.box.after["swap()"] = restart
    failed(site, site.deploy(), FORCE)


def test_nobody_gets_in_again(site: Site) -> None:
    site.settings.update(router_confirm_minutes=8 / 60, router_patience=0.5)

    def away() -> None:
        site.box.up_at = time.monotonic() + 4
        site.box.cut()

    site.box.after["swap()"] = away
    result = site.deploy()
    assert result["failed"] and result["lost_contact"] and "puts its old configuration back by itself at about" in result["msg"]
    end = time.monotonic() + 20
    while site.box.left_behind() and time.monotonic() < end:
        time.sleep(0.1)
    as_before(site)


def test_the_management_is_not_cut(site: Site) -> None:
    site.texts["network"] = site.texts["network"].replace("10.222.222.1", "10.222.222.7")
    site.texts["dropbear"] = site.texts["dropbear"].replace("'22'", "'2022'")
    failed(site, site.deploy(), "This would cut the management access", "10.222.222.1 on eth0.2222", "would listen on 2022")


def test_the_state(site: Site) -> None:
    driver = site.driver()
    driver.connect()
    state = driver.info()
    driver.disconnect()
    assert state["platform"] == "openwrt" and state["version"] == "22.03.5" and state["kernel"] and state["uptime_s"]
    assert [row["hostname"] for row in state["leases"]] == ["host5", None] and state["routes"] is None
