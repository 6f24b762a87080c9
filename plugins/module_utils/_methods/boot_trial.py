# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The client's part of one boot: begin to ask before the power comes on, and read what was seen when all is quiet."""

from __future__ import annotations

import json
import platform
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._methods import boot_prober
from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_daemon import BootError, alive, folder_of, read_json, start, stop
from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_neighbours import ip_json
from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_result import judged

FOLDER = "probe"


def clocks() -> dict[str, Any]:
    """This host's clocks, side by side, and which boot of which kernel they belong to."""
    return {"epoch": time.time(), "monotonic": time.monotonic(), "boot_id": Path("/proc/sys/kernel/random/boot_id").read_text().strip()}


def stamp(epoch: float) -> str:
    return datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def way_to(server: str) -> dict[str, Any]:
    """Gateway, interface and source address towards a server."""
    routes = ip_json("-4", "route", "get", server)
    route = routes[0] if routes else {}
    if not route.get("gateway"):
        raise BootError("there is no route to %s through a router: it has to lead through the router under test" % server)
    return {"gateway": route["gateway"], "dev": route["dev"], "source": route["prefsrc"]}


def begin(params: dict[str, Any]) -> dict[str, Any]:
    """Start to ask; returns when the first second has been asked."""
    way = way_to(params["server"])
    known = {"forwarded": params["server"], "forwarded_ospf": params["far_server"], "address": way["gateway"], "ssh": way["gateway"], "dhcp": way["dev"]}
    targets = {name: known[name] for name in ["forwarded", *params["milestones"]] if known[name]}
    config = {"interval": params["interval_ms"] / 1000.0, "timeout": params["timeout"] + 30, "window": 1.0, "echo_port": params["echo_port"],
              "source": way["source"], "targets": targets}
    folder = folder_of(FOLDER)
    start(folder, boot_prober, {"config.json": json.dumps(config)}, [])
    deadline = time.monotonic() + 10.0
    while not read_json(folder / "status.json"):
        if alive(folder) is None or time.monotonic() > deadline:
            said = (folder / "program.err").read_text(errors="replace").strip()[-500:]
            stop(folder)
            raise BootError("the prober ended at once: %s" % (said or "it said nothing"))
        time.sleep(0.05)
    return {"clocks": clocks(), "way": way, "targets": targets}


def finish(params: dict[str, Any]) -> dict[str, Any]:
    """Wait until the prober has ended, and say what it saw."""
    folder = folder_of(FOLDER)
    deadline = time.monotonic() + params["timeout"] + 60
    while alive(folder) is not None and time.monotonic() < deadline:
        time.sleep(0.1)
    result, words = read_json(folder / "result.json"), ""
    if not result:
        path = folder / "program.err"
        words = path.read_text(errors="replace").strip()[-500:] if path.exists() else "it was never started"
    config = read_json(folder / "config.json")
    stop(folder)
    if not result:
        raise BootError("the prober left no result: %s" % (words or "it was killed"))
    return measurement(params, config, result)


def measurement(params: dict[str, Any], config: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """What the record is made of."""
    power = params["power_epoch"] - (result["epoch"] - result["monotonic"])
    found = judged(result, power, config["interval"], params["bootloader_s"])
    if params["power_clock"] != clocks()["boot_id"]:
        found["flags"].append({"code": "CLOCKS_DIFFER", "detail": "power and probes were timed by two hosts' clocks, trusted to be synchronised"})
    raw = {"config": config, "power": power, "power_call_s": params["power_call_s"], **result}
    return {
        **found, "attempts": 1, "started": stamp(result["epoch"] - result["wall_s"]), "finished": stamp(result["epoch"]),
        "wall_s": round(result["wall_s"], 3), "traffic_s": round(result["wall_s"], 3), "argv": [],
        "versions": {"python": platform.python_version()},
        "conditions": {
            "boot.probe_interval_s": config["interval"], "boot.window_s": config["window"], "boot.kind": params["kind"], "boot.neighbours": "permanent",
            "boot.power_event": params["power_event"], "boot.power_call_seconds": params["power_call_s"],
            "boot.bootloader_wait_seconds": params["bootloader_s"],
            "boot.latest_probe_seconds": round(result["latest"], 4),
        },
        "raw": [{"name": "probes.json", "text": json.dumps(raw, separators=(",", ":"))}],
    }
