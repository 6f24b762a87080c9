# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a text holds: it arrives in the VSR's CLI as it was written, or is refused; it never becomes another statement."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
from golden_cases import lab_files, load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sixwind_check import parse

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_sixwind import value
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

NASTY = list("'\"#$&<>;|*(){}[]`\\/!~%=,: \t\n\r\x00\x7f\x85\u2028éßж字?@^")
NASTY += ["]]>", "//", "\n/ del /", ' "/ vrf main', "del /", "commit", "..", "a"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))
NEVER = '"\\?\n\r\t\x00\x7f\x85\u2028éßж字'


@functools.lru_cache(maxsize=None)
def lab_of(stem: str) -> dict[str, Any]:
    return load(lab_files("sixwind")[stem], "sixwind", "3")


def files_of(lab: dict[str, Any], router: str = "dut", profile: str | None = None) -> dict[str, str]:
    return {artifact.file: artifact.text for artifact in render_lab(lab, router, profile, platforms())}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
def test_texts_arrive_or_are_refused(text: str) -> None:
    lab = copy.deepcopy(lab_of("confirmed"))
    calm = parse(files_of(lab)["config.cli"])
    lab["common"]["system"]["snmp"]["location"] = text
    lab["common"]["interfaces"][0]["description"] = text
    try:
        paths = parse(files_of(lab)["config.cli"])
    except RenderError as error:
        assert "dut: config (config.cli): " in str(error)
        return
    assert not set(text) & set(NEVER)
    assert {("vrf", "main", "snmp", "static-info", "location", text), ("vrf", "main", "interface", "physical", "wan", "description", text)} <= set(paths)
    assert [path[:-1] for path in paths] == [path[:-1] for path in calm]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
def test_secrets_arrive_or_are_refused(text: str) -> None:
    lab = copy.deepcopy(lab_of("confirmed"))
    for tunnel in lab["profiles"][0]["changes"]["tunnels"]["ipsec"]:
        tunnel["secret"] = text
    try:
        files = files_of(lab, "tunnels", "ipsec")
    except RenderError:
        assert set(text) & set(NEVER) or not text.isascii() or not text.isprintable()
        return
    assert [path[-1] for path in parse(files["secrets.cli"]) if "secret" in path[-2]] == [text, text]


@pytest.mark.parametrize("text", ['Xq9 "quoted"', "Xq9\nsecond line", "Xq9\\back", "Xq9?", "Xq9 Straße", "Xq9 " * 30 + '"'])
def test_a_refusal_never_shows_a_secret(text: str) -> None:
    lab = copy.deepcopy(lab_of("confirmed"))
    for tunnel in lab["profiles"][0]["changes"]["tunnels"]["ipsec"]:
        tunnel["secret"] = text
    with pytest.raises(RenderError, match="secrets.cli") as caught:
        files_of(lab, "tunnels", "ipsec")
    assert "Xq9" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [('say "x"', 'what " means'), ("C:\\x", "what \\\\ means"), ("why?", "what \\? means"), ("two\nlines", "line break"), ("Straße", "ASCII"), ("", "empty")],
)
def test_what_is_not_known_to_arrive_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(QuoteError, match=reason):
        value(text)


def test_what_stands_between_quotes() -> None:
    assert [value("plain-1.2/3"), value("it's; } # x $y"), value(" ")] == ["plain-1.2/3", '"it\'s; } # x $y"', '" "']
