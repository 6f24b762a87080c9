# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as one HTML file: nothing is loaded, no script runs, every text is escaped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.document import Block
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.style import CSS
from ansible_collections.routerlab.bench.plugins.plugin_utils._report.tables import Table
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import slug

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
ALERT = ' role="alert"'


def json_for_script(value: Any) -> str:
    """JSON that a browser reads: no NaN, and nothing that could end the script element."""
    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def table_html(table: Table) -> str:
    """One table with its notes."""
    right = [bool(table.rows) and all("number" in row[i].kind for row in table.rows) for i in range(len(table.columns))]
    head = "".join(
        f'<th scope="col"{_class("number" if to_right else "")}>{escape(title)}</th>' for title, to_right in zip(table.columns, right, strict=True)
    )
    body = "".join("<tr>" + "".join(f"<td{_class(cell.kind)}>{escape(cell.text)}</td>" for cell in row) + "</tr>\n" for row in table.rows)
    notes = f'<p class="notes">{"<br>".join(map(escape, table.notes))}</p>' if table.notes else ""
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>{notes}'


def _class(kind: str) -> str:
    return f' class="{escape(kind)}"' if kind else ""


class Page:
    """Turns blocks into HTML; charts are given as inline SVG by name."""

    def __init__(self, charts: Mapping[str, str]) -> None:
        self.charts = charts
        self.sections: list[tuple[str, str]] = []

    def body(self, blocks: list[Block]) -> str:
        """The content, and on the way the list of sections."""
        return "\n".join(self._block(block) for block in blocks)

    def _block(self, block: Block) -> str:
        known = {"heading": self._heading, "table": self._table, "chart": self._chart, "list": self._list, "fold": self._fold}
        if block.kind in known:
            return known[block.kind](block)
        if block.kind == "facts":
            return '<p class="facts">' + "".join(f"<span>{escape(item)}</span>" for item in block.items) + "</p>"
        if block.kind == "code":
            return f"<pre><code>{escape(block.text)}</code></pre>"
        if block.kind in ("banner", "note"):
            return f'<p class="{block.kind}"{ALERT if block.kind == "banner" else ""}>{escape(block.text)}</p>'
        return f"<p>{escape(block.text)}</p>"

    def _heading(self, block: Block) -> str:
        if block.level != 2:
            return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        name = slug(block.text).lower()
        self.sections.append((name, block.text))
        return f'<h2 id="{name}">{escape(block.text)}</h2>'

    def _table(self, block: Block) -> str:
        return table_html(block.table) if block.table else ""

    def _chart(self, block: Block) -> str:
        svg = self.charts.get(block.picture.name) if block.picture else None
        if not svg or not block.picture:
            return ""
        return f'<figure role="img" aria-label="{escape(block.picture.alt)}">{svg}</figure>'

    def _list(self, block: Block) -> str:
        return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"

    def _fold(self, block: Block) -> str:
        return f"<details><summary>{escape(block.text)}</summary>{self.body(block.inside)}</details>"


def html(title: str, blocks: list[Block], summary: Mapping[str, Any], charts: Mapping[str, str]) -> str:
    """The whole page, with the summary embedded as JSON for whoever wants to compute with it."""
    page = Page(charts)
    top, rest = page.body(blocks[:2]), page.body(blocks[2:])
    links = "".join(f'<a href="#{name}">{escape(text)}</a>' for name, text in page.sections)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(title)}</title>
<style>{CSS}</style>
</head>
<body>
<header>
{top}
<nav aria-label="Sections">{links}</nav>
</header>
<main>
{rest}
</main>
<script type="application/json" id="summary">{json_for_script(summary)}</script>
</body>
</html>
"""
