# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which iperf3 is installed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version

# where a program may be although the task's PATH does not say so
_MORE_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/pkg/bin", "/opt/local/bin")


def installed(executable: str) -> Tuple[str, Optional[Version], Optional[str]]:
    """Path, version, and a sentence if one of them could not be found."""
    path = shutil.which(executable) or shutil.which(executable, path=os.pathsep.join(_MORE_FOLDERS))
    if not path:
        return executable, None, "executable: %r is not installed on this host; install the package iperf3 (version 3.1 or newer)" % executable
    try:
        done = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False, env=dict(os.environ, LC_ALL="C")
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return path, None, "executable: %s --version failed: %s" % (path, error)
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    version = Version.parse(said) if said.startswith("iperf") else None
    if version is None:
        return path, None, "executable: %s --version says %r, which is not an iperf 3.x" % (path, said[:80])
    return path, version, None
