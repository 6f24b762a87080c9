# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints this machine's daemons (processes whose parent is process 1) and listening sockets, one a line, sorted.

    python3 .ci/daemons.py >before; …; python3 .ci/daemons.py >after; comm -13 before after
"""
from __future__ import annotations

import os
import re
from pathlib import Path

LISTENING = {"tcp": "0A", "tcp6": "0A", "udp": "07", "udp6": "07"}


def state_and_parent(pid: int) -> tuple[str, int]:
    state, parent = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
    return state, int(parent)


def ancestors() -> set[int]:
    """This process and those above it."""
    found, pid = set(), os.getpid()
    while pid:
        found.add(pid)
        pid = state_and_parent(pid)[1]
    return found


def listening_inodes() -> dict[str, str]:
    """Socket inode to protocol and port."""
    found = {}
    for protocol, state in LISTENING.items():
        table = Path(f"/proc/net/{protocol}")
        for line in table.read_text(encoding="ascii").splitlines()[1:] if table.exists() else []:
            field = line.split()
            if field[3] == state:
                found[field[9]] = "%s port %d" % (protocol, int(field[1].rpartition(":")[2], 16))
    return found


def sockets_of(pid: int) -> set[str]:
    links = (os.readlink(entry.path) for entry in os.scandir(f"/proc/{pid}/fd"))
    return {match.group(1) for match in (re.fullmatch(r"socket:\[(\d+)\]", link) for link in links) if match}


def main() -> None:
    own, inodes, lines = ancestors(), listening_inodes(), set()
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        if pid in own:
            continue
        try:
            name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
            state, parent = state_and_parent(pid)
            if parent == 1 and state != "Z":
                lines.add(f"daemon {name}")
            lines.update(f"{name} listens on {inodes[inode]}" for inode in sockets_of(pid) if inode in inodes)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
