# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""flent's tests as this project can make them without netperf: which streams, which probes, what is computed of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_numbers import shape_of

# Class of service to the byte of the IP header, as flent marks rrul.
CLASSES = {"BE": 0x00, "BK": 0x20, "CS5": 0xA0, "EF": 0xB8}
UDP_CLASSES = ("EF", "BK", "BE")
ICMP = "Ping (ms) ICMP"


@dataclass(frozen=True)
class Stream:
    """One TCP stream: its name in the data file, whether the server sends, and its mark."""

    name: str
    download: bool
    tos: int = 0


@dataclass(frozen=True)
class Computed:
    """A series made of others."""

    name: str
    runner: str
    of: Tuple[str, ...]
    units: str = "Mbits/s"


@dataclass(frozen=True)
class Design:
    """A test: its streams, its UDP probes (name and mark), what is computed, and flent's own parameters for it."""

    name: str
    streams: Tuple[Stream, ...]
    udp: Tuple[Tuple[str, int], ...]
    computed: Tuple[Computed, ...]
    parameters: Tuple[Tuple[str, Any], ...] = ()

    @property
    def test_parameters(self) -> Dict[str, Any]:
        """As a data file keeps them: flent needs them to know the series again."""
        return dict(self.parameters)


def _sums(way: str, names: Tuple[str, ...]) -> Tuple[Computed, ...]:
    return (Computed("TCP %s avg" % way, "AverageRunner", names), Computed("TCP %s sum" % way, "SumRunner", names))


def _many(test: str, way: str, count: int) -> Design:
    streams = tuple(Stream("TCP %s::%d" % (way, number), way == "download") for number in range(1, count + 1))
    return Design(test, streams, (), _sums(way, tuple(item.name for item in streams)), (("%s_streams" % way, count),))


def _rrul() -> Design:
    streams = tuple(Stream("TCP %s %s" % (way, mark), way == "download", tos) for way in ("upload", "download") for mark, tos in CLASSES.items())
    udp = tuple(("Ping (ms) UDP " + mark, CLASSES[mark]) for mark in UDP_CLASSES)
    names = {way: tuple(item.name for item in streams if item.download == (way == "download")) for way in ("upload", "download")}
    totals = Computed("TCP totals", "SumRunner", names["upload"] + names["download"])
    pings = Computed("Ping (ms) avg", "AverageRunner", (*(name for name, dummy in udp), ICMP), "ms")
    return Design("rrul", streams, udp, (*_sums("upload", names["upload"]), *_sums("download", names["download"]), totals, pings))


def known(test: str) -> bool:
    """Whether this test can be made without netperf."""
    shape = shape_of(test, 1)
    return test == "rrul" or (test.startswith("tcp_") and bool(shape.down) != bool(shape.up))


def design_of(test: str, streams: int = 0) -> Design:
    """A test that is known."""
    if test == "rrul":
        return _rrul()
    shape = shape_of(test, streams)
    if test in ("tcp_download", "tcp_upload"):
        way = test[4:]
        only = Stream("TCP %s" % way, way == "download")
        return Design(test, (only,), (), ())
    return _many(test, "download", shape.down) if shape.down else _many(test, "upload", shape.up or 0)


def groups(design: Design, threaded: bool) -> List[List[Stream]]:
    """Streams that one iperf3 carries together: from 3.16 on those of one direction and mark, before each has its own process and so its own core."""
    if not threaded:
        return [[stream] for stream in design.streams]
    found: Dict[Tuple[bool, int], List[Stream]] = {}
    for stream in design.streams:
        found.setdefault((stream.download, stream.tos), []).append(stream)
    return list(found.values())
