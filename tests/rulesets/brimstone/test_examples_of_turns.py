"""The worked examples about placement, targets, Escape and turns that need a scene of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.enemy_attacks import MELEE_AIM, RANGED_AIM
from sim.rulesets.brimstone.rules.hero_moves import hero_reach
from sim.rulesets.brimstone.rules.hero_turns import escape
from sim.rulesets.brimstone.rules.rounds import group_initiative
from sim.rulesets.brimstone.state import State
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import aims, ends, kind_of, move_model, near, on_open_ground, squares

RAGGED = """
# # . . # # #
# # . . . . #
. . . . . . #
. . . . . . .
# . . . . . .
# # # . . # #
# # # . . # #
"""


@pytest.mark.rule("BF-S9", "BF-S10", "BF-S11", "BF-S12")
def test_we2_placement_on_a_ragged_tile() -> None:
    enemies = [{"type": "hellbats", "count": 6}, {"type": "gulch_snipers", "count": 2}]

    _, s = ready({"board": RAGGED, "heroes": [{"class": "lawman"}], "enemies": enemies})

    assert squares(s, "gulch_snipers") == [(3, 7), (4, 6)]
    assert squares(s, "hellbats") == [(6, 6), (1, 5), (3, 5), (5, 5), (2, 4), (4, 4)]


@pytest.mark.rule("BF-E4", "BF-E7.1", "BF-E7.4", "BF-E13")
@pytest.mark.parametrize(
    ("a", "b", "chances", "aim"),
    [
        ([3, 3], [5, 5], [1, 0], MELEE_AIM),  # the kept target is adjacent
        ([1, 1], [5, 5], [0, 1], MELEE_AIM),  # it has gone, the other one is adjacent
        ([1, 1], [7, 7], [1 / 2, 1 / 2], RANGED_AIM),  # nobody is adjacent, both are in range
    ],
)
def test_we11_melee_or_ranged(a: list[int], b: list[int], chances: list[float], aim: int) -> None:
    heroes = [{"class": "lawman", "square": a}, {"class": "lawman", "square": b}]
    _, s = on_open_ground((8, 8), heroes, [{"type": "crimson_hand"}])
    move_model(s, 0, 4, 4)
    s.target[0] = 0

    target, how = aims(s)

    assert [near(float((target == hero).mean()), chances[hero]) for hero in (0, 1)] == [True, True]
    assert (how == aim).all()
    assert set(ends(s)) == {(4, 4)}


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


def interrupted(**moment: Any) -> tuple[State, int]:
    """Turn 1 of a fight in which Scourge Rats arrive in ambush; nobody can fall in it."""
    heroes = [{"class": name, "health": 40, "sanity": 40} for name in ("gunslinger", "lawman", "preacher")]
    event = {"turn": 1, "ambush": True, "enemies": [{"type": "scourge_rats", "count": 3}]} | moment
    dead = {"type": "hungry_dead", "count": 4, "health": 60}
    encounter, s = ready({"width": 8, "height": 8, "heroes": heroes, "enemies": [dead], "events": [event]}, 50)
    s.round = 1
    encounter.play_round(s)
    return s, kind_of(s, "scourge_rats")


@pytest.mark.rule("BF-T7", "BF-S18", "BF-T3")
def test_we30_an_ambush_in_mid_turn_ends_the_turn() -> None:
    s, rats = interrupted(after_activation=2)

    assert (s.acted.all(axis=1)).tolist() == [True, True, False]
    assert not s.acted[2].any()
    assert (s.made[rats] == 3).all()
    initiative = []
    for turn in (2, 3):
        s.round = turn
        initiative.append(set(group_initiative(s, rats).tolist()))
    assert initiative == [{10}, {8}]


@pytest.mark.rule("BF-T2", "BF-T7", "BF-S18")
def test_we30_an_ambush_at_the_darkness_does_not() -> None:
    s, rats = interrupted(moment="darkness")

    assert s.acted.all()
    assert (group_initiative(s, rats)[s.live] == 10).all()
    assert (s.made[rats] == 3).all()
