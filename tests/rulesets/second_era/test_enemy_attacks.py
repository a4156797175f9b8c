"""Engages of enemies: one roll, targets, after-engage skills."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.rules.enemy_attacks import combat_dice, roll
from tests.rulesets.second_era.table import (
    FEW,
    battle,
    begin,
    duel,
    everybody,
    first_enemy,
    fits,
    foe,
    hero,
    lone,
    near,
    places,
    status,
    turn,
    victims,
)


@pytest.mark.rule("SE-E10")
def test_w1_the_enemy_die() -> None:
    s = duel()
    for dice, chances in (
        (1, {0: 1 / 6, 1: 4 / 6, 2: 1 / 6}),
        (2, {0: 1 / 36, 1: 8 / 36, 2: 18 / 36, 3: 8 / 36, 4: 1 / 36}),
        (3, dict(enumerate([1 / 216, 12 / 216, 51 / 216, 88 / 216, 51 / 216, 12 / 216, 1 / 216]))),
    ):
        total, _ = roll(s, first_enemy(s), everybody(s), np.full(s.size, dice))

        assert fits(total, chances)


@pytest.mark.rule("SE-K1")
def test_w2_aggressive_rerolls_a_zero_once() -> None:
    s = duel({"skills": ["Aggressive"]})

    total, misses = roll(s, first_enemy(s), everybody(s), np.ones(s.size, dtype=int))

    assert fits(total, {0: 1 / 36, 1: 28 / 36, 2: 7 / 36})
    assert ((total == 0) == (misses == 1)).all()


@pytest.mark.rule("SE-F5", "SE-T7")
def test_w3_maim_halves_the_sum_and_rounds_down() -> None:
    s = begin(battle([hero((0, 0), 20)], [foe((1, 0), combat=3, statuses=["Maim"])]))

    turn(s)

    assert fits(20 - s.hp[0], {0: 13 / 216, 1: 139 / 216, 2: 63 / 216, 3: 1 / 216})


@pytest.mark.rule("SE-E2", "SE-E9", "SE-M4", "SE-M8")
def test_best_for_party_leaves_nothing_to_luck() -> None:
    heroes = [hero((1, -2), 5), hero((0, 1), 5, bonus_hp=2)]
    s = begin(battle(heroes, [foe((-2, 0), range=3, combat=9)], switches={"party_choice": "best_for_party"}), 64)

    turn(s)

    assert len(places(s, s.party)) == 1
    assert victims(s) == [False, True]  # the one with bonus HP guards best


@pytest.mark.rule("SE-E11", "SE-E12", "SE-E13", "SE-E9", "SE-K3", "SE-K28")
def test_w29_one_roll_for_all_and_bane_for_who_is_left() -> None:
    heroes = [hero((0, 0), 5), hero((0, 1), 2, "mage"), hero((1, -1), 2, "archer")]
    s = begin(battle(heroes, [foe((2, 0), "lich", skills=["Bane", "Ritual 1"], combat=2)]), 4_000)

    turn(s)

    three = s.hp[0] == 2
    assert near(float(three.mean()), 8 / 36, 4_000)
    assert (s.hp[1:3, three] == 0).all()
    assert status(s, 0, data.BANE)[three].all()
    assert not status(s, 1, data.BANE)[three].any()


@pytest.mark.rule("SE-E10", "SE-K3")
def test_w30_combat_0_still_gives_bane() -> None:
    s = lone({"combat": 0, "skills": ["Bane"]})

    turn(s)

    assert (s.hp[0] == 9).all()
    assert status(s, 0, data.BANE).all()


@pytest.mark.rule("SE-K2", "SE-D3")
def test_arcane_damage_is_true_and_maim_does_not_halve_it() -> None:
    s = lone({"combat": 4, "skills": ["Arcane"], "statuses": ["Maim"]}, hero((0, 0), 20, bonus_hp=9))
    plain = lone({"combat": 4}, hero((0, 0), 20, bonus_hp=9))

    turn(s)
    turn(plain)

    assert (s.bonus[0] == 9).all()
    assert ((20 - s.hp[0]) == (9 - plain.bonus[0])).all()  # the same dice, not halved


@pytest.mark.rule("SE-K4", "SE-K6", "SE-K7", "SE-F4", "SE-F7")
def test_after_engage_skills_reach_the_track_in_chip_order() -> None:
    s = lone({"skills": ["Enfeeble 2", "Maim", "Intimidate"]})

    turn(s)

    track = [data.TRACK_WORDS[code] for code in s.track[0, :, 0] if code >= 0]
    assert track == ["L", "L", "Maim", "Fear"]


@pytest.mark.rule("SE-K6")
def test_intimidate_takes_fear_away_again() -> None:
    s = lone({"skills": ["Intimidate"]}, hero((0, 0), 30))

    turn(s)
    assert status(s, 0, data.FEAR).all()
    turn(s)

    assert not status(s, 0, data.FEAR).any()


@pytest.mark.rule("SE-F4")
def test_an_enemy_under_fear_forgets_its_skills() -> None:
    s = lone({"skills": ["Bane", "Recover"], "statuses": ["Fear"], "health": 9, "hp": 5})

    turn(s)

    assert not status(s, 0, data.BANE).any()
    assert (s.hp[s.party] == 5).all()


@pytest.mark.rule("SE-K21")
def test_disrupt_exhausts_the_lowest_active_die() -> None:
    s = lone({"combat": 0, "skills": ["Disrupt"]})
    s.slot_die[0, :2], s.slot_x[0, :2] = data.COMBAT, np.array([[2], [1]])

    turn(s)

    assert (s.slot_x[0, 0] == 2).all()
    assert (s.slot_die[0, 1] == -1).all()


@pytest.mark.rule("SE-K22")
@pytest.mark.parametrize(("spot", "lost"), [((0, 0), 2), ((-1, 0), 0)])
def test_bladed_adds_two_against_an_adjacent_target(spot: tuple[int, int], lost: int) -> None:
    s = lone({"combat": 0, "range": 2, "skills": ["Bladed"]}, hero(spot, 9))

    turn(s)

    assert (s.hp[0] == 9 - lost).all()


@pytest.mark.rule("SE-K23", "SE-K24")
@pytest.mark.parametrize(("skills", "dice"), [(["Vindictive", "Smite"], 8), (["Smite", "Vindictive"], 6)])
def test_vindictive_and_smite_work_in_chip_order(skills: list[str], dice: int) -> None:
    s = lone({"combat": 2, "skills": skills}, hero((0, 0)), hero((-2, 0)))

    number = combat_dice(s, first_enemy(s), everybody(s), [np.zeros(FEW, dtype=int)])

    assert (number == dice).all()


@pytest.mark.rule("SE-F6")
def test_an_enemy_leaves_stealth_when_it_deals_damage() -> None:
    s = lone({"combat": 9, "statuses": ["Stealth"]}, hero((0, 0), 30))

    turn(s)

    assert not status(s, 1, data.STEALTH).any()
