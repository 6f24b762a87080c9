# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the core does for all drivers on the controller: management guard, masks, backups, facts of a device, how a driver is found."""
from __future__ import annotations

import multiprocessing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _backup, _driver
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session, refuse_cut
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import device_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import Mask, hide_by_word
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import decode
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._version import same

NONE: dict[str, list[str]] = {"interfaces": [], "allow": []}
FAR = Session("198.51.100.7", "192.0.2.1", 22)
BEFORE = Access({"eth0": ["192.0.2.1/24"], "eth1": ["10.0.0.1/24"]}, frozenset(), frozenset({22}), {"0.0.0.0/0": "192.0.2.254"})

# the plan's end: whether it is refused, and with which word
PLANS = [
    (NONE, Access({**BEFORE.addresses, "eth1": ["10.9.9.1/24"]}, frozenset(), frozenset({22}), BEFORE.routes), None),
    (NONE, Access({"eth0": ["192.0.2.2/24"]}, frozenset(), frozenset({22}), BEFORE.routes), "192.0.2.1 on eth0"),
    (NONE, Access({"eth5": ["192.0.2.1/24"]}, frozenset(), frozenset({22}), BEFORE.routes), "192.0.2.1 on eth0"),
    (NONE, Access(BEFORE.addresses, frozenset({"eth0"}), frozenset({22}), BEFORE.routes), "switched off"),
    (NONE, Access(BEFORE.addresses, frozenset(), frozenset({2222}), BEFORE.routes), "port 22, and the device would listen on 2222"),
    (NONE, Access(BEFORE.addresses, frozenset(), frozenset(), BEFORE.routes), "no port"),
    (NONE, Access(BEFORE.addresses, frozenset(), frozenset({22}), {}), "way back to 198.51.100.7 is 192.0.2.254 and would be gone"),
    (NONE, Access(BEFORE.addresses, frozenset(), frozenset({22}), {**BEFORE.routes, "198.51.100.0/24": "10.0.0.9"}), "10.0.0.9"),
    (NONE, Access({**BEFORE.addresses, "eth2": ["198.51.100.1/24"]}, frozenset(), frozenset({22}), BEFORE.routes), "interface eth2"),
    ({**NONE, "interfaces": ["eth1"]}, Access({"eth0": ["192.0.2.1/24"]}, frozenset(), frozenset({22}), BEFORE.routes), "eth1 of management.interfaces"),
    ({**NONE, "allow": ["203.0.113.0/24"]}, Access(BEFORE.addresses, frozenset(), frozenset({22}), {"198.51.100.0/24": "192.0.2.254"}), "203.0.113.1"),
]


@pytest.mark.parametrize(("management", "after", "word"), PLANS)
def test_management_is_not_cut(management: dict[str, list[str]], after: Access, word: str | None) -> None:
    if word is None:
        refuse_cut(management, FAR, BEFORE, after)
        return
    with pytest.raises(DriverError, match="would cut the management access") as caught:
        refuse_cut(management, FAR, BEFORE, after)
    assert word in str(caught.value)


def test_values_are_masked_where_they_stand_alone() -> None:
    mask = Mask(["lab", "S3cret/+=", "ab"])
    assert mask.text("community lab in build/lab/vyos-lab, key 'S3cret/+=' ab") == "community ******** in build/lab/vyos-lab, key '********' ab"
    assert mask.tree({"a": ["lab", 3, None], "b": {"c": "x lab"}}) == {"a": ["********", 3, None], "b": {"c": "x ********"}}


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("set service snmp community 'public' network '10.0.0.0/8'", "set service snmp community ******** network '10.0.0.0/8'"),
        ("set system login user vyos authentication encrypted-password '$6$x'", "set system login user vyos authentication encrypted-password ********"),
        ("set vpn ipsec authentication psk a secret two words", "set vpn ipsec authentication psk a secret ******** words"),
        ("set interfaces wireguard wg0 private-key 'abc='", "set interfaces wireguard wg0 private-key ********"),
        ("option password 'x y'", "option password ********"),
        ("add comment=x password=y", "add comment=x password=********"),
        ("set interfaces ethernet eth0 description 'a secretary'", "set interfaces ethernet eth0 description 'a secretary'"),
    ],
)
def test_words_that_hide_their_value(line: str, shown: str) -> None:
    assert hide_by_word(line) == shown


