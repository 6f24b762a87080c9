# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a text holds: it arrives in VyOS and EdgeOS as it was written, or is refused; it never becomes another command."""

from __future__ import annotations

import copy
import functools
from typing import Any

import pytest
from golden_cases import lab_files, load
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_vyos import base64_body, commands, value
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import parse_commands, parse_curly

NASTY = list("'\"#$&<>;|*(){}[]`\\/!~%=,: \t\n\r\x00\x0b\x7f\x85\u2028\u2029éßж字")
NASTY += ["]]>", "//", "/*", "*/", "$(", "${", "$VAR(@)", "set ", "\nset x", " } ", "a"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))
SPEECHES = [("vyos", dialect["name"]) for dialect in platforms()["vyos"]["dialects"]] + [("edgeos", "2.0"), ("edgeos", "1.10")]
ALWAYS_REFUSED = "'\"\\\n\r\t\x00\x0b\x7f\x85\u2028\u2029"


@functools.lru_cache(maxsize=None)
def lab_of(room: str, stem: str, dialect: str) -> dict[str, Any]:
    return load(lab_files(room)[stem], room, dialect)


def files_of(lab: dict[str, Any], profile: str | None = None) -> dict[str, str]:
    return {artifact.file: artifact.text for artifact in render_lab(lab, lab["routers"][0]["name"], profile, platforms())}


@pytest.mark.parametrize(("room", "dialect"), SPEECHES)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
def test_texts_arrive_or_are_refused(room: str, dialect: str, text: str) -> None:
    lab = copy.deepcopy(lab_of(room, "plain_loopback", dialect))
    calm = set(parse_commands(files_of(lab)["config.set"]))
    lab["common"]["system"]["snmp"]["location"] = text
    lab["routers"][0]["interfaces"][1]["description"] = text
    try:
        files = files_of(lab)
    except RenderError as error:
        assert error.args and "r1: config (config.set): " in str(error)
        return
    assert not set(text) & set(ALWAYS_REFUSED)
    changed = {("service", "snmp", "location", text), ("interfaces", "ethernet", "eth1", "description", text)}
    paths = set(parse_commands(files["config.set"]))
    assert changed <= paths
    assert {path[:-1] for path in paths} == {path[:-1] for path in calm}
    assert set(parse_curly(files["config.boot"])) == paths | set(parse_commands(files["secrets.set"]))


def with_secret(room: str, stem: str, dialect: str, profile: str, text: str) -> dict[str, str]:
    lab = copy.deepcopy(lab_of(room, stem, dialect))
    changes = next(item for item in lab["profiles"] if item["name"] == profile)["changes"]
    changes["tunnels"]["ipsec"][0]["secret"] = text
    return files_of(lab, profile)


@pytest.mark.parametrize(("room", "stem", "profile"), [("vyos", "tunnels", "ipsec"), ("edgeos", "cavium", "ipsec")])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(text="false")  # an ordinary word of the configuration
@example(text=" ")
@given(text=TEXTS)
def test_secrets_arrive_or_are_refused(room: str, stem: str, profile: str, text: str) -> None:
    dialect = {"vyos": "1.4", "edgeos": "2.0"}[room]
    try:
        files = with_secret(room, stem, dialect, profile, text)
    except RenderError:
        return
    secrets = [path[-1] for path in parse_commands(files["secrets.set"]) if path[-2] in ("secret", "pre-shared-secret")]
    assert secrets == [text]
    assert text == text.strip(" ") and files["config.set"] == with_secret(room, stem, dialect, profile, "calm")["config.set"]


@pytest.mark.parametrize("text", ["Xq9 it's", "Xq9\nsecond line", "Xq9\\back", "0xXq9 notation", "Xq9 " * 30 + '"'])
def test_a_refusal_never_shows_a_secret(text: str) -> None:
    lab = copy.deepcopy(lab_of("vyos", "tunnels", "1.4"))
    changes = next(item for item in lab["profiles"] if item["name"] == "ipsec")["changes"]
    changes["tunnels"]["ipsec"][0]["secret"] = text
    with pytest.raises(RenderError, match="secrets.set") as caught:
        files_of(lab, "ipsec")
    assert "Xq9" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("it's", "single quotes"),
        ('say "x"', "double quotes"),
        ("C:\\x", "backslash"),
        ("two\nlines", "line break"),
        ("tab\there", "line break or another control character"),
    ],
)
def test_what_no_version_takes_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(QuoteError, match=reason):
        value(text)


@pytest.mark.parametrize(
    ("text", "refused_by"),
    [
        ("costs $5", {"1.2", "1.3", "edgeos"}),
        ("`reboot`", {"1.2", "1.3", "edgeos"}),
        ("Straße", {"1.2", "edgeos"}),
        ("#1; a & b <c> ]]> {d} //e /*f*/", set()),
    ],
)
def test_what_some_versions_would_damage(text: str, refused_by: set[str]) -> None:
    for room, dialect in SPEECHES:
        line = f"set interfaces ethernet eth0 description {value(text)}\n"
        name = "edgeos" if room == "edgeos" else dialect
        if name in refused_by:
            with pytest.raises(QuoteError, match="does not take this"):
                commands(line, {"platform": room, "dialect": dialect})
        else:
            assert commands(line, {"platform": room, "dialect": dialect}) == line


def test_every_mistake_is_told_at_once() -> None:
    text = "set interfaces ethernet eth0 description '$x'\nset nonsense\nset system host-name -\n"
    with pytest.raises(QuoteError) as caught:
        commands(text, {"platform": "vyos", "dialect": "1.3"})
    assert "VyOS 1.3 does not take this: nonsense: " in str(caught.value)
    assert "system host-name -: " in str(caught.value) and "'$x': a shell" in str(caught.value)


PEM = "-----BEGIN {0}-----\nQUJD\nREVG\n-----END {0}-----\n"


def test_a_certificate_becomes_one_word() -> None:
    assert base64_body(PEM.format("CERTIFICATE"), "CERTIFICATE") == "QUJDREVG"


@pytest.mark.parametrize(
    "text",
    [
        PEM.format("RSA PRIVATE KEY"),
        PEM.format("ENCRYPTED PRIVATE KEY"),
        PEM.format("PRIVATE KEY") * 2,
        "QUJD",
        PEM.format("PRIVATE KEY").replace("QUJD", "Proc-Type: 4,ENCRYPTED"),
    ],
)
def test_other_keys_are_refused(text: str) -> None:
    with pytest.raises(QuoteError):
        base64_body(text, "PRIVATE KEY")
