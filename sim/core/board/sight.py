"""Who sees whom: (cells, cells) tables, made once per board in whole numbers only.

Walls block sight and units never do; every table is symmetric and every cell sees itself.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim.core.board.board import Board
from sim.core.board.distances import Coord, axial

Sight: TypeAlias = NDArray[np.bool_]  # (cells, cells)


def open_sight(board: Board) -> Sight:
    """Everything sees everything."""
    return np.ones((len(board), len(board)), dtype=np.bool_)


def tile_sight(board: Board) -> Sight:
    """Cells of the same tile, or of tiles that touch, see each other; walls do not matter."""
    return board.tiles_touch[board.tile[:, None], board.tile[None, :]]


def square_sight(board: Board, corners: str = "both") -> Sight:
    """The straight line between the centres of two squares, which walls may block.

    A line through the inside of a wall is blocked. A line that only touches the corner of a wall is blocked with
    corners="any"; with corners="both" it is blocked if walls touch that corner from both sides of the line:

        a #        a #        from a to b the line passes between the two
        . b        # b        squares: left clear with "both", right blocked

    Write the line from a to b as (dx, dy) and the way from a to a wall as (ux, uy). The area q = dx * uy - dy * ux says
    how far the wall's centre is off the line and on which side. The line enters the inside if 2 |q| < |dx| + |dy| and
    touches a corner if both are equal. Only walls in the box that a and b span can matter.
    """
    if corners not in ("any", "both"):
        raise ValueError(f"corners={corners!r} is one of 'any', 'both'")
    cells = len(board)
    sees = np.ones((cells, cells), dtype=np.bool_)
    for one in range(cells):
        for other in range(one):
            sees[one, other] = sees[other, one] = _clear(board.coords[one], board.coords[other], board.walls, corners)
    return sees


def _clear(a: Coord, b: Coord, walls: frozenset[Coord], corners: str) -> bool:
    """Whether no wall blocks the line between the centres of two squares."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    reach = abs(dx) + abs(dy)
    touching: dict[Coord, int] = {}  # walls that the line touches at a corner -> the side they are on
    for x in range(min(a[0], b[0]), max(a[0], b[0]) + 1):
        for y in range(min(a[1], b[1]), max(a[1], b[1]) + 1):
            if (x, y) not in walls:
                continue
            q = dx * (y - a[1]) - dy * (x - a[0])
            if 2 * abs(q) < reach:
                return False
            if 2 * abs(q) == reach:
                if corners == "any":
                    return False
                touching[x, y] = 1 if q > 0 else -1
    for (x, y), side in touching.items():
        for diagonal in ((x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)):
            if touching.get(diagonal) == -side:
                return False
    return True


def hex_sight(board: Board) -> Sight:
    """A line of hexes, drawn twice: shifted by a hair to one side and to the other. One clear line is enough.

    With N the distance in hexes, the line is looked at in N - 1 places between its ends, and every place rounded to a
    hex. It is clear if all of them are cells of the board. Neighbours always see each other.
    """
    cells = len(board)
    distance = axial(board.coords)
    floor = frozenset(board.coords)
    sees = np.ones((cells, cells), dtype=np.bool_)
    for one in range(cells):
        for other in range(one):
            ends = board.coords[one], board.coords[other], int(distance[one, other])
            sees[one, other] = sees[other, one] = any(floor.issuperset(_line(*ends, side)) for side in (1, -1))
    return sees


HAIR = 1_000_000  # the line is shifted by a millionth of a hex


def _line(a: Coord, b: Coord, length: int, side: int) -> list[Coord]:
    """The hexes strictly between a and b on the line shifted to one side, in whole numbers.

    A place on the line is (x, y, z) with x = q, z = r, x + y + z = 0, counted in units of 1 / (length * HAIR).
    """
    unit = length * HAIR
    ax, az = a
    bx, bz = b
    hexes = []
    for i in range(1, length):
        x = ((length - i) * ax + i * bx) * HAIR + side * length
        z = ((length - i) * az + i * bz) * HAIR - 3 * side * length
        y = -x - z  # which is its own place plus 2 * side * length
        near = [(2 * value + unit) // (2 * unit) for value in (x, y, z)]  # to the nearest whole number
        off = [abs(value - whole * unit) for value, whole in zip((x, y, z), near, strict=True)]
        worst = off.index(max(off))
        near[worst] -= sum(near)  # the largest rounding error is made good
        hexes.append((near[0], near[2]))
    return hexes
