# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver netmiko against routers that play VyOS and EdgeOS: what changes, what does not, and everything that can go wrong."""
from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

pytest.importorskip("netmiko")

from fake_vyos import FakeVyos
from fake_vyos_shell import Hangup, Shell
from fake_vyos_state import FACTORY, Box
from vyos_site import TEXT, Site

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup

FORCE = "The old configuration is in force."
NOTHING = "Nothing was changed."


@pytest.fixture()
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.router.close()


def failed(site: Site, result: dict[str, Any], *words: str) -> None:
    """The play fails, says why, and the router is as it was, now and after a restart."""
    assert result.get("failed"), result
    missing = [word for word in ("r1 (127.0.0.1:", *words) if word not in result["msg"]]
    assert not missing, (missing, result["msg"])
    assert not result["changed"], result["msg"]
    old = {line for line in FACTORY.splitlines() if line}
    assert site.commands() == old
    assert not site.box.pending(), "a timer is still running"
    assert not site.box.files, "a file was left behind"
    if site.box.saved:
        site.box.restart()
        site.router.up_at = 0.0
        assert site.commands() == old


def test_twice_outside_edit_restore(site: Site) -> None:
    saved = site.box.saved
    checked = site.deploy(check=True)
    assert checked["changed"] and not site.box.log and site.box.saved == saved and not site.backup.exists()
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == checked["plan"] and first["diff"] == checked["diff"]
    assert "+set service ssh" not in first["diff"][0]["prepared"]
    assert set(TEXT.splitlines()) <= site.commands() and "set interfaces ethernet eth7 address 192.0.2.1/24" in site.commands()
    assert site.box.saved == site.box.boot_text().encode() != saved and site.box.log == ["commit", "save"]
    again = site.deploy()
    assert not again["changed"] and again["plan"] == [] and again["diff"] == [] and site.box.log == ["commit", "save"]
    # somebody else at the keyboard: one value changed, one thing of ours gone, one more in a subtree of ours, one in a subtree of theirs
    old = ("protocols", "ospf", "area", "0.0.0.0", "network", "10.253.253.0/30")
    site.box.running.remove(old)
    theirs = "protocols bgp 65000 neighbor 10.1.1.1 remote-as 65001"
    for path in ("interfaces ethernet eth0 address 10.9.9.9/24", "protocols ospf area 0.0.0.0 network 10.8.0.0/16", theirs):
        site.box.running.append(tuple(path.split()))
    third = site.deploy()
    shown = [line for line in third["diff"][0]["prepared"].splitlines() if line[:3] not in ("---", "+++")]
    assert shown == [
        "-set interfaces ethernet eth0 address 10.9.9.9/24",
        "+set protocols ospf area 0.0.0.0 network 10.253.253.0/30",
        "-set protocols ospf area 0.0.0.0 network 10.8.0.0/16",
    ]
    assert third["plan"] == [
        "delete interfaces ethernet eth0 address 10.9.9.9/24",
        "delete protocols ospf area 0.0.0.0 network 10.8.0.0/16",
        "set protocols ospf area 0.0.0.0 network 10.253.253.0/30",
    ]
    assert f"set {theirs}" in site.commands()
    _index, files = _backup.read(Path(first["backup_folder"]))
    assert files["config.boot"] == saved
    back = site.restore(files)
    assert back["changed"] and not back.get("failed"), back
    assert site.box.saved == saved and site.box.boot_text().encode() == saved
    assert not site.restore(files)["changed"]


@pytest.mark.parametrize(("platform", "dialect", "version"), [
    ("vyos", "1.2", "1.2.8"), ("vyos", "1.3", "1.3.8"), ("vyos", "1.4", "1.4.2"), ("vyos", "rolling", "1.5-rolling-202503010007"),
    ("edgeos", "2.0", "v2.0.9-hotfix.7"),
])  # fmt: skip
def test_every_dialect(tmp_path: Path, checkout: Path, platform: str, dialect: str, version: str) -> None:
    """What the room renders for each version is taken, and has nothing left to do."""
    golden = next((checkout / "tests/golden" / platform / "dhcp_wan_nat_zones" / dialect).glob("*/dut"))
    site = Site(tmp_path, FakeVyos(Box(platform, dialect, version)), (golden / "config.set").read_text())
    try:
        first = site.deploy()
        assert first["changed"] and not first.get("failed"), first
        second = site.deploy()
        assert not second["changed"] and not second.get("failed"), second
        assert "_file" not in str(first) and site.box.saved == site.box.boot_text().encode()
    finally:
        site.router.close()


