# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lab from its variable and files: Jinja, vaults, places, and the inventory's groups."""

from __future__ import annotations

import copy
import datetime
from pathlib import Path
from typing import Any

import lab_data
import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_hosts import check_hosts
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_report import Found, examine, summary
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import FAILED, inventory_files, place, plain_lab, read_sources

GROUPS = {"routers": ["r1", "r2"], "endpoints": ["a", "b"]}
NOWHERE = Found([], {})


def render(text: str) -> Any:
    """Stands for Ansible's templar: knows two variables, as text like ansible-core 2.18 and as they are."""
    known = {"{{ number }}": "1500", "{{ truth }}": "True", "{{ list }}": [{"name": "x", "subnet": "{{ never }}"}], "{{ word }}": "12"}
    if text not in known:
        raise ValueError(f"'{text[3:-3]}' is undefined\nand more")
    return known[text]


def codes(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in problems]


def examined(lab: Any, groups: Any = None, found: Found = NOWHERE) -> list[Problem]:
    return examine(lab, render, groups, found, lab_data.PLATFORMS)[1]


def test_jinja_makes_what_the_schema_asks_for() -> None:
    raw = {"networks": "{{ list }}", "routers": [{"name": "r", "version": "{{ word }}", "managed": "{{ truth }}"}], "title": "plain {"}
    raw["common"] = {"interfaces": [{"name": "wan", "mtu": "{{ number }}"}]}
    lab, problems = plain_lab(raw, render)
    assert problems == []
    assert lab["common"]["interfaces"][0]["mtu"] == 1500
    assert lab["routers"] == [{"name": "r", "version": "12", "managed": True}]
    assert lab["networks"] == [{"name": "x", "subnet": "{{ never }}"}], "what Jinja made is not made again"


def test_jinja_that_fails_is_told_with_its_path_and_hides_nothing() -> None:
    lab = {"name": "{{ nothing }}", "networks": [{"name": "lan", "mtu": "{{ missing }}"}], "routers": [], "titel": "x"}
    problems = examined(lab)
    assert codes(problems) == [("TEMPLATE", "lab.name"), ("TEMPLATE", "lab.networks[lan].mtu"), ("UNKNOWN_KEY", "lab.titel")]
    assert "'nothing' is undefined and more" in str(problems[0])


def test_vaults_are_opened_and_a_closed_one_is_told() -> None:
    class EncryptedString:
        def __init__(self, text: str) -> None:
            self.text = text

        def __str__(self) -> str:
            if not self.text:
                raise ValueError("no vault secrets found")
            return self.text

    lab, problems = plain_lab({"a": EncryptedString("{{ not Jinja }}"), "b": EncryptedString("")}, render)
    assert lab == {"a": "{{ not Jinja }}", "b": FAILED}
    assert codes(problems) == [("TEMPLATE", "lab.b")]


def test_plain_data_has_the_languages_own_types() -> None:
    class Text(str):
        pass

    class Number(int):
        pass

    day = datetime.date(2019, 8, 23)
    lab, _problems = plain_lab({Text("key"): (Text("x"), Number(5), True, None, 1.5, day), True: 1}, render)
    assert [type(item) for item in lab["key"]] == [str, int, bool, type(None), float, datetime.date]
    assert {type(key) for key in lab} == {str, bool}


def test_the_inventory_and_the_lab_name_the_same_hosts() -> None:
    lab = lab_data.named_lab("small")
    assert check_hosts(lab, GROUPS) == []
    problems = check_hosts(lab, {"routers": ["r1", "rr2"], "endpoints": ["a", "b", "c"]})
    assert codes(problems) == [("NO_HOST", "lab.routers[r2].name"), ("NOT_IN_LAB", "groups.routers"), ("NOT_IN_LAB", "groups.endpoints")]
    assert "did you mean rr2?" in problems[0].valid
    lab["routers"][1]["managed"] = False
    assert codes(check_hosts(lab, {**GROUPS, "routers": ["r1"]})) == [], "somebody else's router need not be a host"
    assert codes(check_hosts(lab, {})) == [("NO_HOST", "lab.routers[r1].name"), *[("NO_HOST", f"lab.endpoints[{name}].name") for name in "ab"]]


