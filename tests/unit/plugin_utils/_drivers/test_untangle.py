# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver untangle against a firewall that plays its administration page: what is set, and what is left standing when something fails."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from fake_http import Cut, cut
from fake_http_untangle import FakeHttpUntangle
from golden_cases import lab_files, load
from http_site import HttpSite, shown

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.untangle import Driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import render_lab

NOTHING = "Nothing was changed."
FORCE = "The old configuration is in force."
VERSIONS = {"14": "14.2.2", "16": "16.3.0", "17.0": "17.0.0", "17.1": "17.2.1", "17.4": "17.4.0", "17.5": "17.5.1"}


class Site(HttpSite):
    driver_class = Driver

    def __init__(self, folder: Path, stem: str = "plain", dialect: str = "14", profile: str | None = None) -> None:
        self.firewall = FakeHttpUntangle(dialect, VERSIONS[dialect])
        super().__init__(folder, self.firewall, "untangle", VERSIONS[dialect], dialect, texts_of(stem, dialect, profile))
        self.before = self.firewall.state()

    def sets(self) -> list[str]:
        return [label for label in self.firewall.log if label.startswith("set")]


def texts_of(stem: str, dialect: str, profile: str | None = None) -> dict[str, str]:
    lab = load(lab_files("untangle")[stem], "untangle", dialect)
    return {artifact.name: artifact.text for artifact in render_lab(lab, "dut", profile, platforms())}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path)
    yield found
    found.firewall.close()


def bare(state: str) -> Any:
    """Without what the device fills in by itself."""
    filled = ("supportedConfigTypes", "v6StaticPrefixLength", "sysContact")
    return json.loads(state, object_hook=lambda item: {key: value for key, value in item.items() if key not in filled})


def failed(site: Site, result: dict[str, Any], *words: str) -> None:
    """It failed with these words, and the device is as it was: what is saved, and what is in force."""
    assert result.get("failed"), result
    assert result["msg"].startswith(f"r1 (127.0.0.1:{site.firewall.port}): "), result["msg"]
    for word in words:
        assert word in result["msg"], result["msg"]
    assert bare(site.firewall.state()) == bare(site.before)


@pytest.mark.parametrize("dialect", VERSIONS)
@pytest.mark.parametrize(("stem", "profile"), [("plain", None), ("trunk", None), ("dhcp_wan_nat_zones", "zones"), ("shaper", "ipsec")])
def test_the_life_of_a_deployment(tmp_path: Path, stem: str, profile: str | None, dialect: str) -> None:
    site = Site(tmp_path, stem, dialect, profile)
    check = site.deploy(check=True)
    assert check["changed"] and site.sets() == [] and not (tmp_path / "backup").exists()
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == check["plan"] and len(site.sets()) == first["objects"] and site.sets()[-1] == "setNetworkSettings"
    assert site.firewall.network["dnsmasqOptions"] == "theirs" and site.firewall.system["autoUpgrade"] is True
    second = site.deploy()
    assert not second["changed"] and second["diff"] == [], second
    back = site.restore(first)
    assert back["changed"] and not back.get("failed"), back
    assert bare(site.firewall.state()) == bare(site.before)
    assert not site.restore(first)["changed"]
    site.firewall.close()


def test_an_edit_from_outside_is_what_the_diff_shows(site: Site) -> None:
    assert not site.deploy().get("failed")
    first, second = site.firewall.network["interfaces"]["list"][:2]
    first["v4StaticAddress"] = "10.1.10.77"
    second["v4StaticGateway"] = "172.16.1.250"
    second["v4PPPoEUsername"] = "theirs"
    site.firewall.network["accessRules"]["list"][0]["conditions"]["list"][1]["value"] = "22"
    site.firewall.network["bypassRules"]["list"].append({"javaClass": "com.untangle.uvm.network.BypassRule", "ruleId": 9, "bypass": True})
    assert shown(site.deploy()) == [
        "-network.interfaces[eth0].v4StaticAddress = 10.1.10.77",
        "+network.interfaces[eth0].v4StaticAddress = 10.1.10.3",
        "-network.interfaces[eth1].v4StaticGateway = 172.16.1.250",
        "-network.accessRules[1].conditions[2].value = 22",
        "+network.accessRules[1].conditions[2].value = 22,443",
        "-network.bypassRules[1].ruleId = 9",
        "-network.bypassRules[1].bypass = True",
    ]
    assert not site.deploy()["changed"] and site.firewall.network["interfaces"]["list"][1]["v4PPPoEUsername"] == "theirs"


