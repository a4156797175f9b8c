"""The map as tables: range, sight, tiles."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.board import FAR
from tests.rulesets.second_era.table import battle, foe, hero

WALLED = {"tiles": [{"name": "A", "disks": [[0, 0, 2]]}], "impassable": [[0, 0]]}


@pytest.mark.rule("SE-G1", "SE-G2", "SE-G3", "SE-G6", "SE-G10", "SE-G11")
def test_range_goes_round_what_is_impassable_and_hexes_are_ordered_by_q_then_r() -> None:
    ground = battle([hero((-2, 0))], [foe((2, 0))], WALLED).facts.ground

    one, other = ground.board.find((-1, 0)), ground.board.find((1, 0))

    assert list(ground.board.coords) == sorted(ground.board.coords)
    assert ground.board.problem_with((0, 0)) is not None
    assert ground.range[one, other] == 3
    assert ground.range[one, -1] == FAR  # nowhere


@pytest.mark.rule("SE-G4", "SE-G8")
def test_tiles_see_themselves_and_the_next_ones() -> None:
    board = battle([hero()], [foe()], "dungeon").facts.ground.board
    touch = {(board.tiles[a], board.tiles[b]) for a, b in np.argwhere(board.tiles_touch) if a < b}

    assert touch == {("E", "T1"), ("T1", "T2"), ("T2", "T3")}


@pytest.mark.rule("SE-G9")
def test_w25_lines_of_sight_end_at_an_impassable_hex() -> None:
    ground = battle([hero((1, 0))], [foe((2, 0))], WALLED, switches={"sight_rule": "line"}).facts.ground
    spots = [ground.board.find(spot) for spot in ((-1, 0), (1, 0), (1, -1))]

    assert not ground.sight[spots[0], spots[1]]
    assert ground.sight[spots[0], spots[2]]
