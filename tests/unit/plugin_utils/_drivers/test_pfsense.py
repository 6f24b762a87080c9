# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Driver pfsense against routers that play pfSense and OPNsense: what changes, what does not, and everything that can go wrong."""
from __future__ import annotations

import json
import stat
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

pytest.importorskip("paramiko")

import paramiko
from fake_ssh_box import SshBox
from pfsense_site import Site

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup, _config_xml

FORCE = "The old configuration is in force."
NOTHING = "Nothing was changed."
KINDS = [("pfsense", "2.6"), ("opnsense", "26.7")]


@pytest.fixture(params=KINDS, ids=[kind for kind, _dialect in KINDS])
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    site = Site(tmp_path, *request.param)
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
    assert site.box.config == site.first and site.box.running == site.first
    assert not site.box.left_behind()
    site.box.restart(0.0)
    assert site.box.config == site.first and site.box.running == site.first


@pytest.mark.parametrize(("kind", "dialect"), [*KINDS, ("pfsense", "2.4.0"), ("pfsense", "2.8"), ("opnsense", "19.7"), ("opnsense", "24.7")])
def test_twice_outside_edit_restore(tmp_path: Path, kind: str, dialect: str) -> None:
    site = Site(tmp_path, kind, dialect)
    try:
        course(site)
    finally:
        site.box.close()


def course(site: Site) -> None:
    box = site.box
    checked = site.deploy(check=True)
    assert checked["changed"] and box.config == site.first and not box.log and not box.left_behind() and not site.backup.exists()
    first = site.deploy()
    assert first["changed"] and not first.get("failed"), first
    assert first["plan"] == checked["plan"] and first["diff"] == checked["diff"]
    assert box.config == box.running != site.first and not box.left_behind() and box.history() == [site.first]
    assert b"routerlab: deployed" in box.config and b"1600000000" not in box.config
    reloads = box.log
    assert reloads[0] == "reload"
    again = site.deploy()
    assert not again["changed"] and again["plan"] == [] and again["diff"] == [] and box.log == reloads
    # somebody else in the web interface: one value of ours, one thing of theirs
    box.edit(b"<hostname>battle</hostname>", b"<hostname>renamed</hostname>")
    box.edit(b"<if>vtnet9</if>", b"<if>vtnet9</if><mtu>1400</mtu>")
    third = site.deploy()
    assert third["plan"] == ["-system/hostname = renamed", "+system/hostname = battle"], third
    assert third["diff"][0]["prepared"].splitlines()[2:] == third["plan"] and b"<mtu>1400</mtu>" in box.config
    _index, files = _backup.read(Path(first["backup_folder"]))
    assert files["config.xml"] == site.first
    back = site.restore(files)
    assert back["changed"] and not back.get("failed"), back
    assert box.config == site.first == box.running and not box.left_behind()
    assert not site.restore(files)["changed"]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in site.backup.rglob("*") if path.is_file()}
    assert modes == {0o600} and stat.S_IMODE(Path(first["backup_folder"]).stat().st_mode) == 0o700


def test_written_anew_by_the_device(site: Site) -> None:
    """The device saves the file in its own form between reload and confirmation: that is no other configuration."""

    def anew() -> None:
        path = site.box.path(site.box.config_path)
        path.write_bytes(site.box.config.replace(b"></enable>", b" ></enable>").replace(b"\n\t\t<", b"\n\t\t\t<"))

    site.box.before["/reload.rc"] = anew
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert not site.deploy()["changed"]


def test_no_secret_is_shown(tmp_path: Path) -> None:
    site = Site(tmp_path, lab="routing")
    site.text = site.text.replace("<port>2222</port>", "<port>22</port>").replace("<password>", "<password>hunter2-")
    snmp = b"\n\t<snmpd>\n\t\t<enable></enable>\n\t\t<rocommunity>old-community</rocommunity>\n\t</snmpd>"
    site.first = site.first.replace(b"</interfaces>", b"</interfaces>" + snmp)
    site.box.path(site.box.config_path).write_bytes(site.first)
    try:
        result = site.deploy()
        assert not result.get("failed") and "hunter2" in site.box.config.decode()
        assert any("********" in line for line in result["plan"])
        site.box.edit(b"hunter2-", b"hunter3-")
        shown = json.dumps([result, site.deploy(check=True), site.deploy()])
        for secret in ("hunter", "old-community", "$2b$10", site.password):
            assert secret not in shown, secret
        assert not any("hunter" in str(path) for path in site.backup.rglob("*"))
    finally:
        site.box.close()


