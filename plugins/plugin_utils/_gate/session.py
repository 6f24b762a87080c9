# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the checks of one gate share: open hosts, their facts, listeners, leases and probes, all fetched side by side."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._programs import not_found
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.backends import HostGone, open_host
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.facts import COMMAND, OFFLOADS_COMMAND, Facts, NotLinux, interface_with, parse_facts, public
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.items import PLANNED
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.probes import (
    AGENT,
    LEASE,
    LIMIT,
    LISTENER_LIFETIME,
    LOADER,
    packed,
    request_text,
    requests,
)

MODULE_UTILS = Path(__file__).resolve().parents[2] / "module_utils"
POLL = 0.5


class HostFailed(Exception):
    """A program of ours did not do its work on a host; the message says what it answered."""


class Session:
    """Everything is begun at once and waited for where it is needed."""

    def __init__(self, expect: Mapping[str, Any], specs: Mapping[str, Mapping[str, Any]], folder: str, timeouts: Mapping[str, float]) -> None:
        self.expect, self.specs, self.folder, self.timeouts = expect, specs, folder, timeouts
        self.begun = time.monotonic()
        self.notes: dict[str, Any] = {}
        self._from: dict[str, float] = {}
        self._pool = ThreadPoolExecutor(max_workers=32)
        self._lock = threading.Lock()
        self._hosts: dict[str, Any] = {}
        self._programs = {name: packed(MODULE_UTILS, name) for name in (AGENT, LEASE)}
        self._reached: dict[str, Future[Facts]] = {name: self._pool.submit(self._first_look, name) for name in specs}
        self._listeners = {name: self._pool.submit(self._listen, name) for name in expect["listeners"]}
        self._leases = {want["pool"]: self._pool.submit(self._lease, want) for want in self._wants("dhcp_lease")}
        self._traffic: list[dict[str, Future[dict[str, Any]]]] = []
        self.ports: dict[str, int] = {}

    def _wants(self, check: str) -> list[dict[str, Any]]:
        return [item["want"] for item in self.expect["items"] if item["check"] == check and item["state"] == PLANNED]

    def left(self, what: str) -> float:
        """Seconds left until a deadline that all checks share."""
        return self._from.get(what, self.begun) + self.timeouts[what] - time.monotonic()

    def count_from_now(self, what: str) -> None:
        """A deadline that begins when something else is done."""
        self._from[what] = time.monotonic()

    def give_up(self, what: str) -> None:
        """Nothing is worth waiting for any more: one more look, and no second one."""
        self._from[what] = float("-inf")

    def poll(self, what: str, look: Callable[[bool], str | None]) -> str | None:
        """Look until nothing is wrong or the shared deadline has passed; the first look may use what is known already."""
        wrong = look(False)
        while wrong is not None:
            late = self.left(what) <= 0
            wrong = look(True)
            if late or wrong is None:
                break
            time.sleep(POLL)
        return wrong

    # Hosts

    def host(self, name: str) -> Any:
        """testinfra's host. HostGone."""
        with self._lock:
            if name not in self._hosts:
                spec = self.specs.get(name) or {"kind": None, "why": f"the gate has no connection to {name}"}
                self._hosts[name] = open_host(spec, self.folder)
            return self._hosts[name]

    def run(self, name: str, command: str, *args: str, timeout: float = 20.0) -> Any:
        """A command on a host."""
        return self.host(name).run(command, *args, timeout=timeout)

    def _first_look(self, name: str) -> Facts:
        facts = parse_facts(self.run(name, COMMAND).stdout)
        now = time.time()
        self.notes[name] = public(facts, now, self.run(name, OFFLOADS_COMMAND).stdout)
        return facts

    def facts(self, name: str, fresh: bool = False) -> Facts:
        """What a login on the host shows. HostGone, NotLinux."""
        if fresh:
            return parse_facts(self.run(name, COMMAND).stdout)
        if name not in self._reached:
            raise HostGone(f"the gate has no connection to {name}")
        return self._reached[name].result()

    def answers(self, name: str) -> bool:
        """Whether the host can be looked into."""
        try:
            self.facts(name)
        except (HostGone, NotLinux):
            return False
        return True

    def call(self, name: str, program: str, request: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """Run one of our programs on a host: a request in, an answer out."""
        self.facts(name)
        python = self.specs[name].get("python") or "python3"
        done = self.run(name, "%s -I -S -c %s %s %s", python, LOADER, request_text(request), self._programs[program], timeout=timeout)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            said = " ".join((done.stderr or done.stdout).split())[-300:] or "nothing"
            if not_found(done.stderr):
                raise HostFailed(f"{program} on {name}: {not_found(done.stderr)}") from None
            raise HostFailed(f"{program} on {name} by {python} ended with exit status {done.rc} and said: {said}") from None
        if "error" in answer and program == AGENT:
            raise HostFailed(f"{program} on {name}: {answer['error']}")
        return dict(answer)

    # Services

    def _listen(self, name: str) -> dict[str, int]:
        return self.call(name, AGENT, {"do": "serve", "ports": self.expect["probe_ports"], "lifetime": LISTENER_LIFETIME}, 20)

    def _lease(self, want: Mapping[str, Any]) -> dict[str, Any]:
        name, limit = want["host"], int(self.timeouts["dhcp"])
        interface = interface_with(self.facts(name), want["own"])
        if interface is None:
            return {"error": f"no interface of {name} has its address {want['own']}, so there is no telling where to ask"}
        return self.call(name, LEASE, {"interface": interface, "timeout": limit}, limit + 10)

    def lease(self, pool: str) -> dict[str, Any]:
        """The lease of a pool, or a dict with 'error'. HostGone, HostFailed."""
        return self._leases[pool].result()

    # Traffic

    def start_traffic(self) -> None:
        """Send all probes of the first stage, from all hosts at once, then those of the second; the routes should be there by now."""
        if self._traffic:
            return
        self.ports = {name: listener.result()["port"] for name, listener in self._listeners.items() if listener.exception() is None}
        before: list[Future[dict[str, Any]]] = []
        for stage in requests(self.expect["items"], self.ports, self.expect["addresses"]):
            begun = {source: self._pool.submit(self._probe, source, request, before) for source, request in stage.items()}
            self._traffic.append(begun)
            before = list(begun.values())

    def _probe(self, source: str, request: Mapping[str, Any], before: list[Future[dict[str, Any]]]) -> dict[str, Any]:
        wait(before)
        return self.call(source, AGENT, request, LIMIT + 10)

    def listener_error(self, name: str) -> str | None:
        """Why a host does not listen."""
        error = self._listeners[name].exception()
        return None if error is None else str(error)

    def answer(self, source: str, stage: int) -> dict[str, Any]:
        """All that the probes of a host have seen in one stage. HostGone, NotLinux, HostFailed."""
        self.start_traffic()
        if source not in self._traffic[stage]:
            raise HostFailed(f"{source} has nothing to send")
        return self._traffic[stage][source].result()

    def close(self) -> None:
        """End the listeners, then the connections."""
        for name, listener in self._listeners.items():
            if listener.exception() is None:
                self._pool.submit(self.run, name, "kill %s", str(listener.result()["pid"]))
        self._pool.shutdown(wait=True)
        for host in self._hosts.values():
            host.backend.close()
