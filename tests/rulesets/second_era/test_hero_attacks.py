"""Engages of adventurers: worked examples of their dice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import COMBAT, SHIELD, SHOCK, SNIPE
from sim.rulesets.second_era.rules.hero_attacks import engage
from sim.rulesets.second_era.rules.turns import begin_turn
from sim.rulesets.second_era.state import State
from tests.rulesets.second_era.table import battle, begin, duel, everybody, fits, foe, hero, near


def strike(s: State, form: int, dice: dict[int, int]) -> Any:
    """(lanes,). HP the enemy loses to one engage with these dice."""
    at = everybody(s)
    for code, number in dice.items():
        s.available[0, code] = number
    thrown = {code: np.full(s.size, number, dtype=np.int8) for code, number in dice.items()}
    before = s.hp[1].copy()
    engage(s, 0, form, np.full(s.size, 1), thrown, at)
    return before - s.hp[1]


@pytest.mark.rule("SE-A6", "SE-A8", "SE-D2", "SE-A4")
def test_w4_killing_a_mudcrab() -> None:
    s = duel({"health": 2, "defense": 1})

    strike(s, data.LIGHT, {SHIELD: 2, COMBAT: 1})

    assert near(float((s.hp[1] == 0).mean()), 19 / 27)


@pytest.mark.rule("SE-K8")
def test_w5_dodge() -> None:
    s = duel({"skills": ["Dodge"]})

    lost = strike(s, data.LIGHT, {SHIELD: 2, COMBAT: 1})

    assert fits(lost, {0: 2 / 27, 1: 2 / 9, 2: 1 / 9, 3: 67 / 216, 4: 2 / 9, 5: 1 / 18, 6: 1 / 216})


@pytest.mark.rule("SE-D2", "SE-T3")
@pytest.mark.parametrize(("defense", "mean"), [(1, 643 / 216), (2, 97 / 36)])
def test_w6_snipe_ignores_defense(defense: int, mean: float) -> None:
    s = duel({"defense": defense}, kind="archer")

    lost = strike(s, data.RANGED, {SNIPE: 2, COMBAT: 1})

    assert abs(lost.mean() - mean) <= 4 * lost.std() / np.sqrt(s.size)
    if defense == 1:
        assert near(float((lost == 0).mean()), 5 / 216)


@pytest.mark.rule("SE-D7")
def test_w7_force_shock_hurts_an_adventurer_on_4x() -> None:
    s = duel(kind="mage", hp=5)

    lost = strike(s, data.MAGIC, {SHOCK: 2})

    assert fits(lost, {0: 1 / 9, 2: 1 / 3, 4: 13 / 36, 6: 1 / 6, 8: 1 / 36})
    assert near(float((s.hp[0] < 5).mean()), 11 / 36)


@pytest.mark.rule("SE-A16", "SE-A7", "SE-A9")
def test_without_a_target_only_shields_find_a_use() -> None:
    s = duel(dice={"shield_discipline": 2, "combat": 1})
    dice = {code: np.full(s.size, number, dtype=np.int8) for code, number in ((SHIELD, 2), (COMBAT, 1))}

    engage(s, 0, data.LIGHT, np.full(s.size, -1), dice, everybody(s))

    active = (s.slot_die[0, :4] == SHIELD).sum(axis=0)
    assert fits(active, {0: 1 / 36, 1: 10 / 36, 2: 25 / 36})
    assert (s.hp[1] == 30).all()
    assert near(float((s.tenacity[0] > 0).mean()), 1 - (5 / 6) ** 3)
    assert (s.length[0] == 3 - active).all()


@pytest.mark.rule("SE-A3")
@pytest.mark.parametrize(("difficulty", "light"), [("adept", 1), ("expert", 2)])
def test_a_second_engage_tires(difficulty: str, light: int) -> None:
    s = begin(battle([hero((0, 0))], [foe((1, 0))], switches={"difficulty": difficulty}), 1)
    begin_turn(s, 0, everybody(s))

    for _ in range(2):
        engage(s, 0, data.LIGHT, np.array([-1]), {COMBAT: np.zeros(1, dtype=np.int8)}, everybody(s))

    assert s.light[0, 0] == light
