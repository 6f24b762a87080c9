# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The starters: a room made by scripts/new_platform passes the tests of every room once it is filled in, and not before; the lab is a sound one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._features import FEATURES
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_hosts import check_hosts
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms

ROOT = Path(__file__).resolve().parents[2]
# What the tests of rooms need; of the rooms themselves only the new one.
PARTS = ["plugins", "scripts", "templates", "tests/conftest.py", "tests/unit/conftest.py", "tests/unit/helpers", "tests/golden/labs", "tests/unit/test_tree.py",
         "tests/unit/plugin_utils/test_golden.py", "roles/lab", "roles/router", "pyproject.toml", "galaxy.yml"]
OF_THE_TREE = ("names_say_what_they_are", "every_role_introduces_itself", "every_room_has_the_same_names", "nothing_of_a_starter_is_left_open")
ROOM_TESTS = ["tests/unit/plugin_utils/test_golden.py", *(f"tests/unit/test_tree.py::test_{name}" for name in OF_THE_TREE)]


@pytest.fixture()
def copy(tmp_path: Path) -> Path:
    """A checkout that has no rooms yet."""
    for part in PARTS:
        source, target = ROOT / part, tmp_path / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    return tmp_path


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def room_tests(copy: Path) -> subprocess.CompletedProcess[str]:
    # one takes room debian for its example
    return run(copy, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not changed_byte", *ROOM_TESTS)


def fill_in(copy: Path) -> None:
    """Do what the marks ask for, in the shortest way: the starter's own syntax is the platform's."""
    for folder in ("roles/acmeos", "tests/golden/acmeos"):
        for path in (item for item in (copy / folder).rglob("*") if item.is_file()):
            text = re.sub(r"\{# FILL IN:.*?#\}\n", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            path.write_text(re.sub(r"(?m) ?FILL IN:.*$", "", text), encoding="utf-8")


def test_a_room_from_the_starter(copy: Path) -> None:
    made = run(copy, "scripts/new_platform", "acmeos", "Acme OS")
    assert made.returncode == 0, made.stderr
    marks = re.findall(r"^  ((?:roles|tests/golden)/acmeos/\S+:\d+): ", made.stdout, re.MULTILINE)
    assert len(marks) > 10 and f"{len(marks)} things are left to fill in" in made.stdout
    assert run(copy, "scripts/golden", "acmeos").returncode == 0
    early = room_tests(copy)
    assert early.returncode == 1 and "test_nothing_of_a_starter_is_left_open" in early.stdout and "1 failed" in early.stdout, early.stdout[-3000:]
    fill_in(copy)
    assert run(copy, "scripts/golden", "acmeos").returncode == 0
    late = room_tests(copy)
    assert late.returncode == 0, late.stdout[-3000:]
    assert "Nothing is left to fill in." in run(copy, "scripts/new_platform", "acmeos").stdout
    golden = (copy / "tests/golden/acmeos/first/1/base/dut/config.txt").read_text(encoding="utf-8")
    assert "hostname dut\n" in golden and "    address 10.222.222.1/24\n" in golden
    texts = [path.read_text(encoding="utf-8") for path in (copy / "roles/acmeos").rglob("*") if path.is_file()]
    assert not [text for text in texts if re.search("newplatform|New Platform", text)]


def test_a_claim_that_nothing_shows_is_seen(copy: Path) -> None:
    assert run(copy, "scripts/new_platform", "acmeos", "Acme OS").returncode == 0
    path = copy / "roles/acmeos/platform.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("  ospf: this room does not write it yet", "  ospf: true"), encoding="utf-8")
    fill_in(copy)
    assert run(copy, "scripts/golden", "acmeos").returncode == 0
    found = room_tests(copy)
    assert found.returncode == 1 and "1: ospf (OSPFv2)" in found.stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["Acme OS"], "cannot be the name of a role"),
        (["newplatform"], "cannot be the name of a role"),
        (["router"], "roles/router is a role of another kind"),
        (["acmeos", "<b>"], "letters, digits, spaces"),
        ([], "Makes the room of a new platform"),
    ],
)
def test_what_is_no_name(words: list[str], reason: str, copy: Path) -> None:
    done = run(copy, "scripts/new_platform", *words)
    assert done.returncode == 2 and reason in done.stderr
    assert not (copy / "roles/acmeos").exists() and not (copy / "tests/golden/acmeos").exists()


def test_a_room_is_never_written_over(copy: Path) -> None:
    assert run(copy, "scripts/new_platform", "acmeos", "Acme OS").returncode == 0
    (copy / "roles/acmeos/README.md").write_text("mine", encoding="utf-8")
    again = run(copy, "scripts/new_platform", "acmeos", "Acme OS")
    assert again.returncode == 2 and "roles/acmeos is there already" in again.stderr
    assert (copy / "roles/acmeos/README.md").read_text(encoding="utf-8") == "mine"


def test_a_new_room_answers_for_every_feature(copy: Path) -> None:
    assert run(copy, "scripts/new_platform", "acmeos").returncode == 0
    answers = yaml.safe_load((copy / "roles/acmeos/platform.yml").read_text(encoding="utf-8"))["features"]
    assert sorted(answers) == sorted(FEATURES)
    assert [name for name, value in answers.items() if value is True] == ["vlan_trunk", "plain_ports"]


def starter_lab() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "templates/lab/group_vars/all/lab.yml").read_text(encoding="utf-8"))["lab"])


def test_the_starter_of_a_lab_is_sound() -> None:
    assert [str(problem) for problem in check_lab(starter_lab(), platforms())] == []


def test_the_starter_of_a_lab_and_its_inventory_agree() -> None:
    groups = yaml.safe_load((ROOT / "templates/lab/hosts.yml").read_text(encoding="utf-8"))["all"]["children"]
    assert check_hosts(starter_lab(), {name: list(group["hosts"]) for name, group in groups.items()}) == []
