# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of one run: made once, appended to line by line, readable whatever killed the writer."""

from __future__ import annotations

import fcntl
import json
import os
import re
import tempfile
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Iterable

from ansible_collections.routerlab.bench.plugins.module_utils._record import (
    dumps,
    fingerprint,
    plain,
    record_key,
    validate_plan,
    validate_record,
)

PLAN, RECORDS, EVENTS, SUMMARY = "plan.json", "records.jsonl", "events.jsonl", "summary.json"
ERROR_FILE = "report.error.txt"
ACTIVE_CALLBACK = "ROUTERLAB_BENCH_REPORT"


class RunFolderError(Exception):
    """Something about a run folder that a person has to know; the message names the path."""


@dataclass
class Run:
    """What a run folder holds: the plan, one record per trial, and everything that is odd about the files."""

    path: Path
    plan: dict[str, Any]
    records: list[dict[str, Any]]
    repeated: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)


def _os_error(exc: OSError, path: Any, doing: str) -> RunFolderError:
    return RunFolderError(f"cannot {doing} {path}: {exc.strerror or exc} (errno {exc.errno})")


def slug(text: str) -> str:
    """Text as a part of a file name."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.") or "x"


def run_name(lab: str, suite: str, when: datetime | None = None) -> str:
    """The name of a run: C(20260131T120000Z-lab-quick)."""
    stamp = (when or datetime.now(timezone.utc)).astimezone(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    return f"{stamp}-{slug(lab)}-{slug(suite)}"


def create_run(results_dir: str | Path, plan: dict[str, Any]) -> Path:
    """Make the folder C(results_dir/plan['run']) with plan.json in it; a folder of that name must not exist yet."""
    plan = plain(plan)
    wrong = validate_plan(plan)
    if wrong:
        raise RunFolderError("the plan is not valid:\n  " + "\n  ".join(wrong))
    folder = Path(results_dir) / plan["run"]
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
        for name in ("raw", "gate"):
            (folder / name).mkdir()
    except OSError as exc:
        raise _os_error(exc, folder, "make the run folder") from exc
    write_atomic(folder / PLAN, json.dumps(plan, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    return folder


def write_atomic(path: str | Path, content: str | bytes) -> Path:
    """Write a whole file or nothing: temporary file beside it, fsync, rename."""
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix="." + path.name + ".", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as exc:
        if temporary:
            temporary.unlink(missing_ok=True)
        raise _os_error(exc, path, "write") from exc
    return path


def write_raw(run_dir: str | Path, trial: dict[str, Any], name: str, text: str | bytes) -> str:
    """Keep a tool's own output; returns its name relative to the run folder. An earlier file is never overwritten."""
    stem, dot, ext = str(name).rpartition(".")
    stem, ext = (stem, dot + slug(ext)) if stem else (str(name), ".txt")
    base = f"raw/{int(trial['seq']):04d}-{slug(trial['id'])}-{slug(stem)}"
    relative, again = base + ext, 1
    while (Path(run_dir) / relative).exists():
        again += 1
        relative = f"{base}.again{again}{ext}"
    write_atomic(Path(run_dir) / relative, text)
    return relative


def append_record(run_dir: str | Path, record: dict[str, Any]) -> bool:
    """Append one record, flushed to the disk; False when exactly this record is there already."""
    record = plain(record)
    wrong = validate_record(record)
    if wrong:
        raise RunFolderError(f"record {record.get('id')!r} is not valid:\n  " + "\n  ".join(wrong))
    return _append(Path(run_dir) / RECORDS, record, record_key(record))


def append_event(run_dir: str | Path, event: dict[str, Any]) -> bool:
    """Append what is no measurement but belongs into the report, such as an unreachable host."""
    return _append(Path(run_dir) / EVENTS, plain(event), None)


def _append(path: Path, item: dict[str, Any], key: Any) -> bool:
    try:
        new = not path.exists()
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            before = os.fstat(handle).st_size
            content = os.pread(handle, before, 0)
            if key is not None and key in _keys(content):
                return False
            torn = before > 0 and not content.endswith(b"\n")
            _write_or_undo(handle, (b"\n" if torn else b"") + dumps(item).encode("utf-8") + b"\n", before)
        finally:
            os.close(handle)
        if new:
            _sync_folder(path.parent)
    except OSError as exc:
        raise _os_error(exc, path, "append to") from exc
    return True


def _write_or_undo(handle: int, data: bytes, before: int) -> None:
    """All of the line or none of it: a full disk must not leave half a record behind the good ones."""
    try:
        while data:
            data = data[os.write(handle, data):]
        os.fsync(handle)
    except OSError:
        os.ftruncate(handle, before)
        raise


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _keys(content: bytes) -> set[Any]:
    found = set()
    for line in content.split(b"\n"):
        try:
            found.add(record_key(json.loads(line)))
        except (ValueError, AttributeError):
            continue
    return found


