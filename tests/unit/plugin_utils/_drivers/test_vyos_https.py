# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver vyos_https against a router that plays VyOS's HTTPS API: what is sent, and what is left standing when something fails."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from fake_http import Cut, cut
from fake_http_vyos import FakeHttpVyos
from fake_vyos_state import FACTORY, Box
from http_site import HttpSite, shown
from vyos_site import TEXT

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.vyos_https import Driver

NOTHING = "Nothing was changed."
FORCE = "The old configuration is in force."
OLD = ("1.4", "1.4.2")
ROLLING = ("rolling", "1.5-rolling-202509010007")
SUBNET = "set service dhcp-server shared-network-name lan subnet 10.222.222.0/24"
TEXT_ROLLING = TEXT.replace("default-router", "option default-router") + f"{SUBNET} subnet-id 1\n"
BEFORE = {line for line in FACTORY.splitlines() if line}


class Site(HttpSite):
    driver_class = Driver
    password = None

    def __init__(self, folder: Path, dialect: str, version: str, text: str = "", secret: str = "", config: str = FACTORY) -> None:
        self.router = FakeHttpVyos(Box("vyos", dialect, version, config, minute=60.0))
        self.box = self.router.box
        self.text = text or (TEXT_ROLLING if dialect == "rolling" else TEXT)
        super().__init__(folder, self.router, "vyos", version, dialect, {"config": self.text, "secrets": secret}, router_api_key=self.router.key)

    def commands(self) -> set[str]:
        """Without what makes the API work."""
        return {"set " + " ".join(path) for path in self.box.running if path not in self.router.own}


@pytest.fixture(params=[OLD, ROLLING], ids=["1.4", "rolling"])
def site(request: Any, tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path, *request.param)
    yield found
    found.router.close()


@pytest.fixture
def rolling(tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path, *ROLLING)
    yield found
    found.router.close()


def failed(site: Site, result: dict[str, Any], *words: str) -> None:
    """It failed with these words, and the device is as it was, also after a restart."""
    assert result.get("failed"), result
    assert result["msg"].startswith(f"r1 (127.0.0.1:{site.router.port}): "), result["msg"]
    for word in words:
        assert word in result["msg"], result["msg"]
    assert site.commands() == BEFORE
    assert site.box.saved == site.box.boot_text().encode() and not site.box.pending()


def test_the_life_of_a_deployment(tmp_path: Path) -> None:
    site = Site(tmp_path, *OLD)
    saved = site.box.saved
    check = site.deploy(check=True)
    assert check["changed"] and site.box.log == [] and site.box.saved == saved and not (tmp_path / "backup").exists()
    assert {label.split()[0] for label in site.router.log} == {"/retrieve", "/show"}
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == check["plan"] and site.box.log == ["commit", "save"]
    assert set(TEXT.splitlines()) <= site.commands() and site.box.saved == site.box.boot_text().encode()
    assert any("knows no commit-confirm" in note for note in first["warnings"])
    second = site.deploy()
    assert not second["changed"] and second["diff"] == [] and site.box.log == ["commit", "save"]
    site.box.running.remove(("protocols", "ospf", "area", "0.0.0.0", "network", "10.253.253.0/30"))
    site.box.running += [
        ("protocols", "bgp", "65000", "neighbor", "10.1.1.1", "remote-as", "65001"),
        ("protocols", "ospf", "area", "0.0.0.0", "network", "10.8.0.0/16"),
    ]
    third = site.deploy()
    assert shown(third) == ["+set protocols ospf area 0.0.0.0 network 10.253.253.0/30", "-set protocols ospf area 0.0.0.0 network 10.8.0.0/16"]
    assert "set protocols bgp 65000 neighbor 10.1.1.1 remote-as 65001" in site.commands()
    back = site.restore(first)
    assert back["changed"] and not back.get("failed"), back
    assert site.box.saved == saved == site.box.boot_text().encode()
    assert not site.restore(first)["changed"]
    site.router.close()


def test_commit_confirm_where_the_api_has_it(rolling: Site) -> None:
    result = rolling.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert result["confirm_minutes"] == 5 and "warnings" not in result
    assert rolling.box.log == ["commit", "confirm", "save"] and not rolling.box.pending()
    assert not rolling.deploy()["changed"]


@pytest.mark.parametrize(("dialect", "version"), [("1.3", "1.3.8"), OLD, ROLLING])
def test_every_dialect(tmp_path: Path, checkout: Path, dialect: str, version: str) -> None:
    """What the room renders for each version is taken, and has nothing left to do."""
    golden = next((checkout / "tests/golden/vyos/dhcp_wan_nat_zones" / dialect).glob("*/dut"))
    site = Site(tmp_path, dialect, version, (golden / "config.set").read_text())
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert not site.deploy()["changed"]
    site.router.close()


