# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files of the target: read, compare, back up, put in place at once, put back."""

from __future__ import annotations

import difflib
import glob
import grp
import os
import pwd
import re
import shutil
import stat
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Set

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError

MARK = b"Written by routerlab.bench"
BEGIN = "# routerlab.bench: begin; the next deployment overwrites what is changed from here"
END = "# routerlab.bench: end"
# what an opening line is known by, whatever words follow
BEGINS = BEGIN.split(";", maxsplit=1)[0]
CANDIDATE = ".routerlab-new"
BACKUPS = "/var/lib/routerlab/backups"
KEPT_BACKUPS = 20


class Seen(NamedTuple):
    """A file as it is on the device."""

    data: bytes
    mode: int
    uid: int
    gid: int


class FileChange(NamedTuple):
    """One file that is written, or taken away when ``data`` is None."""

    name: str
    path: str
    step: Optional[str]
    before: Optional[Seen]
    data: Optional[bytes]
    mode: int
    uid: int
    gid: int
    secret: bool
    spec: Mapping[str, Any]
    link: Optional[str] = None
    """Where the path pointed to, when it was a symbolic link: a link is replaced by a file."""


def link_of(path: str) -> Optional[str]:
    return os.readlink(path) if os.path.islink(path) else None


def read(path: str) -> Optional[Seen]:
    """A regular file (through a symbolic link), or None."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise DriverError("%s is not a regular file; it is left alone" % path)
        with open(path, "rb") as stream:
            return Seen(stream.read(), stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)
    except FileNotFoundError:
        return None


def merged(old: Optional[Seen], block: str, path: str) -> bytes:
    """The file with our block in it: replaced where it stands, else at the end. An empty block leaves none."""
    text = old.data.decode("utf-8", errors="surrogateescape") if old else ""
    lines = text.splitlines(keepends=True)
    begins = [index for index, line in enumerate(lines) if line.startswith(BEGINS)]
    ends = [index for index, line in enumerate(lines) if line.rstrip("\n") == END]
    if len(begins) != len(ends) or len(begins) > 1 or (begins and ends[0] < begins[0]):
        raise DriverError("%s: the lines that enclose our part (%r, %r) do not come as one pair; repair or remove them" % (path, BEGINS, END))
    body = "%s\n%s%s\n" % (BEGIN, block, END) if block else ""
    if begins:
        lines[begins[0]:ends[0] + 1] = [body]
        return "".join(lines).encode("utf-8", errors="surrogateescape")
    if body and text and not text.endswith("\n"):
        body = "\n" + body
    return (text + body).encode("utf-8", errors="surrogateescape")


def outside(data: bytes) -> str:
    """What a file holds besides our block."""
    return re.sub(r"(?ms)^%s.*?^%s$" % (re.escape(BEGINS), re.escape(END)), "", data.decode("utf-8", errors="replace"))


def wanted_change(spec: Mapping[str, Any], text: str) -> Optional[FileChange]:
    """What has to be done for one artifact; None when the device has it already."""
    path = spec["path"]
    old = read(path)
    block = spec.get("put") == "block"
    data = merged(old, text, path) if block else text.encode()
    if block and old:
        mode, uid, gid = old.mode, old.uid, old.gid
    else:
        mode, uid, gid = int(spec["mode"], 8), _id(pwd.getpwnam, spec, "owner"), _id(grp.getgrnam, spec, "group")
    if old == Seen(data, mode, uid, gid):
        return None
    return FileChange(spec["name"], path, spec.get("step"), old, data, mode, uid, gid, spec["secret"], spec, link_of(path))


def _id(find: Any, spec: Mapping[str, Any], kind: str) -> int:
    try:
        return int(find(spec[kind])[2])
    except KeyError:
        raise DriverError("%s: this device has no %s %r; is the package installed?" % (spec["path"], kind, spec[kind])) from None


def removals(absent: Iterable[Mapping[str, Any]], wanted: Set[str]) -> List[FileChange]:
    """Files of ours (they carry our mark) that this configuration does not have. Files of others stay."""
    found = []
    for spec in absent:
        for path in sorted(glob.glob(spec["path"])):
            old = read(path) if path not in wanted else None
            if old is None:
                continue
            data = merged(old, "", path) if spec.get("put") == "block" else None
            if MARK in old.data if data is None else data != old.data:
                found.append(FileChange(spec["name"], path, spec.get("step"), old, data, old.mode, old.uid, old.gid, True, spec))
    return found


def diff(change: FileChange) -> Dict[str, str]:
    """A change as a person reads it; of a secret file only that it changes."""
    head = "%s%s" % (change.path, "" if change.before else " (not there)")
    tail = "%s%s" % (change.path, "" if change.data is not None else " (removed)")
    if change.secret:
        return {"prepared": "--- %s\n+++ %s\n(not shown: it may hold secrets)\n" % (head, tail)}
    old = change.before.data.decode("utf-8", errors="replace") if change.before else ""
    new = change.data.decode("utf-8", errors="replace") if change.data is not None else ""
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), head, tail, lineterm=""))
    if not lines:
        before = change.before
        lines = ["--- %s" % head, "+++ %s" % tail, "(mode and owner: %s)" % ("%o %d:%d" % (before.mode, before.uid, before.gid) if before else "none")]
    return {"prepared": "\n".join(lines) + "\n"}


def stage(change: FileChange) -> str:
    """Write the candidate beside its destination, where the destination's program may read it."""
    candidate = change.path + CANDIDATE
    os.makedirs(os.path.dirname(change.path), mode=0o755, exist_ok=True)
    _write(candidate, change.data or b"", change.mode, change.uid, change.gid)
    return candidate


def _write(path: str, data: bytes, mode: int, uid: int, gid: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        os.fchown(stream.fileno(), uid, gid)
        os.fchmod(stream.fileno(), mode)
        stream.flush()
        os.fsync(stream.fileno())


def put(change: FileChange) -> None:
    """Put a staged candidate in place, or take the file away."""
    if change.data is None:
        os.unlink(change.path)
    else:
        os.rename(change.path + CANDIDATE, change.path)


def put_back(change: FileChange) -> None:
    """The file as it was before the deployment."""
    if change.link is not None:
        os.symlink(change.link, change.path + CANDIDATE)
        os.rename(change.path + CANDIDATE, change.path)
        return
    if change.before is None:
        if os.path.lexists(change.path):
            os.unlink(change.path)
        return
    _write(change.path + CANDIDATE, *change.before)
    os.rename(change.path + CANDIDATE, change.path)


def discard(changes: Iterable[FileChange]) -> None:
    """Remove candidates that were not put in place."""
    for change in changes:
        if os.path.lexists(change.path + CANDIDATE):
            os.unlink(change.path + CANDIDATE)


def back_up(changes: Iterable[FileChange], stamp: str) -> Optional[str]:
    """Copies of all files that are about to be replaced, readable by root only. Old copies are cleared away."""
    replaced = [(change.path, change.before) for change in changes if change.before is not None]
    if not replaced:
        return None
    folder = os.path.join(BACKUPS, stamp)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    os.chmod(BACKUPS, 0o700)
    for path, old in replaced:
        copy = folder + path
        os.makedirs(os.path.dirname(copy), mode=0o700, exist_ok=True)
        _write(copy, old.data, 0o600, os.getuid(), os.getgid())
    for name in sorted(os.listdir(BACKUPS))[:-KEPT_BACKUPS]:
        shutil.rmtree(os.path.join(BACKUPS, name), ignore_errors=True)
    return folder