def _read_lines(path: Path) -> tuple[list[tuple[int, dict[str, Any]]], list[str]]:
    """Every readable line with its number, and what is wrong with the others."""
    if not path.exists():
        return [], []
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise _os_error(exc, path, "read") from exc
    items, problems = [], []
    lines = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
            if not isinstance(item, dict):
                raise ValueError("not an object")
            items.append((number, item))
        except ValueError:
            torn = number == len(lines)
            what = "the last line is torn (the writer was killed or the disk was full)" if torn else "not a JSON object"
            problems.append(f"{path.name} line {number}: {what}; {len(line)} bytes left out")
    return items, problems


def load_plan(run_dir: str | Path) -> dict[str, Any]:
    """The plan of a run, checked."""
    path = Path(run_dir) / PLAN
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise RunFolderError(f"{run_dir} is not a run folder: it has no {PLAN}") from exc
    except OSError as exc:
        raise _os_error(exc, path, "read") from exc
    except ValueError as exc:
        raise RunFolderError(f"{path} is not valid JSON: {exc}") from exc
    wrong = validate_plan(plan)
    if wrong:
        raise RunFolderError(f"{path} is not a valid plan:\n  " + "\n  ".join(wrong))
    return plan


def load_run(run_dir: str | Path) -> Run:
    """Everything of a run folder. Per trial the first valid record counts, else the last invalid one: no re-rolling of dice."""
    run = Run(Path(run_dir), load_plan(run_dir), [])
    lines, run.problems = _read_lines(run.path / RECORDS)
    planned = {trial["id"] for trial in run.plan["trials"]}
    chosen: dict[str, dict[str, Any]] = {}
    for number, record in lines:
        wrong = validate_record(record)
        if not wrong and record["id"] not in planned:
            wrong = [f"trial {record['id']!r} is not in the plan"]
        if wrong:
            run.problems.append(f"{RECORDS} line {number}: left out: " + "; ".join(wrong))
            continue
        # Always by today's rules, so that old and new runs can be compared.
        record["fingerprint"] = fingerprint(record)
        earlier = chosen.get(record["id"])
        if earlier is None:
            chosen[record["id"]] = record
        elif earlier["valid"]:
            run.repeated.append(record)
        else:
            run.repeated.append(earlier)
            chosen[record["id"]] = record
    run.records = list(chosen.values())
    events, problems = _read_lines(run.path / EVENTS)
    run.events = [event for dummy, event in events]
    run.problems.extend(problems)
    return run


def pending_trials(plan: dict[str, Any], records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The planned trials that still lack a valid record, each with C(state) missing or invalid and its C(reasons)."""
    by_id = {record["id"]: record for record in records}
    result = []
    for trial in plan["trials"]:
        record = by_id.get(trial["id"])
        if record is None:
            result.append(dict(trial, state="missing", reasons=[]))
        elif not record["valid"]:
            result.append(dict(trial, state="invalid", reasons=record["reasons"]))
    return result


def pending_text(run: Run) -> str:
    """Which cells lack which trials and why, for a person."""
    pending = pending_trials(run.plan, run.records)
    lines = [f"{len(pending)} of {len(run.plan['trials'])} planned trials in {run.path} have no valid record:"]
    groups: dict[str, dict[str, list[str]]] = {}
    for trial in pending:
        why = "; ".join(f"{item['code']} {item.get('detail', '')}".strip() for item in trial["reasons"])
        what = "missing" if trial["state"] == "missing" else f"invalid ({why})"
        groups.setdefault(trial["cell"], {}).setdefault(what, []).append(f"#{trial['trial']}")
    for cell, found in groups.items():
        lines.append(f"  {cell}: " + "; ".join(f"{what} {', '.join(numbers)}" for what, numbers in found.items()))
    lines += [f"  {problem}" for problem in run.problems]
    lines.append(f"Measure what is missing with: -e bench_resume={run.path.name}")
    return "\n".join(lines)


def find_run(results_dir: str | Path, name: str | None = None) -> Path:
    """The run folder called C(name) (a path, or a name inside C(results_dir)); without a name, the newest one."""
    results = Path(results_dir)
    if name:
        for candidate in (Path(name), results / name):
            if (candidate / PLAN).is_file():
                return candidate
        raise RunFolderError(f"no run {name!r}: neither {name} nor {results / name} holds a {PLAN}")
    runs = sorted((path.parent for path in results.glob(f"*/{PLAN}")), key=lambda path: path.name)
    if not runs:
        raise RunFolderError(f"no run in {results}: nothing there holds a {PLAN}")
    return runs[-1]


def callback_active() -> bool:
    """Whether this process was forked by a play in which the callback bench_report collects the records."""
    return os.environ.get(ACTIVE_CALLBACK) in (str(os.getppid()), str(os.getpid()))
