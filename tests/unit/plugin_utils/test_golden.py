# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every room renders its labs to the bytes that are stored; what a room claims, some golden file shows."""

from __future__ import annotations

import difflib
import functools
from pathlib import Path
from typing import Any

import pytest
from golden_cases import BASE, GOLDEN, Case, cases, expected, lab_files, load, rendered, room_of, rooms, store

from ansible_collections.routerlab.bench.plugins.plugin_utils._features import FEATURES, used_features
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import merged_router, resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import feature_state, platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import platform_of, render_router

EVERYTHING = [pytest.param(case, lab, id=case.name) for case, lab in cases()]
TRIPLES = [(room, stem, dialect) for room in rooms() for stem in lab_files(room) for dialect in room_of(room)["versions"]]
LABS = [pytest.param(*triple, id="/".join(triple)) for triple in TRIPLES]


def difference(want: dict[str, bytes], got: dict[str, bytes]) -> str:
    """What differs, as a person reads it."""
    lines: list[str] = []
    for name in sorted({*want, *got}):
        if want.get(name) != got.get(name):
            old, new = (side.get(name, b"").decode().splitlines() for side in (want, got))
            lines += difflib.unified_diff(old, new, f"golden/{name}", f"rendered/{name}", lineterm="")
    return "\n".join(lines)


@pytest.mark.parametrize(("case", "lab"), EVERYTHING)
def test_a_room_renders_what_is_stored(case: Case, lab: dict[str, Any]) -> None:
    want, got = expected(case), rendered(case, lab)
    assert want == got, f"{case.name} (scripts/golden writes what is rendered now)\n{difference(want, got)}"


@pytest.mark.parametrize(("room", "stem", "dialect"), LABS)
def test_the_labs_are_sound(room: str, stem: str, dialect: str) -> None:
    assert [str(problem) for problem in check_lab(load(lab_files(room)[stem], room, dialect), platforms())] == []


def test_every_room_has_golden_files() -> None:
    assert sorted(platforms()) == rooms()


@pytest.mark.parametrize("room", rooms())
def test_every_dialect_has_golden_files(room: str) -> None:
    assert [dialect["name"] for dialect in platforms()[room]["dialects"]] == list(room_of(room)["versions"])


@pytest.mark.parametrize("room", rooms())
def test_every_claimed_feature_is_shown(room: str) -> None:
    shown: dict[str, set[str]] = {}
    for case, lab in cases(room):
        shown.setdefault(case.dialect, set()).update(feature for feature, _path in used_features(merged_router(lab, case.router, case.profile)))
    platform = platforms()[room]
    missing = [
        f"{dialect['name']}: {feature} ({FEATURES[feature]})"
        for dialect in platform["dialects"]
        for feature in FEATURES
        if feature_state(platform, dialect, feature) is True and feature not in shown.get(dialect["name"], set())
    ]
    assert not missing, f"{room} says that it can, and no golden file shows it:\n" + "\n".join(missing)


@pytest.mark.parametrize("room", sorted(platforms()))
def test_every_feature_has_an_answer(room: str) -> None:
    answers = platforms()[room]["features"]
    assert sorted(answers) == sorted(FEATURES)
    assert [name for name, value in answers.items() if not isinstance(value, (bool, str)) or value == ""] == []


@pytest.mark.parametrize(("case", "lab"), EVERYTHING)
def test_secrets_stand_in_secret_files_only(case: Case, lab: dict[str, Any]) -> None:
    model = resolve_router(lab, case.router, case.profile, platforms())
    leaks = [
        artifact.file
        for artifact in render_router(model, platform_of(model, platforms()))
        if not artifact.secret and any(secret in artifact.text for secret in model["secrets"])
    ]
    assert not leaks, f"{case.name}: platform.yml must say `secret: true` of these artifacts"


def test_nothing_is_stored_that_nobody_renders() -> None:
    known = {GOLDEN / case.room / case.lab / case.dialect / (case.profile or BASE) / case.router for case, _lab in cases()}
    strays = [path for path in GOLDEN.rglob("*") if path.is_file() and path.parent not in known]
    strays = [path for path in strays if path.name != "room.yml" and path.parent.name != "labs"]
    assert not strays, "scripts/golden clears these away: " + ", ".join(map(str, strays))


def test_a_changed_byte_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, lab = next(cases("debian"))
    files = rendered(case, lab)
    monkeypatch.setattr("golden_cases.GOLDEN", tmp_path)
    room_file = tmp_path / "debian" / "room.yml"
    room_file.parent.mkdir()
    room_file.write_bytes((GOLDEN / "debian" / "room.yml").read_bytes())
    store(case, {**files, "hostname": files["hostname"] + b"#"})
    assert "-#" in difference(expected(case), files).splitlines()


def test_overlays_store_only_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("golden_cases.GOLDEN", tmp_path)
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "room.yml").write_text("versions: {one: '1', two: '2'}\n")
    make = functools.partial(Case, "x", "lab")
    content = {
        make("one", None, "r"): {"a": b"1", "b": b"1"},
        make("one", "p", "r"): {"a": b"1", "c": b"p"},
        make("two", None, "r"): {"a": b"2", "b": b"1"},
        make("two", "p", "r"): {"a": b"1", "b": b"3", "c": b"p"},
    }
    for case, files in content.items():
        store(case, files)
    assert {case: expected(case) for case in content} == content
    stored = sorted(path.relative_to(tmp_path / "x" / "lab").as_posix() for path in (tmp_path / "x" / "lab").rglob("*") if path.is_file())
    assert stored == ["one/base/r/a", "one/base/r/b", "one/p/r/b.none", "one/p/r/c", "two/base/r/a", "two/p/r/a", "two/p/r/b"]
