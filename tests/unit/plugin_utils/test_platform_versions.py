# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which dialect a version means: by release, by the component numbers of a configuration, or none at all."""

from __future__ import annotations

import re

import pytest
from golden_cases import cases, expected

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import component_numbers, find_dialect, known_versions, platforms

FOOTERS = {case.dialect: expected(case)["config.boot"].decode() for case, _lab in cases("vyos")}
# The component numbers that images print, as far as they say anything about what this room writes.
STREAM_2025_Q2 = "conntrack@6:dhcp-server@11:firewall@19:interfaces@33:ipsec@13:nat@8:ntp@3:ospf@2:qos@2:snmp@3:ssh@2:system@29"
ROLLING_2025_07 = "conntrack@6:dhcp-server@11:firewall@19:interfaces@33:ipsec@13:nat@8:ntp@3:ospf@2:qos@3:snmp@3:ssh@2:system@29"


def dialect(version: str | None, platform: str = "vyos") -> str | None:
    found = find_dialect(platforms()[platform], version)
    return None if found is None else str(found["name"])


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("1.2", "1.2"),
        ("1.2.9-S1", "1.2"),
        ("crux", "1.2"),
        ("1.3.8", "1.3"),
        ("1.4.0", "1.4"),
        ("1.5-stream-2025-Q1", "1.5"),
        ("1.5-stream-2025-Q2", "rolling"),
        ("1.5", "1.5-any"),
        ("circinus", "1.5-any"),
        ("1.5-rolling-202507010020", "rolling"),
        ("2026.02.11-0027-rolling", "rolling"),
        ("rolling", "rolling"),
    ],
)
def test_a_release_of_vyos(version: str, name: str) -> None:
    assert dialect(version) == name


@pytest.mark.parametrize("version", ["1", "1.1.8", "1.6", "1.4.0-epa1", "1.4-rolling-202304010317", "1.5-rolling-202401010000", "1.22", "", None, "*"])
def test_a_release_that_nobody_knows(version: str | None) -> None:
    assert dialect(version) is None


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("firewall@16", "1.5"),
        ("firewall@17", "1.5"),
        ("firewall@18", "rolling"),
        ("firewall@20", "rolling"),
        ("dhcp-server@5:firewall@5", "1.2"),
        ("firewall@5:dhcp-server@6", "1.3"),
        ("dhcp-server@8:firewall@15", "1.4"),
        ("dhcp-server@10", "1.5"),
        ("dhcp-server@11:firewall@17", "1.5"),
        ("firewall@18:dhcp-server@11", "rolling"),
        (STREAM_2025_Q2, "rolling"),
        (ROLLING_2025_07, "rolling"),
    ],
)
def test_component_numbers_of_vyos(version: str, name: str) -> None:
    assert dialect(version) == name


@pytest.mark.parametrize(
    "version",
    [
        "firewall@5",  # 1.2, 1.3 and builds after them
        "firewall@15",  # 1.4, and builds of 1.5 with Kea
        "dhcp-server@8",
        "dhcp-server@5",
        "nat@5",
        "dhcp-server@11",  # 1.5 and rolling
        "nat@8",  # 1.4 and everything after it
        "firewall@99",
        "firewall@21",
        "firewall@6",  # builds between the releases
        "dhcp-server@11:firewall@15",
        "firewall@18:firewall@17",
        "firewall@18:dhcp-server@5",
        "ssh@2",  # says nothing about what differs
        "firewall@",
        "@18",
        "firewall@18 dhcp-server@11",
        "firewall@18:",
        "Firewall@18",
        "firewall@-1",
        "firewall@*",
        "1.4@firewall",
    ],
)
def test_component_numbers_that_fit_none_or_several(version: str) -> None:
    assert dialect(version) is None


@pytest.mark.parametrize("name", [item["name"] for item in platforms()["vyos"]["dialects"] if item.get("components")])
def test_the_whole_footer_of_a_configuration_names_its_dialect(name: str) -> None:
    footer = re.search(r'config-version: "([^"]+)"', FOOTERS[name])
    assert footer and dialect(footer[1]) == name


def test_a_platform_without_component_numbers_knows_none() -> None:
    assert dialect("firewall@5", "edgeos") is None
    assert (dialect("2.0.9-hotfix.2", "edgeos"), dialect("v1.10.11", "edgeos"), dialect("3.0.0", "edgeos")) == ("2.0", "1.10", None)


def test_the_message_names_what_there_is() -> None:
    known = known_versions(platforms()["vyos"])
    assert "1.5-stream-2025-Q1" in known and "dhcp-server@11:firewall@18|19|20" in known
    assert component_numbers("a@1:b-c@22") == {"a": 1, "b-c": 22}
