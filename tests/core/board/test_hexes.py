"""Hex boards: numbering, neighbours, tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from sim.core.board import Board, axial, disk, hex_board, hex_board_from_map
from sim.errors import ScenarioError
from tests.core.board.boards import hex_boards


def test_a_disk_holds_7_19_and_37_hexes() -> None:
    assert [len(disk((3, -1), radius)) for radius in (0, 1, 2, 3)] == [1, 7, 19, 37]


def test_cells_are_numbered_by_q_then_r() -> None:
    board = hex_board({"A": disk((0, 0), 2)})

    assert list(board.coords) == sorted(board.coords)
    assert board.coords[:4] == ((-2, 0), (-2, 1), (-2, 2), (-1, -1))


def test_the_six_directions() -> None:
    board = hex_board({"A": disk((0, 0), 1)})
    centre = board.find((0, 0))

    around = [board.coords[cell] for cell in board.beside[:, centre]]

    assert board.directions == ("E", "NE", "NW", "W", "SW", "SE")
    assert around == [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]


@settings(max_examples=30, deadline=None)
@given(hex_boards())
def test_neighbours_are_the_hexes_at_distance_one(board: Board) -> None:
    assert (board.adjacent == (axial(board.coords) == 1)).all()


def test_an_impassable_hex_is_no_cell() -> None:
    board = hex_board({"A": disk((0, 0), 1)}, impassable=[(0, 0)])

    assert len(board) == 6
    assert board.problem_with((0, 0)) == "expected a cell of the board, found (0,0), which is a wall"
    assert board.steps[board.find((-1, 0)), board.find((1, 0))] == 3


def test_every_problem_of_a_map_is_told() -> None:
    with pytest.raises(ScenarioError) as error:
        hex_board({"A": [(0, 0)], "B": [(0, 0)]}, impassable=[(5, 5)], features={"entrance": [(7, 7)]}, key="maps.den")

    assert str(error.value).splitlines() == [
        "maps.den.tiles.B: hex (0,0) is also in tile 'A'; every hex belongs to one tile",
        "maps.den.impassable: hex (5,5) is in no tile; add it to one",
        "maps.den.entrance: hex (7,7) is in no tile; add it to one",
    ]


def test_a_map_without_a_hex_to_stand_on_is_refused() -> None:
    with pytest.raises(ScenarioError, match="no hex to stand on"):
        hex_board({"A": [(0, 0)]}, impassable=[(0, 0)])


def test_a_text_map_draws_the_rows_half_a_hex_apart() -> None:
    drawn = hex_board_from_map(
        """
          . . .
         . . . .
        E . # . .
         . . . .
          . . .
        """,
        {"E": "entrance"},
        first=(0, -2),
    )
    listed = hex_board({"1": disk((0, 0), 2)}, impassable=[(0, 0)], features={"entrance": [(-2, 0)]})

    assert drawn.coords == listed.coords
    assert drawn.walls == listed.walls
    assert (drawn.beside == listed.beside).all()
    assert drawn.cells_with("entrance") == listed.cells_with("entrance")


def test_digits_on_a_hex_map_are_tiles() -> None:
    board = hex_board_from_map("1 1 2")

    assert board.tiles == ("1", "2")
    assert board.tile.tolist() == [0, 0, 1]


def test_features_are_masks_over_the_cells() -> None:
    board = hex_board({"A": disk((0, 0), 1)}, features={"entrance": [(-1, 0), (-1, 1)]})

    assert board.cells_with("entrance") == [0, 1]
    assert board.has("entrance").dtype == np.bool_