def test_wrong_password(site: Site) -> None:
    site.password = "not-it"
    result = site.deploy()
    failed(site, result, f"the device refuses user '{site.box.user}' with this password")
    assert "not-it" not in result["msg"] and site.box.scripts == []


def test_host_key_changed_or_unknown(site: Site, tmp_path: Path) -> None:
    hosts = Path(site.settings["router_known_hosts"])
    other = paramiko.ECDSAKey.generate()
    hosts.write_text(f"[127.0.0.1]:{site.box.port} {other.get_name()} {other.get_base64()}\n", encoding="ascii")
    failed(site, site.deploy(), "the host key is not the known one")
    hosts.write_text("", encoding="ascii")
    failed(site, site.deploy(), "host key not known")
    assert site.box.scripts == []


def test_other_version_on_the_box(site: Site) -> None:
    site.manifest["dialect"], site.manifest["version"] = ("2.5", "2.5.2") if site.kind == "pfsense" else ("25.7", "25.7")
    failed(site, site.deploy(), "the device says", NOTHING)


def test_form_of_the_file_is_another(tmp_path: Path) -> None:
    """The release fits and its file does not: an upgrade that has not run yet."""
    site = Site(tmp_path)
    site.first = site.first.replace(b"22.2", b"21.7")
    site.box.path(site.box.config_path).write_bytes(site.first)
    site.box.read_in()
    try:
        failed(site, site.deploy(), "has revision 21.7", NOTHING)
    finally:
        site.box.close()


def test_locked_by_another_deployment(site: Site) -> None:
    folder = site.box.path(site.box.config_path).parent / "routerlab"
    folder.mkdir()
    (folder / "owner").write_text("eve on elsewhere, 2026-01-02 03:04:05 UTC\n")
    result = site.deploy()
    assert result["failed"] and "locked by another deployment (eve on elsewhere" in result["msg"] and not result["changed"]
    assert site.box.config == site.first and (folder / "owner").exists()


def test_something_else_runs_at_the_start(site: Site) -> None:
    site.box.hook_path().write_text("#!/bin/sh\necho mine\n")
    result = site.deploy()
    assert result["failed"] and "something else wants to run at the next start" in result["msg"] and NOTHING in result["msg"]
    assert "mine" in site.box.hook_path().read_text() and site.box.config == site.first


def test_disk_full(site: Site) -> None:
    site.box.full()
    failed(site, site.deploy(), "the disk is full: 0 KiB", NOTHING)


def test_disk_full_in_the_middle(site: Site) -> None:
    site.box.before["/new.xml <<"] = site.box.full
    failed(site, site.deploy(), "No space left on device", NOTHING)


def test_the_device_refuses_the_file(tmp_path: Path) -> None:
    """xmlparse.inc takes an element twice only where it has a list; the words are the device's."""
    site = Site(tmp_path)
    site.text = site.text.replace("<hostname>battle</hostname>", "<hostname>battle</hostname><hostname>again</hostname>")
    try:
        failed(site, site.deploy(), "does not take the new file", "HOSTNAME at line", "cannot occur more than once", NOTHING)
    finally:
        site.box.close()


def test_another_admin_between_read_and_apply(site: Site) -> None:
    def edit() -> None:
        site.box.edit(b"<hostname>old</hostname>", b"<hostname>theirs</hostname>")
        site.first = site.box.config

    site.box.before["mkdir"] = edit
    failed(site, site.deploy(), "Somebody else changed", "-system/hostname = old", "+system/hostname = theirs", NOTHING)


def test_another_admin_at_the_last_moment(site: Site) -> None:
    def edit() -> None:
        site.box.edit(b"<hostname>old</hostname>", b"<hostname>theirs</hostname>")
        site.first = site.box.config

    site.box.before["swap()"] = edit
    failed(site, site.deploy(), "Somebody else changed", "+system/hostname = theirs", NOTHING)


def test_the_reload_fails(site: Site) -> None:
    site.box.path("/.break").write_text("PHP Fatal error: Uncaught TypeError in interfaces.inc\n")
    site.box.after["tail -n 20"] = site.box.path("/.break").unlink
    failed(site, site.deploy(), "the reload failed with status 255", "Uncaught TypeError in interfaces.inc", FORCE)


def test_a_reload_that_takes_long_while_the_connection_breaks(site: Site) -> None:
    site.box.hold()
    site.box.after["swap()"] = site.box.cut
    threading.Timer(1.5, site.box.hold, [False]).start()
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert "connection was lost" in result["warnings"][0] and site.box.config == site.box.running and not site.box.left_behind()