def test_profiles_follow_one_another(tmp_path: Path, checkout: Path) -> None:
    """From each profile to each other one: nothing of the last one stays, though a rule set is bound to an interface."""
    room = checkout / "tests/golden/vyos/dhcp_wan_nat_zones/1.3"
    texts = {path.parent.parent.name: path.read_text() for path in sorted(room.glob("*/dut/config.set"))}
    site = Site(tmp_path, FakeVyos(Box("vyos", "1.3", "1.3.8")))
    try:
        for name in [*texts, *reversed(texts)]:
            site.text = texts[name]
            result = site.deploy()
            assert not result.get("failed"), (name, result)
            ours = {line for line in site.commands() if line not in FACTORY}
            assert ours == {line.replace("'", "") for line in texts[name].splitlines()} - set(FACTORY.splitlines()), name
    finally:
        site.router.close()


def hangup(shell: Shell) -> None:
    """The connection breaks, and what it was doing ends with it."""
    shell.box.faults.before.clear()
    shell.cut()
    raise Hangup


def cut(shell: Shell) -> None:
    """The connection breaks, and the device goes on."""
    shell.box.faults.after.clear()
    shell.box.faults.before.clear()
    shell.cut()


def restart(shell: Shell) -> None:
    shell.box.faults.before.clear()
    shell.box.faults.after.clear()
    shell.box.restart()
    raise Hangup


@pytest.mark.parametrize(("at", "command", "hook", "words"), [
    ("before", "bash", hangup, ["the connection broke after `bash /tmp/routerlab-", NOTHING]),
    ("before", "commit-confirm", hangup, ["the connection broke after `commit-confirm 5`", FORCE]),
    ("after", "commit-confirm", restart, ["the connection broke", FORCE]),
    ("before", "bash", restart, ["the connection broke", NOTHING]),
    ("before", "commit-confirm", restart, ["the connection broke", FORCE]),
    ("before", "configure", hangup, ["the connection broke", NOTHING]),
])  # fmt: skip
def test_cut_and_restart(site: Site, at: str, command: str, hook: Any, words: list[str]) -> None:
    getattr(site.box.faults, at)[command] = hook
    failed_at = site.deploy()
    site.box.files.clear() if hook is hangup and command == "bash" else None  # the file in /tmp is gone with the next restart
    failed(site, failed_at, *words)


def cut_soon(shell: Shell) -> None:
    """The connection breaks while the command is carried out."""
    shell.box.faults.before.clear()
    threading.Timer(0.4, shell.cut).start()


@pytest.mark.parametrize(("at", "command", "hook"), [
    ("before", "commit-confirm", cut_soon), ("after", "commit-confirm", cut), ("before", "confirm", cut), ("before", "save", cut), ("after", "save", cut),
])  # fmt: skip
def test_cut_while_the_device_goes_on(site: Site, at: str, command: str, hook: Any) -> None:
    """A commit that comes to its end without us is waited for, looked at over a new connection, confirmed and saved."""
    getattr(site.box.faults, at)[command] = hook
    site.box.faults.commit_seconds = 1.5
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert set(TEXT.splitlines()) <= site.commands() and not site.box.pending()
    assert site.box.saved == site.box.boot_text().encode()
    assert not site.deploy()["changed"]


def test_nobody_gets_in_after_the_commit(site: Site) -> None:
    """The device goes back by itself, and the play says so."""
    site.box.minute = 1.5
    site.settings.update(router_patience=0.5, router_confirm_minutes=1)
    site.box.faults.after["commit-confirm"] = lambda shell: site.router.away(10**6)
    result = site.deploy()
    assert result["failed"] and result["lost_contact"] and result["changed"]
    assert "No way back in for 0.5 s" in result["msg"] and "returns to its saved configuration by itself at about" in result["msg"]
    deadline = time.monotonic() + 5
    while not site.box.restarts and time.monotonic() < deadline:
        time.sleep(0.05)
    assert site.commands() == {line for line in FACTORY.splitlines() if line}


