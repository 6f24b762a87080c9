# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws charts. The only file that knows matplotlib, and it loads it only when something is drawn."""

from __future__ import annotations

import io
import re
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.picture import GREY, PALETTE, Bar, BarChart, RunOrder

INK, SOFT, GRID = "#24292f", "#59636e", "#d8dee4"
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"], "font.size": 9.5,
    "text.color": INK, "axes.edgecolor": GRID, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True, "hatch.linewidth": 1.1,
    "svg.fonttype": "none", "svg.hashsalt": "routerlab.bench", "path.simplify": True, "text.parse_math": False,
}
# How much of its colour a bar shows, plain and when it is not ranked.
SHARES = (0.55, 0.25)
WIDTH, BAR_INCHES, MOST_INCHES = 8.6, 0.52, 120.0


class Drawn:
    """One chart in both file formats, and the SVG as it may stand inside a page."""

    def __init__(self, png: bytes, svg: str) -> None:
        self.png = png
        self._svg = svg

    @property
    def svg(self) -> str:
        """A file of its own: white ground."""
        return re.sub(r"(<svg\b[^>]*>)", r'\1<rect width="100%" height="100%" fill="#ffffff"/>', self._svg, count=1)

    def inline(self, prefix: str) -> str:
        """For a page: ids of its own, scales with the page, takes the page's ink so that it reads in the dark as well."""
        text = self._svg[self._svg.index("<svg"):]
        text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
        text = re.sub(r'\bid="', f'id="{prefix}-', text)
        text = re.sub(r"url\(#", f"url(#{prefix}-", text)
        text = re.sub(r'href="#', f'href="#{prefix}-', text)
        for base in (*PALETTE, GREY):
            for share in SHARES:
                light = _lighter(base, share)
                text = text.replace(f"fill: {light}", f"fill: {light}; fill: color-mix(in srgb, {base} {share:.0%}, var(--ground))")
        for colour, name in ((INK, "ink"), (SOFT, "soft"), (GRID, "grid"), ("#ffffff", "ground")):
            text = text.replace(colour, f"var(--{name})")
        return re.sub(r'(<svg\b[^>]*?) width="[^"]*"([^>]*?) height="[^"]*"|(<svg\b[^>]*?) height="[^"]*"([^>]*?) width="[^"]*"',
                      r"\1\2\3\4", text, count=1)


def available() -> str | None:
    """None when charts can be drawn, else why not."""
    try:
        import matplotlib  # noqa: F401  only whether it is there
    except ImportError as exc:
        return f"matplotlib is not installed on the controller ({exc}); tables and page are made without charts"
    except OSError as exc:  # it wants a folder for its own files
        return f"matplotlib cannot be used on the controller ({exc}); tables and page are made without charts"
    return None


