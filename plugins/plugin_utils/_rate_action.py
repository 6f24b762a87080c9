# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the actions that measure packet rates have in common: runs of the generator on the task's host, and offloads at all ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ansible.errors import AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase

from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_run import SUPER_PACKETS
from ansible_collections.routerlab.bench.plugins.module_utils._methods.packet_sizes import Size
from ansible_collections.routerlab.bench.plugins.module_utils._record import now
from ansible_collections.routerlab.bench.plugins.plugin_utils._elsewhere import on_host
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_ends import Ends
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_goals import Entry, Goals, SearchFailed, entry_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_result import ARROWS, measurement_of
from ansible_collections.routerlab.bench.plugins.plugin_utils._rate_search import Found, Journal, library_version, search
from ansible_collections.routerlab.bench.plugins.plugin_utils._stoppable import Stopped, stoppable

GENERATOR: dict[str, Any] = {
    "server": {"type": "str", "required": True},
    "ports": {"type": "list", "elements": "int", "default": [5201]},
    "port_index": {"type": "int", "default": 0},
    "bind": {"type": "str"},
    "link_bps": {"type": "float"},
    "size": {"type": "int", "default": 0},
    "size_kind": {"type": "str", "choices": ["ip", "frame", "payload", "imix"], "default": "ip"},
    "mtu": {"type": "int", "default": 1500},
    "streams": {"type": "int", "default": 1},
    "reverse": {"type": "bool", "default": False},
    "retries": {"type": "int", "default": 1},
    "executable": {"type": "str", "default": "iperf3"},
    "offload": {"type": "str", "choices": ["keep", "off"], "default": "off"},
    "ends": {"type": "list", "elements": "dict", "default": []},
}
SEARCH: dict[str, Any] = {
    "initial_seconds": {"type": "int", "default": 5},
    "final_seconds": {"type": "int", "default": 20},
    "sum_seconds": {"type": "int", "default": 40},
    "width": {"type": "float", "default": 1.0},
    "exceed": {"type": "float", "default": 50.0},
    "min_pps": {"type": "float", "default": 100.0},
    "max_pps": {"type": "float"},
    "max_runs": {"type": "int", "default": 80},
    "max_seconds": {"type": "float", "default": 3600.0},
    "journal": {"type": "path"},
}
# The rate to begin with where no link is declared.
FASTEST_LINK = 1e10
OFFLOAD = "routerlab.bench.interface_offload"
RUN = "routerlab.bench.packet_run"


def size_of(args: Mapping[str, Any]) -> Size:
    """The size that is asked for."""
    return Size(args["size_kind"], args["size"], args["mtu"], 6 if ":" in args["server"] else 4)


def goals_of(args: Mapping[str, Any], losses: list[float], size: Size) -> Goals:
    """The goals that are asked for, percentages as ratios. The highest rate is the link's unless given."""
    highest = args["max_pps"] or (args["link_bps"] or FASTEST_LINK) / size.wire_bits
    same = {name: args[name] for name in ("initial_seconds", "final_seconds", "sum_seconds", "min_pps", "max_runs", "max_seconds")}
    ratios = tuple(round(loss / 100, 9) for loss in losses)
    return Goals(losses=ratios, width=args["width"] / 100, exceed=args["exceed"] / 100, max_pps=highest, **same)


