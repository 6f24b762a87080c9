# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a text holds: it arrives in an entity of Sophos as it was written, or is refused; it never becomes another element."""

from __future__ import annotations

import copy
import functools
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from golden_cases import lab_files, load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_sophos import name, text, word
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

NASTY = list("'\"#$&<>;|*(){}[]`\\/!~%=,: \t\n\r\x00\x7f\x85\u2028éßж字?@^")
NASTY += ["]]>", "</Name>", "<!--", "&amp;", "{{", "</Set>", "a", "😀"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@functools.lru_cache(maxsize=None)
def lab_of(stem: str) -> dict[str, Any]:
    return load(lab_files("sophos")[stem], "sophos", "20")


def root_of(lab: dict[str, Any], file: str, profile: str | None = None) -> ET.Element:
    files = {artifact.file: artifact.text for artifact in render_lab(lab, "dut", profile, platforms())}
    return ET.fromstring(files[file].encode())


def shape(node: ET.Element) -> Any:
    """A structure without its texts."""
    return [node.tag, [shape(child) for child in node]]


@CALM
@given(given_text=TEXTS)
def test_descriptions_arrive_or_are_refused(given_text: str) -> None:
    lab = copy.deepcopy(lab_of("rules"))
    calm = shape(root_of(lab, "request.xml"))
    lab["common"]["firewall"]["rule_sets"][0]["rules"][0]["description"] = given_text
    try:
        root = root_of(lab, "request.xml")
    except RenderError as error:
        assert "dut: request (request.xml): " in str(error)
        assert not given_text.isprintable() or given_text != given_text.rstrip() or not given_text.isascii()
        return
    assert shape(root) == calm
    found = [node.text for node in root.iter("Description")]
    assert found.count(f"routerlab lan: LAN-IN 5: {given_text}") == 2


@CALM
@given(given_text=TEXTS)
def test_secrets_and_places_arrive_or_are_refused(given_text: str) -> None:
    lab = copy.deepcopy(lab_of("unconfirmed"))
    lab["profiles"][0]["changes"]["tunnels"]["ipsec"][0]["secret"] = "-----" + given_text
    try:
        root = root_of(lab, "tunnels.xml", "ipsec")
    except RenderError as error:
        assert given_text not in str(error) or len(given_text) < 3
    else:
        assert [node.text for node in root.iter("PresharedKey")] == ["-----" + given_text, "short"]
    lab = copy.deepcopy(lab_of("plain"))
    lab["common"]["system"]["snmp"].update(location=given_text, community=given_text)
    try:
        root = root_of(lab, "community.xml")
    except RenderError:
        return
    assert [node.findtext("Name") for node in root.iter("SNMPCommunity")] == [given_text]
    assert "," not in given_text and not given_text.startswith("#")


@pytest.mark.parametrize("secret", ["Xq9\nsecond line", "Xq9\x00-----", "Xq9 ", "Xq9-" * 30])
def test_a_refusal_never_shows_a_secret(secret: str) -> None:
    lab = copy.deepcopy(lab_of("unconfirmed"))
    lab["profiles"][0]["changes"]["tunnels"]["ipsec"][0]["secret"] = secret
    with pytest.raises(RenderError) as caught:
        root_of(lab, "tunnels.xml", "ipsec")
    assert "Xq9" not in str(caught.value)


def test_texts_names_and_words() -> None:
    assert text('a "b" & <c> ]]>') == 'a "b" &amp; &lt;c&gt; ]]&gt;'
    assert (name("Straße 7"), word("Port2.500")) == ("Straße 7", "Port2.500")
    refused = [(text, "x" * 256, "256 characters"), (text, " x", "blanks"), (text, "a\nb", "line break"), (name, "a,b", "no comma"), (name, "#a", "no #")]
    refused += [(word, "a b", "no word"), (word, "a\n", "no word"), (name, "x" * 61, "61 characters")]
    for function, given_text, message in refused:
        with pytest.raises(QuoteError, match=message):
            function(given_text)