def draw(picture: BarChart | RunOrder) -> Drawn:
    """Draw one picture."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        return _bars(picture) if isinstance(picture, BarChart) else _run_order(picture)


def _figure(height: float) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, min(height, MOST_INCHES)), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _save(figure: Any) -> Drawn:
    png, svg = io.BytesIO(), io.StringIO()
    figure.savefig(png, format="png", facecolor="white", metadata={"Software": None})
    figure.savefig(svg, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return Drawn(png.getvalue(), svg.getvalue())


def _titles(figure: Any, axes: Any, title: str, caption: str, pad: float) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=11.5, fontweight="bold")
    axes.set_title(" ", fontsize=4, pad=pad)
    figure.supxlabel(caption, fontsize=7.8, color=SOFT, x=0.01, ha="left")


def _bars(chart: BarChart) -> Drawn:
    caption_lines = chart.caption.count("\n") + 1
    figure, axes = _figure(1.1 + 0.16 * caption_lines + 0.14 * len(chart.bands) + BAR_INCHES * max(1, len(chart.bars)))
    right = max([value for item in chart.bars for value in (*item.dots, item.high or 0)] + [band[2] for band in chart.bands], default=1.0) or 1.0
    for level, band in enumerate(chart.bands):
        _band(axes, level, *band)
    for row, item in enumerate(chart.bars):
        _bar(axes, row, item)
    axes.set_yticks(range(len(chart.bars)), [item.label for item in chart.bars])
    axes.tick_params(axis="y", length=0, pad=6)
    axes.tick_params(axis="x", length=3, colors=SOFT)
    axes.set_ylim(len(chart.bars) - 0.4, -0.6)
    axes.set_xlim(0, right * 1.06)
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    axes.spines["bottom"].set_visible(False)
    axes.spines["left"].set_color(SOFT)
    axes.set_xlabel(chart.axis, fontsize=9)
    _titles(figure, axes, chart.title, chart.caption, pad=2 + 10 * len(chart.bands))
    return _save(figure)


def _bar(axes: Any, row: int, item: Bar) -> None:
    if item.value is None:
        axes.text(0, row, "  " + item.text, va="center", ha="left", fontsize=8.5, color=SOFT, style="italic")
        return
    colour = GREY if item.greyed else item.colour
    axes.barh(row, item.value, height=0.5, color=_lighter(colour, SHARES[item.hatched or item.greyed]), linewidth=0)
    if item.hatched:
        axes.barh(row, item.value, height=0.5, facecolor="none", edgecolor=colour, hatch="///", linewidth=0)
    axes.plot([item.value, item.value], [row - 0.25, row + 0.25], color=colour, linewidth=2.4, solid_capstyle="butt", zorder=3)
    if item.low is not None and item.high is not None:
        axes.errorbar((item.low + item.high) / 2, row, xerr=(item.high - item.low) / 2, color=INK, linewidth=1.2, capsize=3.5, zorder=4)
    count = len(item.dots)
    spread = [row + (0.0 if count < 2 else 0.26 * (index / (count - 1) - 0.5)) for index in range(count)]
    axes.scatter(item.dots, spread, s=15, facecolor="white", edgecolor=colour, linewidth=1.2, zorder=5)
    axes.text(0.006, row - 0.375, item.text, transform=axes.get_yaxis_transform(), va="center", ha="left", fontsize=8, color=INK)


def _lighter(colour: str, share: float) -> str:
    """The colour on white at this opacity, but opaque: grid lines must not shine through a bar."""
    parts = [int(colour[index:index + 2], 16) for index in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)


def _band(axes: Any, level: int, low: float, middle: float, high: float, label: str) -> None:
    axes.axvspan(low, high, color=GREY, alpha=0.22, linewidth=0, zorder=1)
    axes.axvline(middle, color=SOFT, linewidth=1.3, linestyle=(0, (4, 2)), zorder=2)
    axes.annotate(label, (middle, 1), xycoords=("data", "axes fraction"), xytext=(0, 3 + 10 * level), textcoords="offset points", ha="right", va="bottom",
                  fontsize=8, color=SOFT)


def _run_order(chart: RunOrder) -> Drawn:
    figure, axes = _figure(3.9)
    values = [value for *dummy, points in chart.series for dummy_seq, value in points]
    axes.axhline(100, color=SOFT, linewidth=1)
    for name, colour, kind, points in chart.series:
        seqs, ratios = [seq for seq, dummy in points], [ratio for dummy, ratio in points]
        if kind == "baseline":
            axes.plot(seqs, ratios, color=SOFT, marker="D", markersize=5, linestyle=":", linewidth=1, label=name, zorder=4)
        else:
            axes.scatter(seqs, ratios, s=26, color=colour, alpha=0.9, linewidth=0, label=name, zorder=3)
    low, high = min(94.0, *values), max(106.0, *values)
    axes.set_ylim(max(0.0, low - 0.12 * (high - low)), high + 0.06 * (high - low))
    if chart.invalid:
        axes.scatter(chart.invalid, [0.03] * len(chart.invalid), s=30, marker="x", color="#c0392b", label="invalid", zorder=5,
                     transform=axes.get_xaxis_transform())
    axes.yaxis.set_major_formatter(lambda value, dummy: f"{value:g} %")
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    axes.tick_params(colors=SOFT)
    axes.set_xlabel("Trial, in the order of measurement", fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.11), ncols=min(6, len(chart.series) + 1), frameon=False, fontsize=8.5,
                handletextpad=0.3, columnspacing=1.4)
    _titles(figure, axes, chart.title, chart.caption, pad=16)
    return _save(figure)
