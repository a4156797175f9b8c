"""Bitboards against plain masks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from sim.core.board import Board, open_map, square_board
from tests.core.board.boards import any_board, batches, some_cells


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_a_packed_mask_comes_back_as_it_was(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    mask = some_cells(board, *batch)

    assert (board.bits.cells(board.bits.pack(mask)) == mask).all()


@settings(max_examples=80, deadline=None)
@given(any_board(), batches())
def test_around_is_every_neighbour_of_every_cell(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    mask = some_cells(board, *batch)

    around = board.bits.cells(board.bits.around(board.bits.pack(mask)))

    for lane in range(mask.shape[1]):
        beside = {other for cell in np.flatnonzero(mask[:, lane]) for other in board.neighbours[cell]}
        assert set(np.flatnonzero(around[:, lane])) == beside


@settings(max_examples=80, deadline=None)
@given(any_board(), batches())
def test_around_or_in_differs_in_cells_of_the_set_alone(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    sets = board.bits.pack(some_cells(board, *batch))

    found = board.bits.around_or_in(sets, np.empty_like(sets))

    assert np.array_equal(found | sets, board.bits.around(sets) | sets)


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_has_count_and_any_agree_with_the_mask(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    rng, lanes = batch
    mask = some_cells(board, rng, lanes)
    sets = board.bits.pack(mask)
    cell = rng.integers(-1, len(board), (3, lanes))

    inside = board.bits.has(sets, cell)

    assert (inside == ((cell >= 0) & mask[cell, np.arange(lanes)])).all()
    assert (board.bits.has(sets, cell[0]) == inside[0]).all()
    assert (board.bits.count(sets) == mask.sum(axis=0)).all()
    assert (board.bits.any(sets) == mask.any(axis=0)).all()


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_a_cell_is_set_and_cleared_in_its_own_lane_only(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    rng, lanes = batch
    mask = some_cells(board, rng, lanes)
    sets = board.bits.pack(mask)
    cell = rng.integers(0, len(board), lanes)

    added = board.bits.cells(sets | board.bits.at(cell))
    cleared = board.bits.cells(sets & ~board.bits.at(cell))

    expected = mask.copy()
    expected[cell, np.arange(lanes)] = True
    assert (added == expected).all()
    expected[cell, np.arange(lanes)] = False
    assert (cleared == expected).all()


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_the_union_holds_the_cells_of_the_units_that_count(
    board: Board, batch: tuple[np.random.Generator, int]
) -> None:
    rng, lanes = batch
    cell = rng.integers(-1, len(board), (5, lanes))
    standing = rng.random((5, lanes)) < 0.6

    mask = board.bits.cells(board.bits.union(cell, standing))

    for lane in range(lanes):
        expected = {int(spot) for spot, stands in zip(cell[:, lane], standing[:, lane], strict=True) if stands} - {-1}
        assert set(np.flatnonzero(mask[:, lane])) == expected


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_the_nth_cell_counts_in_the_order_of_the_cells(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    rng, lanes = batch
    mask = some_cells(board, rng, lanes)
    n = rng.integers(0, len(board) + 1, lanes)

    cell = board.bits.nth(board.bits.pack(mask), n)

    for lane in range(lanes):
        members = np.flatnonzero(mask[:, lane])
        assert cell[lane] == (members[n[lane]] if n[lane] < len(members) else -1)


@settings(max_examples=30, deadline=None)
@given(any_board(), batches())
def test_rows_turn_a_relation_into_one_set_per_cell(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    rng, lanes = batch
    relation = rng.random((len(board), len(board))) < 0.4
    cell = rng.integers(-1, len(board), lanes)

    related = board.bits.cells(board.bits.rows(relation)[:, cell])

    assert (related == np.where(cell >= 0, relation[cell].T, False)).all()


def test_sets_that_are_the_same_in_all_lanes_mix_with_the_others() -> None:
    board = square_board("O..\n.O.", {"O": "obstructed"})
    fixed = board.bits.fixed(board.has("obstructed"))

    both = board.bits.every & fixed | board.bits.at(np.array([1, 5, -1]))

    assert (fixed == board.bits.fixed([0, 4])).all()
    assert board.bits.cells(both).T.astype(int).tolist() == [[1, 1, 0, 0, 1, 0], [1, 0, 0, 0, 1, 1], [1, 0, 0, 0, 1, 0]]


@pytest.mark.parametrize(("columns", "rows", "words"), [(1, 1, 1), (8, 8, 1), (5, 13, 2), (14, 14, 4)])
def test_a_board_takes_as_few_words_as_its_cells_need(columns: int, rows: int, words: int) -> None:
    assert square_board(open_map(columns, rows), diagonals="any").bits.words == words


def test_a_batch_without_lanes_is_no_problem() -> None:
    board = square_board(open_map(3, 3))
    empty = board.bits.none(0)

    assert board.bits.cells(board.bits.around(empty)).shape == (9, 0)
    assert board.bits.nth(empty, np.zeros(0, np.int64)).shape == (0,)
