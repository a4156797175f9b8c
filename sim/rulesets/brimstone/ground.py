"""The ground of a fight: squares, distances, sight and tiles (BF-G1 to BF-G6), or none at all (BF-G10)."""

from __future__ import annotations

from functools import cache

import numpy as np

from sim.core.board import Bits, Board, chebyshev, open_map, square_board, square_sight
from sim.core.lanes import Small, Tiny
from sim.errors import Problem, ScenarioError

# BF-E10: the order of steps, and BF-H21: the directions of a D8. The board is made from the drawing turned upside down,
# so that cells count from the front as squares do (BF-G1); north is then down the page.
STEP_ORDER = ("S", "SE", "E", "NE", "N", "NW", "W", "SW")  # N NE E SE S SW W NW of the rules
BOUNCES = ("SW", "S", "SE", "E", "NE", "N", "NW", "W")  # NW N NE E SE S SW W of the rules


class Ground:
    """BF-G1 to BF-G6: the board with the tables that the rules index: BF-G2 tiles, BF-G4 steps, BF-G6 sight.

    Cells are numbered from the front left, walls skipped.
    """

    def __init__(self, text: str, corner_rule: str) -> None:
        lines = [line.rstrip() for line in text.expandtabs().splitlines() if line.strip()]
        self.text = "\n".join(lines)
        self.board: Board = square_board(
            "\n".join(reversed(lines)), diagonals=corner_rule, rows_from="top", count_from=1, key="board"
        )
        self.drawn: Board = square_board(self.text, diagonals=corner_rule, rows_from="bottom", count_from=1)
        self.on_drawing = [self.drawn.find(square) for square in self.board.coords]  # by cell: the cell of `drawn`
        if len(self.drawn.tiles) > 1:
            self.drawn.features |= {f"tile {n}": self.drawn.tile == t for t, n in enumerate(self.drawn.tiles)}
        self.cells = len(self.board)
        self.bits = self.board.bits
        self.width = max(len(line.replace(" ", "")) for line in lines)
        self.square = np.array([(y - 1) * self.width + x - 1 for x, y in self.board.coords], dtype=np.int16)
        self.steps: Small = self.board.steps  # (cells, cells) BF-G4
        self.range: Small = chebyshev(self.board.coords)  # (cells, cells) BF-G5
        self.sight = square_sight(self.board, corner_rule)  # (cells, cells) BF-G6
        self.adjacent = self.board.adjacent  # (cells, cells) BF-G3
        self.at_or_beside = self.adjacent | np.eye(self.cells, dtype=bool)  # (cells, cells)
        self.tile = np.array([int(self.board.tiles[t]) for t in self.board.tile], dtype=np.int8)  # (cells,) BF-G2
        touch = self.board.tiles_touch
        self.near_tile = touch[self.board.tile[:, None], self.board.tile[None, :]]  # (cells, cells) same or touching
        self.same_tile = self.board.tile[:, None] == self.board.tile[None, :]  # (cells, cells)
        sides = self.board.directions
        self.step = self.board.beside[[sides.index(name) for name in STEP_ORDER]]  # (8, cells)
        self.bounce = self.board.beside[[sides.index(name) for name in BOUNCES]]  # (8, cells)
        self.beside = self.bits.rows(self.adjacent)  # (words, cells + 1)
        self.largest_range = int(self.range.max())
        self._in_range = [self.bits.rows(self.sight & (self.range <= reach)) for reach in range(self.largest_range + 1)]
        self._nowhere = self.bits.none(self.cells + 1)
        self._nearness: dict[int, Tiny] = {}

    def in_range(self, reach: int) -> Bits:
        """(words, cells + 1). BF-G5: the squares within a range and in sight of each cell."""
        return self._nowhere if reach < 0 else self._in_range[min(reach, self.largest_range)]

    def nearness(self, reach: int) -> Tiny:
        """(cells, cells). BF-G3, BF-G5: 2 for squares next to each other, 1 for others within a range and in sight."""
        if reach not in self._nearness:
            in_range = self.sight & (self.range <= reach)
            self._nearness[reach] = np.where(self.adjacent, 2, in_range).astype(np.int8)
        return self._nearness[reach]

    def name_of(self, cell: int) -> str:
        """A square as it is told: (column,row)."""
        x, y = self.board.coords[cell]
        return f"({x},{y})"


@cache
def make_ground(text: str, corner_rule: str) -> Ground:
    """A ground, made once per drawing."""
    return Ground(text, corner_rule)


def ground_of(board: str | None, width: int | None, height: int | None, corner_rule: str) -> Ground | None:
    """The ground of a scenario; None for a fight without a board (BF-G10)."""
    if board is not None:
        return None if board.strip() == "none" else make_ground(board, corner_rule)
    if width is None or height is None:
        raise ScenarioError(Problem("board", "draw a board, give width and height, or write board = \"none\""))
    return make_ground(open_map(width, height), corner_rule)
