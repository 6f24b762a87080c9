# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The run folder: nothing that was measured gets lost, whatever happens to the writer or the disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils import _run_folder as folder
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import RunFolderError

CELL = "dut/routing/inter_vlan"
PLAN = run_data.plan([run_data.cell("dut", "routing", "inter_vlan")])


def record(number: int, value: float | None = 5e9, **more: Any) -> dict[str, Any]:
    return run_data.record(PLAN, CELL, number, value, **more)


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    return folder.create_run(tmp_path / "results", PLAN)


def lines(run_dir: Path) -> list[str]:
    return (run_dir / "records.jsonl").read_text().splitlines()


def test_a_new_folder_holds_the_plan(run_dir: Path) -> None:
    assert run_dir.name == PLAN["run"]
    assert {path.name for path in run_dir.iterdir()} == {"plan.json", "raw", "gate"}
    assert folder.load_plan(run_dir) == PLAN


def test_a_folder_is_never_taken_over(run_dir: Path) -> None:
    with pytest.raises(RunFolderError, match=r"cannot make the run folder .* \(errno 17\)"):
        folder.create_run(run_dir.parent, PLAN)


def test_a_bad_plan_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="tier: 'cloud' is not one of"):
        folder.create_run(tmp_path, {**PLAN, "tier": "cloud"})
    assert list(tmp_path.iterdir()) == []


def test_names() -> None:
    assert folder.run_name("my lab", "quick/1", datetime(2026, 1, 31, 12, tzinfo=timezone.utc)) == "20260131T120000Z-my-lab-quick-1"
    assert folder.slug("../../etc/passwd") == "etc-passwd"
    assert folder.slug("…") == "x"


def test_a_record_arrives_once(run_dir: Path) -> None:
    assert folder.append_record(run_dir, record(1)) is True
    assert folder.append_record(run_dir, record(1)) is False
    assert folder.append_record(run_dir, record(2)) is True
    assert len(lines(run_dir)) == 2


def test_a_bad_record_is_refused_and_named(run_dir: Path) -> None:
    with pytest.raises(RunFolderError, match="record 'dut/routing/inter_vlan/1' is not valid:\n  tier: 'cloud'"):
        folder.append_record(run_dir, {**record(1), "tier": "cloud"})
    assert not (run_dir / "records.jsonl").exists()


def test_a_torn_last_line_is_reported_and_not_fatal(run_dir: Path) -> None:
    folder.append_record(run_dir, record(1))
    with (run_dir / "records.jsonl").open("a") as stream:
        stream.write('{"schema": "routerlab.bench/rec')
    run = folder.load_run(run_dir)
    assert [item["trial"] for item in run.records] == [1]
    assert "line 2: the last line is torn" in run.problems[0]


def test_what_comes_after_a_torn_line_is_whole(run_dir: Path) -> None:
    (run_dir / "records.jsonl").write_text('{"torn')
    assert folder.append_record(run_dir, record(1))
    run = folder.load_run(run_dir)
    assert len(run.records) == 1
    assert "line 1: not a JSON object" in run.problems[0]


@pytest.mark.parametrize("line", ["", "[1]", "null", "\x00\x00\x00", '{"schema": "routerlab.bench/record/1"}', "not json"])
def test_rubbish_between_records_is_left_out_and_named(run_dir: Path, line: str) -> None:
    folder.append_record(run_dir, record(1))
    with (run_dir / "records.jsonl").open("a") as stream:
        stream.write(line + "\n")
    folder.append_record(run_dir, record(2))
    run = folder.load_run(run_dir)
    assert [item["trial"] for item in run.records] == [1, 2]
    assert len(run.problems) == (1 if line else 0)


def test_a_record_of_another_plan_is_left_out(run_dir: Path) -> None:
    other = run_data.plan([run_data.cell("other", "routing", "inter_vlan")])
    folder.append_record(run_dir, run_data.record(other, "other/routing/inter_vlan", 1, 5e9))
    run = folder.load_run(run_dir)
    assert run.records == []
    assert "is not in the plan" in run.problems[0]


def test_the_first_valid_record_of_a_trial_counts(run_dir: Path) -> None:
    for moment, value in enumerate([None, 5e9, 6e9]):
        folder.append_record(run_dir, {**record(1, value), "started": f"2026-01-31T13:00:0{moment}Z"})
    run = folder.load_run(run_dir)
    assert [item["metrics"]["throughput"]["value"] for item in run.records] == [5e9]
    assert [item["valid"] for item in run.repeated] == [False, True]


def test_pending_trials(run_dir: Path) -> None:
    for number, value in ((1, 5e9), (2, None), (4, 5e9)):
        folder.append_record(run_dir, record(number, value))
    run = folder.load_run(run_dir)
    assert [(trial["trial"], trial["state"]) for trial in folder.pending_trials(run.plan, run.records)] == [
        (2, "invalid"), (3, "missing"), (5, "missing"),
    ]
    text = folder.pending_text(run)
    assert "3 of 5 planned trials" in text
    assert "dut/routing/inter_vlan: invalid (CONTROL_LOST control socket has closed unexpectedly) #2; missing #3, #5" in text
    assert f"bench_resume={run_dir.name}" in text


