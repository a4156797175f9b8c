"""The distance tables against their definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from sim.core.board import FAR, Board, axial, chebyshev, manhattan, open_map, square_board
from tests.core.board.boards import any_board, hex_boards, plain_reach, square_boards


@settings(max_examples=40, deadline=None)
@given(any_board())
def test_steps_are_the_shortest_chains_of_neighbours(board: Board) -> None:
    nowhere = np.zeros(len(board), dtype=np.bool_)

    expected = [plain_reach(board, cell, None, nowhere, nowhere, [1] * len(board)) for cell in range(len(board))]

    assert board.steps.tolist() == expected


@settings(max_examples=40, deadline=None)
@given(any_board())
def test_costs_pay_for_every_cell_after_the_first(board: Board) -> None:
    enter = [1 + cell % 2 for cell in range(len(board))]
    nowhere = np.zeros(len(board), dtype=np.bool_)

    costs = board.costs(enter)

    assert costs.tolist() == [plain_reach(board, cell, None, nowhere, nowhere, enter) for cell in range(len(board))]


def test_an_obstructed_cell_costs_two_to_enter_and_nothing_to_leave() -> None:
    board = square_board("..O..\n.###.\n.....", {"O": "obstructed"})
    enter = np.where(board.has("obstructed"), 2, 1)

    costs = board.costs(enter)

    assert costs[board.find((1, 0)), board.find((2, 0))] == 2
    assert costs[board.find((2, 0)), board.find((1, 0))] == 1
    assert costs[board.find((0, 0)), board.find((4, 0))] == 5


@settings(max_examples=30, deadline=None)
@given(square_boards(diagonals="any"))
def test_steps_with_diagonals_are_never_below_chebyshev(board: Board) -> None:
    assert (board.steps >= chebyshev(board.coords)).all()


def test_on_an_open_board_steps_are_chebyshev_with_diagonals_and_manhattan_without() -> None:
    with_diagonals = square_board(open_map(6, 4), diagonals="any")
    without = square_board(open_map(6, 4))

    assert (with_diagonals.steps == chebyshev(with_diagonals.coords)).all()
    assert (without.steps == manhattan(without.coords)).all()


@settings(max_examples=30, deadline=None)
@given(hex_boards(most_tiles=2))
def test_steps_on_hexes_are_never_below_the_axial_distance(board: Board) -> None:
    assert (board.steps >= axial(board.coords)).all()
    assert (axial(board.coords)[board.adjacent] == 1).all()


def test_cells_that_are_cut_off_are_far_away_and_named() -> None:
    board = square_board("..#.")

    assert board.steps[0].tolist() == [0, 1, FAR]
    assert board.cut_off == [2]
    assert not board.connected


def test_three_far_distances_can_be_added() -> None:
    board = square_board(".#.")

    assert board.steps[0, 1] * 3 == 3 * FAR
