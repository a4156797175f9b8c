"""Lines of sight against the words of the rulebooks, worked out with fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings

from sim.core.board import (
    Board,
    axial,
    disk,
    hex_board,
    hex_sight,
    manhattan,
    open_map,
    open_sight,
    square_board,
    square_sight,
    tile_sight,
)
from tests.core.board.boards import hex_boards, square_boards

Coord = tuple[int, int]
HALF = Fraction(1, 2)


def part_inside(a: Coord, b: Coord, wall: Coord) -> tuple[Fraction, Fraction] | None:
    """The part of the segment from a (0) to b (1) that lies in a closed square, or None."""
    begin, end = Fraction(0), Fraction(1)
    for axis in (0, 1):
        low, high, way = wall[axis] - HALF - a[axis], wall[axis] + HALF - a[axis], b[axis] - a[axis]
        if way == 0:
            if not low <= 0 <= high:
                return None
        else:
            first, last = sorted((Fraction(low, 1) / way, Fraction(high, 1) / way))
            begin, end = max(begin, first), min(end, last)
    return (begin, end) if begin <= end else None


def corners_passed(a: Coord, b: Coord) -> list[tuple[Fraction, Fraction]]:
    """The corner points of squares through which the segment runs."""
    (ax, ay), (bx, by) = a, b
    points = []
    for column, row in product(range(min(ax, bx), max(ax, bx)), range(min(ay, by), max(ay, by))):
        x, y = column + HALF, row + HALF
        if (bx - ax) * (y - ay) == (by - ay) * (x - ax):
            points.append((x, y))
    return points


def sees_by_geometry(board: Board, a: Coord, b: Coord, corners: str) -> bool:
    """Meets no wall at all ("any"); or enters none, and passes no corner that touches two walls ("both")."""
    parts = [part_inside(a, b, wall) for wall in board.walls]
    if corners == "any":
        return all(part is None for part in parts)
    if any(part is not None and part[0] < part[1] for part in parts):
        return False
    for x, y in corners_passed(a, b):
        around = [(int(x + dx), int(y + dy)) for dx in (-HALF, HALF) for dy in (-HALF, HALF)]
        if sum(square in board.walls for square in around) >= 2:
            return False
    return True


def sees_by_area(holes: frozenset[Coord], a: Coord, b: Coord) -> bool:
    """The area rule, word for word: two diagonally neighbouring holes that touch the line from both sides block it."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    columns, rows = sorted((a[0], b[0])), sorted((a[1], b[1]))
    box = [hole for hole in holes if columns[0] <= hole[0] <= columns[1] and rows[0] <= hole[1] <= rows[1]]
    area = {hole: dx * (hole[1] - a[1]) - dy * (hole[0] - a[0]) for hole in box}
    if any(2 * abs(q) < abs(dx) + abs(dy) for q in area.values()):
        return False
    touching = [hole for hole in box if 2 * abs(area[hole]) == abs(dx) + abs(dy)]
    return not any(
        abs(one[0] - other[0]) == 1 and abs(one[1] - other[1]) == 1 and area[one] * area[other] < 0
        for one in touching
        for other in touching
    )


@pytest.mark.parametrize("corners", ["any", "both"])
@settings(max_examples=30, deadline=None)
@given(board=square_boards(most=6))
def test_square_sight_is_the_straight_line_between_the_centres(board: Board, corners: str) -> None:
    sees = square_sight(board, corners)

    for one, other in product(range(len(board)), repeat=2):
        assert sees[one, other] == sees_by_geometry(board, board.coords[one], board.coords[other], corners)


@settings(max_examples=40, deadline=None)
@given(board=square_boards(most=6))
def test_a_corner_closed_from_both_sides_is_the_area_rule(board: Board) -> None:
    sees = square_sight(board, "both")

    for one, other in product(range(len(board)), repeat=2):
        assert sees[one, other] == sees_by_area(board.walls, board.coords[one], board.coords[other])


@settings(max_examples=30, deadline=None)
@given(board=square_boards(diagonals="no", most=7))
def test_with_a_clear_line_the_range_equals_the_steps(board: Board) -> None:
    clear = square_sight(board, "both")

    assert (manhattan(board.coords)[clear] == board.steps[clear]).all()


SHEET_A = ".....\n.###.\n....."
SHEET_B = "#...#\n..#..\n#...#"
SHEET_C = "..#\n.#.\n..."


