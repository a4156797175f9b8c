"""A hero's activation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.data import BLEEDING, BURNING
from sim.rulesets.brimstone.rules.hero_moves import hero_reach
from sim.rulesets.brimstone.rules.hero_turns import activate_hero, end_of_move, escape, feel_fear, move_roll
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    RUNS,
    TENTACLE,
    TOUGH,
    face_to_face,
    mean_is,
    move_model,
    near,
    on_open_ground,
)


@pytest.mark.rule("BF-H1", "BF-H3")
def test_a_hero_knocked_out_in_its_activation_stops_at_once() -> None:
    heroes = [{"class": "lawman", "wounds": 10, "status": {"burning": 1}, "bag": {}}, {"class": "lawman"}]
    fight = {"board": "none", "heroes": heroes, "enemies": [TENTACLE], "switches": {"revive_tokens": 0}}
    encounter, s = ready(fight, 50)
    s.round = 1

    activate_hero(s, encounter.player, 0, np.arange(50))

    assert not s.standing[0].any()
    assert not s.status[BURNING, 0].any()
    assert not s.hurt.any()


@pytest.mark.rule("BF-H2", "BF-H8")
@pytest.mark.parametrize(("name", "lucky"), [("lawman", 1), ("bandido", 2)])
def test_the_move_roll_brings_grit_on_a_low_die(name: str, lucky: int) -> None:
    _, s = on_open_ground((6, 6), [{"class": name, "move_bonus": 2}], [TENTACLE], 600)
    everyone = np.arange(600)

    move_roll(s, 0, everyone)

    die = s.luck.die(6, "BF-H2", 1, 0, 0, everyone)
    assert (s.moves[0] == die + 2).all()
    assert (s.grit[0] == 1 + (die <= lucky)).all()


@pytest.mark.rule("BF-H2", "BF-U3")
def test_fixed_movement_and_the_move_of_an_ally() -> None:
    heroes = [{"class": "lawman"}, {"class": "lawman", "ally": True, "move": 5}]
    _, s = on_open_ground((6, 6), heroes, [TENTACLE], 60, switches={"hero_move": "fixed4"})

    for hero in (0, 1):
        move_roll(s, hero, np.arange(60))

    assert (s.moves[0] == 4).all()
    assert (s.moves[1] == 5).all()
    assert set(s.grit[0]) == {1, 2}
    assert not s.grit[1].any()


@pytest.mark.rule("BF-H11", "BF-X2")
def test_a_tail_meets_a_hero_who_did_not_move() -> None:
    hero = {"class": "lawman", "square": [3, 3]}  # Agility 2
    _, s = on_open_ground((6, 6), [hero], [{"type": "xenocyte_impalers"}])
    move_model(s, 0, 4, 4)

    end_of_move(s, 0, np.arange(RUNS))

    assert near(float((s.status[BLEEDING, 0] == 1).mean()), (2 / 3) ** 2)
    assert s.status[BLEEDING, 0].max() == 1


@pytest.mark.rule("BF-A6", "BF-H3")
@pytest.mark.parametrize(("willpower", "mean", "none"), [(4, 2.0, 1 / 16), (3, 4 / 3, 16 / 81)])
def test_we21_two_night_terrors(willpower: int, mean: float, none: float) -> None:
    _, s = face_to_face(TOUGH | {"willpower": willpower}, {"type": "night_terrors", "count": 2})

    feel_fear(s, 0, np.arange(RUNS))

    assert mean_is(s.sdmg[0], mean)
    assert near(float((s.sdmg[0] == 0).mean()), none)


def after_escape(enemies: list[tuple[str, int, int]], rule: str) -> tuple[State, Any, list[set[tuple[int, int]]]]:
    """A cautious hero with 6 movement points on (2,1) of a 9x2 board rolls Escape: the die, and where it can go."""
    hero = {"class": "lawman", "square": [2, 1], "policy": "cautious"}
    lines = [{"type": kind, "init": 1 + n} for n, (kind, _, _) in enumerate(enemies)]  # placed in this order
    encounter, s = on_open_ground((9, 2), [hero], lines, 600, switches={"escape_roll": rule})
    for slot, (_, x, y) in enumerate(enemies):
        move_model(s, slot, x, y)
    everyone = np.arange(s.size)
    s.moves[0] = 6

    escape(s, encounter.player, 0, everyone)

    reached = s.ground.bits.cells(hero_reach(s, 0, everyone).all)  # (cells, runs)
    places = [{s.ground.board.coords[int(c)] for c in np.flatnonzero(reached[:, k])} for k in range(s.size)]
    return s, s.luck.die(6, "BF-H9", 1, 0, 0, everyone), places


@pytest.mark.rule("BF-H9", "BF-H10", "BF-P1")
@pytest.mark.parametrize(("rule", "with_six"), [("once_per_turn", True), ("retest_higher", False)])
def test_we23_an_escape_from_a_slasher_past_a_strangler(rule: str, with_six: bool) -> None:
    beside, beyond = {(4, 1), (4, 2)}, {(5, 1), (6, 1), (6, 2)}

    _, die, places = after_escape([("slashers", 1, 1), ("stranglers", 5, 2)], rule)

    for roll, reached in zip(die, places, strict=True):
        if roll < 3:
            assert reached == {(2, 1)}
            continue
        assert beside <= reached
        assert (beyond <= reached) == (roll == 6 and with_six)
        assert bool(beyond & reached) == (roll == 6 and with_six)


@pytest.mark.rule("BF-H9", "BF-H10")
def test_we23_a_strangler_lets_go_on_a_6_alone() -> None:
    s, die, places = after_escape([("stranglers", 1, 1)], "once_per_turn")

    free = np.array([len(reached) > 1 for reached in places])

    assert (free == (die == 6)).all()
    assert near(float(free.mean()), 1 / 6, s.size)
