# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a rendered router: planned, written at once, trusted only when it fits its manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils import _build_folder as build
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import Artifact, RenderError


def artifact(file: str, text: str, secret: bool = False) -> Artifact:
    return Artifact(name=file, file=file, path=f"/etc/{file}", mode="0644", owner="root", group="root", secret=secret, text=text, deploy={"step": "s"})


def manifest(artifacts: list[Artifact]) -> dict[str, Any]:
    return {
        "schema": build.SCHEMA,
        "router": "r1",
        "config_hash": build.config_hash(artifacts),
        "artifacts": [build._entry(item) for item in artifacts],
    }


def write(folder: Path, *artifacts: Artifact) -> list[str]:
    changes = build.plan_folder(folder, list(artifacts), manifest(list(artifacts)))
    build.write_folder(folder, changes)
    return [change.file for change in changes]


def test_all_of_it_then_nothing(tmp_path: Path) -> None:
    files = [artifact("a", "1\n"), artifact("b", "2\n", secret=True)]
    assert write(tmp_path / "r1", *files) == ["a", "b", "manifest.json"]
    assert write(tmp_path / "r1", *files) == []
    assert sorted(path.name for path in (tmp_path / "r1").iterdir()) == ["a", "b", "manifest.json"]
    assert [oct((tmp_path / "r1" / name).stat().st_mode & 0o777) for name in ("a", "b", "manifest.json")] == ["0o644", "0o600", "0o644"]


def test_reading_gives_back_what_was_written(tmp_path: Path) -> None:
    write(tmp_path, artifact("a", "grün\n"))
    found, texts = build.read_folder(tmp_path)
    assert texts == {"a": "grün\n"}
    assert found["artifacts"][0]["step"] == "s"


def test_a_mode_that_somebody_changed_is_a_change(tmp_path: Path) -> None:
    write(tmp_path, artifact("b", "2\n", secret=True))
    (tmp_path / "b").chmod(0o644)
    assert write(tmp_path, artifact("b", "2\n", secret=True)) == ["b"]
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600


def test_only_files_of_an_earlier_rendering_go(tmp_path: Path) -> None:
    write(tmp_path, artifact("a", "1\n"), artifact("b", "2\n"))
    (tmp_path / "notes").write_text("mine")
    assert write(tmp_path, artifact("a", "1\n")) == ["b", "manifest.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "manifest.json", "notes"]


@pytest.mark.parametrize("names", [["../evil"], ["/etc/passwd"], [".."], [""], [7], ["manifest.json"]])
def test_an_evil_manifest_makes_nobody_remove_foreign_files(tmp_path: Path, names: list[Any]) -> None:
    folder = tmp_path / "r1"
    folder.mkdir()
    (tmp_path / "evil").write_text("x")
    (folder / "manifest.json").write_text(json.dumps({"artifacts": [{"file": name} for name in names]}))
    write(folder, artifact("a", "1\n"))
    assert (tmp_path / "evil").exists() and (folder / "manifest.json").exists()


@pytest.mark.parametrize("name", ["manifest.json", "a/b", ".hidden"])
def test_file_names_that_cannot_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(RenderError, match="cannot be an artifact's file name"):
        build.plan_folder(tmp_path, [artifact(name, "")], manifest([]))
    with pytest.raises(RenderError, match="two artifacts have it"):
        build.plan_folder(tmp_path, [artifact("a", ""), artifact("a", "")], manifest([]))


def test_nothing_is_written_when_one_file_cannot_be(tmp_path: Path) -> None:
    write(tmp_path, artifact("a", "old\n"))
    # a folder in the way of the second file's staging place
    (tmp_path / ".b.new").mkdir()
    with pytest.raises(build.BuildError, match="nothing was written"):
        write(tmp_path, artifact("a", "new\n"), artifact("b", "2\n"))
    assert (tmp_path / "a").read_text() == "old\n"
    assert not (tmp_path / ".a.new").exists()


def test_a_symbolic_link_in_the_staging_place_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("dear")
    folder = tmp_path / "r1"
    folder.mkdir()
    (folder / ".a.new").symlink_to(victim)
    with pytest.raises(build.BuildError):
        write(folder, artifact("a", "1\n"))
    assert victim.read_text() == "dear"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "a").write_text("2\n"), "is not what was rendered"),
        (lambda folder: (folder / "a").unlink(), "is missing"),
        (lambda folder: (folder / "manifest.json").unlink(), "nothing was rendered here"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "not JSON"),
        (lambda folder: (folder / "manifest.json").write_text("[]"), "not a manifest of this version"),
        (lambda folder: (folder / "manifest.json").write_text('{"schema": "other"}'), "not a manifest of this version"),
    ],
)
def test_a_damaged_folder_is_not_deployed(tmp_path: Path, damage: Any, words: str) -> None:
    write(tmp_path, artifact("a", "1\n"))
    damage(tmp_path)
    with pytest.raises(build.BuildError, match=words):
        build.read_folder(tmp_path)


def test_a_diff_shows_no_secret(tmp_path: Path) -> None:
    files = [artifact("a", "key hush\n"), artifact("b", "hush\n", secret=True)]
    changes = build.plan_folder(tmp_path, files, manifest(files))
    shown = build.diff_of(tmp_path, changes, ["hush"])
    assert "hush" not in json.dumps(shown)
    assert shown[0]["after"] == "key ********\n"
    assert [item["before_header"].endswith("(not there)") for item in shown] == [True, True]


def test_the_hash_sees_names_and_bytes() -> None:
    one = build.config_hash([artifact("a", "1"), artifact("b", "2")])
    others = [[artifact("a", "12"), artifact("b", "")], [artifact("b", "2"), artifact("a", "1")], [artifact("a", "1"), artifact("c", "2")]]
    assert one not in [build.config_hash(other) for other in others]


def test_the_manifest_is_json_that_a_person_can_read(tmp_path: Path) -> None:
    write(tmp_path, artifact("a", "1\n"), artifact("b", "1\n"))
    text = (tmp_path / "manifest.json").read_text()
    assert json.loads(text)["artifacts"][1]["name"] == "b"
    assert len(text.splitlines()) > 6
