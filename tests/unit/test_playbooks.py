# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playbooks and roles, run for real, where they must stop: what they say and how they end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")


def play(*words: str) -> tuple[int, str]:
    """Exit status of ansible-playbook, and all that it printed, as one line."""
    environment = {**os.environ, "ANSIBLE_NOCOLOR": "1", "ANSIBLE_FORCE_COLOR": "0", "ANSIBLE_LOCALHOST_WARNING": "0"}
    done = subprocess.run([PLAYBOOK, *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_a_traffic_host_names_the_packages_that_it_lacks(tmp_path: Path) -> None:
    book = tmp_path / "book.yml"
    book.write_text(
        "- hosts: localhost\n  connection: local\n  gather_facts: false\n  vars: {ansible_python_interpreter: '{{ ansible_playbook_python }}'}\n"
        "  tasks: [{ansible.builtin.include_role: {name: routerlab.bench.endpoint}}]\n",
        encoding="utf-8",
    )
    status, text = play(str(book), "-e", '{"endpoint_programs": ["python3", "swanctl", "xprog"], "endpoint_install": false}')
    assert status == 2
    assert "localhost lacks swanctl (Debian package strongswan-swanctl), xprog." in text
