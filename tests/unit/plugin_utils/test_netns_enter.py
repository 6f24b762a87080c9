# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the connection plugin finds a node, and what it says when there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils import _netns_enter as enter

NSENTER = ["nsenter", "--target", "4242", "--mount", "--uts", "--net", "--pid", "--"]


class Machine:
    """Folders that look like /run/routerlab, /run/netns and /proc."""

    def __init__(self, top: Path) -> None:
        self.runtime, self.netns, self.proc = (str(top / name) for name in ("runtime", "netns", "proc"))
        for folder in (self.runtime + "/lab", self.netns, self.proc):
            os.makedirs(folder)

    def process(self, pid: int, started: int, state: str = "S", title: str = "sh") -> None:
        os.makedirs(f"{self.proc}/{pid}", exist_ok=True)
        # pid (comm) state, then field 4 on; the start time is field 22
        Path(f"{self.proc}/{pid}/stat").write_text(f"{pid} ({title}) {state} " + "0 " * 18 + f"{started} 0 0\n", encoding="ascii")

    def pid_file(self, node: str, text: str) -> None:
        Path(f"{self.runtime}/lab/{node}.pid").write_text(text, encoding="ascii")

    def command(self, name: str, uid: int = 0) -> list[str]:
        return enter.prefix_command(name, uid, self.runtime, self.netns, self.proc)


@pytest.fixture()
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_node_is_entered_by_its_pid_file(machine: Machine) -> None:
    machine.process(4242, 777, title="a) S (b")
    machine.pid_file("dut", "4242 777 4026532536\n")
    assert machine.command("lab-dut") == NSENTER
    assert machine.command("lab-dut", uid=1000) == ["sudo", "-n", "--", *NSENTER]


def test_a_name_without_pid_file_is_a_namespace_made_by_hand(machine: Machine) -> None:
    Path(machine.netns, "lab-hand").touch()
    Path(machine.netns, "Some.Name").touch()
    assert machine.command("lab-hand") == ["ip", "netns", "exec", "lab-hand"]
    assert machine.command("Some.Name", uid=5) == ["sudo", "-n", "--", "ip", "netns", "exec", "Some.Name"]


@pytest.mark.parametrize("state", ["gone", "recycled", "zombie"])
def test_a_dead_holder_is_never_entered(machine: Machine, state: str) -> None:
    Path(machine.netns, "lab-dut").touch()  # the name may still be there
    machine.pid_file("dut", "4242 777 1\n")
    if state == "recycled":
        machine.process(4242, 99999)
    if state == "zombie":
        machine.process(4242, 777, state="Z")
    with pytest.raises(enter.NodeGone) as caught:
        machine.command("lab-dut")
    for word in ("lab-dut is gone", "pid 4242", "lab/dut.pid", "playbooks/netns_lab.yml"):
        assert word in str(caught.value)


def test_a_broken_pid_file_is_quoted(machine: Machine) -> None:
    machine.pid_file("dut", "what\n")
    with pytest.raises(enter.NodeGone, match="says 'what' instead of a pid and a start time"):
        machine.command("lab-dut")


def test_an_unknown_node_is_named(machine: Machine) -> None:
    with pytest.raises(enter.NodeGone, match="there is no node 'lab-nobody'.*build the lab with"):
        machine.command("lab-nobody")


def test_start_time_of_a_real_process() -> None:
    assert enter.start_time(os.getpid()) is not None
    assert enter.start_time(2**22 + 1) is None


@pytest.mark.parametrize(
    ("stderr", "uid", "code", "words"),
    [
        ("sudo: a password is required\n", 1000, 1, "sudo asks for a password"),
        ("sudo: a terminal is required to read the password; either use\n", 1000, 1, "sudo asks for a password"),
        ("joe is not in the sudoers file.\n", 1000, 1, "sudo refuses"),
        ("nsenter: cannot open /proc/77/ns/net: No such file or directory\n", 0, 1, "vanished"),
        ("sudo: a password is required\n", 0, 1, None),  # as root it is the command's own sudo that speaks
        ("nsenter: failed to execute nonsense: No such file or directory\n", 0, 127, None),
        ("something else\n", 1000, 1, None),
    ],
)
def test_failures_to_enter_are_told_from_failures_inside(stderr: str, uid: int, code: int, words: str | None) -> None:
    told = enter.explain_failure("lab-dut", code, stderr, uid)
    assert told is None if words is None else told is not None and words in told and "lab-dut" in told


def test_path_gets_the_administrators_folders() -> None:
    assert enter.path_variable("/opt/venv/bin:/usr/bin:/bin") == "/opt/venv/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
    assert enter.path_variable("/usr/local/sbin:/usr/sbin:/sbin:/bin") == "/usr/local/sbin:/usr/sbin:/sbin:/bin"
