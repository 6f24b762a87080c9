# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a text holds: it arrives in UCI as it was written, or is refused; it never becomes another statement."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
from golden_cases import lab_files, load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from uci_check import KNOWN, parse, words

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_openwrt import network, rule_name, section, uci
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

NASTY = list("'\"#$&<>;|*(){}[]`\\/!~%=,: \t\n\r\x00\x0b\x7f\x85\u2028\u2029éßж字")
NASTY += ["]]>", "'\\''", "$(", "\nconfig x 'y'", "\n\toption a 'b'", "' 'b", "a"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(text=TEXTS)
def test_a_value_is_one_word_or_refused(text: str) -> None:
    try:
        written = uci(text)
    except QuoteError:
        assert not text.isprintable()
        return
    assert words(f"\toption x {written} # and a comment") == ["option", "x", text]


@given(text=TEXTS)
def test_a_name_is_a_name_or_refused(text: str) -> None:
    for quote in (section, network):
        try:
            written = quote(text)
        except QuoteError as error:
            assert "cannot be the name of" in str(error)
        else:
            assert parse(f"config x {written}")[0].name == text


@given(text=TEXTS)
def test_the_name_of_a_rule_ends_no_comment(text: str) -> None:
    try:
        written = rule_name(text)
    except QuoteError:
        return
    assert words(written) == [text]
    assert '"' not in text
    assert len(text.encode()) <= 100


@functools.lru_cache(maxsize=None)
def lab_of(stem: str, dialect: str) -> dict[str, Any]:
    return load(lab_files("openwrt")[stem], "openwrt", dialect)


def sections_of(lab: dict[str, Any], profile: str | None = None) -> dict[str, list[tuple[str, str, tuple[str, ...]]]]:
    """The names of everything that the UCI files say."""
    files = {item.file: item.text for item in render_lab(lab, lab["routers"][0]["name"], profile, platforms())}
    return {name: [(item.kind, item.name, tuple(item.options)) for item in parse(files[name])] for name in KNOWN if name in files}


@pytest.mark.parametrize("dialect", ["24.10", "19.07"])
@SLOW
@given(text=TEXTS)
def test_texts_add_no_statement(dialect: str, text: str) -> None:
    lab = copy.deepcopy(lab_of("plain_loopback", dialect))
    calm = sections_of(lab)
    lab["title"] = text
    lab["common"]["system"]["snmp"]["location"] = text
    lab["routers"][0]["interfaces"][1]["description"] = text
    try:
        assert sections_of(lab) == calm
    except RenderError as error:
        assert "r1: " in str(error)
        assert text != text.strip() or not text.isprintable()


@SLOW
@given(text=TEXTS)
def test_descriptions_of_rules_add_no_statement(text: str) -> None:
    lab = copy.deepcopy(lab_of("dhcp_wan_nat_zones", "24.10"))
    calm = sections_of(lab)
    lab["common"]["firewall"]["rule_sets"][2]["rules"][0]["description"] = text
    try:
        found = sections_of(lab)
    except RenderError as error:
        assert "dut: firewall" in str(error)
        return
    assert found == calm


@SLOW
@given(text=TEXTS)
def test_a_secret_is_one_string_of_swanctl(text: str) -> None:
    lab = copy.deepcopy(lab_of("shaper_tunnels", "24.10"))
    profile = next(item for item in lab["profiles"] if item["name"] == "ipsec")
    profile["changes"]["tunnels"]["ipsec"][0]["secret"] = text
    try:
        files = {item.file: item.text for item in render_lab(lab, "dut", "ipsec", platforms())}
    except RenderError as error:
        assert "swanctl.conf" in str(error)
        return
    lines = [line for line in files["swanctl.conf"].split("\n") if line.strip().startswith("secret = ")]
    assert len(lines) == 1
