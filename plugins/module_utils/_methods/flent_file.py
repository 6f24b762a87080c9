# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Data files of flent (C(.flent.gz), version 4): read into one checked shape, and written. Nothing that a file can hold makes reading fail."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Dict, List, Optional

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_shape import mapping

VERSION = 4
# A run of an hour at 0.2 s with sixty streams has a tenth of this.
MOST_BYTES = 400_000_000
_TIMES = ("%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S")

Coded = List[Dict[str, str]]


@dataclass
class Sample:
    """One reading of a tool: when (seconds since the epoch), what, and over how long."""

    t: float
    val: Optional[float]
    seq: Optional[float] = None


@dataclass
class Series:
    """One series: flent's own grid, the tool's readings, and what it says of itself."""

    name: str
    grid: List[Optional[float]] = field(default_factory=list)
    raw: List[Sample] = field(default_factory=list)
    meta: Dict[str, Any] = field(default_factory=dict)

    @property
    def mean(self) -> Optional[float]:
        """The tool's own mean, C(MEAN_VALUE)."""
        return finite(self.meta.get("MEAN_VALUE"))

    @property
    def values(self) -> List[float]:
        """The readings that are known."""
        return [item.val for item in self.raw if item.val is not None]

    @property
    def computed(self) -> bool:
        """Made of other series."""
        return "COMPUTED_LATE" in self.meta

    @property
    def empty(self) -> bool:
        """Nothing was read: neither a mean nor a value."""
        return self.mean is None and not self.values and not any(value is not None for value in self.grid)


@dataclass
class DataFile:
    """A data file. With C(problems) nothing else in it is to be believed."""

    name: str = ""
    series: Dict[str, Series] = field(default_factory=dict)
    metadata: Dict[str, Any] = field(default_factory=dict)
    points: int = 0
    problems: Coded = field(default_factory=list)

    def number(self, key: str) -> Optional[float]:
        """A number of the metadata."""
        return finite(self.metadata.get(key))


def finite(value: Any) -> Optional[float]:
    """A finite number, also one that is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _broken(code: str, detail: str) -> DataFile:
    return DataFile(problems=[{"code": code, "detail": detail}])


def _unpacked(data: bytes) -> Any:
    """The text, or a problem's code and detail."""
    if data[:2] != b"\x1f\x8b":
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(data, MOST_BYTES)
    except zlib.error as error:
        return ("NOT_READABLE", "not a gzip file: %s" % error)
    if unpacker.unconsumed_tail:
        return ("TOO_LARGE", "more than %d bytes" % MOST_BYTES)
    return text if unpacker.eof else ("TRUNCATED", "the gzip file ends in the middle")


def read(data: bytes) -> DataFile:
    """A data file from its bytes, compressed or not."""
    text = _unpacked(data)
    if isinstance(text, tuple):
        return _broken(*text)
    try:
        document = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return _broken("NO_JSON", " ".join(str(error).split())[:200])
    if not isinstance(document, dict) or not isinstance(document.get("metadata"), dict):
        return _broken("NO_FLENT_FILE", "no object with metadata")
    version = finite(document.get("version"))
    if version != VERSION:
        return _broken("FORMAT_VERSION", "version %s of the file format, %d is needed" % (document.get("version"), VERSION))
    return _shaped(document)


def _list(value: Any) -> List[Any]:
    return value if isinstance(value, list) else []


def _shaped(document: Dict[str, Any]) -> DataFile:
    metadata = mapping(document["metadata"])
    metas, results, raws = mapping(metadata.get("SERIES_META")), mapping(document.get("results")), mapping(document.get("raw_values"))
    grid = _list(document.get("x_values"))
    found = DataFile(str(metadata.get("NAME") or ""), {}, metadata, len(grid))
    for name in list(results) + [key for key in list(raws) + list(metas) if key not in results]:
        if name not in found.series:
            found.series[name] = Series(name, [finite(value) for value in _list(results.get(name))], _samples(raws.get(name)), mapping(metas.get(name)))
    if not found.series:
        found.problems.append({"code": "NO_DATA", "detail": "the file has no series"})
    return found


def _samples(items: Any) -> List[Sample]:
    """Readings with a time; one without a value is a probe that was lost."""
    found = []
    for item in items if isinstance(items, list) else []:
        moment = finite(item.get("t")) if isinstance(item, dict) else None
        if moment is not None:
            found.append(Sample(moment, finite(item.get("val")), finite(item.get("seq"))))
    return found


def begin(file: DataFile) -> Optional[float]:
    """C(T0) in seconds since the epoch. Without a C(Z) it is local time of an unknown zone: the whole hour that fits the readings is taken, as flent does."""
    text = file.metadata.get("T0") or file.metadata.get("TIME")
    if not isinstance(text, str):
        return None
    parsed = None
    for pattern in _TIMES:
        try:
            parsed = datetime.strptime(text[:-1] if text.endswith("Z") else text, pattern).replace(tzinfo=timezone.utc).timestamp()
            break
        except (ValueError, OverflowError):
            continue
    if parsed is None or text.endswith("Z"):
        return parsed
    first = min((item.t for series in file.series.values() for item in series.raw), default=None)
    return parsed if first is None else parsed + round((first - parsed) / 3600) * 3600


def written(document: Dict[str, Any]) -> bytes:
    """A data file as flent writes it; the same content gives the same bytes."""
    return gzip.compress(json.dumps(document, indent=4, sort_keys=True, allow_nan=False).encode("utf-8"), mtime=0)
