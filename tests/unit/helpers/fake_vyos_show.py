# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a router that plays VyOS or EdgeOS answers to `show`. The texts for state follow FRR 8 and 9, iproute2 and the documentation of
VyOS 1.4; the numbers in them are made up."""
from __future__ import annotations

from fake_vyos_state import Box


def show(box: Box, words: list[str]) -> str:
    """The answer to a show command of operational mode."""
    if words[1:3] == ["configuration", "commands"]:
        return box.commands()
    if words[1:] == ["configuration"]:
        return box.boot_text()
    if words[1:2] == ["version"]:
        return _version(box)
    return f"\n  Invalid command: show [{words[1] if len(words) > 1 else ''}]\n\n"


def _version(box: Box) -> str:
    if box.platform == "edgeos":
        return (
            f"Version:      {box.version}\nBuild ID:     5574651\nBuild on:     12/22/21 10:58\nCopyright:    2012-2020 Ubiquiti Networks, Inc.\n"
            "HW model:     EdgeRouter X 5-Port\nHW S/N:       0123456789AB\n"
            "Uptime:       02:11:07 up 5 days,  3:04,  1 user,  load average: 0.06, 0.04, 0.00\n"
        )
    return (
        f"Version:          VyOS {box.version}\nRelease train:    sagitta\nRelease flavor:   generic\n\nBuilt by:         someone@example.net\n"
        "Build UUID:       00000000-0000-0000-0000-000000000000\n\nArchitecture:     x86_64\nBoot via:         installed image\n"
        "System type:      KVM guest\n"
    )
