"""The map of a battle as tables: range, sight, and for every reach the hexes from which a unit can be targeted.

All tables have one row and one column more than there are hexes, and nothing is in range of them. Units that are
nowhere (-1) may therefore be looked up like all others: whatever axis it stands for, -1 finds one of these entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.board import FAR, Bits, Board, disk, hex_board, hex_sight, open_sight, tile_sight
from sim.core.board.bits import Cell
from sim.core.board.sets import nearest
from sim.core.lanes import Mask, N, Small, columns
from sim.errors import Problem, ScenarioError
from sim.rulesets.second_era import data
from sim.rulesets.second_era.schema import MOST_HEXES, Map


@dataclass(frozen=True, slots=True)
class Ground:
    """SE-G1 to SE-G11: the map, worked out once."""

    board: Board
    range: Small  # (from, to); FAR without a chain
    adjacent: Mask  # (from, to)
    sees: Mask  # (from, to)
    sight: Mask  # (hexes, hexes): the same without nowhere
    beside: Bits  # (words, cell): the hexes next to a hex that see it
    rings: Bits  # (words, most + 1, cell): by range and hex, the hexes at exactly that range
    most: int  # the largest finite range
    entrance: tuple[int, ...]
    numbered: tuple[int, ...]
    hold: Bits  # (words, 1) the hexes of the entrance tile

    def covering(self, lowest: int, highest: int) -> Mask:
        """(from, to). Whether a unit is at such a range of a hex and seen from there."""
        return _with_nowhere(_apart(self.board, lowest, highest) & self.sight, False)

    def shots(self, lowest: int, highest: int) -> Bits:
        """(words, cell). For every hex the hexes that have it at such a range, and see it."""
        return self.board.bits.rows((_apart(self.board, lowest, highest) & self.sight).T)

    def within(self, highest: int) -> Bits:
        """(words, cell). For every hex the hexes that have it at most so far away, seen or not."""
        return self.board.bits.rows(_apart(self.board, 0, highest).T)

    def nearest(self, candidates: Bits, goal: Cell) -> Bits:
        """(words, lanes). SE-T5: the candidates with the smallest range to a hex; none if none has a finite one."""
        rings = (columns(self.rings[:, distance], goal) for distance in range(self.most + 1))
        return nearest(candidates, rings)


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
    """The map and its tables; variants of a battle on the same map stand on the same ground."""
    own = isinstance(entry, Map)
    return _laid_out(entry.model_dump_json() if isinstance(entry, Map) else entry, own, sight_rule)


@lru_cache(maxsize=64)
def _laid_out(text: str, own: bool, sight_rule: str) -> Ground:
    """SE-S1, SE-G1, SE-G2, SE-G3, SE-G4, SE-G5, SE-G6, SE-G7, SE-G8, SE-G9, SE-G10: the map and its tables."""
    entry = Map.model_validate_json(text) if own else text
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
    features = {"entrance": marks["entrance"], "start of an enemy": marks["numbered"]}
    board = hex_board(table["tiles"], table["impassable"], features, most=MOST_HEXES, key="map")
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
        range=_with_nowhere(steps, FAR),
        adjacent=_with_nowhere(board.adjacent, False),
        sees=_with_nowhere(sight, False),
        sight=sight,
        beside=board.bits.rows((_apart(board, 1, 1) & sight).T),
        rings=rings,
        most=most,
        entrance=tuple(board.find(spot) for spot in marks["entrance"]),
        numbered=tuple(board.find(spot) for spot in marks["numbered"]),
        hold=board.bits.fixed(held),
    )


def _apart(board: Board, lowest: int, highest: int) -> Mask:
    """(hexes, hexes). Whether two hexes are at such a range."""
    return (board.steps >= lowest) & (board.steps <= min(highest, FAR - 1))


def _with_nowhere(table: NDArray[N], nothing: int) -> NDArray[N]:
    """A (hexes, hexes) table with a last row and column for nowhere."""
    wide = np.full((len(table) + 1, len(table) + 1), nothing, dtype=table.dtype)
    wide[:-1, :-1] = table
    return wide
