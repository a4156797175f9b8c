"""Choices among sets of cells against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from sim.core.board import Board
from sim.core.board.sets import fewest, held_by_at_most, most, nearest, pick_cell, preferred, tally, where
from tests.core.board.boards import any_board, batches, some_cells


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_fewest_and_most_count_the_sets_that_hold_a_cell(
    board: Board, batch: tuple[np.random.Generator, int]
) -> None:
    candidates = some_cells(board, *batch)
    others = [some_cells(board, *batch) for _ in range(6)]
    count = np.sum(others, axis=0)
    pack = board.bits.pack

    digits = tally([pack(other) for other in others])

    for choose, best in ((fewest, np.min), (most, np.max)):
        chosen = board.bits.cells(choose(pack(candidates), digits))
        for lane in range(candidates.shape[1]):
            held = np.flatnonzero(candidates[:, lane])
            wanted = best(count[held, lane]) if len(held) else 0
            assert set(np.flatnonzero(chosen[:, lane])) == {cell for cell in held if count[cell, lane] == wanted}
    for number in (0, 1, 2, 5, 9):
        at_most = board.bits.cells(held_by_at_most(pack(candidates), digits, number))
        assert (at_most == candidates & (count <= number)).all()


@settings(max_examples=60, deadline=None)
@given(any_board(), batches())
def test_the_nearest_are_those_of_the_first_ring_that_holds_any(
    board: Board, batch: tuple[np.random.Generator, int]
) -> None:
    candidates = some_cells(board, *batch)
    rings = [some_cells(board, *batch) for _ in range(3)]

    chosen = board.bits.cells(nearest(board.bits.pack(candidates), [board.bits.pack(ring) for ring in rings]))

    for lane in range(candidates.shape[1]):
        hits = [set(np.flatnonzero(candidates[:, lane] & ring[:, lane])) for ring in rings]
        assert set(np.flatnonzero(chosen[:, lane])) == next((hit for hit in hits if hit), set())


@settings(max_examples=40, deadline=None)
@given(any_board(), batches())
def test_preferred_where_and_a_cell_by_lot(board: Board, batch: tuple[np.random.Generator, int]) -> None:
    rng, lanes = batch
    candidates, liked = some_cells(board, rng, lanes), some_cells(board, rng, lanes)
    mask = rng.random(lanes) < 0.5
    pack, cells = board.bits.pack, board.bits.cells

    best = cells(preferred(pack(candidates), pack(liked)))
    kept = cells(where(pack(candidates), mask))
    last = pick_cell(board.bits, pack(candidates), lambda number: np.maximum(number - 1, 0))

    for lane in range(lanes):
        both = candidates[:, lane] & liked[:, lane]
        assert (best[:, lane] == (both if both.any() else candidates[:, lane])).all()
        assert (kept[:, lane] == (candidates[:, lane] & mask[lane])).all()
        held = np.flatnonzero(candidates[:, lane])
        assert last[lane] == (held[-1] if len(held) else -1)
