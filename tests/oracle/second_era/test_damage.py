"""Damage, Guard, caps on what is lost, Riposte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.oracle.second_era.damage import hit
from tests.oracle.second_era.examples import MAGE, battle_of, enemy, unit
from tests.oracle.second_era.state import Creature, Hero


def guarding(active: Sequence[int], damage: int, bonus: int = 0, true: bool = False, **more: Any) -> Hero:
    """A knight with these active Shield dice after an enemy has dealt it damage."""
    battle = battle_of([unit(5, 0, 0, bonus_hp=bonus)], [enemy("ogre", 1, 0)], **more)
    hero = battle.heroes[0]
    hero.active = [("shield_discipline", x) for x in active]
    hit(battle, hero, battle.enemies[0], damage, true)
    return hero


def struck(skills: list[str], amount: int = 3, distance: int = 1, true: bool = False, **more: Any) -> Creature:
    """An enemy of 9 hit points after an adventurer has dealt it one instance on its own turn."""
    foe = enemy("skeever", distance, 0, **{"health": 9, "skills": skills, **more})
    battle = battle_of([unit(9, 0, 0), unit(9, -2, 0)], [foe])
    battle.start_turn(battle.heroes[0])
    hit(battle, battle.enemies[0], battle.heroes[0], amount, true)
    return battle.enemies[0]


@pytest.mark.rule("SE-A17", "SE-D6")
@pytest.mark.parametrize(
    ("active", "damage", "bonus", "lost", "order"),
    [
        ((1, 2), 3, 0, 0, []),
        ((2, 2), 3, 0, 0, []),
        ((2,), 1, 0, 0, []),
        ((1, 1), 4, 1, 1, []),
        ((1, 2, 2), 2, 0, 0, [1, 2]),
    ],
)
def test_w8_guard_spends_the_largest_die_that_is_not_wasted(
    active: Sequence[int], damage: int, bonus: int, lost: int, order: list[int]
) -> None:
    hero = guarding(active, damage, bonus)

    assert hero.taken == lost
    assert [x for _, x in hero.active] == order
    assert hero.bonus_hp == 0
    assert len(hero.track) == len(active) - len(order)


@pytest.mark.rule("SE-D7")
def test_w9_true_damage_passes_dice_and_bonus_hit_points() -> None:
    hero = guarding((1, 1), 2, bonus=1, true=True)

    assert (hero.taken, hero.bonus_hp, len(hero.active)) == (2, 1, 2)


def test_guard_never_leaves_the_dice_where_they_are() -> None:
    hero = guarding((1, 1), 2, switches={"guard": "never"})

    assert (hero.taken, len(hero.active)) == (2, 2)


@pytest.mark.rule("SE-K9", "SE-D4", "SE-D8")
def test_w10_divert_keeps_the_last_hit_point_and_an_exact_hit_defeats() -> None:
    battle = battle_of([unit(5, 0, 0)], [enemy("giant", 1, 0, hp=3), enemy("ogre", 0, 1, hp=3)])
    giant, ogre = battle.enemies

    hit(battle, giant, battle.heroes[0], 5)
    assert giant.hp == 1
    hit(battle, giant, battle.heroes[0], 2)
    hit(battle, ogre, battle.heroes[0], 4)

    assert (giant.hp, ogre.hp, giant.in_play, ogre.in_play) == (0, 0, False, False)


@pytest.mark.rule("SE-K12", "SE-D5")
@pytest.mark.parametrize(
    ("trigger", "dealt", "back"), [("dealt", 2, 1), ("dealt", 1, 1), ("taken", 2, 1), ("taken", 1, 0)]
)
def test_w11_riposte_answers_damage_dealt_or_taken(trigger: str, dealt: int, back: int) -> None:
    battle = battle_of([unit(5, 0, 0)], [enemy("clannfear", 1, 0)], switches={"riposte_trigger": trigger})
    hero, clannfear = battle.heroes[0], battle.enemies[0]
    hero.active = [("shield_discipline", 1), ("shield_discipline", 1)]
    battle.start_turn(hero)

    hit(battle, clannfear, hero, dealt)
    hit(battle, clannfear, hero, dealt)  # once per turn only

    assert hero.taken == 0
    assert len(hero.active) == 2 - back
    assert clannfear.dealt == back


@pytest.mark.rule("SE-K10")
def test_stalwart_loses_one_hit_point_per_turn_of_any_unit() -> None:
    assert struck(["Stalwart"], 5, true=True).taken == 1
    battle = battle_of([unit(9, 0, 0)], [enemy("skeever", 1, 0, health=9, skills=["Stalwart"])])
    for turn in range(3):
        battle.start_turn(battle.heroes[0])
        hit(battle, battle.enemies[0], battle.heroes[0], 5)
        hit(battle, battle.enemies[0], battle.heroes[0], 5)
        assert battle.enemies[0].taken == turn + 1


@pytest.mark.rule("SE-K11")
def test_elusive_prevents_damage_from_afar_true_or_not() -> None:
    assert struck(["Elusive"], distance=2).taken == 0
    assert struck(["Elusive"], distance=2, true=True).taken == 0
    assert struck(["Elusive"]).taken == 3


@pytest.mark.rule("SE-K13")
def test_ethereal_prevents_the_party_size_unless_magic() -> None:
    assert struck(["Ethereal"], 5).taken == 3
    battle = battle_of([{**MAGE, "hex": [0, 0]}], [enemy("skeever", 1, 0, health=9, skills=["Ethereal"])])
    hit(battle, battle.enemies[0], battle.heroes[0], 5)
    assert battle.enemies[0].taken == 5


@pytest.mark.rule("SE-K14", "SE-D3")
def test_iron_bark_hardens_against_damage_from_afar() -> None:
    assert struck(["Iron Bark"], distance=2).taken == 2
    assert struck(["Iron Bark"]).taken == 3
    assert struck(["Iron Bark"], distance=2, true=True).taken == 3
