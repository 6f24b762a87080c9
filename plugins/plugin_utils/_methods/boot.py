# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Method boot: seconds from power-on to the first packet forwarded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible_collections.routerlab.bench.plugins.plugin_utils._method import BY_THE_RUN, BaseMethod, Params, metric


class Method(BaseMethod):
    """One boot of the router; roles/bench/tasks/boot.yml switches it off and on in between."""

    metrics = [
        metric("boot_time", "s", "Power-on to first packet forwarded", "lower"),
        metric("boot_time_without_bootloader", "s", "The same without the bootloader's wait", "lower"),
        metric("address_time", "s", "Power-on to its address answering", "lower"),
        metric("ssh_time", "s", "Power-on to SSH", "lower"),
        metric("dhcp_time", "s", "Power-on to the first DHCP offer", "lower"),
        metric("ospf_time", "s", "Power-on to first packet forwarded by OSPF", "lower"),
    ]
    by_the_run = BY_THE_RUN | {"state", "far_server", "echo_port", "power_epoch", "power_event", "power_call_s", "power_clock", "bootloader_s"}
    tasks = "boot.yml"

    def seconds(self, params: Params) -> float:
        """What a machine without KVM takes, the shutdown before it counted."""
        return 75.0

    def extra(self, cell: Mapping[str, Any]) -> dict[str, Any]:
        """What module boot is called with, the times of the power apart."""
        defaults = {key: self.value({}, key) for key in ("kind", "interval_ms", "timeout", "milestones")}
        return {"boot": {**defaults, **cell["params"], "server": cell["server_address"], "far_server": cell.get("far_address")}}
