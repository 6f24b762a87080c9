# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong with a lab, said in one shape.

Every check adds to a list of ``Problem``; nobody stops at the first one.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, Iterable

SECRET_FIELDS = ("community", "private_key", "secret")
"""Keys whose values are never shown."""


@dataclass(frozen=True)
class Problem:
    """One error: where, what was found, why it is wrong, what would be valid."""

    path: str
    value: Any
    message: str
    valid: str = ""
    code: str = "INVALID"
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        shown = "" if self.value is NOTHING else f" {self.shown}:"
        valid = f" Valid: {self.valid}." if self.valid else ""
        place = f" {self.file}:{self.line}" if self.file else ""
        return f"{self.path}:{shown} {self.message}.{valid} [{self.code}]{place}"

    @property
    def shown(self) -> str:
        """The value as text; a secret's is left out."""
        return HIDDEN if is_secret(self.path) and self.value is not None else show(self.value)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data, for a task's result."""
        value = None if self.value is NOTHING else self.shown
        plain = {"path": self.path, "value": value, "message": self.message, "valid": self.valid, "code": self.code}
        return {**plain, "file": self.file or None, "line": self.line or None}


NOTHING = object()
"""Stands for the value of something that is not there at all."""

HIDDEN = "(not shown)"


class LabError(ValueError):
    """A lab that cannot be used, with all its problems."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__(report(problems))


def is_secret(path: str) -> bool:
    """Whether a path ends in a key whose value is never shown."""
    return path.rsplit(".", 1)[-1] in SECRET_FIELDS


def show(value: Any) -> str:
    """A value as it is shown in a message: quoted, and cut when it is long."""
    if isinstance(value, (dict, list)) and value:
        # may hold secrets further down
        return f"a {'mapping' if isinstance(value, dict) else 'list'} of {len(value)}"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def report(problems: Iterable[Problem]) -> str:
    """All problems as one text, a line each, after a line that counts them."""
    lines = [str(problem) for problem in problems]
    noun = "error" if len(lines) == 1 else "errors"
    return "\n".join([f"The lab has {len(lines)} {noun}:", *(f"  {line}" for line in lines)])


def choices(names: Iterable[str], wanted: Any = None) -> str:
    """The valid names as text, with the nearest one first when there is one."""
    known = sorted(str(name) for name in names)
    if not known:
        return "none is defined"
    near = difflib.get_close_matches(str(wanted), known, n=1) if wanted is not None else []
    text = ", ".join(known if len(known) <= 40 else [*known[:40], "..."])
    return f"{text} (did you mean {near[0]}?)" if near else text
