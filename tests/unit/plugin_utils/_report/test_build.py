# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run folder becomes a report, whatever state it is in."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.module_utils._record import RECORD_SCHEMA
from ansible_collections.routerlab.bench.plugins.plugin_utils import _run_folder as folder
from ansible_collections.routerlab.bench.plugins.plugin_utils._report import build
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.schema import SUMMARY_SCHEMA, published
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError

ROOT = Path(__file__).parents[4]
FIXTURES = ROOT / "tests/fixtures/runs"
PLAN = run_data.bakeoff_plan()
RECORDS = run_data.bakeoff_records(PLAN)


def fill(base: Path, count: int = 69, **plan: Any) -> Path:
    run_dir = folder.create_run(base, {**PLAN, **plan})
    lines = [json.dumps({**record, "run": run_dir.name}) for record in RECORDS[:count]]
    (run_dir / "records.jsonl").write_text("".join(line + "\n" for line in lines))
    return run_dir


def files_of(run_dir: Path) -> dict[str, bytes]:
    return {str(path.relative_to(run_dir)): path.read_bytes() for path in run_dir.rglob("*") if path.is_file()}


def test_everything_is_there(tmp_path: Path) -> None:
    run_dir = fill(tmp_path)
    built = build.build_report(run_dir)
    assert set(built.files) <= set(files_of(run_dir))
    assert {"summary.json", "summary.csv", "report.md", "report.html", "charts/run-order.png", "charts/inter_vlan-throughput.svg"} <= set(built.files)
    summary = json.loads((run_dir / "summary.json").read_text())
    jsonschema.Draft202012Validator(SUMMARY_SCHEMA).validate(summary)
    assert built.text.splitlines()[-1] == f"Report: {run_dir}/report.html"
    for name in built.files:
        if name.endswith(".png"):
            assert f"]({name})" in (run_dir / "report.md").read_text()
    assert (run_dir / "report.html").read_text().count("<svg") == 5


def test_the_same_records_give_the_same_bytes_and_nothing_is_touched(tmp_path: Path) -> None:
    run_dir = fill(tmp_path)
    assert build.build_report(run_dir).changed is True
    before = files_of(run_dir)
    stamps = {path: path.stat().st_mtime_ns for path in run_dir.rglob("*")}
    assert build.build_report(run_dir).changed is False
    assert files_of(run_dir) == before
    assert {path: path.stat().st_mtime_ns for path in run_dir.rglob("*")} == stamps


def test_a_fresh_report_is_not_built_again_and_a_stale_one_is(tmp_path: Path) -> None:
    run_dir = fill(tmp_path, 60)
    first = build.ensure_report(run_dir, charts=False)
    assert first.changed is True
    again = build.ensure_report(run_dir, charts=False)
    assert (again.changed, again.text) == (False, first.text)
    folder.append_record(run_dir, RECORDS[60])
    assert build.ensure_report(run_dir, charts=False).summary["trials"]["recorded"] == 61
    (run_dir / "report.html").unlink()
    assert build.ensure_report(run_dir, charts=False).changed is True


def test_no_record_at_all_is_an_error_that_says_so(tmp_path: Path) -> None:
    run_dir = folder.create_run(tmp_path, PLAN)
    with pytest.raises(RunFolderError, match=r"holds no record: 0 of 69 trials were measured$"):
        build.build_report(run_dir)
    (run_dir / "records.jsonl").write_text('{"torn')
    with pytest.raises(RunFolderError, match="0 of 69 trials were measured\n  records.jsonl line 1: the last line is torn"):
        build.build_report(run_dir)
    assert "summary.json" not in files_of(run_dir)


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="is not a run folder: it has no plan.json"):
        build.build_report(tmp_path)


def test_what_a_killed_run_left_behind(tmp_path: Path) -> None:
    run_dir = Path(shutil.copytree(FIXTURES / "killed", tmp_path / "killed"))
    built = build.build_report(run_dir)
    assert built.summary["partial"] is True
    assert "PARTIAL: 23 of 46 trials" in built.text
    assert built.summary["problems"] == [
        "records.jsonl line 24: the last line is torn (the writer was killed or the disk was full); 615 bytes left out"
    ]
    page = (run_dir / "report.html").read_text()
    assert 'role="alert">PARTIAL: 23 of 46 trials' in page
    assert "the last line is torn" in page
    assert "bench_resume=" in page