def test_the_api_of_1_2_does_not_tell_its_version(tmp_path: Path) -> None:
    site = Site(tmp_path, "1.2", "1.2.8")
    failed(site, site.deploy(), "this API has no /show", "Use driver netmiko")
    site.router.close()


def restart(site: Site) -> Any:
    def hook() -> None:
        site.box.restart()
        raise Cut

    return hook


@pytest.mark.parametrize("when", ["before", "after"])
def test_restart_in_the_middle(site: Site, when: str) -> None:
    site.router.hooks.once(when, "/configure ", restart(site))
    failed(site, site.deploy(), "the connection broke during /configure", FORCE)


def test_cut_before_the_commit(site: Site) -> None:
    site.router.hooks.once("before", "/configure ", cut)
    failed(site, site.deploy(), "the connection broke during /configure", FORCE)


@pytest.mark.parametrize("label", ["/configure ", "/config-file"])
def test_cut_after_the_commit(site: Site, label: str) -> None:
    """The answer is lost, and the device had done it: looked at, confirmed, saved."""
    site.router.hooks.once("after", label, cut)
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert set(site.text.splitlines()) <= site.commands() and site.box.saved == site.box.boot_text().encode()
    assert not site.deploy()["changed"]


def test_cut_while_the_commit_goes_on(rolling: Site) -> None:
    """The web server gives up, the commit does not: its end is waited for."""
    rolling.box.faults.commit_seconds = 2.0
    rolling.settings["router_time_factor"] = 1.0
    driver = rolling.driver()
    driver.patience = lambda lines, each=0.5, least=30.0: 0.7 if least == 120.0 and not rolling.box.log else 30.0
    from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._deploy import deploy

    result = deploy(driver, rolling.backup, False)
    assert result["changed"] and not result.get("failed"), result
    assert any("there was no answer in 0.7 s to /configure" in note for note in result["warnings"])
    assert rolling.box.log == ["commit", "confirm", "save"] and not rolling.box.pending()


def test_nobody_gets_in_after_the_commit(rolling: Site) -> None:
    """The device goes back by itself, and the play says so."""
    rolling.box.minute = 1.5
    rolling.settings.update(router_patience=0.5, router_confirm_minutes=1)
    rolling.router.hooks.once("after", "/configure set", lambda: rolling.router.away(10**6))
    result = rolling.deploy()
    assert result["failed"] and result["lost_contact"] and "No way back in for 0.5 s" in result["msg"]
    end = time.monotonic() + 5
    while not rolling.box.restarts and time.monotonic() < end:
        time.sleep(0.05)
    assert rolling.commands() == BEFORE


def test_a_refused_line_in_the_middle_of_300(site: Site) -> None:
    rules = [f"set firewall ipv4 name BIG rule {number} action accept" for number in range(1, 301)]
    rules[149] = "set firewall ipv4 name BIG rule 150 actoin accept"
    site.texts["config"] = "\n".join(["set firewall ipv4 name BIG default-action drop", *rules]) + "\n"
    result = site.deploy()
    words = "line 151 of 301, `set firewall ipv4 name BIG rule 150 actoin accept`, was refused"
    failed(site, result, words, "Configuration path: [firewall ipv4 name BIG rule 150 actoin accept] is not valid Set failed", NOTHING)
    assert result["line"] == 151


def test_half_a_commit_is_taken_back(rolling: Site) -> None:
    rolling.box.faults.fail_subtree = "service dhcp-server"
    half: list[Any] = []
    rolling.router.hooks.once("after", "/configure set", lambda: half.extend(rolling.box.running))
    result = rolling.deploy()
    assert ("protocols", "ospf", "parameters", "router-id", "10.253.253.2") in half, "the other subtrees were in force"
    failed(rolling, result, "the commit failed", "DHCP server has no valid subnet", "[[service dhcp-server]] failed", FORCE)
    assert result["rolled_back"]


def test_wrong_key(site: Site) -> None:
    site.settings["router_api_key"] = "wrong-Key_2"
    result = site.deploy()
    failed(site, result, "the device refuses this API key")
    assert "wrong-Key_2" not in json.dumps(result)
    del site.settings["router_api_key"]
    failed(site, site.deploy(), "there is no key: set router_api_key")


def test_certificates(site: Site, tmp_path: Path) -> None:
    """Unknown, changed, made out to another name: refused before anything is sent. A fingerprint is enough."""
    other = FakeHttpVyos()
    other.close()
    del site.settings["router_tls_ca"]
    result = site.deploy()
    failed(site, result, "certificate is not trusted: self-signed certificate", "Its SHA-256 fingerprint is", "router_tls_fingerprint")
    site.settings["router_tls_fingerprint"] = other.fingerprint
    failed(site, site.deploy(), "the certificate has changed")
    site.settings["router_tls_fingerprint"] = "12:34"
    failed(site, site.deploy(), "router_tls_fingerprint: '12:34' is not a SHA-256 fingerprint")
    site.settings["router_tls_fingerprint"] = ":".join(site.router.fingerprint[index : index + 2] for index in range(0, 64, 2)).upper()
    assert not site.deploy(check=True).get("failed")
    del site.settings["router_tls_fingerprint"]
    site.settings.update(router_tls_ca=str(site.router.certificate), router_tls_name="router.example")
    failed(site, site.deploy(), "certificate is not trusted", "router.example")
    site.settings.update(router_tls_check=False)
    assert not site.deploy(check=True).get("failed")
    assert not [label for label in site.router.log if label.startswith("/configure")]


