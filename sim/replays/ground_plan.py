"""Where cells and units lie on the page: squares, hexes, and zones in rows; several units on one cell side by side.

A plan is made for one board and everything that ever stands on it. Lengths are those of the drawing, in which a cell is
CELL wide; the page scales it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, cos, pi, sin, sqrt
from typing import TypeAlias

from sim.core.board import Board
from sim.core.telling import Scene, Token

Point: TypeAlias = tuple[float, float]
Place: TypeAlias = tuple[int, int]  # coordinates of a cell or a wall

CELL = 40.0
ROOM = 0.8  # of a cell, for those who stand on it
LARGEST = 15.0  # radius of a token
FALLEN = 0.55  # of its size, for who lies where somebody stands
MARGIN = 16.0  # around squares, for the numbers along the edges
SLOT = 46.0  # across, for a unit in a row
LINE = 42.0  # down, for the units of a row
TITLE = 15.0  # above the units of a row, for its name
FEWEST_ABREAST, MOST_ABREAST = 5, 9


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a token lies, and how large it is there."""

    x: float
    y: float
    radius: float


class Plan(ABC):
    """The plan of one board."""

    board: Board | None
    box: tuple[float, float, float, float]  # x, y, width, height

    @abstractmethod
    def spots(self, tokens: Sequence[Token]) -> dict[str, Spot]:
        """By key: where everybody lies."""

    @abstractmethod
    def centre(self, place: Place) -> Point:
        """The middle of a cell or a wall."""

    @abstractmethod
    def outline(self, place: Place) -> list[Point]:
        """Its corners."""


def plan_for(board: Board | None, scenes: Iterable[Scene]) -> Plan:
    """The plan for a board; without one, both sides stand in a row each."""
    crowds = [scene.tokens for scene in scenes]
    if board is None or board.kind == "zones":
        return Rows(board, crowds)
    return Grid(board, crowds)


# ---------------------------------------------------------------------------------------------------------------------
# Squares and hexes
# ---------------------------------------------------------------------------------------------------------------------


