# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a room refuses and in which words, as pairs of files.

``refused_cases/<room>/<case>.yml`` names a golden lab, a version, and changes to the lab's `common` that the platform cannot carry (or
the lab's own `profile` that it cannot). ``<case>.expected`` has the messages: those of the check before anything is rendered, else that
of the rendering. With UPDATE_EXPECTED=1 the ``.expected`` files are written anew: read the difference before it is committed.
"""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from golden_cases import lab_files, room_of

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import merge
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, render_lab

FOLDER = Path(__file__).parent / "refused_cases"
CASES = sorted(FOLDER.glob("*/*.yml"))


def lab_of(case: dict[str, Any], room: str) -> dict[str, Any]:
    """The lab with one router of the room, one profile at most, and the case's changes."""
    own = room_of(room)
    lab = copy.deepcopy(yaml.safe_load(lab_files(room)[case["lab"]].read_text(encoding="utf-8"))["lab"])
    natives = [{"name": name, "native": native} for name, native in own["ports"][case["lab"]].items()]
    common = merge(lab["common"], {"ports": natives})
    lab["common"] = merge(merge(common, (own.get("changes") or {}).get(case["lab"]) or {}), case.get("changes") or {})
    keys = {"platform": room, "version": case["version"], **{key: case[key] for key in ("device_class", "unconfirmed") if key in case}}
    router = {**{key: value for key, value in lab["routers"][0].items() if key != "profiles"}, **keys}
    return {**lab, "routers": [router], "profiles": [item for item in lab["profiles"] if item["name"] == case.get("profile")]}


def words_of(case: dict[str, Any], room: str) -> list[str]:
    lab = lab_of(case, room)
    problems = [str(problem) for problem in check_lab(lab, platforms())]
    if problems:
        return problems
    try:
        render_lab(lab, lab["routers"][0]["name"], case.get("profile"), platforms())
    except RenderError as error:
        return [str(error)]
    return []


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_room_refuses_what_it_cannot_carry(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(case) <= {"about", "lab", "version", "device_class", "unconfirmed", "profile", "changes"}
    found = words_of(case, path.parent.name)
    expected = path.with_suffix(".expected")
    if os.environ.get("UPDATE_EXPECTED"):
        expected.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found, "nothing was refused"
    assert found == expected.read_text(encoding="utf-8").splitlines()
