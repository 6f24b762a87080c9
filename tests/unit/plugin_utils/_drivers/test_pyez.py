# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver pyez against routers that play Junos over NETCONF: what changes, what does not, and everything that can go wrong."""
from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

pytest.importorskip("jnpr.junos")

from fake_junos import FakeJunos, Gone, Session
from fake_junos_state import FACTORY, Box
from junos_site import SECRET, TEXT, Site

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_text import reveal
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import parse_commands

FORCE = "The old configuration is in force."
NOTHING = "Nothing was changed."
SECRETS = ("S3cret-comm", "S3cret &key <1>", "$9$")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """ncclient looks ten times a second whether there is something to send."""
    monkeypatch.setattr("ncclient.transport.session.TICK", 0.005)


@pytest.fixture()
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.router.close()


def failed(site: Site, result: dict[str, Any], *words: str) -> None:
    """The play fails, says why, and the router is as it was; no lock, no candidate and no timer of ours is left."""
    assert result.get("failed"), result
    missing = [word for word in ("r1 (127.0.0.1:", *words) if word not in result["msg"]]
    assert not missing, (missing, result["msg"])
    assert not result["changed"], result["msg"]
    assert site.box.active == parse_commands(FACTORY) and not site.box.pending()
    end = time.monotonic() + 3
    while site.box.holder is not None and time.monotonic() < end:
        time.sleep(0.02)
    assert site.box.holder is None and site.box.candidate == site.box.active
    assert not [secret for secret in SECRETS if secret in json.dumps(result)]


def lines_of(result: dict[str, Any]) -> list[str]:
    return [line for line in result["diff"][0]["prepared"].splitlines() if line]


def test_twice_outside_edit_restore(site: Site) -> None:
    old = site.box.curly(site.box.active)
    checked = site.deploy(check=True)
    assert checked["changed"] and not site.box.commits and not site.backup.exists() and site.box.curly(site.box.candidate) == old
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == checked["plan"] and not [secret for secret in SECRETS if secret in json.dumps(first)]
    assert set(TEXT.splitlines()) <= site.box.commands() and "set system services netconf ssh" in site.box.commands()
    assert len(site.box.log) == 2 and site.box.log[1].endswith("confirmed") and not site.box.pending()
    again = site.deploy()
    assert not again["changed"] and again["plan"] == [] and again["diff"] == [] and site.box.commits == 2
    # somebody else: a value changed, one thing of ours gone, one more in a subtree of ours, one in a subtree of theirs, a filter on our unit
    theirs = (
        "set protocols ospf area 0.0.0.0 interface ge-0/0/0.0 metric 77",
        "delete access address-assignment pool lan family inet range r0 high",
        "set routing-options static route 10.9.0.0/16 discard",
        "set protocols bgp group g neighbor 10.1.1.1 peer-as 65001",
        "set interfaces ge-0/0/0 unit 0 family inet filter input theirs",
        "set interfaces ge-0/0/0 unit 0 family inet address 10.9.9.9/24",
    )
    assert not site.box.edit(site.box.active, "\n".join(theirs))
    site.box.candidate = list(site.box.active)
    third = site.deploy()
    assert not third.get("failed"), third
    assert third["plan"] == [
        "delete interfaces ge-0/0/0 unit 0 family inet address 10.9.9.9/24",
        "delete routing-options static route 10.9.0.0/16",
        "set protocols ospf area 0.0.0.0 interface ge-0/0/0.0 metric 10",
        "set access address-assignment pool lan family inet range r0 high 10.222.222.200",
    ]
    assert [line for line in lines_of(third) if line[0] in "+-"] == [
        "-   metric 77;", "-   discard;", "-   address 10.9.9.9/24;", "+   metric 10;", "+   high 10.222.222.200;",
    ]  # fmt: skip
    assert "set protocols bgp group g neighbor 10.1.1.1 peer-as 65001" in site.box.commands()
    assert "set interfaces ge-0/0/0 unit 0 family inet filter input theirs" in site.box.commands()
    _index, files = _backup.read(Path(first["backup_folder"]))
    back = site.restore(files)
    assert back["changed"] and not back.get("failed"), back
    assert site.box.curly(site.box.active) == old and not site.restore(files)["changed"]


