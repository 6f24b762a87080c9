# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From expectations and result lines to the result of a gate. Whatever was planned and did not run is a failure. Pure."""

from __future__ import annotations

import json
from typing import Any, Iterable, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import PLANNED
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.outcome import BLOCKED, FAILED, NOT_PROVABLE, PASSED

SCHEMA = "routerlab.bench/gate/1"
RUN = "gate_run"
SIGNS = {PASSED: "ok", FAILED: "FAILED", BLOCKED: "blocked", NOT_PROVABLE: "not provable", "skipped": "-"}
Result = dict[str, Any]


def read_lines(text: str) -> list[dict[str, Any]]:
    """The whole lines of a result file; a torn last line is left out."""
    found = []
    for line in text.splitlines():
        try:
            item = json.loads(line)
        except ValueError:
            continue
        if isinstance(item, dict):
            found.append(item)
    return found


def entry(check: str, instance: str, status: str, message: str | None, seconds: float = 0.0, code: str | None = None) -> Result:
    return {"check": check, "instance": instance, "status": status, "message": message, "code": code, "seconds": seconds}


def checks_of(expect: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> list[Result]:
    """Every item with its outcome, in the order of the expectations."""
    seen = {(line["check"], line["instance"]): line for line in lines if "check" in line}
    found = []
    for item in expect["items"]:
        key = (item["check"], item["instance"])
        if item["state"] != PLANNED:
            found.append(entry(*key, item["state"], item["reason"]))
        elif key in seen:
            line = seen[key]
            found.append(entry(*key, line["status"], line["message"], line["seconds"], line["code"]))
        else:
            found.append(entry(*key, BLOCKED, "it did not run"))
    return found


def broken_run(lines: list[dict[str, Any]], checks: list[Result], trouble: str | None, output: str) -> Result | None:
    """The failure of the run itself: a missing program, a limit, a crash, checks that never ran."""
    ended = any("end" in line for line in lines)
    missing = sum(check["status"] == BLOCKED and check["message"] == "it did not run" for check in checks)
    if trouble is None and ended and not missing:
        return None
    reason = trouble or ("pytest stopped before its end" if not ended else f"{missing} planned checks did not run")
    tail = " | ".join(output.split("\n")[-12:]).strip()
    return entry(RUN, "", FAILED, reason + (f"; the last that was printed: {tail[-1200:]}" if tail and not trouble else ""), code="GATE_BROKEN")


def gate_result(expect: Mapping[str, Any], text: str, trouble: str | None, output: str, when: Mapping[str, Any]) -> Result:
    """The gate's result: it has passed when nothing failed and nothing was blocked."""
    lines = read_lines(text)
    checks = checks_of(expect, lines)
    broken = broken_run(lines, checks, trouble, output)
    if broken is not None:
        checks.insert(0, broken)
    counts: dict[str, int] = {}
    for check in checks:
        counts[check["status"]] = counts.get(check["status"], 0) + 1
    failed = [{key: check[key] for key in ("check", "instance", "message", "code")} for check in checks if check["status"] == FAILED]
    return {
        "schema": SCHEMA,
        **{key: expect[key] for key in ("lab", "router", "profile", "platform", "version", "dialect", "managed")},
        **when,
        "passed": not failed and not counts.get(BLOCKED) and counts.get(PASSED, 0) > 0,
        "counts": counts,
        "failed": failed,
        "checks": checks,
        "hosts": next((line["hosts"] for line in lines if "end" in line), {}),
    }


def names_of(result: Mapping[str, Any]) -> list[str]:
    """The failed checks as short names, each once; those that were blocked when nothing failed by itself."""
    wanted = FAILED if result["failed"] else BLOCKED
    return list(dict.fromkeys(check["check"] for check in result["checks"] if check["status"] == wanted))


def plan_table(expect: Mapping[str, Any]) -> list[str]:
    """What a gate would prove, for a person."""
    width = max((len(item["check"]) for item in expect["items"]), default=0)
    lines = [f"Gate of {expect['router']}, profile {expect['profile']}: {sum(item['state'] == PLANNED for item in expect['items'])} checks"]
    for item in expect["items"]:
        reason = f"({SIGNS.get(item['state'], '-')}: {item['reason']})" if item["reason"] else ""
        lines.append("  " + " ".join(filter(None, [f"{item['check']:<{width}} ", item["instance"], reason])))
    return lines


def table(result: Mapping[str, Any]) -> list[str]:
    """The result for a person: one line for each check, what failed below with its reason."""
    counts = ", ".join(f"{number} {SIGNS[status] if status != PASSED else 'passed'}" for status, number in result["counts"].items() if status != "skipped")
    word = "PASSED" if result["passed"] else "FAILED"
    lines = [f"Gate of {result['router']}, profile {result['profile']}: {word} in {result['seconds']:.1f} s ({counts})"]
    width = max((len(check["check"]) for check in result["checks"]), default=0)
    for check in result["checks"]:
        line = f"  {SIGNS[check['status']]:<12}  {check['check']:<{width}}  {check['instance']}"
        if check["status"] in (NOT_PROVABLE, "skipped"):
            line += f"  ({check['message']})" if check["instance"] else f"({check['message']})"
        lines.append(line.rstrip())
    for check in result["checks"]:
        if check["status"] in (FAILED, BLOCKED):
            code = f" {check['code']}" if check["code"] else ""
            lines.append(f"{SIGNS[check['status']]}: {check['check']} {check['instance']}{code}: {check['message']}")
    return lines
