"""Square boards: numbering, coordinates, neighbours, corners."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.board import Board, open_map, square_board
from sim.errors import ScenarioError
from tests.core.board.boards import square_boards


def test_cells_are_numbered_row_by_row_and_holes_are_skipped() -> None:
    board = square_board("..#\n.#.\n...")

    assert len(board) == 7
    assert board.coords == ((0, 0), (1, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2))
    assert board.walls == {(2, 0), (1, 1)}


def test_rows_may_count_from_one_at_the_bottom() -> None:
    board = square_board("a.\n..\n.b", {"a": "far", "b": "near"}, rows_from="bottom", count_from=1)

    assert [board.coords[cell] for cell in board.cells_with("far")] == [(1, 3)]
    assert [board.coords[cell] for cell in board.cells_with("near")] == [(2, 1)]
    assert board.find((1, 1)) == 4


def test_north_is_up_the_page_whichever_way_y_grows() -> None:
    for rows_from in ("top", "bottom"):
        board = square_board(open_map(3, 3), diagonals="any", rows_from=rows_from)
        around = {name: int(cell) for name, cell in zip(board.directions, board.beside[:, 4], strict=True)}

        assert around == {"N": 1, "NE": 2, "E": 5, "SE": 8, "S": 7, "SW": 6, "W": 3, "NW": 0}


def test_there_is_nobody_beyond_the_edge() -> None:
    board = square_board(open_map(2, 2), diagonals="any")

    assert dict(zip(board.directions, board.beside[:, 0].tolist(), strict=True)) == {
        "N": -1, "NE": -1, "E": 1, "SE": 3, "S": 2, "SW": -1, "W": -1, "NW": -1,
    }  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["no", "any", "both"]), st.data())
def test_neighbours_follow_the_corner_rule(diagonals: str, data: st.DataObject) -> None:
    board = data.draw(square_boards(diagonals=diagonals, most=7))
    floor = set(board.coords)

    for one, other in product(range(len(board)), repeat=2):
        (ax, ay), (bx, by) = board.coords[one], board.coords[other]
        dx, dy = abs(ax - bx), abs(ay - by)
        if dx + dy == 1:
            expected = True
        elif dx == dy == 1:
            walls = [square not in floor for square in ((ax, by), (bx, ay))]
            expected = {"no": False, "any": not any(walls), "both": not all(walls)}[diagonals]
        else:
            expected = False
        assert board.adjacent[one, other] == expected


@settings(max_examples=30, deadline=None)
@given(square_boards())
def test_who_is_beside_me_has_me_beside_it(board: Board) -> None:
    assert (board.adjacent == board.adjacent.T).all()
    assert not np.diagonal(board.adjacent).any()


def test_digits_are_tiles() -> None:
    board = square_board("112\n1#2")

    assert board.tiles == ("1", "2")
    assert [board.tiles[tile] for tile in board.tile] == ["1", "1", "2", "1", "2"]
    assert board.tiles_touch.all()


def test_a_place_that_is_no_cell_says_why() -> None:
    board = square_board("..\n.#", count_from=1)

    for place, reason in [
        ((2, 2), "found (2,2), which is a wall"),
        ((3, 1), "found (3,1), which is not on the map (x 1 to 2, y 1 to 2)"),
        ([1], "expected a pair of coordinates, found [1]"),
        ("(1,3)", "found '(1,3)'; did you mean '(1,"),
    ]:
        with pytest.raises(ScenarioError) as error:
            board.find(place, "heroes[0].at")
        assert str(error.value).startswith("heroes[0].at: expected")
        assert reason in str(error.value)
    assert board.find("(1,2)") == board.find((1, 2)) == 2


def test_a_feature_that_is_not_drawn_is_nowhere() -> None:
    board = square_board("T..", {"T": "trap", "H": ("hidden", "dark")})

    assert board.has("trap").tolist() == [True, False, False]
    assert not board.has("hidden").any()
    assert board.cells_with("hidden") == []


def test_a_letter_may_stand_for_several_features() -> None:
    board = square_board("HX", {"H": ("hidden", "trap"), "X": "hidden exit"})

    assert {name: places.tolist() for name, places in board.features.items()} == {
        "exit": [False, True],
        "hidden": [True, True],
        "trap": [True, False],
    }


def test_an_unknown_way_of_counting_is_refused() -> None:
    with pytest.raises(ValueError, match="diagonals='sometimes'"):
        square_board("..", diagonals="sometimes")
