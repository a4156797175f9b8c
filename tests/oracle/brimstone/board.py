"""Section 2.4: squares, steps, range, sight."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Any

FAR = 10**6  # steps between squares that no path joins
STEP_ORDER = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # N NE E SE S SW W NW
BOUNCES = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))  # BF-H21: D8 of 1 to 8


def meets_square(ax: int, ay: int, bx: int, by: int, cx: int, cy: int, boundary: bool) -> bool:
    """Whether the segment from centre a to centre b meets square c, with or without the square's boundary.

    In half squares, so that all corners are whole numbers. Two convex shapes are apart if and only if some line
    parallel to an edge of one of them lies between.
    """
    ax, ay, bx, by, cx, cy = 2 * ax, 2 * ay, 2 * bx, 2 * by, 2 * cx, 2 * cy
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x in (cx - 1, cx + 1) for y in (cy - 1, cy + 1)]
    gaps = (
        min(ax, bx) - (cx + 1),
        (cx - 1) - max(ax, bx),
        min(ay, by) - (cy + 1),
        (cy - 1) - max(ay, by),
        min(sides),
        -max(sides),
    )
    return max(gaps) <= 0 if boundary else max(gaps) < 0


class Board:
    """BF-G1 to G6. Squares are numbered (y - 1) * width + (x - 1)."""

    none = False

    def __init__(self, rows: tuple[str, ...], corner_rule: str) -> None:
        """`rows` from the back (y = height) to the front (y = 1), one sign per square."""
        self.width, self.height = len(rows[0]), len(rows)
        self.corner_rule = corner_rule
        signs = "".join(reversed(rows))
        self.tile = [0 if sign == "#" else 1 if sign == "." else int(sign) for sign in signs]
        self.floor = [square for square, tile in enumerate(self.tile) if tile]
        self.xs = [square % self.width for square in range(len(signs))]
        self.ys = [square // self.width for square in range(len(signs))]
        self.neighbours = [self._neighbours(square) for square in range(len(signs))]  # in the order N, NE, ... NW
        self.near = [frozenset(around) for around in self.neighbours]
        places = list(zip(self.xs, self.ys, strict=True))
        self.ranges = [[max(abs(x - u), abs(y - v)) for u, v in places] for x, y in places]
        self._steps: list[list[int] | None] = [None] * len(signs)
        self._sight: list[list[bool] | None] = [None] * len(signs)
        self.touching = self._touching_tiles()
        self.placement = {tile: self._placement(tile) for tile in set(self.tile) - {0}}

    def at(self, x: int, y: int) -> int:
        """The number of square (x, y), counted from 0; -1 outside."""
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else -1

    def is_floor(self, x: int, y: int) -> bool:
        square = self.at(x, y)
        return square >= 0 and self.tile[square] > 0

    def _neighbours(self, square: int) -> tuple[int, ...]:
        """BF-G3."""
        x, y = self.xs[square], self.ys[square]
        if not self.tile[square]:
            return ()
        around = []
        for dx, dy in STEP_ORDER:
            if not self.is_floor(x + dx, y + dy):
                continue
            if dx and dy:
                others = self.is_floor(x + dx, y) + self.is_floor(x, y + dy)
                if others < (2 if self.corner_rule == "any" else 1):
                    continue
            around.append(self.at(x + dx, y + dy))
        return tuple(around)

    def steps(self, square: int) -> list[int]:
        """BF-G4: the steps from a square to every other."""
        row = self._steps[square]
        if row is None:
            row = [FAR] * len(self.tile)
            row[square] = 0
            queue = deque([square])
            while queue:
                here = queue.popleft()
                for there in self.neighbours[here]:
                    if row[there] == FAR:
                        row[there] = row[here] + 1
                        queue.append(there)
            self._steps[square] = row
        return row

    def sight(self, square: int) -> list[bool]:
        """BF-G6: which squares a square sees."""
        row = self._sight[square]
        if row is None:
            if len(self.floor) == len(self.tile):
                row = [True] * len(self.tile)
            else:
                row = [self._sees(square, other) for other in range(len(self.tile))]
            self._sight[square] = row
        return row

    def _sees(self, a: int, b: int) -> bool:
        ax, ay, bx, by = self.xs[a], self.ys[a], self.xs[b], self.ys[b]
        wide, high = range(min(ax, bx), max(ax, bx) + 1), range(min(ay, by), max(ay, by) + 1)
        walls = [(x, y) for x in wide for y in high if not self.tile[self.at(x, y)]]
        if self.corner_rule == "any":
            return not any(meets_square(ax, ay, bx, by, x, y, boundary=True) for x, y in walls)
        if any(meets_square(ax, ay, bx, by, x, y, boundary=False) for x, y in walls):
            return False
        return not any(
            self._through_corner(ax, ay, bx, by, x, y) and self._walls_at_corner(x, y) >= 2
            for x in wide[:-1]
            for y in high[:-1]
        )

    @staticmethod
    def _through_corner(ax: int, ay: int, bx: int, by: int, x: int, y: int) -> bool:
        """Whether the segment passes the corner point between (x, y) and (x + 1, y + 1), which lies in its box."""
        return (bx - ax) * (2 * y + 1 - 2 * ay) == (by - ay) * (2 * x + 1 - 2 * ax)

    def _walls_at_corner(self, x: int, y: int) -> int:
        return sum(not self.is_floor(x + dx, y + dy) for dx in (0, 1) for dy in (0, 1))

    def in_range(self, a: int, b: int, reach: int) -> bool:
        """BF-G5."""
        return self.ranges[a][b] <= reach and self.sight(a)[b]

    def _touching_tiles(self) -> dict[int, set[int]]:
        """11.4, UTerror: every tile with itself and the tiles that have squares adjacent to it."""
        touching: dict[int, set[int]] = {tile: {tile} for tile in self.tile if tile}
        for square in self.floor:
            touching[self.tile[square]].update(self.tile[other] for other in self.neighbours[square])
        return touching

    def _placement(self, tile: int) -> list[int]:
        """BF-S10 to S12: the squares of a tile in the order in which models take them."""
        squares = [square for square in self.floor if self.tile[square] == tile]
        squares.sort(key=lambda square: (-self.ys[square], self.xs[square]))
        parity = (self.xs[squares[0]] + self.ys[squares[0]]) % 2
        primary = [square for square in squares if (self.xs[square] + self.ys[square]) % 2 == parity]
        return primary + [square for square in squares if square not in primary]

    def bounce(self, square: int, direction: int) -> int:
        """BF-H21, H22: where a bounce toward a direction (1 to 8) ends."""
        dx, dy = BOUNCES[direction - 1]
        there = self.at(self.xs[square] + dx, self.ys[square] + dy)
        return there if there in self.near[square] else square


class NoBoard(Board):
    """BF-G10: all heroes stand on square 0, all enemies on square 1; the two are adjacent, neither to itself."""

    none = True

    def __init__(self) -> None:
        self.tile = [1, 1]
        self.floor = [0, 1]
        self.neighbours = [(1,), (0,)]
        self.near = [frozenset({1}), frozenset({0})]
        self.ranges = [[0, 1], [1, 0]]
        self._steps = [[0, 1], [1, 0]]
        self._sight = [[True, True], [True, True]]
        self.touching = {1: {1}}
        self.placement = {1: []}


@lru_cache(maxsize=64)
def board_of(rows: tuple[str, ...], corner_rule: str) -> Board:
    return Board(rows, corner_rule)


def read_board(scenario: dict[str, Any], corner_rule: str) -> Board:
    """The board of a scenario: a drawing, "none", or width and height."""
    drawing = scenario.get("board")
    if drawing == "none":
        return NoBoard()
    if drawing is None:
        rows = ("." * scenario["width"],) * scenario["height"]
    else:
        rows = tuple("".join(line.split()) for line in drawing.splitlines() if line.strip())
    if len({len(row) for row in rows}) != 1:
        raise ValueError("board: all rows must have the same length")
    return board_of(rows, corner_rule)