def test_a_patient_play_sees_it_come_back(site: Site) -> None:
    site.box.minute = 1.5
    site.settings.update(router_patience=8, router_confirm_minutes=1)
    site.box.faults.after["commit-confirm"] = lambda shell: site.router.away(10**6)
    failed(site, site.deploy(), FORCE)


def test_a_refused_line_in_the_middle_of_300(site: Site) -> None:
    rules = [f"set firewall ipv4 name BIG rule {number} action accept" for number in range(1, 301)]
    rules[149] = "set firewall ipv4 name BIG rule 150 actoin accept"
    site.text = "\n".join(["set firewall ipv4 name BIG default-action drop", *rules]) + "\n"
    result = site.deploy()
    words = "line 151 of 301, `set firewall ipv4 name BIG rule 150 actoin accept`, was refused"
    failed(site, result, words, "Configuration path: [firewall ipv4 name BIG rule 150 actoin accept] is not valid Set failed", NOTHING)
    assert result["line"] == 151


def test_half_a_commit_is_taken_back(site: Site) -> None:
    site.box.faults.fail_subtree = "service dhcp-server"
    site.box.faults.after["commit-confirm"] = lambda shell: half.extend(site.box.running)
    half: list[Any] = []
    result = site.deploy()
    assert ("protocols", "ospf", "parameters", "router-id", "10.253.253.2") in half, "the other subtrees were in force"
    failed(site, result, "the commit failed", "DHCP server has no valid subnet", "[[service dhcp-server]] failed", FORCE)
    assert result["rolled_back"]


def test_a_slow_commit(site: Site) -> None:
    site.box.faults.commit_seconds = 4
    assert not site.deploy().get("failed")


def test_wrong_password(site: Site) -> None:
    site.password = "wrong-Pass_2"
    result = site.deploy()
    failed(site, result, "refuses user 'vyos' with this password")
    assert "wrong-Pass_2" not in json.dumps(result)


def test_host_keys(site: Site, tmp_path: Path) -> None:
    hosts = tmp_path / "known_hosts"
    other = FakeVyos()
    other.close()
    hosts.write_text(site.router.known_hosts().rpartition(" ")[0] + " " + other.key.get_base64() + "\n")
    failed(site, site.deploy(), "the host key has changed")
    hosts.write_text("")
    failed(site, site.deploy(), "host key not known", "router_known_hosts")


def test_locked_by_another_commit(site: Site) -> None:
    site.box.committing.acquire()
    failed(site, site.deploy(), "locked by another session: Configuration system temporarily locked due to another commit in progress", NOTHING)
    threading.Timer(2.5, site.box.committing.release).start()
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result


def test_another_version(site: Site) -> None:
    site.manifest.update(version="1.3.8", dialect="1.3")
    failed(site, site.deploy(), "The inventory says vyos 1.3.8 (dialect 1.3), and the device says 1.4.2 (dialect 1.4)")


def test_disk_full(site: Site) -> None:
    site.box.faults.disk_full = True
    failed(site, site.deploy(), "the device's disk is full: 0 KiB are left on /config", NOTHING)


def test_disk_full_in_the_end(site: Site) -> None:
    """`save` of a full disk leaves an empty file; that cannot be mended from outside, so it is said."""
    site.box.faults.before["save"] = lambda shell: setattr(site.box.faults, "disk_full", True)
    result = site.deploy()
    assert result["failed"] and not result["rolled_back"]
    assert "No space left on device" in result["msg"] and "/config/config.boot (0 bytes)" in result["msg"]
    assert site.commands() == {line for line in FACTORY.splitlines() if line}


def test_another_admin_between_read_and_apply(site: Site) -> None:
    extra = ("protocols", "bgp", "65000", "neighbor", "10.1.1.1", "remote-as", "65001")
    site.box.faults.before["configure"] = lambda shell: site.box.running.append(extra)
    result = site.deploy()
    assert extra in site.box.running
    site.box.running.remove(extra)
    failed(site, result, "Somebody else changed the configuration since it was read", "+set protocols bgp 65000 neighbor 10.1.1.1 remote-as 65001", NOTHING)


