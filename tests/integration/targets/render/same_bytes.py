# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the files below a folder with what the pure call renders from the lab on standard input."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path[:0] = os.environ["ANSIBLE_COLLECTIONS_PATH"].split(":")

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import profiles_of, render_lab

lab = json.load(sys.stdin)
compared = 0
for router in ("r1", "r2"):
    for profile in [None, *profiles_of(lab, router)]:
        folder = Path(sys.argv[1], lab["name"], *(["profiles", profile] if profile else []), router)
        for artifact in render_lab(lab, router, profile, platforms()):
            written = (folder / artifact.file).read_bytes()
            assert written == artifact.text.encode(), f"{folder / artifact.file} differs"
            compared += 1
assert compared > 30, compared
print(f"{compared} files are the same")
