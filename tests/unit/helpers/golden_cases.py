# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden files of the rooms: which cases there are, what they render to, where the expected bytes lie.

A case is (room, lab, dialect, profile, router). Labs lie in tests/golden/labs/ (for every room) and in
tests/golden/<room>/labs/ (one room's own); tests/golden/<room>/room.yml gives versions and port names.

Expected files lie in tests/golden/<room>/<lab>/<dialect>/<profile or base>/<router>/. Nothing is stored twice: a profile
holds the files that differ from the base description, a later dialect those that differ from the first one.
A file that is not there at all where the other one has it is marked by an empty <file>.none.
"""

from __future__ import annotations

import copy
import functools
from pathlib import Path
from typing import Any, Iterator, NamedTuple

import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import merge
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import profiles_of, render_lab

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
BASE = "base"
NONE = ".none"


class Case(NamedTuple):
    """One configuration that has golden files."""

    room: str
    lab: str
    dialect: str
    profile: str | None
    router: str

    @property
    def name(self) -> str:
        return "/".join([self.room, self.lab, self.dialect, self.profile or BASE, self.router])


def rooms() -> list[str]:
    """Every room that has golden files."""
    return sorted(path.parent.name for path in GOLDEN.glob("*/room.yml"))


def room_of(room: str) -> dict[str, Any]:
    """A room's room.yml."""
    return _read(GOLDEN / room / "room.yml")


@functools.lru_cache(maxsize=None)
def _read(path: Path) -> dict[str, Any]:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def lab_files(room: str) -> dict[str, Path]:
    """The labs that a room renders; `labs` in room.yml narrows the shared ones."""
    wanted = room_of(room).get("labs")
    shared = {path.stem: path for path in sorted((GOLDEN / "labs").glob("*.yml")) if wanted is None or path.stem in wanted}
    return {**shared, **{path.stem: path for path in sorted((GOLDEN / room / "labs").glob("*.yml"))}}


def load(path: Path, room: str, dialect: str) -> dict[str, Any]:
    """A lab as one dialect of a room has it: platform, version, port names, and the room's `changes`."""
    own = room_of(room)
    lab = copy.deepcopy(_read(path)["lab"])
    for key in (path.stem, f"{path.stem}@{dialect}"):
        lab["common"] = merge(lab["common"], (own.get("changes") or {}).get(key) or {})
    natives = own["ports"][path.stem]
    lab["common"]["ports"] = merge([{"name": name, "native": native} for name, native in natives.items()], lab["common"].get("ports") or None)
    for router in lab["routers"]:
        router.update(platform=room, version=own["versions"][dialect])
        router.update({key: own[key] for key in ("device_class", "unconfirmed") if key in own and key not in router})
        router.update({"device_class": own["device_classes"][path.stem]} if path.stem in (own.get("device_classes") or {}) else {})
    without = own.get("without") or {}
    left_out = [name for key in (path.stem, f"{path.stem}@{dialect}") for name in without.get(key) or []]
    lab["profiles"] = [profile for profile in lab["profiles"] if profile["name"] not in left_out]
    for router in lab["routers"]:
        if "profiles" in router:
            router["profiles"] = [name for name in router["profiles"] if name not in left_out]
    return lab


def cases(room: str | None = None) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Every case with its lab; the first dialect and the base description come first."""
    for name in [room] if room else rooms():
        for stem, path in lab_files(name).items():
            for dialect in room_of(name)["versions"]:
                lab = load(path, name, dialect)
                for router in lab["routers"]:
                    for profile in [None, *profiles_of(lab, router["name"])]:
                        yield Case(name, stem, dialect, profile, router["name"]), lab


def rendered(case: Case, lab: dict[str, Any]) -> dict[str, bytes]:
    """What a case renders to, by file name."""
    return {artifact.file: artifact.text.encode() for artifact in render_lab(lab, case.router, case.profile, platforms())}


def _places(case: Case) -> list[Path]:
    """Where a file of a case may lie, the most special place first."""
    first = next(iter(room_of(case.room)["versions"]))
    places = []
    for dialect in dict.fromkeys([case.dialect, first]):
        for profile in dict.fromkeys([case.profile or BASE, BASE]):
            places.append(GOLDEN / case.room / case.lab / dialect / profile / case.router)
    return places


def expected(case: Case) -> dict[str, bytes]:
    """What a case has to render to."""
    found: dict[str, bytes | None] = {}
    for place in _places(case):
        for path in sorted(place.glob("*")):
            name, data = (path.name[: -len(NONE)], None) if path.name.endswith(NONE) else (path.name, path.read_bytes())
            found.setdefault(name, data)
    return {name: data for name, data in found.items() if data is not None}


def store(case: Case, files: dict[str, bytes]) -> None:
    """Write what differs from what is expected by now."""
    place = _places(case)[0]
    known = expected(case)
    for name in {*files, *known}:
        if files.get(name) != known.get(name):
            place.mkdir(parents=True, exist_ok=True)
            (place / (name if name in files else name + NONE)).write_bytes(files.get(name, b""))
