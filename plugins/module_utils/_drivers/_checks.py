# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Candidates are looked at by the programs that will read them, before anything is put in place."""

from __future__ import annotations

import glob
import os
import re
import tempfile
from typing import Any, Iterable, List, Mapping, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._command import Done, find, run
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._files import FileChange, outside, read
from ansible_collections.routerlab.bench.plugins.module_utils._programs import not_found

# In a network namespace of its own, with empty devices of the names that the configuration is about.
SANDBOX = 'for i in %s; do ip link add "$i" type dummy 2>/dev/null || ip link add "$i" type bridge || exit 125; done; %s'


def require_programs(steps: Iterable[Mapping[str, Any]]) -> None:
    """Everything that the wanted steps run must be there; all that is missing is named at once."""
    missing = []
    for step in steps:
        lacking = [program for program in step.get("programs") or [] if find(program) is None]
        if lacking:
            missing.append("%s (package %s)" % (", ".join(lacking), " ".join(step.get("packages") or ["?"])))
    if missing:
        raise DriverError("This device lacks what the configuration needs: %s. Install it, or let the role do so." % "; ".join(missing))


def require_claims(spec: Mapping[str, Any], text: str) -> None:
    """Names that our part of a file defines must not be defined elsewhere too."""
    if "claims" not in spec:
        return
    pattern = re.compile(spec["claims"], re.MULTILINE)
    ours = set(pattern.findall(text))
    twice = []
    for path in [spec["path"], *sorted(glob.glob(spec.get("claims_in") or ""))]:
        seen = read(path)
        if seen is not None:
            twice += ["%s in %s" % (name, path) for name in pattern.findall(outside(seen.data)) if name in ours]
    if twice:
        raise DriverError("The device's own files define what this configuration defines: %s. Take it out there." % ", ".join(sorted(set(twice))))


def check_candidate(change: FileChange, candidate: str, interfaces: List[str]) -> Optional[str]:
    """The words of the program that refuses this candidate, or None."""
    command = change.spec.get("check")
    if not command or change.data is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        done = _run(command.replace("{file}", candidate).replace("{dir}", folder), change, interfaces)
    if done.good:
        return None
    lacks = not_found(done.out) if done.rc == 127 else None
    if lacks:
        raise DriverError("%s cannot be checked by its own program: %s on this device." % (change.path, lacks))
    words = done.words().replace(candidate, change.path).replace(os.path.basename(candidate), os.path.basename(change.path))
    return "%s is refused by its own program (%s, rc %s):\n%s" % (change.path, command.replace("{file}", change.path), done.rc, words)


def _run(command: str, change: FileChange, interfaces: List[str]) -> Done:
    if change.spec.get("check_in") != "interfaces":
        return run(command)
    names = " ".join("'%s'" % name for name in interfaces)
    return run(SANDBOX % (names, command), prefix=["unshare", "--net"])
