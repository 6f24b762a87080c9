# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Offloads are switched off and put back, on a real interface where that is possible."""
from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._offload import OffloadError, Offloads, parse

SAID = """Features for eth0:
rx-checksumming: on
tx-checksumming: on
\ttx-checksum-ipv4: off [fixed]
tcp-segmentation-offload: on
\ttx-tcp-segmentation: on
generic-segmentation-offload: on
generic-receive-offload: off [requested on]
large-receive-offload: off [fixed]
"""


def test_parse() -> None:
    found = parse(SAID)
    assert found["tso"] == ("on", True) and found["lro"] == ("off", False) and found["gro"] == ("off", True)
    assert parse("garbage") == {}


def tool(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


@pytest.fixture
def interface() -> Iterator[str]:
    """One end of a veth pair."""
    ip = tool("ip")
    if os.geteuid() or not ip or not tool("ethtool"):
        pytest.skip("an interface needs root, ip and ethtool")
    name = "off%d" % (os.getpid() % 100000)
    if subprocess.run([ip, "link", "add", name, "type", "veth"], check=False, capture_output=True).returncode:
        pytest.skip("this kernel has no veth")
    yield name
    subprocess.run([ip, "link", "del", name], check=True)


def test_off_and_back(interface: str, tmp_path: Path) -> None:
    offloads = Offloads(interface, tmp_path)
    before = offloads.now()
    assert before["tso"] == ("on", True)
    assert offloads.off(["tso", "gso", "gro", "lro"], dry=True) and offloads.now() == before and not offloads.saved()
    assert offloads.off(["tso", "gso", "gro", "lro"])
    assert [offloads.now()[name][0] for name in ("tso", "gso", "gro")] == ["off"] * 3
    assert not offloads.off(["tso", "gso", "gro", "lro"]), "done already"
    again = Offloads(interface, tmp_path)  # as another play would
    assert again.restore(dry=True) and again.now()["tso"][0] == "off"
    assert again.restore() and again.now() == before
    assert not again.restore() and not list(tmp_path.iterdir())


def test_an_interface_that_is_not_there(tmp_path: Path) -> None:
    if not tool("ethtool"):
        pytest.skip("ethtool is not installed")
    with pytest.raises(OffloadError, match="ethtool -k"):
        Offloads("nosuch0", tmp_path).now()


def test_a_driver_that_refuses_is_told(tmp_path: Path) -> None:
    offloads = Offloads("eth0", tmp_path, lambda argv: (0, SAID) if argv[1] == "-k" else (1, "Cannot change tso"))
    with pytest.raises(OffloadError, match="did not change tso.*Cannot change tso"):
        offloads.off(["tso", "lro"])
    assert Offloads("eth0", tmp_path).saved()["tso"] == "on", "what was before is known, although the change failed"


def test_garbage_in_the_saved_state_is_nothing_to_put_back(tmp_path: Path) -> None:
    offloads = Offloads("eth0", tmp_path, lambda argv: (0, SAID))
    for text in ("", "[1]", '{"tso": 5}', "{"):
        offloads.file.write_text(text)
        assert offloads.saved() == {}
