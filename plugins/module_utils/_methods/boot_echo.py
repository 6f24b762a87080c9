# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends every datagram back, for a limited time.

This file is handed to the target and run there by its Python as a program of its own: standard library only, no imports from the collection.
Its arguments are a folder, in which it writes C(pid.json), a port, and the seconds after which it ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path


def main() -> None:
    folder, port, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    echo.bind(("0.0.0.0", port))  # an address of this lab's host, whichever the route brings it to
    if os.fork():  # the task that starts us waits for this process only
        os._exit(0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(-10)
    start = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    (folder / "pid.json").write_text(json.dumps({"pid": os.getpid(), "start": start}))
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        echo.settimeout(max(0.01, min(60.0, deadline - time.monotonic())))
        with contextlib.suppress(socket.timeout, OSError):
            data, source = echo.recvfrom(2048)
            echo.sendto(data, source)


if __name__ == "__main__":
    main()
