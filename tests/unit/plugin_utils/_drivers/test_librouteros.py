# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver librouteros against routers that play RouterOS: what changes, what does not, and everything that can go wrong."""
from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

pytest.importorskip("librouteros")

from fake_routeros import Connection, FakeRouteros
from fake_routeros_state import Box
from routeros_site import TEXT, Site

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._routeros_delta import _longest

FORCE = "The old configuration is in force."
NOTHING = "Nothing was changed."
SECRET = "S3cret-comm"


@pytest.fixture()
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    site.box.away_seconds, site.box.start_seconds = 0.2, 0.4
    yield site
    site.router.close()


def settle(site: Site, old: dict[str, Any]) -> None:
    """What the router does by itself takes its time."""
    end = time.monotonic() + 5
    while site.box.configuration() != old and time.monotonic() < end:
        time.sleep(0.05)


def failed(site: Site, old: dict[str, Any], result: dict[str, Any], *words: str) -> None:
    """The play fails, says why, and the router is as it was; nothing of ours is left on it."""
    assert result.get("failed"), result
    missing = [word for word in ("r1 (127.0.0.1:", *words) if word not in result["msg"]]
    assert not missing, (missing, result["msg"])
    assert not result["changed"], result["msg"]
    assert site.box.configuration() == old
    assert not site.box.pending(), "a timer or a backup was left behind"
    assert SECRET not in json.dumps(result)


def test_twice_outside_edit_restore(site: Site) -> None:
    old = site.box.configuration()
    checked = site.deploy(check=True)
    assert checked["changed"] and not site.box.log and not site.backup.exists()
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == checked["plan"] and first["diff"] == checked["diff"] and SECRET not in json.dumps(first)
    assert not site.box.pending() and site.box.log[0] == "/system backup save"
    done, log = site.box.configuration(), list(site.box.log)
    again = site.deploy()
    assert not again["changed"] and again["plan"] == [] and again["diff"] == [] and site.box.log == log
    # somebody else: a rule in between, a condition more in one of ours, a value changed, one thing gone, one in a menu of theirs
    second = site.box.menus[("ip", "firewall", "filter")][1][".id"]
    theirs = {"chain": "input", "action": "accept", "src-address": "10.6.6.6/32", "comment": "theirs", "place-before": second}
    site.box.call(("ip", "firewall", "filter"), "add", theirs)
    site.box.menus[("ip", "firewall", "filter")][2]["src-address-list"] = "friends"
    site.box.menus[("ip", "dhcp-server")][0]["lease-time"] = "5m"
    site.box.menus[("ip", "dhcp-server", "network")].clear()
    site.box.call(("ip", "address"), "add", {"address": "10.77.0.1/24", "interface": "ether7"})
    third = site.deploy()
    shown = [line for line in third["diff"][0]["prepared"].splitlines() if line[:3] not in ("---", "+++")]
    assert shown == [
        "-/ip dhcp-server set dhcp_LAN lease-time=5m",
        "+/ip dhcp-server set dhcp_LAN lease-time=24h",
        "+/ip dhcp-server network add address=10.222.222.0/24 gateway=10.222.222.1 dns-none=yes",
        '-/ip firewall filter set [ find chain=input comment="b ssh" ] src-address-list=friends',
        "-/ip firewall filter add src-address=10.6.6.6/32 chain=input comment=theirs",
    ]
    now = site.box.configuration()
    assert any(row["address"] == "10.77.0.1/24" for row in now["ip address"])
    now["ip address"] = [row for row in now["ip address"] if row["address"] != "10.77.0.1/24"]
    assert now == done
    _index, files = _backup.read(Path(first["backup_folder"]))
    site.box.menus[("ip", "address")] = [row for row in site.box.menus[("ip", "address")] if row["address"] != "10.77.0.1/24"]
    back = site.restore(files)
    assert back["changed"] and not back.get("failed"), back
    assert site.box.configuration() == old and not site.restore(files)["changed"]


def test_order_is_kept(site: Site) -> None:
    site.deploy()
    rules = site.box.menus[("ip", "firewall", "filter")]
    wanted = [row["comment"] for row in rules]
    rules.reverse()
    moved = site.deploy()
    assert [row["comment"] for row in rules] == wanted and moved["plan"][0].startswith("/ip firewall filter move"), moved
    assert not site.deploy()["changed"]
    assert _longest([3, None, 0, 1, 2]) == {2, 3, 4} and _longest([None]) == set()


