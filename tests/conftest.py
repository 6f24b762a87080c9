# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes ``ansible_collections.routerlab.bench`` importable from the checkout, for every test."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

subprocess.run([str(ROOT / "scripts/link_collection")], check=True)
sys.path.insert(0, str(ROOT / ".ansible/collections"))


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The top folder of the checkout."""
    return ROOT
