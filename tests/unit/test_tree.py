# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of the tree: names, sizes, headers, and what must stand nowhere."""
from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = (
    "# Copyright: routerlab.bench contributors",
    "# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)",
    "# SPDX-License-Identifier: GPL-3.0-or-later",
)
DOCS = ("DOCUMENTATION", "EXAMPLES", "RETURN")
DOORS = r"plugins/(?:action|callback|connection|filter|inventory|lookup|modules|test)/[^/]+\.py"
# (which files, most lines); documentation strings of plugins are not counted
SIZES = [
    (r"roles/[^/]+/templates/.*", 80),
    (r"roles/[^/]+/(?:tasks|handlers)/.*\.yml", 75),
    (DOORS, 150),
    (r"plugins/(?:module_utils|plugin_utils)/.*\.py", 300),
    (r"(?:scripts|\.ci)/.*", 300),
    (r"tests/.*\.py", 400),
]
FUNCTION_LINES = 40
# What every platform's role holds, and nothing else; templates/ holds the platform's own names.
ROOM_FILES = {
    "README.md",
    "platform.yml",
    "defaults/main.yml",
    "meta/main.yml",
    "meta/argument_specs.yml",
    "tasks/main.yml",
    "tasks/deploy.yml",
}


def _tracked() -> list[Path]:
    """The project's files: what git holds or would hold; in an unpacked archive, every file."""
    git = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=False
    )
    if git.returncode == 0:
        names = {ROOT / name.decode() for name in git.stdout.split(b"\0") if name}
    else:
        names = {path for path in ROOT.rglob("*") if ".ansible" not in path.parts and ".venv" not in path.parts and ".git" not in path.parts}
    return sorted(path for path in names if path.is_file() and not path.is_symlink())


FILES = _tracked()


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def matching(pattern: str) -> list[Path]:
    return [path for path in FILES if re.fullmatch(pattern, name_of(path))]


def text_of(path: Path) -> str:
    """A file's text; nothing for a binary one."""
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8", errors="replace")


def report(offenders: list[str]) -> None:
    if offenders:
        pytest.fail("\n".join(offenders), pytrace=False)


def _documentation_lines(source: str) -> int:
    """Lines taken by the documentation strings of a plugin."""
    total = 0
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id in DOCS for target in node.targets):
            total += (node.end_lineno or node.lineno) - node.lineno + 1
    return total


def _code_lines(path: Path) -> int:
    source = text_of(path)
    lines = source.count("\n")
    return lines - _documentation_lines(source) if re.fullmatch(DOORS, name_of(path)) else lines


@pytest.mark.parametrize(("pattern", "most"), SIZES)
def test_files_are_short(pattern: str, most: int) -> None:
    sizes = [(path, _code_lines(path)) for path in matching(pattern)]
    report(["%s: %d lines, at most %d" % (name_of(path), lines, most) for path, lines in sizes if lines > most])


