# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The servers of other tools than iperf3, kept by the same supervisor: what they are called with."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_pool import Pool
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_sockets import holder

MORE_FOLDERS = "/usr/sbin:/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Program:
    """A server program: its port, its protocol, and the words after its name. Each stays in the foreground."""

    port: int
    protocol: str
    words: List[str]
    bound: List[str]

    def argv(self, bind: Optional[str]) -> List[str]:
        """For all addresses, or for one."""
        address = "[%s]" % bind if bind and ":" in bind else bind
        return [word.replace("{bind}", str(address)) for word in (self.bound if bind else self.words)]


PROGRAMS: Dict[str, Program] = {
    # no smallest interval: a probe of 1 ms is asked for by tests of outages; replies leave from the address that was asked
    "irtt": Program(2112, "udp", ["server", "-i", "0", "--set-src-ip", "-b", ":{port}"], ["server", "-i", "0", "-b", "{bind}:{port}"]),
    # -D: in the foreground, -N: no debug file in /tmp
    "netserver": Program(12865, "tcp", ["-D", "-N", "-p", "{port}"], ["-D", "-N", "-p", "{port}", "-L", "{bind}"]),
}


def where(name: str) -> Optional[str]:
    """The path of a program, also where the task's PATH does not name its folder."""
    return shutil.which(name) or shutil.which(name, path=MORE_FOLDERS)


def pool_of(name: str, path: str, port: Optional[int], bind: Optional[str], max_seconds: float) -> Pool:
    """The pool of one server. A connection to it may last as long as it does itself."""
    program = PROGRAMS[name]
    return Pool(path, [port or program.port], bind, max_seconds, max_seconds, program.argv(bind), program.protocol)


def somebody_elses(name: str, pool: Pool) -> Optional[str]:
    """Whoever serves the same already, as a package's own service may: C(netserver (pid 812)). None if nobody does."""
    inode = pool.listening().get(pool.ports[0])
    found = holder(inode) if inode else None
    return found if found and found.split(" ")[0] == name else None
