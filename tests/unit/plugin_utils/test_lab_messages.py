# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every code and every message that the checks of a lab can give occurs in a golden case."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Iterator

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXPECTED = [line for path in sorted((Path(__file__).parent / "lab_cases").rglob("*.expected")) for line in path.read_text().splitlines()]
# What stands in no golden case, and the test that shows it.
ELSEWHERE = {
    "_lab_source.py": "test_lab_source.py",  # Jinja and files: no case of a lab alone
    "_lab_hosts.py": "test_lab_source.py",  # the inventory's groups
    "_lab_report.py": "test_lab_source.py",  # a variable that is not there
}
SOURCES = sorted(
    path
    for path in (ROOT / "plugins/plugin_utils").glob("_*.py")
    if path.name not in ELSEWHERE and (path.name.startswith("_lab_") or path.name == "_features.py")
)


def pieces(node: ast.expr) -> str:
    """A pattern for the text that an expression makes; an empty one for what cannot be told."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(pieces(part) if isinstance(part, ast.Constant) else ".*" for part in node.values)
    if isinstance(node, ast.BinOp):
        return pieces(node.left) + ".*"
    return ""


def messages(source: str) -> Iterator[tuple[int, str]]:
    """The third argument of every Problem, and every text that is assigned to ``message``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem" and len(node.args) > 2:
            yield node.lineno, pieces(node.args[2])
        elif isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "message" for target in node.targets):
            yield node.lineno, pieces(node.value)


def codes(source: str) -> set[str]:
    """Every literal that looks like a code, in a call of Problem or in a table of them."""
    found = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in found if re.fullmatch(r"[A-Z]+(_[A-Z]+)*", text) and len(text) > 3}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_message_has_a_case(path: Path) -> None:
    missing = [
        f"{path.name}:{line}: {pattern}"
        for line, pattern in messages(path.read_text())
        if re.sub(r"\.\*", "", pattern).strip() and not any(re.search(pattern, text) for text in EXPECTED)
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_code_has_a_case(path: Path) -> None:
    told = {match for line in EXPECTED for match in re.findall(r"\[([A-Z_]+)\]", line)}
    assert codes(path.read_text()) - told - {"INVALID", "SECRET"} == set()


def test_the_reader_of_messages_finds_them() -> None:
    source = 'def f():\n    message = f"is {1} long"\n    return Problem(a, b, message), Problem(a, b, "is bad" + x)\n'
    assert [pattern for _line, pattern in messages(source) if pattern] == [r"is\ .*\ long", r"is\ bad.*"]


def test_what_stands_elsewhere_has_its_test() -> None:
    for source, test in ELSEWHERE.items():
        text = (Path(__file__).parent / test).read_text()
        for code in codes((ROOT / "plugins/plugin_utils" / source).read_text()) - {"WRONG_TYPE", "UNKNOWN_KEY", "NOT_A_CHOICE"}:
            assert code in text, f"{source}: {code} does not occur in {test}"
