"""Whom Blind units can target."""

from __future__ import annotations

import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules.blind import blind_covered
from sim.rulesets.second_era.rules.hero_moves import engage_sets
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


@pytest.mark.rule("SE-F2")
@pytest.mark.parametrize(("switch", "struck"), [("spared", False), ("passed_over", True)])
def test_a_blind_adventurer_beside_a_strong_friend_engages_nobody_or_the_enemy(switch: str, struck: bool) -> None:
    heroes = [hero((0, 0), 3, track=["L"] * 6 + ["Blind"], cooldown=1), hero((-1, 0), 9)]
    s = begin(battle(heroes, [foe((1, 0), health=5)], switches={"blind_friends": switch}), 8)

    here = s.facts.ground.board.bits.at(s.cell[0])
    (from_here,) = engage_sets(s, 0, data.LIGHT, everybody(s))

    assert bool((from_here & here).any()) == struck
