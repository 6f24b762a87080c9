# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configurations that the write-ups printed: they are read, printed again, and are what the room renders for the write-ups' labs.

`*.rsc` are the texts as printed (of write-up 002 the commands, without the words around them).
"""

from __future__ import annotations

from pathlib import Path

import lab_data
import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import Operation, ScriptError, parse_script, to_script
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import render_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._routeros_schema import errors

FOLDER = Path(__file__).parent / "routeros_writeups"
Fact = tuple[str, ...]
# Names that are free: the write-ups chose others than this project.
NAMES = {"Trunk": "ether1", "dhcp_pool0": "dhcp_LAN", "dhcp_pool1": "dhcp_LAN2", "pool0": "dhcp_LAN", "pool1": "dhcp_LAN2"}


def text_of(name: str) -> str:
    """A write-up's commands. An item by its number, which write-up 002 uses once, is the default one."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return text.replace("instance set 0 ", "instance set [ find default=yes ] ")


def rendered(seed: str, router: str) -> list[Operation]:
    files = {artifact.file: artifact.text for artifact in render_lab(lab_data.seed_lab(seed), router, None, platforms())}
    return parse_script(files["lab.rsc"])


def facts(operations: list[Operation], servers: dict[str, str]) -> set[Fact]:
    """Each value of each item, told by what is not a free name."""
    found = set()
    for item in operations:
        values = {key: NAMES.get(value or "", value or "") for key, value in item.values.items()}
        if item.path == ("ip", "dhcp-server"):
            values["name"] = servers.get(values["name"], values["name"])
        if item.path == ("ip", "address"):
            values.pop("network", None)  # what follows from the address
        mark = next((values[key] for key in ("name", "address", "network") if key in values and item.verb == "add"), "")
        found |= {(" ".join(item.path), mark, key, value) for key, value in values.items()}
    return found


def test_an_item_by_its_number_is_refused() -> None:
    with pytest.raises(ScriptError, match="line 5: an item is named by its name or by find: its number changes"):
        parse_script((FOLDER / "002_rb450gx4_6_47_10.rsc").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["000_chr_6_45_3.rsc", "002_rb450gx4_6_47_10.rsc"])
def test_a_write_up_goes_through_both_forms(name: str) -> None:
    operations = parse_script(text_of(name))
    assert parse_script(to_script(operations)) == operations


def test_what_a_write_up_says_that_this_project_does_not() -> None:
    assert errors(parse_script(text_of("000_chr_6_45_3.rsc")), "6") == [
        "/interface wireless security-profiles set [default=yes]: RouterOS 6 has no such command here"
    ]
    assert errors(parse_script(text_of("002_rb450gx4_6_47_10.rsc")), "6") == ["/routing ospf area add name='area9': instance is missing"]


# What a write-up prints and this project does not say.
ONLY_000 = {
    ("interface ethernet", "", "name", "ether1"),  # the port called Trunk: here it keeps its name
    ("interface wireless security-profiles", "", "supplicant-identity", "MikroTik"),  # RouterOS writes it without being asked
    # The pools of this one router took in the router's own address and more; the others' went from .10 to .200, and so does the lab.
    ("ip pool", "dhcp_LAN", "ranges", "10.222.222.2-10.222.222.254"),
    ("ip pool", "dhcp_LAN2", "ranges", "10.223.223.2-10.223.223.254"),
}
# What this project says of every router, and a write-up leaves to the defaults.
SAID = {"lease-time", "authoritative", "comment", "protocol-mode", "instance", "time-zone-autodetect", "distribute-default", "redistribute-static"}
MORE_000 = {
    ("ip pool", "dhcp_LAN", "ranges", "10.222.222.10-10.222.222.200"),
    ("ip pool", "dhcp_LAN2", "ranges", "10.223.223.10-10.223.223.200"),
    # RouterOS hands out its own resolvers where none are named: the same one.
    ("ip dhcp-server network", "10.222.222.0/24", "dns-server", "10.53.53.53"),
    ("ip dhcp-server network", "10.223.223.0/24", "dns-server", "10.53.53.53"),
    ("system identity", "", "name", "chr"),
}
MORE_002 = {
    ("ip address", "10.1.10.2/24", "address", "10.1.10.2/24"),  # was there before the write-up begins
    ("ip address", "10.1.10.2/24", "interface", "ether1"),
    ("snmp", "", "enabled", "yes"),  # "basic configuration … to be polled via SNMP"
    ("system identity", "", "name", "rb450gx4"),
    ("system clock", "", "time-zone-name", "UTC"),
    ("routing ospf instance", "", "redistribute-connected", "no"),
}
CASES = [
    ("000_chr_6_45_3.rsc", "seed_000", "chr", {"dhcp1": "dhcp_LAN", "dhcp2": "dhcp_LAN2"}, ONLY_000, MORE_000),
    ("002_rb450gx4_6_47_10.rsc", "seed_002", "rb450gx4", {"dhcp0": "dhcp_LAN", "dhcp1": "dhcp_LAN2"}, set(), MORE_002),
]


@pytest.mark.parametrize(("name", "seed", "router", "servers", "only_printed", "only_rendered"), CASES, ids=[case[2] for case in CASES])
def test_the_room_renders_what_the_write_up_printed(
    name: str, seed: str, router: str, servers: dict[str, str], only_printed: set[Fact], only_rendered: set[Fact]
) -> None:
    want, got = facts(parse_script(text_of(name)), servers), facts(rendered(seed, router), {})
    assert want - got == only_printed
    ssh = {fact for fact in got if fact[0] == "ip service"}
    assert {fact for fact in got - want - ssh if fact[2] not in SAID} == only_rendered
