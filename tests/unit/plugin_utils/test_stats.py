# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics against published numbers, against brute force, and at their edges."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.plugin_utils._stats import (
    bootstrap_interval,
    holm,
    mann_whitney,
    median,
    median_interval,
    outliers,
    rank_coverage,
    sample_cov,
    shown_better,
    smallest_p,
)

VALUES = st.lists(st.integers(0, 12), min_size=1, max_size=5)


def test_median() -> None:
    assert median([3, 1, 2]) == 2
    assert median([4, 1, 2, 3]) == 2.5
    with pytest.raises(ValueError, match="nothing"):
        median([])


def test_sample_cov_is_that_of_the_eight_streams() -> None:
    # eight per-stream means of a shaper run: sd 0.0207 with n-1 (0.0194 with n), CoV 0.076 %
    streams = [27.11, 27.17, 27.12, 27.11, 27.12, 27.11, 27.11, 27.11]
    cov = sample_cov(streams)
    assert cov == pytest.approx(0.00076, abs=5e-6)
    assert cov * sum(streams) / 8 == pytest.approx(0.0207, abs=5e-5)
    low = [0.12] * 7 + [0.13]
    assert sample_cov(low) == pytest.approx(0.029, abs=5e-4)
    assert sample_cov(low) * sum(low) / 8 == pytest.approx(0.0035, abs=5e-5)


@pytest.mark.parametrize("values", [[], [5.0], [0.0, 0.0], [-1.0, 1.0]])
def test_sample_cov_unknown(values: list[float]) -> None:
    assert sample_cov(values) is None


@pytest.mark.parametrize(
    ("n", "low", "high", "coverage"),
    [(2, 1, 2, 0.5), (3, 1, 3, 0.75), (4, 1, 4, 0.875), (5, 1, 5, 0.9375), (6, 1, 6, 0.96875), (7, 1, 7, 0.984375), (9, 2, 8, 0.9609375),
     (10, 2, 9, 0.978515625), (20, 6, 15, 0.9586105)],
)
def test_median_interval_says_what_it_really_covers(n: int, low: int, high: int, coverage: float) -> None:
    interval = median_interval([float(value) for value in range(n, 0, -1)])
    assert interval is not None
    assert (interval.low, interval.high) == (low, high)
    assert interval.coverage == pytest.approx(coverage, abs=1e-7)


def test_median_interval_of_one_is_none() -> None:
    assert median_interval([1.0]) is None
    assert bootstrap_interval([1.0]) is None


def test_coverage_is_the_share_of_samples_that_enclose_the_median() -> None:
    # all 2^n ways to fall below or above the median, counted
    for n, rank in ((5, 1), (7, 1), (9, 2)):
        enclosing = sum(1 for sides in itertools.product((0, 1), repeat=n) if rank <= sum(sides) <= n - rank)
        assert rank_coverage(n, rank) == enclosing / 2**n


def test_bootstrap_is_reproducible() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    assert bootstrap_interval(values) == bootstrap_interval(values)
    interval = bootstrap_interval(values)
    assert interval is not None
    assert interval.low < 5 < interval.high


def test_outliers_are_flagged_by_modified_z() -> None:
    assert outliers([10.0, 10.1, 9.9, 10.05, 8.0]) == [4]
    assert outliers([10.0, 10.1, 9.9, 10.05, 9.95]) == []
    assert outliers([10.0, 10.0, 10.0, 10.0, 1.0]) == []  # MAD 0: no flag
    assert outliers([1.0, 100.0]) == []


@pytest.mark.parametrize(("n", "p"), [(3, 0.10), (4, 0.029), (5, 0.0079)])
def test_smallest_reachable_p(n: int, p: float) -> None:
    low, high = list(range(n)), list(range(n, 2 * n))
    assert mann_whitney(low, high) == pytest.approx(p, abs=5e-4)
    assert smallest_p(n, n) == mann_whitney(low, high)


def brute_force(a: list[int], b: list[int]) -> float:
    """The permutation test of the rank sum, by listing every split."""
    everything = [*a, *b]
    ranks = [sum(other < value for other in everything) + (sum(other == value for other in everything) + 1) / 2 for value in everything]
    centre = len(a) * (len(everything) + 1) / 2
    observed = abs(sum(ranks[: len(a)]) - centre)
    sums = [abs(sum(ranks[i] for i in chosen) - centre) for chosen in itertools.combinations(range(len(everything)), len(a))]
    return sum(value >= observed - 1e-9 for value in sums) / len(sums)


@given(VALUES, VALUES)
@settings(max_examples=150, deadline=None)
def test_mann_whitney_with_ties_is_the_permutation_test(a: list[int], b: list[int]) -> None:
    assert mann_whitney(a, b) == pytest.approx(brute_force(a, b))
    assert mann_whitney(a, b) == mann_whitney(b, a)  # pylint: disable=arguments-out-of-order  # the order makes no difference: that is the test


def test_mann_whitney_of_nothing_is_unknown() -> None:
    assert mann_whitney([], [1.0]) is None


def test_mann_whitney_of_many_is_close_to_exact() -> None:
    # above 60 values the normal approximation takes over; equal samples give 1, far apart ones nearly 0
    same = [float(value) for value in range(40)]
    assert mann_whitney(same, same) == pytest.approx(1, abs=0.01)
    assert mann_whitney([1.0] * 40, [1.0] * 40) == 1
    assert mann_whitney(same, [value + 100 for value in same]) < 1e-10
    shifted = [value + 4.5 for value in same]
    exact_half = mann_whitney(same[:30], shifted[:30])
    assert 0.05 < exact_half < 0.25


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_shrinks_p_and_keeps_the_order(ps: list[float]) -> None:
    adjusted = holm(ps)
    assert all(after >= before or math.isclose(after, before) for before, after in zip(ps, adjusted))
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    assert all(adjusted[a] <= adjusted[b] for a, b in zip(order, order[1:]))


FAST, SLOW = [11.0, 11.1, 11.2, 11.3, 11.4], [10.0, 10.1, 10.2, 10.3, 10.4]


@pytest.mark.parametrize(
    ("a", "b", "p", "better", "noise", "shown"),
    [
        (FAST, SLOW, 0.0079, "higher", 0.05, 1),
        (SLOW, FAST, 0.0079, "higher", 0.05, -1),
        (FAST, SLOW, 0.0079, "lower", 0.05, -1),
        (FAST, SLOW, 0.05, "higher", 0.05, 0),  # not below 0.05
        (FAST, SLOW, 0.0079, "higher", 0.10, 0),  # 9.8 % apart, within 10 % of noise
        (FAST, [value * 0.975 for value in FAST], 0.0079, "higher", 0.0, 0),  # 2.6 % apart: never a difference
        (FAST, SLOW, None, "higher", 0.0, 0),
        ([], SLOW, 0.01, "higher", 0.0, 0),
    ],
)
def test_better_needs_both_p_and_distance(a: list[float], b: list[float], p: float | None, better: str, noise: float, shown: int) -> None:
    assert shown_better(a, b, p, better, noise) == shown
