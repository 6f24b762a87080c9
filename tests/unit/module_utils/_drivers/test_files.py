# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of a target: what is read, planned, put in place and put back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _files as files
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError


@pytest.fixture(autouse=True)
def _mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups go to a folder of the test."""
    monkeypatch.setattr(files, "BACKUPS", str(tmp_path / "backups"))


def spec(path: Path, **more: Any) -> dict[str, Any]:
    import grp
    import pwd

    own = {"owner": pwd.getpwuid(os.getuid()).pw_name, "group": grp.getgrgid(os.getgid()).gr_name}
    return {"name": "n", "path": str(path), "mode": "0640", "secret": False, "step": "s", **own, **more}


def deploy(change: files.FileChange) -> None:
    files.stage(change)
    files.put(change)


def test_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "file"
    change = files.wanted_change(spec(path), "a\n")
    assert change is not None and change.before is None
    deploy(change)
    assert path.read_text() == "a\n" and path.stat().st_mode & 0o777 == 0o640
    assert files.wanted_change(spec(path), "a\n") is None
    assert [item.name for item in path.parent.iterdir()] == ["file"]


@pytest.mark.parametrize(("text", "mode"), [("b\n", 0o640), ("a\n", 0o644)])
def test_another_text_or_mode_is_a_change_and_can_be_undone(tmp_path: Path, text: str, mode: int) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    path.chmod(mode)
    change = files.wanted_change(spec(path), "a\n")
    assert change is not None
    deploy(change)
    assert files.wanted_change(spec(path), "a\n") is None
    files.put_back(change)
    assert path.read_text() == text and path.stat().st_mode & 0o777 == mode


def test_putting_back_a_file_that_was_not_there(tmp_path: Path) -> None:
    change = files.wanted_change(spec(tmp_path / "file"), "a\n")
    assert change is not None
    deploy(change)
    files.put_back(change)
    assert not (tmp_path / "file").exists()


def test_a_link_is_replaced_and_comes_back(tmp_path: Path) -> None:
    target, path = tmp_path / "target", tmp_path / "file"
    target.write_text("other\n")
    path.symlink_to("target")
    change = files.wanted_change(spec(path), "a\n")
    assert change is not None
    deploy(change)
    assert not path.is_symlink() and target.read_text() == "other\n"
    files.put_back(change)
    assert path.is_symlink() and path.read_text() == "other\n"


def test_a_folder_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(DriverError, match="is not a regular file"):
        files.wanted_change(spec(tmp_path / "file"), "a\n")


def test_an_unknown_owner_is_named(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match="no owner 'nobody-here'; is the package installed"):
        files.wanted_change(spec(tmp_path / "file", owner="nobody-here"), "a\n")


def test_a_link_in_the_staging_place_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("dear")
    (tmp_path / ("file" + files.CANDIDATE)).symlink_to(victim)
    change = files.wanted_change(spec(tmp_path / "file"), "a\n")
    assert change is not None
    with pytest.raises(OSError):
        files.stage(change)
    assert victim.read_text() == "dear"


BLOCKS = [
    ("", "x\n", f"{files.BEGIN}\nx\n{files.END}\n"),
    ("mine\n", "x\n", f"mine\n{files.BEGIN}\nx\n{files.END}\n"),
    ("no end of line", "x\n", f"no end of line\n{files.BEGIN}\nx\n{files.END}\n"),
    (f"a\n{files.BEGIN}\nold\nold\n{files.END}\nz\n", "x\n", f"a\n{files.BEGIN}\nx\n{files.END}\nz\n"),
    (f"a\n{files.BEGIN.split(';', maxsplit=1)[0]}; other words\nold\n{files.END}\nz\n", "x\n", f"a\n{files.BEGIN}\nx\n{files.END}\nz\n"),
    (f"a\n{files.BEGIN}\nold\n{files.END}\nz\n", "", "a\nz\n"),
    ("a\n", "", "a\n"),
]


@pytest.mark.parametrize(("old", "block", "new"), BLOCKS)
def test_our_part_of_a_file(tmp_path: Path, old: str, block: str, new: str) -> None:
    path = tmp_path / "file"
    path.write_text(old)
    assert files.merged(files.read(str(path)), block, str(path)).decode() == new
    path.write_text(new)
    assert files.merged(files.read(str(path)), block, str(path)).decode() == new


@pytest.mark.parametrize("old", [files.BEGIN, f"{files.END}\n", f"{files.END}\n{files.BEGIN}\n", f"{files.BEGIN}\n{files.END}\n" * 2])
def test_damaged_marks_are_refused(tmp_path: Path, old: str) -> None:
    path = tmp_path / "file"
    path.write_text(old)
    with pytest.raises(DriverError, match="do not come as one pair"):
        files.merged(files.read(str(path)), "x\n", str(path))


def test_bytes_that_are_no_text_survive_around_our_part(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xff\xfe caf\xe9\n")
    change = files.wanted_change(spec(path, put="block"), "x\n")
    assert change is not None and change.data is not None and change.data.startswith(b"\xff\xfe caf\xe9\n")


def test_a_file_that_is_not_wholly_ours_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine\n")
    path.chmod(0o604)
    change = files.wanted_change(spec(path, put="block"), "x\n")
    assert change is not None
    deploy(change)
    assert path.stat().st_mode & 0o777 == 0o604


def test_only_files_with_our_mark_are_removed(tmp_path: Path) -> None:
    for name, text in (("a.conf", files.MARK.decode()), ("b.conf", "mine"), ("c.conf", "# " + files.MARK.decode() + " for x")):
        (tmp_path / name).write_text(text)
    absent = [spec(tmp_path / "*.conf")]
    assert [Path(change.path).name for change in files.removals(absent, {str(tmp_path / "c.conf")})] == ["a.conf"]
    (change,) = files.removals(absent, {str(tmp_path / "c.conf")})
    files.put(change)
    assert not (tmp_path / "a.conf").exists()
    files.put_back(change)
    assert (tmp_path / "a.conf").exists()


def test_of_a_file_that_is_not_wholly_ours_only_our_part_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(f"mine\n{files.BEGIN}\nx\n{files.END}\n")
    (change,) = files.removals([spec(path, put="block")], set())
    deploy(change)
    assert path.read_text() == "mine\n"
    assert files.removals([spec(path, put="block")], set()) == []


def test_diffs(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("a\nold\n")
    path.chmod(0o640)
    change = files.wanted_change(spec(path), "a\nnew\n")
    secret = files.wanted_change(spec(path, secret=True), "a\nnew\n")
    mode = files.wanted_change(spec(path, mode="0600"), "a\nold\n")
    assert change and secret and mode
    assert files.diff(change)["prepared"].splitlines()[2:] == ["@@ -1,2 +1,2 @@", " a", "-old", "+new"]
    assert files.diff(secret)["prepared"].splitlines()[2:] == ["(not shown: it may hold secrets)"]
    assert "mode and owner: 640" in files.diff(mode)["prepared"]


def test_backups_are_private_and_old_ones_go(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old\n")
    change = files.wanted_change(spec(path), "new\n")
    created = files.wanted_change(spec(tmp_path / "other"), "new\n")
    assert change and created
    assert files.back_up([created], "1") is None
    for number in range(files.KEPT_BACKUPS + 5):
        folder = files.back_up([change, created], "2026%02d" % number)
    assert folder is not None
    copy = Path(folder + str(path))
    assert copy.read_text() == "old\n" and copy.stat().st_mode & 0o777 == 0o600
    assert Path(folder).stat().st_mode & 0o777 == 0o700
    assert len(os.listdir(files.BACKUPS)) == files.KEPT_BACKUPS
