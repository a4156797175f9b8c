"""Confidence sequences: right at all moments together, which is checked by watching many games of chance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.results.sequences import critical_value, mean_sequence, paired_rates_sequence, rate_sequence
from sim.results.statistics import looks, mean, paired_rates, rate

LOOKS = list(looks(50_000))


def test_a_sequence_is_wider_than_an_interval_at_one_moment() -> None:
    for n in LOOKS:
        wide, narrow = rate_sequence(n // 3, n), rate(n // 3, n)
        assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
        assert 1.3 < wide.margin / narrow.margin < 2.5
        assert paired_rates_sequence(n // 9, n // 8, n).margin > paired_rates(n // 9, n // 8, n).margin
        assert mean_sequence(n, 2 * n, 5 * n).margin > mean(n, 2 * n, 5 * n).margin


def test_a_sequence_gets_narrower_with_every_look() -> None:
    margins = [paired_rates_sequence(n // 10, n // 20, n).margin for n in LOOKS]

    assert margins == sorted(margins, reverse=True)


def test_the_critical_value_is_the_published_formula() -> None:
    miss, n = 0.05, 10_000
    weight = -2 * math.log(miss) + math.log(1 - 2 * math.log(miss))

    expected = math.sqrt(2 * (weight + 1) / weight * math.log(math.sqrt(weight + 1) / miss))

    assert critical_value(n) == pytest.approx(expected)
    assert critical_value(n, 0.99) > critical_value(n)


def test_near_0_and_1_a_rate_keeps_its_distance() -> None:
    assert rate_sequence(0, 2_000).low == 0.0
    assert 3 / 2_000 < rate_sequence(0, 2_000).high < 15 / 2_000
    assert rate_sequence(2_000, 2_000).high == 1.0
    assert paired_rates_sequence(0, 0, 2_000).high > 0


def test_without_runs_nothing_is_known() -> None:
    for found in (rate_sequence(0, 0), mean_sequence(0, 0, 0), paired_rates_sequence(0, 0, 0)):
        assert not found.known
        assert found.why
    assert mean_sequence(1, 3, 9).why == "one run only"
    assert mean_sequence(5, 15, 45).why == "the same in every run"


@pytest.mark.parametrize(("gain", "loss"), [(0.1, 0.1), (0.02, 0.02), (0.0005, 0.0005)])
def test_watched_at_every_look_a_paired_difference_raises_few_false_alarms(gain: float, loss: float) -> None:
    games = 400
    rng = np.random.default_rng(4711)
    steps = np.diff([0, *LOOKS])
    alarms = 0
    for _ in range(games):
        gained, lost = np.cumsum(rng.binomial(steps, gain)), np.cumsum(rng.binomial(steps, loss))
        estimates = [
            paired_rates_sequence(int(g), int(x), n) for g, x, n in zip(gained, lost, LOOKS, strict=True)
        ]
        alarms += any(found.low > 0 or found.high < 0 for found in estimates)

    assert alarms / games < 0.05 + 4 * math.sqrt(0.05 * 0.95 / games)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_watched_at_every_look_a_rate_is_covered(share: float) -> None:
    games = 400
    rng = np.random.default_rng(4712)
    steps = np.diff([0, *LOOKS])
    missed = 0
    for _ in range(games):
        won = np.cumsum(rng.binomial(steps, share))
        estimates = [rate_sequence(int(w), n) for w, n in zip(won, LOOKS, strict=True)]
        missed += any(not found.low <= share <= found.high for found in estimates)

    assert missed / games < 0.05 + 4 * math.sqrt(0.05 * 0.95 / games)
