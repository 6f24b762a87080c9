# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs plays with the callback and compares what came out."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
for entry in os.environ.get("ANSIBLE_COLLECTIONS_PATH", "").split(":"):
    # ansible-test copies the target only: the helpers stand in the collection itself
    sys.path += [entry, str(Path(entry, "ansible_collections/routerlab/bench/tests/unit/helpers"))]
sys.path.append(str(HERE.parents[2] / "unit/helpers"))

import run_data

from ansible_collections.routerlab.bench.plugins.plugin_utils import _run_folder as folder

PLAN = run_data.plan([run_data.cell("dut", "routing", "inter_vlan"), run_data.cell("dut", "nat", "inter_vlan")])
BANNER = "BENCH REPORT ERROR"


def prepare(base: Path) -> tuple[Path, Path]:
    """A run folder, and the file with the records that the test double hands out."""
    base.mkdir(exist_ok=True)
    run_dir, prepared = folder.create_run(base, PLAN), base.parent / f"{base.name}.jsonl"
    records = [
        run_data.record(PLAN, trial["cell"], trial["trial"], None if trial["id"] == "dut/nat/inter_vlan/2" else 5e9 + 1e7 * trial["seq"])
        for trial in PLAN["trials"]
    ]
    prepared.write_text("".join(json.dumps(record) + "\n" for record in records))
    return run_dir, prepared


def command(playbook: str, **extra: Any) -> list[str]:
    return ["ansible-playbook", "-i", "inventory.yml", playbook, "-e", json.dumps({key: str(value) for key, value in extra.items()})]


def environment(callback: bool = True) -> dict[str, str]:
    wanted = {"ANSIBLE_CALLBACKS_ENABLED": "routerlab.bench.bench_report" if callback else "ansible.builtin.tree", "ANSIBLE_NOCOLOR": "1"}
    # one place, by name, for asynchronous tasks: the home folder may be another one for the task than for the shell
    return {**os.environ, **wanted, "ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml", "ANSIBLE_ASYNC_DIR": os.path.join(tempfile.gettempdir(), "async")}


def play(playbook: str, callback: bool = True, **extra: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(playbook, **extra), cwd=HERE, env=environment(callback), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )


def ids(run_dir: Path) -> list[str]:
    return [record["id"] for record in folder.load_run(run_dir).records]


def expect(condition: bool, what: str, seen: Any = "") -> None:
    if not condition:
        sys.exit(f"FAILED: {what}\n{seen}")


def every_record_arrives_once(base: Path) -> None:
    run_dir, prepared = prepare(base)
    done = play("play.yml", run_dir=run_dir, prepared=prepared)
    expect(done.returncode == 0, "the play ends well", done.stdout)
    wanted = [f"dut/routing/inter_vlan/{number}" for number in range(1, 6)] + ["dut/nat/inter_vlan/1", "dut/nat/inter_vlan/2"]
    lines = [json.loads(line)["id"] for line in (run_dir / "records.jsonl").read_text().splitlines()]
    expect(lines == wanted, "seven records, each once, hidden ones never", lines)
    expect(BANNER not in done.stdout and not (run_dir / folder.ERROR_FILE).exists(), "no error of our own", done.stdout)
    for number in range(1, 8):
        expect(f"[ {number}/10] dut/" in done.stdout, f"progress of trial {number}", done.stdout)
    summary = json.loads((run_dir / "summary.json").read_text())
    expect(summary["partial"] and summary["trials"]["recorded"] == 7, "a partial report", summary["trials"])
    expect([item["host"] for item in summary["unreachable"]] == ["gone"], "the lost host is listed", summary["unreachable"])
    expect("Unreachable: gone" in done.stdout, "the lost host is named", done.stdout)
    last = done.stdout.rstrip().splitlines()
    expect(last[-1] == f"Report: {run_dir}/report.html", "the last line names the page", last[-5:])
    expect("PARTIAL: 7 of 10 trials" in last[-2] and any("5.05 Gbit/s" in line for line in last[-8:]), "the result table stands before it", last[-8:])
    expect((run_dir / "charts").is_dir() == bool(importlib.util.find_spec("matplotlib")), "charts where they can be drawn")


