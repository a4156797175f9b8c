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
    across, down = (np.array(axis, dtype=np.int64) for axis in zip(*board.coords, strict=True))  # (cells,) each
    across, down = across - across.min(), down - down.min()
    walls = _wall_map(board)
    cell_at = np.full(walls.shape, -1, dtype=np.int64)  # (wide, high)
    cell_at[across, down] = np.arange(len(board))
    sees = np.ones((len(board), len(board)), dtype=np.bool_)
    for dx in range(walls.shape[0]):
        for dy in range(-walls.shape[1] + 1 if dx else 1, walls.shape[1]):
            # All pairs of squares that lie so far apart: the squares of their lines are shifted windows of the map.
            window = (walls.shape[0] - dx, walls.shape[1] - abs(dy))
            low = max(-dy, 0)
            one = cell_at[: window[0], low : low + window[1]]
            other = cell_at[dx:, low + dy : low + dy + window[1]]
            pairs = (one >= 0) & (other >= 0)
            if not pairs.any():
                continue
            blocked = _blocked(walls, dx, dy, window, corners)[pairs]
            a, b = one[pairs][blocked], other[pairs][blocked]
            sees[a, b] = sees[b, a] = False
    return sees


def _wall_map(board: Board) -> NDArray[np.bool_]:
    """(wide, high). Where walls are, in the box that the cells span."""
    first, second = zip(*board.coords, strict=True)
    left, top = min(first), min(second)
    walls = np.zeros((max(first) - left + 1, max(second) - top + 1), dtype=np.bool_)
    for x, y in board.walls:
        if 0 <= x - left < walls.shape[0] and 0 <= y - top < walls.shape[1]:
            walls[x - left, y - top] = True
    return walls


def _blocked(walls: NDArray[np.bool_], dx: int, dy: int, window: Coord, corners: str) -> NDArray[np.bool_]:
    """(window). Whether a wall blocks the line to the square (dx, dy) away, from every square of the window."""
    reach = dx + abs(dy)
    low = max(-dy, 0)
    found = np.zeros(window, dtype=np.bool_)
    touching: dict[Coord, tuple[int, NDArray[np.bool_]]] = {}  # way to a square whose corner the line touches
    for ux in range(dx + 1):
        for uy in _along(dx, dy, ux, reach):
            q = dx * uy - dy * ux
            wall = walls[ux : ux + window[0], low + uy : low + uy + window[1]]
            if 2 * abs(q) < reach or corners == "any":
                found |= wall
                continue
            side = 1 if q > 0 else -1
            for diagonal in ((ux - 1, uy + 1), (ux - 1, uy - 1)):  # those to the right are still to come
                if diagonal in touching and touching[diagonal][0] == -side:
                    found |= wall & touching[diagonal][1]
            touching[ux, uy] = side, wall
    return found


def _along(dx: int, dy: int, ux: int, reach: int) -> range:
    """The rows of a column that the line enters or touches: 2 |dx * uy - dy * ux| <= reach, between its ends."""
    least, most = min(dy, 0), max(dy, 0)
    if dx:
        least = max(least, -((reach - 2 * dy * ux) // (2 * dx)))
        most = min(most, (reach + 2 * dy * ux) // (2 * dx))
    return range(least, most + 1)


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
