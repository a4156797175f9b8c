"""Differences, several findings at once, and quantiles: against SciPy and by coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from sim.results.statistics import each_of, holm, paired_rates, quantile, sign_test


@pytest.mark.parametrize(("gain", "loss"), [(0.2, 0.1), (0.01, 0.03), (0.001, 0.0), (0.0, 0.0), (0.0005, 0.0005)])
@pytest.mark.parametrize("n", [2_000, 20_000])
def test_a_paired_difference_is_covered_as_often_as_it_says(gain: float, loss: float, n: int) -> None:
    games = 2_000
    rng = np.random.default_rng(n)
    drawn = rng.multinomial(n, [gain, loss, 1 - gain - loss], size=games)

    found = [paired_rates(int(gained), int(lost), n) for gained, lost, _ in drawn]

    covered = sum(one.low <= gain - loss <= one.high for one in found) / games
    assert covered > 0.95 - 4 * math.sqrt(0.05 * 0.95 / games)
    assert all(one.low <= one.value <= one.high for one in found)


def test_many_pairs_give_the_plain_normal_interval() -> None:
    gained, lost, n = 30_000, 50_000, 1_000_000

    found = paired_rates(gained, lost, n)

    change = (gained - lost) / n
    reach = 1.959964 * math.sqrt((gained + lost) / n - change**2) / math.sqrt(n)
    assert (found.value, found.low, found.high) == pytest.approx((change, change - reach, change + reach), abs=1e-5)


def test_pairs_that_never_differ_leave_a_little_doubt() -> None:
    found = paired_rates(0, 0, 1_000)

    assert found.value == 0
    assert found.high == -found.low == pytest.approx(2.77 / 1_002, rel=0.01)


@pytest.mark.parametrize(("gained", "lost"), [(0, 1), (3, 9), (40, 41), (10, 200)])
def test_the_sign_test_is_what_scipy_says(gained: int, lost: int) -> None:
    assert sign_test(gained, lost) == pytest.approx(binomtest(gained, gained + lost).pvalue, abs=1e-12)


def test_the_sign_test_of_many_pairs_is_close_to_scipy() -> None:
    assert sign_test(5_000, 5_200) == pytest.approx(binomtest(5_000, 10_200).pvalue, abs=1e-3)
    assert sign_test(0, 0) == 1.0


def test_all_of_several_intervals_hold_together() -> None:
    assert each_of(1) == pytest.approx(0.95)
    assert each_of(10, 0.9) == pytest.approx(0.99)


def test_holm_finds_more_than_bonferroni_and_no_more_than_all() -> None:
    assert holm([0.04]) == [True]
    assert holm([0.012, 0.02, 0.04, 0.9]) == [True, False, False, False]
    assert holm([0.01, 0.016, 0.024, 0.049]) == [True, True, True, True]
    assert holm([]) == []


def test_holm_keeps_the_family_of_findings_right() -> None:
    games = 2_000
    rng = np.random.default_rng(3)

    wrong = sum(any(holm(list(rng.random(20)))) for _ in range(games)) / games

    assert wrong < 0.05 + 4 * math.sqrt(0.05 * 0.95 / games)


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_quantile_is_covered_as_often_as_it_says(share: float) -> None:
    games, n = 1_000, 400
    rng = np.random.default_rng(5)
    truth = np.quantile(rng.poisson(6, 1_000_000), share)
    covered = 0
    for _ in range(games):
        values, counts = np.unique(rng.poisson(6, n), return_counts=True)
        found = quantile(values.tolist(), counts.tolist(), share)
        covered += found.low <= truth <= found.high

    assert covered / games > 0.95 - 4 * math.sqrt(0.05 * 0.95 / games)
    assert not quantile([], [], share).known
