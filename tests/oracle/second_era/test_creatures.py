"""Turns of enemies and companions: the roll, targets, skills."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from tests.oracle.second_era import data as tables
from tests.oracle.second_era import prepare
from tests.oracle.second_era.creatures import companion_turn, enemy_turn
from tests.oracle.second_era.examples import (
    HALF,
    KNIGHT,
    MISS,
    ONE,
    TWO,
    Entry,
    Faces,
    OneBranch,
    battle_of,
    enemy,
    every_outcome,
    mean,
    scenario,
    unit,
    walker,
)
from tests.oracle.second_era.state import Battle


def shares(of: int, *counts: int) -> dict[int, Fraction]:
    """{0: counts[0] / of, 1: counts[1] / of, ...} without the impossible ones."""
    return {value: Fraction(count, of) for value, count in enumerate(counts) if count}


def enemy_damage(**entry: Any) -> dict[int, Fraction]:
    """The chances of the damage that an enemy deals to one adventurer with plenty of hit points."""
    ready = prepare(scenario([unit(11, 0, 0)], [enemy("mudcrab", 1, 0, **entry)]))

    def once(luck: OneBranch) -> int:
        battle = Battle(ready, luck)
        enemy_turn(battle, battle.enemies[0])
        return battle.heroes[0].taken

    return every_outcome(once)


def fight_enemy(skills: list[str], numbers: Sequence[int] = (), hero: Entry | None = None, **more: Any) -> Battle:
    """One turn of an adjacent enemy with these skills against a knight of 9 hit points."""
    fields = {"combat": len(numbers), "health": 9, **more}
    foe = enemy("skeever", 1, 0, skills=skills, **fields)
    battle = battle_of([{**unit(9, 0, 0), **(hero or {})}], [foe], luck=Faces(SE_E10=list(numbers)))
    enemy_turn(battle, battle.enemies[0])
    return battle


@pytest.mark.rule("SE-E10", "SE-E11")
def test_w1_one_two_and_three_enemy_dice() -> None:
    assert enemy_damage(combat=1) == shares(6, 1, 4, 1)
    assert enemy_damage(combat=2) == shares(36, 1, 8, 18, 8, 1)
    assert enemy_damage(combat=3) == shares(216, 1, 12, 51, 88, 51, 12, 1)


@pytest.mark.rule("SE-K1")
def test_w2_aggressive_rerolls_every_zero_once() -> None:
    one = enemy_damage(combat=1, skills=["Aggressive"])

    assert one == shares(36, 1, 28, 7)
    assert mean(one) == Fraction(7, 6)
    assert enemy_damage(combat=2, skills=["Aggressive"])[0] == Fraction(1, 1296)


@pytest.mark.rule("SE-F5")
def test_w3_maim_halves_the_sum_of_an_enemy() -> None:
    three = enemy_damage(combat=3, statuses=["Maim"])

    assert three == shares(216, 13, 139, 63, 1)
    assert mean(three) == Fraction(67, 54)
    assert enemy_damage(combat=2, statuses=["Maim"]) == shares(36, 9, 26, 1)


@pytest.mark.rule("SE-E8", "SE-E9", "SE-E12", "SE-E13")
def test_w29_one_roll_for_every_target() -> None:
    party = [unit(5, 0, 0), unit(2, 1, 0), unit(2, 0, 1)]
    trace: list[str] = []
    battle = Battle(prepare(scenario(party, [enemy("lich", 2, -1)])), Faces(SE_E10=[ONE, TWO]), trace)

    enemy_turn(battle, battle.enemies[0])

    assert [hero.hp for hero in battle.heroes] == [2, 0, 0]
    assert [hero.has("Bane") for hero in battle.heroes] == [True, False, False]
    assert battle.enemies[0].kills == 2


@pytest.mark.rule("SE-E8", "SE-E9")
def test_w29_equal_hit_points_are_ordered_by_lot() -> None:
    party = [unit(5, 0, 0), unit(2, 1, 0), unit(2, 0, 1)]
    ready = prepare(scenario(party, [walker(2, -1, range=5, targets=1)]))

    def once(luck: OneBranch) -> int:
        battle = Battle(ready, luck)
        enemy_turn(battle, battle.enemies[0])
        return next(hero.actor for hero in battle.heroes if hero.has("Bane"))

    assert every_outcome(once) == {1: HALF, 2: HALF}


@pytest.mark.rule("SE-E10")
def test_w30_an_enemy_without_dice_still_engages() -> None:
    battle = battle_of([unit(5, 0, 0)], [walker(1, 0)])

    enemy_turn(battle, battle.enemies[0])

    assert battle.heroes[0].taken == 0
    assert battle.heroes[0].has("Bane")


@pytest.mark.rule("SE-F3")
@pytest.mark.parametrize(("rule", "dazed"), [("zero_dice", True), ("skip", False)])
def test_w31_a_dazed_enemy_that_moved_rolls_nothing(rule: str, dazed: bool) -> None:
    ogre = enemy("ogre", 2, 0, statuses=["Daze"])
    battle = battle_of([unit(5, -1, 0)], [ogre], switches={"daze_engage": rule})

    enemy_turn(battle, battle.enemies[0])

    assert battle.board.spots[battle.enemies[0].hex] == (0, 0)
    assert battle.heroes[0].taken == 0
    assert battle.heroes[0].has("Daze") == dazed
    assert not battle.enemies[0].has("Daze")


@pytest.mark.rule("SE-K2")
def test_arcane_damage_is_true_and_not_halved() -> None:
    battle = fight_enemy(["Arcane"], [TWO, ONE], {"bonus_hp": 3}, statuses=["Maim"])

    assert (battle.heroes[0].taken, battle.heroes[0].bonus_hp) == (3, 3)


@pytest.mark.rule("SE-K3", "SE-K4", "SE-K5", "SE-K6", "SE-K7")
def test_after_an_engage_every_skill_marks_the_target_in_chip_order() -> None:
    battle = fight_enemy(["Daze", "Intimidate", "Bane", "Enfeeble 2", "Maim"])

    assert battle.heroes[0].track == ["Daze", "Fear", "Bane", "L", "L", "Maim"]


@pytest.mark.rule("SE-K6")
def test_intimidate_takes_fear_away_again() -> None:
    assert not fight_enemy(["Intimidate"], hero={"track": ["Fear"]}).heroes[0].has("Fear")


@pytest.mark.rule("SE-F4")
def test_fear_silences_every_skill() -> None:
    battle = fight_enemy(["Bane", "Bladed", "Decay"], [ONE], statuses=["Fear"])

    assert (battle.heroes[0].taken, battle.heroes[0].has("Bane"), battle.enemies[0].taken) == (1, False, 0)


@pytest.mark.rule("SE-K15")
def test_ritual_heals_allies_in_sight_but_not_itself() -> None:
    foes = [enemy("spriggan", 2, 0, hp=1, skills=["Ritual 2"]), enemy("ogre", 2, -1, hp=1), enemy("ogre", 1, 1)]
    battle = battle_of([unit(5, -2, 0, track=["Stealth"])], foes)

    enemy_turn(battle, battle.enemies[0])

    assert [foe.hp for foe in battle.enemies] == [1, 3, 7]


@pytest.mark.rule("SE-K16", "SE-K17")
def test_recover_heals_the_party_size_and_bide_two_without_a_move() -> None:
    assert fight_enemy(["Recover"], hp=5).enemies[0].hp == 6
    assert fight_enemy(["Bide"], hp=5).enemies[0].hp == 7
    battle = battle_of([unit(5, -2, 0)], [enemy("champion", 2, 0, hp=5)], luck=Faces(SE_E10=[ONE] * 3))
    enemy_turn(battle, battle.enemies[0])
    assert battle.enemies[0].hp == 5


@pytest.mark.rule("SE-K18")
def test_rush_moves_again_instead_of_engaging() -> None:
    battle = battle_of([unit(5, -2, 0)], [walker(2, 0, skills=["Rush", "Bane"])])
    wolf = battle.enemies[0]

    enemy_turn(battle, wolf)
    assert (battle.board.spots[wolf.hex], battle.heroes[0].has("Bane")) == ((-1, 0), False)
    enemy_turn(battle, wolf)

    assert battle.heroes[0].has("Bane")


@pytest.mark.rule("SE-K20", "SE-K27")
def test_necrotic_hurts_all_neighbours_and_decay_itself() -> None:
    foes = [enemy("skeever", 1, 0, combat=0, skills=["Necrotic", "Decay"]), enemy("ogre", 1, 1), enemy("ogre", -2, 0)]
    battle = battle_of([unit(5, 0, 0)], foes)

    enemy_turn(battle, battle.enemies[0])

    assert battle.heroes[0].taken == 1
    assert [foe.taken for foe in battle.enemies] == [1, 1, 0]
    assert battle.harm[(tables.TABLE, 1000)] == 1


@pytest.mark.rule("SE-K21", "SE-A15")
def test_disrupt_takes_the_lowest_active_die_before_the_roll() -> None:
    battle = battle_of([unit(9, 0, 0)], [enemy("skeever", 1, 0, combat=0, skills=["Disrupt"])])
    hero = battle.heroes[0]
    hero.active = [("shield_discipline", 2), ("combat", 1), ("shield_discipline", 1)]

    enemy_turn(battle, battle.enemies[0])

    assert hero.active == [("shield_discipline", 2), ("shield_discipline", 1)]
    assert hero.track == ["combat"]


@pytest.mark.rule("SE-K22", "SE-K23", "SE-K24")
def test_bladed_vindictive_and_smite_raise_the_damage() -> None:
    assert fight_enemy(["Bladed"]).heroes[0].taken == 2
    assert fight_enemy(["Bladed"], [ONE, ONE], statuses=["Maim"]).heroes[0].taken == 3
    party = [unit(9, 0, 0), unit(9, -2, 0), unit(9, -2, 1)]
    for skills, dice in ((["Vindictive", "Smite"], 8), (["Smite", "Vindictive"], 5), (["Smite"], 2)):
        foe = enemy("skeever", 1, 0, combat=1, skills=skills)
        battle = battle_of(party, [foe], luck=Faces(SE_E10=[ONE] * 20))
        enemy_turn(battle, battle.enemies[0])
        assert battle.heroes[0].taken == dice
    alone = battle_of([party[0]], [enemy("skeever", 1, 0, skills=["Smite"])], luck=Faces(SE_E10=[ONE] * 9))
    enemy_turn(alone, alone.enemies[0])
    assert alone.heroes[0].taken == 1


@pytest.mark.rule("SE-K26")
def test_retreat_hides_after_a_turn_without_damage() -> None:
    quiet = fight_enemy(["Retreat"], [MISS], hp=5).enemies[0]
    loud = fight_enemy(["Retreat"], [ONE], hp=5).enemies[0]

    assert (quiet.has("Stealth"), quiet.hp) == (True, 6)
    assert (loud.has("Stealth"), loud.hp) == (False, 5)


@pytest.mark.rule("SE-K28", "SE-K12", "SE-E11")
def test_an_enemy_felled_by_a_companions_riposte_does_nothing_more() -> None:
    hound = {"type": "hound", "hex": [0, 0], "health": 9, "skills": ["Riposte 3"]}
    foe = enemy("skeever", 1, 0, hp=1, targets=2, skills=["Bane"], priority="strongest")
    battle = battle_of([unit(5, 1, 1)], [foe], companions=[hound], luck=Faces(SE_E10=[ONE]))

    enemy_turn(battle, battle.enemies[0])

    assert battle.heroes[0].taken == 0
    assert not battle.companions[0].has("Bane")
    assert battle.companions[0].kills == 1


@pytest.mark.parametrize(("die", "counts"), [("standard", (1, 4, 1)), ("two_miss", (2, 3, 1)), ("swingy", (2, 2, 2))])
def test_enemy_die_has_three_versions(die: str, counts: tuple[int, ...]) -> None:
    ready = prepare(scenario([unit(11, 0, 0)], [enemy("mudcrab", 1, 0)], switches={"enemy_die": die}))

    def once(luck: OneBranch) -> int:
        battle = Battle(ready, luck)
        enemy_turn(battle, battle.enemies[0])
        return battle.heroes[0].taken

    assert every_outcome(once) == shares(6, *counts)


@pytest.mark.rule("SE-S6", "SE-U1", "SE-R9")
def test_a_companion_waits_for_a_free_entrance_and_then_acts() -> None:
    row = {"tiles": [{"name": "A", "hexes": [[q, 0] for q in range(6)]}], "entrance": [[0, 0]], "numbered": [[5, 0]]}
    battle = battle_of([KNIGHT], [{"type": "ogre"}], row, companions=[{"type": "hound"}])
    hound = battle.companions[0]

    companion_turn(battle, hound)
    assert hound.hex < 0
    battle.place(battle.heroes[0], battle.board.number[(3, 0)])
    companion_turn(battle, hound)

    assert battle.board.spots[hound.hex] == (2, 0)


def test_a_companion_takes_the_closest_shot_at_the_weakest() -> None:
    foes = [enemy("ogre", 2, 0), enemy("skeever", 1, 1, hp=2), enemy("mudcrab", 2, -1, hp=2)]
    familiar = {"type": "familiar", "hex": [-2, 0]}
    battle = battle_of([unit(5, -2, 2)], foes, companions=[familiar], luck=Faces(SE_E10=[TWO]))

    companion_turn(battle, battle.companions[0])

    assert battle.enemies[1].hp == 0
