# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Offloads of an interface: switched off for a measurement, and put back as they were."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._endpoint import OFFLOADS, run

# What makes one packet of many, or many of one.
DEFAULT_FEATURES = ("tso", "gso", "gro", "lro")

Runner = Callable[[List[str]], Tuple[int, str]]


class OffloadError(Exception):
    """An offload could not be read, set or put back; the message is for a person."""


def parse(text: str) -> Dict[str, Tuple[str, bool]]:
    """C(ethtool -k) as short name to state and whether it can be changed."""
    found = {}
    for name, state, fixed in re.findall(r"^([a-z0-9-]+): (on|off)\b(.*)$", text, re.MULTILINE):
        if name in OFFLOADS:
            found[OFFLOADS[name]] = (state, "[fixed]" not in fixed)
    return found


def state_folder() -> Path:
    """Where the former state is kept until it is put back; it does not outlive a reboot, and the offloads do not either."""
    runtime = Path("/run")
    base = runtime if os.access(str(runtime), os.W_OK) else Path(tempfile.gettempdir())
    return base / ("routerlab-offload-%d" % os.getuid())


class Offloads:
    """The offloads of one interface of this host."""

    def __init__(self, interface: str, folder: Optional[Path] = None, runner: Runner = run) -> None:
        self.interface = interface
        self.file = (folder or state_folder()) / ("%s.json" % interface.replace("/", "_"))
        self._run = runner

    def now(self) -> Dict[str, Tuple[str, bool]]:
        """State of each, and whether it can be changed."""
        code, text = self._run(["ethtool", "-k", self.interface])
        if code == 127:
            raise OffloadError("ethtool is not installed on this host; install the package ethtool")
        if code:
            raise OffloadError("ethtool -k %s: %s" % (self.interface, text.strip() or "exit status %d" % code))
        return parse(text)

    def saved(self) -> Dict[str, str]:
        """What is to be put back; empty when nothing is."""
        try:
            value = json.loads(self.file.read_text())
        except (OSError, ValueError):
            return {}
        return {name: state for name, state in value.items() if state in ("on", "off")} if isinstance(value, dict) else {}

    def _set(self, wanted: Dict[str, str]) -> None:
        words = [word for name, state in wanted.items() for word in (name, state)]
        code, text = self._run(["ethtool", "-K", self.interface] + words)
        now = self.now()
        wrong = [name for name, state in wanted.items() if now.get(name, (state, False))[0] != state]
        if wrong:
            raise OffloadError("ethtool -K %s %s did not change %s: %s" % (self.interface, " ".join(words), ", ".join(wrong), text.strip() or code))

    def off(self, features: Iterable[str], dry: bool = False) -> bool:
        """Switches features off, those that the driver lets; the state before the first call is kept. True if something changed."""
        now = self.now()
        change = {name: "off" for name in features if now.get(name) == ("on", True)}
        if not change or dry:
            return bool(change)
        before = {name: state for name, (state, free) in now.items() if free}
        before.update(self.saved())
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        scratch = self.file.with_suffix(".new")
        scratch.write_text(json.dumps(before))
        os.replace(str(scratch), str(self.file))
        self._set(change)
        return True

    def restore(self, dry: bool = False) -> bool:
        """Puts back what was before the first C(off). True if something changed."""
        saved, now = self.saved(), self.now()
        change = {name: state for name, state in saved.items() if now.get(name, (state, False))[0] != state and now[name][1]}
        if change and not dry:
            self._set(change)
        if saved and not dry:
            self.file.unlink()
        return bool(change)
