# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a text holds: it arrives in Untangle's settings as it was written, or is refused; it never becomes another property."""

from __future__ import annotations

import copy
import functools
import json
from typing import Any

import pytest
from golden_cases import lab_files, load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from untangle_check import items

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_untangle import java, value
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

NASTY = list("'\"#$&<>;|*(){}[]`\\/!~%=,: \t\n\r\x00\x7f\x85\u2028éßж字?@^")
NASTY += ["]]>", '", "x": "', "\\u0022", "{{", "null", '"}', "//", "a", "😀"]
TEXTS = st.one_of(st.lists(st.sampled_from(NASTY), min_size=1, max_size=12).map("".join), st.text(min_size=1, max_size=40))
NEVER = "\n\r\t\x00\x7f\x85\u2028"


@functools.lru_cache(maxsize=None)
def lab_of(stem: str) -> dict[str, Any]:
    return load(lab_files("untangle")[stem], "untangle", "17.5")


def files_of(lab: dict[str, Any], profile: str | None = None) -> dict[str, Any]:
    return {artifact.file: artifact.text for artifact in render_lab(lab, "dut", profile, platforms())}


def shape(data: Any) -> Any:
    """A structure without its texts."""
    if isinstance(data, dict):
        return {key: shape(item) for key, item in data.items()}
    return [shape(item) for item in data] if isinstance(data, list) else type(data).__name__


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
def test_texts_arrive_or_are_refused(text: str) -> None:
    lab = copy.deepcopy(lab_of("dhcp_wan_nat_zones"))
    calm = json.loads(files_of(lab)["network.json"])
    lab["common"]["interfaces"][0]["description"] = text
    lab["common"]["firewall"]["rule_sets"][1]["rules"][1]["description"] = text
    try:
        data = json.loads(files_of(lab)["network.json"])
    except RenderError as error:
        assert "dut: network (network.json): " in str(error) and "control character" in str(error)
        return
    assert not set(text) & set(NEVER)
    assert shape(data) == shape(calm)
    assert items(data, "interfaces")[0]["name"] == text
    assert items(data, "accessRules")[0]["description"] == f"routerlab: OUTSIDE-LOCAL 20: {text}"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS)
def test_secrets_and_snmp_texts_arrive_or_are_refused(text: str) -> None:
    lab = copy.deepcopy(lab_of("shaper"))
    changes = next(item for item in lab["profiles"] if item["name"] == "ipsec")["changes"]
    changes["tunnels"]["ipsec"][0]["secret"] = text
    try:
        tunnels = items(json.loads(files_of(lab, "ipsec")["ipsec.json"]), "tunnels")
    except RenderError:
        assert set(text) & set(NEVER) or not text.isprintable()
    else:
        assert [tunnel["secret"] for tunnel in tunnels] == [text, "short"]
    lab["common"]["system"]["snmp"] = {"enabled": True, "community": "golden-lab", "location": text}
    try:
        snmp = json.loads(files_of(lab)["snmp.json"])
    except RenderError as error:
        assert "snmpd.conf" in str(error)
    else:
        assert snmp["sysLocation"] == text == text.strip()


@pytest.mark.parametrize("text", ["Xq9\nsecond line", "Xq9\x00", "Xq9 " * 30 + "\t"])
def test_a_refusal_never_shows_a_secret(text: str) -> None:
    lab = copy.deepcopy(lab_of("shaper"))
    next(item for item in lab["profiles"] if item["name"] == "ipsec")["changes"]["tunnels"]["ipsec"][0]["secret"] = text
    with pytest.raises(RenderError, match="ipsec.json") as caught:
        files_of(lab, "ipsec")
    assert "Xq9" not in str(caught.value)


def test_values() -> None:
    assert [value(given) for given in ('a "b" \\', 7, True, None, "Straße")] == ['"a \\"b\\" \\\\"', "7", "true", "null", '"Stra\\u00dfe"']
    with pytest.raises(QuoteError, match="line break"):
        value("a\nb")


def test_what_is_no_json_or_no_setting_is_refused() -> None:
    with pytest.raises(QuoteError, match="no JSON"):
        java("{", {"dialect": "14"}, "uvm.SnmpSettings")
    with pytest.raises(QuoteError, match="Untangle 14 does not take this: SnmpSettings.community: .*; SnmpSettings.port: 'x' is no int"):
        java('{"community": "a", "port": "x"}', {"dialect": "14"}, "uvm.SnmpSettings")
