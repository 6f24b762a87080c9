# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings of iperf3, ping and irtt as series of a data file: what flent's own runners make of netperf, ping and irtt."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_design import Stream
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import finite
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_shape import mapping, number, objects

Raw = List[Dict[str, float]]
_PING = re.compile(r"^\[(\d{1,12}\.\d{1,9})\].*?icmp_[rs]eq=(\d{1,9})\b.*?\btime=(\d{1,9}(?:\.\d{1,9})?) ms(.*)$")
_PING_SUMMARY = re.compile(r"min/avg/max(?:/mdev)? = (\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)")


class Made:
    """One series: its readings, and what stands about it in C(SERIES_META)."""

    def __init__(self, name: str, raw: Raw, meta: Dict[str, Any]) -> None:
        self.name, self.raw, self.meta = name, raw, meta


def report_of(text: str) -> Dict[str, Any]:
    """The JSON object of an iperf3 report that was parsed before."""
    try:
        value = json.JSONDecoder().raw_decode(text[text.index("{"):])[0]
    except (ValueError, RecursionError):
        return {}
    return mapping(value)


def _per_stream(report: Dict[str, Any]) -> List[Dict[str, Any]]:
    """For each stream, in the order of its sockets, its end object."""
    return [mapping(item) for item in objects(mapping(report.get("end")).get("streams"))]


def _readings(report: Dict[str, Any], index: int, began: float) -> Raw:
    """Rate and end of each interval of one stream. A last interval of a few milliseconds says nothing, and flent leaves such out as well."""
    raw: Raw = []
    usual: Optional[float] = None
    for interval in objects(report.get("intervals")):
        streams = objects(interval.get("streams"))
        item = streams[index] if index < len(streams) else {}
        end, seconds, rate = number(item.get("end")), number(item.get("seconds")), number(item.get("bits_per_second"))
        if end is None or seconds is None or rate is None or seconds <= 0 or rate < 0:
            continue
        usual = seconds if usual is None else usual
        if usual / 10 < seconds < usual * 10:
            raw.append({"dur": seconds, "t": round(began + end, 6), "val": rate / 1e6})
    return raw


def _about(stream: Stream, report: Dict[str, Any], index: int, argv: List[str]) -> Dict[str, Any]:
    """The mean by the receiver's count, and what flent keeps of a TCP stream."""
    streams = _per_stream(report)
    end = streams[index] if index < len(streams) else {}
    sender, receiver = mapping(end.get("sender")), mapping(end.get("receiver"))
    rate, start, whole = number(receiver.get("bits_per_second")), mapping(report.get("start")), mapping(report.get("end"))
    meta: Dict[str, Any] = {
        "COMMAND": " ".join(argv), "RUNNER": "iperf3", "UNITS": "Mbits/s", "MEAN_VALUE": None if rate is None else rate / 1e6,
        "ELAPSED_TIME": number(receiver.get("seconds")) or number(receiver.get("end")), "BYTES_SENT": number(sender.get("bytes")),
        "BYTES_RECVD": number(receiver.get("bytes")), "TCP_RETRANSMIT": number(sender.get("retransmits")),
        "TCP_MSS": number(start.get("tcp_mss_default")), "CONG_CONTROL": whole.get("sender_tcp_congestion"),
        "UPSTREAM_TOS": stream.tos, "DOWNSTREAM_TOS": stream.tos, "DATA_TOS": stream.tos,
    }
    return {key: value for key, value in meta.items() if value is not None}


def _moment(timestamp: Dict[str, Any], began: float) -> float:
    """When the test began. Before 3.20 iperf3 says it in whole seconds: they only tell when it waited for its server."""
    exact, whole = number(timestamp.get("timemillisecs")), number(timestamp.get("timesecs"))
    if exact is not None and abs(exact / 1000 - began) < 60:
        return exact / 1000
    return float(whole) if whole is not None and 1 < whole - began < 60 else began


def of_iperf3(streams: List[Stream], text: str, began: float, argv: List[str]) -> List[Made]:
    """The streams that one iperf3 carried; C(began) is when it was started, in seconds since the epoch."""
    report = report_of(text)
    moment = _moment(mapping(mapping(report.get("start")).get("timestamp")), began)
    return [Made(stream.name, _readings(report, index, moment), _about(stream, report, index, argv)) for index, stream in enumerate(streams)]


def of_ping(name: str, text: str, argv: List[str]) -> Made:
    """C(ping -D): the time of each answer, its number, its milliseconds."""
    raw: Raw = []
    seen = set()
    for line in text.splitlines():
        match = _PING.match(line[:500])
        if match and match.group(2) not in seen and "DUP!" not in match.group(4):
            seen.add(match.group(2))
            raw.append({"seq": float(match.group(2)), "t": float(match.group(1)), "val": float(match.group(3))})
    meta: Dict[str, Any] = {"COMMAND": " ".join(argv), "RUNNER": "PingRunner", "UNITS": "ms"}
    summary = _PING_SUMMARY.search(text)
    if summary and raw:
        meta.update(zip(("MIN_VALUE", "MEAN_VALUE", "MAX_VALUE"), (float(value) for value in summary.groups())))
    return Made(name, raw, meta)


def _trip(trip: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """One round trip of irtt as flent keeps it."""
    client = mapping(mapping(trip.get("timestamps")).get("client"))
    delay, count = mapping(trip.get("delay")), number(trip.get("seqno"))
    answered = trip.get("lost") == "false"
    moment = number(mapping(client.get("receive" if answered else "send")).get("wall"))
    if moment is None or count is None:
        return None
    found: Dict[str, Any] = {"seq": count, "t": moment / 1e9}
    if not answered:
        return dict(found, lost=True, lost_dir=str(trip.get("lost")).replace("true_", "") or None)
    for key, source in (("val", "rtt"), ("owd_up", "send"), ("owd_down", "receive")):
        value = number(delay.get(source))
        if value is not None:
            found[key] = value / 1e6
    return found if "val" in found else None


def of_irtt(name: str, text: str, argv: List[str]) -> Made:
    """irtt's report: its nanoseconds become milliseconds."""
    report = report_of(text)
    stats = mapping(report.get("stats"))
    raw = [item for trip in objects(report.get("round_trips")) for item in [_trip(trip)] if item is not None]
    meta: Dict[str, Any] = {"COMMAND": " ".join(argv), "RUNNER": "IrttRunner", "UNITS": "ms"}
    rtt = mapping(stats.get("rtt"))
    for key, source in (("RTT_MEAN", "mean"), ("RTT_MEDIAN", "median"), ("RTT_MAX", "max"), ("RTT_MIN", "min")):
        value = number(rtt.get(source))
        if value is not None and any("val" in item for item in raw):
            meta[key] = value / 1e6
    if "RTT_MEAN" in meta:
        meta["MEAN_VALUE"] = meta["RTT_MEAN"]
    loss = finite(stats.get("packet_loss_percent"))
    counts = {"PACKETS_SENT": number(stats.get("packets_sent")), "PACKETS_RECEIVED": number(stats.get("packets_received"))}
    meta.update({key: value for key, value in counts.items() if value is not None})
    return Made(name, raw, dict(meta, PACKET_LOSS_RATE=loss / 100) if loss is not None else meta)
