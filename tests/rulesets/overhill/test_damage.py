"""Losing health, going down, and the end that comes with the last hero."""

import pytest

from sim.rulesets.overhill.rules.enemy_turns import monster_phase
from tests.rulesets.overhill.fights import attack, lot, stage


@pytest.mark.rule("OU-D4", "OU-U4")
def test_a_hero_is_down_at_exactly_0() -> None:
    fight = stage(["warrior", "priest"], [("zombie", 2)], {"OU-D2": [1], "OU-E7": lot(1)})

    assert attack(fight, hero=1).tolist() == [8]  # W26
    assert not fight.s.standing(fight.at)[1].any()
    assert fight.s.standing_count(fight.at).tolist() == [1]


@pytest.mark.rule("OU-D4", "OU-Z4")
def test_health_never_falls_below_0_and_only_what_was_there_is_counted() -> None:
    fight = stage(["warrior", "priest"], [("skeleton", 1)], {"OU-D2": [1], "OU-E7": lot(0)})
    seen = []

    for _ in range(4):
        attack(fight)
        seen.append(int(fight.s.health[0, 0]))

    assert seen == [8, 5, 2, 0]  # W27
    outcomes = fight.encounter.harvest(fight.s, fight.at, fight.at)
    assert outcomes.damage_taken[0].tolist() == [11]


@pytest.mark.rule("OU-R6", "OU-Z2")
def test_the_fight_is_lost_with_the_last_hero_and_the_others_attack_no_more() -> None:
    fight = stage(["rogue"], [("zombie", 9)], {"OU-D2": [1]})

    monster_phase(fight.s)

    assert not fight.s.live.any()
    row = fight.s.facts.ability_row[1, "attack"]
    assert fight.s.ledger.uses[row].tolist() == [2]  # 7 health, two hits of 4
