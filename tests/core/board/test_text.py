"""Boards as text."""

from __future__ import annotations

from hypothesis import given, settings

from sim.core.board import Board, disk, hex_board, hex_board_from_map, picture, square_board, zone_board
from tests.core.board.boards import hex_boards, square_boards


@settings(max_examples=40, deadline=None)
@given(square_boards())
def test_a_picture_of_squares_is_a_map_that_can_be_read_in_again(board: Board) -> None:
    again = square_board(picture(board), diagonals="any")

    assert again.coords == board.coords
    assert again.walls == board.walls


@settings(max_examples=40, deadline=None)
@given(hex_boards())
def test_a_picture_of_hexes_is_a_map_that_can_be_read_in_again(board: Board) -> None:
    top = min(r for _, r in {*board.coords, *board.walls})
    first = min((q, r) for q, r in {*board.coords, *board.walls} if r == top)

    again = hex_board_from_map(picture(board), first=first)

    assert again.coords == board.coords
    assert again.walls == board.walls


def test_letters_stay_as_drawn_and_marks_replace_them() -> None:
    board = square_board("..O\n.#S", {"O": "obstructed", "S": "entrance"})

    assert picture(board) == ". . O\n. # S"
    assert picture(board, {0: "A1"}) == "A1 .  O\n.  ## S"


def test_rows_that_count_from_the_bottom_are_drawn_as_on_the_map() -> None:
    board = square_board(". #\n. .", rows_from="bottom", count_from=1)

    assert picture(board, {2: "H"}, coordinates=True) == "y=2  . #\ny=1  . H\n  x= 1 2"


def test_hex_rows_are_half_a_hex_apart_also_with_wide_marks() -> None:
    board = hex_board({"A": disk((0, 0), 1)}, impassable=[(0, 1)])

    assert picture(board) == " . .\n. . .\n . #"
    assert picture(board, {board.find((0, 0)): "A4"}) == "  .   .\n.   A4  .\n  .   ##"


def test_a_row_without_hexes_is_drawn_empty() -> None:
    board = hex_board({"A": [(0, 0)], "B": [(0, 2)]})

    assert picture(board) == ".\n\n  ."


def test_zones_are_listed() -> None:
    assert picture(zone_board(["front", "rear"]), {0: "Ada"}) == "front: Ada\nrear: -"