class Grid(Plan):
    """Squares of side CELL, or hexes with a pointed top that lie CELL apart."""

    def __init__(self, board: Board, crowds: Iterable[Sequence[Token]]) -> None:
        self.board: Board = board
        corners = [corner for place in (*board.coords, *board.walls) for corner in self.outline(place)]
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        around = MARGIN if board.kind == "square" else 3.0
        self.left, self.below = left, bottom + around + TITLE
        self.abreast = max(1, int((right - left) // SLOT))
        beside = max((sum(token.place is None for token in crowd) for crowd in crowds), default=0)
        more = TITLE + LINE * ceil(beside / self.abreast) if beside else 0.0  # for those who are not on the board
        self.has_beside = beside > 0
        self.box = (left - around, top - 3, right - left + around + 3, bottom - top + around + 3 + more)

    def centre(self, place: Place) -> Point:
        """The middle of a cell or a wall."""
        first, second = place
        if self.board.kind == "hex":
            return CELL * (first + second / 2), CELL * second * sqrt(3) / 2
        return CELL * first, CELL * second * self.board.page_down

    def outline(self, place: Place) -> list[Point]:
        """Its corners."""
        x, y = self.centre(place)
        if self.board.kind == "hex":
            angles = [pi / 6 - corner * pi / 3 for corner in range(6)]
            return [(x + CELL * cos(angle) / sqrt(3), y + CELL * sin(angle) / sqrt(3)) for angle in angles]
        half = CELL / 2
        return [(x + half, y - half), (x + half, y + half), (x - half, y + half), (x - half, y - half)]

    def spots(self, tokens: Sequence[Token]) -> dict[str, Spot]:
        """Those on a cell share it; who has fallen makes room for who stands."""
        found: dict[str, Spot] = {}
        together: dict[int, list[Token]] = {}
        beside = []
        for token in tokens:
            if token.place is None:
                beside.append(token)
            else:
                together.setdefault(token.place, []).append(token)
        for cell, company in together.items():
            found |= self._on_a_cell(self.centre(self.board.coords[cell]), company)
        for number, token in enumerate(beside):
            x = self.left + SLOT * (number % self.abreast + 0.5)
            found[token.key] = Spot(x, self.below + LINE * (number // self.abreast + 0.5), LARGEST)
        return found

    def _on_a_cell(self, centre: Point, company: Sequence[Token]) -> dict[str, Spot]:
        standing = [token for token in company if not token.down]
        fallen = [token for token in company if token.down]
        if not standing or not fallen:
            return _side_by_side(centre, company, CELL * ROOM)
        x, y = centre
        corner = (x + 0.27 * CELL, y + 0.27 * CELL)
        return _side_by_side(corner, fallen, CELL * ROOM * FALLEN) | _side_by_side(centre, standing, CELL * ROOM)


def _side_by_side(centre: Point, company: Sequence[Token], room: float) -> dict[str, Spot]:
    """Everybody in rows as square as can be, within a square of this side."""
    x, y = centre
    columns = ceil(sqrt(len(company)))
    rows = ceil(len(company) / columns)
    pitch = room / columns
    found = {}
    for number, token in enumerate(company):
        in_row = min(columns, len(company) - number // columns * columns)
        across = (number % columns - (in_row - 1) / 2) * pitch
        down = (number // columns - (rows - 1) / 2) * pitch
        found[token.key] = Spot(x + across, y + down, min(LARGEST, pitch * 0.46))
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Zones in rows
# ---------------------------------------------------------------------------------------------------------------------

SIDES = ("enemy", "party")  # from the top, where there is no board
NOWHERE = "not on the board"


@dataclass(frozen=True, slots=True)
class Row:
    """A zone on the page."""

    name: str
    top: float
    height: float


class Rows(Plan):
    """A row for every zone, from the top; where there is no board, a row for each side."""

    def __init__(self, board: Board | None, crowds: Iterable[Sequence[Token]]) -> None:
        self.board = board
        names = list(SIDES) if board is None else list(board.names)
        most = [0] * (len(names) + 1)  # in each row, and beside the board
        for crowd in crowds:
            for row, company in enumerate(self._by_row(crowd, len(names))):
                most[row] = max(most[row], len(company))
        if most[-1]:
            names.append(NOWHERE)
        self.abreast = max(FEWEST_ABREAST, min(MOST_ABREAST, max(most)))
        self.rows: list[Row] = []
        top = 0.0
        for name, number in zip(names, most, strict=False):
            height = TITLE + LINE * max(1, ceil(number / self.abreast)) + 4
            self.rows.append(Row(name, top, height))
            top += height + 6
        self.width = SLOT * self.abreast + 8
        self.box = (-2.0, -2.0, self.width + 4, top - 2)

    def _by_row(self, tokens: Sequence[Token], zones: int) -> list[list[Token]]:
        """Who stands in which row; the last is beside the board."""
        found: list[list[Token]] = [[] for _ in range(zones + 1)]
        for token in tokens:
            if self.board is None:
                found[SIDES.index(token.side)].append(token)
            else:
                found[zones if token.place is None else token.place].append(token)
        return found

    def centre(self, place: Place) -> Point:
        """The middle of the row of a zone."""
        row = self.rows[place[0]]
        return self.width / 2, row.top + row.height / 2

    def outline(self, place: Place) -> list[Point]:
        """The corners of the row of a zone."""
        row = self.rows[place[0]]
        return [(0, row.top), (self.width, row.top), (self.width, row.top + row.height), (0, row.top + row.height)]

    def spots(self, tokens: Sequence[Token]) -> dict[str, Spot]:
        """One after the other, from the left."""
        found = {}
        zones = len(SIDES) if self.board is None else len(self.board)
        for row, company in zip(self.rows, self._by_row(tokens, zones), strict=False):
            for number, token in enumerate(company):
                x = 4 + SLOT * (number % self.abreast + 0.5)
                y = row.top + TITLE + LINE * (number // self.abreast + 0.5)
                found[token.key] = Spot(x, y, LARGEST)
        return found
