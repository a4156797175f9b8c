"""The win rate with the known luck taken out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import sim
from sim.core.engine import play
from sim.core.pilot import learned
from sim.results.adjusted import FEWEST, FIRST, UNIT, Adjusted, LuckSums, adjusted_rate, in_whole_numbers
from sim.results.statistics import looks, mean
from sim.results.summary import Summary
from sim.scenario import load
from sim.studies.measures import Marks, Tally

# Fights that the exact solver answers, with chances that are neither 0 nor 1.
TOGETHER = 25  # small runs that are played in one batch: run k is run k
SOLVED = {"four": {}, "five": {"enemies.skeleton.count": 5}, "six": {"enemies.skeleton.count": 6}}


def test_without_empty_rooms_it_is_the_mean_of_won_less_luck() -> None:
    rng = np.random.default_rng(1)
    luck = np.rint(rng.normal(0, 0.4, 4_000) * UNIT)
    won = rng.random(4_000) < np.clip(0.6 + luck / UNIT, 0, 1)
    sums = LuckSums(int(luck.sum()), int((luck**2).sum()), int(luck[won].sum()), int(luck.sum()))

    found = adjusted_rate(int(won.sum()), 4_000, 4_000, sums)

    left = won - luck / UNIT
    plain = mean(4_000, left.sum(), (left**2).sum())
    assert found is not None
    assert found.rate.value == pytest.approx(left.mean())
    assert found.rate.margin == pytest.approx(plain.margin, rel=0.01)
    assert found.gain == pytest.approx(won.var() / left.var(), rel=1e-3)


def test_there_is_none_where_no_account_was_kept_or_an_outcome_is_rare() -> None:
    some = LuckSums(10, UNIT * UNIT, 5, 10)

    assert adjusted_rate(500, 1_000, 1_000, LuckSums()) is None
    assert adjusted_rate(FEWEST - 1, 1_000, 1_000, some) is None
    assert adjusted_rate(1_001 - FEWEST, 1_000, 1_000, some) is None
    assert adjusted_rate(500, 1_000, 1_000, some) is not None


def test_runs_in_which_there_was_nobody_to_fight_are_left_out() -> None:
    """Half of the runs meet nobody, by a die that the account knows: the rate of the others stays what it is."""
    rng = np.random.default_rng(3)
    met, won_if = rng.random(200_000) < 0.5, rng.random(200_000) < 0.3
    luck = np.where(met, 0.2, -0.2)
    scaled, won = np.rint(luck * UNIT), met & won_if

    sums = LuckSums(*(int(part.sum()) for part in (scaled, scaled**2, scaled[won], scaled[met])))
    found = adjusted_rate(int(won.sum()), int(met.sum()), len(met), sums)

    assert found is not None
    assert abs(found.rate.value - 0.3) < 2 * found.rate.margin


@pytest.mark.parametrize("chunks", [[5_000], [17, 983, 4_000]])
def test_the_sums_are_the_same_however_the_runs_are_divided(chunks: list[int]) -> None:
    encounter = load("overhill/playtest-1", values={"enemies.skeleton.count": 7}).encounter()
    worths = learned(encounter, 1, runs=256)
    ends = np.cumsum([0, *chunks])

    parts = [
        Summary.of(play(encounter, 1, np.arange(first, last), worths=worths), encounter.cast).luck
        for first, last in pairwise(ends)
    ]

    whole = Summary.of(play(encounter, 1, np.arange(5_000), worths=worths), encounter.cast).luck
    assert sum(parts, LuckSums()) == whole
    assert whole.squares > 0


def test_a_run_tells_it_and_stops_sooner_at_a_precision() -> None:
    found = sim.run(load("overhill/playtest-1", values={"enemies.skeleton.count": 7}), precision=1.0)
    facts = found.to_dict()

    assert found.adjusted is not None
    assert found.adjusted.rate.margin <= 0.01 < found.win_rate.margin
    assert facts["win_rate_adjusted_low"] < facts["win_rate_adjusted"] < facts["win_rate_adjusted_high"]
    assert facts["adjusted_gain"] > 1.5
    assert "known luck of dice and cards taken out" in found.luck_taken_out


def test_few_runs_and_foregone_fights_have_none() -> None:
    few = sim.run("overhill/playtest-1", runs=500).to_dict()

    assert few["win_rate_adjusted"] is None
    assert few["adjusted_gain"] is None


def coverage(name: str, repetitions: int, runs: int) -> tuple[float, float]:
    """How often the interval holds the exact rate, and the mean gain, over small runs of a fight."""
    scenario = load("overhill/solo-four-skeletons", values=SOLVED[name])
    encounter, exact = scenario.encounter(), float(scenario.exact().win)
    worths = learned(encounter, 1)
    held, gains = 0, []
    for first in range(0, repetitions * runs, TOGETHER * runs):
        outcomes = play(encounter, 1, np.arange(first, first + TOGETHER * runs) + FIRST, worths=worths)
        known = in_whole_numbers(outcomes, FIRST)
        assert known is not None
        for luck, ended in zip(known.reshape(-1, runs), outcomes.outcome.reshape(-1, runs), strict=True):
            found = adjusted_rate(int((ended == 0).sum()), runs, runs, LuckSums.over(luck, ended))
            assert isinstance(found, Adjusted)
            held += found.rate.low <= exact <= found.rate.high
            gains.append(found.gain)
    return held / repetitions, float(np.mean(gains))


@pytest.mark.parametrize("name", ["four", "six"])
def test_the_interval_holds_the_exact_rate_about_as_often_as_it_says(name: str) -> None:
    repetitions = 150

    share, gain = coverage(name, repetitions, runs=1_000)

    assert abs(share - 0.95) < 4 * np.sqrt(0.95 * 0.05 / repetitions)
    assert gain > 1.2


@pytest.mark.soak
@pytest.mark.parametrize("name", SOLVED)
def test_the_interval_holds_the_exact_rate_in_95_of_100_small_runs(name: str) -> None:
    share, _ = coverage(name, 2_000, runs=1_000)

    assert 0.94 <= share <= 0.96


def held_at_all_looks(name: str, repetitions: int, most: int) -> float:
    """How often the exact rate is inside at every look of somebody who watches; account is kept from the second on."""
    scenario = load("overhill/solo-four-skeletons", values=SOLVED[name])
    encounter, exact = scenario.encounter(), float(scenario.exact().win)
    worths, ends = learned(encounter, 1), list(looks(most))
    held = 0
    for first in range(0, repetitions * most, most):
        outcomes = play(encounter, 1, np.arange(first, first + most), worths=worths)
        outcomes.run = outcomes.run - first
        marks = Marks.of(outcomes, encounter.cast)
        assert marks.luck is not None
        parts = [Marks(marks.outcome[:end], marks.values[:, :end], luck=marks.luck[:end]) for end in ends]
        found = [Tally.of(part).sharpest("win_rate", watched=True) for part in parts]
        held += all(one.low <= exact <= one.high for one in found)
    return held / repetitions


@pytest.mark.soak
@pytest.mark.parametrize("name", SOLVED)
def test_a_gate_that_looks_again_and_again_is_wrong_in_5_of_100_cases_at_most(name: str) -> None:
    assert held_at_all_looks(name, 300, most=10_000) >= 0.95
