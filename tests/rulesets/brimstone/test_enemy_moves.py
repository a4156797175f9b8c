"""How models move."""

from __future__ import annotations

import numpy as np
import pytest

from sim.rulesets.brimstone.rules.behaviours import melee
from sim.rulesets.brimstone.rules.enemy_turns import activate_group
from tests.rulesets.brimstone.fights import ready
from tests.rulesets.brimstone.scenes import (
    RUNS,
    aims,
    ends,
    move_model,
    on_open_ground,
    one_enemy,
    phase_a,
    tough_at,
)


@pytest.mark.rule("BF-E9", "BF-G8")
@pytest.mark.parametrize(("kind", "place"), [("hellbats", (2, 1)), ("stranglers", (4, 1))])
def test_only_models_that_pass_cross_occupied_squares(kind: str, place: tuple[int, int]) -> None:
    _, s = on_open_ground((6, 1), [tough_at(1, 1)], [{"type": "tentacles"}, {"type": kind}], 5)
    move_model(s, 1, 6, 1)
    move_model(s, 0, 3, 1)
    move_model(s, 1, 4, 1)

    aims(s, slot=1)

    assert set(ends(s, 1)) == {place}
    assert set(ends(s, 0)) == {(3, 1)}


@pytest.mark.rule("BF-E10", "BF-G8")
@pytest.mark.parametrize(("switch", "large", "small"), [("on", (2, 1), (4, 1)), ("off", (4, 1), (3, 1))])
def test_large_models_push_smaller_ones_aside(switch: str, large: tuple[int, int], small: tuple[int, int]) -> None:
    enemies = [{"type": "tentacles"}, {"type": "slashers"}]
    _, s = on_open_ground((6, 1), [tough_at(1, 1)], enemies, 5, switches={"large_displace": switch})
    move_model(s, 1, 6, 1)
    move_model(s, 0, 3, 1)
    move_model(s, 1, 4, 1)

    aims(s, slot=1)

    assert set(ends(s, 1)) == {large}
    assert set(ends(s, 0)) == {small}


@pytest.mark.rule("BF-E10")
def test_nobody_pushes_what_cannot_be_moved() -> None:
    _, s = on_open_ground((6, 1), [tough_at(1, 1)], [{"type": "corpse_pile"}, {"type": "slashers"}], 5)
    move_model(s, 1, 6, 1)
    move_model(s, 0, 3, 1)
    move_model(s, 1, 4, 1)

    aims(s, slot=1)

    assert set(ends(s, 1)) == {(4, 1)}
    assert set(ends(s, 0)) == {(3, 1)}


@pytest.mark.rule("BF-E5.4", "BF-E11", "BF-G4")
def test_we8_out_of_reach_it_approaches_without_a_target() -> None:
    s = one_enemy("tentacles", (2, 2), (9, 2), (9, 3), move=3)

    phase_a(s, melee)

    assert sorted(ends(s)) == [(6, 1), (6, 2), (6, 3)]
    assert (s.target[0] == -1).all()


@pytest.mark.rule("BF-G3", "BF-E5.2")
def test_we9_walls_close_corners() -> None:
    board = ". . .\n. . .\n# . #\n# . #\n# . #\n. . .\n"
    heroes, enemies = [{"class": "lawman", "square": [2, 1]}], [{"type": "tentacles", "count": 2, "move": 6}]
    reached = {}
    for rule in ("any", "both"):
        _, s = ready({"board": board, "heroes": heroes, "enemies": enemies, "switches": {"corner_rule": rule}}, RUNS)
        s.round = 1
        move_model(s, 0, 2, 4)
        move_model(s, 1, 2, 5)
        activate_group(s, int(s.kind[0, 0]), np.arange(RUNS))
        reached[rule] = set(ends(s, 0)), set(ends(s, 1))

    assert reached == {"any": ({(2, 2)}, {(2, 3)}), "both": ({(1, 1), (3, 1)}, {(1, 1), (3, 1)})}
