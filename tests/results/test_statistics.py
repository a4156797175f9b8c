"""Intervals, against SciPy and by playing the game of chance that they make promises about."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm
from scipy.stats import t as student

from sim.results.statistics import (
    MINIMUM_RUNS,
    Aim,
    looks,
    mean,
    next_look,
    normal_quantile,
    rate,
    ratio,
    runs_needed,
    share_interval,
    student_quantile,
    wilson,
)

CASES = [(0, 1), (1, 1), (0, 40), (3, 40), (40, 40), (1972, 2000), (2000, 2000), (481_000, 1_000_000)]


def four_sigma(share: float, n: int) -> float:
    """How far a share of n tries may lie from its expectation."""
    return 4 * math.sqrt(share * (1 - share) / n)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(("successes", "n"), CASES)
def test_wilson_is_what_scipy_says(successes: int, n: int, confidence: float) -> None:
    expected = binomtest(successes, n).proportion_ci(confidence, method="wilson")

    low, high = wilson(successes, n, confidence)

    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_without_a_run_a_rate_may_be_anything_and_says_so() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert rate(0, 0).why == "no such run"
    assert not rate(0, 0).known


def test_the_ends_of_wilson_touch_zero_and_one_exactly() -> None:
    for n in range(1, 3_000, 7):
        assert wilson(0, n)[0] == 0.0
        assert wilson(n, n)[1] == 1.0


@pytest.mark.parametrize("share", [0.8, 0.975, 0.995])
def test_quantiles_are_what_scipy_says(share: float) -> None:
    assert normal_quantile(share) == pytest.approx(norm.ppf(share), abs=1e-9)
    for freedom in [1, 2, 5, 9, 10, 11, 30, 100, 5_000]:
        assert student_quantile(share, freedom) == pytest.approx(student.ppf(share, freedom), rel=5e-5)


def test_a_mean_has_students_interval() -> None:
    sample = np.random.default_rng(5).integers(0, 30, size=41)
    low, high = student.interval(0.95, 40, sample.mean(), sample.std(ddof=1) / math.sqrt(41))

    found = mean(41, int(sample.sum()), int((sample**2).sum()))

    assert (found.value, found.low, found.high) == pytest.approx((sample.mean(), low, high), rel=1e-5)


def test_a_mean_far_from_zero_loses_no_digit_to_cancellation() -> None:
    values = [10**9 + k % 3 for k in range(999)]

    found = mean(999, sum(values), sum(value * value for value in values))

    assert found.margin == pytest.approx(mean(999, 999, sum((k % 3) ** 2 for k in range(999))).margin, rel=1e-5)


def test_a_mean_without_an_interval_says_why() -> None:
    assert mean(0, 0, 0).why == "no such run"
    assert mean(1, 7, 49).why == "one run only"
    assert mean(5, 15, 45).why == "the same in every run"
    assert mean(5, 15, 45).margin == 0.0


def test_a_ratio_is_the_ratio_of_the_sums_with_the_delta_methods_interval() -> None:
    luck = np.random.default_rng(8)
    uses = luck.integers(0, 6, size=500)
    hits = luck.binomial(uses, 0.4)
    residual = hits - hits.sum() / uses.sum() * uses
    reach = student.ppf(0.975, 499) * residual.std(ddof=1) / math.sqrt(500) / uses.mean()

    found = ratio(500, int(hits.sum()), int(uses.sum()), *map(int, (hits @ hits, uses @ uses, hits @ uses)))

    assert found.value == pytest.approx(hits.sum() / uses.sum())
    assert found.margin == pytest.approx(reach, rel=1e-5)


def test_a_ratio_without_an_interval_says_why() -> None:
    assert ratio(10, 0, 0, 0, 0, 0).why == "never"
    assert ratio(1, 2, 4, 4, 16, 8).why == "one run only"
    assert ratio(3, 3, 3, 3, 3, 3).why == "the same in every run"


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.5, 0.986])
def test_wilson_covers_the_truth_about_as_often_as_it_says(chance: float) -> None:
    """Its coverage swings around 95 % from n to n, so the mean over many n is what must be near."""
    luck, tries = np.random.default_rng(11), 8_000
    sizes = luck.integers(200, 2_000, size=tries)
    wins = luck.binomial(sizes, chance)

    covered = [low <= chance <= high for low, high in map(wilson, wins.tolist(), sizes.tolist())]

    assert abs(sum(covered) / tries - 0.95) < four_sigma(0.95, tries) + 0.005


@pytest.mark.parametrize("events", [0.2, 0.5, 1.0, 1.5, 2.5, 4.0, 8.0])
def test_a_rare_outcome_is_covered_as_well_as_a_common_one(events: float) -> None:
    """Exactly, from the binomial distribution; Wilson's own interval falls to 91 % at some of these."""
    n = 2_000
    chance = events / n
    losses = range(60)

    covered = [low <= chance <= high for low, high in (share_interval(count, n) for count in losses)]
    coverage = float(binom.pmf(losses, n, chance) @ np.array(covered))

    assert coverage > 0.93


