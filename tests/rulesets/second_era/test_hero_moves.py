"""Where adventurers may go."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era.rules.hero_moves import may_move, may_roll
from tests.rulesets.second_era.table import duel, everybody


@pytest.mark.rule("SE-A1", "SE-A2", "SE-F3")
def test_a_dazed_adventurer_moves_or_rolls_and_two_moves_need_a_turn_without_engage() -> None:
    dazed, free = duel(runs=1, track=["Daze"]), duel(runs=1)

    for s in (dazed, free):
        s.moves[:] = 1
    assert not may_roll(dazed, 0, everybody(dazed))[0]
    assert may_roll(free, 0, everybody(free))[0]
    assert may_move(free, 0, everybody(free))[0]

    free.engaged[:] = 1
    assert not may_move(free, 0, everybody(free))[0]
