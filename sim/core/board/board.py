"""A board: numbered cells, who is next to whom, and what is special about a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board.bits import Bitboards, Bits
from sim.core.board.distances import Coord, Table, cost_table, steps_table
from sim.core.board.reach import Reach, reach
from sim.errors import Problem, ScenarioError, did_you_mean


class Board:
    """Cells 0 .. n - 1 with neighbours, coordinates and features. A wall is no cell.

    Made by `square_board`, `hex_board`, `hex_board_from_map` or `zone_board`, and never changed afterwards. It is no
    dataclass on purpose: a state that holds a board can be compacted, and the board is left as it is.
    """

    def __init__(
        self,
        kind: str,
        coords: Sequence[Coord],
        directions: Sequence[str],
        beside: NDArray[np.int16],
        *,
        names: Sequence[str] | None = None,
        features: Mapping[str, NDArray[np.bool_]] | None = None,
        tiles: Sequence[str] = ("1",),
        tile: NDArray[np.int16] | None = None,
        tiles_touch: NDArray[np.bool_] | None = None,
        walls: frozenset[Coord] = frozenset(),
        letters: Sequence[str] | None = None,
        page_down: int = 1,
    ) -> None:
        cells = len(coords)
        self.kind = kind  # square, hex or zones
        self.coords = tuple(coords)  # by cell: (x, y), (q, r) or (place in the list, 0)
        self.directions = tuple(directions)
        self.beside = beside  # (directions, cells): the neighbour on that side, -1 where there is none
        self.names = tuple(names or (f"({first},{second})" for first, second in coords))
        self.features = dict(features or {})  # name -> (cells,)
        self.tiles = tuple(tiles)
        self.tile = np.zeros(cells, np.int16) if tile is None else tile  # (cells,) position in `tiles`
        self.tiles_touch = self._tiles_touch() if tiles_touch is None else tiles_touch  # (tiles, tiles)
        self.walls = walls  # places inside the map that are no cells
        self.letters = tuple(letters or "." * cells)  # as drawn on the map
        self.page_down = page_down  # +1 if the second coordinate grows down the page, -1 if it grows up
        self._cell = {coord: cell for cell, coord in enumerate(self.coords)}

    def __len__(self) -> int:
        return len(self.coords)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self is other or self._made_of == other._made_of)

    def __hash__(self) -> int:
        return hash((self.kind, self.coords))

    @cached_property
    def _made_of(self) -> tuple[Any, ...]:
        """Everything that tells one board from another, in plain values."""
        tables = (self.beside, self.tile, self.tiles_touch, *self.features.values())
        texts = (self.directions, self.names, tuple(self.features), self.tiles, self.walls, self.letters)
        return self.kind, self.coords, texts, self.page_down, tuple(table.tobytes() for table in tables)

    def __repr__(self) -> str:
        return f"<Board: {self.kind}, {len(self)} cells>"

    def _tiles_touch(self) -> NDArray[np.bool_]:
        """(tiles, tiles). Tiles that are the same, or have two cells that are neighbours."""
        touch = np.eye(len(self.tiles), dtype=np.bool_)
        for side in self.beside:
            has_one = side >= 0
            touch[self.tile[has_one], self.tile[side[has_one]]] = True
        return touch

    def find(self, place: Sequence[int] | str, key: str = "") -> int:
        """The cell at a pair of coordinates, or with a name. A place that is no cell is a ScenarioError at `key`."""
        problem = self.problem_with(place)
        if problem:
            raise ScenarioError(Problem(key, problem))
        return self.names.index(place) if isinstance(place, str) else self._cell[place[0], place[1]]

    def problem_with(self, place: Sequence[int] | str) -> str | None:
        """Why a place is no cell of this board, or None if it is one."""
        if isinstance(place, str):
            if place in self.names:
                return None
            known = ", ".join(self.names[:8]) + (", ..." if len(self) > 8 else "")
            return f"expected a cell of the board ({known}), found '{place}'{did_you_mean(place, self.names)}"
        if len(place) != 2:
            return f"expected a pair of coordinates, found {list(place)}"
        coord = (place[0], place[1])
        if coord in self._cell:
            return None
        found = f"expected a cell of the board, found ({coord[0]},{coord[1]})"
        if coord in self.walls:
            return f"{found}, which is a wall"
        first, second = zip(*self.coords, strict=True)
        axes = ("q", "r") if self.kind == "hex" else ("x", "y")
        span = f"{axes[0]} {min(first)} to {max(first)}, {axes[1]} {min(second)} to {max(second)}"
        return f"{found}, which is not on the map ({span})"

    def has(self, feature: str) -> NDArray[np.bool_]:
        """(cells,). Where a feature is; nowhere if the map does not draw it."""
        return self.features.get(feature, np.zeros(len(self), dtype=np.bool_))

    def cells_with(self, feature: str) -> list[int]:
        """The cells with a feature, lowest first."""
        return [int(cell) for cell in np.flatnonzero(self.has(feature))]

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """By cell: its neighbours, in the order of `directions`."""
        return tuple(tuple(int(cell) for cell in column if cell >= 0) for column in self.beside.T)

    @cached_property
    def adjacent(self) -> NDArray[np.bool_]:
        """(cells, cells). Two different cells that are neighbours."""
        table = np.zeros((len(self), len(self)), dtype=np.bool_)
        for cell, others in enumerate(self.neighbours):
            table[cell, list(others)] = True
        return table

    @cached_property
    def steps(self) -> Table:
        """(cells, cells). Steps of the shortest chain of neighbours, whoever stands there; FAR if there is none."""
        return steps_table(self.neighbours)

    def costs(self, enter: Sequence[int] | NDArray[np.integer]) -> Table:
        """(cells, cells). The least sum of entry costs [from, to], whoever stands there; FAR if there is no way."""
        return cost_table(self.neighbours, enter)

    @property
    def connected(self) -> bool:
        """Whether every cell can be walked to from every other."""
        return not self.cut_off

    @cached_property
    def cut_off(self) -> list[int]:
        """The cells that cannot be walked to from cell 0."""
        found = self.bits.cells(self.reach(np.zeros(1, np.int64)).all)[:, 0]  # (cells,)
        return [int(cell) for cell in np.flatnonzero(~found)]

    @cached_property
    def bits(self) -> Bitboards:
        """Sets of cells for a whole batch: one or a few 64-bit words per run."""
        return Bitboards(self.coords, self.neighbours)

    def reach(
        self,
        start: NDArray[np.integer] | Bits,
        steps: int | NDArray[np.integer] | None = None,
        *,
        blocked: Bits | None = None,
        stop: Bits | None = None,
        enter: Sequence[int] | NDArray[np.integer] | None = None,
    ) -> Reach:
        """Where a unit can go in every lane: a flood fill from `start`. See `sim.core.board.reach.reach`."""
        return reach(self.bits, start, steps, blocked=blocked, stop=stop, enter=enter)
