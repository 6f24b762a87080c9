# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the checks of a gate: each item of the expectations goes to the test that bears its check's name.

The folder in ROUTERLAB_GATE holds expectations.json, connections.json and timeouts.json; results.jsonl is written there.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
import types
from pathlib import Path
from typing import Any, Iterator

import pytest


def offer_collection(root: Path) -> None:
    """Make ansible_collections.routerlab.bench importable, wherever this copy of it lies."""
    name = ""
    for part, place in (("ansible_collections", []), ("routerlab", []), ("bench", [str(root)])):
        name = f"{name}.{part}" if name else part
        module = types.ModuleType(name)
        module.__path__ = place
        sys.modules.setdefault(name, module)


offer_collection(Path(__file__).resolve().parents[4])

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import PLANNED
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.outcome import BLOCKED, FAILED, NOT_PROVABLE, PASSED, SKIPPED, Blocked, NotProvable
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.session import Session

FOLDER = Path(os.environ.get("ROUTERLAB_GATE", "."))
RESULTS = FOLDER / "results.jsonl"
SESSIONS: list[Session] = []


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def write(line: dict[str, Any]) -> None:
    with RESULTS.open("a", encoding="utf-8") as handle:
        handle.write(json.dumps(line, ensure_ascii=False) + "\n")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each planned item of its check."""
    check = metafunc.function.__name__.removeprefix("test_")
    items = [item for item in read("expectations.json")["items"] if item["check"] == check and item["state"] == PLANNED]
    metafunc.parametrize("item", items, ids=[item["instance"] for item in items])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A check without items has nothing to run."""
    items[:] = [item for item in items if isinstance(item.callspec.params["item"], dict)]  # type: ignore[attr-defined]  # all are parametrised


@pytest.fixture(scope="session")
def gate() -> Iterator[Session]:
    """What the checks share."""
    session = Session(read("expectations.json"), read("connections.json"), str(FOLDER), read("timeouts.json"))
    SESSIONS.append(session)
    yield session
    session.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Write each result as it comes: a run that is killed keeps what it has."""
    yield
    if call.when == "call" or call.excinfo is not None:
        wanted = item.callspec.params["item"]  # type: ignore[attr-defined]  # of a parametrised test
        write({"check": wanted["check"], "instance": wanted["instance"], "seconds": round(call.duration, 3), **told(call.excinfo)})


def told(excinfo: Any) -> dict[str, Any]:
    """Status, message and code of a result."""
    if excinfo is None:
        return {"status": PASSED, "message": None, "code": None}
    error = excinfo.value
    if isinstance(error, (NotProvable, Blocked, pytest.skip.Exception)):
        status = NOT_PROVABLE if isinstance(error, NotProvable) else BLOCKED if isinstance(error, Blocked) else SKIPPED
        return {"status": status, "message": str(error.msg), "code": None}
    if isinstance(error, AssertionError):
        return {"status": FAILED, "message": str(error), "code": getattr(error, "code", None)}
    last = excinfo.traceback[-1]
    message = f"the check itself broke: {type(error).__name__}: {error} ({Path(str(last.path)).name}:{last.lineno + 1})"
    return {"status": FAILED, "message": message, "code": "CHECK_BROKEN"}


def watch(parent: int) -> None:
    """A gate whose play was killed ends too, and leaves no connections on the disk."""
    while os.getppid() == parent:
        time.sleep(0.5)
    shutil.rmtree(FOLDER, ignore_errors=True)
    os._exit(3)


def pytest_sessionstart() -> None:
    write({"begin": time.time()})
    threading.Thread(target=watch, args=(os.getppid(),), daemon=True).start()


def pytest_sessionfinish(exitstatus: int) -> None:
    write({"end": time.time(), "exit": int(exitstatus), "hosts": SESSIONS[0].notes if SESSIONS else {}})
