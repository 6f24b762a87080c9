# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who listens on which port of this network namespace, read from /proc without touching a socket."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_supervisor import LISTEN, UNCONNECTED, sockets


def listening(protocol: str = "tcp") -> Dict[int, str]:
    """Ports that are listened on, each with the inode of its socket."""
    return sockets(LISTEN) if protocol == "tcp" else sockets(UNCONNECTED, protocol)


def holder(inode: str, proc: Path = Path("/proc")) -> Optional[str]:
    """The program that has the socket open, as C(name (pid N)); None if that cannot be seen from here."""
    wanted = "socket:[%s]" % inode
    for folder in proc.iterdir():
        if not re.match(r"\d+$", folder.name):
            continue
        try:
            if any(_link(descriptor) == wanted for descriptor in (folder / "fd").iterdir()):
                return "%s (pid %s)" % ((folder / "comm").read_text().strip(), folder.name)
        except OSError:
            continue
    return None


def _link(path: Path) -> str:
    try:
        return os.readlink(str(path))
    except OSError:
        return ""


def busy_ports(ports: List[int], protocol: str = "tcp") -> List[str]:
    """A sentence for every one of the ports that somebody listens on."""
    taken = listening(protocol)
    found = []
    for port in ports:
        if port in taken:
            found.append("port %d is in use by %s" % (port, holder(taken[port]) or "another program, perhaps of another user or namespace"))
    return found