def test_profiles_follow_one_another(tmp_path: Path) -> None:
    site = Site(tmp_path, "dhcp_wan_nat_zones")
    for profile in ("zones", "open", None, "zones"):
        site.texts = texts_of("dhcp_wan_nat_zones", "14", profile)
        assert not site.deploy().get("failed")
        wanted = json.loads(site.texts["network"])
        for key in ("accessRules", "filterRules", "natRules", "bypassRules"):
            assert len(site.firewall.force[key]["list"]) == len(wanted[key]["list"]), (profile, key)
        assert not site.deploy()["changed"]
    assert "Management" in [item["name"] for item in site.firewall.network["interfaces"]["list"]], "a card that the lab does not know stays"
    site.firewall.close()


@pytest.mark.parametrize("label", ["setTimeZone", "setNetworkSettings"])
def test_cut_before_it_is_set(site: Site, label: str) -> None:
    site.firewall.hooks.once("before", label, cut)
    failed(site, site.deploy(), "the connection broke during ", label, FORCE)


def test_interfaces_move_and_the_connection_breaks(site: Site) -> None:
    """The answer is lost, the device had done it: looked at over a new connection."""
    site.firewall.hooks.once("after", "setNetworkSettings", cut)
    result = site.deploy()
    assert result["changed"] and not result.get("failed") and any("the connection broke" in note for note in result["warnings"]), result
    assert not site.deploy()["changed"]


def test_restart_in_the_middle(site: Site) -> None:
    def restart() -> None:
        site.firewall.restart()
        raise Cut

    site.firewall.hooks.once("before", "setNetworkSettings", restart)
    failed(site, site.deploy(), "the connection broke during networkManager.setNetworkSettings", FORCE)


def test_a_session_that_ended(site: Site) -> None:
    site.firewall.hooks.once("before", "setNetworkSettings", site.firewall.sessions.clear)
    failed(site, site.deploy(), "the device ended the session at networkManager.setNetworkSettings", FORCE)
    site.firewall.hooks.once("before", "setNetworkSettings", lambda: site.firewall.sessions.update(dict.fromkeys(site.firewall.sessions, "other")))
    failed(site, site.deploy(), "Invalid security nonce", FORCE)


def test_nobody_gets_in_after_it(site: Site) -> None:
    site.settings["router_patience"] = 0.5
    site.firewall.hooks.once("after", "setNetworkSettings", lambda: site.firewall.away(10**6))
    result = site.deploy()
    assert result["failed"] and result["lost_contact"] and "an older network.js-version-* and `sync-settings -f` lead back" in result["msg"]


def test_saved_and_not_in_force(site: Site) -> None:
    """sync-settings fails after the file was saved: both go back."""
    site.firewall.sync_fails = 1
    result = site.deploy()
    failed(site, result, "networkManager.setNetworkSettings was refused: Failed to sync settings: sync-settings exited with 1", FORCE)
    assert result["rolled_back"]
    site.firewall.sync_fails = 2
    result = site.deploy()
    assert result["failed"] and not result["rolled_back"] and "Going back failed, too" in result["msg"]


def test_what_the_device_refuses(site: Site) -> None:
    network = json.loads(site.texts["network"])
    network["interfaces"]["list"][1].update(v4StaticAddress="10.1.10.4", v4StaticPrefix=24)
    site.texts["network"] = json.dumps(network)
    failed(site, site.deploy(), "networkManager.setNetworkSettings was refused: BACKBONE & LAN", "address conflict. 10.1.10.0 = 10.1.10.0", FORCE)


def test_disk_full(site: Site) -> None:
    """Untangle logs a failed save and tells nobody; reading again shows it."""
    site.firewall.disk_full = True
    failed(site, site.deploy(), "Read again, the device is not as deployed.", FORCE)


