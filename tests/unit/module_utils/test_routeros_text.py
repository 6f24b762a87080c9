# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""RouterOS' texts: escapes, API words that are not UTF-8, times and numbers, what a terminal shows, exports with a date.

The inputs are those of public bug reports; none was captured here.
"""

from __future__ import annotations

from typing import Any, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils import _routeros_text as text_of
from ansible_collections.routerlab.bench.plugins.module_utils._routeros_script import parse_script


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("plain-1.2:3/4,5+6", "plain-1.2:3/4,5+6"),
        ("!dstnat", "!dstnat"),
        ("", '""'),
        ("two words?", '"two words\\3F"'),
        ('a "b" \\ $c', '"a \\"b\\" \\\\ \\$c"'),
        ("café", '"caf\\C3\\A9"'),
        ("a=b", '"a=b"'),
        ("[x] {y} (z); #1", '"[x] {y} (z); #1"'),
    ],
)
def test_a_value_is_quoted_where_it_must_be(text: str, quoted: str) -> None:
    assert text_of.quote(text) == quoted
    assert text_of.unquote(quoted.strip('"')) == text or quoted[0] == '"' and text_of.unquote(quoted[1:-1]) == text


@given(st.text())
def test_every_text_comes_back(text: str) -> None:
    if any("\ud800" <= char <= "\udfff" for char in text):
        return
    quoted = text_of.quote(text)
    assert quoted.isascii() and quoted.isprintable()
    assert (text_of.unquote(quoted[1:-1]) if quoted.startswith('"') else quoted) == text


@pytest.mark.parametrize(
    ("inner", "text"),
    [("two\\_words\\3F", "two words?"), ("a\\nb\\tc\\rd", "a\nb\tc\rd"), ("\\?\\$\\\"\\\\", '?$"\\'), ("caf\\E9", "café")],
)
def test_escapes_of_an_export(inner: str, text: str) -> None:
    assert text_of.unquote(inner) == text


@pytest.mark.parametrize("inner", ["\\x", "\\3f", "\\zz"])
def test_an_escape_that_there_is_not(inner: str) -> None:
    with pytest.raises(ValueError, match="no escape"):
        text_of.unquote(inner)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (b"=.id=*3", (".id", "*3", True)),
        (b"=comment=caf\xe9 table=4", ("comment", "café table=4", False)),
        (b"=comment=caf\xc3\xa9", ("comment", "café", True)),
        (b"=host-name=lab\xae", ("host-name", "lab®", False)),
        (b"=comment=a=b", ("comment", "a=b", True)),
        (b"=comment=\x81\x8d", ("comment", "\x81\x8d", False)),
        (b"=passive=", ("passive", "", True)),
    ],
)
def test_a_word_of_the_api(word: bytes, expected: tuple[str, str, bool]) -> None:
    assert text_of.attribute(word) == expected


@pytest.mark.parametrize("word", [b"!re", b"!done", b".tag=3", b"=", b"==x", b"=name", b""])
def test_a_word_that_is_no_attribute(word: bytes) -> None:
    with pytest.raises(ValueError, match="not an attribute word"):
        text_of.attribute(word)


@given(st.binary())
def test_no_byte_loses_a_table(data: bytes) -> None:
    name, _text, _exact = text_of.attribute(b"=comment=" + data)
    assert name == "comment"


@pytest.mark.parametrize(
    ("read", "spelled", "value"),
    [
        (text_of.boolean, "false", False),
        (text_of.boolean, "no", False),
        (text_of.boolean, "true", True),
        (text_of.seconds, "1w2d3h", 788400),
        (text_of.seconds, "10m", 600),
        (text_of.seconds, "00:10:00", 600),
        (text_of.seconds, "1d01:00:05", 90005),
        (text_of.seconds, "600", 600),
        (text_of.number, "3%", 3),
        (text_of.number, "-12", -12),
        (text_of.number, "1 000", 1000),
        (text_of.rate, "850M", 850_000_000),
        (text_of.rate, "850000000", 850_000_000),
    ],
)
def test_values_are_typed_by_what_they_are(read: Callable[[str], Any], spelled: str, value: Any) -> None:
    assert read(spelled) == value and type(read(spelled)) is type(value)


@pytest.mark.parametrize(
    ("read", "spelled"),
    [(text_of.boolean, ""), (text_of.boolean, "False"), (text_of.seconds, ""), (text_of.seconds, "3h1w"), (text_of.number, "many"), (text_of.rate, "fast")],
)
def test_what_is_no_value_of_the_kind(read: Callable[[str], Any], spelled: str) -> None:
    with pytest.raises(ValueError):
        read(spelled)


@given(st.integers(0, 10**8))
def test_times_come_back(count: int) -> None:
    assert text_of.seconds(text_of.duration(count)) == count


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("yes", "true", True),
        ("10m", "00:10:00", True),
        ("850M", "850000000", True),
        ("10.0.0.1,10.0.0.2", "10.0.0.1, 10.0.0.2", True),
        ("yes", "no", False),
        ("a", "b", False),
        ("10m", "10s", False),
    ],
)
def test_two_spellings_of_one_value(one: str, other: str, same: bool) -> None:
    assert text_of.same_value(one, other) is same


IDENTITIES = ["edge-router-01.lab.example.net", "MikroTik", "a, b/c.d e", "x" * 64]


@pytest.mark.parametrize("identity", IDENTITIES)
@pytest.mark.parametrize("rest", ["] > ", "] /ip address> ", "] /ip/address> ", "] ip address> ", "] <SAFE> ", "] /interface<SAFE> ", "] >"])
def test_a_prompt_is_known_by_its_structure(identity: str, rest: str) -> None:
    prompt = f"\r\n\x1b[9999B[labadmin@{identity}{rest}"
    assert text_of.at_prompt(prompt)
    assert not text_of.at_prompt(prompt.replace(">", ""))


@pytest.mark.parametrize("text", ["", "a > b", "[a@b] is not finished", "Do you want to see the license? [Y/n]:", "reboot? [y/N]:", "\n[Q quit|D dump]>"])
def test_what_is_no_prompt(text: str) -> None:
    assert not text_of.at_prompt(text)


def test_an_answer_without_echo_wraps_and_prompt() -> None:
    command = "/ip address print where " + "x" * 276
    wrapped = "\r\n".join(command[start : start + 80] for start in range(0, len(command), 80))
    received = f"{wrapped}\x1b[K\r\nline one\r\n\x1b[9999Bline two\r\n\r\n[labadmin@edge-router-01.lab.example.net] > "
    assert len(command) == 300
    assert text_of.answer(received, command) == "line one\nline two"
    assert text_of.answer("line one\r\n[a@b] > ", command) == "line one"


def test_the_name_to_log_in_with() -> None:
    assert text_of.login_name("labadmin") == "labadmin+cet1024w"


EXPORT = """\
# {0} by RouterOS 7.14.3
# software id = ABCD-EFGH
# model = RB450Gx4
# serial number = 123
/ip address
add address=10.0.0.1/24 comment="a long text that goes \\
    on \\
# and on" interface=ether1
/system identity
set name=r1
"""


def test_two_exports_of_one_configuration_are_equal() -> None:
    first, second = EXPORT.format("2024-04-27 17:27:24"), EXPORT.format("2024-04-27 17:28:00").replace("\n", "\r\n")
    assert text_of.without_comments(first) == text_of.without_comments(second)
    assert parse_script(first) == parse_script(second)
    assert text_of.without_comments(first) != text_of.without_comments(second.replace("name=r1", "name=r2"))


def test_a_value_that_looks_like_a_comment_stays() -> None:
    kept = text_of.without_comments(EXPORT.format("2024-04-27"))
    assert "# and on" in kept and "serial" not in kept
    assert parse_script(kept)[0].values["comment"] == "a long text that goes on # and on"
