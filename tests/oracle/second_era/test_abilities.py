"""Racial and class abilities, and Purge."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.luck import PythonLuck
from tests.oracle.second_era import data as tables
from tests.oracle.second_era.abilities import use_purges
from tests.oracle.second_era.damage import hit
from tests.oracle.second_era.examples import ARCHER, FOE, KNIGHT, MAGE, ONE, battle_of, enemy, engaging, turn_of, unit
from tests.oracle.second_era.play import enemy_order, hero_turns
from tests.oracle.second_era.state import Hero

RACIAL = {"racial_abilities": "on"}
CLASSES = {"class_abilities": "on"}


def raced(race: str, damage: int, **more: Any) -> Hero:
    """An adventurer of 9 hit points after one instance of damage from an enemy."""
    battle = battle_of([unit(9, 0, 0, race=race, **more)], [enemy("ogre", 1, 0)], switches=RACIAL)
    hit(battle, battle.heroes[0], battle.enemies[0], damage)
    return battle.heroes[0]


@pytest.mark.rule("SE-A18")
@pytest.mark.parametrize(
    ("tracks", "hps", "helped"),
    [
        ([["Maim"], ["Fear"]], [5, 5], 1),
        ([["Fear"], ["Fear"]], [5, 4], 1),
        ([[], []], [5, 3], 1),
        ([[], []], [4, 4], None),
    ],
)
def test_purge_frees_or_heals_whoever_needs_it_most(
    tracks: list[list[str]], hps: list[int], helped: int | None
) -> None:
    healer = {"class": "healer", "hex": [-2, 0]}
    friends = [unit(5, q, 0, track=track, hp=hp) for q, track, hp in zip((0, 1), tracks, hps, strict=True)]
    battle = battle_of([*friends, healer], [enemy("ogre", 2, 0)])
    battle.heroes[2].active = [("purge", 0)]

    use_purges(battle)

    kept = battle.heroes[2].active == [("purge", 0)]
    assert kept == (helped is None)
    if helped is not None:
        assert not set(battle.heroes[helped].track) & set(tables.HARMFUL)
        assert battle.heroes[helped].hp == min(5, hps[helped] + 1)


def test_argonian_prevents_one_heavy_blow() -> None:
    assert raced("Argonian", 3).taken == 0
    assert raced("Argonian", 2).taken == 2
    assert raced("Argonian", 2, hp=2).taken == 0


def test_imperial_turns_a_light_blow_into_tenacity() -> None:
    light, heavy = raced("Imperial", 3), raced("Imperial", 4)

    assert (light.taken, light.tenacity) == (0, 3)
    assert (heavy.taken, heavy.tenacity) == (4, 0)


def test_dark_elf_takes_dice_back_for_fatigue() -> None:
    hero = {**MAGE, "hex": [-2, 0], "track": ["combat", "combat", "force_shock", "force_shock"], "cooldown": 1}

    mage = turn_of({**hero, "policy": "hold_entrance"}, switches=RACIAL).heroes[0]

    assert mage.track[:3] == ["L", "L", "L"]
    assert mage.race_used


def test_high_elf_brings_the_worst_off_back_to_the_entrance() -> None:
    hero = {"class": "healer", "hex": [1, 1], "dice": {"combat": 1}}
    others = [unit(9, 1, 0, hp=6), unit(9, 0, 1, hp=3)]

    battle = turn_of(hero, others, switches=RACIAL)

    assert battle.heroes[2].hp == 6
    assert battle.board.spots[battle.heroes[2].hex] == (-2, 0)


def test_nord_adds_a_die_to_its_first_engage() -> None:
    hero = {**KNIGHT, "race": "Nord", "dice": {"combat": 1}}

    battle = engaging(hero, "light", ("combat",), [ONE], FOE, switches=RACIAL)

    assert battle.enemies[0].taken == 3


@pytest.mark.parametrize(("number", "turns", "over"), [(1, 1, 0), (2, 2, 1)])
def test_orc_acts_twice_in_round_two(number: int, turns: int, over: int) -> None:
    hero = {"class": "berserker", "hex": [-2, 0]}
    battle = battle_of([hero], [enemy("ogre", 2, 0, health=30)], luck=PythonLuck(2), switches=RACIAL)
    battle.round = number

    hero_turns(battle, battle.heroes[0])

    assert (battle.heroes[0].turns_this_round, battle.heroes[0].over) == (turns, over)


def test_redguard_shakes_off_fatigue() -> None:
    hero = unit(5, -2, 0, race="Redguard", hp=4, track=["combat", "O", "Stealth", "Maim", "L", "L"], cooldown=1)

    battle = turn_of({**hero, "policy": "hold_entrance", "dice": {"combat": 1}}, switches=RACIAL)

    assert (battle.heroes[0].hp, battle.heroes[0].bonus_hp) == (5, 2)
    assert battle.heroes[0].track[:2] == ["Stealth", "L"]


def test_wood_elf_hides_the_two_weakest_before_the_first_enemy_turn() -> None:
    party = [{**ARCHER, "hex": [-2, 0], "hp": 4}, unit(9, -2, 1), unit(3, -2, 2)]
    battle = battle_of(party, [enemy("ogre", 2, 0)], switches=RACIAL)

    enemy_order(battle)

    assert [hero.has("Stealth") for hero in battle.heroes] == [True, False, True]


def test_knight_challenges_a_single_enemy_and_swears_an_oath() -> None:
    hero = unit(9, 0, 0, hp=3, tenacity=4, policy="hold_entrance", dice={"combat": 1})
    foes = [enemy("skeever", 2, 0, hp=3)]

    battle = turn_of(hero, foes=foes, switches=CLASSES)

    assert not battle.enemies[0].standing
    assert (battle.heroes[0].hp, battle.heroes[0].tenacity) == (7, 0)


def test_archer_shoots_before_and_after_its_turn() -> None:
    hero = {**ARCHER, "hex": [0, 0], "tenacity": 3, "dice": {"purge": 1}, "policy": "hold_entrance"}

    battle = turn_of(hero, foes=[enemy("troll", 2, 0, health=30)], switches=CLASSES)

    assert battle.enemies[0].taken == 2 + 2
    assert battle.heroes[0].tenacity == 0


def test_sorcerer_gathers_tenacity_and_surges() -> None:
    hero = {**MAGE, "hex": [-2, 0], "tenacity": 2, "dice": {"force_shock": 2}, "cooldown": 1}

    mage = turn_of(
        {**hero, "track": ["L", "L", "force_shock", "force_shock"], "policy": "hold_entrance"}, switches=CLASSES
    ).heroes[0]

    # one die by Recovery, then 3 tenacity: [1 + 2] brings back the second L and a Force Shock
    assert mage.tenacity == 0
    assert mage.tenacity_gained == 1
    assert mage.available["force_shock"] + mage.track.count("force_shock") == 2


def test_healer_tires_itself_to_heal_and_gives_hope() -> None:
    hero = {"class": "healer", "hex": [0, 0], "tenacity": 3, "dice": {"combat": 1}, "policy": "hold_entrance"}

    battle = turn_of(hero, [unit(9, 0, 1, hp=2)], switches=CLASSES)

    assert (battle.heroes[1].hp, battle.heroes[1].bonus_hp) == (3, 3)
    assert battle.heroes[0].light == 1


def test_nightblade_gives_up_stealth_to_save_a_friend_and_slips_away() -> None:
    blade = {"class": "nightblade", "hex": [1, 1], "track": ["Stealth"], "tenacity": 1}
    battle = battle_of([unit(2, 1, 0), blade], [enemy("ogre", 2, 0, range=1)], switches=CLASSES)

    battle.start_turn(battle.enemies[0])
    hit(battle, battle.heroes[0], battle.enemies[0], 2)

    assert battle.heroes[0].hp == 2
    assert not battle.heroes[1].has("Stealth")
    assert battle.heroes[1].hexes > 0