def test_order_and_deactivation(site: Site) -> None:
    site.deploy()
    wanted = list(site.box.active)
    rules = [path for path in wanted if "policy" in path and path[0] == "security" and "first" in path]
    for path in rules:
        site.box.active.remove(path)
    site.box.active += rules
    site.box.inactive.append(("protocols",))
    site.box.candidate = list(site.box.active)
    result = site.deploy()
    assert "delete security policies from-zone lan to-zone wan policy first" in result["plan"], result
    order = [path[7] for path in site.box.active if path[:2] == ("security", "policies")]
    assert list(dict.fromkeys(order)) == ["first", "second"]
    assert not site.deploy()["changed"]


GOLDEN = ["dhcp_wan_nat_zones", "kinds", "plain_loopback", "trunk", "zones"]


@pytest.mark.parametrize("case", GOLDEN)
def test_profiles_follow_one_another(tmp_path: Path, checkout: Path, case: str) -> None:
    """What the room renders is taken, has nothing left to do, and nothing of the last one stays in the subtrees that are owned."""
    folders = sorted((checkout / "tests/golden/junos" / case / "17.4").glob("*/*"))
    site, fresh = Site(tmp_path), Site(tmp_path)
    site.settings["router_known_hosts"] = fresh.settings["router_known_hosts"] = str(tmp_path / "both")
    (tmp_path / "both").write_text(site.router.known_hosts() + fresh.router.known_hosts(), encoding="ascii")
    try:
        for folder in folders:
            secret = folder / "secrets.set"
            site.text = fresh.text = (folder / "config.set").read_text(encoding="utf-8")
            site.secret = fresh.secret = secret.read_text(encoding="utf-8") if secret.exists() else ""
            # units of the last device class stay, as every interface that the lab does not name, and a check of the whole would find them
            site.box.model = "none"
            first = site.deploy()
            assert not first.get("failed"), (folder, first)
            second = site.deploy()
            assert not second["changed"] and not second.get("failed"), (folder, second["plan"])
        assert not fresh.deploy().get("failed")
        owned = [tuple(name.split()) for name in site.manifest["owned"]]

        def part(box: Box) -> set[tuple[str, ...]]:
            hidden = {path if not path[-1].startswith("$9$") else (*path[:-1], reveal(path[-1]) or "") for path in box.active}
            return {path for path in hidden if any(path[:len(own)] == own for own in owned)}

        assert part(site.box) == part(fresh.box)
    finally:
        site.router.close()
        fresh.router.close()


def hangup(session: Session) -> None:
    """The connection breaks, and what it was doing does not begin."""
    session.server.cut()
    raise Gone


def cut(session: Session) -> None:
    """The connection breaks, and the device goes on."""
    session.server.cut()


def cut_soon(session: Session) -> None:
    threading.Timer(0.4, session.server.cut).start()


def restart(session: Session) -> None:
    session.box.restart()
    raise Gone


@pytest.mark.parametrize(("at", "command", "hook", "words"), [
    ("before", "lock-configuration", hangup, ["the connection broke"]),
    ("before", "commit-check", hangup, ["the connection broke after `commit check`", NOTHING]),
    ("before", "commit-confirmed", hangup, ["the connection broke after `commit confirmed`", FORCE]),
    ("before", "commit-confirmed", restart, ["the connection broke after `commit confirmed`", FORCE]),
    ("before", "commit-check", restart, ["the connection broke", NOTHING]),
])  # fmt: skip
def test_cut_and_restart(site: Site, at: str, command: str, hook: Any, words: list[str]) -> None:
    getattr(site.box.faults, at)[command] = hook
    failed(site, site.deploy(), *words)


@pytest.mark.parametrize(("at", "command", "hook"), [
    ("before", "commit-confirmed", cut_soon), ("after", "commit-confirmed", cut), ("after", "commit-confirmed", restart), ("before", "commit", cut),
    ("after", "commit", cut),
])  # fmt: skip
def test_cut_while_the_device_goes_on(site: Site, at: str, command: str, hook: Any) -> None:
    """A commit that comes to its end without us is waited for, looked at over a new connection, and confirmed."""
    getattr(site.box.faults, at)[command] = hook
    site.box.faults.commit_seconds = 1.5
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert set(TEXT.splitlines()) <= site.box.commands() and not site.box.pending()
    assert not site.deploy()["changed"]


