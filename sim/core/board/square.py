"""Boards of squares, with or without diagonal steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.board.board import Board
from sim.core.board.distances import Coord
from sim.core.board.maps import Drawn, Legend, read_square_map

# As seen on the page, whichever way y grows: N is up.
#
#     NW N NE
#      W . E
#     SW S SE
PAGE_STEPS: dict[str, Coord] = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}

# How many of the two squares beside a diagonal step must be walls to close the corner; "no" means no diagonal steps.
DIAGONALS = {"no": 0, "any": 1, "both": 2}


def square_board(
    text: str,
    legend: Legend | None = None,
    *,
    diagonals: str = "no",
    rows_from: str = "top",
    count_from: int = 0,
    key: str = "board.map",
) -> Board:
    """A board from a text map, cells numbered row by row from the top left, walls skipped.

    Args:
        legend: letter -> feature; see `sim.core.board.maps`.
        diagonals: "no" for four neighbours; "any" and "both" for eight, where a diagonal step is forbidden if any, or
            only if both, of the two squares beside it are walls. What lies outside of the map is wall.
        rows_from: "top" if y grows down the page, "bottom" if the last line of the map is the first row.
        count_from: the smallest x and y.
        key: where the map stands in the file, for error messages.
    """
    if diagonals not in DIAGONALS or rows_from not in ("top", "bottom"):
        raise ValueError(f"diagonals={diagonals!r} is one of {list(DIAGONALS)}, rows_from={rows_from!r} top or bottom")
    drawn = read_square_map(text, legend, key)
    floor = [place for place, what in drawn.items() if not what.is_wall]  # (column, row) on the page
    cell_at = {place: cell for cell, place in enumerate(floor)}
    directions = [name for name in PAGE_STEPS if diagonals != "no" or len(name) == 1]

    beside = np.full((len(directions), len(floor)), -1, dtype=np.int16)  # (directions, cells)
    for cell, (column, row) in enumerate(floor):
        for number, name in enumerate(directions):
            across, down = PAGE_STEPS[name]
            goal = cell_at.get((column + across, row + down), -1)
            if goal >= 0 and not (across and down and _closed(column, row, across, down, cell_at, diagonals)):
                beside[number, cell] = goal

    last_row = max(row for _, row in drawn)

    def coord(place: Coord) -> Coord:
        column, row = place
        return column + count_from, (row if rows_from == "top" else last_row - row) + count_from

    tiles = sorted({drawn[place].tile for place in floor})
    return Board(
        "square",
        [coord(place) for place in floor],
        directions,
        beside,
        features=_features([drawn[place] for place in floor]),
        tiles=tiles,
        tile=np.array([tiles.index(drawn[place].tile) for place in floor], dtype=np.int16),
        walls=frozenset(coord(place) for place, what in drawn.items() if what.is_wall),
        letters=[drawn[place].letter for place in floor],
        page_down=1 if rows_from == "top" else -1,
    )


def _closed(column: int, row: int, across: int, down: int, cell_at: dict[Coord, int], diagonals: str) -> bool:
    """Whether the corner that a diagonal step crosses is closed.

        a b      the step from a to d crosses the corner
        c d      between b and c
    """
    walls = ((column + across, row) not in cell_at) + ((column, row + down) not in cell_at)
    return walls >= DIAGONALS[diagonals]


def _features(drawn: list[Drawn]) -> dict[str, NDArray[np.bool_]]:
    """Feature -> (cells,), for every feature that is drawn somewhere."""
    names = sorted({name for what in drawn for name in what.features})
    return {name: np.array([name in what.features for what in drawn], dtype=np.bool_) for name in names}
