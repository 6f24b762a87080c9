# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every mistake that a lab can hold, as pairs of files.

``lab_cases/<case>.yml`` starts from a lab (``base``), lays ``wrong`` on it and gets the messages of ``<case>.expected``;
``right`` is the near miss that must get none. ``lab_cases/yaml/<case>.yml`` is the text of an inventory's file, scanned
for what YAML changed. With UPDATE_EXPECTED=1 the ``.expected`` files are written anew: read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import lab_data
import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import merge
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_yaml import scan

FOLDER = Path(__file__).parent / "lab_cases"
CASES = sorted(FOLDER.glob("*.yml"))
TEXTS = sorted((FOLDER / "yaml").glob("*.yml"))


def problems_of(case: dict[str, Any], side: str) -> list[str]:
    """The messages that one side of a case gets. A case without ``base`` is a lab of its own; a base may be a write-up's lab."""
    name = case.get("base")
    seed = str(name).startswith("seed_")
    base = (lab_data.seed_lab(name) if seed else lab_data.named_lab(name)) if name else {}
    change = case[side]
    lab = merge(base, change) if isinstance(change, dict) else change
    return [str(problem) for problem in check_lab(lab, lab_data.ABLE if seed else lab_data.PLATFORMS)]


def compare(found: list[str], path: Path) -> None:
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_mistake_and_its_near_miss(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(case) <= {"about", "base", "wrong", "right"}
    compare(problems_of(case, "wrong"), path.with_suffix(".expected"))
    if "right" in case:
        assert problems_of(case, "right") == []


@pytest.mark.parametrize("path", sorted((FOLDER / "labs").glob("*.yml")), ids=lambda path: path.stem)
def test_what_the_cases_start_from_is_sound(path: Path) -> None:
    assert check_lab(lab_data.read_lab(path), lab_data.PLATFORMS) == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_what_yaml_changes_is_seen_in_the_text(path: Path) -> None:
    compare([str(problem) for problem in scan(path.read_text(encoding="utf-8"), path.name).problems], path.with_suffix(".expected"))


def test_every_pair_is_whole() -> None:
    expected = {path.with_suffix(".yml") for path in FOLDER.rglob("*.expected")}
    assert expected == {*CASES, *TEXTS}
