"""The board: sight, corners, steps."""

from __future__ import annotations

import pytest

from tests.oracle import brimstone as bf


@pytest.mark.rule("BF-G3", "BF-G5", "BF-G6")
def test_we14_line_of_sight_and_corners_on_the_pillars_board() -> None:
    strict = bf.read_board({"board": bf.PILLARS}, "any")
    loose = bf.read_board({"board": bf.PILLARS}, "both")

    def sees(board: bf.Board, a: tuple[int, int], b: tuple[int, int]) -> bool:
        return board.sight(board.at(a[0] - 1, a[1] - 1))[board.at(b[0] - 1, b[1] - 1)]

    assert sees(strict, (1, 8), (5, 1))
    assert not sees(strict, (1, 8), (4, 1))
    assert strict.at(3, 5) not in strict.near[strict.at(2, 6)]
    assert loose.at(3, 5) in loose.near[loose.at(2, 6)]
    assert not sees(strict, (2, 7), (4, 5))
    assert not sees(loose, (2, 7), (4, 5))
    assert not sees(strict, (3, 7), (4, 6))
    assert sees(loose, (3, 7), (4, 6))


@pytest.mark.rule("BF-G6")
@pytest.mark.parametrize("rule", ["any", "both"])
def test_sight_is_symmetric_and_adjacent_squares_see_each_other(rule: str) -> None:
    board = bf.read_board({"board": ". . # .\n. # . .\n. . . #\n# . . ."}, rule)

    for a in board.floor:
        for b in board.floor:
            assert board.sight(a)[b] == board.sight(b)[a]
        assert all(board.sight(a)[b] for b in board.near[a])


@pytest.mark.rule("BF-G6")
def test_a_corner_between_two_walls_blocks_both_sight_rules() -> None:
    board = bf.read_board({"board": "# .\n. #"}, "both")

    assert not board.sight(board.at(0, 0))[board.at(1, 1)]
    assert board.at(1, 1) not in board.near[board.at(0, 0)]


@pytest.mark.rule("BF-G4")
def test_steps_on_an_open_board_are_the_larger_difference() -> None:
    board = bf.read_board({"width": 5, "height": 4}, "any")

    assert all(board.steps(a)[b] == board.ranges[a][b] for a in board.floor for b in board.floor)
