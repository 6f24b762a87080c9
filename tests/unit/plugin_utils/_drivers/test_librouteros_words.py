# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a RouterOS device says over its API, as it comes, and as the state of a router."""
from __future__ import annotations

from pathlib import Path
from typing import Iterator

import pytest

pytest.importorskip("librouteros")

from fake_routeros import FakeRouteros
from fake_routeros_state import Box
from routeros_site import Site

from ansible_collections.routerlab.bench.plugins.module_utils._linux_info import info_of


@pytest.fixture()
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.router.close()


@pytest.mark.parametrize("latin1", [True, False])
def test_words_as_they_come(site: Site, latin1: bool) -> None:
    """UTF-8 and eight-bit letters, more equals signs, numbers that are texts, menus that are not there."""
    site.router.latin1 = latin1
    site.box._plant("ip pool", {"name": "caf\u00e9=a=b", "ranges": "10.9.9.1-10.9.9.9", "comment": "007"})
    result = site.deploy()
    assert not result.get("failed"), result
    assert '-/ip pool add name="caf\\C3\\A9=a=b"' in result["diff"][0]["prepared"] and "comment=007" in result["diff"][0]["prepared"]
    site.box.faults.refuse["/ip/ipsec/peer/print"] = "no such command prefix"
    again = site.deploy()
    assert not again["changed"] and again["warnings"] == ["The device has no menu /ip ipsec peer (no such command prefix)."]


def test_long_words(site: Site) -> None:
    """A value of 20000 letters needs a length of three bytes."""
    site.box.menus[("system", "identity")][0]["name"] = "x" * 20000
    assert not site.deploy().get("failed")


def test_state_and_licence(tmp_path: Path) -> None:
    site = Site(tmp_path, FakeRouteros(Box(licence="free")))
    try:
        assert "at most 1 Mbit/s" in site.deploy()["warnings"][0]
        driver = site.driver()
        driver.connect()
        seen = driver.info()
        driver.disconnect()
        assert (seen["version"], seen["hostname"], seen["licence"], seen["uptime_s"]) == ("7.14.3", "dut", "free", 788645.0)
        assert seen["cpu"] == {"model": "QEMU", "count": 2} and seen["connections"] == seen["nat_sessions"] == 1
        assert {"name": "LAN", "up": True, "mtu": 1500, "addresses": ["10.222.222.1/24"], "offloads": None} in seen["interfaces"]
        neighbour = {"router_id": "10.0.0.9", "state": "Full", "role": "DR", "address": "10.253.253.1", "interface": "ether1"}
        assert seen["ospf_neighbours"] == [neighbour]
        assert seen["routes"] == [{"prefix": "0.0.0.0/0", "next_hop": "10.253.253.1", "interface": "ether1", "protocol": "static"}]
        assert set(seen) <= set(info_of({}))
    finally:
        site.router.close()


def test_an_area_without_an_interface_is_told(site: Site) -> None:
    """RouterOS 7 takes it without a word, and no neighbour ever comes up."""
    site.text += "/routing ospf instance\nadd name=default version=2\n/routing ospf area\nadd name=area9 area-id=0.0.0.9 instance=default\n"
    assert site.deploy()["warnings"] == ["OSPF area area9 has no interface on the device (/routing ospf interface print)."]
    site.text += "/routing ospf interface-template\nadd area=area9 networks=10.222.222.0/24\n"
    assert "warnings" not in site.deploy()
