# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a text holds: it arrives in RouterOS as it was written, or is refused; it never becomes another command."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
from golden_cases import lab_files, load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import from_json, parse_script
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_routeros import addresses, identity, names, script, value
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

NASTY = list("'\"#$&<>;|*(){}[]`\\/!~%=,:?_ \t\n\r\x00\x0b\x7f\x85\u2028\u2029éßж字")
NASTY += ["]]>", "$(", "${", "\\\n", "\\n", "\\3F", "[find]", "[ /system reboot ]", "\nset x", "\n/system reboot", " } ", "*3", "a"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))
DIALECTS = [dialect["name"] for dialect in platforms()["routeros"]["dialects"]]
ALWAYS_REFUSED = "\n\r\t\x00\x0b\x7f\x85\u2028\u2029"
SLOW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@functools.lru_cache(maxsize=None)
def lab_of(stem: str, dialect: str) -> dict[str, Any]:
    return load(lab_files("routeros")[stem], "routeros", dialect)


def files_of(lab: dict[str, Any], profile: str | None = None) -> dict[str, str]:
    return {artifact.file: artifact.text for artifact in render_lab(lab, lab["routers"][0]["name"], profile, platforms())}


@pytest.mark.parametrize("dialect", DIALECTS)
@SLOW
@given(text=TEXTS)
def test_texts_arrive_or_are_refused(dialect: str, text: str) -> None:
    lab = copy.deepcopy(lab_of("plain_loopback", dialect))
    calm = parse_script(files_of(lab)["lab.rsc"])
    lab["common"]["system"]["snmp"]["location"] = text
    lab["routers"][0]["interfaces"][1]["description"] = text
    lab["routers"][0]["dhcp"]["pools"][0]["domain"] = text
    try:
        files = files_of(lab)
    except RenderError as error:
        assert "r1: config (lab.rsc): " in str(error)
        return
    assert not set(text) & set(ALWAYS_REFUSED)
    operations = parse_script(files["lab.rsc"])
    assert [(item.path, item.verb, item.find, list(item.values)) for item in operations] == [
        (item.path, item.verb, item.find, list(item.values)) for item in calm
    ]
    changed = [(item.path[-1], key, item.values[key]) for item, old in zip(operations, calm) for key in item.values if item.values[key] != old.values[key]]
    assert set(changed) <= {("snmp", "location", text), ("ethernet", "comment", text), ("network", "domain", text)}
    assert len(changed) == 3 or text in ("a.lab.example", "A", "Rack 3, shelf #2")
    assert from_json(files["operations.json"])[: len(operations)] == operations


@SLOW
@given(text=TEXTS)
def test_secrets_arrive_or_are_refused(text: str) -> None:
    lab = copy.deepcopy(lab_of("shaper_tunnels", "7.14"))
    changes = next(item for item in lab["profiles"] if item["name"] == "ipsec")["changes"]
    changes["tunnels"]["ipsec"][0]["secret"] = text
    try:
        files = files_of(lab, "ipsec")
    except RenderError as error:
        assert "secrets.rsc" in str(error)
        return
    assert [item.values["secret"] for item in parse_script(files["secrets.rsc"])] == [text]
    assert "secret=" not in files["lab.rsc"]


@pytest.mark.parametrize("text", ["Xq9\nsecond line", "Xq9\x00", "Xq9 " * 80])
def test_a_refusal_never_shows_a_secret(text: str) -> None:
    lab = copy.deepcopy(lab_of("shaper_tunnels", "7.14"))
    changes = next(item for item in lab["profiles"] if item["name"] == "ipsec")["changes"]
    changes["tunnels"]["ipsec"][0]["secret"] = text
    with pytest.raises(RenderError, match="secrets.rsc") as caught:
        files_of(lab, "ipsec")
    assert "Xq9" not in str(caught.value)


@pytest.mark.parametrize("text", ["two\nlines", "tab\there", "bell\x07", "\u2028"])
def test_control_characters_are_refused_with_the_reason(text: str) -> None:
    with pytest.raises(QuoteError, match="line break or another control character"):
        value(text)


def test_every_mistake_is_told_at_once() -> None:
    text = "/ip address\nadd address=10.0.0.1 interface=ether1\n/nonsense\nset x=y\n/interface vlan\nadd name=X interface=ether1 vlan-id=0\n"
    with pytest.raises(QuoteError) as caught:
        script(text, {"dialect": "7.14"})
    message = str(caught.value)
    assert message.startswith("RouterOS 7.14 does not take this: /ip address add address='10.0.0.1' interface='ether1': address does not take")
    assert "/nonsense set: RouterOS 7 has no such command here" in message and "/interface vlan add name='X': vlan-id does not take '0', only 1-4094" in message


def test_a_text_that_is_no_script_is_refused() -> None:
    with pytest.raises(QuoteError, match=r"RouterOS 6: line 2: cannot be read from column 4 on"):
        script("/ip pool\nadd name=$x\n", {"dialect": "6"})


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("192.0.2.1", "address:192.0.2.1"),
        ("@left.example", "fqdn:left.example"),
        ("left.example", "fqdn:left.example"),
        ("noc@left.example", '"user-fqdn:noc@left.example"'),
    ],
)
def test_an_identity_has_its_kind_in_front(text: str, quoted: str) -> None:
    assert identity(text) == quoted


def test_addresses_and_names_apart() -> None:
    servers = ["192.0.2.1", "ntp.lab.example", "192.0.2.2"]
    assert addresses(servers) == ["192.0.2.1", "192.0.2.2"] and names(servers) == ["ntp.lab.example"]
