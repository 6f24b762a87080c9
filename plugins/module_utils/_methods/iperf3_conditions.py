# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Under which conditions a run took place, as both ends reported them."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods import iperf3_reasons as codes
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_reasons import reason
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_shape import Expected, mapping, number, objects

_ACCEPTED = re.compile(r"Accepted connection from (\S+), port (\d+)")


def plain_address(value: Any) -> Optional[str]:
    """An address without the prefix that an IPv4 peer gets on an IPv6 socket."""
    if not isinstance(value, str) or not value:
        return None
    return re.sub(r"^::ffff:(?=\d+\.\d+\.\d+\.\d+$)", "", value, flags=re.IGNORECASE)


def _system(report: Dict[str, Any]) -> Tuple[Optional[str], Optional[str]]:
    """Kernel and architecture from the output of uname; the host's name stays out."""
    text = mapping(report.get("start")).get("system_info")
    words = text.split() if isinstance(text, str) else []
    return ("%s %s" % (words[0], words[2]), words[-1]) if len(words) >= 4 else (None, None)


def far_end(document: Dict[str, Any]) -> Tuple[Optional[str], List[str]]:
    """The client's address as the server saw it: on the control connection, and on the data connections."""
    server = mapping(mapping(document.get("server_output_json")).get("start"))
    accepted = plain_address(mapping(server.get("accepted_connection")).get("host"))
    text = document.get("server_output_text")
    if accepted is None and isinstance(text, str):
        match = _ACCEPTED.search(text)
        accepted = plain_address(match.group(1)) if match else None
    data = sorted({address for address in (plain_address(item.get("remote_host")) for item in objects(server.get("connected"))) if address})
    return accepted, data


def _congestion(document: Dict[str, Any], expected: Expected) -> Tuple[Dict[str, Any], List[Dict[str, str]]]:
    """The algorithms in force, compared with the one that was asked for.

    Every end reports its own; which of them sends depends on the direction.
    """
    end = mapping(document.get("end"))
    seen = {side: end.get(side + "_tcp_congestion") for side in ("sender", "receiver")}
    seen = {side: value if isinstance(value, str) and value else None for side, value in seen.items()}
    conditions = {"congestion_requested": expected.congestion, "congestion_sender": seen["sender"], "congestion_receiver": seen["receiver"]}
    if not expected.congestion:
        return conditions, []
    wrong = ["%s %s" % (side, value) for side, value in sorted(seen.items()) if value and value != expected.congestion]
    if wrong:
        return conditions, [reason(codes.CONGESTION_MISMATCH, "asked for %s, in force: %s" % (expected.congestion, ", ".join(wrong)))]
    if not seen["sender"]:
        return conditions, [reason(codes.CONGESTION_NOT_REPORTED, "asked for %s" % expected.congestion)]
    return conditions, []


def _mss(start: Dict[str, Any]) -> Dict[str, Any]:
    return {"tcp_mss_default": number(start.get("tcp_mss_default")), "tcp_mss_requested": number(start.get("tcp_mss"))}


def conditions_of(document: Dict[str, Any], expected: Expected) -> Tuple[Dict[str, Any], List[Dict[str, str]]]:
    """Flat conditions and flags. What a version does not report is None."""
    server = mapping(document.get("server_output_json"))
    cpu = mapping(mapping(document.get("end")).get("cpu_utilization_percent"))
    kernels = {"client": _system(document), "server": _system(server)}
    accepted, data = far_end(document)
    result: Dict[str, Any] = {}
    for side, (kernel, arch) in kernels.items():
        result["%s_kernel" % side], result["%s_arch" % side] = kernel, arch
    # percent of one core, of the iperf3 processes only
    result["cpu_client_percent"], result["cpu_server_percent"] = number(cpu.get("host_total")), number(cpu.get("remote_total"))
    result["far_end_source"] = accepted or (data[0] if len(data) == 1 else None)
    result["far_end_data_source"] = ", ".join(data) or None
    result["block_bytes"] = expected.length
    flags: List[Dict[str, str]] = []
    if expected.protocol != "udp":
        result.update(_mss(mapping(document.get("start"))))
        congestion, flags = _congestion(document, expected)
        result.update(congestion)
    if accepted and data and data != [accepted]:
        flags = flags + [reason(codes.NAT_VIEWS_DIFFER, "control connection from %s, data from %s" % (accepted, ", ".join(data)))]
    return result, flags
