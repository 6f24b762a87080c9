# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What OpenWrt tells of itself: Linux, by busybox's programs; dnsmasq's leases."""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils import _linux_info as linux
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ssh import Ssh


def info_of(ssh: Ssh, manifest: Mapping[str, Any], versions: list[str]) -> dict[str, Any]:
    """The state in the shape of router_info."""
    answers = {section: _answer(ssh, command) for section, command in linux.COMMANDS.items()}
    leases = _answer(ssh, "cat /tmp/dhcp.leases")
    hostname = (_answer(ssh, "cat /proc/sys/kernel/hostname") or "").strip() or None
    known: dict[str, Any] = {"platform": manifest["platform"], "version": versions[0] if versions else None, "hostname": hostname}
    return linux.info_of(answers, **known, leases=None if leases is None else _leases(leases))


def _answer(ssh: Ssh, command: str) -> str | None:
    answer = ssh.run(f"{command} 2>/dev/null </dev/null")
    return answer.text() if answer.rc == 0 else None


def _leases(text: str) -> list[dict[str, Any]]:
    """``expiry mac address name client-id``; a star stands for no name."""
    rows = [line.split() for line in text.splitlines()]
    return [{"address": row[2], "mac": row[1], "hostname": None if row[3] == "*" else row[3]} for row in rows if len(row) >= 4 and "." in row[2]]
