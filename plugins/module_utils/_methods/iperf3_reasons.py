# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a run does not count, in words that a program can read. The full list with explanations is in docs/methods/iperf3.md."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple

# Reasons
CONTROL_LOST = "CONTROL_LOST"
STREAM_LOST = "STREAM_LOST"
RECEIVER_STATS_MISSING = "RECEIVER_STATS_MISSING"
INTERRUPTED = "INTERRUPTED"
SHORT_RUN = "SHORT_RUN"
NO_JSON = "NO_JSON"
TRUNCATED = "TRUNCATED"
SERVER_BUSY = "SERVER_BUSY"
CONNECT_FAILED = "CONNECT_FAILED"
TIMEOUT = "TIMEOUT"
STREAMS_MISSING = "STREAMS_MISSING"
NOT_FINITE = "NOT_FINITE"
ABOVE_LINE_RATE = "ABOVE_LINE_RATE"
RECEIVED_ABOVE_SENT = "RECEIVED_ABOVE_SENT"
ZERO_BYTES = "ZERO_BYTES"
BIDIR_UNSUPPORTED_VERSION = "BIDIR_UNSUPPORTED_VERSION"
TOOL_ERROR = "TOOL_ERROR"

# Flags
DERIVED_FROM_LOSS = "DERIVED_FROM_LOSS"
STREAMS_NOT_LISTED = "STREAMS_NOT_LISTED"
LOSS_CLAMPED = "LOSS_CLAMPED"
LOSS_UNKNOWN = "LOSS_UNKNOWN"
JITTER_IMPLAUSIBLE = "JITTER_IMPLAUSIBLE"
CONGESTION_MISMATCH = "CONGESTION_MISMATCH"
CONGESTION_NOT_REPORTED = "CONGESTION_NOT_REPORTED"
EXIT_STATUS = "EXIT_STATUS"
OMIT_STATISTICS_OLD = "OMIT_STATISTICS_OLD"
RETRANSMITS_UNKNOWN = "RETRANSMITS_UNKNOWN"
NAT_VIEWS_DIFFER = "NAT_VIEWS_DIFFER"
VERSIONS_DIFFER = "VERSIONS_DIFFER"
OUT_OF_ORDER = "OUT_OF_ORDER"
RETRIED = "RETRIED"

# A second try may help. What is not here says something about the setting or about the number itself, and is never tried again.
WORTH_A_RETRY = frozenset((
    CONTROL_LOST, STREAM_LOST, RECEIVER_STATS_MISSING, SHORT_RUN, NO_JSON, TRUNCATED, SERVER_BUSY, CONNECT_FAILED, TIMEOUT, STREAMS_MISSING, ZERO_BYTES,
))

# The first pattern that is found decides. Texts of 3.1 … 3.21 (iperf_error.c).
_ERRORS = (
    (SERVER_BUSY, r"server is busy"),
    (INTERRUPTED, r"interrupt|terminated by signal|the client has terminated"),
    (CONNECT_FAILED, r"unable to connect to server|unable to connect stream|unable to send cookie|unable to create a new stream"),
    (CONTROL_LOST, r"control socket|control message|the server has terminated|unable to (receive|send) (results|parameters)|idle timeout for receiving"),
    (STREAM_LOST, r"(from|to) stream socket|stream socket has closed|unable to accept stream"),
)
_ERROR_LINE = re.compile(
    r"^(?:\S+ )?iperf3: (?:(?:parameter )?error - |(?=unrecognized option|invalid option|option ))(.*)$", re.MULTILINE
)


def reason(code: str, detail: str = "") -> Dict[str, str]:
    """One reason or flag."""
    return {"code": code, "detail": detail}


def classify(message: str) -> Dict[str, str]:
    """The reason behind an error text of iperf3."""
    text = re.sub(r"^error - ", "", message.strip())
    for code, pattern in _ERRORS:
        if re.search(pattern, text, re.IGNORECASE):
            return reason(code, text)
    return reason(TOOL_ERROR, text)


def sorted_out(messages: List[str]) -> Tuple[List[Dict[str, str]], List[Dict[str, str]]]:
    """Reasons and flags: up to 3.1.7 a datagram out of order is reported as an error, although the run goes on and its numbers hold."""
    harmless = [text for text in messages if "OUT OF ORDER" in text]
    flags = [reason(OUT_OF_ORDER, harmless[0])] if harmless else []
    return [classify(text) for text in messages if text not in harmless], flags


def error_lines(*texts: Any) -> List[str]:
    """The messages of plain C(iperf3: error - …) lines, and of those about its options."""
    return [match.group(1).strip() for text in texts if isinstance(text, str) for match in _ERROR_LINE.finditer(text)]


def worth_a_retry(reasons: List[Dict[str, str]]) -> bool:
    """Whether nothing speaks against a second try."""
    return bool(reasons) and all(item["code"] in WORTH_A_RETRY for item in reasons)


def merged(*groups: Optional[List[Dict[str, str]]]) -> List[Dict[str, str]]:
    """All groups in order, each code once, with all that is said about it."""
    result: Dict[str, List[str]] = {}
    for group in groups:
        for item in group or []:
            details = result.setdefault(item["code"], [])
            if item["detail"] and item["detail"] not in details:
                details.append(item["detail"])
    return [reason(code, "; ".join(details)) for code, details in result.items()]
