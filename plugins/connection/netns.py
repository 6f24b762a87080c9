# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
---
name: netns
short_description: Run tasks inside a node of the namespace lab
version_added: 0.1.0
author: routerlab.bench contributors (@routerlab)
description:
  - Enters the namespaces of a node that P(routerlab.bench.netns_lab#module) made on this machine, and runs tasks there as root.
  - Where no such node exists, it enters a network namespace that somebody made with C(ip netns add); files, processes and host name are then the host's.
  - Works as root, and as an ordinary user who may run C(sudo -n) without a password.
extends_documentation_fragment:
  - connection_pipelining
requirements:
  - nsenter (Debian package util-linux) and ip (iproute2)
options:
  netns_name:
    description: Name of the network namespace, for example C(lab-dut).
    type: str
    default: inventory_hostname
    vars:
      - name: inventory_hostname
      - name: ansible_netns_name
  runtime_dir:
    description: Where the lab keeps the pid files of its nodes.
    type: path
    default: /run/routerlab
    vars:
      - name: ansible_netns_runtime_dir
"""

import os
import shlex
import shutil
import subprocess
import time
from typing import IO, Any, cast

from ansible.errors import AnsibleConnectionFailure, AnsibleError, AnsibleFileNotFound
from ansible.module_utils.common.text.converters import to_bytes, to_text
from ansible.plugins.connection import ConnectionBase
from ansible.utils.display import Display

from ansible_collections.routerlab.bench.plugins.module_utils._programs import named
from ansible_collections.routerlab.bench.plugins.plugin_utils._netns_enter import NodeGone, explain_failure, path_variable, prefix_command

display = Display()


class Connection(ConnectionBase):
    """Commands and files of one node."""

    transport = "routerlab.bench.netns"
    has_pipelining = True

    def _connect(self) -> Connection:
        self._connected = True
        return self

    def close(self) -> None:
        self._connected = False

    def _enter(self, name: str) -> list[str]:
        try:
            return prefix_command(name, os.geteuid(), self.get_option("runtime_dir"))
        except NodeGone as error:
            raise AnsibleConnectionFailure(str(error)) from error

    def _start(self, words: list[str], stdin: Any) -> tuple[str, subprocess.Popen[bytes]]:
        name = self.get_option("netns_name")
        argv = self._enter(name) + words
        display.vvv("ENTER %s" % " ".join(map(shlex.quote, argv)), host=name)
        environment = dict(os.environ, PATH=path_variable(os.environ.get("PATH", "")))
        try:
            return name, subprocess.Popen(argv, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env=environment)
        except FileNotFoundError as error:
            raise AnsibleError("%s is not installed on the controller" % named(argv[0])) from error

    def _finish(self, name: str, process: subprocess.Popen[bytes], stdin: bytes | None) -> tuple[int, bytes, bytes]:
        stdout, stderr = process.communicate(stdin)
        problem = explain_failure(name, process.returncode, to_text(stderr, errors="replace"), os.geteuid()) if process.returncode else None
        if problem:
            raise AnsibleConnectionFailure(problem)
        if process.returncode == -9:  # killed: on its own, or with the whole node, whose holder dies last?
            for _moment in range(25):
                self._enter(name)
                time.sleep(0.02)
        return process.returncode, stdout, stderr

    def exec_command(self, cmd: str, in_data: bytes | None = None, sudoable: bool = True) -> tuple[int, bytes, bytes]:
        """Run a command; stdin carries the module when pipelining."""
        super().exec_command(cmd, in_data=in_data, sudoable=sudoable)
        name, process = self._start(["/bin/sh", "-c", cmd], subprocess.PIPE if in_data is not None else subprocess.DEVNULL)
        return self._finish(name, process, in_data)

    def put_file(self, in_path: str, out_path: str) -> None:
        """Copy a file into the node."""
        super().put_file(in_path, out_path)
        if not os.path.exists(to_bytes(in_path, errors="surrogate_or_strict")):
            raise AnsibleFileNotFound("file or module does not exist: %s" % in_path)
        with open(to_bytes(in_path, errors="surrogate_or_strict"), "rb") as source:
            name, process = self._start(["/bin/sh", "-c", 'exec cat > "$1"', "sh", out_path], source)
            code, _stdout, stderr = self._finish(name, process, None)
        if code != 0:
            raise AnsibleError("cannot write %s in node %s: %s" % (out_path, name, to_text(stderr).strip()))

    def fetch_file(self, in_path: str, out_path: str) -> None:
        """Copy a file out of the node."""
        super().fetch_file(in_path, out_path)
        name, process = self._start(["cat", "--", in_path], subprocess.DEVNULL)
        with open(to_bytes(out_path, errors="surrogate_or_strict"), "wb") as target:
            shutil.copyfileobj(cast(IO[bytes], process.stdout), target, 1 << 20)
        code, _stdout, stderr = self._finish(name, process, None)
        if code != 0:
            os.unlink(to_bytes(out_path, errors="surrogate_or_strict"))
            raise AnsibleError("cannot read %s in node %s: %s" % (in_path, name, to_text(stderr).strip()))
