# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page's looks: light and dark, narrow and wide, screen and paper."""

from __future__ import annotations

CSS = """
:root { color-scheme: light dark; --ink: #24292f; --soft: #59636e; --grid: #d8dee4; --ground: #ffffff; --raised: #f6f8fa;
  --good: #1a7f37; --warn: #9a6700; --bad: #c0392b; --accent: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3; --grid: #373e47; --ground: #0f1419; --raised: #1a2129;
  --good: #4ac26b; --warn: #d4a72c; --bad: #ff7b72; --accent: #79c0ff; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 74rem; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 4rem; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.35rem; margin: 2.8rem 0 .7rem; padding-top: .9rem; border-top: 1px solid var(--grid); }
h3 { font-size: 1.08rem; margin: 2rem 0 .5rem; }
p { margin: .6rem 0; max-width: 48rem; }
ul { margin: .6rem 0; padding-left: 1.3rem; max-width: 52rem; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1rem 0 0; font-size: .92rem; }
nav a { text-decoration: none; white-space: nowrap; }
nav a:hover { text-decoration: underline; }
.facts { color: var(--soft); font-size: .92rem; }
.facts span { overflow-wrap: anywhere; }
.facts span + span::before { content: "·"; margin: 0 .5em; }
.banner, .note { border-left: .3rem solid var(--warn); background: var(--raised); padding: .6rem .9rem; margin: 1rem 0; max-width: 52rem;
  overflow-wrap: anywhere; }
.banner { border-color: var(--bad); font-weight: 600; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .38rem .9rem .38rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--grid); }
th, th.number { font-weight: 600; color: var(--soft); vertical-align: bottom; white-space: normal; }
td { overflow-wrap: break-word; max-width: 30rem; }
.number { text-align: right; white-space: nowrap; }
.name { white-space: nowrap; }
.muted { color: var(--soft); }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
.notes { color: var(--soft); font-size: .86rem; margin: -.3rem 0 1rem; }
figure { margin: .8rem 0 1.2rem; overflow-x: auto; }
figure svg { display: block; width: 100%; min-width: 36rem; max-width: 56rem; height: auto; }
pre { background: var(--raised); border: 1px solid var(--grid); border-radius: .4rem; padding: .7rem .9rem; overflow-x: auto; font-size: .88rem; }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--accent); font-size: .95rem; }
@media print { :root { color-scheme: light; --ink: #000000; --soft: #444444; --grid: #bbbbbb; --ground: #ffffff; --raised: #ffffff;
  --good: #1a7f37; --warn: #7a5200; --bad: #a11a1a; --accent: #000000; }
  body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; } h2 { break-after: avoid; } h3 { break-after: avoid; }
  figure { overflow: visible; } figure svg { min-width: 0; }
  figure, tr, .banner, .note { break-inside: avoid; } .scroll { overflow: visible; } pre { white-space: pre-wrap; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; } table { font-size: 8.5pt; } }
"""
