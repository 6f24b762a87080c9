# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as Markdown."""

from __future__ import annotations

import re

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.document import Block
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import Table


def escape(text: str) -> str:
    """Text that Markdown and the HTML behind it leave alone."""
    text = re.sub(r"\s+", " ", str(text)).replace("&", "&amp;").replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|])", r"\\\1", text)
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", text)


def table_md(table: Table) -> str:
    """One table with its notes."""
    right = [bool(table.rows) and all("number" in row[i].kind for row in table.rows) for i in range(len(table.columns))]
    lines = ["| " + " | ".join(map(escape, table.columns)) + " |", "|" + "|".join("---:" if item else "---" for item in right) + "|"]
    lines += ["| " + " | ".join(escape(cell.text) or " " for cell in row) + " |" for row in table.rows]
    return "\n".join(lines + [""] + [escape(note) + "  " for note in table.notes]).rstrip()


def _code(text: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def block_md(block: Block, with_charts: bool) -> str:
    """One block."""
    if block.kind == "heading":
        return "#" * block.level + " " + escape(block.text)
    if block.kind == "table" and block.table:
        return table_md(block.table)
    if block.kind == "chart" and block.picture:
        return f"![{escape(block.picture.alt)}](charts/{block.picture.name}.png)" if with_charts else ""
    if block.kind == "list":
        return "\n".join(f"- {escape(item)}" for item in block.items)
    if block.kind == "facts":
        return " · ".join(map(escape, block.items))
    if block.kind == "code":
        return _code(block.text)
    if block.kind == "fold":
        return "\n\n".join([f"**{escape(block.text)}**", *[block_md(item, with_charts) for item in block.inside]])
    if block.kind in ("banner", "note"):
        return f"> **{escape(block.text)}**" if block.kind == "banner" else f"> {escape(block.text)}"
    return escape(block.text)


def markdown(blocks: list[Block], with_charts: bool = True) -> str:
    """The whole report."""
    return "\n\n".join(text for block in blocks if (text := block_md(block, with_charts))) + "\n"
