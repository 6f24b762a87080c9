# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks reach a host as the play does: worked out from variables, and turned into real command lines."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.backends import HostGone, OpenSshBackend, open_host, sudo_words
from ansible_collections.routerlab.bench.plugins.plugin_utils._gate.connections import connection_spec


def spec(defaults: dict[str, Any] | None = None, **hostvars: Any) -> dict[str, Any]:
    return connection_spec("lan", hostvars, {"connection": "ssh", "host_key_checking": True, **(defaults or {})})


def ssh_line(defaults: dict[str, Any] | None = None, **hostvars: Any) -> str:
    return OpenSshBackend(spec(defaults, **hostvars), "/run/x")._argv("true")[2]


def test_a_node_of_the_namespace_lab() -> None:
    found = spec(ansible_connection="routerlab.bench.netns", ansible_netns_name="lab-lan", ansible_python_interpreter="/usr/bin/python3")
    assert (found["kind"], found["netns"], found["python"], found["sudo"]) == ("netns", "lab-lan", "/usr/bin/python3", False)
    assert spec(ansible_connection="routerlab.bench.netns")["netns"] == "lan"


def test_the_automatic_interpreter_is_no_path() -> None:
    assert spec(ansible_python_interpreter="auto_silent")["python"] == "python3"


def test_ssh_as_the_inventory_describes_it() -> None:
    found = spec(
        {"user": "play"}, ansible_host="192.0.2.1", ansible_port=2222, ansible_user="lab", ansible_ssh_private_key_file="/k", ansible_ssh_common_args="-J hop"
    )
    assert {key: found[key] for key in ("kind", "host", "port", "user", "key", "extra")} == {
        "kind": "ssh", "host": "192.0.2.1", "port": "2222", "user": "lab", "key": "/k", "extra": "-J hop",
    }


def test_the_play_speaks_where_the_inventory_is_silent() -> None:
    found = spec({"user": "play", "key": "/play", "port": 22, "become": True, "become_user": "root"})
    assert (found["host"], found["user"], found["key"], found["port"], found["sudo"], found["sudo_user"]) == ("lan", "play", "/play", "22", True, "root")
    assert spec({"become": True}, ansible_become="no")["sudo"] is False


def test_no_shell_no_kind() -> None:
    found = spec(ansible_connection="ansible.netcommon.network_cli")
    assert found["kind"] is None
    assert "network_cli gives no shell" in found["why"]
    missing = connection_spec("lan", None, {})
    assert (missing["kind"], missing["why"]) == (None, "lan is in the lab and not in the inventory")
    with pytest.raises(HostGone, match="not in the inventory"):
        open_host(missing, "/run/x")


def test_the_ssh_command_line() -> None:
    line = ssh_line(ansible_host="192.0.2.1", ansible_port=2222, ansible_user="lab", ansible_ssh_private_key_file="/k", ansible_ssh_common_args="-o X='100%'")
    assert line.startswith("exec ssh -o BatchMode=yes -o X='100%' -o User=lab -o Port=2222 -i /k -o ConnectTimeout=10 ")
    assert line.endswith(" -o ControlPath=/run/x/%C 192.0.2.1 true")
    assert "StrictHostKeyChecking" not in line
    assert "StrictHostKeyChecking=no" in ssh_line({"host_key_checking": False})


def test_no_password_is_on_a_command_line() -> None:
    found = spec(ansible_password="hunter2", ansible_become=True, ansible_become_password="secret")
    backend = OpenSshBackend(found, "/run/x")
    line = backend._argv("true")[2]
    assert line.startswith("exec sshpass -e ssh ")
    assert "hunter2" not in line
    assert "BatchMode" not in line
    assert backend.variables == {"SSHPASS": "hunter2"}
    assert backend.secret == "secret"
    assert sudo_words(found) == ["sudo", "-S", "-p", "", "-u", "root", "--"]
    assert sudo_words(spec(ansible_become=True)) == ["sudo", "-n", "-u", "root", "--"]


def test_a_command_here_has_a_limit_and_plain_words() -> None:
    host = open_host(spec(ansible_connection="local"), "/run/x")
    assert host.check_output("echo %s; echo $LC_ALL", "it's 100% $HOME") == "it's 100% $HOME\nC"
    slow = host.run("sleep 5", timeout=0.2)
    assert (slow.rc, slow.stderr) == (124, "no answer within 0.2 s")


def test_a_node_that_is_not_there_says_so() -> None:
    host = open_host(spec(ansible_connection="routerlab.bench.netns", ansible_netns_name="nosuch-lan"), "/run/x")
    with pytest.raises(HostGone, match="there is no node 'nosuch-lan'"):
        host.run("true")


def test_a_host_that_does_not_answer_over_ssh_says_so() -> None:
    host = open_host(spec(ansible_host="127.0.0.1", ansible_port=1), "/run/x")
    with pytest.raises(HostGone, match="lan does not answer over SSH at 127.0.0.1: .*(refused|not found)"):
        host.run("true")
