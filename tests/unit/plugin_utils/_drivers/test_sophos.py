# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver sophos against a firewall that plays its XML API: what is sent, and what is left standing when something fails."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, Iterator

import pytest
from fake_http import Cut, cut
from fake_http_sophos import FakeHttpSophos
from golden_cases import lab_files, load
from http_site import HttpSite, shown

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._sophos_api import release_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers.sophos import Driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import render_lab

NOTHING = "Nothing was changed."
FORCE = "The old configuration is in force."
NUMBERS = {"17.5": "1702.1", "18": "1800.1", "20": "2000.2"}
VERSIONS = {"17.5": "17.5.8", "18": "18.0.1", "20": "20.0"}


class Site(HttpSite):
    driver_class = Driver

    def __init__(self, folder: Path, stem: str = "plain", dialect: str = "18", profile: str | None = None) -> None:
        self.firewall = FakeHttpSophos(dialect, NUMBERS[dialect])
        self.dialect, self.stem = dialect, stem
        super().__init__(folder, self.firewall, "sophos", VERSIONS[dialect], dialect, texts_of(stem, dialect, profile))
        self.before = self.firewall.state()

    def requests(self) -> list[str]:
        return [label for label in self.firewall.log if not label.startswith(("Get", "Login"))]


def texts_of(stem: str, dialect: str, profile: str | None = None) -> dict[str, str]:
    lab = load(lab_files("sophos")[stem], "sophos", dialect)
    return {artifact.name: artifact.text for artifact in render_lab(lab, "dut", profile, platforms())}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path)
    yield found
    found.firewall.close()


def failed(site: Site, result: dict[str, Any], *words: str) -> None:
    """It failed with these words, and the device is as it was."""
    assert result.get("failed"), result
    assert result["msg"].startswith(f"r1 (127.0.0.1:{site.firewall.port}): "), result["msg"]
    for word in words:
        assert word in result["msg"], result["msg"]
    assert site.firewall.state() == site.before


@pytest.mark.parametrize("dialect", NUMBERS)
@pytest.mark.parametrize("stem", ["plain", "trunk", "dhcp_wan_nat_zones", "rules", "unconfirmed"])
def test_the_life_of_a_deployment(tmp_path: Path, stem: str, dialect: str) -> None:
    site = Site(tmp_path, stem, dialect)
    check = site.deploy(check=True)
    assert check["changed"] and site.requests() == [] and not (tmp_path / "backup").exists()
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == check["plan"] and len(site.requests()) == len(first["plan"]) == first["requests"]
    second = site.deploy()
    assert not second["changed"] and second["diff"] == [], second
    back = site.restore(first)
    assert back["changed"] and not back.get("failed"), back
    assert site.firewall.state() == site.before
    assert not site.restore(first)["changed"]
    site.firewall.close()


def test_an_edit_from_outside_is_what_the_diff_shows(site: Site) -> None:
    assert not site.deploy().get("failed")
    zone, rule = site.firewall.find("Zone", "A"), site.firewall.find("FirewallRule", "RL_3976161701")
    assert zone is not None and rule is not None
    zone.find("ApplianceAccess/AdminServices/SSH").text = "Disable"
    ET.SubElement(ET.SubElement(rule.find("NetworkPolicy"), "SourceNetworks"), "Network").text = "RL_192.0.2.7"
    site.firewall.entities.remove(site.firewall.find("UnicastRoute", "10.9.0.0"))
    site.firewall.entities.append(
        ET.fromstring("<IPHost><Name>Theirs</Name><IPFamily>IPv4</IPFamily><HostType>IP</HostType><IPAddress>10.1.1.1</IPAddress></IPHost>")
    )
    site.firewall.entities.append(
        ET.fromstring("<IPHost><Name>RL_old</Name><IPFamily>IPv4</IPFamily><HostType>IP</HostType><IPAddress>10.1.1.2</IPAddress></IPHost>")
    )
    third = site.deploy()
    assert third["plan"] == ["update Zone A", "add UnicastRoute 10.9.0.0/255.255.0.0", "update FirewallRule RL_3976161701", "remove IPHost RL_old"]
    assert [line for line in shown(third) if "UnicastRoute" not in line] == [
        "+Zone A: ApplianceAccess/AdminServices/SSH = Enable",
        "-FirewallRule RL_3976161701: NetworkPolicy/SourceNetworks/Network = RL_192.0.2.7",
        *(f"-IPHost RL_old: {line}" for line in ("Name = RL_old", "IPFamily = IPv4", "HostType = IP", "IPAddress = 10.1.1.2")),
    ]
    assert not site.deploy()["changed"] and site.firewall.find("IPHost", "Theirs") is not None


def test_a_rule_that_came_before_ours_is_put_behind(site: Site) -> None:
    site.deploy()
    theirs = site.firewall.find("FirewallRule", "Theirs")
    site.firewall.entities.remove(theirs)
    site.firewall.entities.insert(0, theirs)
    site.firewall.place()
    result = site.deploy()
    assert result["plan"] == [f"update FirewallRule {name}" for name in ("RL_3901193903", "RL_3976161701", "RL_3939393739")]
    assert shown(result)[0] == "~FirewallRule RL_3901193903: Position = Top"
    assert not site.deploy()["changed"]