class RateAction(ActionBase):
    """A door gives C(SPEC) and C(answer)."""

    TRANSFERS_FILES = False
    _supports_check_mode = True
    SPEC: dict[str, Any] = {}

    def run(self, tmp: Any = None, task_vars: Any = None) -> dict[str, Any]:
        result = super().run(tmp, task_vars)
        _dummy, args = self.validate_argument_spec(argument_spec=self.SPEC)
        wrong = self.problems(args)
        if wrong:
            return {**result, "failed": True, "msg": "; ".join(wrong)}
        if self._task.check_mode:
            return {**result, "skipped": True, "msg": "check mode: nothing is measured"}
        self._args, self._vars = args, task_vars
        self._seen: dict[str, dict[str, str]] = {}
        self._last: dict[str, Any] = {}
        self._raw: list[dict[str, str]] = []
        self._started, self._clock = now(), time.monotonic()
        try:
            with stoppable() as self._check:
                measurement = self.answer(args)
        except Stopped:
            os._exit(1)  # nobody waits for a result any more, and a record must not be made of half a search
        return {**result, "changed": False, "measurement": measurement}

    def problems(self, args: Mapping[str, Any]) -> list[str]:
        """What is wrong with the question."""
        return size_of(args).problems()

    def answer(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The measurement."""
        raise AttributeError("a door has an answer of its own")

    # --- one run of the generator

    def generate(self, number: int, seconds: int, pps: float | None) -> dict[str, Any]:
        """One run on the task's host. Raises SearchFailed when there is no measurement at all."""
        self._check()
        args = {name: self._args[name] for name in GENERATOR if name not in ("offload", "ends", "port_index")}
        args.update({"duration": seconds, "port_index": self._args["port_index"] + number, **({"pps": pps} if pps else {})})
        try:
            returned = self._execute_module(module_name=RUN, module_args=args, task_vars=self._vars)
        except AnsibleConnectionFailure as exc:
            raise SearchFailed([{"code": "ENDPOINT_UNREACHABLE", "detail": " ".join(str(exc).split())}]) from exc
        measurement = returned.get("measurement")
        if not measurement:
            words = " ".join(str(returned.get(key) or "").strip() for key in ("msg", "module_stderr")).strip()
            raise SearchFailed([{"code": "METHOD_FAILED", "detail": words[-500:] or "no answer"}])
        self._note(measurement)
        return measurement

    def _note(self, measurement: Mapping[str, Any]) -> None:
        """Keep what a run was made with, and its remarks, each once."""
        self._last = dict(measurement)
        self._seen.update({item["code"]: item for item in measurement.get("flags") or []})

    # --- a search made of them

    def searched(self, goals: Goals, size: Size) -> Found:
        """The search, begun or gone on with."""
        question = {name: self._args[name] for name in self._args if name not in ("journal", "ends", "ports", "port_index")}
        journal = Journal(self._args["journal"], question)
        journal.begin()
        for kept in journal.kept:
            self._raw += kept["raw"]
            self._note(kept["about"])
        made = [len(journal.kept)]

        def generate(seconds: int, pps: float) -> Entry:
            measurement = self.generate(made[0], seconds, pps)
            made[0] += 1
            raw = [{"name": f"run{made[0]:03d}.{item['name']}", "text": item["text"]} for item in measurement.get("raw") or []]
            self._raw += raw
            entry = entry_of(measurement, seconds, pps)
            journal.add(entry, raw, measurement)
            return entry

        return search(goals, generate, [kept["entry"] for kept in journal.kept])

    def honest(self, metrics: dict[str, Any]) -> dict[str, Any]:
        """The metrics without the nominal packet rate, where packets larger than the path takes were counted: it would be wrong by hundreds."""
        if SUPER_PACKETS in self._seen and "pps_nominal" in metrics:
            return {**metrics, "pps_nominal": {**metrics["pps_nominal"], "value": None}}
        return metrics

    def finished(self, found: Found, goals: Goals, size: Size, metrics: Mapping[str, Any], ends: Ends) -> dict[str, Any]:
        """The measurement of a search that came to its end."""
        more = {
            "flags": list(self._seen.values()), "conditions": ends.conditions, "raw": self._raw, "started": self._started, "finished": now(),
            "wall_s": round(time.monotonic() - self._clock, 3), "versions": {"mlrsearch": library_version()},
        }
        return measurement_of(found, goals, size, metrics, self._last, more)

    @property
    def arrow(self) -> str:
        """Direction of the traffic."""
        return ARROWS[self._args["reverse"]]

    # --- all ends

    @contextmanager
    def all_ends(self) -> Iterator[Ends]:
        """While it lasts, offloads are off at all ends where that is asked for, and as before afterwards; packets are counted there."""
        ends = Ends(self._args["reverse"], self._args["mtu"])
        listed = self._args["ends"] or [{"role": "client", "host": None, "peers": [self._args["server"]]}]
        wanted = ("off", "restored") if self._args["offload"] == "off" else ("present", "present")
        touched: list[Mapping[str, Any]] = []
        try:
            for end in listed:
                touched.append(end)
                ends.begin(str(end.get("role") or "end"), self._at(end, wanted[0]))
            yield ends
        finally:
            for end in touched:
                ends.end(str(end.get("role") or "end"), self._at(end, wanted[1]))
        self._seen.update({item["code"]: item for item in ends.flags(size_of(self._args))})

    def _at(self, end: Mapping[str, Any], state: str) -> dict[str, Any]:
        """What the module returns at one end; nothing, and a flag, where that is not possible."""
        role, args = str(end.get("role") or "end"), {"state": state, "peers": [str(peer) for peer in end["peers"]]}
        try:
            if end.get("host"):
                there, variables = on_host(self, str(end["host"]), self._vars)
                returned = there.module(OFFLOAD, args, variables)
            else:
                returned = self._execute_module(module_name=OFFLOAD, module_args=args, task_vars=self._vars)
        except (AnsibleError, KeyError) as exc:
            returned = {"msg": " ".join(str(exc).split())}
        if "offloads" in returned:
            return returned
        detail = f"{role}: {str(returned.get('msg') or 'no answer')[:300]}"
        self._seen["END_UNKNOWN"] = {"code": "END_UNKNOWN", "detail": detail}
        return {}
