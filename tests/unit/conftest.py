# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets every unit test import what lies in C(helpers/), and says how property tests draw their examples.

In CI they are the same at every run, so that a change is judged by what it changes; by hand they are new each time.
No example has a deadline: how long one takes is the machine's business.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).resolve().parent / "helpers"))

settings.register_profile("routerlab", deadline=None, derandomize=bool(os.environ.get("CI")), database=None)
settings.load_profile("routerlab")