def test_a_backup_is_whole_or_not_used(tmp_path: Path) -> None:
    first = _backup.keep(tmp_path, {"a/b": b"x", "/etc/c": b"y"}, {"host": "r"}, "20260101T000000Z")
    second = _backup.keep(tmp_path, {"a": b"z"}, {"host": "r"}, "20260101T000000Z")
    assert second.name == "20260101T000000Z-01" and _backup.latest(tmp_path) == second
    assert _backup.read(first)[1] == {"a/b": b"x", "etc/c": b"y"}
    assert (first / "a").stat().st_mode & 0o777 == 0o700
    (first / "a/b").write_bytes(b"spoilt")
    with pytest.raises(DriverError, match="was changed after the backup"):
        _backup.read(first)
    with pytest.raises(DriverError, match="there are: 20260101T000000Z, 20260101T000000Z-01"):
        _backup.read(tmp_path / "nowhere")
    with pytest.raises(DriverError, match="cannot be the name"):
        _backup.keep(tmp_path, {"../x": b""}, {})


def _hold(root: str, ready: Any, done: Any) -> None:
    with _backup.alone(Path(root)):
        ready.set()
        done.wait(10)


def test_two_deployments_do_not_meet(tmp_path: Path) -> None:
    ready, done = multiprocessing.Event(), multiprocessing.Event()
    other = multiprocessing.Process(target=_hold, args=(str(tmp_path), ready, done))
    other.start()
    assert ready.wait(10)
    with pytest.raises(DriverError, match="Another deployment of this device is running"), _backup.alone(tmp_path):
        pass
    done.set()
    other.join()
    with _backup.alone(tmp_path):
        pass


PLAY = SimpleNamespace(port=None, password=None, private_key_file=None, remote_user="me")


def test_facts_of_a_device_come_from_the_inventory() -> None:
    variables = {"inventory_hostname": "r1", "ansible_host": "{{ a }}", "ansible_port": "2222", "ansible_password": "{{ v }}", "router_patience": "9"}
    device = device_of(variables, lambda text: text.replace("{{ a }}", "192.0.2.1").replace("{{ v }}", "geheim"), PLAY, None)
    assert (device.name, device.address, device.port, device.user, device.password) == ("r1", "192.0.2.1", 2222, "me", "geheim")
    assert device.check_host_key is True and device.number("router_patience", 1) == 9.0 and device.where(22) == "r1 (192.0.2.1:2222)"
    assert "geheim" not in repr(device)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("ansible_port", "70000", "1 to 65535"), ("ansible_host_key_checking", "maybe", "neither true nor false"), ("router_patience", "-1", "at least 0")],
)
def test_facts_that_are_wrong_are_named(name: str, value: str, words: str) -> None:
    with pytest.raises(DriverError, match=f"{name}: '{value}' .*{words}"):
        device_of({"inventory_hostname": "r1", name: value}, lambda text: text, PLAY, None).number("router_patience", 1)


def test_a_driver_is_found_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DriverError, match="no driver 'telnet'; there are: ssh, "):
        _driver.find_driver("telnet")
    with pytest.raises(DriverError, match="no driver '_driver'"):
        _driver.find_driver("_driver")


@pytest.mark.parametrize("name", _driver.controller_drivers())
def test_every_driver_has_the_shape(name: str) -> None:
    driver = _driver.find_driver(name)
    for method in ("connect", "disconnect", "versions", "plan", "snapshot", "apply", "standing", "revert"):
        assert getattr(driver, method) is not getattr(_driver.DeviceDriver, method, None), f"{name} has no {method}"


@pytest.mark.parametrize(("wanted", "seen", "result"), [("1.4", "1.4.2", True), ("1.1", "1.10", False), ("1.4.2", "1.4", False), ("v2.0.9", "2.0.9-x", True)])
def test_versions(wanted: str, seen: str, result: bool) -> None:
    assert same(wanted, seen) is result


def test_old_letters() -> None:
    assert decode(b"caf\xe9") == "caf\xe9" and decode("café".encode()) == "café"
