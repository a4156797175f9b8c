"""Abilities: the worked examples, shown by the scalar referee."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.oracle.p52 import actions
from tests.oracle.p52.attacks import hero_attack
from tests.oracle.p52.build import HeroSheet, build_hero
from tests.oracle.p52.harm import hurt_enemy, settle
from tests.oracle.p52.play import start_flip
from tests.oracle.p52.policies import strike, support_hits
from tests.oracle.p52.prepare import all_switches
from tests.oracle.p52_table import CARDS, ability, foe, table


def standard(role: str, level: int, **switches: Any) -> HeroSheet:
    return build_hero({"class": role, "level": level}, {}, all_switches({"switches": switches}), "hero")


@pytest.mark.rule("P52-W22", "P52-C5", "P52-C6")
def test_fire_ball_spreads() -> None:
    def burnt(flips: list[int]) -> list[int]:
        enemies = [foe("K hearts", 2, magic_defence=0), foe("K hearts", 2, magic_defence=0), foe("K hearts", 3)]
        wizard = {"class": "wizard", "abilities": {"fire_ball": 1}, "gear": []}
        fight = table(flips, [wizard], enemies, "S....", level=10)
        hero = fight.heroes[0]
        hero_attack(fight, hero, ability(hero, "fire_ball"), fight.enemies[0], stamina=False)
        return [enemy.counts.damage_taken for enemy in fight.enemies]

    assert burnt([12, 1, 1, 1]) == [4, 2, 1]
    assert burnt([13, 1, 1, 1]) == [10, 5, 2]
    assert burnt([13, 13, 1, 1]) == [2, 5, 2]


@pytest.mark.rule("P52-W23")
def test_power_thrust_strikes_all_on_the_spot() -> None:
    enemies = [foe("K hearts", max_hp=500), foe("K hearts", max_hp=500)]
    fight = table([9, 1, 1], [{"class": "fighter", "level": 7}], enemies, level=7)
    hero = fight.heroes[0]
    hero_attack(fight, hero, ability(hero, "power_thrust"), fight.enemies[0], stamina=False)
    assert [enemy.counts.damage_taken for enemy in fight.enemies] == [13, 13]


@pytest.mark.rule("P52-W24", "P52-I35")
@pytest.mark.parametrize(("flips", "taken", "suffered"), [([12, 1, 1, 1], 2, 0), ([1, 5], 0, 5)])
def test_charge_runs_into_all_of_them(flips: list[int], taken: int, suffered: int) -> None:
    enemies = [foe("K hearts", 2, max_hp=100) for _ in range(3)]
    fight = table(flips, [{"class": "fighter", "abilities": {"charge": 1}}], enemies, "S..")
    hero = fight.heroes[0]
    charge = hero.kit.charge
    assert charge is not None
    assert actions.charge_to(fight, hero, fight.enemies[0])
    hero_attack(fight, hero, charge, fight.enemies[0], stamina=False)
    assert [enemy.counts.damage_taken for enemy in fight.enemies] == [taken] * 3
    assert hero.counts.damage_taken == suffered
    assert hero.spot == fight.enemies[0].spot


@pytest.mark.rule("P52-W25", "P52-I36")
@pytest.mark.parametrize(("hp", "attacks", "left"), [(10, 2, -1), (11, 1, 6)])
def test_double_tap_follows_only_on_a_weak_enemy(hp: int, attacks: int, left: int) -> None:
    hero = {"class": "fighter", "abilities": {"sword": 1, "double_tap": 1}, "gear": ["light_sword"]}
    enemy = foe("K hearts", max_hp=24, hp=hp, melee_defence=0)
    fight = table([9, 1, 11, 1, 5], [hero], [enemy])
    strike(fight, fight.heroes[0], ability(fight.heroes[0], "sword"), fight.enemies[0])
    assert fight.heroes[0].counts.attacks == attacks
    assert fight.enemies[0].hp == left  # 5 damage first, then 6 by the Double Tap


@pytest.mark.rule("P52-W26", "P52-H8")
def test_heal_and_healing_glow() -> None:
    def healed(flip: int, spell: str, gear: list[str]) -> list[int]:
        cleric = {"class": "cleric", "hp": 1, "abilities": {"heal": 1, "healing_glow": 1}, "gear": gear}
        fight = table([flip], [cleric, {"class": "fighter", "hp": 1}])
        if spell == "heal":
            actions.heal(fight, fight.heroes[0], fight.heroes[0])
        else:
            actions.healing_glow(fight, fight.heroes[0])
        return [hero.hp - 1 for hero in fight.heroes]

    assert healed(9, "heal", []) == [5, 0]
    assert healed(9, "heal", ["magic_wand"]) == [6, 0]
    assert healed(10, "healing_glow", []) == [2, 2]


@pytest.mark.rule("P52-W27")
def test_threaten_works_as_often_as_written() -> None:
    fight = table(heroes=[{"class": "captain"}])
    target = fight.heroes[0].kit.support_target("threaten", 0, 1)
    pairs = sum(a + b >= target for a, b in product(CARDS, CARDS))
    values = [card % 13 + 1 for card in range(52)]
    two_cards = sum(values[a] + values[b] >= target for a, b in product(range(52), range(52)) if a != b)
    assert target == 10
    assert support_hits(fight, target) == 4
    assert Fraction(pairs, 169) == Fraction(133, 169)
    assert Fraction(two_cards, 52 * 51) == Fraction(523, 663)


@pytest.mark.rule("P52-W28", "P52-I39")
def test_a_tidal_wave_against_the_wall_hurts_more() -> None:
    wizard = {"class": "wizard", "level": 3, "abilities": {"tidal_wave": 1}, "gear": []}
    fight = table([8, 1], [wizard], [foe("K hearts", max_hp=100, magic_defence=0)])
    hero = fight.heroes[0]
    dealt = hero_attack(fight, hero, ability(hero, "tidal_wave"), fight.enemies[0], stamina=False)
    assert dealt == 2 + 6


@pytest.mark.rule("P52-W29", "P52-E17")
def test_calico_comes_back_on_low_cards() -> None:
    ends = []
    for value in CARDS:
        fight = table([value], enemies=[foe("calico", max_hp=80)], board="S....")
        enemy = fight.enemies[0]
        hurt_enemy(fight, enemy, 80, fight.heroes[0], "sword")
        settle(fight, enemy, fight.heroes[0])
        ends.append("gone" if enemy.gone else enemy.hp)
    assert ends == [20] + [10] * 4 + ["gone"] * 8


@pytest.mark.rule("P52-W30", "P52-D2", "P52-D3", "P52-D4")
def test_the_standard_fighter_of_level_seven() -> None:
    hero = standard("fighter", 7)
    assert [hero.lift, hero.think, hero.balance, hero.move, hero.lead] == [15, 10, 3, 5, 4]
    assert (hero.max_hp, hero.movement, hero.initiative, hero.armour, hero.left_over) == (153, 2, 13, 4, 27)
    assert hero.abilities == {
        "sword": 4, "body_block": 4, "power_thrust": 3, "parry": 1, "shield_block": 1, "charge": 1,
    }  # fmt: skip


@pytest.mark.rule("P52-W31", "P52-S5", "P52-S6")
def test_order_of_play_and_the_free_pass_of_an_ace() -> None:
    heroes = [{"class": "fighter"}, {"class": "rogue"}, {"class": "captain"}]
    trace: list[str] = []
    fight = table([1, *[2] * 40], heroes, [foe("J clubs"), foe("K clubs")])
    assert [unit.sheet.name for unit in fight.order] == ["captain", "K clubs", "J clubs", "fighter", "rogue"]
    fight.trace = trace
    start_flip(fight)
    assert [line.split()[1:3] for line in trace if " on " in line] == [["enemy", "1"], ["enemy", "0"]]
