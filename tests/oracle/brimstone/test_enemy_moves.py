"""How models move through others and along walls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle.brimstone.chances import TreeLuck, chances
from tests.oracle.brimstone.scenes import act, at, hero_at, scene, xy
from tests.oracle.luck import PythonLuck

F = Fraction
CORRIDOR = """
    . . .
    . . .
    # . #
    # . #
    # . #
    . . .
"""


@pytest.mark.rule("BF-E1", "BF-E2", "BF-G3")
@pytest.mark.parametrize("rule", ["any", "both"])
def test_we9_blocked_corridor(rule: str) -> None:
    def where(luck: TreeLuck) -> tuple[Any, ...]:
        enemies = [("tentacles", (2, 5)), ("tentacles", (2, 4))]
        fight = scene(luck, [hero_at(2, 1)], enemies, CORRIDOR, switches={"corner_rule": rule})
        act(fight, fight.slots[0])
        back, front = fight.slots
        return xy(fight, front.sq), xy(fight, back.sq), front.target is not None, back.target is not None

    if rule == "any":
        assert chances(where) == {((2, 2), (2, 3), True, False): 1}
    else:
        assert chances(where) == {
            ((1, 1), (3, 1), True, True): F(1, 2),
            ((3, 1), (1, 1), True, True): F(1, 2),
        }


@pytest.mark.rule("BF-E10")
def test_a_large_model_pushes_smaller_ones_back_along_its_path() -> None:
    def run(switch: str) -> tuple[tuple[int, int], ...]:
        enemies = [("slashers", (6, 1)), ("hungry_dead", (4, 1)), ("corpse_pile", (7, 1))]
        fight = scene(PythonLuck(1), [hero_at(1, 1)], enemies, ".......", switches={"large_displace": switch})
        fight.melee(fight.slots[0], 1, 1)
        return tuple(xy(fight, model.sq) for model in fight.slots)

    assert run("on") == ((2, 1), (5, 1), (7, 1))
    assert run("off") == ((5, 1), (4, 1), (7, 1))


@pytest.mark.rule("BF-E10")
def test_a_large_model_prefers_the_path_that_displaces_nobody() -> None:
    enemies = [("slashers", (4, 6)), ("hungry_dead", (4, 5)), ("hungry_dead", (3, 5))]
    fight = scene(PythonLuck(1), [hero_at(4, 1)], enemies)
    model = fight.slots[0]

    assert [xy(fight, square) for square in fight.path(model, at(fight, 4, 4))] == [(5, 5), (4, 4)]
    assert xy(fight, fight.path(model, at(fight, 4, 2))[0]) == (5, 5)


@pytest.mark.rule("BF-E9")
def test_swarms_pass_and_others_do_not() -> None:
    walls = [("corpse_pile", (3, 1))]
    flying = scene(PythonLuck(1), [hero_at(1, 1)], [("hellbats", (5, 1)), *walls], ".....")
    walking = scene(PythonLuck(1), [hero_at(1, 1)], [("tentacles", (5, 1)), *walls], ".....")

    flying.melee(flying.slots[0], 1, 1)
    walking.melee(walking.slots[0], 1, 1)

    assert xy(flying, flying.slots[0].sq) == (2, 1)
    assert xy(walking, walking.slots[0].sq) == (4, 1)
