"""The map of a battle as tables: range, sight, and for every reach the hexes from which a unit can be targeted.

All tables have one column more than there are hexes, for units that are nowhere (-1): nothing is in range of them. Flat
tables [from, to] are asked with `from * width + to`, where width is the number of hexes + 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import FAR, Bits, Board, disk, hex_board, hex_sight, open_sight, tile_sight
from sim.errors import Problem, ScenarioError
from sim.rulesets.second_era import data
from sim.rulesets.second_era.schema import Map


@dataclass(frozen=True, slots=True)
class Ground:
    """SE-G1 to SE-G11: the map, worked out once."""

    board: Board
    width: int  # hexes + 1
    range: NDArray[np.int16]  # flat; FAR without a chain
    adjacent: NDArray[np.bool_]  # flat
    sees: NDArray[np.bool_]  # flat
    sight: NDArray[np.bool_]  # (hexes, hexes)
    rings: Bits  # (words, most + 1, width): by range and hex, the hexes at exactly that range
    most: int  # the largest finite range
    entrance: tuple[int, ...]
    numbered: tuple[int, ...]
    hold: Bits  # (words, 1) the hexes of the entrance tile

    def rows(self, lowest: int, highest: int, sight: bool = True) -> Bits:
        """(words, width). For every hex the hexes that have it at such a range, and see it."""
        steps = self.board.steps
        related = (steps >= lowest) & (steps <= min(highest, FAR - 1))
        return self.board.bits.rows((related & self.sight if sight else related).T)

    def flat(self, lowest: int, highest: int) -> NDArray[np.bool_]:
        """Flat. Whether a unit is at such a range of a hex and seen from there."""
        steps = self.board.steps
        return _flat((steps >= lowest) & (steps <= min(highest, FAR - 1)) & self.sight, False)


def read_map(entry: str | Map) -> dict[str, Any]:
    """A map by its name, or one's own, as plain lists."""
    table = data.units("maps")[entry] if isinstance(entry, str) else entry.model_dump()
    tiles = {
        tile["name"]: [*(tuple(spot) for spot in tile.get("hexes", ())), *disks(tile.get("disks", ()))]
        for tile in table["tiles"]
    }
    return {**table, "tiles": tiles}


def disks(entries: Iterable[list[int]]) -> list[tuple[int, int]]:
    """The hexes of disks given as q, r, radius."""
    return [spot for q, r, radius in entries for spot in disk((q, r), radius)]


def lay_out(entry: str | Map, sight_rule: str) -> Ground:
    """SE-S1, SE-G1, SE-G2, SE-G3, SE-G4, SE-G5, SE-G6, SE-G7, SE-G8, SE-G9, SE-G10: the map and its tables."""
    table = read_map(entry)
    problems = []
    names = [tile["name"] if isinstance(tile, dict) else tile for tile in table["tiles"]]
    if isinstance(entry, Map) and len({tile.name for tile in entry.tiles}) < len(entry.tiles):
        problems.append(Problem("map.tiles", "two tiles have the same name"))
    hold = table.get("entrance_tile")
    if hold is not None and hold not in names:
        problems.append(Problem("map.entrance_tile", f"expected one of {', '.join(names)}, found {hold!r}"))
    if problems:
        raise ScenarioError(problems)
    marks = {name: table[name] for name in ("entrance", "numbered")}
    board = hex_board(table["tiles"], table["impassable"], marks, key="map")
    for name, spots in marks.items():
        for number, spot in enumerate(spots):
            board.find(spot, f"map.{name}[{number}]")
    sight = {"tile": tile_sight, "line": hex_sight, "none": open_sight}[sight_rule](board)
    steps = board.steps
    most = int(steps[steps < FAR].max())
    rings = np.stack([board.bits.rows(steps == distance) for distance in range(most + 1)], axis=1)
    held = board.tile == board.tiles.index(hold) if hold is not None else np.zeros(len(board), dtype=bool)
    return Ground(
        board=board,
        width=len(board) + 1,
        range=_flat(steps, FAR),
        adjacent=_flat(board.adjacent, False),
        sees=_flat(sight, False),
        sight=sight,
        rings=rings,
        most=most,
        entrance=tuple(board.find(spot) for spot in marks["entrance"]),
        numbered=tuple(board.find(spot) for spot in marks["numbered"]),
        hold=board.bits.fixed(held),
    )


def _flat(table: NDArray[Any], nothing: Any) -> NDArray[Any]:
    """A (hexes, hexes) table with a last row and column for nowhere, as one row."""
    width = len(table) + 1
    wide = np.full((width, width), nothing, dtype=table.dtype)
    wide[:-1, :-1] = table
    return wide.reshape(-1)
