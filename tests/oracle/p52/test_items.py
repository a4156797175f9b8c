"""Items, shown by the scalar referee."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.p52 import actions
from tests.oracle.p52.attacks import hero_attack, hit_hero
from tests.oracle.p52.enemies import enemy_turn
from tests.oracle.p52.harm import hurt_hero
from tests.oracle.p52.play import hero_turn
from tests.oracle.p52.state import Fight
from tests.oracle.p52_table import ability, foe, table


def thrower(item: str, flips: list[int], enemies: list[dict[str, Any]], **more: Any) -> Fight:
    hero = {"class": "wizard", "level": 5, "consumables": {item: 1}, "policy": "focus_fire", "spot": [0, 0]}
    fight = table(flips, [hero], enemies, "....", **more)
    hero_turn(fight, fight.heroes[0])
    assert fight.heroes[0].counts.items_used == 1
    return fight


@pytest.mark.rule("P52-C25", "P52-H7")
def test_a_fire_elixir_burns_again() -> None:
    fight = thrower("fire_elixir", [10, 1, 13], [foe("K hearts", 1), foe("K hearts", 1)])
    first, second = fight.enemies
    assert (first.max_hp - first.hp, first.burn, second.counts.damage_taken) == (6, 2, 0)
    first.lost_turns = 1
    enemy_turn(fight, first)
    assert (first.max_hp - first.hp, first.burn) == (8, 0)
    unlucky = thrower("strong_fire_elixir", [1], [foe("K hearts", 1), foe("K hearts", 1)])
    assert unlucky.heroes[0].counts.damage_taken == 2


def test_ice_and_water_elixirs() -> None:
    ice = thrower("strong_ice_elixir", [], [foe("K hearts", 1), foe("K hearts", 1)])
    assert [enemy.lost_turns for enemy in ice.enemies] == [2, 2]
    water = thrower("strong_water_elixir", [5, 1, 13], [foe("K hearts", 1), foe("K hearts", 1)])
    assert [enemy.counts.damage_taken for enemy in water.enemies] == [13 * 2, 0]
    assert [enemy.spot for enemy in water.enemies] == [2, 2]


def test_the_ice_of_the_mountain_holds_until_the_next_attack() -> None:
    fight = thrower("ice_elixir", [], [foe("K hearts", 1), foe("K hearts", 1)], data_set="mountain")
    hero, enemy = fight.heroes[0], fight.enemies[0]
    for _ in range(5):
        enemy_turn(fight, enemy)
    assert enemy.frozen
    fight.luck.flips = [3]
    hero_attack(fight, hero, ability(hero, "fire_ball"), enemy, stamina=False)
    assert not enemy.frozen


def test_the_phoenix_feather_and_dragons_blood() -> None:
    heroes = [{"class": "captain", "level": 2, "consumables": {"phoenix_feather": 1, "dragons_blood": 1}},
              {"class": "fighter"}]  # fmt: skip
    fight = table([2, 2, 2, 2], heroes, [foe("K hearts", max_hp=100)])
    captain, fighter = fight.heroes
    hurt_hero(fight, captain, 1000)
    assert not fight.check_end()
    hero_turn(fight, captain)
    assert captain.hp == 6
    hurt_hero(fight, fighter, 1000)
    actions.give_item(fight, captain, "dragons_blood", fighter)
    assert fighter.hp == 2 * 35 // 3


@pytest.mark.rule("P52-U4", "P52-H9")
def test_a_stamina_boost_goes_beyond_the_maximum() -> None:
    fight = table([], [{"class": "rogue", "consumables": {"stamina_boost": 1}}])
    hero = fight.heroes[0]
    actions.pass_turn(fight, hero)
    actions.boost_stamina(fight, hero)
    actions.pass_turn(fight, hero)
    assert len(hero.stamina) == 6


def test_a_thrown_knife_is_fetched_back() -> None:
    rogue = {"class": "rogue", "abilities": {"knife_throw": 1}, "gear": ["hunting_knife"], "spot": [0, 0]}
    fight = table([3], [rogue], [foe("K hearts", 1)], "..")
    hero = fight.heroes[0]
    hero_attack(fight, hero, ability(hero, "knife_throw"), fight.enemies[0], stamina=False)
    assert hero.knife_at == 1
    actions.move(fight, hero, 1, actions.walks_of(fight, hero))
    assert hero.knife_at is None


def test_an_iron_shield_flips_for_itself() -> None:
    fighter = {"class": "fighter", "abilities": {"shield_block": 1}, "gear": ["iron_shield"], "balance": 3}
    seen = {}
    for shield in (1, 7, 13):
        fight = table([9, shield], [fighter], ban=["body_block", "dodge"])
        seen[shield] = (hit_hero(fight, fight.heroes[0], 20, "melee", None), fight.heroes[0].counts.damage_taken)
    assert seen == {1: ((17, True, False), 19), 7: ((11, True, False), 11), 13: ((5, True, True), 5)}
