"""The end of the battle: win, loss, retreat, the cap."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.rulesets.second_era.rules.ending import end_round, look_for_the_end
from tests.rulesets.second_era.table import battle, begin, everybody, foe, hero


@pytest.mark.rule("SE-X1", "SE-X2", "SE-X3", "SE-R6", "SE-R7")
def test_w32_the_round_is_played_to_its_end_and_still_won() -> None:
    archer = hero((-1, 0), 5, "archer", dice={"snipe": 4, "combat": 4}, stamina=6)
    healer = hero((0, -2), 1, "healer", track=["Bane"])
    encounter = battle([archer, healer], [foe((1, 0), health=1)])

    outcomes = play(encounter, 5, np.arange(64))

    won = (outcomes.outcome == Outcome.WIN) & (outcomes.rounds == 1)
    assert won.mean() > 0.9
    assert (outcomes.hp[0, won] > 0).all()
    assert (outcomes.hp[1, won] == 0).all()


@pytest.mark.rule("SE-X4")
def test_w32_without_an_adventurer_the_battle_is_lost_whoever_else_lives() -> None:
    s = begin(battle([hero((0, 0))], [foe((1, 0))], companions=[{"type": "hound", "hex": [2, 0]}]), 2)
    s.hp[[0, 2]] = 0
    s.cell[[0, 2]] = -1

    look_for_the_end(s, everybody(s))

    assert (s.outcome == Outcome.LOSS).all()
    assert not s.live.any()


@pytest.mark.rule("SE-X5", "SE-X6")
def test_retreat_goes_before_the_cap() -> None:
    limits = {"retreat": "hp<4", "round_cap": 1}
    s = begin(battle([hero((0, 0), 5)], [foe((1, 0))], switches=limits), 2)
    s.hp[0, 1] = 3

    end_round(s)

    assert s.outcome.tolist() == [Outcome.DRAW, Outcome.LOSS]
    assert s.retreated.tolist() == [False, True]


@pytest.mark.rule("SE-X1")
def test_eliminate_needs_only_the_objective() -> None:
    enemies = [foe((1, 0)), foe((2, 0), objective=True)]
    s = begin(battle([hero((0, 0))], enemies, objective="eliminate"), 2)
    s.cell[1, 0] = -1
    s.cell[2, 1] = -1

    end_round(s)

    assert s.outcome.tolist() == [Outcome.DRAW, Outcome.WIN]
    assert s.live.tolist() == [True, False]
