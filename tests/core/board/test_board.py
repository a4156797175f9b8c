"""What holds for boards of every kind."""

from __future__ import annotations

import doctest
import importlib
import pickle
import pkgutil
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import sim.core.board as package
from sim.core.batch import only
from sim.core.board import Board, disk, hex_board, square_board, zone_board


@dataclass(slots=True)
class Standing:
    """A state that holds a board beside arrays of lanes."""

    board: Board
    cell: NDArray[np.int64]
    occupied: NDArray[np.uint64]


BOARDS = [
    square_board("..#\n.O.", {"O": "obstructed"}, diagonals="any"),
    hex_board({"A": disk((0, 0), 2)}, impassable=[(0, 0)]),
    zone_board(["front", "rear"], [("front", "rear")]),
]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.kind)
def test_a_board_in_a_state_is_left_alone_by_compaction(board: Board) -> None:
    cell = np.array([0, 1, 0, 1])
    state = Standing(board, cell, board.bits.at(cell))

    half = only(state, cell == 1)

    assert half.board is board
    assert (half.occupied == board.bits.at(half.cell)).all()


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.kind)
def test_a_board_can_be_sent_to_a_worker(board: Board) -> None:
    board.bits.around(board.bits.every)

    sent = pickle.loads(pickle.dumps(board))

    assert sent.coords == board.coords
    assert (sent.steps == board.steps).all()
    assert (sent.bits.every == board.bits.every).all()


@pytest.mark.parametrize("module", [info.name for info in pkgutil.iter_modules(package.__path__)])
def test_the_examples_in_the_docstrings_hold(module: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(f"sim.core.board.{module}"))

    assert failed == 0


def test_everything_offered_is_there() -> None:
    assert all(hasattr(package, name) for name in package.__all__)
