# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which routers of a run did not do what they were described to do."""

from __future__ import annotations

from typing import Any, Iterable


def failed_gates(records: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """For each C(router/profile) whose gate failed in any of its trials, the checks that failed."""
    found: dict[str, set[str]] = {}
    for record in records:
        if record["gate"]["passed"] is False:
            found.setdefault(f"{record['dut']}/{record['profile']}", set()).update(record["gate"]["failed"])
    return {name: sorted(checks) for name, checks in sorted(found.items())}


def gates_text(run_dir: Any, gates: dict[str, list[str]]) -> str:
    """The same for a person."""
    lines = [f"the gate failed; the numbers are kept and not ranked (details in {run_dir}/gate):"]
    lines += [f"  {name}: {', '.join(checks) or 'no check named'}" for name, checks in gates.items()]
    return "\n".join(lines)