def test_a_slow_set(site: Site) -> None:
    site.firewall.hooks.once("before", "setNetworkSettings", lambda: time.sleep(3))
    assert not site.deploy().get("failed")


def test_nobody_is_let_in(site: Site) -> None:
    site.password = "wrong-Pass_2"
    result = site.deploy()
    failed(site, result, "the device refuses user 'admin' with this password")
    assert "wrong-Pass_2" not in json.dumps(result)
    del site.settings["router_tls_ca"]
    failed(site, site.deploy(), "certificate is not trusted")
    site.settings["router_tls_fingerprint"] = "00" * 32
    failed(site, site.deploy(), "the certificate has changed")
    assert "login" not in site.firewall.log[1:]


def test_another_version(site: Site) -> None:
    site.firewall.version = "17.5.1"
    failed(site, site.deploy(), "The inventory says untangle 14.2.2 (dialect 14), and the device says 17.5.1 (dialect 17.5)", NOTHING)
    site.firewall.version = "14.2.2"
    site.firewall.network["version"] = 6
    site.before = site.firewall.state()
    failed(site, site.deploy(), "the settings of the network have number 6 on the device, and 7 in the file", NOTHING)


def test_another_admin_between_read_and_apply(site: Site) -> None:
    reads = []

    def read() -> None:
        reads.append(1)
        if len(reads) == 3:  # plan, backup, then the look before the first object is set
            site.firewall.network["hostName"] = "theirs"

    site.firewall.hooks.before["getNetworkSettings"] = read
    result = site.deploy()
    assert site.firewall.network["hostName"] == "theirs" and site.sets() == []
    site.firewall.network["hostName"] = "untangle"
    failed(site, result, "Somebody else changed the settings since they were read", "-network.hostName = untangle\n+network.hostName = theirs", NOTHING)


def test_the_management_is_not_cut(site: Site) -> None:
    site.firewall.network["interfaces"]["list"][1].update(v4StaticAddress="127.0.0.1", v4StaticPrefix=8)
    site.firewall.network["interfaces"]["list"].pop()
    site.firewall.force = json.loads(json.dumps(site.firewall.network))
    site.before = site.firewall.state()
    failed(site, site.deploy(), "would cut the management access", "127.0.0.1 on eth1, where this session goes to, would be gone")


def test_an_application_that_is_not_there(tmp_path: Path) -> None:
    site = Site(tmp_path, "shaper", "14", "ipsec")
    site.firewall.apps.clear()
    site.before = site.firewall.state()
    failed(site, site.deploy(), "the application ipsec-vpn is not installed")
    site.firewall.close()


def test_cards_that_are_elsewhere(site: Site) -> None:
    items = site.firewall.network["interfaces"]["list"]
    items[1]["physicalDev"] = "eth5"
    del items[2]
    site.before = site.firewall.state()
    failed(site, site.deploy(), "interface 2 is eth5 on the device, and eth1 in the lab; interface 3 is not there, and eth2 in the lab", NOTHING)


def test_secrets_are_nowhere(tmp_path: Path) -> None:
    site = Site(tmp_path, "shaper", "14", "ipsec")
    results = [site.deploy(check=True), site.deploy()]
    assert not results[1].get("failed"), results[1]
    site.firewall.apps["ipsec-vpn"]["tunnels"]["list"][0]["secret"] = "Geheim_9"
    results.append(site.deploy(check=True))
    assert shown(results[2]) == ["-ipsec.tunnels[1].secret = ********", "+ipsec.tunnels[1].secret = ********"]
    text = json.dumps(results) + " ".join(str(path) for path in tmp_path.rglob("*"))
    assert not [word for word in ("Geheim_9", "Alt_Geheim_3", 'a long \\"secret', site.password) if word in text]
    site.firewall.close()


def test_info(site: Site) -> None:
    assert not site.deploy().get("failed")
    info = site.info()
    assert (info["platform"], info["version"], info["kernel"]) == ("untangle", "14.2.2", "4.19.0-11-untangle-amd64")
    assert info["interfaces"][0] == {"name": "eth0", "up": True, "mtu": None, "addresses": ["10.1.10.3/24"], "offloads": None}
    assert [item["mtu"] for item in info["interfaces"] if item["name"] == "eth2"] == [9000]
