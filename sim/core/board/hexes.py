"""Boards of hexes, pointy side up, in axial coordinates (q, r).

  NW   NE                (0,-1) (1,-1)
W    .    E          (-1,0)  (0,0)  (1,0)
  SW   SE                (-1,1) (0,1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sim.core.board.board import Board
from sim.core.board.distances import Coord
from sim.core.board.maps import MOST_CELLS, Legend, read_hex_map
from sim.errors import Problem, ScenarioError

HEX_STEPS: dict[str, Coord] = {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}


def disk(centre: Sequence[int], radius: int) -> list[Coord]:
    """All hexes within a distance of the centre, in ascending (q, r).

    >>> disk((0, 0), 1)
    [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)]
    """
    q0, r0 = centre
    return [
        (q0 + q, r0 + r)
        for q in range(-radius, radius + 1)
        for r in range(max(-radius, -q - radius), min(radius, -q + radius) + 1)
    ]


def hex_board(
    tiles: Mapping[str, Iterable[Sequence[int]]],
    impassable: Iterable[Sequence[int]] = (),
    features: Mapping[str, Iterable[Sequence[int]]] | None = None,
    *,
    most: int = MOST_CELLS,
    key: str = "board",
) -> Board:
    """A board from tiles: name -> its hexes (a list, or a `disk`). Cells are numbered in ascending (q, r).

    Args:
        impassable: hexes of the map that are no cells. They still count when tiles are tested for touching.
        features: name -> hexes that have it.
        most: how many cells it may have.
        key: where the map stands in the file, for error messages.
    """
    tile_of: dict[Coord, str] = {}
    problems = []
    for name, hexes in tiles.items():
        for q, r in hexes:
            if tile_of.setdefault((q, r), name) != name:
                message = f"hex ({q},{r}) is also in tile '{tile_of[q, r]}'; every hex belongs to one tile"
                problems.append(Problem(f"{key}.tiles.{name}", message))
    walls = {(q, r) for q, r in impassable}
    marked = {name: {(q, r) for q, r in hexes} for name, hexes in (features or {}).items()}
    for name, hexes in {"impassable": walls, **marked}.items():
        for q, r in sorted(hexes - tile_of.keys()):
            problems.append(Problem(f"{key}.{name}", f"hex ({q},{r}) is in no tile; add it to one"))
    cells = sorted(tile_of.keys() - walls)
    if len(cells) > most:
        problems.append(Problem(key, f"a map may have at most {most:,} hexes, found {len(cells):,}"))
    if not cells:
        problems.append(Problem(key, "the map has no hex to stand on; add a tile"))
    if problems:
        raise ScenarioError(problems)
    return _board(cells, tile_of, list(tiles), walls, marked, {})


def hex_board_from_map(
    text: str, legend: Legend | None = None, *, first: Coord = (0, 0), key: str = "board.map"
) -> Board:
    """A board from a text map; the first letter of the map is the hex `first`. See `sim.core.board.maps`."""
    drawn = read_hex_map(text, legend, first, key)
    floor = {place: what for place, what in drawn.items() if not what.is_wall}
    names = {name for what in floor.values() for name in what.features}
    return _board(
        sorted(floor),
        {place: what.tile for place, what in floor.items()},
        sorted({what.tile for what in floor.values()}),
        drawn.keys() - floor.keys(),
        {name: {place for place, what in floor.items() if name in what.features} for name in sorted(names)},
        {place: what.letter for place, what in floor.items()},
    )


def _board(
    cells: list[Coord],
    tile_of: Mapping[Coord, str],
    tiles: list[str],
    walls: Iterable[Coord],
    features: Mapping[str, set[Coord]],
    letters: Mapping[Coord, str],
) -> Board:
    cell_at = {place: cell for cell, place in enumerate(cells)}
    beside = np.full((len(HEX_STEPS), len(cells)), -1, dtype=np.int16)  # (directions, cells)
    for cell, (q, r) in enumerate(cells):
        for number, (dq, dr) in enumerate(HEX_STEPS.values()):
            beside[number, cell] = cell_at.get((q + dq, r + dr), -1)
    return Board(
        "hex",
        cells,
        tuple(HEX_STEPS),
        beside,
        features={name: np.array([cell in hexes for cell in cells], np.bool_) for name, hexes in features.items()},
        tiles=tiles,
        tile=np.array([tiles.index(tile_of[cell]) for cell in cells], dtype=np.int16),
        tiles_touch=_tiles_that_touch(tile_of, tiles),
        walls=frozenset(walls),
        letters=[letters.get(cell, ".") for cell in cells],
    )


def _tiles_that_touch(tile_of: Mapping[Coord, str], tiles: list[str]) -> NDArray[np.bool_]:
    """(tiles, tiles). Tiles that are the same, or have two hexes side by side, impassable ones included."""
    touch = np.eye(len(tiles), dtype=np.bool_)
    for (q, r), name in tile_of.items():
        for dq, dr in HEX_STEPS.values():
            other = tile_of.get((q + dq, r + dr), name)
            touch[tiles.index(name), tiles.index(other)] = True
    return touch