GOLDEN = [
    (case, dialect, version)
    for dialect, version in (("6", "6.49.18"), ("7.1", "7.13.5"), ("7.14", "7.24"))
    for case in ("board", "dhcp_wan_nat_zones", "plain_loopback", "queues", "routing", "shaper_tunnels", "trunk")
]


@pytest.mark.parametrize(("case", "dialect", "version"), GOLDEN)
def test_every_dialect_and_every_profile_after_another(tmp_path: Path, checkout: Path, case: str, dialect: str, version: str) -> None:
    """What the room renders is taken, has nothing left to do, and nothing of the last profile stays in the menus that are owned."""
    folders = sorted((checkout / "tests/golden/routeros" / case / dialect).glob("*/*"))
    site = Site(tmp_path, FakeRouteros(Box(version, clock=dialect == "6")))
    fresh = Site(tmp_path, FakeRouteros(Box(version, clock=dialect == "6")))
    try:
        for folder in folders:
            secret = folder / "secrets.rsc"
            site.text = fresh.text = (folder / "lab.rsc").read_text(encoding="utf-8")
            site.secret = fresh.secret = secret.read_text(encoding="utf-8") if secret.exists() else ""
            first = site.deploy()
            assert not first.get("failed"), (folder, first)
            second = site.deploy()
            assert not second["changed"] and not second.get("failed"), (folder, second["plan"])
        fresh.deploy()
        one, other = site.box.configuration(), fresh.box.configuration()
        assert {name: one[name] for name in site.manifest["owned"] if name in one} == {name: other[name] for name in site.manifest["owned"] if name in other}
    finally:
        site.router.close()
        fresh.router.close()


def cut(connection: Connection) -> None:
    connection.server.cut()
    raise EOFError


def drop_the_answer(connection: Connection) -> None:
    """The connection breaks, and the command is carried out all the same."""
    connection.server.cut()


def restart(connection: Connection) -> None:
    connection.box.restart()
    raise EOFError


@pytest.mark.parametrize(("command", "hook", "words"), [
    ("/ip/pool/add", cut, ["the connection broke after `/ip/pool/add`", FORCE]),
    ("/ip/firewall/filter/add", cut, ["the connection broke", FORCE]),
    ("/ip/pool/add", restart, ["the connection broke", FORCE]),
    ("/interface/vlan/add", restart, ["the connection broke", FORCE]),
    ("/system/backup/save", cut, ["the connection broke", NOTHING]),
])  # fmt: skip
def test_cut_and_restart(site: Site, command: str, hook: Any, words: list[str]) -> None:
    old = site.box.configuration()
    site.box.faults.before[command] = hook
    result = site.deploy()
    settle(site, old)
    failed(site, old, result, *words)


@pytest.mark.parametrize("command", ["/ip/firewall/nat/add", "/system/scheduler/remove", "/file/remove"])
def test_cut_at_the_end(site: Site, command: str) -> None:
    """A lost answer to a late command: what the device holds counts."""
    last = "/ip/firewall/filter/add" if command == "/ip/firewall/nat/add" else command
    if last != command:
        before = TEXT.replace("/ip firewall filter", "/ip firewall mangle", 1).split("/ip firewall mangle", maxsplit=1)[0]
        site.text = before + "/ip service\nset ssh port=22 disabled=no\n"
        last = "/ip/route/add"
    site.box.faults.after[last] = drop_the_answer
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert not site.box.pending() and not site.deploy()["changed"]


def test_nobody_gets_in_afterwards(site: Site) -> None:
    """The device goes back by itself, and the play says so."""
    old = site.box.configuration()
    site.box.minute = 1.5
    site.settings.update(router_patience=0.5, router_confirm_minutes=1)
    site.box.faults.before["/ip/firewall/nat/add"] = lambda connection: site.router.away(10**6)
    result = site.deploy()
    assert result["failed"] and result["lost_contact"] and result["changed"]
    assert "No way back in for 0.5 s" in result["msg"] and "so the device loads its backup routerlab-" in result["msg"]
    settle(site, old)
    assert site.box.configuration() == old and site.box.restarts == 1 and not site.box.menus[("system", "scheduler")]


