"""Engages of adventurers: what their dice do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import pytest

from tests.oracle.second_era import data as tables
from tests.oracle.second_era import prepare
from tests.oracle.second_era.engage import engage
from tests.oracle.second_era.examples import (
    ARCHER,
    FOE,
    KNIGHT,
    MAGE,
    MISS,
    ONE,
    TWO,
    Entry,
    Faces,
    OneBranch,
    battle_of,
    enemy,
    engage_once,
    engaging,
    every_outcome,
    mean,
    scenario,
)
from tests.oracle.second_era.state import Battle


def damage_chances(
    hero: Entry, form: str, types: Sequence[str], target: Entry, distance: int = 1
) -> dict[int, Fraction]:
    """The chances of the hit points that one engage takes from a target."""
    ready = prepare(scenario([{**hero, "hex": [0, 0]}], [{**target, "hex": [distance, 0]}]))

    def once(luck: OneBranch) -> int:
        battle = Battle(ready, luck)
        engage_once(battle, battle.heroes[0], form, battle.enemies[0], types)
        return battle.enemies[0].taken

    return every_outcome(once)


LIGHT_DICE = tables.OFFENSIVE["light"]


@pytest.mark.rule("SE-D2", "SE-A8")
def test_w4_a_knight_kills_a_mudcrab() -> None:
    chances = damage_chances(KNIGHT, "light", LIGHT_DICE, {"type": "mudcrab"})

    assert chances[2] == Fraction(19, 27)


@pytest.mark.rule("SE-K8")
def test_w5_dodge_takes_one_for_every_tenacity_face() -> None:
    bandit = {"type": "high_elf_bandit", "health": 9}

    chances = damage_chances(KNIGHT, "light", LIGHT_DICE, bandit)

    assert chances == {
        0: Fraction(2, 27), 1: Fraction(2, 9), 2: Fraction(1, 9), 3: Fraction(67, 216),
        4: Fraction(2, 9), 5: Fraction(1, 18), 6: Fraction(1, 216),
    }  # fmt: skip
    assert sum(chance for damage, chance in chances.items() if damage >= 2) == Fraction(19, 27)
    luck = Faces(SE_A6=[ONE, ONE, MISS])
    battle = battle_of([{**KNIGHT, "hex": [0, 0]}], [enemy("high_elf_bandit", 1, 0)], luck=luck)
    engage_once(battle, battle.heroes[0], "light", battle.enemies[0], LIGHT_DICE)
    assert battle.enemies[0].taken == 1


def test_w6_snipe_ignores_defense_only_when_it_hits() -> None:
    one = damage_chances(ARCHER, "ranged", tables.OFFENSIVE["ranged"], {"type": "ogre", "defense": 1}, 2)
    two = damage_chances(ARCHER, "ranged", tables.OFFENSIVE["ranged"], {"type": "ogre", "defense": 2}, 2)

    assert (mean(one), one[0]) == (Fraction(643, 216), Fraction(5, 216))
    assert mean(two) == Fraction(97, 36)


def test_w7_force_shock_hurts_an_adventurer_on_4x() -> None:
    ready = prepare(scenario([{**MAGE, "hex": [0, 0]}], [enemy("troll", 1, 0, health=20)]))

    def once(luck: OneBranch) -> tuple[int, bool]:
        battle = Battle(ready, luck)
        engage_once(battle, battle.heroes[0], "magic", battle.enemies[0], ("force_shock",))
        return battle.enemies[0].taken, battle.heroes[0].taken > 0

    chances = every_outcome(once)
    damage: dict[int, Fraction] = defaultdict(Fraction)
    for (taken, _), chance in chances.items():
        damage[taken] += chance
    assert damage == {0: Fraction(1, 9), 2: Fraction(1, 3), 4: Fraction(13, 36), 6: Fraction(1, 6), 8: Fraction(1, 36)}
    assert sum(chance for (_, hurt), chance in chances.items() if hurt) == Fraction(11, 36)


@pytest.mark.rule("SE-A4", "SE-A5", "SE-A16")
def test_shield_discipline_enters_a_slot_with_or_without_a_target() -> None:
    with_target = engaging(KNIGHT, "light", LIGHT_DICE, [TWO, ONE, ONE], FOE)
    alone = engaging(KNIGHT, "light", LIGHT_DICE, [TWO, ONE, ONE])

    assert with_target.enemies[0].taken == 4
    assert alone.enemies[0].taken == 0
    for battle in (with_target, alone):
        assert battle.heroes[0].active == [("shield_discipline", 2), ("shield_discipline", 1)]
        assert battle.heroes[0].track == ["combat"]


@pytest.mark.rule("SE-A6", "SE-A9")
@pytest.mark.parametrize(("number", "taken", "active"), [(3, 2 + 4, 2), (5, 2 + 6, 0)])
def test_heroic_slash_counts_the_shields_of_its_own_roll(number: int, taken: int, active: int) -> None:
    hero = {**KNIGHT, "dice": {"heroic_slash": 1, "shield_discipline": 2}}

    battle = engaging(hero, "light", LIGHT_DICE, [number, ONE, ONE], FOE)

    assert battle.enemies[0].taken == taken
    assert len(battle.heroes[0].active) == active
    assert battle.heroes[0].track == ["shield_discipline"] * (2 - active) + ["heroic_slash"]


def test_wrecking_blow_tires_and_onslaught_costs_bane_or_the_die() -> None:
    hero = {"class": "berserker", "dice": {"wrecking_blow": 1, "onslaught": 2}, "stamina": 3}

    battle = engaging(hero, "heavy", tables.OFFENSIVE["heavy"], [3, 5, 4], FOE)
    berserker = battle.heroes[0]

    assert battle.enemies[0].taken == 4 + 5 + 3
    assert berserker.track == ["wrecking_blow", "onslaught", "L", "L", "Bane"]
    assert (berserker.drained, berserker.light) == (1, 2)


def test_prayers_heal_and_purge_waits_in_a_slot() -> None:
    hero = {"class": "healer", "health": 9, "hp": 1, "dice": {"hasty_prayer": 1, "breath_of_life": 1, "purge": 1}}

    battle = engaging(hero, "magic", tables.PRAYERS, [3, 4, 2])

    assert battle.heroes[0].hp == 1 + 2 + 4
    assert battle.heroes[0].active == [("purge", 0)]


@pytest.mark.rule("SE-F6", "SE-A9")
def test_shadow_cloak_hides_and_later_cuts_through_defense() -> None:
    hero = {"class": "nightblade", "dice": {"shadow_cloak": 2, "combat": 1}}
    battle = engaging(hero, "light", ("shadow_cloak",), [3, 5, TWO])
    blade, foe = battle.heroes[0], battle.enemies[0]
    foe.defense = 3
    assert (blade.active, blade.has("Stealth")) == ([("shadow_cloak", 1), ("shadow_cloak", 2)], True)

    engage(battle, blade, "light", foe, ["combat"])

    assert foe.taken == 2
    assert not blade.has("Stealth")
    assert blade.track == ["L", "shadow_cloak", "shadow_cloak", "combat"]


@pytest.mark.rule("SE-A3")
@pytest.mark.parametrize(("difficulty", "light"), [("apprentice", 1), ("adept", 1), ("expert", 2)])
def test_a_second_engage_tires(difficulty: str, light: int) -> None:
    battle = engaging(KNIGHT, "light", ("combat",), [ONE, ONE, ONE], FOE, switches={"difficulty": difficulty})

    engage(battle, battle.heroes[0], "light", battle.enemies[0], ["shield_discipline"])

    assert battle.heroes[0].track == ["combat"] + ["L"] * light


@pytest.mark.rule("SE-A7")
def test_tenacity_stops_at_ten() -> None:
    battle = engaging({**KNIGHT, "tenacity": 9}, "light", LIGHT_DICE, [MISS, MISS, MISS], FOE)

    assert (battle.heroes[0].tenacity, battle.heroes[0].tenacity_gained) == (10, 1)


@pytest.mark.rule("SE-F4", "SE-F5")
def test_fear_leaves_only_combat_dice_and_maim_halves_them() -> None:
    afraid = engaging({**KNIGHT, "track": ["Fear"]}, "light", LIGHT_DICE, [TWO], FOE)
    maimed = engaging({**KNIGHT, "dice": {"combat": 3}, "track": ["Maim"]}, "light", LIGHT_DICE, [TWO, ONE, TWO], FOE)

    assert (afraid.enemies[0].taken, len(afraid.heroes[0].active)) == (2, 0)
    assert maimed.enemies[0].taken == 2


@pytest.mark.rule("SE-A15")
def test_of_four_full_slots_the_lowest_leaves() -> None:
    hero = {**KNIGHT, "dice": {"combat": 5}, "stamina": 5}

    battle = engaging(hero, "defensive", ("combat",), [TWO, ONE, TWO, ONE, TWO])

    assert battle.heroes[0].active == [("combat", 2), ("combat", 2), ("combat", 1), ("combat", 2)]
    assert battle.heroes[0].track == ["combat"]


@pytest.mark.rule("SE-D2")
def test_per_die_meets_defense_with_every_die_and_shares_one_stock_of_dodge() -> None:
    switches = {"damage_pooling": "per_die"}
    hard = {"type": "troll", "health": 20, "defense": 1}
    quick = {"type": "troll", "health": 20, "skills": ["Dodge"]}

    against_defense = engaging(KNIGHT, "light", LIGHT_DICE, [TWO, ONE, TWO], hard, switches=switches)
    against_dodge = engaging(KNIGHT, "light", LIGHT_DICE, [TWO, MISS, TWO], quick, switches=switches)

    assert against_defense.enemies[0].taken == 1 + 0 + 1
    assert against_dodge.enemies[0].taken == 1 + 2
