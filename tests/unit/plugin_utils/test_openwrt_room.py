# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What room openwrt writes, read back: UCI by uciparse and by libuci's rules, FRR's file by vtysh; the firewall's sentences one by one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from golden_cases import Case, cases, rendered
from uci_check import KNOWN, Section, complaints, parse
from uciparse.uci import UciFile

from ansible_collections.routerlab.bench.plugins.plugin_utils._openwrt_firewall import FirewallError, firewall
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import QuoteError
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_openwrt import posix_zone, tag

FILES = [(case, rendered(case, lab)) for case, lab in cases("openwrt")]
TEXTS = sorted({(name, data.decode()) for _case, files in FILES for name, data in files.items()})
UCI = [(name, text) for name, text in TEXTS if name in KNOWN]
FRR = [text for name, text in TEXTS if name == "frr.conf"]


@pytest.mark.parametrize(("case", "files"), [pytest.param(case, files, id=case.name) for case, files in FILES])
def test_openwrt_has_nothing_to_say_against_it(case: Case, files: dict[str, bytes]) -> None:
    assert complaints({name: data.decode() for name, data in files.items()}) == []


def _by_uciparse(text: str) -> list[tuple[str, str, str, str]]:
    found = []
    section = ""
    for line in UciFile.from_lines(text.splitlines(keepends=True)).lines:
        kind = type(line).__name__
        if kind == "UciConfigLine":
            section = line.name
            found.append(("config", section, line.section, ""))
        elif kind in ("UciOptionLine", "UciListLine"):
            found.append(("option" if kind == "UciOptionLine" else "list", section, line.name, line.value))
    return found


def _ours(sections: list[Section]) -> list[tuple[str, str, str, str]]:
    found = []
    for item in sections:
        found.append(("config", item.name, item.kind, ""))
        for key, value in item.options.items():
            found += [("option", item.name, key, value)] if isinstance(value, str) else [("list", item.name, key, part) for part in value]
    return found


@pytest.mark.parametrize("number", range(len(UCI)))
def test_uciparse_reads_the_same(number: int) -> None:
    text = UCI[number][1]
    if "'\\''" in text:
        pytest.skip("uciparse knows no single quote between quoted parts, which uci export writes")
    assert sorted(_by_uciparse(text)) == sorted(_ours(parse(text)))


SPOILT = [
    ("network", "config interface 'wan'", "config interface 'wan", "a quote is not closed"),
    ("network", "config interface 'wan'", "config interface 'w-an'", "not a line of UCI"),
    ("network", "option proto 'static'", "option prot 'static'", "unknown option prot"),
    ("network", "config interface 'lan'", "config interface 'wan'", "two sections wan"),
    ("network", "config interface 'lan'", "config interfaces 'lan'", "no program knows a section interfaces"),
    ("firewall", "option input 'ACCEPT'", "option input 'ALLOW'", "input 'ALLOW'"),
    ("firewall", "list network 'lan'", "list network 'lam'", "there is no interface lam"),
    ("firewall", "option dest 'wan'", "option dest 'van'", "there is no zone van"),
    ("dhcp", "option interface 'lan'", "option interface 'land'", "there is no interface land"),
    ("dhcp", "option limit '91'", "option limit 'many'", "are numbers"),
]


@pytest.mark.parametrize(("name", "old", "new", "words"), SPOILT)
def test_a_spoilt_file_is_seen(name: str, old: str, new: str, words: str) -> None:
    _case, data = next((case, files) for case, files in FILES if case.lab == "dhcp_wan_nat_zones")
    files = {key: text.decode() for key, text in data.items()}
    assert old in files[name]
    files[name] = files[name].replace(old, new, 1)
    try:
        found = "\n".join(complaints(files))
    except ValueError as error:
        found = str(error)
    assert words in found