def test_committed_runs_keep_the_published_schemas() -> None:
    for path in FIXTURES.glob("*/records.jsonl"):
        for line in path.read_text().splitlines():
            if line.endswith("}"):
                jsonschema.Draft202012Validator(RECORD_SCHEMA).validate(json.loads(line))


@pytest.mark.parametrize("name", list(published()))
def test_published_schemas_are_those_of_the_code(name: str) -> None:
    assert (ROOT / "docs/schema" / name).read_text(encoding="utf-8") == published()[name], "run scripts/generate"
    jsonschema.Draft202012Validator.check_schema(json.loads(published()[name]))


def test_no_older_version_of_a_schema_is_left_behind() -> None:
    found = {path.name for kind in ("record", "plan", "summary") for path in (ROOT / "docs/schema").glob(f"{kind}-*.schema.json")}
    assert found == set(published())


def test_charts_of_an_earlier_build_go(tmp_path: Path) -> None:
    run_dir = fill(tmp_path)
    (run_dir / "charts").mkdir()
    (run_dir / "charts/old.png").write_bytes(b"x")
    (run_dir / "charts/notes.txt").write_text("mine")
    build.build_report(run_dir)
    assert not (run_dir / "charts/old.png").exists()
    assert (run_dir / "charts/notes.txt").exists()


def test_without_matplotlib_there_is_a_report_and_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    run_dir = fill(tmp_path)
    built = build.build_report(run_dir)
    assert "matplotlib is not installed" in built.warnings[0]
    assert "report.html" in built.files and not any("charts" in name for name in built.files)


def test_a_results_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    run_dir = fill(tmp_path)
    (run_dir / "report.md").mkdir()
    built = build.build_report(run_dir, charts=False)
    (error,) = built.errors
    assert re.search(r"cannot write .*/report.md: Is a directory \(errno 21\)", error)
    assert (run_dir / "summary.json").exists() and error in (run_dir / "report.error.txt").read_text()
    assert build.ensure_report(run_dir, charts=False).errors, "half a report is not fresh"


def test_charts_that_cannot_be_written_cost_no_table(tmp_path: Path) -> None:
    run_dir = fill(tmp_path)
    whole = build.build_report(run_dir).files
    shutil.rmtree(run_dir / "charts")
    (run_dir / "charts").write_text("a file where the folder should be")
    (run_dir / "summary.csv").unlink()
    built = build.build_report(run_dir)
    charts = {name for name in whole if name.startswith("charts/")}
    assert set(built.files) == set(whole) - charts and len(built.errors) == len(charts)
    assert (run_dir / "report.error.txt").read_text().count("charts/") == len(charts)
    assert "](charts/" not in (run_dir / "report.md").read_text() and (run_dir / "report.html").read_text().count("<svg") == 5


def test_a_chart_that_cannot_be_drawn_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw, run_dir = build.drawing.draw, fill(tmp_path)

    def refuse(picture: Any) -> Any:
        if picture.name == "run-order":
            raise MemoryError("out of memory")
        return draw(picture)

    monkeypatch.setattr(build.drawing, "draw", refuse)
    built = build.build_report(run_dir)
    (error,) = built.errors
    assert error.endswith("charts/run-order: the chart cannot be drawn: MemoryError: out of memory")
    assert "charts/inter_vlan-throughput.svg" in built.files and "summary.json" in built.files


def test_a_disk_that_fills_keeps_the_tables(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    mount = tmp_path / "disk"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(mount)], capture_output=True, check=False).returncode:
        pytest.skip("no tmpfs here")
    try:
        run_dir = fill(mount)
        built = build.build_report(run_dir)
        assert all("No space left on device" in error for error in built.errors) and built.errors
        assert {"summary.json", "summary.csv", "report.md"} <= set(built.files) <= set(files_of(run_dir))
        assert json.loads((run_dir / "summary.json").read_text())["trials"]["recorded"] == 69
    finally:
        subprocess.run(["umount", str(mount)], check=True)


def test_a_normal_build_takes_seconds(tmp_path: Path) -> None:
    run_dir = fill(tmp_path)
    build.build_report(run_dir)
    (run_dir / "report.html").unlink()
    began = time.monotonic()
    build.build_report(run_dir)
    assert time.monotonic() - began < 10  # 2 s on a machine of our own; others may be working on this one
