"""Attacks and abilities of heroes: the worked examples of section 13."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sim.rulesets.p52.attack_tables import HeroAttack
from sim.rulesets.p52.player import take_turn
from sim.rulesets.p52.rules import items, support
from sim.rulesets.p52.rules.counters import attack
from sim.rulesets.p52.rules.enemy_turns import burn
from sim.rulesets.p52.rules.hero_turns import hero_turn, take_aim, take_stance
from sim.rulesets.p52.rules.special_attacks import charge, double_tap
from sim.rulesets.p52.state import State
from tests.rulesets.p52.fights import ONE, begin, flips, foe, hero, hold, stack, told

NOBODY = np.array([0])


def way_of(s: State, name: str, number: int = 0) -> HeroAttack:
    kit = s.facts.kits[number]
    return next(way for way in (*kit.attacks, *((kit.tap,) if kit.tap else ())) if way.name == name)


def duel(abilities: dict[str, int], enemy: dict[str, Any] | None = None, **more: Any) -> State:
    role = more.pop("role", "fighter")
    level = more.pop("level", 1)
    extra = more.pop("hero", {})
    _, s = begin(
        [hero(role, level, abilities=abilities, **extra)],
        [enemy or foe("J clubs", max_hp=500)],
        stamina_start=0,
        **more,
    )
    return s


def strike(s: State, name: str, *values: int) -> int:
    """Hit points that the first enemy loses when the cards fall like this."""
    stack(s, *values)
    before = int(s.foe_hp[0, 0])
    attack(s, 0, way_of(s, name), NOBODY, ONE, None)
    return before - int(s.foe_hp[0, 0])


@pytest.mark.rule("P52-C1", "P52-C3", "P52-C4", "P52-C5")
@pytest.mark.parametrize(
    ("modifier", "none", "half", "full", "total"), [(-1, 28, 7, 56, 694), (0, 21, 7, 63, 769), (1, 15, 6, 70, 838)]
)
def test_w7_w8_a_sword_against_all_pairs_of_flips(modifier: int, none: int, half: int, full: int, total: int) -> None:
    grades = {"whole": 0, "half": 0, "none": 0}
    damage = 0
    for value in range(2, 14):
        for answer in range(1, 14):
            s = duel({"sword": 2}, foe("J clubs", max_hp=500, melee_defence=modifier))
            damage += strike(s, "sword", value, answer)
            for grade in grades:
                grades[grade] += len(told(s, "hits", defended=grade))

    assert list(grades.values()) == [none, half, full]
    assert damage == total
    assert int(way_of(s, "sword").worth[0, 0, 0, 0, 0]) == total  # P52-Y1: the same by the table


def test_w9_the_same_attack_with_a_ten() -> None:
    lost = [strike(duel({"sword": 2}), "sword", 10, answer) for answer in range(1, 14)]

    assert lost == [9] * 8 + [4] + [0] * 4


def test_w10_stamina_4_and_a_six() -> None:
    found = []
    for answer in range(1, 14):
        s = duel({"sword": 2}, foe("J clubs", max_hp=500, melee_defence=0))
        hold(s, 0, 4)
        stack(s, 6, answer)
        attack(s, 0, way_of(s, "sword"), NOBODY, ONE, np.array([True]))
        found.append(500 - int(s.foe_hp[0, 0]))

    assert found == [9] * 9 + [4] + [0] * 3


@pytest.mark.rule("P52-C6")
def test_w22_fire_ball_and_its_splash() -> None:
    def burnt(*values: int) -> list[int]:
        _, s = begin(
            [hero("wizard", 1, at=(0, 0), abilities={"fire_ball": 1})],
            [foe("J clubs", 2, 0, max_hp=99), foe("J clubs", 2, 0, max_hp=99), foe("J clubs", 3, 0, max_hp=99)],
            board="....", stamina_start=0,
        )  # fmt: skip
        stack(s, *values)
        attack(s, 0, way_of(s, "fire_ball"), NOBODY, ONE, None)
        return [99 - int(hp) for hp in s.foe_hp[:, 0]]

    assert burnt(12, 1, 1, 1) == [4, 2, 1]
    assert burnt(13, 1, 1, 1)[0] == 10
    assert burnt(13, 1, 1, 1)[1:] == [5, 2]
    assert burnt(13, 13, 13, 13) == [10, 5, 2]  # with D +1 against magic a King of the enemies is still below 14
    s = duel({"fire_ball": 1}, foe("J clubs", max_hp=99, magic_defence=0), role="wizard")
    assert strike(s, "fire_ball", 13, 13, 1) == (2 + 5) // 2  # a tie halves the undoubled damage


def test_a_friend_in_the_fire_defends_as_against_magic() -> None:
    _, s = begin(
        [hero("wizard", 1, at=(1, 0), abilities={"fire_ball": 1}), hero("fighter", 1, at=(0, 0))],
        [foe("J clubs", 0, 0, max_hp=99)], board="S..", stamina_start=0,
    )  # fmt: skip
    stack(s, 12, 1, 1)

    attack(s, 0, way_of(s, "fire_ball"), NOBODY, ONE, None)

    assert int(s.tally["friendly_damage"][0]) == (2 + 12 - 9) // 2
    assert int(s.earned[0, 0]) == -3  # P52-X2


def test_w23_power_thrust() -> None:
    _, s = begin([hero("fighter", 7)], [foe("J clubs", max_hp=99), foe("J clubs", max_hp=99)], stamina_start=0)
    stack(s, 9, 1, 1)

    attack(s, 0, way_of(s, "power_thrust"), NOBODY, ONE, None)

    assert (99 - s.foe_hp[:, 0]).tolist() == [13, 13]


@pytest.mark.rule("P52-I35")
def test_w24_charge() -> None:
    def charged(*values: int) -> State:
        _, s = begin(
            [hero("fighter", 7, at=(0, 0))], [foe("J clubs", 2, 0, max_hp=99)] * 3, board="...", stamina_start=0
        )
        stack(s, *values)
        charge(s, 0, way_of(s, "charge"), NOBODY, ONE, lambda way, enemy, at: None)
        return s

    s = charged(12, 1, 1, 1)
    assert (99 - s.foe_hp[:, 0]).tolist() == [2, 2, 2]
    assert int(s.spot[0, 0]) == 2
    s = charged(1, 5)
    assert int(s.hp[0, 0]) == 153 - 5
    assert int(s.spot[0, 0]) == 2


@pytest.mark.rule("P52-I36", "P52-H1")
@pytest.mark.parametrize(("left", "taps"), [(5, 1), (6, 0)])
def test_w25_double_tap(left: int, taps: int) -> None:
    s = duel({"sword": 1, "double_tap": 1}, foe("J clubs", max_hp=24, hp=left), level=5)
    stack(s, 11, 1)

    double_tap(s, 0, way_of(s, "sword"), NOBODY, np.array([3]), ONE, lambda way, enemy, at: None)

    assert len(told(s, "hits", weapon="a double tap")) == taps
    assert left - int(s.foe_hp[0, 0]) == 6 * taps


@pytest.mark.rule("P52-H8", "P52-C23")
@pytest.mark.parametrize(("gear", "healed"), [([], 5), (["magic_wand"], 6)])
def test_w26_heal(gear: list[str], healed: int) -> None:
    s = duel({"heal": 1}, role="cleric", hero={"gear": gear, "hp": 3})
    stack(s, 9)

    support.heal(s, 0, NOBODY, ONE)

    assert int(s.hp[0, 0]) == 3 + healed


def test_w26_healing_glow_helps_the_living_only() -> None:
    _, s = begin(
        [hero("cleric", 1, abilities={"healing_glow": 1}, hp=4), hero("fighter", hp=0), hero("rogue", hp=5)],
        [foe("J clubs")], stamina_start=0,
    )  # fmt: skip
    s.hp[2] = -1
    stack(s, 10)

    support.glow(s, 0, ONE)

    assert s.hp[:, 0].tolist() == [6, 2, -1]


@pytest.mark.rule("P52-E20")
def test_w27_threaten() -> None:
    won = 0
    for value in range(1, 14):
        s = duel({"threaten": 1}, role="captain")
        stack(s, value)
        support.threaten(s, 0, np.array([0]), ONE, None)
        won += int(s.tally["routed"][0])
        assert int(s.tally["drops"][0]) == 0
    assert won == 4
    amount = s.facts.kits[0].support["threaten"].amount[1]
    pairs = [(card, flip) for card in range(1, 14) for flip in range(1, 14)]
    assert Fraction(sum(amount[card + flip] != -1 for card, flip in pairs), 169) == Fraction(133, 169)

    _, s = begin([hero("captain", 5)], [foe("apprentice")], stamina_start=0)
    assert not support.routable(s, ONE).any()


@pytest.mark.rule("P52-I39", "P52-C26")
def test_w28_tidal_wave_without_a_spot_to_go_to() -> None:
    s = duel({"tidal_wave": 1}, role="cleric", level=3, hero={"gear": []})
    lost = strike(s, "tidal_wave", 12, 1)

    assert lost == (2 + 12 - 8) + 6

    _, s = begin(
        [hero("cleric", 3, abilities={"tidal_wave": 1})], [foe("J clubs", max_hp=99)], board="S.", stamina_start=0
    )
    strike(s, "tidal_wave", 12, 1)
    assert int(s.foe_spot[0, 0]) == 1


@pytest.mark.rule("P52-C24")
def test_ice_storm_freezes_who_does_not_fully_defend() -> None:
    _, s = begin(
        [hero("wizard", 1, at=(0, 0))],
        [foe("J clubs", 1, 0, max_hp=99), foe("J clubs", 2, 0, max_hp=99)], board="....", stamina_start=0,
    )  # fmt: skip
    stack(s, 12, 1, 1)

    attack(s, 0, way_of(s, "ice_storm"), NOBODY, ONE, None)

    assert s.frozen[:, 0].tolist() == [2, 2]
    assert int(s.foe_hp[1, 0]) == 99


@pytest.mark.rule("P52-C7", "P52-X2")
@pytest.mark.parametrize(("flip", "drops"), [(10, 0), (11, 1)])
def test_a_defeated_enemy_may_drop_an_item(flip: int, drops: int) -> None:
    s = duel({"sword": 2}, foe("J clubs", hp=1))

    strike(s, "sword", 10, 1, flip)

    assert int(s.gone[0, 0]) == 1
    assert int(s.tally["drops"][0]) == drops
    assert int(s.earned[0, 0]) == 3
    assert int(s.ledger.kills[0, 0]) == 1


@pytest.mark.rule("P52-C8")
@pytest.mark.parametrize(("depth", "attacks"), [(0, 0), (1, 1), (3, 2)])
def test_counter_attacks_follow_one_another_up_to_a_depth(depth: int, attacks: int) -> None:
    s = duel({"sword": 2}, counter_depth=depth)

    strike(s, "sword", 1, 1, 1, 1, 5)

    assert flips(s, "enemy_attacks") == attacks
    assert flips(s, "attacks") == 1 + depth // 2


@pytest.mark.rule("P52-E5")
def test_enemies_remember_who_attacked_them_last_even_if_it_missed() -> None:
    s = duel({"sword": 2})

    strike(s, "sword", 2)

    assert int(s.last[0, 0]) == 0


@pytest.mark.rule("P52-H4", "P52-H5", "P52-H6")
def test_aim_grows_to_three_and_goes_with_the_attack() -> None:
    s = duel({"sword": 2})
    take_stance(s, 0, ONE)
    for bonus in (1, 2, 3, 3):
        take_aim(s, 0, NOBODY, ONE)
        assert (int(s.aim[0, 0]), int(s.stance[0, 0])) == (bonus, 0)

    strike(s, "sword", 4, 13)

    (attack_roll, _) = told(s, "hits", "misses")[0].rolls
    assert (attack_roll.faces, attack_roll.purpose) == (("4♥",), "to hit with 3 for aim")
    assert int(s.aim[0, 0]) == 0
    for bonus in (1, 2, 3, 3):
        take_stance(s, 0, ONE)
        assert int(s.stance[0, 0]) == bonus


@pytest.mark.rule("P52-H12")
def test_untrained_weapons_are_weaker_and_a_switch() -> None:
    s = duel({"grapple": 1})
    sword = way_of(s, "sword")

    assert int(sword.base[0, 0, 10]) == 0 // 2 + 2  # target 9 - 1 + 2
    assert int(sword.base[0, 0, 9]) == -1
    off = duel({"grapple": 1}, untrained_attack="off")
    assert [way.name for way in off.facts.kits[0].attacks] == ["grapple"]


@pytest.mark.rule("P52-H7", "P52-I28", "P52-C25")
def test_elixirs_burn_freeze_and_push() -> None:
    stock = {"fire_elixir": 1, "ice_elixir": 1, "water_elixir": 1, "healing_potion": 1}
    _, s = begin(
        [hero("wizard", 5, at=(0, 0), consumables=stock, hp=10), hero("rogue", 5, at=(0, 0), hp=9)],
        [foe("J clubs", 1, 0, max_hp=99)], board="S..", stamina_start=0,
    )  # fmt: skip
    stack(s, 9, 1)
    items.throw(s, 0, "fire_elixir", np.array([1]), ONE)
    assert (int(s.foe_hp[0, 0]), int(s.burn[0, 0])) == (94, 2)

    burn(s, 0, ONE)
    assert (int(s.foe_hp[0, 0]), int(s.burn[0, 0])) == (92, 0)
    items.throw(s, 0, "ice_elixir", np.array([1]), ONE)
    assert int(s.frozen[0, 0]) == 1
    stack(s, 5)
    items.throw(s, 0, "water_elixir", np.array([1]), ONE)
    cores = s.facts.kits[0].facts.cores
    assert int(s.foe_hp[0, 0]) == 92 - cores["Th"] - cores["Mv"]
    assert int(s.foe_spot[0, 0]) == 2
    items.give(s, 0, s.facts.kits[0].items["healing_potion"], 1, ONE)
    assert int(s.hp[1, 0]) == min(45, 9 + 10 * 5)


@pytest.mark.rule("P52-C22")
def test_revive_dragons_blood_and_the_feather_bring_back_the_dead() -> None:
    stock = {"dragons_blood": 1}
    _, s = begin(
        [hero("cleric", 20, consumables=stock), hero("fighter", 2, consumables={"phoenix_feather": 1})],
        [foe("J clubs")], stamina_start=0,
    )  # fmt: skip
    most = s.facts.kits[1].facts.max_hp
    s.hp[1], s.alive[:] = -3, 1
    stack(s, 13)
    support.revive(s, 0, np.array([1]), ONE, None)
    assert int(s.hp[1, 0]) == min(most, most // 4 + 13 - int(s.facts.kits[0].support["revive"].target[1]))
    s.hp[1], s.alive[:] = -3, 1
    items.give(s, 0, s.facts.kits[0].items["dragons_blood"], 1, ONE)
    assert int(s.hp[1, 0]) == 2 * most // 3
    s.hp[1], s.alive[:] = -3, 1
    hero_turn(s, take_turn, 1, ONE)
    assert int(s.hp[1, 0]) == 6