def test_nobody_gets_in_after_the_commit(site: Site) -> None:
    """The device goes back by itself, and the play says so."""
    site.box.minute = 1.5
    site.settings.update(router_patience=0.5, router_confirm_minutes=1)
    site.box.faults.after["commit-confirmed"] = lambda session: site.router.away(10**6)
    result = site.deploy()
    assert result["failed"] and result["lost_contact"] and result["changed"]
    assert "No way back in for 0.5 s" in result["msg"] and "rolls back to its old configuration by itself at about" in result["msg"]
    time.sleep(1.5)
    assert site.box.active == parse_commands(FACTORY)


def test_a_patient_play_sees_it_come_back(site: Site) -> None:
    site.box.minute = 1.0
    site.settings.update(router_patience=8, router_confirm_minutes=1)
    site.box.faults.after["commit-confirmed"] = lambda session: site.router.away(2)
    failed(site, site.deploy(), FORCE)


def test_the_timer_is_quicker_than_we(site: Site) -> None:
    site.box.minute = 0.5
    site.settings.update(router_confirm_minutes=1)
    site.box.faults.before["close-session"] = lambda session: time.sleep(0.8)
    failed(site, site.deploy(), FORCE)


def test_the_timer_ends_just_before_the_confirmation(site: Site) -> None:
    count = 0

    def third(session: Session) -> None:
        nonlocal count
        count += 1
        if count < 3:  # the deployment's own lock, the look whether a commit is under way, the confirmation
            site.box.faults.before["lock-configuration"] = third
        elif site.box.timer is not None:
            timer = site.box.timer
            timer.cancel()
            timer.function()

    site.box.faults.before["lock-configuration"] = third
    failed(site, site.deploy(), "the device has rolled back before its configuration was confirmed", FORCE)


def test_a_refused_line_in_the_middle_of_300(site: Site) -> None:
    rules = [f"set routing-options static route 10.{number // 200}.{number % 200}.0/24 discard" for number in range(300)]
    rules[149] = "set routing-options static route 10.0.149.0/24 dsicard"
    site.text, site.secret = "\n".join(rules) + "\n", ""
    result = site.deploy()
    failed(site, result, f"line 150 of 300, `{rules[149]}`, was refused:\ndsicard: syntax error", NOTHING)
    assert result["line"] == 150


def test_the_check_refuses(site: Site) -> None:
    site.text = TEXT.replace("set protocols ospf area 0.0.0.0 interface ge-0/0/1.222 passive", "set protocols ospf area 0.0.0.0 interface ge-0/0/9.0 passive")
    failed(site, site.deploy(), "the device's check of the configuration failed", "ospf: there is no interface ge-0/0/9.0", NOTHING)


def test_the_commit_refuses(site: Site) -> None:
    site.box.faults.commit_error = "commit script failure: r\u00e9gle interdite"
    failed(site, site.deploy(), "the commit failed:\ncommit script failure: r\u00e9gle interdite", FORCE)


def test_warnings_are_no_errors(site: Site) -> None:
    site.box.faults.commit_warning = "Interfaces are changed from port mode to forwarding group mode"
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert result["warnings"] == ["the device says: Interfaces are changed from port mode to forwarding group mode"]


def test_an_unlock_that_fails_is_no_failure(site: Site) -> None:
    site.box.faults.unlock_error = True
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result


def test_a_slow_commit(site: Site) -> None:
    """PyEZ waits 30 s for an answer unless it is told otherwise: here everything but a commit would be too slow after 6 s."""
    site.settings["router_time_factor"] = 0.1
    site.box.faults.commit_seconds = 7
    site.box.faults.after["commit-confirmed"] = lambda session: setattr(site.box.faults, "commit_seconds", 0)
    assert not site.deploy().get("failed")


def test_wrong_password(site: Site) -> None:
    site.password = "wrong-Pass_2"
    result = site.deploy()
    failed(site, result, "the device refuses user 'admin' with this password")
    assert "wrong-Pass_2" not in json.dumps(result)


def test_host_keys(site: Site) -> None:
    other = FakeJunos()
    other.close()
    site.hosts.write_text(site.router.known_hosts().rpartition(" ")[0] + " " + other.key.get_base64() + "\n")
    failed(site, site.deploy(), "the host key has changed")
    site.hosts.write_text("")
    failed(site, site.deploy(), "host key not known", "router_known_hosts")


