# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Traffic in both directions at once: how it is shared out between them is chance, so steadiness is judged on the sum, which is never published as a rate."""

from __future__ import annotations

from typing import Any

REVERSE = "_reverse"


def sums(cell: dict[str, Any], name: str) -> dict[int, float]:
    """Trial's seq to the sum of both directions of this metric; empty for a cell with one direction, and for trials where one is unknown."""
    forward = name[: -len(REVERSE)] if name.endswith(REVERSE) else name
    metrics = {metric["name"]: {item["seq"]: item["value"] for item in metric["values"]} for metric in cell["metrics"]}
    if forward not in metrics or forward + REVERSE not in metrics:
        return {}
    there, back = metrics[forward], metrics[forward + REVERSE]
    return {seq: there[seq] + back[seq] for seq in sorted(there) if seq in back}