def an_error_of_ours_is_seen_and_kept(base: Path) -> None:
    run_dir, prepared = prepare(base)
    (run_dir / "plan.json").write_text("{")
    done = play("play.yml", run_dir=run_dir, prepared=prepared)
    expect(done.returncode == 0, "our error does not stop the play", done.stdout)
    expect(BANNER in done.stdout and "is not valid JSON" in done.stdout, "the banner and the reason are shown", done.stdout)
    kept = (run_dir / folder.ERROR_FILE).read_text()
    expect("Traceback" in kept and "plan.json" in kept, "details are kept", kept)
    expect(len((run_dir / "records.jsonl").read_text().splitlines()) == 7, "records are kept all the same")


def a_killed_play_can_be_reported(base: Path) -> None:
    run_dir, prepared = prepare(base)
    running = subprocess.Popen(
        command("slow.yml", run_dir=run_dir, prepared=prepared, seconds=0.3), cwd=HERE, env=environment(), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not (run_dir / "records.jsonl").exists() or len(ids(run_dir)) < 3:
        expect(time.monotonic() < deadline and running.poll() is None, "three trials within a minute")
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    count = len(ids(run_dir))
    expect(3 <= count < 10, "killed in the middle", count)
    done = play("routerlab.bench.report", bench_run=run_dir)
    expect(done.returncode == 0 and f"PARTIAL: {count} of 10 trials" in done.stdout, "a report of what was measured", done.stdout)
    checked = play("routerlab.bench.report", callback=False, bench_run=run_dir)
    expect(f"PARTIAL: {count} of 10 trials" in checked.stdout, "the same without the callback", checked.stdout)


def missing_trials_fail(base: Path) -> None:
    run_dir, prepared = prepare(base)
    done = play("check.yml", run_dir=run_dir)
    expect(done.returncode != 0 and "10 of 10 planned trials" in done.stdout, "nothing measured", done.stdout)
    empty = play("routerlab.bench.report", bench_run=run_dir)
    expect(empty.returncode != 0 and "0 of 10 trials were measured" in empty.stdout, "no report of nothing", empty.stdout)
    play("play.yml", run_dir=run_dir, prepared=prepared)
    done = play("check.yml", run_dir=run_dir)
    words = "invalid (CONTROL_LOST control socket has closed unexpectedly) #2; missing #3, #4, #5"
    text = " ".join(done.stdout.split())
    expect(done.returncode != 0 and "dut/nat/inter_vlan: " in text and words in text, "the cell and its trials are named", done.stdout)


def runs_are_compared(base: Path) -> None:
    first, prepared = prepare(base)
    play("slow.yml", run_dir=first, prepared=prepared)
    second = folder.create_run(base, {**PLAN, "run": "second"})
    records = [{**json.loads(line), "run": "second"} for line in (first / "records.jsonl").read_text().splitlines()]
    (second / "records.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    done = play("routerlab.bench.compare", bench_runs=f"{first},{second}", bench_results_dir=base)
    expect(done.returncode == 0 and "no difference shown" in done.stdout, "equal runs show no difference", done.stdout)
    expect(len(list(base.glob("compare-*/report.html"))) == 1, "a page")
    alone = play("routerlab.bench.compare", bench_runs=first, bench_results_dir=base)
    expect(alone.returncode != 0 and "two or more run folders" in alone.stdout, "one run is no comparison", alone.stdout)


def a_full_disk_keeps_what_was_written(base: Path) -> None:
    base.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12k", "tmpfs", str(base)], capture_output=True, check=False)
    if mounted.returncode:
        print("  left out: mounting a small file system needs root")
        return
    try:
        run_dir, prepared = prepare(base)
        done = play("slow.yml", run_dir=run_dir, prepared=prepared)
        expect(done.returncode == 0 and BANNER in done.stdout, "the play goes on under a banner", done.stdout)
        expect(f"cannot append to {run_dir}/records.jsonl: No space left on device (errno 28)" in done.stdout, "path and errno", done.stdout)
        run = folder.load_run(run_dir)
        expect(1 < len(run.records) < 10 and run.problems == [], "what was written is whole", (len(run.records), run.problems))
    finally:
        subprocess.run(["umount", str(base)], check=True)


CASES: list[Callable[[Path], None]] = [
    every_record_arrives_once, an_error_of_ours_is_seen_and_kept, a_killed_play_can_be_reported, missing_trials_fail, runs_are_compared,
    a_full_disk_keeps_what_was_written,
]

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        tempfile.tempdir = place
        for case in CASES:
            print(case.__name__.replace("_", " "), flush=True)
            case(Path(place) / case.__name__)