@pytest.mark.skipif(shutil.which("vtysh") is None, reason="vtysh (package frr) is not installed")
@pytest.mark.parametrize("number", [*range(len(FRR)), None])
def test_frr_reads_its_file(number: int | None, tmp_path: Path) -> None:
    text = FRR[number] if number is not None else FRR[0].replace("router-id", "router-ix")
    (tmp_path / "frr.conf").write_text(text)
    done = subprocess.run(["vtysh", "-C", "-f", str(tmp_path / "frr.conf")], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (number is not None), done.stdout + done.stderr


def _model(mode: str, **firewall_part: Any) -> dict[str, Any]:
    """As much of a model as the firewall asks for."""
    empty = {"mode": mode, "rule_sets": [], "bindings": [], "zones": [], "zone_pairs": [], **firewall_part}
    interfaces = [{"name": name} for name in ("wan", "lan", "dmz")]
    tunnels: dict[str, list[Any]] = {"wireguard": [], "openvpn": [], "ipsec": []}
    return {"firewall": empty, "interfaces": interfaces, "tunnels": tunnels, "offload": {"flow": "none"}, "nat": {"rules": [], "outside": []}}


def _set(name: str, default: str, *rules: dict[str, Any]) -> dict[str, Any]:
    empty = {"states": [], "protocol": "any", "icmp_type": None, "source": None, "destination": None, "source_ports": [], "destination_ports": []}
    numbered = [{"number": number, "description": None, "log": False, **empty, **rule} for number, rule in enumerate(rules, 1)]
    return {"name": name, "default": default, "rules": numbered}


ANSWERS = {"action": "accept", "states": ["established", "related"]}


def test_nothing_is_filtered_without_a_firewall() -> None:
    found = firewall(_model("none"))
    assert (found["policy"], found["zones"], found["rules"], found["forwardings"]) == ("accept", [], [], [])


def test_a_bound_interface_is_a_zone_and_the_rest_another() -> None:
    sets = [_set("IN", "drop", ANSWERS, {"action": "accept", "protocol": "esp", "states": ["new"]})]
    found = firewall(_model("stateful", rule_sets=sets, bindings=[{"interface": "wan", "in": "IN", "out": None, "local": None}]))
    assert [(zone["name"], zone["networks"], zone["input"], zone["forward"]) for zone in found["zones"]] == [
        ("wan", ["wan"], "accept", "drop"),
        ("inside", ["lan", "dmz"], "accept", "accept"),
    ]
    assert [(item["src"], item["dest"]) for item in found["forwardings"]] == [("inside", "wan")]
    assert [(rule["src"], rule["dest"], rule["protocol"], rule["action"]) for rule in found["rules"]] == [("wan", "inside", "esp", "accept")]


def test_two_sets_become_one_where_the_first_only_forbids() -> None:
    sets = [_set("IN", "accept", {"action": "drop", "protocol": "gre"}), _set("OUT", "reject", ANSWERS, {"action": "accept", "protocol": "esp"})]
    both = [{"interface": "lan", "in": "IN", "out": None, "local": None}, {"interface": "wan", "in": None, "out": "OUT", "local": None}]
    found = firewall(_model("stateful", rule_sets=sets, bindings=both))
    rules = [(rule["protocol"], rule["action"]) for rule in found["rules"] if (rule["src"], rule["dest"]) == ("lan", "wan")]
    assert rules == [("gre", "drop"), ("esp", "accept"), ("any", "reject")]


def test_a_closed_first_set_ends_it() -> None:
    sets = [_set("IN", "drop", ANSWERS), _set("OUT", "accept", {"action": "accept", "protocol": "esp"})]
    both = [{"interface": "lan", "in": "IN", "out": None, "local": None}, {"interface": "wan", "in": None, "out": "OUT", "local": None}]
    found = firewall(_model("stateful", rule_sets=sets, bindings=both))
    assert not [rule for rule in found["rules"] if (rule["src"], rule["dest"]) == ("lan", "wan")]
    assert ("lan", "wan") not in [(item["src"], item["dest"]) for item in found["forwardings"]]


def test_names_that_would_merge_are_refused() -> None:
    zone = {"local": False, "default": "drop", "intra": "accept", "tunnels": []}
    zones = [{**zone, "name": "A-B", "interfaces": ["wan"]}, {**zone, "name": "A_B", "interfaces": ["lan"]}]
    with pytest.raises(FirewallError, match="zone_A_B"):
        firewall(_model("zones", zones=zones))


def test_the_tag_of_a_device() -> None:
    assert tag("eth0.4094") == "4094"
    for native in ("eth0", "eth0.0", "eth0.4095", "eth0.x", "eth0.1.2"):
        with pytest.raises(QuoteError, match="VLAN"):
            tag(native)


def test_time_zones() -> None:
    assert posix_zone("UTC") == "'UTC'"
    assert posix_zone("Europe/Vienna") == "'CET-1CEST,M3.5.0,M10.5.0/3'"
    for name in ("Mars/Olympus", "../../../etc/passwd", "zone.tab"):
        with pytest.raises(QuoteError, match="tz database"):
            posix_zone(name)
