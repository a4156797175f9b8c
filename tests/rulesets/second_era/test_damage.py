"""Damage, prevention, defeat and healing; skills that prevent."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.data import SHIELD
from sim.rulesets.second_era.rules.damage import Cure, guard, heal
from sim.rulesets.second_era.rules.turns import begin_turn
from tests.rulesets.second_era.table import battle, begin, duel, everybody, foe, hero, hit, lone, words


@pytest.mark.rule("SE-A17", "SE-D6")
@pytest.mark.parametrize(
    ("active", "damage", "bonus", "lost"),
    [((1, 2), 3, 0, 0), ((2, 2), 3, 0, 0), ((2,), 1, 0, 0), ((1, 1), 4, 1, 1)],
)
def test_w8_guard(active: tuple[int, ...], damage: int, bonus: int, lost: int) -> None:
    s = duel(runs=1, bonus_hp=bonus)
    for slot, x in enumerate(active):
        s.slot_die[0, slot], s.slot_x[0, slot] = SHIELD, x

    hit(s, 1, 0, damage, data.ENGAGE)

    assert s.hp[0, 0] == 5 - lost
    assert (s.slot_die[0, :4] == -1).all()
    assert words(s) == ["shield_discipline"] * len(active)


@pytest.mark.rule("SE-A17")
def test_guard_takes_the_largest_that_fits() -> None:
    s = duel(runs=1)
    s.slot_die[0, :2, 0], s.slot_x[0, :2, 0] = SHIELD, (1, 2)

    left = guard(s, np.array([0]), np.array([2], dtype=np.int16), everybody(s))

    assert left[0] == 0
    assert s.slot_x[0, 0, 0] == 1


@pytest.mark.rule("SE-D3", "SE-D7")
def test_w9_true_damage_goes_past_dice_and_bonus_hp() -> None:
    s = duel(runs=1, bonus_hp=1)
    s.slot_die[0, 0], s.slot_x[0, 0] = SHIELD, 2

    hit(s, 1, 0, 2, data.ENGAGE, true=True)

    assert (s.hp[0, 0], s.bonus[0, 0], s.slot_die[0, 0, 0]) == (3, 1, SHIELD)


@pytest.mark.rule("SE-D4", "SE-K9", "SE-D8", "SE-D1")
def test_w10_divert_and_exact_zero() -> None:
    giant = duel({"health": 3, "defense": 1, "skills": ["Divert"]}, 1)
    ogre = duel({"health": 3, "defense": 1}, 1)

    hit(giant, 0, 1, 5, data.LIGHT)
    assert giant.hp[1, 0] == 1
    hit(giant, 0, 1, 2, data.LIGHT)
    hit(ogre, 0, 1, 4, data.LIGHT)

    assert giant.hp[1, 0] == ogre.hp[1, 0] == 0
    assert giant.cell[1, 0] == -1


@pytest.mark.rule("SE-K12", "SE-D5")
@pytest.mark.parametrize(("trigger", "amount", "spent"), [("dealt", 2, 1), ("dealt", 1, 1), ("taken", 1, 0)])
def test_w11_riposte(trigger: str, amount: int, spent: int) -> None:
    enemy = foe((1, 0), health=5, defense=1, skills=["Riposte 1"])
    s = begin(battle([hero((0, 0))], [enemy], switches={"riposte_trigger": trigger}), 1)
    begin_turn(s, 0, everybody(s))
    s.slot_die[0, :2], s.slot_x[0, :2] = SHIELD, 1

    hit(s, 0, 1, amount, data.LIGHT)

    assert s.hp[0, 0] == 5
    assert (s.slot_die[0, :4] == SHIELD).sum() == 2 - spent


@pytest.mark.rule("SE-D10", "SE-D9")
def test_healing_stops_at_health_and_does_not_reach_the_defeated() -> None:
    s = duel(runs=1)
    s.slot_die[0, 0], s.slot_x[0, 0] = SHIELD, 1

    hit(s, 1, 0, 3, data.ENGAGE, true=True)
    assert heal(s, 0, 0, 9, everybody(s), Cure("rest", "SE-D10"))[0] == 3
    hit(s, 1, 0, 9, data.ENGAGE, true=True)

    assert heal(s, 0, 0, 9, everybody(s), Cure("rest", "SE-D10"))[0] == 0
    assert (s.slot_die[0, :4] == -1).all()
    assert s.length[0, 0] == 0


@pytest.mark.rule("SE-K10")
def test_stalwart_loses_one_hit_point_per_turn() -> None:
    s = lone({"health": 9, "skills": ["Stalwart"]})
    begin_turn(s, 0, everybody(s))

    hit(s, 0, 1, 5, data.LIGHT)
    hit(s, 0, 1, 5, data.LIGHT, true=True)

    assert (s.hp[1] == 8).all()


@pytest.mark.rule("SE-K11")
@pytest.mark.parametrize(("spot", "lost"), [((0, 0), 3), ((-2, 0), 0)])
def test_elusive_ignores_who_came_from_afar(spot: tuple[int, int], lost: int) -> None:
    s = lone({"health": 9, "skills": ["Elusive"]}, hero(spot, 9))
    begin_turn(s, 0, everybody(s))

    hit(s, 0, 1, 3, data.LIGHT)

    assert (s.hp[1] == 9 - lost).all()


@pytest.mark.rule("SE-K13")
@pytest.mark.parametrize(("form", "lost"), [("light", 1), ("magic", 3)])
def test_ethereal_prevents_party_size_outside_magic_form(form: str, lost: int) -> None:
    s = lone({"health": 9, "skills": ["Ethereal"]}, hero((0, 0), form=form), hero((0, 1)))

    hit(s, 0, 2, 3, data.LIGHT)

    assert (s.hp[2] == 9 - lost).all()


@pytest.mark.rule("SE-K14")
@pytest.mark.parametrize(("spot", "lost"), [((0, 0), 3), ((-1, 0), 2)])
def test_iron_bark_hardens_against_who_is_not_adjacent(spot: tuple[int, int], lost: int) -> None:
    s = lone({"health": 9, "skills": ["Iron Bark"]}, hero(spot))

    hit(s, 0, 1, 3, data.LIGHT)

    assert (s.hp[1] == 9 - lost).all()
