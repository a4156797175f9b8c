"""Any moment can branch: the same luck gives the run itself, fresh luck a fair sample of what could still happen."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sim.core.branch import branch, chances, chances_of
from sim.core.engine import play
from sim.core.luck import TABLE, Luck, mix, run_keys, word
from sim.core.outcomes import Outcome
from sim.errors import InputError
from sim.scenario import load
from sim.testing import assert_same

SEED = 5


@pytest.fixture(scope="module")
def fight():
    return load("overhill/solo-four-skeletons").encounter()


def test_the_luck_of_a_continuation_is_the_number_at_its_address():
    keys = Luck.of(SEED, np.array([7, 8])).branched(3, np.array([0, 41])).keys

    run_key = [int(key) for key in run_keys(SEED, np.array([7, 8]))]
    assert keys.tolist() == [
        mix(run_key[0] ^ word("branch", 3, TABLE, 0)),
        mix(run_key[1] ^ word("branch", 3, TABLE, 41)),
    ]


def test_continuations_stand_in_the_order_of_runs_and_their_own(fight):
    outcomes = branch(fight, SEED, np.array([9, 2]), 1, 3)

    assert outcomes.run.tolist() == [9, 9, 9, 2, 2, 2]
    assert_same(outcomes, branch(fight, SEED, np.array([9, 2]), 1, 3), "the same again")


def test_more_continuations_than_one_batch_holds_begin_with_the_same_ones(fight):
    many = branch(fight, SEED, np.array([9]), 1, 20_000)

    few = branch(fight, SEED, np.array([9]), 1, 100)

    assert_array_equal(many.outcome[:100], few.outcome)
    assert_array_equal(many.hp[:, :100], few.hp)


def test_fresh_luck_from_round_1_on_wins_as_often_as_the_fight(fight):
    exact = 0.847387172783

    outcomes = branch(fight, SEED, np.arange(40), 1, 500)

    wins = np.count_nonzero(outcomes.outcome == Outcome.WIN)
    assert abs(wins / 20_000 - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)


def test_the_chances_along_a_run_are_its_branches_round_by_round(fight):
    runs = np.arange(12)
    own = play(fight, SEED, runs)

    curves = chances_of(fight, SEED, runs, 30)

    assert [curve.rounds for curve in curves] == own.rounds.tolist()
    for curve in curves:
        assert curve.outcome == own.outcome[curve.run]
        assert ((curve.wins + curve.draws + curve.losses) == 30).all()
        for round in range(1, curve.rounds + 1):
            ended = branch(fight, SEED, np.array([curve.run]), round, 30).outcome
            assert curve.wins[round - 1] == np.count_nonzero(ended == Outcome.WIN)
            assert curve.losses[round - 1] == np.count_nonzero(ended == Outcome.LOSS)


def test_a_run_that_is_over_before_its_first_round_has_no_chances():
    fight = load("p52/duel").encounter()  # a free pass can decide it
    over = int(np.flatnonzero(play(fight, 1, np.arange(40)).rounds == 0)[0])

    curve = chances(fight, 1, over)

    assert curve.rounds == 0
    with pytest.raises(InputError, match=f"run {over} was over before its first round"):
        branch(fight, 1, np.array([over]), 1, 5)


def test_a_round_after_the_end_is_an_error_that_says_how_long_the_run_was(fight):
    rounds = play(fight, SEED, np.arange(6)).rounds

    with pytest.raises(InputError) as raised:
        branch(fight, SEED, np.arange(6), int(rounds.max()) + 1, 5)

    assert len(raised.value.problems) == 6
    assert f"run 3 was over after round {rounds[3]}; expected a round from 1 to {rounds[3]}" in str(raised.value)


def test_a_round_before_the_first_and_a_number_of_continuations_out_of_range_are_errors(fight):
    with pytest.raises(InputError, match="from 1, found 0"):
        branch(fight, SEED, np.arange(2), 0, 5)
    with pytest.raises(InputError, match="continuations from 1 to 1,048,576, found 0"):
        branch(fight, SEED, np.arange(2), 1, 0)
    with pytest.raises(InputError, match="found 1,048,577"):
        chances(fight, SEED, 1, 1_048_577)