@pytest.mark.parametrize(("text", "words"), [
    ("set interfaces ethernet eth7 address 10.9.9.1/24\n", "192.0.2.1 on eth7, where this session goes to, would be gone"),
    ("set interfaces ethernet eth7 address 192.0.2.1/24\nset service ssh port 2222\n", "port 22, and the device would listen on 2222"),
])  # fmt: skip
def test_the_management_is_not_cut(site: Site, text: str, words: str) -> None:
    site.text = TEXT.replace("set service ssh port 22\n", "") + text
    for check in (True, False):
        failed(site, site.deploy(check), "would cut the management access", words)


def test_a_route_to_the_controller_stays(site: Site) -> None:
    site.box.ssh_connection = "198.51.100.9 50000 192.0.2.1 22"
    route = ("protocols", "static", "route", "0.0.0.0/0", "next-hop", "192.0.2.254")
    site.box.running.append(route)
    result = site.deploy()
    assert "the way back to 198.51.100.9 is 192.0.2.254 and would be gone" in result["msg"] and route in site.box.running


def test_secrets_are_nowhere(tmp_path: Path) -> None:
    """A community, a pre-shared key, an old community of the device: in no plan, diff, message or name; the backup has them, for its owner only."""
    secret = "set service snmp community Geheim_1 authorization ro\nset vpn ipsec authentication psk r2 secret Geheim_2\n"
    site = Site(tmp_path, secret=secret)
    site.box.running.append(("service", "snmp", "community", "Alt_Geheim_3", "authorization", "ro"))
    try:
        results = [site.deploy(check=True), site.deploy()]
        assert not results[1].get("failed"), results[1]
        site.box.faults.refuse = "psk r2"
        site.secret = secret.replace("Geheim_2", "Geheim_4")
        results.append(site.deploy())
        assert "`set vpn ipsec authentication psk r2 secret ********`, was refused" in results[2]["msg"]
        assert "set service snmp community ******** authorization ro" in results[0]["plan"] and "delete service snmp community ********" in results[0]["plan"]
        text = json.dumps(results) + " ".join(str(path) for path in tmp_path.rglob("*"))
        assert not [word for word in ("Geheim_1", "Geheim_2", "Alt_Geheim_3", "Geheim_4", site.password) if word in text]
    finally:
        site.router.close()


def test_odd_devices(tmp_path: Path) -> None:
    """Latin-1 answers, a host name of 63 letters, a banner like a prompt, sha1 key exchange, a pager that is on."""
    box = Box()
    box.faults.latin1 = True
    box.running = [path for path in box.running if not {"host-name", "description"} & set(path)]
    box.running += [("system", "host-name", "r" * 60 + "-01"), ("interfaces", "ethernet", "eth7", "description", "B\xfcro")]
    site = Site(tmp_path, FakeVyos(box, kex=("diffie-hellman-group14-sha1",), banner="admin@old:~$ # no prompt\r\nlab@x# \r\n"))
    try:
        first = site.deploy()
        assert first["changed"] and not first.get("failed"), first
        assert not site.deploy()["changed"]
        assert "B\xfcro" in (Path(first["backup_folder"]) / "commands.set").read_text(encoding="utf-8")
    finally:
        site.router.close()


@pytest.mark.parametrize(("platform", "dialect", "version"), [("vyos", "1.4", "1.4.2"), ("vyos", "1.2", "1.2.8")])
def test_somebody_elses_timer_is_left_alone(tmp_path: Path, platform: str, dialect: str, version: str) -> None:
    site = Site(tmp_path, FakeVyos(Box(platform, dialect, version)))
    try:
        site.box.start_timer(10)
        result = site.deploy()
        assert result["failed"] and "somebody else's commit waits to be confirmed" in result["msg"] and FORCE in result["msg"]
        assert site.box.pending() and site.commands() == {line for line in FACTORY.splitlines() if line}
    finally:
        site.router.close()


def test_commit_confirm_needs_revisions(tmp_path: Path) -> None:
    site = Site(tmp_path, FakeVyos(Box("vyos", "1.2", "1.2.8", FACTORY.replace("set system config-management commit-revisions 100\n", ""))))
    try:
        result = site.deploy()
        assert result["failed"] and "set system config-management commit-revisions 20" in result["msg"] and site.box.log == []
    finally:
        site.router.close()


def test_a_warning_is_not_an_error(site: Site) -> None:
    site.box.faults.warn = "router-id: WARNING: the router-id changes only after a restart of the process"
    result = site.deploy()
    assert result["changed"] and not result.get("failed")
    assert any("WARNING: the router-id changes" in note for note in result["warnings"])
