# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a text holds: it arrives in Junos as it was written, or is refused; it never becomes another statement."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
from golden_cases import lab_files, load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from junos_check import read_curly

from ansible_collections.routerlab.bench.plugins.plugin_utils._junos_config import parse_commands
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_junos import commands, secret, value
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

NASTY = list("'\"#$&<>;|*(){}[]`\\/!~%=,: \t\n\r\x00\x7f\x85\u2028éßж字?@^")
NASTY += ["]]>", "//", "/*", "*/", "$9$", "set ", "\nset x", " } ", "; }", "a"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))
ALWAYS_REFUSED = '"\\\n\r\t\x00\x7f\x85\u2028éßж字'


@functools.lru_cache(maxsize=None)
def lab_of(stem: str) -> dict[str, Any]:
    return load(lab_files("junos")[stem], "junos", "17.4")


def files_of(lab: dict[str, Any], profile: str | None = None) -> dict[str, str]:
    return {artifact.file: artifact.text for artifact in render_lab(lab, lab["routers"][0]["name"], profile, platforms())}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
def test_texts_arrive_or_are_refused(text: str) -> None:
    lab = copy.deepcopy(lab_of("plain_loopback"))
    calm = set(parse_commands(files_of(lab)["config.set"]))
    lab["common"]["system"]["snmp"]["location"] = text
    lab["routers"][0]["interfaces"][1]["description"] = text
    try:
        files = files_of(lab)
    except RenderError as error:
        assert "r1: config (config.set): " in str(error)
        return
    assert not set(text) & set(ALWAYS_REFUSED)
    changed = {("snmp", "location", text), ("interfaces", "ge-0/0/1", "unit", "0", "description", text)}
    paths = set(parse_commands(files["config.set"]))
    assert changed <= paths
    assert {path[:-1] for path in paths} == {path[:-1] for path in calm}
    assert changed <= read_curly(files["config.conf"])
    assert {path[:-1] for path in read_curly(files["config.conf"])} == {path[:-1] for path in read_curly(files_of(lab_of("plain_loopback"))["config.conf"])}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
def test_secrets_arrive_or_are_refused(text: str) -> None:
    lab = copy.deepcopy(lab_of("zones"))
    changes = next(item for item in lab["profiles"] if item["name"] == "ipsec")["changes"]
    changes["tunnels"]["ipsec"][0]["secret"] = text
    try:
        files = files_of(lab, "ipsec")
    except RenderError:
        return
    path = ("security", "ike", "policy", "site", "pre-shared-key", "ascii-text", text)
    assert parse_commands(files["secrets.set"]) == [path]
    assert path in read_curly(files["config.conf"])


@pytest.mark.parametrize("text", ['Xq9 "it\'s"', "Xq9\nsecond line", "Xq9\\back", "$9$Xq9", "Xq9 " * 30 + '"'])
def test_a_refusal_never_shows_a_secret(text: str) -> None:
    lab = copy.deepcopy(lab_of("zones"))
    changes = next(item for item in lab["profiles"] if item["name"] == "ipsec")["changes"]
    changes["tunnels"]["ipsec"][0]["secret"] = text
    with pytest.raises(RenderError, match="secrets.set") as caught:
        files_of(lab, "ipsec")
    assert "Xq9" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('say "x"', "double quote"),
        ("C:\\x", "backslash"),
        ("two\nlines", "line break"),
        ("tab\there", "line break or another control character"),
        ("Straße", "ASCII"),
        ("", "empty"),
    ],
)
def test_what_junos_does_not_take_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(QuoteError, match=reason):
        value(text)


def test_what_stands_between_quotes() -> None:
    assert [value("plain-1.2/3"), value("it's; } # x"), value(" ")] == ["plain-1.2/3", '"it\'s; } # x"', '" "']
    with pytest.raises(QuoteError, match="scrambled"):
        secret("$9$abc")


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(QuoteError) as caught:
        commands("set nonsense\nset system host-name a\nset protocols ospf area x\n")
    assert "Junos does not take this: nonsense: " in str(caught.value) and "'x' is no ip" in str(caught.value)
    with pytest.raises(QuoteError, match="line 1"):
        commands('set "a\n')