def test_no_variable_at_all() -> None:
    problems = examined(None)
    assert codes(problems) == [("MISSING", "lab")]
    assert summary(None, problems)["msg"].startswith("The lab has 1 error:\n  lab: this variable is not defined")


def test_a_sound_lab_says_what_it_holds() -> None:
    lab = lab_data.named_lab("small")
    assert examined(lab, GROUPS) == []
    assert summary(lab, [])["msg"] == "Lab small is sound: 2 routers, 2 profiles."


@pytest.mark.parametrize("lab", [[], "text", 5, {}, {"routers": {}}, {"routers": [5]}])
def test_shapes_that_are_no_lab(lab: Any) -> None:
    assert examined(lab, GROUPS)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_of_an_inventory(tmp_path: Path) -> None:
    wanted = [write(tmp_path, f"inv/{name}", "---\n") for name in ("hosts.yml", "group_vars/all/lab.yml", "group_vars/routers", "host_vars/r1.yaml")]
    for name in ("README.md", "hosts.ini", "group_vars/all/.hidden.yml", "group_vars/all/lab.yml~", "other/x.yml"):
        write(tmp_path, f"inv/{name}", "---\n")
    beside, extra = write(tmp_path, "play/group_vars/all.yml", "---\n"), write(tmp_path, "more.yml", "---\n")
    found = inventory_files([str(tmp_path / "inv")], [str(tmp_path / "play")], [f"@{extra}", "a=b", f"@{tmp_path}/nothing.yml"])
    assert sorted(found) == sorted([*wanted, beside, extra])
    assert sorted(inventory_files([str(tmp_path / "inv/hosts.yml")])) == sorted(wanted)


def test_places_of_what_is_written(tmp_path: Path) -> None:
    text = (
        "lab:\n  common:\n    nat:\n      enabled: true\n    ports:\n      - {name: wan}\n  routers:\n    - name: r1\n      ports:\n"
        "        - name: wan\n          native: eth0\n  profiles:\n    - name: p\n      changes:\n        nat: {enabled: false}\n"
    )
    problems, places = read_sources([write(tmp_path, "lab.yml", text)], tmp_path)
    assert problems == []
    lines = {
        "lab.routers[r1].nat.enabled": 4,
        "lab.routers[r1].nat.rules[x].interface": 3,
        "lab.routers[r1] (profile p).nat.enabled": 15,
        "lab.routers[r1].ports[wan].native": 11,
        "lab.routers[r1].version": 8,
        "lab.common.nat.enabled": 4,
        "lab.networks": 0,
    }
    found = {path: place(Problem(path, NOTHING, "x"), places) for path in lines}
    assert {path: problem.line for path, problem in found.items()} == lines
    assert str(found["lab.common.nat.enabled"]).endswith("[INVALID] lab.yml:4")


def test_of_two_words_about_one_path_the_one_with_the_line_stays(tmp_path: Path) -> None:
    text = "lab: {name: small, routers: [{name: r1, version: 12.10}]}\n"
    found = Found(*read_sources([write(tmp_path, "lab.yml", text)], tmp_path))
    lab = copy.deepcopy(lab_data.named_lab("small"))
    lab["routers"][0]["version"] = 12.1
    assert codes(examined(lab, GROUPS, found)) == [("YAML_NUMBER", "lab.routers[r1].version")]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "latin.yml"
    path.write_bytes(b"lab: \xe9\n")
    assert codes(read_sources([path], tmp_path)[0]) == [("YAML_SYNTAX", "(file)")]


def test_a_problem_as_data_shows_no_secret() -> None:
    plain = Problem("lab.x.secret", "hidden-word", "is wrong", "another", "FORMAT", "lab.yml", 3).as_dict()
    assert plain == {"path": "lab.x.secret", "value": "(not shown)", "message": "is wrong", "valid": "another", "code": "FORMAT", "file": "lab.yml", "line": 3}
