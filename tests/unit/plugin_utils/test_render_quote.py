# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Quoting: whatever the text, it comes back out of the language as it went in, or is refused."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import (
    QUOTES,
    QuoteError,
    comment,
    ifupdown,
    isc,
    json_text,
    nft,
    pem,
    refuse,
    shell,
    snmpd,
    swanctl,
    swanctl_secret,
)

NASTY = ["", "a b", "#", "$(id)", "`id`", "&", "<x>", "]]>", "\\", 'say "hi"', "it's", "grün", "${x}", "%s", ";", "{", "'", "!", "\\n", "a\\", "0x41", "0sQQ=="]
TEXTS = st.one_of(st.sampled_from(NASTY), st.text(max_size=60))
BROKEN = ["a\nb", "a\rb", "a\0b", "\x1b[31m", "a\u2028b", "\x85"]
ONE_LINE = [name for name in sorted(QUOTES) if name not in ("pem", "refuse")]


@pytest.mark.parametrize("name", ONE_LINE)
@pytest.mark.parametrize("text", BROKEN)
def test_a_line_break_is_refused_everywhere(name: str, text: str) -> None:
    with pytest.raises(QuoteError, match="line break or another control character"):
        QUOTES[name](text)


@pytest.mark.parametrize("name", ONE_LINE)
@given(text=TEXTS)
@settings(max_examples=200, deadline=None)
def test_what_comes_out_is_one_line(name: str, text: str) -> None:
    try:
        quoted = QUOTES[name](text)
    except QuoteError as error:
        assert str(error)
    else:
        assert len(quoted.splitlines()) <= 1


@given(text=TEXTS)
@settings(max_examples=300, deadline=None)
def test_json_reads_it_back(text: str) -> None:
    try:
        quoted = json_text(text)
    except QuoteError:
        return
    assert json.loads(quoted) == text


@pytest.mark.parametrize("text", [text for text in NASTY if text])
def test_a_shell_reads_it_back(text: str) -> None:
    done = subprocess.run(["/bin/sh", "-c", f"printf %s {shell(text)}"], capture_output=True, check=True)
    assert done.stdout.decode() == text


@given(text=TEXTS)
@settings(max_examples=300, deadline=None)
def test_a_shell_word_never_ends_early(text: str) -> None:
    try:
        quoted = shell(text)
    except QuoteError:
        return
    assert re.fullmatch(r"'[^']*'(?:\"'\"'[^']*')*", quoted)


def backslashed(quoted: str) -> str:
    """What a reader with backslashes finds between double quotes."""
    assert re.fullmatch(r'"(?:[^"\\]|\\["\\])*"', quoted), quoted
    return re.sub(r"\\(.)", r"\1", quoted[1:-1])


@given(text=TEXTS)
@settings(max_examples=300, deadline=None)
def test_quoted_strings_are_closed_where_they_should_be(text: str) -> None:
    for quote in (isc, swanctl):
        try:
            quoted = quote(text)
        except QuoteError:
            continue
        assert backslashed(quoted) == text


@given(text=TEXTS)
@settings(max_examples=300, deadline=None)
def test_nft_has_no_escapes(text: str) -> None:
    try:
        quoted = nft(text)
    except QuoteError:
        assert '"' in text or len(text.encode("utf-8", "surrogatepass")) > 127 or re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", text)
    else:
        assert quoted == f'"{text}"' and quoted.count('"') == 2


@pytest.mark.parametrize("text", ["back\\slash", "${x}", "<% x %>", "</%def>"])
def test_ifupdown2_gives_a_meaning_to_some_characters_of_a_comment(text: str) -> None:
    with pytest.raises(QuoteError, match="even in a comment"):
        ifupdown(text)


@pytest.mark.parametrize("text", ["# auto eth9", "100 %", "$5", "<WAN>", 'Port 1 & "two"'])
def test_an_ordinary_comment_passes(text: str) -> None:
    assert ifupdown(text) == comment(text) == text


@pytest.mark.parametrize("text", [" a", "a ", "x" * 256])
def test_snmpd_would_lose_it(text: str) -> None:
    with pytest.raises(QuoteError):
        snmpd(text)


@pytest.mark.parametrize(("text", "quoted"), [("0x41", "0sMHg0MQ=="), ("0SQQ==", "0sMFNRUT09"), ("plain", '"plain"')])
def test_a_secret_is_not_taken_for_a_notation(text: str, quoted: str) -> None:
    assert swanctl_secret(text) == quoted


PEM = "-----BEGIN CERTIFICATE-----\nMIIB+/=\n-----END CERTIFICATE-----"


@pytest.mark.parametrize("text", [PEM, PEM + "\n", "\n" + PEM + "\n\n", PEM.replace("\n", "\r\n")])
def test_pem_blocks_pass(text: str) -> None:
    assert pem(text) == PEM


NO_PEM = ["", "x", PEM.replace("MIIB", "</ca>"), PEM + "\nup /bin/sh", "-----BEGIN X-----\nAA", PEM.replace("MIIB", "MI\nscript-security 2;")]


@pytest.mark.parametrize("text", NO_PEM)
def test_other_things_are_no_pem(text: str) -> None:
    with pytest.raises(QuoteError):
        pem(text)


def test_a_message_is_cut() -> None:
    with pytest.raises(QuoteError) as raised:
        nft('"' * 500)
    assert len(str(raised.value)) < 200


def test_refuse_says_what_it_is_given() -> None:
    with pytest.raises(QuoteError, match="^no$"):
        refuse("no")