@pytest.mark.parametrize("words", ["prepare()", "undo.sh 300", "new.xml <<", "php -f", "swap()", "/reload.rc"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_connection_breaks_on_the_way(tmp_path: Path, words: str, when: str) -> None:
    """At every step, before and after it was done: in the end one of the two configurations is in force, whole, and nothing is left."""
    site = Site(tmp_path)
    getattr(site.box, when)[words] = site.box.cut
    result = site.deploy()
    if result.get("failed"):
        failed(site, result, FORCE)
    else:
        assert site.box.config == site.box.running != site.first and not site.box.left_behind()
    site.box.close()


def test_connection_breaks_at_the_confirmation(site: Site) -> None:
    site.box.after["/confirmed"] = site.box.cut
    result = site.deploy()
    assert result["changed"] and not result.get("failed"), result
    assert site.box.config == site.box.running != site.first and not site.box.left_behind()


def test_restart_in_the_middle(site: Site) -> None:
    def restart() -> None:
        site.box.hold(False)
        site.box.restart()

    site.box.hold()
    site.box.after["swap()"] = restart
    failed(site, site.deploy(), FORCE)
    assert site.box.boots == 2  # the second one is this test's own


def test_restart_after_the_confirmation_keeps_the_new_one(site: Site) -> None:
    assert site.deploy()["changed"]
    new = site.box.config
    site.box.restart(0.0)
    assert site.box.config == new == site.box.running


def test_nobody_gets_in_again(site: Site) -> None:
    """The new configuration cuts the way in: the router goes back by itself, and the play says that it will."""
    site.settings.update(router_confirm_minutes=8 / 60, router_patience=0.5)

    def away() -> None:
        site.box.up_at = time.monotonic() + 4
        site.box.cut()

    site.box.after["swap()"] = away
    result = site.deploy()
    assert result["failed"] and result["lost_contact"] and result["changed"]
    assert "puts its old configuration back by itself at about" in result["msg"]
    end = time.monotonic() + 20
    while site.box.left_behind() and time.monotonic() < end:
        time.sleep(0.1)
    as_before(site)


def test_the_management_is_not_cut(site: Site) -> None:
    site.manifest["management"]["interfaces"] = ["vtnet0"]
    failed(site, site.deploy(), "This would cut the management access", "vtnet0")


def test_a_package_is_missing(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.box.path("/usr/local/pkg/frr.inc").unlink()
    try:
        failed(site, site.deploy(), "installedpackages/frr", "install it first", NOTHING)
    finally:
        site.box.close()


def test_an_older_timer_does_not_end_a_later_deployment(site: Site) -> None:
    box, kept = site.box, site.box.path("/undo.old")

    def keep() -> None:
        kept.write_bytes((box.path(box.config_path).parent / "routerlab/undo.sh").read_bytes())

    def wake() -> None:
        box.run([str(box.path("/bin/sh")), str(kept), "0"], "")

    box.before["swap()"] = keep
    assert site.deploy()["changed"]
    new = box.config
    box.edit(b"<hostname>battle</hostname>", b"<hostname>renamed</hostname>")
    box.before["/confirmed ] || mv"] = wake
    second = site.deploy()
    assert second["changed"] and not second.get("failed") and kept.exists(), second
    assert b"<hostname>battle</hostname>" in box.config and len(box.config) == len(new) and not box.before


def test_the_state(site: Site) -> None:
    driver = site.driver()
    driver.connect()
    state = driver.info()
    driver.disconnect()
    assert state["platform"] == site.kind and state["cpu"] == {"model": "QEMU", "count": 2} and state["connections"] == 12
    assert state["interfaces"] == [
        {"name": "vtnet9", "up": True, "mtu": 1500, "addresses": ["192.168.9.1/24"],
         "offloads": {"rx_checksum": False, "tx_checksum": False, "tso": False, "lro": False, "rx_vlan": False}},
    ]  # fmt: skip
    assert [route["prefix"] for route in state["routes"]] == ["0.0.0.0/0", "10.254.254.0/24", "192.168.9.0/24"]
    assert state["ospf_neighbours"] is None and state["leases"] is None


def test_the_box_refuses_what_it_does_not_have(tmp_path: Path) -> None:
    box = SshBox(tmp_path)
    answer = box.run(["/usr/bin/dash"], "python3 -c 'print(1)'\n")
    assert answer.returncode == 127 and b"not found" in answer.stderr
    box.close()


def test_secret_words() -> None:
    names = ("password", "bcrypt-hash", "sha512-hash", "rocommunity", "pre-shared-key", "privkey", "psk", "prv", "passphrase", "shared_key", "radius_secret")
    text = "<r>" + "".join(f"<{name}>x-{name}</{name}>" for name in names) + "<hostname>h</hostname></r>"
    assert _config_xml.secret_values(text.encode()) == {f"x-{name}" for name in names}
