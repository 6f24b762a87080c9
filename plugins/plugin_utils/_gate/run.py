# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the checks of a gate in a pytest of their own, and makes every way in which that can go wrong a named failure."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._record import now
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.result import gate_result
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import write_atomic

CHECKS = Path(__file__).resolve().parents[3] / "roles/router/files/gate"
# Everything may use up its own deadline once; then the gate is over.
GRACE = 90.0
# settle: interfaces; ospf: adjacencies; routes: counted from the moment when the adjacencies are Full; dhcp: a lease.
TIMEOUTS = {"settle": 3.0, "ospf": 60.0, "routes": 15.0, "dhcp": 15.0}


def missing_programs() -> str | None:
    """What this Python lacks to run the checks."""
    lacking = [package for package, module in (("pytest", "pytest"), ("pytest-testinfra", "testinfra")) if importlib.util.find_spec(module) is None]
    if not lacking:
        return None
    return f"{' and '.join(lacking)} missing for {sys.executable}: install what meta/ee-requirements.txt of the collection lists"


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the caller's pytest settings gets in, and nothing is written beside the checks."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "ROUTERLAB_GATE": str(folder)}


def _pytest(folder: Path, limit: float) -> tuple[str | None, str]:
    """Run pytest within a limit; the trouble, and what it printed."""
    argv = [sys.executable, "-m", "pytest", "-q", "-c", str(CHECKS / "pytest.ini"), "--rootdir", str(CHECKS), "--tb=no", "--color=no", str(CHECKS)]
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=_environment(folder), start_new_session=True
    )
    trouble = None
    try:
        output, _none = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        trouble = f"the checks did not end within {limit:.0f} s and were stopped"
        os.killpg(process.pid, signal.SIGKILL)
        output, _none = process.communicate()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return trouble, output.decode("utf-8", errors="replace").strip()


def run_gate(expect: Mapping[str, Any], specs: Mapping[str, Any], timeouts: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Prove what is expected. Always returns a result, never an exception's trace."""
    limits = {**TIMEOUTS, **{key: value for key, value in (timeouts or {}).items() if value is not None}}
    started, begun = now(), time.monotonic()
    trouble, output, text = missing_programs(), "", ""
    # The connections may hold passwords: the folder is for this user only and does not outlive the gate.
    folder = Path(tempfile.mkdtemp(prefix="routerlab-gate-"))
    try:
        if trouble is None:
            for name, content in (("expectations", expect), ("connections", specs), ("timeouts", limits)):
                (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
            trouble, output = _pytest(folder, sum(limits.values()) + GRACE)
            lines = folder / "results.jsonl"
            text = lines.read_text(encoding="utf-8") if lines.exists() else ""
    except OSError as error:
        trouble = f"the checks could not be run: {error}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    when = {"started": started, "finished": now(), "seconds": round(time.monotonic() - begun, 3)}
    return gate_result(expect, text, trouble, output, when)


def keep(result: Mapping[str, Any], expect: Mapping[str, Any], folder: str) -> str:
    """Write the result and its expectations into the run folder; the result's path. RunFolderError."""
    stem = f"{result['router']}-{result['profile']}"
    for name, content in ((f"{stem}.expectations.json", expect), (f"{stem}.json", result)):
        write_atomic(Path(folder) / "gate" / name, json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    return str(Path(folder) / "gate" / f"{stem}.json")