def test_profiles_follow_one_another(tmp_path: Path) -> None:
    """Nothing of the last one stays."""
    site = Site(tmp_path, "dhcp_wan_nat_zones")
    for profile in (None, "zones", "open", "zones", None):
        site.texts = texts_of("dhcp_wan_nat_zones", "18", profile)
        result = site.deploy()
        assert not result.get("failed"), (profile, result)
        ours = {entity.findtext("Name") for entity in site.firewall.entities if (entity.findtext("Name") or "").startswith("RL_")}
        wanted = {node.findtext("Name") for node in ET.fromstring(site.texts["request"].encode()).iter() if (node.findtext("Name") or "").startswith("RL_")}
        assert ours <= wanted, profile
        assert not site.deploy()["changed"]
    site.firewall.close()


def test_a_route_is_replaced_and_a_vlan_keeps_its_hardware(tmp_path: Path) -> None:
    site = Site(tmp_path, "trunk")
    site.deploy()
    vlan = next(entity for entity in site.firewall.entities if entity.tag == "VLAN")
    vlan.find("Netmask").text = "255.255.0.0"
    result = site.deploy()
    assert not result.get("failed") and [line.split()[:2] for line in result["plan"]] == [["update", "VLAN"]]
    assert vlan.findtext("Hardware") == site.firewall.find("VLAN", f"{vlan.findtext('Interface')}.{vlan.findtext('VLANID')}").findtext("Hardware")
    other = Site(tmp_path / "b")
    other.deploy()
    other.firewall.find("UnicastRoute", "10.9.0.0").find("Gateway").text = "10.1.10.8"
    assert other.deploy()["plan"] == [f"{verb} UnicastRoute 10.9.0.0/255.255.0.0" for verb in ("remove", "add")]
    assert not other.deploy()["changed"]
    site.firewall.close()
    other.firewall.close()


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("label", ["Set add Zone A", "Set update Interface Port4", "Set add SNMPCommunity"])
def test_cut(site: Site, when: str, label: str) -> None:
    """The connection breaks before the firewall carries a request out, or before it answers. The last one, carried out, is all that was to do."""
    site.firewall.hooks.once(when, label, cut)
    result = site.deploy()
    if (when, label) == ("after", "Set add SNMPCommunity"):
        assert result["changed"] and not result.get("failed") and not site.deploy()["changed"], result
        return
    failed(site, result, "the connection broke during " + label.partition(" ")[2], FORCE)
    assert result["rolled_back"]


def test_restart_in_the_middle(site: Site) -> None:
    def restart() -> None:
        site.firewall.away(0.5)
        raise Cut

    site.firewall.hooks.once("after", "Set add DHCPServer RL_b", restart)
    failed(site, site.deploy(), "the connection broke during add DHCPServer RL_b", FORCE)


def test_nobody_gets_in_after_it(site: Site) -> None:
    site.settings["router_patience"] = 0.5
    site.firewall.hooks.once("after", "Set add DHCPServer RL_b", lambda: site.firewall.away(10**6))
    result = site.deploy()
    assert result["failed"] and result["lost_contact"] and result["changed"] and "playbooks/restore.yml puts the backup back" in result["msg"]
    site.firewall.away(-1)
    back = site.restore(result)
    assert not back.get("failed") and site.firewall.state() == site.before, back


def test_a_refused_entity_in_the_middle_of_300(site: Site) -> None:
    host = "<IPHost><Name>RL_h{}</Name><IPFamily>IPv4</IPFamily><HostType>IP</HostType><IPAddress>10.77.{}.1</IPAddress></IPHost>"
    site.texts = {"request": f'<Request><Set operation="add">{"".join(host.format(number, number % 250) for number in range(1, 301))}</Set></Request>'}
    site.firewall.refuse["IPHost RL_h150"] = (503, "Operation failed. Memory limit was reached.")
    result = site.deploy()
    failed(site, result, "request 150 of 300: add IPHost RL_h150 was refused: Operation failed. Memory limit was reached. (Status 503)", FORCE)
    assert result["line"] == 150 and result["rolled_back"]


def test_a_zone_that_is_not_there_is_the_devices_own_word(site: Site) -> None:
    site.texts["request"] = site.texts["request"].replace("<NetworkZone>B</NetworkZone>", "<NetworkZone>NOWHERE</NetworkZone>")
    failed(
        site,
        site.deploy(),
        "update Interface Port4 was refused: Configuration parameters validation failed. (Status 501). It names /Interface/NetworkZone",
        FORCE,
    )


