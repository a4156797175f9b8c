"""What a designer is told about a map that cannot be read."""

from __future__ import annotations

import tomllib

import pytest

from sim.core.board import hex_board_from_map, open_map, square_board
from sim.errors import ScenarioError


def test_a_map_comes_from_a_toml_text() -> None:
    table = tomllib.loads('map = """\n. . O\n. # .\n"""\n')

    board = square_board(table["map"], {"O": "obstructed"})

    assert len(board) == 5
    assert board.cells_with("obstructed") == [2]


def test_blanks_between_the_letters_do_not_matter_on_squares() -> None:
    tight, loose = square_board("S......", {"S": "entrance"}), square_board("  S . . . . . .  ", {"S": "entrance"})

    assert tight.coords == loose.coords
    assert tight.cells_with("entrance") == loose.cells_with("entrance") == [0]


def test_all_unknown_letters_are_named_with_row_and_column() -> None:
    with pytest.raises(ScenarioError) as error:
        square_board(". o .\n. . ?", {"O": "obstructed"}, key="board.map")

    assert [str(problem) for problem in error.value.problems] == [
        "board.map: row 1, column 2: unknown letter 'o'; did you mean 'O'?"
        " (known: '.' plain, '#' wall, 'O' obstructed, 1-9 tiles)",
        "board.map: row 2, column 3: unknown letter '?' (known: '.' plain, '#' wall, 'O' obstructed, 1-9 tiles)",
    ]


def test_rows_of_different_length_are_refused() -> None:
    with pytest.raises(ScenarioError, match="row 2: 2 cells, but row 1 has 3; draw '#' where there is none"):
        square_board("...\n..\n...")


@pytest.mark.parametrize("text", ["", "\n\n", "##\n##"])
def test_a_map_without_cells_is_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match="no cells"):
        square_board(text)


def test_a_hex_that_is_out_of_line_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"row 2, column 1: '\.' is not in line with the rows above"):
        hex_board_from_map(". .\n. .")


def test_an_open_map_is_all_plain() -> None:
    board = square_board(open_map(8, 5))

    assert len(board) == 40
    assert not board.walls


@pytest.mark.parametrize(
    ("columns", "rows", "expected"),
    [
        (41, 40, "a board may have at most 1,600 cells, found 1,640"),
        (101, 1, "a board may have at most 100 rows and columns, found 1 by 101"),
        (1000, 1000, "a board may have at most 100 rows and columns, found 1,000 by 1,000"),
    ],
)
def test_a_board_has_a_size_limit_that_is_told(columns: int, rows: int, expected: str) -> None:
    with pytest.raises(ScenarioError, match=expected):
        square_board(open_map(columns, rows))

    assert len(square_board(open_map(40, 40))) == 1600