def _functions(source: str) -> Iterator[tuple[str, int, int]]:
    """Name, line and length of every function; its docstring is not counted."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            first = node.body[0]
            if ast.get_docstring(node, clean=False) is not None:
                length -= (first.end_lineno or first.lineno) - first.lineno + 1
            yield node.name, node.lineno, length


def test_functions_are_short() -> None:
    report(
        [
            "%s:%d %s() has %d lines, at most %d" % (name_of(path), line, name, length, FUNCTION_LINES)
            for path in matching(r".*\.py")
            for name, line, length in _functions(text_of(path))
            if length > FUNCTION_LINES
        ]
    )


def test_no_init_files() -> None:
    report([name_of(path) for path in FILES if path.name == "__init__.py"])


@pytest.mark.parametrize(
    ("pattern", "shape"),
    [
        (r"plugins/.*\.py", r"plugins(?:/_?[a-z][a-z0-9_]*)+\.py"),
        (r"plugins/(?:module_utils|plugin_utils)/[^/]+", r".*/_[^/]+\.py"),
        (r"roles/.*/(?:tasks|defaults|vars|handlers|meta)/.*", r".*/[a-z][a-z0-9_]*\.yml"),
        (r"roles/.*", r"roles/[a-z][a-z0-9_]*/.*"),
        (r"playbooks/[^/]+", r"playbooks/[a-z][a-z0-9_]*\.yml"),
        (r"(?!changelogs/).*\.ya?ml", r".*\.yml"),
        (r"scripts/.*", r"scripts/(?:[a-z0-9_]+/)?[a-z][a-z0-9_]*(?:\.py)?"),
    ],
)
def test_names_say_what_they_are(pattern: str, shape: str) -> None:
    report(["%s: not of the shape %s" % (name_of(path), shape) for path in matching(pattern) if not re.fullmatch(shape, name_of(path))])


def _programs() -> list[Path]:
    """Python files, and scripts that say which program runs them."""
    ours = [path for path in FILES if "golden" not in path.parts]  # golden files are what a router gets
    return [path for path in ours if path.suffix == ".py" or (not path.suffix and text_of(path).startswith("#!"))]


def test_every_program_carries_the_licence() -> None:
    offenders = []
    for path in _programs():
        lines = [line for line in text_of(path).splitlines()[:6] if not line.startswith("#!")]
        if tuple(lines[: len(HEADER)]) != HEADER:
            offenders.append("%s: the first lines are not the licence header" % name_of(path))
    report(offenders)


# What a file of the project must not hold. Single letters in brackets keep these lines from being found.
NOWHERE = [
    pytest.param(r"/(?:work|farm|root)/", "a path of one machine", id="machine-path"),
    pytest.param(r"/home/(?!user\b|vyos\b|lab\b)[a-z]+", "a path of one person", id="home"),
    pytest.param(r"(?:deb\.debian|pypi|registry\.npmjs)\.org", "a package registry's host; that is each machine's own matter", id="registry"),
    pytest.param(r"\b(?:T[O]DO|FIX[M]E|X{3}|NotImplemente[d])\b", "something left open", id="left-open"),
    pytest.param(r"(?i)\bsub-?agents?\b|\bbefore-stop\b|\.library\b", "a word of somebody's workplace", id="workplace"),
]


@pytest.mark.parametrize(("pattern", "what"), NOWHERE)
def test_stands_nowhere(pattern: str, what: str) -> None:
    offenders = [
        "%s:%d %s: %s" % (name_of(path), number, what, line.strip()[:100])
        for path in FILES
        if path.name not in ("LICENSE", Path(__file__).name)
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if re.search(pattern, line)
    ]
    report(offenders)


def test_every_role_introduces_itself() -> None:
    roles = sorted({ROOT / "roles" / path.relative_to(ROOT).parts[1] for path in matching(r"roles/[^/]+/.*")})
    needed = ("README.md", "meta/main.yml", "meta/argument_specs.yml")
    report(["%s lacks %s" % (name_of(role), name) for role in roles for name in needed if role / name not in FILES])


def _rooms() -> list[Path]:
    return [path.parent for path in matching(r"roles/[^/]+/platform\.yml")]


def test_every_room_has_the_same_names() -> None:
    assert _rooms()
    offenders = []
    for room in _rooms():
        files = {path.relative_to(room).as_posix() for path in FILES if room in path.parents}
        own = {name for name in files if not name.startswith("templates/")}
        offenders += ["%s lacks %s" % (name_of(room), name) for name in sorted(ROOM_FILES - own)]
        offenders += ["%s: no room has a %s" % (name_of(room), name) for name in sorted(own - ROOM_FILES)]
        if own == files:
            offenders.append("%s has no templates" % name_of(room))
    report(offenders)


def test_nothing_of_a_starter_is_left_open() -> None:
    """scripts/new_platform leaves marks where only a person knows what belongs there."""
    report(
        [
            "%s:%d %s" % (name_of(path), number, line.strip())
            for path in matching(r"(?:roles|tests/golden)/.*")
            for number, line in enumerate(text_of(path).splitlines(), 1)
            if "FILL IN:" in line
        ]
    )


# An exception, and the words that may follow it on its line before its reason begins.
EXCEPTIONS = [
    r"#\s*noqa\b:?[\s,A-Z0-9a-z\[\]-]*?(?=\s{2}|$|#)",
    r"#\s*type:\s*ignore(?:\[[\w, -]+\])?",
    r"#\s*pragma:\s*no cover",
    r"#\s*shellcheck disable=[\w,]+",
    r"^\s*(?:changed_when|failed_when): false",
    r"^\s*ignore_errors: true",
    r"^\s*no_log: true",
]


def _unreasoned(lines: list[str]) -> Iterator[int]:
    """Numbers of the lines that make an exception with no comment on the line or the line above."""
    for index, line in enumerate(lines):
        for pattern in EXCEPTIONS:
            match = re.search(pattern, line)
            if match and not re.search(r"#\s*\w|\w", line[match.end():]) and not (index and lines[index - 1].strip().startswith("#")):
                yield index + 1


def test_every_exception_has_its_reason_beside_it() -> None:
    report(
        [
            "%s:%d needs a comment: %s" % (name_of(path), number, text_of(path).splitlines()[number - 1].strip())
            for path in matching(r"(?:plugins|roles|playbooks|scripts|tests(?!/integration)|\.ci)/.*")
            if path.suffix in (".py", ".yml", "") and path.name != Path(__file__).name
            for number in _unreasoned(text_of(path).splitlines())
        ]
    )


@pytest.mark.parametrize(
    ("lines", "numbers"),
    [
        (["import x  # noqa: E402"], [1]),
        (["import x  # noqa: E402  the documentation comes first"], []),
        (["# never changes anything", "  changed_when: false"], []),
        (["  changed_when: false  # only reads"], []),
        (["- name: Look", "  changed_when: false"], [2]),
        (["x = y  # type: ignore[attr]"], [1]),
        (["x = y  # type: ignore[attr]  # from 2.19"], []),
    ],
)
def test_a_missing_reason_is_seen(lines: list[str], numbers: list[int]) -> None:
    assert list(_unreasoned(lines)) == numbers


def test_every_sanity_exception_has_its_reason() -> None:
    report(
        [
            "%s:%d has no reason" % (name_of(path), number)
            for path in matching(r"tests/sanity/ignore-.*\.txt")
            for number, line in enumerate(text_of(path).splitlines(), 1)
            if line.strip() and "#" not in line
        ]
    )


def test_sanity_exceptions_are_the_same_for_every_ansible_core() -> None:
    assert len({text_of(path) for path in matching(r"tests/sanity/ignore-.*\.txt")}) == 1


def _strings(source: str) -> dict[str, str]:
    """The documentation strings of a plugin, by name."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.update({target.id: node.value.value for target in node.targets if isinstance(target, ast.Name)})
    return found


def test_every_module_says_what_it_does() -> None:
    offenders = []
    for path in matching(r"plugins/modules/.*\.py"):
        docs = _strings(text_of(path))
        offenders += ["%s has no %s" % (name_of(path), name) for name in DOCS if not docs.get(name, "").strip()]
        for attribute in ("check_mode", "diff_mode", "platform", "idempotent"):
            if not re.search(r"^  %s:$" % attribute, docs.get("DOCUMENTATION", ""), re.MULTILINE):
                offenders.append("%s does not declare %s" % (name_of(path), attribute))
    report(offenders)


def test_every_action_has_its_documentation() -> None:
    modules = {path.name for path in matching(r"plugins/modules/.*\.py")}
    report([name_of(path) for path in matching(r"plugins/action/.*\.py") if path.name not in modules])