def test_locked_by_another_session(site: Site) -> None:
    site.box.holder, site.box.holder_words = 1, "anna terminal p0 (pid 4711) on since 2026-01-02 03:04:05 UTC\n      exclusive"
    result = site.deploy()
    words = "configuration database locked by: anna terminal p0 (pid 4711) on since 2026-01-02 03:04:05 UTC exclusive"
    assert f"locked by another session: {words}" in result["msg"]
    assert NOTHING in result["msg"] and site.box.holder == 1
    checked = site.deploy(check=True)
    assert checked["changed"] and "the difference shown is the one from here" in checked["warnings"][0] and "+set system host-name dut" in lines_of(checked)
    threading.Timer(1.0, lambda: setattr(site.box, "holder", None)).start()
    assert not site.deploy().get("failed")


def test_somebody_has_changes_that_are_not_committed(site: Site) -> None:
    theirs = ("system", "host-name", "theirs")
    site.box.candidate = [theirs if path[:2] == theirs[:2] else path for path in site.box.active]
    result = site.deploy()
    assert "configuration database modified" in result["msg"] and NOTHING in result["msg"] and theirs in site.box.candidate


def test_somebody_waits_to_confirm(site: Site) -> None:
    site.box.history.insert(0, {"user": "anna", "log": "testing", "pending": "yes", "confirm": "commit confirmed, rollback in 5mins"})
    failed(site, site.deploy(), "somebody else's commit waits to be confirmed: testing (anna via netconf", NOTHING)


def test_another_version(site: Site) -> None:
    site.manifest.update(version="12.3", dialect="12")
    failed(site, site.deploy(), "The inventory says junos 12.3 (dialect 12), and the device says 21.4R3.15 (dialect 17.4)")


def test_disk_full(site: Site) -> None:
    site.box.faults.disk_full = True
    failed(site, site.deploy(), "No space left on device", FORCE)


def test_another_admin_between_read_and_apply(site: Site) -> None:
    extra = ("protocols", "bgp", "group", "g", "neighbor", "10.1.1.1", "peer-as", "65001")

    def theirs(session: Session) -> None:
        site.box.active.append(extra)
        site.box.candidate.append(extra)

    site.box.faults.before["lock-configuration"] = theirs
    result = site.deploy()
    for paths in (site.box.active, site.box.candidate):
        paths.remove(extra)
    failed(site, result, "Somebody else changed the configuration since it was read", "+set protocols bgp group g neighbor 10.1.1.1 peer-as 65001", NOTHING)


def test_other_interfaces_stay(site: Site) -> None:
    """An address more is no danger; what the room does not know of an interface is not deleted."""
    site.text += "set interfaces fxp0 unit 0 family inet address 10.9.9.1/24\n"
    result = site.deploy(check=True)
    assert not result.get("failed") and not [line for line in result["plan"] if line.startswith("delete")]


def test_the_management_is_not_cut(site: Site) -> None:
    site.manifest["management"] = {"interfaces": ["ge-0/0/0.0"], "allow": []}
    for check in (True, False):
        failed(site, site.deploy(check), "would cut the management access", "ge-0/0/0.0 of management.interfaces would have 10.253.253.2/30")


def test_the_address_of_this_session_stays(site: Site) -> None:
    for paths in (site.box.active, site.box.candidate):
        paths[:] = [path for path in paths if "127.0.0.1/8" not in path]
        paths.append(("interfaces", "ge-0/0/0", "unit", "0", "family", "inet", "address", "127.0.0.1/8"))
    result = site.deploy()
    assert "127.0.0.1 on ge-0/0/0.0, where this session goes to, would be gone" in result["msg"] and not site.box.commits


def test_a_route_to_the_controller_stays(site: Site) -> None:
    route = ("routing-options", "static", "route", "198.51.100.0/24", "next-hop", "192.0.2.254")
    for paths in (site.box.active, site.box.candidate):
        paths.append(route)
    site.manifest["management"] = {"interfaces": [], "allow": ["198.51.100.0/24"]}
    result = site.deploy()
    assert "the way back to 198.51.100.1 is 192.0.2.254 and would be 10.253.253.1" in result["msg"] and route in site.box.active


def test_secret_only(site: Site) -> None:
    """Another key is a change, the same one is none."""
    site.deploy()
    site.secret = SECRET.replace("&key", "&KEY")
    result = site.deploy()
    assert result["plan"] == ['set security ike policy one pre-shared-key ascii-text "********"'], result
    assert "&KEY" not in json.dumps(result) and not site.deploy()["changed"]
