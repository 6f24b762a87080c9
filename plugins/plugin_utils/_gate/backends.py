# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""testinfra backends that enter the same places as the play's connections, and never wait for ever."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._programs import named
from ansible_collections.routerlab.bench.plugins.plugin_utils._netns_enter import NodeGone, explain_failure, path_variable, prefix_command

try:
    from testinfra.backend.local import LocalBackend
    from testinfra.backend.ssh import SshBackend
    from testinfra.host import Host
except ImportError:  # the action names the missing program before anything here is used
    LocalBackend = SshBackend = Host = object

TIMEOUT = 20.0
TIMED_OUT = 124
ENVIRONMENT = 'LC_ALL=C; PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"; export LC_ALL PATH; '


class HostGone(Exception):
    """A host does not answer; the message says how it was tried."""


class Bounded:
    """Runs a command line of the controller with a limit and, where a password is needed, with its input."""

    secret: str | None = None
    variables: Mapping[str, str] = {}

    def close(self) -> None:
        """Nothing is kept open."""

    def start(self, argv: list[str], command: str, timeout: float = TIMEOUT) -> Any:
        """A finished command as testinfra wants it."""
        given = None if self.secret is None else self.secret.encode() + b"\n"
        environment = {**os.environ, **self.variables, "PATH": path_variable(os.environ.get("PATH", ""))}
        try:
            done = subprocess.run(argv, input=given, capture_output=True, timeout=timeout, env=environment, cwd="/", check=False)
        except subprocess.TimeoutExpired:
            return self.result(TIMED_OUT, command.encode(), b"", f"no answer within {timeout:g} s".encode())  # type: ignore[attr-defined]  # of the backend
        except FileNotFoundError as error:
            raise HostGone(f"{named(argv[0])} is not installed on the controller") from error
        return self.result(done.returncode, command.encode(), done.stdout, done.stderr)  # type: ignore[attr-defined]  # of the backend


def sudo_words(spec: Mapping[str, Any]) -> list[str]:
    """What makes a shell command run as another user; the password comes by standard input."""
    if not spec["sudo"]:
        return []
    return ["sudo", *(["-n"] if spec["sudo_password"] is None else ["-S", "-p", ""]), "-u", spec["sudo_user"], "--"]


class NetnsBackend(Bounded, LocalBackend):
    """A node of the namespace lab, entered as the connection plugin enters it."""

    NAME = "netns"

    def __init__(self, spec: Mapping[str, Any]) -> None:
        super().__init__()
        self.spec = spec
        self.hostname = spec["name"]

    def get_pytest_id(self) -> str:
        return f"netns://{self.spec['netns']}"

    def run(self, command: str, *args: str, **kwargs: Any) -> Any:
        command = self.quote(command, *args)
        uid = os.geteuid()
        more = {"runtime_dir": self.spec["runtime_dir"]} if self.spec["runtime_dir"] else {}
        try:
            enter = prefix_command(self.spec["netns"], uid, **more)
        except NodeGone as error:
            raise HostGone(str(error)) from error
        done = self.start([*enter, "/bin/sh", "-c", ENVIRONMENT + command], command, **kwargs)
        why = explain_failure(self.spec["netns"], done.rc, done.stderr, uid) if done.rc else None
        if why:
            raise HostGone(why)
        return done


class ShellBackend(Bounded, LocalBackend):
    """This very machine."""

    NAME = "local"

    def __init__(self, spec: Mapping[str, Any]) -> None:
        super().__init__()
        self.spec = spec
        self.secret = spec["sudo_password"]

    def run(self, command: str, *args: str, **kwargs: Any) -> Any:
        command = self.quote(command, *args)
        return self.start([*sudo_words(self.spec), "/bin/sh", "-c", ENVIRONMENT + command], command, **kwargs)


class OpenSshBackend(Bounded, SshBackend):
    """testinfra's SSH, with one shared connection, passwords that no process list shows, and a limit."""

    NAME = "ssh"

    def __init__(self, spec: Mapping[str, Any], folder: str) -> None:
        super().__init__(
            "placeholder",
            ssh_identity_file=spec["key"],
            ssh_extra_args=spec["extra"] or None,
            controlpath=os.path.join(folder, "%%C"),  # testinfra formats the whole line once more
            controlpersist=60,
        )
        self.spec = spec
        self.host.name, self.host.port, self.host.user, self.host.password = spec["host"], spec["port"], spec["user"], None
        self.secret = spec["sudo_password"]
        self.variables = {"SSHPASS": spec["password"]} if spec["password"] is not None else {}

    def _argv(self, remote: str, *options: str) -> list[str]:
        words, values = self._build_ssh_command(remote)
        words[1:1] = options if self.spec["password"] is not None else ["-o BatchMode=yes", *options]
        line = self.quote(" ".join(words), *values)
        return ["/bin/sh", "-c", "exec " + ("sshpass -e " if self.spec["password"] is not None else "") + line]

    def close(self) -> None:
        """End the shared connection, which would outlive its socket's folder."""
        with contextlib.suppress(subprocess.TimeoutExpired):  # then it ends by itself after a minute
            subprocess.run(self._argv("", "-O exit"), capture_output=True, timeout=5, check=False)

    def run(self, command: str, *args: str, **kwargs: Any) -> Any:
        command = self.quote(command, *args)
        done = self.start(self._argv(shlex.join([*sudo_words(self.spec), "/bin/sh", "-c", ENVIRONMENT + command])), command, **kwargs)
        if done.rc in (255, TIMED_OUT) and not done.stdout:
            raise HostGone(f"{self.spec['name']} does not answer over SSH at {self.spec['host']}: {done.stderr.strip() or 'no message'}")
        return done


def open_host(spec: Mapping[str, Any], folder: str) -> Any:
    """testinfra's view of a host. HostGone when its connection is none that a shell comes through."""
    if spec["kind"] == "netns":
        backend = NetnsBackend(spec)
    elif spec["kind"] == "local":
        backend = ShellBackend(spec)
    elif spec["kind"] == "ssh":
        backend = OpenSshBackend(spec, folder)
    else:
        raise HostGone(spec["why"])
    host = Host(backend)
    backend.set_host(host)
    return host
