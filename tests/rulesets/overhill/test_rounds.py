"""The end of a round: what is forgotten and remembered, and the cap."""

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.rulesets.overhill.rules.rounds import end_round
from tests.rulesets.overhill.fights import compiled, stage, table


@pytest.mark.rule("OU-R7", "OU-U7")
def test_kills_become_those_of_the_last_round_and_bashes_end() -> None:
    fight = stage(["warrior"], [("gobbo", 9)])
    fight.s.kills_now[0, 0] = 2
    fight.s.kills_prev[0, 0] = 5
    fight.s.bashed[0] = 1

    end_round(fight.s)

    assert fight.s.kills_prev[0, 0].tolist() == [2]
    assert not fight.s.kills_now.any()
    assert not fight.s.bashed.any()


@pytest.mark.rule("OU-U7", "OU-E6")
def test_in_round_1_nothing_is_remembered() -> None:
    fight = stage(["warrior"], [("gobbo", 9)])

    assert not fight.s.kills_prev.any()


@pytest.mark.rule("OU-R7", "OU-Z3", "OU-R1")
def test_the_round_cap_is_a_draw() -> None:
    stalemate = {"type": "gobbo", "count": 2, "melee": 0, "defence": 99}

    outcomes = play(compiled(table(["warrior"], [stalemate], switches={"round_cap": 7})), 1, np.arange(5))

    assert outcomes.outcome.tolist() == [Outcome.DRAW] * 5
    assert outcomes.rounds.tolist() == [7] * 5


@pytest.mark.rule("OU-R1", "OU-Z1")
def test_a_fight_won_at_once_takes_one_round() -> None:
    weak = {"type": "gobbo", "count": 1, "defence": 1}

    outcomes = play(compiled(table(["warrior"], [weak])), 1, np.arange(20))

    assert outcomes.rounds.tolist() == [1] * 20
    assert outcomes.outcome.tolist() == [Outcome.WIN] * 20
