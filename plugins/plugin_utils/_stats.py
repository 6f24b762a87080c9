# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics for few trials: distribution-free, exact where possible, and honest about what a small sample can show."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

MODIFIED_Z_LIMIT = 3.5
SIGNIFICANT = 0.05
MINIMAL_DIFFERENCE = 0.03
# Above this the exact permutation distribution gives way to the normal approximation.
EXACT_TRIALS = 60
BOOTSTRAP_SEED, BOOTSTRAP_RESAMPLES = 20260131, 2000


@dataclass(frozen=True)
class Interval:
    """An interval for the median, with the coverage that it really has."""

    low: float
    high: float
    coverage: float


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        raise ValueError("median of nothing")
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def sample_cov(values: Sequence[float]) -> float | None:
    """Coefficient of variation with the sample standard deviation (n-1); None for fewer than two values or a mean of zero."""
    if len(values) < 2:
        return None
    mean = math.fsum(values) / len(values)
    if mean == 0:
        return None
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)) / abs(mean)


def rank_coverage(n: int, rank: int) -> float:
    """The chance that the rank-th smallest and the rank-th largest of n values enclose the median of their population."""
    return 1 - 2 * sum(math.comb(n, k) for k in range(rank)) / 2**n


def median_interval(values: Sequence[float], level: float = 0.95) -> Interval | None:
    """Order statistics around the median: the narrowest pair that reaches the level, else [min, max] with what it reaches."""
    n = len(values)
    if n < 2:
        return None
    ordered = sorted(values)
    rank = max((r for r in range(1, n // 2 + 1) if rank_coverage(n, r) >= level), default=1)
    return Interval(float(ordered[rank - 1]), float(ordered[n - rank]), rank_coverage(n, rank))


def bootstrap_interval(values: Sequence[float], level: float = 0.95) -> Interval | None:
    """Percentile bootstrap of the median with a fixed seed; for fewer than 8 values no better than [min, max]."""
    if len(values) < 2:
        return None
    draw = random.Random(BOOTSTRAP_SEED)
    medians = sorted(median(draw.choices(values, k=len(values))) for dummy in range(BOOTSTRAP_RESAMPLES))
    tail = int((1 - level) / 2 * BOOTSTRAP_RESAMPLES)
    return Interval(medians[tail], medians[-1 - tail], level)


def outliers(values: Sequence[float]) -> list[int]:
    """Positions whose modified z exceeds 3.5; they are flagged, never dropped. A MAD of zero flags nothing."""
    if len(values) < 3:
        return []
    middle = median(values)
    mad = median([abs(value - middle) for value in values])
    if mad == 0:
        return []
    return [i for i, value in enumerate(values) if 0.6745 * abs(value - middle) / mad > MODIFIED_Z_LIMIT]


def _double_midranks(values: Sequence[float]) -> list[int]:
    """Twice the midrank of each value, so that ties stay integers."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for position in range(start, end + 1):
            ranks[order[position]] = start + end + 2
        start = end + 1
    return ranks


@lru_cache(maxsize=4096)
def _rank_sum_counts(ranks: tuple[int, ...], size: int) -> tuple[dict[int, int], int]:
    """How many subsets of that size have which rank sum, and how many subsets there are."""
    by_size: list[dict[int, int]] = [{0: 1}] + [{} for dummy in range(size)]
    for rank in ranks:
        for chosen in range(size, 0, -1):
            target = by_size[chosen]
            for total, count in by_size[chosen - 1].items():
                target[total + rank] = target.get(total + rank, 0) + count
    return by_size[size], math.comb(len(ranks), size)


@lru_cache(maxsize=65536)
def _exact_tail(ranks: tuple[int, ...], size: int, distance: int) -> float:
    """The share of all subsets of that size whose rank sum lies at least this far from the middle."""
    counts, subsets = _rank_sum_counts(ranks, size)
    centre = size * (len(ranks) + 1)
    return sum(count for total, count in counts.items() if abs(total - centre) >= distance) / subsets


def mann_whitney(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Two-sided p of the Mann-Whitney test, exact with ties (permutation of midranks); None when a side is empty."""
    if not a or not b:
        return None
    ranks = _double_midranks([*a, *b])
    observed, total = sum(ranks[: len(a)]), len(ranks)
    centre = len(a) * (total + 1)
    if total > EXACT_TRIALS:
        return _mann_whitney_normal(ranks, len(a), observed - centre)
    return _exact_tail(tuple(sorted(ranks)), len(a), abs(observed - centre))


def _mann_whitney_normal(ranks: Sequence[int], size: int, double_distance: float) -> float:
    total, other = len(ranks), len(ranks) - size
    centre = total + 1
    variance = size * other / (total * (total - 1)) * sum((rank - centre) ** 2 for rank in ranks)
    if variance == 0:
        return 1.0
    return math.erfc(max(0.0, abs(double_distance) - 1) / math.sqrt(2 * variance))


def smallest_p(n_a: int, n_b: int) -> float:
    """The smallest two-sided p that so many trials can reach: 0.10 for 3 against 3, 0.0079 for 5 against 5."""
    return min(1.0, 2 / math.comb(n_a + n_b, n_a))


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment, in the order given."""
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    adjusted, largest = [0.0] * len(ps), 0.0
    for position, index in enumerate(order):
        largest = max(largest, min(1.0, ps[index] * (len(ps) - position)))
        adjusted[index] = largest
    return adjusted


def shown_better(a: Sequence[float], b: Sequence[float], p: float | None, better: str = "higher", noise: float = 0.0) -> int:
    """1 when a is shown to be better than b, -1 the other way round, 0 for "no difference shown".

    Both must hold: p (after Holm) below 0.05, and medians apart by more than 3 % and more than the harness noise.
    """
    if p is None or p >= SIGNIFICANT or not a or not b:
        return 0
    median_a, median_b = median(a), median(b)
    smaller = min(abs(median_a), abs(median_b))
    apart = abs(median_a - median_b)
    if apart <= max(MINIMAL_DIFFERENCE, noise) * smaller:
        return 0
    return 1 if (median_a > median_b) == (better == "higher") else -1
