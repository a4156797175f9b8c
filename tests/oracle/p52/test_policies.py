"""Policies, shown by the scalar referee."""

from __future__ import annotations

import pytest

from tests.oracle.p52.harm import hurt_hero
from tests.oracle.p52.play import hero_turn
from tests.oracle.p52.policies import party_focus
from tests.oracle.p52_table import foe, table


@pytest.mark.rule("P52-Y13", "P52-H5")
def test_the_sniper_aims_twice_before_it_shoots() -> None:
    rogue = {"class": "rogue", "spot": [0, 0], "policy": "sniper"}
    fight = table([9, 1], [rogue], [foe("K hearts", 6)], ".......")
    hero = fight.heroes[0]
    hero_turn(fight, hero)
    hero_turn(fight, hero)
    assert (hero.aim, hero.counts.attacks) == (2, 0)
    hero_turn(fight, hero)
    assert (hero.aim, hero.counts.attacks, hero.counts.hits) == (0, 1, 1)


@pytest.mark.rule("P52-Y7", "P52-Y8", "P52-H11")
@pytest.mark.parametrize(("preset", "hp"), [("p52-1.4", 0), ("p52-draft", 4)])
def test_a_stunned_cleric(preset: str, hp: int) -> None:
    cleric = {"class": "cleric", "hp": 0, "consumables": {"healing_potion": 1}}
    fight = table([8], [cleric], preset=preset)
    hero = fight.heroes[0]
    hero_turn(fight, hero)
    assert hero.hp == 10
    hero.hp = 0
    hero_turn(fight, hero)
    assert hero.hp == hp
    assert hero.stance == (1 if hp == 0 else 0)


@pytest.mark.rule("P52-Y14")
def test_the_medic_revives_then_heals() -> None:
    cleric = {"class": "cleric", "policy": "medic", "abilities": {"revive": 2, "heal": 1}, "consumables": {}}
    fight = table([10, 9], [cleric, {"class": "fighter"}])
    medic, fighter = fight.heroes
    hurt_hero(fight, fighter, 100)
    hero_turn(fight, medic)
    assert fighter.hp == 35 // 4 + 1
    hero_turn(fight, medic)
    assert fighter.hp == 9 + 5


@pytest.mark.rule("P52-Y15")
def test_focus_fire_agrees_on_the_weakest_in_reach() -> None:
    heroes = [{"class": "fighter", "spot": [0, 0]}, {"class": "rogue", "spot": [0, 0]}]
    fight = table([], heroes, [foe("K hearts"), foe("J clubs", 2), foe("J clubs", 40, hp=1)], "." * 41)
    assert party_focus(fight) is fight.enemies[1]


@pytest.mark.rule("P52-Y12")
def test_the_guardian_waits_and_then_walks() -> None:
    fight = table([], [{"class": "fighter", "policy": "guardian", "spot": [0, 0]}], [foe("K hearts", 4)], ".....")
    hero = fight.heroes[0]
    hero_turn(fight, hero)
    assert (hero.stance, hero.spot) == (1, 0)
    fight.round = 6
    hero_turn(fight, hero)
    assert (hero.stance, hero.spot) == (0, 1)
