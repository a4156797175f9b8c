"""Worked examples of dice, Guard, track and fatigue: W1 to W15, and the rules of sections 5 and 7."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.second_era import data
from sim.rulesets.second_era.build import pool_levels, pool_points
from sim.rulesets.second_era.rules import track
from sim.rulesets.second_era.rules.damage import deal, guard, heal
from sim.rulesets.second_era.rules.dice import gather
from sim.rulesets.second_era.rules.enemy_turns import roll
from sim.rulesets.second_era.rules.hero_attacks import engage
from sim.rulesets.second_era.rules.hero_moves import may_move, may_roll
from sim.rulesets.second_era.rules.places import begin_turn
from sim.rulesets.second_era.rules.purge import use_purges
from sim.rulesets.second_era.rules.rounds import adventurer_turn, fatigue
from sim.rulesets.second_era.state import ENGAGE, State
from tests.rulesets.second_era.table import RUNS, battle, begin, everybody, first_enemy, fits, foe, hero, near

COMBAT, SHIELD, SNIPE, SHOCK = data.COMBAT, data.SHIELD, data.SNIPE, data.SHOCK


def duel(enemy: dict[str, Any] | None = None, runs: int = RUNS, kind: str = "knight", **more: Any) -> State:
    """One adventurer at (0,0) beside one enemy at (1,0); archers stand two hexes away."""
    spot = (-1, 0) if kind == "archer" else (0, 0)
    s = begin(battle([hero(spot, kind=kind, **more)], [foe((1, 0), **{"health": 30} | (enemy or {}))]), runs)
    begin_turn(s, 0, everybody(s))
    return s


def strike(s: State, form: int, dice: dict[int, int]) -> Any:
    """(lanes,). HP the enemy loses to one engage with these dice."""
    at = everybody(s)
    for code, number in dice.items():
        s.available[code] = number
    thrown = {code: np.full(s.size, number, dtype=np.int8) for code, number in dice.items()}
    before = s.hp[1].copy()
    engage(s, 0, form, np.full(s.size, 1), thrown, at)
    return before - s.hp[1]


def words(s: State, hero_row: int = 0, lane: int = 0) -> list[str]:
    """The track in words."""
    codes = s.track[hero_row * data.TRACK : (hero_row + 1) * data.TRACK, lane]
    return [data.TRACK_WORDS[code] for code in codes if code >= 0]


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
    from tests.rulesets.second_era.table import turn

    s = begin(battle([hero((0, 0), 20)], [foe((1, 0), combat=3, statuses=["Maim"])]))

    turn(s)

    assert fits(20 - s.hp[0], {0: 13 / 216, 1: 139 / 216, 2: 63 / 216, 3: 1 / 216})


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


@pytest.mark.rule("SE-A17", "SE-D6")
@pytest.mark.parametrize(
    ("active", "damage", "bonus", "lost"),
    [((1, 2), 3, 0, 0), ((2, 2), 3, 0, 0), ((2,), 1, 0, 0), ((1, 1), 4, 1, 1)],
)
def test_w8_guard(active: tuple[int, ...], damage: int, bonus: int, lost: int) -> None:
    s = duel(runs=1, bonus_hp=bonus)
    for slot, x in enumerate(active):
        s.slot_die[slot], s.slot_x[slot] = SHIELD, x

    deal(s, 1, 0, damage, everybody(s), ENGAGE)

    assert s.hp[0, 0] == 5 - lost
    assert (s.slot_die[:4] == -1).all()
    assert words(s) == ["shield_discipline"] * len(active)


@pytest.mark.rule("SE-A17")
def test_guard_takes_the_largest_that_fits() -> None:
    s = duel(runs=1)
    s.slot_die[:2, 0], s.slot_x[:2, 0] = SHIELD, (1, 2)

    left = guard(s, np.array([0]), np.array([2], dtype=np.int16), everybody(s))

    assert left[0] == 0
    assert s.slot_x[0, 0] == 1


@pytest.mark.rule("SE-D3", "SE-D7")
def test_w9_true_damage_goes_past_dice_and_bonus_hp() -> None:
    s = duel(runs=1, bonus_hp=1)
    s.slot_die[0], s.slot_x[0] = SHIELD, 2

    deal(s, 1, 0, 2, everybody(s), ENGAGE, true=True)

    assert (s.hp[0, 0], s.bonus[0, 0], s.slot_die[0, 0]) == (3, 1, SHIELD)


@pytest.mark.rule("SE-D4", "SE-K9", "SE-D8", "SE-D1")
def test_w10_divert_and_exact_zero() -> None:
    giant = duel({"health": 3, "defense": 1, "skills": ["Divert"]}, 1)
    ogre = duel({"health": 3, "defense": 1}, 1)

    deal(giant, 0, 1, 5, everybody(giant), data.LIGHT)
    assert giant.hp[1, 0] == 1
    deal(giant, 0, 1, 2, everybody(giant), data.LIGHT)
    deal(ogre, 0, 1, 4, everybody(ogre), data.LIGHT)

    assert giant.hp[1, 0] == ogre.hp[1, 0] == 0
    assert giant.cell[1, 0] == -1


@pytest.mark.rule("SE-K12", "SE-D5")
@pytest.mark.parametrize(("trigger", "amount", "spent"), [("dealt", 2, 1), ("dealt", 1, 1), ("taken", 1, 0)])
def test_w11_riposte(trigger: str, amount: int, spent: int) -> None:
    enemy = foe((1, 0), health=5, defense=1, skills=["Riposte 1"])
    s = begin(battle([hero((0, 0))], [enemy], switches={"riposte_trigger": trigger}), 1)
    begin_turn(s, 0, everybody(s))
    s.slot_die[:2], s.slot_x[:2] = SHIELD, 1

    deal(s, 0, 1, amount, everybody(s), data.LIGHT)

    assert s.hp[0, 0] == 5
    assert (s.slot_die[:4] == SHIELD).sum() == 2 - spent


@pytest.mark.rule("SE-A10", "SE-A11", "SE-F1")
@pytest.mark.parametrize(
    ("before", "after", "back"),
    [(["combat", "O", "L", "shield_discipline"], ["L", "shield_discipline", "O"], 1), (["O"], ["O"], 0)],
)
def test_w12_recovery(before: list[str], after: list[str], back: int) -> None:
    s = duel(runs=1, track=before, dice={"combat": 1, "shield_discipline": 1}, cooldown=2)
    had = s.available[COMBAT, 0]

    track.recover(s, 0, 2, everybody(s))

    assert words(s) == after
    assert s.available[COMBAT, 0] - had == back


@pytest.mark.rule("SE-F1", "SE-R8", "SE-R3")
def test_w12_bane_hurts_and_then_leaves() -> None:
    encounter = battle([hero((0, 0), track=["Bane", "combat"], cooldown=1)], [foe((2, 0))])
    s = begin(encounter, 1)

    adventurer_turn(s, encounter.heroes, 0, 0)

    assert s.ledger.damage_taken[0, 0] == 1
    assert "Bane" not in words(s)


@pytest.mark.rule("SE-A13", "SE-A14")
def test_w13_a_full_track() -> None:
    line = ["L"] * 10 + ["combat", "O", "O"]
    s = duel(runs=1, track=line, dice={"combat": 1, "snipe": 1})

    room = track.enter(s, 0, SNIPE, everybody(s))

    assert not room[0]
    assert words(s) == ["L"] * 10 + ["O", "O", "O"]
    assert s.drained[0, 0] == 2


@pytest.mark.rule("SE-R2", "SE-R1", "SE-D11")
@pytest.mark.parametrize(("carried", "falls_in"), [([], 8), (["O"], 7)])
def test_w14_fatigue(carried: list[str], falls_in: int) -> None:
    s = begin(battle([hero((0, 0), 5, track=carried)], [foe((2, 0))]), 1)

    for number in range(1, falls_in + 1):
        assert s.hp[0, 0] > 0
        s.round = number
        fatigue(s)

    assert s.hp[0, 0] == 0
    assert s.ledger.kills.sum() == 0


@pytest.mark.rule("SE-S2", "SE-S3")
def test_w15_what_a_pool_buys() -> None:
    assert pool_levels(8, 8) == [5, 1, 1, 1]
    assert pool_levels(32, 8) == [20, 10, 1, 1]
    assert pool_levels(64, 8) == [20, 20, 20, 1, 1, 1, 1]
    assert pool_levels(128, 8) == [20] * 6 + [5, 1]
    assert pool_points(100, 0.29) == 29


@pytest.mark.rule("SE-A12")
def test_a_second_status_die_moves_to_the_right_end() -> None:
    s = duel(runs=1, track=["Bane", "L"])

    track.gain(s, 0, data.BANE, everybody(s))

    assert words(s) == ["L", "Bane"]
    assert s.statuses[0, 0] == 0


@pytest.mark.rule("SE-A15")
def test_the_lowest_x_leaves_when_all_slots_are_full() -> None:
    s = duel(runs=1)
    s.slot_die[:4, 0], s.slot_x[:4, 0] = COMBAT, (2, 1, 1, 2)
    pile = {COMBAT: np.zeros(1, dtype=np.int8)}

    track.place_die(s, 0, SHIELD, np.array([2]), everybody(s), pile, np.array([0]))

    assert s.slot_x[:4, 0].tolist() == [2, 1, 2, 2]
    assert s.slot_die[3, 0] == SHIELD
    assert pile[COMBAT][0] == 1


@pytest.mark.rule("SE-A16", "SE-A7", "SE-A9")
def test_without_a_target_only_shields_find_a_use() -> None:
    s = duel(dice={"shield_discipline": 2, "combat": 1})
    dice = {code: np.full(s.size, number, dtype=np.int8) for code, number in ((SHIELD, 2), (COMBAT, 1))}

    engage(s, 0, data.LIGHT, np.full(s.size, -1), dice, everybody(s))

    active = (s.slot_die[:4] == SHIELD).sum(axis=0)
    assert fits(active, {0: 1 / 36, 1: 10 / 36, 2: 25 / 36})
    assert (s.hp[1] == 30).all()
    assert near(float((s.tenacity[0] > 0).mean()), 1 - (5 / 6) ** 3)
    assert (s.length[0] == 3 - active).all()


@pytest.mark.rule("SE-A5", "SE-F4")
def test_dice_are_gathered_up_to_the_stat_and_under_fear_only_combat_dice() -> None:
    calm = duel(runs=1, dice={"shield_discipline": 5, "combat": 2}, stamina=4)
    afraid = duel(runs=1, dice={"shield_discipline": 5, "combat": 2}, stamina=4, track=["Fear"])

    one = gather(calm, 0, data.offensive(data.LIGHT), data.LIGHT, everybody(calm))
    other = gather(afraid, 0, data.offensive(data.LIGHT), data.LIGHT, everybody(afraid))

    assert {code: int(n[0]) for code, n in one.items()} == {SHIELD: 4, COMBAT: 0}
    assert {code: int(n[0]) for code, n in other.items()} == {SHIELD: 0, COMBAT: 2}


@pytest.mark.rule("SE-A3")
@pytest.mark.parametrize(("difficulty", "light"), [("adept", 1), ("expert", 2)])
def test_a_second_engage_tires(difficulty: str, light: int) -> None:
    s = begin(battle([hero((0, 0))], [foe((1, 0))], switches={"difficulty": difficulty}), 1)
    begin_turn(s, 0, everybody(s))

    for _ in range(2):
        engage(s, 0, data.LIGHT, np.array([-1]), {COMBAT: np.zeros(1, dtype=np.int8)}, everybody(s))

    assert s.light[0, 0] == light


@pytest.mark.rule("SE-A1", "SE-A2", "SE-F3")
def test_a_dazed_adventurer_moves_or_rolls_and_two_moves_need_a_turn_without_engage() -> None:
    dazed, free = duel(runs=1, track=["Daze"]), duel(runs=1)

    for s in (dazed, free):
        s.moves[:] = 1
    assert not may_roll(dazed, 0, everybody(dazed))[0]
    assert may_roll(free, 0, everybody(free))[0]
    assert may_move(free, 0, everybody(free))[0]

    free.engaged[:] = 1
    assert not may_move(free, 0, everybody(free))[0]


@pytest.mark.rule("SE-A18")
def test_purge_cures_a_status_first_and_then_heals_who_misses_two() -> None:
    healer = hero((0, 0), 5, "healer", dice={"purge": 2})
    s = begin(battle([healer, hero((0, 1), 5), hero((0, 2), 5, track=["Maim"])], [foe((2, 0))]), 1)
    s.slot_die[:2, 0], s.slot_x[:2, 0] = data.PURGE, 0
    s.hp[1] = 3

    use_purges(s, everybody(s))

    assert s.status[2, 0] == 0
    assert s.hp[:3, 0].tolist() == [5, 4, 5]
    assert (s.slot_die[:4] == -1).all()


@pytest.mark.rule("SE-D10", "SE-D9")
def test_healing_stops_at_health_and_does_not_reach_the_defeated() -> None:
    s = duel(runs=1)
    s.slot_die[0], s.slot_x[0] = SHIELD, 1

    deal(s, 1, 0, 3, everybody(s), ENGAGE, true=True)
    assert heal(s, 0, 0, 9, everybody(s))[0] == 3
    deal(s, 1, 0, 9, everybody(s), ENGAGE, true=True)

    assert heal(s, 0, 0, 9, everybody(s))[0] == 0
    assert (s.slot_die[:4] == -1).all()
    assert s.length[0, 0] == 0
