# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts of a traffic host: the readers on captured text, and the whole on this machine."""
from __future__ import annotations

import shutil

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _endpoint
from ansible_collections.routerlab.bench.plugins.module_utils._record import is_setup

ETHTOOL_K = """Features for eth0:
rx-checksumming: on
tx-checksumming: off
\ttx-checksum-ipv4: off [fixed]
scatter-gather: on
tcp-segmentation-offload: off
\ttx-tcp-segmentation: off
generic-segmentation-offload: off [requested on]
generic-receive-offload: on
large-receive-offload: off [fixed]
rx-vlan-offload: on
highdma: on
"""
needs_tools = pytest.mark.skipif(not (shutil.which("ip") and shutil.which("ethtool")), reason="ip or ethtool is not installed")


def test_offloads() -> None:
    assert _endpoint.parse_offloads(ETHTOOL_K) == {
        "rx": "on", "tx": "off", "sg": "on", "tso": "off", "gso": "off", "gro": "on", "lro": "off", "rxvlan": "on",
    }
    assert _endpoint.parse_offloads("netlink error: No such device") == {}


def test_driver() -> None:
    text = "driver: virtio_net\nversion: 1.0.0\nfirmware-version: \nbus-info: 0000:00:03.0\n"
    assert _endpoint.parse_driver(text) == {"driver": "virtio_net", "driver_version": "1.0.0", "driver_firmware": None}
    assert _endpoint.parse_driver("")["driver"] is None


@pytest.mark.parametrize("text, version", [
    ("iperf 3.12 (cJSON 1.7.15)\nLinux host 6.1.0 #1 SMP x86_64", "3.12"),
    ("ethtool version 6.1", "6.1"),
    ("ip utility, iproute2-6.1.0, libbpf 1.1.2", "6.1.0"),
    ("ping from iputils 20221126", "20221126"),
    ("Netperf version 2.7.0", "2.7.0"),
    ("irtt version: 0.9.0", "0.9.0"),
    ("Flent v2.1.1.\nRunning on Python 3.11.2", "2.1.1"),
    ("no idea", None),
])
def test_versions(text: str, version: str) -> None:
    assert _endpoint.parse_version(text) == version


def test_processors() -> None:
    assert _endpoint.parse_cpu("processor\t: 0\nmodel name\t: Some CPU @ 2GHz\nprocessor\t: 1\nmodel name\t: Some CPU @ 2GHz\n") == (2, "Some CPU @ 2GHz")
    assert _endpoint.parse_cpu("processor\t: 0\nBogoMIPS\t: 50\n") == (1, None)


def test_system() -> None:
    assert _endpoint.parse_os('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n') == {"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_ID": "24.04"}


def test_links_that_are_no_json() -> None:
    with pytest.raises(_endpoint.EndpointError, match="iproute2"):
        _endpoint.parse_links("1: lo: <LOOPBACK,UP>")
    assert _endpoint.parse_links("") == []


def test_which_interfaces() -> None:
    links = [{"ifname": "lo", "flags": ["LOOPBACK", "UP"]}, {"ifname": "eth0", "flags": ["UP"]}, {"ifname": "eth1", "flags": []}]
    assert [link["ifname"] for link in _endpoint.chosen_links(links, [], [])] == ["eth0"]
    assert [link["ifname"] for link in _endpoint.chosen_links(links, ["eth1", "eth1"], [])] == ["eth1"]
    with pytest.raises(_endpoint.EndpointError, match="eth9 not on this host; there are eth0, eth1, lo"):
        _endpoint.chosen_links(links, ["eth9"], [])


@needs_tools
def test_this_machine() -> None:
    conditions, missing = _endpoint.gather(["lo"], ["127.0.0.1"], ["ip", "ethtool", "no-such-program"])
    assert missing == ["no-such-program"]
    assert conditions["program.ethtool"]
    assert conditions["kernel"].startswith("Linux ")
    assert conditions["lo.mtu"] >= 1500
    assert conditions["lo.offload.gro"] in ("on", "off")
    assert all(value is None or isinstance(value, (str, int, bool)) for value in conditions.values())


@needs_tools
def test_no_route() -> None:
    with pytest.raises(_endpoint.EndpointError, match="peers: no route to not-an-address"):
        _endpoint.gather([], ["not-an-address"], [])


def test_what_decides_comparability_is_recognised() -> None:
    for name in ("kernel", "governor", "congestion_default", "eth0.mtu", "eth0.driver", "eth0.offload.tso", "eth0.queues_rx", "program.iperf3"):
        assert is_setup(name), name