@pytest.mark.parametrize(
    ("sheet", "one", "other", "clear", "distance", "steps"),
    [
        (SHEET_A, (0, 0), (4, 0), True, 4, 4),
        (SHEET_A, (0, 0), (2, 2), False, 4, 4),
        (SHEET_A, (3, 0), (4, 1), True, 2, 2),
        (SHEET_A, (2, 0), (4, 1), False, 3, 3),
        (SHEET_A, (0, 1), (4, 1), False, 4, 6),
        (SHEET_B, (2, 2), (4, 1), True, 3, 3),
        (SHEET_B, (2, 2), (3, 0), False, 3, 3),
        (SHEET_C, (1, 0), (2, 1), False, 2, 6),
    ],
)
def test_sight_on_the_printed_sheets(
    sheet: str, one: Coord, other: Coord, clear: bool, distance: int, steps: int
) -> None:
    board = square_board(sheet)
    a, b = board.find(one), board.find(other)

    assert square_sight(board, "both")[a, b] == clear
    assert manhattan(board.coords)[a, b] == distance
    assert board.steps[a, b] == steps


PILLARS = """
    . . . . . . . . .
    . . . . . . . . .
    . . # . . . # . .
    . . . . . . . . .
    . . . . # . . . .
    . . . . . . . . .
    . . # . . . # . .
    . . . . . . . . .
"""


def test_sight_and_corners_between_pillars() -> None:
    strict = square_board(PILLARS, diagonals="any", rows_from="bottom", count_from=1)
    loose = square_board(PILLARS, diagonals="both", rows_from="bottom", count_from=1)
    sees = square_sight(strict, "any")

    assert sees[strict.find((1, 8)), strict.find((5, 1))]
    assert not sees[strict.find((1, 8)), strict.find((4, 1))]
    assert not strict.adjacent[strict.find((3, 7)), strict.find((4, 6))]
    assert loose.adjacent[loose.find((3, 7)), loose.find((4, 6))]


def nearest_hex(x: Fraction, y: Fraction, z: Fraction) -> Coord:
    """Cube rounding, the largest error recomputed."""
    rx, ry, rz = round(x), round(y), round(z)
    ex, ey, ez = abs(rx - x), abs(ry - y), abs(rz - z)
    if ex > ey and ex > ez:
        rx = -ry - rz
    elif ey <= ez:
        rz = -rx - ry
    return rx, rz


def sees_by_lines(board: Board, a: Coord, b: Coord) -> bool:
    length = (abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[0] + a[1] - b[0] - b[1])) // 2
    hair = Fraction(1, 10**6)
    for side in (1, -1):
        shift = (side * hair, 2 * side * hair, -3 * side * hair)
        one = [value + off for value, off in zip((a[0], -a[0] - a[1], a[1]), shift, strict=True)]
        other = [value + off for value, off in zip((b[0], -b[0] - b[1], b[1]), shift, strict=True)]
        places = []
        for i in range(1, length):
            t = Fraction(i, length)
            places.append(nearest_hex(*(u + (v - u) * t for u, v in zip(one, other, strict=True))))
        if all(place in board.coords for place in places):
            return True
    return False


@settings(max_examples=12, deadline=None)
@given(board=hex_boards(most_tiles=2))
def test_hex_sight_is_one_of_two_lines_a_hair_apart(board: Board) -> None:
    sees = hex_sight(board)

    assert (sees == sees.T).all()
    for one, other in combinations(range(len(board)), 2):
        assert sees[one, other] == sees_by_lines(board, board.coords[one], board.coords[other])


def test_an_impassable_hex_hides_what_is_straight_behind_it() -> None:
    board = hex_board({"A": disk((0, 0), 2)}, impassable=[(0, 0)])
    sees = hex_sight(board)

    assert not sees[board.find((-1, 0)), board.find((1, 0))]
    assert sees[board.find((-1, 0)), board.find((1, -1))]
    assert board.steps[board.find((-1, 0)), board.find((1, 0))] == 3
    assert sees[axial(board.coords) <= 1].all()


def test_tiles_see_the_tiles_that_they_touch() -> None:
    tiles = {"E": disk((-4, 2), 1), "T1": disk((0, 0), 2), "T2": disk((5, -2), 2), "T3": disk((10, -4), 2)}
    board = hex_board(tiles, impassable=[(0, 0), (5, -3), (5, -1), (10, -4)])

    sees = tile_sight(board)

    assert board.tiles_touch.astype(int).tolist() == [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]
    assert not sees[board.find((8, -3)), board.find((-2, 1))]
    assert sees[board.find((7, -3)), board.find((-2, 1))]


def test_an_impassable_hex_still_joins_its_tile_to_the_next() -> None:
    board = hex_board({"A": [(0, 0), (1, 0)], "B": [(2, 0), (3, 0)]}, impassable=[(1, 0)])

    assert tile_sight(board).all()
    assert not board.connected


def test_without_a_rule_everything_sees_everything() -> None:
    assert open_sight(square_board(".#.")).all()


@settings(max_examples=20, deadline=None)
@given(board=square_boards(most=6))
def test_sight_is_symmetric_and_every_cell_sees_itself(board: Board) -> None:
    for sees in (square_sight(board, "any"), square_sight(board, "both"), tile_sight(board)):
        assert (sees == sees.T).all()
        assert np.diagonal(sees).all()


def test_an_unknown_corner_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="corners='neither'"):
        square_sight(square_board(open_map(2, 2)), "neither")
