# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a trial is made again, and what is left of the one that failed."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods.trial_again import with_retries


def measurement(*codes: str, name: str = "x") -> dict[str, Any]:
    return {
        "valid": not codes, "reasons": [{"code": code, "detail": "d"} for code in codes], "flags": [], "raw": [{"name": "a.txt", "text": name}], "attempts": 1,
        "started": name, "wall_s": 1.0, "traffic_s": 0.5,
    }


@pytest.mark.parametrize(
    ("results", "retries", "made", "valid"),
    [
        ([measurement()], 1, 1, True),
        ([measurement("MISSING_STREAMS"), measurement()], 1, 2, True),
        ([measurement("MISSING_STREAMS"), measurement()], 0, 1, False),
        ([measurement("MISSING_STREAMS")] * 3, 1, 2, False),
        ([measurement("ABOVE_LINE_RATE"), measurement()], 1, 1, False),
        ([measurement("SHORT_RUN", "NETPERF_MISSING"), measurement()], 5, 1, False),
    ],
)
def test_how_often(results: list[dict[str, Any]], retries: int, made: int, valid: bool) -> None:
    left = iter(results)
    found = with_retries(lambda: next(left), retries)
    assert (found["attempts"], found["valid"]) == (made, valid)


def test_what_failed_is_kept_and_counted() -> None:
    left = iter([measurement("LOAD_FAILED", name="first"), measurement(name="second")])
    found = with_retries(lambda: next(left), 1)
    assert [item["name"] for item in found["raw"]] == ["a.txt", "failed1-a.txt"]
    assert (found["started"], found["wall_s"], found["traffic_s"]) == ("first", 2.0, 1.0)
    assert found["flags"] == [{"code": "RETRIED", "detail": "LOAD_FAILED (d)"}]
