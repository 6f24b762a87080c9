# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Backups on the controller: ``backup/<host>/<time>/``, readable by their owner only, with an ``index.json``."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any, Iterator, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError

SCHEMA = "routerlab.bench/backup/1"
INDEX = "index.json"
LOCK = ".lock"


def stamp() -> str:
    """The time as the name of a folder: sorted by name is sorted by time."""
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def keep(root: Path, files: Mapping[str, bytes], facts: Mapping[str, Any], name: str | None = None) -> Path:
    """Write a backup; the index comes last, so a folder without one is not whole."""
    folder = _new_folder(root, name or stamp())
    entries = []
    for path, data in files.items():
        target = folder / path.lstrip("/")
        if ".." in Path(path).parts:
            raise DriverError(f"{path!r} cannot be the name of a file in a backup")
        _make(target.parent)
        _write(target, data)
        entries.append({"file": path.lstrip("/"), "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)})
    index = {"schema": SCHEMA, "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **facts, "files": entries}
    _write(folder / INDEX, (json.dumps(index, indent=1, ensure_ascii=False) + "\n").encode())
    return folder


def read(folder: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The index and the files of a backup, after checking that they belong together."""
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DriverError(f"{folder}: not a backup (there is no {INDEX}){_others(folder)}") from None
    except ValueError as error:
        raise DriverError(f"{folder / INDEX}: not JSON: {error}") from None
    if not isinstance(index, dict) or index.get("schema") != SCHEMA:
        raise DriverError(f"{folder / INDEX}: not an index of this version ({SCHEMA})")
    files = {}
    for entry in index["files"]:
        path = folder / entry["file"]
        data = path.read_bytes() if path.is_file() else None
        if data is None or hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise DriverError(f"{path}: this file {'is missing' if data is None else 'was changed after the backup'}; the backup is not used")
        files[entry["file"]] = data
    return index, files


def latest(root: Path) -> Path:
    """The newest whole backup of a host."""
    found = sorted(path.parent for path in root.glob(f"*/{INDEX}"))
    if not found:
        raise DriverError(f"{root}: there is no backup in it")
    return found[-1]


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """Two deployments from this controller do not change one device at the same time."""
    try:
        _make(root)
        handle = os.open(root / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise DriverError(f"{error.filename or root}: {error.strerror}. Without a backup nothing is changed.") from error
    with os.fdopen(handle, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DriverError(f"Another deployment of this device is running (it holds {root / LOCK}); nothing was changed.") from None
        yield


def _new_folder(root: Path, name: str) -> Path:
    """A folder that was not there: two backups within a second get two names."""
    _make(root)
    for number in range(100):
        folder = root / (name if number == 0 else f"{name}-{number:02d}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder
    raise DriverError(f"{root / name}: there are a hundred backups of this second")


def _make(folder: Path) -> None:
    """mkdir -p gives its mode to the last folder only."""
    for path in [*reversed(folder.parents), folder]:
        if not path.is_dir():
            path.mkdir(mode=0o700, exist_ok=True)


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _others(folder: Path) -> str:
    names = sorted(path.parent.name for path in folder.parent.glob(f"*/{INDEX}")) if folder.parent.is_dir() else []
    return f"; there are: {', '.join(names[-5:])}" if names else ""
