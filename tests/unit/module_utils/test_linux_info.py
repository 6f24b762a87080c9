# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The neutral shape of a router's state: answers of Linux read, and what is not told is None."""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux

# Captured: FRR 7.5 (VyOS 1.3) has a column less than 8; Kea 2.2's memfile.
FRR_7 = """
Neighbor ID     Pri State           Dead Time Address         Interface                        RXmtL RqstL DBsmL
10.253.253.1      1 Full/DROther       33.521s 10.253.253.1    eth0:10.253.253.2                    0     0     0
172.16.0.9        1 ExStart/Backup     35.001s 10.9.9.9        eth1.20:10.9.9.1                     0     0     0
"""
KEA = """address,hwaddr,client_id,valid_lifetime,expire,subnet_id,fqdn_fwd,fqdn_rev,hostname,state,user_context
10.222.222.100,52:54:00:00:00:0c,,1200,1700000000,1,0,0,lan,0,
10.222.222.101,52:54:00:00:00:0d,,1200,1700000000,1,0,0,,0,
10.222.222.101,52:54:00:00:00:0d,,0,1700000001,1,0,0,,0,
10.222.222.100,52:54:00:00:00:0c,,1200,1700000600,1,0,0,lan,0,
"""


def test_nothing_told_is_nothing_known() -> None:
    assert set(linux.info_of({}).values()) == {None}


def test_neighbours_and_leases() -> None:
    seen = linux.info_of({"ospf": FRR_7, "leases": KEA})
    assert [(item["router_id"], item["state"], item["role"], item["address"], item["interface"]) for item in seen["ospf_neighbours"]] == [
        ("10.253.253.1", "Full", "DROther", "10.253.253.1", "eth0"),
        ("172.16.0.9", "ExStart", "Backup", "10.9.9.9", "eth1.20"),
    ]
    assert seen["leases"] == [{"address": "10.222.222.100", "mac": "52:54:00:00:00:0c", "hostname": "lan"}]


def test_a_list_that_is_empty_is_told_apart_from_none() -> None:
    empty = linux.info_of({"ospf": FRR_7.split("10.253", maxsplit=1)[0], "leases": KEA.split("\n", maxsplit=1)[0] + "\n", "nat": "", "routes": ""})
    assert [empty[key] for key in ("ospf_neighbours", "leases", "nat_sessions", "routes")] == [[], [], 0, []]


def test_a_router_that_plays_vyos(tmp_path: Path) -> None:
    pytest.importorskip("netmiko")
    from vyos_site import Site

    site = Site(tmp_path)
    driver = site.driver()
    try:
        driver.connect()
        seen = driver.info()
    finally:
        driver.disconnect()
        site.router.close()
    assert (seen["platform"], seen["version"], seen["uptime_s"], seen["connections"], seen["nat_sessions"]) == ("vyos", "1.4.2", 4711.5, 7, 1)
    assert seen["cpu"] == {"model": "Intel(R) Xeon(R) CPU", "count": 2}
    assert seen["interfaces"][1] == {
        "name": "eth0", "up": True, "mtu": 1500, "addresses": ["10.253.253.2/30"], "offloads": {"rx_checksum": True, "gro": True, "lro": False},
    }  # fmt: skip
    assert [(item["name"], item["up"]) for item in seen["interfaces"]] == [("lo", True), ("eth0", True), ("eth0.500", False)]
    assert [(item["prefix"], item["next_hop"], item["protocol"]) for item in seen["routes"]] == [
        ("0.0.0.0/0", "10.253.253.1", "ospf"), ("0.0.0.0/0", "10.9.9.1", "ospf"), ("10.253.253.0/30", None, "kernel"), ("10.66.0.0/16", None, "static"),
    ]  # fmt: skip
    assert seen["ospf_neighbours"][0]["state"] == "Full"
    assert seen["leases"] == [{"address": "10.222.222.100", "mac": "52:54:00:00:00:0c", "hostname": "lan"}]


@pytest.mark.skipif(shutil.which("ip") is None, reason="there is no ip program")
def test_this_machine() -> None:
    """The real programs say what the reader expects."""
    answers = {
        section: subprocess.run(command, shell=True, capture_output=True, text=True, check=False).stdout
        for section, command in linux.COMMANDS.items()
        if section in ("kernel", "uptime", "links", "addresses", "routes")
    }
    seen = linux.info_of(answers)
    assert seen["uptime_s"] > 0 and seen["kernel"]
    assert any(item["name"] == "lo" and item["mtu"] == 65536 and "127.0.0.1/8" in item["addresses"] for item in seen["interfaces"])