def test_what_cannot_be_led_back_is_said(site: Site) -> None:
    def broken() -> None:
        site.firewall.refuse.update(
            {"Zone A": (500, "Operation could not be performed on Entity."), "Time": (500, "Operation could not be performed on Entity.")}
        )

    site.firewall.hooks.once("before", "Set update Time", broken)
    result = site.deploy()
    assert result["failed"] and not result["rolled_back"] and "Going back failed, too: remove Zone A was refused" in result["msg"]
    assert "playbooks/restore.yml puts the backup back" in result["msg"]
    assert site.firewall.find("Zone", "B") is None, "the others went back"


def test_a_slow_firewall(site: Site) -> None:
    import time

    site.firewall.hooks.once("before", "Set update Time", lambda: time.sleep(3))
    assert not site.deploy().get("failed")


def test_nobody_is_let_in(site: Site) -> None:
    site.password = "wrong-Pass_2"
    result = site.deploy()
    failed(site, result, "the device refuses user 'admin': Authentication Failure")
    assert "wrong-Pass_2" not in json.dumps(result)
    site.password = "admin-Pass_1"
    site.firewall.not_allowed = True
    failed(site, site.deploy(), "this address may not use the API: API operations are not allowed from the requester IP address. (Status 534)")
    site.firewall.not_allowed, site.firewall.disabled = False, True
    failed(site, site.deploy(), "the API is switched off", "Backup & firmware > API")
    site.firewall.disabled = False
    del site.settings["router_tls_ca"]
    failed(site, site.deploy(), "certificate is not trusted")
    site.settings["router_tls_fingerprint"] = "00" * 32
    failed(site, site.deploy(), "the certificate has changed")


def test_another_version(site: Site) -> None:
    site.firewall.number = "2000.2"
    failed(site, site.deploy(), "The inventory says sophos 18.0.1 (dialect 18), and the device says 20.0 (dialect 20)", NOTHING)
    assert [release_of(number) for number in ("1702.1", "1905.2", "2105.1", "x", None)] == ["17.5", "19.5", "21.5", None, None]


def test_another_admin_between_read_and_apply(site: Site) -> None:
    host = ET.fromstring("<IPHost><Name>Theirs</Name><IPFamily>IPv4</IPFamily><HostType>IP</HostType><IPAddress>10.1.1.1</IPAddress></IPHost>")
    reads = {"count": 0}

    def read() -> None:
        reads["count"] += 1
        if reads["count"] == 4:  # connect, plan, backup, then the look before the first request
            site.firewall.entities.append(host)

    site.firewall.hooks.before["Get"] = read
    result = site.deploy()
    assert host in site.firewall.entities
    site.firewall.entities.remove(host)
    failed(site, result, "Somebody else changed the configuration since it was read", "+IPHost Theirs: IPAddress = 10.1.1.1", NOTHING)


def test_the_management_is_not_cut(site: Site) -> None:
    """The zone and the address by which we come in stay."""
    for name, address in (("Port1", "127.0.0.1"), ("Port8", "192.0.2.1")):
        site.firewall.find("Interface", name).find("IPAddress").text = address
    site.before = site.firewall.state()
    failed(site, site.deploy(), "would cut the management access", "127.0.0.1 on Port1, where this session goes to, would be gone")
    site.texts["request"] = (
        site.texts["request"].replace("172.16.1.254", "127.0.0.1").replace("<HTTPS>Enable</HTTPS>", "").replace("<Service>HTTPS</Service>", "")
    )
    failed(site, site.deploy(), "would cut the management access", "would listen on no port")


def test_a_warning_is_not_an_error(site: Site) -> None:
    site.firewall.warn["Zone A"] = (217, "Configuration applied, some services restart.")
    result = site.deploy()
    assert not result.get("failed") and any("some services restart. (Status 217)" in note for note in result["warnings"])
    assert any("ospf.txt is not sent" in note for note in result["warnings"])


@pytest.mark.parametrize("stem", ["plain", "unconfirmed"])
def test_secrets_are_nowhere(tmp_path: Path, stem: str) -> None:
    """A community and keys of tunnels: in no plan, diff, message or name. A key that the firewall does not tell changes nothing."""
    site = Site(tmp_path, stem, profile="ipsec" if stem == "unconfirmed" else None)
    results = [site.deploy(check=True), site.deploy()]
    assert not results[1].get("failed"), results[1]
    assert not site.deploy()["changed"]
    words = ["golden-lab", "short", 'a long "secret"', site.password]
    site.firewall.refuse["SNMPCommunity golden-lab"] = (500, "golden-lab is no good")
    site.firewall.entities = [entity for entity in site.firewall.entities if entity.tag != "SNMPCommunity"]
    results.append(site.deploy())
    text = json.dumps(results) + " ".join(str(path) for path in tmp_path.rglob("*"))
    assert not [word for word in words if word in text]
    site.firewall.close()


def test_info(site: Site) -> None:
    site.deploy()
    site.manifest["dialect"] = None
    info = site.info()
    assert (info["platform"], info["version"], info["hostname"], info["routes"]) == ("sophos", "18.0", "plain.lab.example", None)
    assert {"name": "Port4", "up": None, "mtu": 9000, "addresses": ["172.16.2.254/24"], "offloads": None} in info["interfaces"]
