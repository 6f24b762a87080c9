# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One trial of a flent test: by flent where it can work, else by this project's own way; both are read from their data file."""

from __future__ import annotations

import os
import time
from typing import Any, Dict, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods import flent_own, flent_tool
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_ask import Ask, Brought
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_design import known
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import DataFile, read
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_numbers import metrics_of, shape_of, stream_means
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_validity import judged
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_write import file_name
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_program import installed
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import merged
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_trial import stamp
from ansible_collections.routerlab.bench.plugins.module_utils._methods.raw_files import kept_bytes


def chosen(ask: Ask) -> Tuple[Optional[str], str]:
    """The tool, and why it is not flent; no tool where neither can make this test."""
    why = flent_tool.why_not(ask) if ask.tool != "iperf3" else "asked for"
    if ask.tool == "flent":
        return ("flent", "") if why is None else (None, why)
    if why is None:
        return "flent", ""
    return ("iperf3", why) if known(ask.test) else (None, "%s; only flent itself makes the test %s" % (why, ask.test))


def _bring(ask: Ask) -> Brought:
    tool, why = chosen(ask)
    if tool == "flent":
        return flent_tool.run(ask)
    if tool == "iperf3":
        program, version, trouble = installed(ask.executable)
        brought = flent_own.run(ask, version, program, trouble)
        brought.conditions["why_not_netperf"] = why
        return brought
    return Brought(reasons=[{"code": "NETPERF_MISSING", "detail": why}])


def _facts(file: DataFile) -> Dict[str, Any]:
    """What the data file says of its streams."""
    metas = [series.meta for series in file.series.values() if series.name.startswith("TCP") and not series.computed]
    found: Dict[str, Any] = {}
    for key, name in (("CONG_CONTROL", "congestion_sender"), ("TCP_MSS", "tcp_mss")):
        values = sorted({str(meta[key]) for meta in metas if meta.get(key) is not None})
        if values:
            found[name] = ", ".join(values)
    probes = sorted({str(series.meta.get("RUNNER")) for series in file.series.values() if series.name.startswith("Ping") and not series.computed})
    return dict(found, probes=", ".join(probes))


def _congestion(ask: Ask, facts: Dict[str, Any]) -> List[Dict[str, str]]:
    """What is in force must be what was asked for."""
    seen = facts.get("congestion_sender")
    if not ask.congestion or not seen or seen == ask.congestion:
        return []
    return [{"code": "CONGESTION_MISMATCH", "detail": "asked for %s, in force: %s" % (ask.congestion, seen)}]


def measure(ask: Ask) -> Dict[str, Any]:
    """Runs a trial and returns the measurement; never raises for what a network or a tool does."""
    started, began = stamp(), time.monotonic()
    brought = _bring(ask)
    shape = shape_of(ask.test, ask.streams)
    file = read(brought.data) if brought.data is not None else DataFile()
    reasons, flags = judged(file, shape, ask.link_bps) if brought.data is not None else ([], [])
    reasons = merged(brought.reasons, reasons)
    metrics = metrics_of(file, shape)
    numbers = {name: item["value"] for name, item in metrics.items() if item["value"] is not None}
    facts = _facts(file)
    own = os.uname()
    raw = ([kept_bytes(file_name(ask.test), brought.data)] if brought.data is not None else []) + brought.raw
    return {
        "valid": not reasons,
        "reasons": reasons,
        "flags": merged(brought.flags, flags, _congestion(ask, facts)),
        "metrics": {name: dict(item, value=None) for name, item in metrics.items()} if reasons else metrics,
        "partial": numbers if reasons and numbers else None,
        "streams_mbps": stream_means(file),
        "attempts": 1,
        "started": started,
        "finished": stamp(),
        "wall_s": round(time.monotonic() - began, 4),
        "traffic_s": float(ask.total) if brought.data is not None else 0.0,
        "argv": brought.argv,
        "versions": brought.versions,
        "conditions": dict(brought.conditions, **facts, client_kernel="%s %s" % (own.sysname, own.release)),
        "raw": raw,
    }