def test_raw_files_never_overwrite_each_other(run_dir: Path) -> None:
    trial = PLAN["trials"][0]
    names = [folder.write_raw(run_dir, trial, "client.json", text) for text in ("one", "two")]
    assert names == ["raw/0001-dut-routing-inter_vlan-1-client.json", "raw/0001-dut-routing-inter_vlan-1-client.again2.json"]
    assert [(run_dir / name).read_text() for name in names] == ["one", "two"]
    assert folder.write_raw(run_dir, trial, "../../evil", "x").startswith("raw/0001-")


def test_the_newest_run_is_found(run_dir: Path) -> None:
    newer = folder.create_run(run_dir.parent, {**PLAN, "run": "20270101T000000Z-lab-quick"})
    (run_dir.parent / "zzz").mkdir()
    assert folder.find_run(run_dir.parent) == newer
    assert folder.find_run(run_dir.parent, run_dir.name) == run_dir
    assert folder.find_run("nowhere", str(run_dir)) == run_dir
    with pytest.raises(RunFolderError, match="no run 'x': neither x nor"):
        folder.find_run(run_dir.parent, "x")
    with pytest.raises(RunFolderError, match="nothing there holds a plan.json"):
        folder.find_run(run_dir.parent / "zzz")


@pytest.mark.parametrize(("text", "message"), [("{", "is not valid JSON"), ("{}", "is not a valid plan:\n  schema: missing")])
def test_a_broken_plan_is_named(run_dir: Path, text: str, message: str) -> None:
    (run_dir / "plan.json").write_text(text)
    with pytest.raises(RunFolderError, match=message):
        folder.load_run(run_dir)


def test_an_interrupted_write_leaves_the_old_file(run_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = folder.write_atomic(run_dir / "summary.json", "old")

    def refuse(dummy: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(RunFolderError, match=r"cannot write .*summary.json: No space left on device \(errno 28\)"):
        folder.write_atomic(target, "new")
    assert target.read_text() == "old"
    assert [path.name for path in run_dir.iterdir() if path.name.startswith(".")] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    mount = tmp_path / "disk"
    mount.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(mount)], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no tmpfs here: {made.stderr.strip()}")
    yield mount
    subprocess.run(["umount", str(mount)], check=True)


def test_a_full_disk_keeps_every_earlier_record_whole(small_disk: Path) -> None:
    plan = run_data.plan([run_data.cell("dut", "routing", "inter_vlan", n=200)])
    run_dir = folder.create_run(small_disk, plan)
    written = 0
    with pytest.raises(RunFolderError, match=r"cannot append to .*records.jsonl: No space left on device \(errno 28\)"):
        for number in range(1, 201):
            folder.append_record(run_dir, run_data.record(plan, CELL, number, 5e9))
            written += 1
    run = folder.load_run(run_dir)
    assert len(run.records) == written > 5
    assert run.problems == []


def test_a_folder_that_cannot_be_written_is_named(run_dir: Path) -> None:
    if os.geteuid() == 0:
        target, number = Path("/proc/self/nowhere"), 2
    else:
        target, number = run_dir, 13
        run_dir.chmod(0o500)
    with pytest.raises(RunFolderError, match=rf"cannot append to {target}/records.jsonl: .* \(errno {number}\)"):
        folder.append_record(target, record(1))


WRITER = """
import sys
sys.path[:0] = {path!r}
import run_data
from ansible_collections.routerlab.bench.plugins.plugin_utils import _run_folder as folder
plan = run_data.plan([run_data.cell("dut", "routing", "inter_vlan", n=5000)])
for number in range(1, 5001):
    folder.append_record(sys.argv[1], run_data.record(plan, "dut/routing/inter_vlan", number, 5e9))
    print(number, flush=True)
"""


def test_kill_9_loses_nothing_that_was_announced(tmp_path: Path) -> None:
    plan = run_data.plan([run_data.cell("dut", "routing", "inter_vlan", n=5000)])
    run_dir = folder.create_run(tmp_path, plan)
    code = WRITER.format(path=[path for path in sys.path if path])
    writer = subprocess.Popen([sys.executable, "-c", code, str(run_dir)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    while int(writer.stdout.readline()) < 20:
        time.sleep(0)
    writer.send_signal(signal.SIGKILL)
    announced = max([20, *(int(line) for line in writer.stdout.read().split())])
    writer.wait()
    writer.stdout.close()
    run = folder.load_run(run_dir)
    assert len(run.records) >= announced
    assert [item["trial"] for item in run.records] == list(range(1, len(run.records) + 1))


def test_events_are_kept_apart_from_records(run_dir: Path) -> None:
    folder.append_event(run_dir, {"event": "unreachable", "host": "wan"})
    run = folder.load_run(run_dir)
    assert run.events == [{"event": "unreachable", "host": "wan"}]
    assert run.records == []
    assert json.loads((run_dir / "events.jsonl").read_text())["host"] == "wan"


def test_who_collects_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(folder.ACTIVE_CALLBACK, raising=False)
    assert not folder.callback_active()
    monkeypatch.setenv(folder.ACTIVE_CALLBACK, str(os.getppid()))
    assert folder.callback_active()
    monkeypatch.setenv(folder.ACTIVE_CALLBACK, "1" if os.getppid() != 1 else "2")
    assert not folder.callback_active()
