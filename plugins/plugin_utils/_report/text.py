# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables for the terminal: plain text, aligned, nothing longer than it must be."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import Table, headline_table
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.words import noise_sentence, partial_sentence

HEAD_WIDTH = 16


def width(text: str) -> int:
    """Columns on a terminal."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _printable(text: str) -> str:
    """Without control characters: a name must not move the cursor."""
    return "".join(char if char.isprintable() else " " for char in text)


def table_text(table: Table) -> str:
    """One table, numbers to the right."""
    rows = [[_printable(cell.text) for cell in row] for row in table.rows]
    heads = _heads([_printable(title) for title in table.columns], rows)
    widths = [max(map(width, column)) for column in zip(*heads, *rows, strict=True)]
    right = [bool(table.rows) and all("number" in row[i].kind for row in table.rows) for i in range(len(table.columns))]

    def line(cells: list[str]) -> str:
        padded = [
            " " * (size - width(cell)) + cell if to_right else cell + " " * (size - width(cell))
            for cell, size, to_right in zip(cells, widths, right, strict=True)
        ]
        return "  ".join(padded).rstrip()

    rule = "  ".join("-" * size for size in widths)
    return "\n".join([*map(line, heads), rule, *map(line, rows), *map(_printable, table.notes)])


def _heads(titles: list[str], rows: list[list[str]]) -> list[list[str]]:
    """Column titles, broken into lines where they are wider than what stands below them."""
    wrapped = [
        textwrap.wrap(title, max([HEAD_WIDTH, *(width(row[index]) for row in rows)]), break_long_words=False) or [""]
        for index, title in enumerate(titles)
    ]
    height = max(map(len, wrapped))
    padded = [[""] * (height - len(lines)) + lines for lines in wrapped]
    return [list(line) for line in zip(*padded, strict=True)]


def closing_text(summary: dict[str, Any], page: str) -> str:
    """What a person reads last: the result table, whether it is whole, and where the report lies."""
    trials = summary["trials"]
    state = partial_sentence(summary) or f"{trials['valid']} of {trials['planned']} trials valid"
    if trials["invalid"]:
        state += f"; {trials['invalid']} invalid"
    title = f"{_printable(summary['lab']['title'] or summary['lab']['name'])} · {_printable(summary['suite']['title'])} · tier {summary['tier']}"
    noisy = noise_sentence(summary)
    return "\n".join([title, "", table_text(headline_table(summary)), "", *(textwrap.wrap(noisy, 110) if noisy else []), state, f"Report: {page}"])
