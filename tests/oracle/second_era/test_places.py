"""Whom a Blind unit can target."""

from __future__ import annotations

import pytest

from tests.oracle.second_era.creatures import enemy_turn
from tests.oracle.second_era.examples import ARCHER, TWO, Faces, battle_of, enemy, enemy_moves, unit, walker
from tests.oracle.second_era.places import engageable
from tests.oracle.second_era.state import Battle


@pytest.mark.rule("SE-F2")
def test_a_blind_enemy_strikes_the_strongest_neighbour_friend_or_foe() -> None:
    foes = [enemy("skeever", 0, 0, statuses=["Blind"], range=3), enemy("ogre", 1, 0, hp=7)]
    battle = battle_of([unit(5, -1, 0)], foes, luck=Faces(SE_E10=[TWO]))

    enemy_turn(battle, battle.enemies[0])

    assert battle.enemies[1].taken == 1  # 2 less its defense
    assert not battle.enemies[0].has("Blind")


@pytest.mark.rule("SE-F2")
def test_a_blind_enemy_walks_to_the_closest_unit() -> None:
    foes = [walker(2, 0, statuses=["Blind"], range=5), enemy("ogre", 0, 0)]
    assert set(enemy_moves([unit(5, -2, 0)], foes)) == {((1, 0), ())}
    rulebook = enemy_moves([unit(9, -2, 0)], foes, switches={"blind_rule": "rulebook"})
    assert rulebook == {((2, 0), (0,)): 1}


@pytest.mark.rule("SE-F2", "SE-T1")
def test_a_blind_adventurer_cannot_pass_a_stronger_neighbour() -> None:
    archer = {**ARCHER, "hex": [0, 0], "track": ["Blind"]}
    foes = [enemy("skeever", 1, 0), enemy("ogre", 2, 0)]
    alone = battle_of([archer], foes)
    shielded = battle_of([archer, unit(9, -1, 0)], foes)
    rulebook = battle_of([archer], foes, switches={"blind_rule": "rulebook"})

    def seen(battle: Battle) -> list[str]:
        hero = battle.heroes[0]
        battle.start_turn(hero)
        return [foe.name for foe in engageable(battle, hero, "ranged", hero.hex)]

    assert (seen(alone), seen(shielded), seen(rulebook)) == (["skeever"], [], ["ogre"])
