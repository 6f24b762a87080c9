# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/schema from the schemas in the code; a test fails when they differ."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".ansible/collections"))

from ansible_collections.routerlab.bench.plugins.plugin_utils._report.schema import published

for name, content in published().items():
    (ROOT / "docs/schema" / name).write_text(content, encoding="utf-8")
    print(f"docs/schema/{name}")
