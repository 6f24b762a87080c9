# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where a lab comes from: the variable, its Jinja, the files that it was written in.

``plain_lab`` turns Ansible's variable into plain data; ``read_sources`` scans the files of
an inventory; ``place`` gives a problem the file and line that it came from.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import NOTHING, Problem
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import Spec, item_path, lab_spec
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_yaml import Scan, scan

Render = Callable[[Any], Any]
FAILED = "(Jinja failed)"
VAULTED = ("AnsibleVaultEncryptedUnicode", "EncryptedString")
_JINJA = re.compile(r"\{[{%#]")


def plain_lab(raw: Any, render: Render) -> tuple[Any, list[Problem]]:
    """The lab as plain data, with a problem for each value whose Jinja or vault fails."""
    walk = _Plain(render)
    return walk.value(raw, {"type": "dict", "options": lab_spec()}, "lab"), walk.problems


class _Plain:
    """Walks the variable; ``done`` is true below a value that Jinja has made."""

    def __init__(self, render: Render) -> None:
        self.render = render
        self.problems: list[Problem] = []

    def value(self, raw: Any, spec: Spec, path: str, done: bool = False) -> Any:
        try:
            if isinstance(raw, Mapping):
                return {_plain_key(key): self.value(item, (spec.get("options") or {}).get(key, {}), f"{path}.{key}", done) for key, item in raw.items()}
            if isinstance(raw, (list, tuple)):
                element = {"type": spec.get("elements"), "options": spec.get("options")}
                return [self.value(item, element, item_path(path, index, item), done) for index, item in enumerate(raw)]
            if type(raw).__name__ in VAULTED:
                return str(raw)
            if isinstance(raw, str) and not done and _JINJA.search(raw):
                return self.value(_typed(self.render(raw), spec), spec, path, done=True)
        # Ansible's errors differ between its versions; each of them is told with its path
        except Exception as error:
            self.problems.append(_failure(path, error))
            return FAILED
        return _plain_scalar(raw)


def _plain_key(key: Any) -> Any:
    return str(key) if isinstance(key, str) else key


def _plain_scalar(raw: Any) -> Any:
    """The value in the language's own type, without what Ansible has tied to it."""
    if raw is None or isinstance(raw, bool):
        return raw
    for kind in (str, int, float):
        if isinstance(raw, kind):
            return kind(raw)
    return raw


def _typed(made: Any, spec: Spec) -> Any:
    """Up to ansible-core 2.18 an expression is always text: a number or a boolean again."""
    if isinstance(made, str):
        if spec.get("type") == "int" and re.fullmatch(r"-?\d+", made.strip()):
            return int(made)
        if spec.get("type") == "bool" and made.strip() in ("True", "False"):
            return made.strip() == "True"
    return made


def _failure(path: str, error: Exception) -> Problem:
    words = " ".join(str(getattr(error, "message", "") or error).split())
    return Problem(path, NOTHING, f"cannot be worked out: {words[:200].rstrip('. ')}", "Jinja with defined variables", "TEMPLATE")


def inventory_files(sources: Iterable[str], folders: Iterable[str] = (), extra: Iterable[str] = ()) -> list[Path]:
    """The YAML files of an inventory and of the playbook's folder, and ``-e @file``."""
    found: dict[Path, None] = {}
    for source in map(Path, sources):
        folder = source if source.is_dir() else source.parent
        inventory = sorted(source.iterdir()) if source.is_dir() else [source] if source.is_file() else []
        for path in [*(item for item in inventory if item.suffix in (".yml", ".yaml")), *_vars_files(folder)]:
            found[path] = None
    for folder in map(Path, folders):
        found.update(dict.fromkeys(_vars_files(folder)))
    for name in extra:
        path = Path(str(name)[1:])
        if str(name).startswith("@") and path.is_file():
            found[path] = None
    return list(found)


def _vars_files(folder: Path) -> list[Path]:
    paths = [path for kind in ("group_vars", "host_vars") for path in sorted((folder / kind).rglob("*"))]
    return [path for path in paths if path.is_file() and path.suffix in (".yml", ".yaml", ".json", "") and not path.name.startswith(".")]


def read_sources(paths: Iterable[Path], base: Path) -> tuple[list[Problem], dict[str, tuple[str, int]]]:
    """The problems of all files, and the place where each path of the lab is written."""
    problems: list[Problem] = []
    places: dict[str, tuple[str, int]] = {}
    for path in paths:
        name = str(path.relative_to(base)) if path.is_relative_to(base) else str(path)
        try:
            seen = scan(path.read_text(encoding="utf-8"), name)
        except (OSError, UnicodeDecodeError) as error:
            seen = Scan([Problem("(file)", NOTHING, f"cannot be read: {error}", "", "YAML_SYNTAX", name, 1)], {})
        problems += seen.problems
        places.update({key: (name, line) for key, line in seen.lines.items()})
    return problems, places


def place(problem: Problem, places: Mapping[str, tuple[str, int]]) -> Problem:
    """The problem with the file and line of its path, or of the nearest thing above it."""
    if problem.file or not places:
        return problem
    for path in _written_as(problem.path):
        if path in places:
            return dataclasses.replace(problem, file=places[path][0], line=places[path][1])
    return problem


def _written_as(path: str) -> Iterable[str]:
    """Where a path of a merged router may be written: its profile, the router, ``common``, then what holds them."""
    match = re.fullmatch(r"(lab\.routers\[[^]]*\])(?: \(profile ([^)]*)\))?((?:\.|$).*)", path)
    if not match:
        yield from _upwards(path)
        return
    router, profile, rest = match.groups()
    for whole in _upwards(rest):
        yield from ([f"lab.profiles[{profile}].changes{whole}"] if profile else [])
        yield f"{router}{whole}"
        yield f"lab.common{whole}"
    yield router


def _upwards(path: str) -> Iterable[str]:
    while path and path != "lab":
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
