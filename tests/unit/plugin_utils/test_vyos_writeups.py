# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configurations that the write-ups printed: they are read, printed again, and are what the rooms render for the write-ups' labs.

`*.boot` and `*.set` are the texts as printed (of write-up 002 the `set` commands, without the words around them).
The labs are those of inventories/seed_*.
"""

from __future__ import annotations

from pathlib import Path

import lab_data
import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import render_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import (
    ConfigError,
    errors,
    parse_commands,
    parse_curly,
    to_commands,
    to_curly,
    unique,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import schema

Words = tuple[str, ...]
FOLDER = Path(__file__).parent / "vyos_writeups"
BRACE = "                 }\n"


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def mended_000() -> str:
    """The text of write-up 000 with the brace that it lacks, after the subnet of VLAN2222."""
    head, tail = text_of("000_vyos_1_2_2.boot").split("              shared-network-name VLAN2223", 1)
    return head + BRACE + "              shared-network-name VLAN2223" + tail


def printed(name: str) -> set[Words]:
    """A write-up's configuration as paths."""
    if name == "000":
        return set(parse_curly(mended_000()))
    if name == "001 zones":
        return {("zone-policy", *path) for path in parse_curly(text_of("001_zones.boot"))}
    if name == "001":
        return set(parse_curly(text_of("001_vyos_1_2_3.boot")))
    return set(parse_commands(text_of({"002 vyos": "002_vyos_1_2_8.set", "002 edgeos": "002_edgeos_2_0_9.set"}[name])))


def rendered(seed: str, router: str, profile: str | None = None) -> set[Words]:
    """The paths of a router of inventories/seed_*, those with a secret left out."""
    lab = lab_data.seed_lab(f"seed_{seed}")
    files = {artifact.file: artifact.text for artifact in render_lab(lab, router, profile, platforms())}
    assert set(parse_curly(files["config.boot"])) == set(parse_commands(files["config.set"] + files.get("secrets.set", "")))
    return set(parse_commands(files["config.set"]))


def test_the_missing_brace_of_write_up_000_is_seen() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_curly(text_of("000_vyos_1_2_2.boot"))
    message = str(caught.value)
    assert "a closing brace is missing: still open at the end: 'service' (line 31)" in message
    assert "by the indentation it is missing before line 41, which closes 'subnet 10.222.222.0/24' of line 34" in message


def test_a_brace_at_the_wrong_end_makes_paths_that_nobody_knows() -> None:
    paths = parse_curly(text_of("000_vyos_1_2_2.boot") + "}\n")
    wrong = errors(paths, schema("vyos", "1.2"))
    inside = [line for line in wrong if line.startswith("service dhcp-server shared-network-name VLAN2222 shared-network-name VLAN2223 ")]
    assert len(inside) == 4
    assert set(wrong) - set(inside) == {"service dhcp-server ssh port 22: 'ssh' is not known here; there is shared-network-name"}


WRITE_UPS = [("000", "vyos", "1.2"), ("001", "vyos", "1.2"), ("001 zones", "vyos", "1.2"), ("002 vyos", "vyos", "1.2"), ("002 edgeos", "edgeos", "2.0")]


@pytest.mark.parametrize(("name", "platform", "dialect"), WRITE_UPS)
def test_a_write_up_goes_through_both_forms(name: str, platform: str, dialect: str) -> None:
    root = schema(platform, dialect)
    paths = unique(sorted(printed(name)))
    assert errors(paths, root) == []
    curly = to_curly(paths, root)
    assert set(parse_curly(curly)) == set(paths)
    assert set(parse_commands(to_commands(paths))) == set(paths)
    assert to_curly(parse_commands(to_commands(parse_curly(curly))), root) == curly


def test_the_curly_form_is_the_router_s_own() -> None:
    """Write-up 001 shows a configuration as VyOS prints it: the same bytes come out."""
    text = text_of("001_vyos_1_2_3.boot")
    assert to_curly(parse_curly(text), schema("vyos", "1.2")) == text


# What VyOS and EdgeOS write without being asked, and the write-up shows.
DEFAULTS_000 = {("interfaces", "ethernet", "eth0", name, "auto") for name in ("duplex", "smp-affinity", "speed")}
# What this project says of every router, and a write-up leaves to the defaults of the platform.
SAID = ("description", "host-name", "time-zone", "router-id", "lease", "default-action", "duplex", "speed", "disabled", "use-dnsmasq", "authoritative", "hwnat")
RESOLVER = {("system", "name-server", "10.53.53.53")}
CASES = [
    ("000", "000", "vyos", None, DEFAULTS_000, RESOLVER),
    ("001", "001", "vyos", None, set(), RESOLVER | {("system", "disable-dhcp-nameservers")}),
    ("001 zones", "001", "vyos", "zone", set(), set()),
    ("002 vyos", "002", "fitlet2", None, set(), {("interfaces", "ethernet", "eth0", "address", "10.1.10.3/24"), ("service", "ssh", "port", "22")}),
    (
        "002 edgeos",
        "002",
        "erx",
        None,
        set(),
        {
            ("interfaces", "ethernet", "eth0", "address", "10.1.10.4/24"),
            ("service", "ssh", "port", "22"),
            ("service", "ssh", "protocol-version", "v2"),
        },
    ),
]


def named_alike(paths: set[Words]) -> set[Words]:
    """Names of DHCP networks and ranges are free: write-up 002 calls its ranges pool1 and pool2, this project 0."""
    free = ("range", "shared-network-name")
    return {tuple("…" if index and path[index - 1] in free else word for index, word in enumerate(path)) for path in paths}


@pytest.mark.parametrize(("name", "lab", "router", "profile", "only_printed", "only_rendered"), CASES, ids=[case[0] for case in CASES])
def test_the_rooms_render_what_the_write_ups_printed(
    name: str, lab: str, router: str, profile: str | None, only_printed: set[Words], only_rendered: set[Words]
) -> None:
    want, got = named_alike(printed(name)), named_alike(rendered(lab, router, profile))
    if profile == "zone":
        got = {path for path in got if path[0] == "zone-policy"}
    assert want - got == only_printed
    assert {path for path in got - want if path[-2] not in SAID and path[-1] not in SAID} == only_rendered