def test_locked_by_another_commit(rolling: Site) -> None:
    rolling.box.committing.acquire()
    failed(rolling, rolling.deploy(), "locked by another session: Configuration system temporarily locked due to another commit in progress", NOTHING)
    threading.Timer(1.5, rolling.box.committing.release).start()
    result = rolling.deploy()
    assert result["changed"] and not result.get("failed"), result


def test_another_version(site: Site) -> None:
    site.manifest.update(version="1.3.8", dialect="1.3")
    failed(site, site.deploy(), "The inventory says vyos 1.3.8 (dialect 1.3), and the device says")


def test_disk_full(site: Site) -> None:
    site.box.faults.disk_full = True
    failed(site, site.deploy(), "the device's disk is full: 0 are left on /usr/lib/live/mount/persistence", NOTHING)


def test_disk_full_in_the_end(rolling: Site) -> None:
    """`save` of a full disk leaves an empty file; that cannot be mended from outside, so it is said."""
    rolling.router.hooks.once("before", "/config-file", lambda: setattr(rolling.box.faults, "disk_full", True))
    result = rolling.deploy()
    assert result["failed"] and not result["rolled_back"] and "No space left on device" in result["msg"]
    assert rolling.commands() == BEFORE


def test_another_admin_between_read_and_apply(site: Site) -> None:
    extra = ("protocols", "bgp", "65000", "neighbor", "10.1.1.1", "remote-as", "65001")
    site.router.hooks.once("before", "/show system", lambda: site.box.running.append(extra))
    site.router.label = lambda path, body: f"{path} {' '.join(json.loads(body).get('path') or [])}"
    result = site.deploy()
    assert extra in site.box.running
    site.box.running.remove(extra)
    failed(site, result, "Somebody else changed the configuration since it was read", "+set protocols bgp 65000 neighbor 10.1.1.1 remote-as 65001", NOTHING)


def test_the_management_is_not_cut(site: Site) -> None:
    """A restore that would take the API away is refused."""
    result = site.restore({"backup_folder": str(_older_backup(site))})
    failed(site, result, "would cut the management access", "the device would listen on no port")


def _older_backup(site: Site) -> Path:
    from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup

    return _backup.keep(site.backup, {"commands.set": FACTORY.replace("router\n", "older\n").encode()}, {})


def test_secrets_are_nowhere(tmp_path: Path) -> None:
    secret = "set service snmp community Geheim_1 authorization ro\n"
    site = Site(tmp_path, *OLD, secret=secret)
    site.box.running.append(("service", "snmp", "community", "Alt_Geheim_3", "authorization", "ro"))
    results = [site.deploy(check=True), site.deploy()]
    assert not results[1].get("failed"), results[1]
    site.box.faults.refuse = "community"
    site.texts["secrets"] = secret.replace("Geheim_1", "Geheim_4")
    results.append(site.deploy())
    assert results[2]["failed"]
    text = json.dumps(results) + " ".join(str(path) for path in tmp_path.rglob("*"))
    assert not [word for word in ("Geheim_1", "Alt_Geheim_3", "Geheim_4", site.router.key) if word in text]
    site.router.close()


def test_somebody_elses_timer_is_left_alone(rolling: Site) -> None:
    rolling.box.start_timer(10)
    result = rolling.deploy()
    assert result["failed"] and "somebody else's commit waits to be confirmed" in result["msg"] and FORCE in result["msg"]
    assert rolling.box.pending() and rolling.commands() == BEFORE


def test_info(site: Site) -> None:
    info = site.info()
    assert info["platform"] == "vyos" and info["version"] == site.box.version and info["hostname"] == "router"
    assert info["interfaces"][1] == {"name": "eth1", "up": False, "mtu": 9000, "addresses": ["10.222.222.1/24"], "offloads": None}
    assert info["interfaces"][2]["addresses"] == ["127.0.0.1/8", "10.0.0.1/32"]
    assert [(item["state"], item["address"]) for item in info["ospf_neighbours"]] == [("Full", "10.253.253.1")]
    assert info["routes"][1:] == [
        {"prefix": "0.0.0.0/0", "next_hop": hop, "interface": name, "protocol": "ospf"} for hop, name in (("10.253.253.1", "eth0"), ("10.9.9.1", "eth1"))
    ]
    assert info["leases"] == [{"address": "10.222.222.100", "mac": "52:54:00:00:00:0c", "hostname": "lan"}] and info["cpu"] is None