def test_a_rare_success_and_a_rare_failure_mirror_each_other() -> None:
    for count in range(8):
        low, high = share_interval(count, 500)
        mirrored = share_interval(500 - count, 500)

        assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_students_interval_covers_the_mean_of_dice() -> None:
    luck, tries = np.random.default_rng(13), 4_000
    rolls = luck.integers(1, 7, size=(tries, 40))

    found = [mean(40, int(row.sum()), int((row**2).sum())) for row in rolls]

    covered = sum(estimate.low <= 3.5 <= estimate.high for estimate in found)
    assert abs(covered / tries - 0.95) < four_sigma(0.95, tries)


def test_the_interval_of_a_ratio_covers_the_chance_to_hit() -> None:
    luck, tries = np.random.default_rng(14), 3_000
    uses = luck.integers(0, 5, size=(tries, 200))
    hits = luck.binomial(uses, 0.35)

    found = [
        ratio(200, int(hit.sum()), int(use.sum()), int(hit @ hit), int(use @ use), int(hit @ use))
        for hit, use in zip(hits, uses, strict=True)
    ]

    covered = sum(estimate.low <= 0.35 <= estimate.high for estimate in found)
    assert abs(covered / tries - 0.95) < four_sigma(0.95, tries)


@pytest.mark.parametrize("half_width", [0.01, 0.005])
@pytest.mark.parametrize("chance", [0.002, 0.05, 0.5, 0.93, 0.986, 0.9995])
def test_stopping_at_a_precision_keeps_the_promise_of_the_interval(chance: float, half_width: float) -> None:
    """The run stops when the interval is short, not when it suits, so looking several times costs little coverage."""
    luck, tries = np.random.default_rng(15), 2_000
    covered = 0
    for _ in range(tries):
        wins = played = 0
        while (look := next_look(wins, played, played, Aim(half_width))) is not None:
            wins += int(luck.binomial(look - played, chance))
            played = look
        low, high = share_interval(wins, played)
        covered += low <= chance <= high
        assert max(high - wins / played, wins / played - low) <= half_width

    assert covered / tries > 0.95 - four_sigma(0.95, tries)


def test_precision_waits_for_the_minimum_however_sure_it_looks() -> None:
    assert not Aim(0.01).reached(1_999, rate(1_999, 1_999))
    assert Aim(0.01).reached(2_000, rate(2_000, 2_000))


def test_precision_near_one_counts_the_farther_end_of_the_interval() -> None:
    low, high = wilson(MINIMUM_RUNS, MINIMUM_RUNS)
    half_the_width, farther_end = (high - low) / 2, 1 - low

    assert not Aim(half_the_width * 1.01).reached(MINIMUM_RUNS, rate(MINIMUM_RUNS, MINIMUM_RUNS))
    assert Aim(farther_end * 1.01).reached(MINIMUM_RUNS, rate(MINIMUM_RUNS, MINIMUM_RUNS))


@pytest.mark.parametrize(("wins", "n"), [(0, 2_000), (1_000, 2_000), (1_972, 2_000), (2_000, 2_000)])
def test_runs_needed_is_the_first_number_that_will_do(wins: int, n: int) -> None:
    needed = runs_needed(wins, n, 0.005)

    def margin(runs: int) -> float:
        return rate(round(wins * runs / n), runs).margin

    assert margin(needed) <= 0.005
    assert margin(needed - 20) > 0.005


def test_the_next_look_is_where_it_will_probably_do() -> None:
    assert next_look(0, 0, 0, Aim(0.01)) == 2_000
    assert next_look(1_000, 2_000, 2_000, Aim(0.01)) == 10_000
    assert next_look(1_000, 2_000, 4_000, Aim(0.01)) == 22_000  # half of the runs do not count
    assert next_look(5_000, 10_000, 10_000, Aim(0.01)) is None
    assert next_look(0, 0, 2_000, Aim(0.01)) is None
    assert next_look(1_000, 2_000, 2_000, Aim(0.0001, most=50_000)) == 50_000
    assert next_look(25_000, 50_000, 50_000, Aim(0.0001, most=50_000)) is None


def test_looks_rise_and_end_at_the_most() -> None:
    found = list(looks(1_000_000))

    assert found[0] == MINIMUM_RUNS
    assert found[-1] == 1_000_000
    assert all(later > earlier for earlier, later in pairwise(found))
    assert list(looks(500)) == [500]