def test_a_restart_that_nobody_waits_for(site: Site) -> None:
    """At its next start the device loads its backup, long before the time to confirm is over."""
    old = site.box.configuration()
    site.box.away_seconds = 1.5
    site.settings.update(router_patience=0.3)
    site.box.faults.before["/ip/firewall/nat/add"] = restart
    result = site.deploy()
    assert result["failed"] and result["lost_contact"], result
    settle(site, old)
    assert site.box.configuration() == old and site.box.restarts == 2 and not site.box.menus[("system", "scheduler")]


def test_a_refused_line_in_the_middle_of_300(site: Site) -> None:
    old = site.box.configuration()
    rules = [f'add chain=input action=accept src-address=10.1.{number // 256}.{number % 256}/32 comment="rule {number}"' for number in range(300)]
    site.text, site.secret = "/ip firewall filter\n" + "\n".join(rules) + "\n", ""
    count = 0

    def refuse(connection: Connection) -> None:
        nonlocal count
        count += 1
        if count == 150:
            site.box.faults.refuse["/ip/firewall/filter/add"] = "failure: r\u00e9gle trop longue"
        else:
            site.box.faults.refuse.pop("/ip/firewall/filter/add", None)
            site.box.faults.before["/ip/firewall/filter/add"] = refuse

    site.router.latin1 = True
    site.box.faults.before["/ip/firewall/filter/add"] = refuse
    result = site.deploy()
    words = 'comment="rule 149"`, was refused:\nfailure: r\u00e9gle trop longue'
    failed(site, old, result, "line 150 of 300, `/ip firewall filter add chain=input", words, FORCE)
    assert result["line"] == 150 and result["rolled_back"]


def test_the_way_back_is_refused_too(site: Site) -> None:
    """Then the device loads its backup."""
    old = site.box.configuration()
    site.box.faults.refuse.update({"/ip/firewall/filter/add": "failure: no", "/ip/pool/remove": "failure: in use"})
    failed(site, old, site.deploy(), "failure: no", FORCE)
    assert site.box.restarts == 1


def test_a_slow_command(site: Site) -> None:
    site.box.faults.delay["/ip/pool/add"] = 3.0
    assert not site.deploy().get("failed")


def test_no_answer(site: Site) -> None:
    """A command that the device is still at work on would come through after the way back: only a restart ends it."""
    old = site.box.configuration()
    site.settings["router_time_factor"] = 0.01
    site.box.faults.delay["/ip/pool/add"] = 2.0
    result = site.deploy()
    time.sleep(1.5)
    failed(site, old, result, "there was no answer in time after `/ip/pool/add`", FORCE)
    assert site.box.restarts == 1 and "the device may still be at work" in result["warnings"][0]


@pytest.mark.parametrize("login", ["old", "new"])
def test_both_logins_and_a_wrong_password(tmp_path: Path, login: str) -> None:
    site = Site(tmp_path, FakeRouteros(Box("6.49.18", login=login)))
    try:
        old = site.box.configuration()
        site.password = "wrong-Pass_2"
        result = site.deploy()
        failed(site, old, result, "the device refuses user 'admin' with this password")
        assert "wrong-Pass_2" not in json.dumps(result)
        site.password = "ros-Pass_1"
        assert not site.deploy().get("failed")
    finally:
        site.router.close()


def test_tls_and_its_certificate(tmp_path: Path) -> None:
    site = Site(tmp_path, FakeRouteros(tls=True))
    other = FakeRouteros(tls=True)
    try:
        old = site.box.configuration()
        pem = Path(site.settings["router_api_certificate"])
        pem.write_text(other.certificate, encoding="ascii")
        failed(site, old, site.deploy(), "the certificate of the device is not known", "router_api_certificate")
        del site.settings["router_api_certificate"]
        failed(site, old, site.deploy(), "the certificate of the device is not known")
        site.check_host_key = False
        assert not site.deploy(check=True).get("failed")
        pem.write_text(site.router.certificate, encoding="ascii")
        site.check_host_key = True
        site.settings["router_api_certificate"] = str(pem)
        assert site.deploy()["changed"] and not site.deploy()["changed"]
    finally:
        site.router.close()
        other.close()


