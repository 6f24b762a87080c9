# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Junos device says of its configuration, its secrets and its state."""
from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jnpr.junos")

from fake_junos_state import conceal
from junos_site import Site

from ansible_collections.routerlab.bench.plugins.module_utils._linux_info import info_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_text import body, read, reveal
from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import parse_commands


def test_secrets_are_compared_as_text() -> None:
    assert reveal("$9$LbHX-wg4Z") == "lc"
    for text in ("a", "test123", "S3cret &key <1>"):
        assert conceal(text) != conceal(text) or len(text) == 1
        assert reveal(conceal(text)) == text
    assert reveal("$9$") is None and reveal("$6$abc$def") is None and reveal("$9$!") is None and reveal("plain") is None


def test_the_curly_form_is_read() -> None:
    text = '## Last commit: x\nsystem {\n    /* a { */\n    host-name "a \\"b\\"; {c}"; ## SECRET-DATA\n    inactive: services {\n'
    text += "        ssh;\n    }\n}\nx {\n    y [ a b ];\n    z;\n}\n"
    found = read(text)
    assert found.paths == [("system", "host-name", 'a "b"; {c}'), ("system", "services", "ssh"), ("x", "y", "a"), ("x", "y", "b"), ("x", "z")]
    assert found.inactive == [("system", "services")] and found.ends["x", "y", "b"] == (1, 2, 3) and "Last commit" not in body(text)


def test_state(tmp_path: Path) -> None:
    """What a device does not run or does not have is not known; nothing stands for it."""
    site = Site(tmp_path)
    driver = site.driver()
    driver.connect()
    before = driver.info()
    site.box.active += parse_commands("set protocols ospf area 0.0.0.0 interface ge-0/0/0.0")
    seen = driver.info()
    driver.disconnect()
    site.router.close()
    assert before["ospf_neighbours"] is None and seen["leases"] is None and set(seen) <= set(info_of({}))
    assert (seen["version"], seen["hostname"], seen["uptime_s"], seen["connections"]) == ("21.4R3.15", "router", 4711.0, 7)
    assert seen["interfaces"] == [
        {"name": "fxp0", "up": True, "mtu": 1514, "addresses": [], "offloads": None},
        {"name": "fxp0.0", "up": True, "mtu": 1500, "addresses": ["127.0.0.1/8"], "offloads": None},
    ]
    assert seen["ospf_neighbours"] == [{"router_id": "10.0.0.9", "state": "Full", "address": "10.253.253.1", "interface": "ge-0/0/0.0", "role": None}]
    assert seen["routes"] == [{"prefix": "0.0.0.0/0", "next_hop": "10.253.253.1", "interface": "ge-0/0/0.0", "protocol": "static"}]
