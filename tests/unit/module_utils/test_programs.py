# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that is missing is named together with its Debian package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.module_utils._programs import PACKAGES, named, not_found

ROOT = Path(__file__).resolve().parents[3]
# every Debian has it
OF_THE_SYSTEM = {"bash"}


@pytest.mark.parametrize("argv", [["sh", "-c", "vtysh -c x"], ["bash", "-c", "vtysh -c x"], ["env", "vtysh"]], ids=lambda argv: str(argv[0]))
def test_what_a_shell_says_of_a_missing_program(argv: list[str], tmp_path: Path) -> None:
    (tmp_path / argv[0]).symlink_to(shutil.which(argv[0]) or argv[0])
    done = subprocess.run(argv, env={"PATH": str(tmp_path), "LC_ALL": "C"}, capture_output=True, text=True, check=False)
    assert done.returncode == 127
    assert not_found(done.stderr) == "vtysh (Debian package frr) is not installed"


@pytest.mark.parametrize("words", ["", "nothing", "vtysh: connection refused", "route not found in table", "cat: /etc/x: No such file or directory"])
def test_other_words_blame_no_program(words: str) -> None:
    assert "Debian package" not in (not_found(words) or "")


def test_a_path_and_an_unknown_program() -> None:
    assert named("/usr/sbin/kea-dhcp4") == "/usr/sbin/kea-dhcp4 (Debian package kea-dhcp4-server)"
    assert named("pktgen-x") == "pktgen-x"


def _listed(name: str) -> set[str]:
    """The words of one array of scripts/setup."""
    text = (ROOT / "scripts/setup").read_text(encoding="utf-8")
    match = re.search(rf"^{name}=\((.*?)\)$", text, re.MULTILINE | re.DOTALL)
    assert match
    return set(re.sub(r"#.*", "", match.group(1)).split())


def test_setup_installs_every_program_that_reads_a_golden_file() -> None:
    """Otherwise the tests that hand a file to its own program skip, and nobody looks at it."""
    room = yaml.safe_load((ROOT / "roles/debian/platform.yml").read_text(encoding="utf-8"))
    commands = " ; ".join(str(item["check"]) for item in room["artifacts"] if item.get("check"))
    used = {word for word in re.findall(r"[\w-]+", commands) if word in PACKAGES} - OF_THE_SYSTEM
    assert {"vtysh", "openvpn", "wg-quick"} <= used
    wanted = {PACKAGES[word] for word in used} - {"ifupdown2"}  # extracted, not installed
    assert wanted - _listed("PACKAGES") - _listed("DEV_PACKAGES") == set()


@pytest.mark.skipif(not os.path.exists("/usr/bin/dpkg-query"), reason="this is no Debian")
def test_the_packages_are_the_right_ones() -> None:
    """Of the programs that are installed here, by what dpkg says."""
    asked = {name: package for name, package in PACKAGES.items() if name != "python3"}  # its link is in python3-minimal
    patterns = [f"/{folder}/{name}" for name in asked for folder in ("usr/sbin", "usr/bin", "sbin", "bin")]
    done = subprocess.run(["dpkg-query", "-S", *patterns], capture_output=True, text=True, check=False)
    owners: dict[str, set[str]] = {}
    for package, path in re.findall(r"^([\w.+-]+)(?::\w+)?: (\S+)$", done.stdout, re.MULTILINE):
        owners.setdefault(path.rsplit("/", 1)[-1], set()).add(package)
    assert owners
    assert {name: found for name, found in owners.items() if asked[name] not in found} == {}