def test_locked_by_another_deployment(site: Site) -> None:
    site.box._plant("system scheduler", {"name": "routerlab-undo", "interval": "5m", "owner": "anna", "start-date": "2026-01-02", "on-event": "x"})
    old = site.box.configuration()
    result = site.deploy()
    assert "locked by another deployment: the scheduler holds routerlab-undo of anna, since 2026-01-02" in result["msg"] and NOTHING in result["msg"]
    assert site.box.configuration() == old and len(site.box.menus[("system", "scheduler")]) == 1 and not site.box.menus[("file",)]


def test_a_user_that_may_not(site: Site) -> None:
    old = site.box.configuration()
    site.box.policy = "api,read,write,policy,test,password,sensitive,!reboot,!ftp"
    assert site.deploy(check=True)["changed"]
    failed(site, old, site.deploy(), "the group of user 'admin' lacks the policies reboot, ftp", NOTHING)
    site.box.policy = "api,read,!write,!sensitive"
    failed(site, old, site.deploy(check=True), "lacks the policies sensitive", "does not show the secrets")


def test_another_version(site: Site) -> None:
    old = site.box.configuration()
    site.manifest.update(version="6.49.18", dialect="6")
    failed(site, old, site.deploy(), "The inventory says routeros 6.49.18 (dialect 6), and the device says 7.14.3 (dialect 7.14)")


@pytest.mark.parametrize("fault", ["disk_full", "late_full"])
def test_disk_full(site: Site, fault: str) -> None:
    old = site.box.configuration()
    setattr(site.box.faults, fault, True)
    failed(site, old, site.deploy(), "the device's disk is full: 20 KiB" if fault == "disk_full" else "not enough space", NOTHING)


def test_another_admin_between_read_and_apply(site: Site) -> None:
    old = site.box.configuration()

    def theirs(connection: Connection) -> None:
        site.box.call(("ip", "pool"), "add", {"name": "theirs", "ranges": "10.9.9.1-10.9.9.9"})

    site.box.faults.before["/system/backup/save"] = theirs
    result = site.deploy()
    assert [row["name"] for row in site.box.menus[("ip", "pool")]] == ["theirs"]
    site.box.menus[("ip", "pool")].clear()
    failed(site, old, result, "Somebody else changed the configuration since it was read", "+/ip pool add name=theirs ranges=10.9.9.1-10.9.9.9", NOTHING)


@pytest.mark.parametrize(("text", "words"), [
    ("/ip address\nadd address=10.8.8.1/24 interface=ether8\n", "192.0.2.1 on ether8, where this session goes to, would be gone"),
    ("/interface bridge\nadd name=br\n/interface bridge port\nadd bridge=br interface=ether8\n", "by which the device is reached, would be switched off"),
])  # fmt: skip
def test_the_management_is_not_cut(site: Site, text: str, words: str) -> None:
    old = site.box.configuration()
    site.text += text
    for check in (True, False):
        failed(site, old, site.deploy(check), "would cut the management access", words)


def test_a_route_to_the_controller_stays(site: Site) -> None:
    site.box.peer = "198.51.100.9"
    site.router.box._plant("ip route", {"dst-address": "198.51.100.0/24", "gateway": "192.0.2.254", "distance": "1"})
    old = site.box.configuration()
    failed(site, old, site.deploy(), "the way back to 198.51.100.9 is 192.0.2.254 and would be 10.253.253.1")


def test_fatal(site: Site) -> None:
    old = site.box.configuration()

    def fatal(connection: Connection) -> None:
        connection.sock.sendall(b"\x06!fatal\x1bsession terminated remotely\x00")
        connection.server.cut()
        raise EOFError

    site.box.faults.before["/ip/pool/add"] = fatal
    failed(site, old, site.deploy(), FORCE)


def test_two_deployments_meet(site: Site, tmp_path: Path) -> None:
    """Two controllers at the same time: one of them is told, and takes nothing of the other away."""
    other = Site(tmp_path / "x", site.router) if (tmp_path / "x").mkdir() is None else site
    results: list[dict[str, Any]] = []
    site.box.faults.delay["/ip/pool/add"] = 1.0
    thread = threading.Thread(target=lambda: results.append(site.deploy()))
    thread.start()
    time.sleep(0.6)
    second = other.deploy()
    thread.join()
    assert "locked by another deployment" in second["msg"] and not results[0].get("failed"), (second, results)
