"""Whom Blind units can target."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era.rules.blind import blind_covered
from tests.rulesets.second_era.table import battle, begin, everybody, first_enemy, foe, hero, turn


@pytest.mark.rule("SE-T1", "SE-F2")
def test_a_blind_enemy_strikes_the_strongest_beside_it_whoever_that_is() -> None:
    enemies = [foe((0, 0), statuses=["Blind"], combat=9), foe((1, 0), health=9)]
    s = begin(battle([hero((-1, 0), 5)], enemies), 8)
    seen = blind_covered(s, first_enemy(s), everybody(s))

    turn(s)

    assert seen[:, 0].tolist() == [False, False, True]
    assert (s.hp[2] < 9).all()
    assert (s.status[1] == 0).all()  # by the errata Blind ends with the damage it deals
