# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The play's own connection to a device, for drivers of systems that have a shell and no Python.

``ansible_connection: ssh`` brings jump hosts, keys, control sockets and host key checks along.
"""

from __future__ import annotations

import shlex
from typing import Any, NamedTuple

from ansible.errors import AnsibleAuthenticationFailure, AnsibleConnectionFailure, AnsibleError

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused, LostContact


class Answer(NamedTuple):
    """What a command left behind."""

    rc: int
    out: bytes
    err: bytes

    def text(self) -> str:
        return decode(self.out)

    def words(self) -> str:
        """The device's own words about a failure."""
        return (decode(self.err).strip() or decode(self.out).strip()) or f"(it said nothing, rc {self.rc})"


def decode(data: bytes) -> str:
    """UTF-8, or else the old eight-bit letters: no answer is lost for one byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


class Shell:
    """Commands and files over an Ansible connection plugin. Text is never put through a prompt."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def run(self, command: str, data: bytes | None = None) -> Answer:
        """Run a command of a POSIX shell and wait for it; ``data`` goes to its standard input."""
        try:
            rc, out, err = self._connection.exec_command(command, in_data=data, sudoable=False)
        except AnsibleAuthenticationFailure as error:
            raise LoginRefused(str(error)) from error
        except (AnsibleConnectionFailure, AnsibleError) as error:
            raise LostContact(str(error)) from error
        return Answer(rc, bytes(out), bytes(err))

    def put(self, path: str, data: bytes, mode: str = "0600") -> Answer:
        """Write a file by way of the shell; no SFTP server is needed."""
        target = shlex.quote(path)
        return self.run(f"umask 077 && cat >{target} && chmod {mode} {target}", data)

    def get(self, path: str) -> Answer:
        """Read a file."""
        return self.run(f"cat {shlex.quote(path)}")

    def reset(self) -> None:
        """The next command opens a new connection: the proof that one can still get in."""
        self._connection.reset() if hasattr(self._connection, "reset") else self._connection.close()
