# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The two forms of RouterOS' configuration: scripts are read and printed, operations come back from JSON, what a script could do besides is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import (
    OTHER_VERBS,
    VERBS,
    Operation,
    ScriptError,
    from_json,
    parse_script,
    to_json,
    to_script,
)

VLAN = Operation(("interface", "vlan"), "add", {}, {"interface": "ether1", "name": "WAN", "vlan-id": "500"})


@pytest.mark.parametrize(
    "text",
    [
        "/interface vlan\nadd interface=ether1 name=WAN vlan-id=500\n",
        "/interface vlan add interface=ether1 name=WAN vlan-id=500",
        "/interface/vlan/add interface=ether1 name=WAN vlan-id=500",
        "/interface/vlan add interface=ether1 name=WAN vlan-id=500",
        "# a comment\r\n\r\n/interface vlan\r\nadd interface=ether1 \\\r\n    name=WAN vlan-id=500\r\n",
        '/interface vlan\nadd interface="ether1" name="W\\\n    AN" vlan-id=500',
        "  # a comment that ends in a backslash \\\n/interface vlan\n add\tinterface=ether1 name=WAN vlan-id=500 ",
    ],
)
def test_all_ways_to_write_one_command(text: str) -> None:
    assert parse_script(text) == [VLAN]


def test_items_flags_and_empty_values() -> None:
    text = '/ip service\nset ssh port=22\n/interface ethernet\nset [ find default-name="ether 1" ] comment=""\n/snmp\nset enabled=yes\n'
    assert parse_script(text) == [
        Operation(("ip", "service"), "set", {"name": "ssh"}, {"port": "22"}),
        Operation(("interface", "ethernet"), "set", {"default-name": "ether 1"}, {"comment": ""}),
        Operation(("snmp",), "set", {}, {"enabled": "yes"}),
    ]
    assert to_script(parse_script(text)) == text
    assert parse_script("/ip route add dst-address=10.0.0.0/8 blackhole")[0].values == {"dst-address": "10.0.0.0/8", "blackhole": None}


def test_a_name_that_could_be_a_number_is_found_by_name() -> None:
    item = Operation(("interface", "wireguard"), "set", {"name": "0"}, {"mtu": "1420"})
    assert to_script([item]) == "/interface wireguard\nset [ find name=0 ] mtu=1420\n"
    assert parse_script(to_script([item])) == [item]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("add name=x\n", "line 1: add before any menu"),
        ("/\nadd name=x\n", "line 2: add before any menu"),
        ("/ip pool\n\nremove x\n", "line 3: is neither add nor set"),
        ("/ip pool remove x", "line 1: is neither add nor set"),
        ("/system reboot", "line 1: is neither add nor set"),
        ("/system identity\nset name=x; /system reboot", "line 2: cannot be read from column 4 on"),
        ("/ip pool\nadd name=$x", "line 2: cannot be read from column 4 on"),
        ("/ip pool\nadd name=[/system reboot]", "line 2: cannot be read from column 4 on"),
        ("/ip pool\nadd name=(1+1)", "line 2: cannot be read from column 4 on"),
        ("/ip pool\nadd name={x}", "line 2: cannot be read from column 4 on"),
        ('/ip pool\nadd name="x', "line 2: cannot be read from column 4 on"),
        ('/ip pool\nadd name="x"y', "line 2: cannot be read from column 4 on"),
        ('/ip pool\nadd name="\\x"', "line 2: RouterOS has no escape \\x"),
        ("/ip pool\nadd", "line 2: add without values"),
        ("/ip pool\nadd name=x name=y", "line 2: name stands twice"),
        ("/ip pool\nset 0 name=x", "line 2: an item is named by its name or by find: its number changes"),
        ("/ip pool\nset *3 name=x", "line 2: an item is named by its name or by find: its number changes"),
        ("/ip pool\nset [ find ] name=x", "line 2: only [ find name=value ] may stand in brackets"),
        ("/ip pool\nset [ get x ] name=x", "line 2: only [ find name=value ] may stand in brackets"),
        ("/ip pool\nset [ find name=x name=y", "line 2: only [ find name=value ] may stand in brackets"),
        ("/ip pool\nadd [ find name=x ] name=y", "line 2: only names with values may follow add"),
        (":global x\n", "line 1: is neither add nor set"),
        ("/ip Pool!\nadd name=x", "line 1: is not a menu"),
        ("/ip pool\nadd name=x \\\n  ranges=$y", "line 2: cannot be read from column 11 on"),
    ],
)
def test_what_a_script_could_do_besides_is_refused(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(text)
    assert str(caught.value) == message


def test_a_refusal_does_not_show_the_line() -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script('/ip ipsec identity\nadd secret="sesame\n')
    assert "sesame" not in str(caught.value)


WORDS = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True).filter(lambda word: word not in {*VERBS, *OTHER_VERBS})
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ITEMS = st.builds(
    lambda path, verb, find, values: Operation(tuple(path), verb, find if verb == "set" else {}, values),
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from(["add", "set"]),
    st.dictionaries(st.sampled_from(["name", "default-name"]), TEXTS, max_size=2),
    st.dictionaries(WORDS, TEXTS, min_size=1, max_size=3),
)


@given(st.lists(ITEMS, max_size=4))
def test_whatever_the_values_are_all_forms_say_the_same(items: list[Operation]) -> None:
    text = to_script(items)
    assert text.isascii()
    assert parse_script(text) == items
    assert from_json(to_json(items, lambda item: [])) == items


def test_a_flag_behind_an_item_comes_back() -> None:
    item = Operation(("routing", "ospf", "interface-template"), "set", {"area": "backbone"}, {"passive": None, "cost": "1"})
    assert parse_script(to_script([item])) == [item]


def test_another_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="this reads routerlab.bench/routeros/1"):
        from_json('{"schema": "routerlab.bench/routeros/2", "operations": []}')
