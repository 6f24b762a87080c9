# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What VyOS and EdgeOS tell of themselves."""

from __future__ import annotations

import re
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import decode
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_terminal import Terminal

# Kea of 1.5, ISC up to 1.4, EdgeOS.
LEASES = ("/config/dhcp/dhcp4-leases.csv", "/config/dhcpd.leases", "/var/run/dhcpd.leases")
MISSING = re.compile(r"command not found|No such file or directory|Invalid command|Permission denied|is not running|failed to connect")


def versions_of(text: str, saved: bytes) -> list[str]:
    """The release of ``show version``, and the component numbers of the saved configuration's last lines."""
    release = re.search(r"^\s*Version:\s+(?:VyOS\s+)?(\S+)", text, re.MULTILINE)
    footer = re.search(r'(?:vyos|vyatta)-config-version:\s*"([^"]+)"', decode(saved))
    return [match[1] for match in (release, footer) if match]


def info_of(terminal: Terminal, manifest: Mapping[str, Any], versions: list[str]) -> dict[str, Any]:
    """The router's state, by the commands of Linux below the command line."""
    commands = dict(linux.COMMANDS)
    if manifest["platform"] == "edgeos":
        commands["ospf"] = "show ip ospf neighbor"
    # conntrack needs more rights than a login has; whoever may configure has sudo without a password.
    commands["nat"] = "sudo conntrack -L --src-nat 2>/dev/null"
    answers = {section: _answer(terminal, command) for section, command in commands.items()}
    names = re.findall(r"^\d+:\s+([^:@\s]+)", answers["links"] or "", re.MULTILINE)
    answers["offloads"] = "".join(terminal.ask(f"sudo ethtool -k {name}", 60) + "\n" for name in names if name != "lo") if names else None
    answers["leases"] = next((text for text in (_answer(terminal, f"sudo cat {path}") for path in LEASES) if text is not None), None)
    hostname = terminal.ask("uname -n", 60).strip() or None
    return linux.info_of(answers, platform=manifest["platform"], version=versions[0] if versions else None, hostname=hostname)


def _answer(terminal: Terminal, command: str) -> str | None:
    """None for a command that the device does not have, or that fails."""
    text = terminal.ask(command, 60)
    return None if MISSING.search(text) else text
